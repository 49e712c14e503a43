/*
 * signals - signals as a pollable descriptor, and a terminal that is restored if a signal ends the
 * program.
 *
 * Call signals_open() before any thread is created: threads inherit its mask, so that no thread is
 * interrupted. Signal dispositions belong to the process, so create only one instance. UI thread
 * only.
 */
#ifndef DIALOGS_SIGNALS_H
#define DIALOGS_SIGNALS_H

#include "engine/base/err.h"

#include <signal.h>
#include <stdbool.h>

struct signals {
	int fd; /* poll for POLLIN */
	sigset_t before; /* mask to restore */
	struct sigaction actions[NSIG]; /* actions to restore, where `caught` */
	bool caught[NSIG];
};

/*
 * Open the descriptor. `restore` is called in a signal handler if a signal that the descriptor does
 * not deliver ends the program. -errno if signalfd() fails.
 */
int signals_open(struct signals *signals, void (*restore)(void), struct err *err);
void signals_close(struct signals *signals);

/* Return the next pending signal; 0: none. Never blocks. */
int signals_next(struct signals *signals);

/* Stop this process and its job, as Ctrl-Z does. Returns after SIGCONT. */
void signals_stop_here(void);

#endif
