/*
 * signals - signals as something to poll, and a terminal that survives what ends the program.
 *
 * Call signals_open before any other thread is started: they inherit its mask, and
 * so none of them is interrupted. Signal dispositions are the process's, so
 * there is one of this. UI thread only.
 */
#ifndef DIALOGS_SIGNALS_H
#define DIALOGS_SIGNALS_H

#include "engine/base/err.h"

#include <signal.h>
#include <stdbool.h>

struct signals {
	int fd; /* poll it for reading */
	sigset_t before; /* the mask to go back to */
	struct sigaction actions[NSIG]; /* those to go back to */
	bool caught[NSIG];
};

/* Runs restore in a signal handler when any other signal ends the program. */
int signals_open(struct signals *signals, void (*restore)(void), struct err *err);
void signals_close(struct signals *signals);

/* The next signal that came, 0: none. Never waits. */
int signals_next(struct signals *signals);

/* Stops this process and its job, as Ctrl-Z does; returns when it is continued. */
void signals_stop_here(void);

#endif
