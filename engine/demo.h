/*
 * demo - the recording that comes with the program, for who may not watch anything here.
 *
 * Made by screenshots/demo/make.sh from a real run; compressed, and linked into the program.
 * Any thread.
 */
#ifndef ENGINE_DEMO_H
#define ENGINE_DEMO_H

#include "engine/base/err.h"

#define DEMO_NAME "the demo" /* what the recording is called */

struct demo {
	int fd; /* of the recording, for engine_options.recording_fd */
	char *names; /* of its addresses, for engine_options.names */
};

/* 0, or -errno with a sentence: no memory. */
int demo_open(struct demo *demo, struct err *err);
/* When the engine is gone. Also where it was zeroed and not opened. */
void demo_close(struct demo *demo);

#endif
