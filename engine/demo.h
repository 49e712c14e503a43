/*
 * demo - the built-in recording, for users without permission to trace.
 *
 * screenshots/demo/make.sh makes it from a real run. It is compressed and linked into the program.
 * Any thread.
 */
#ifndef ENGINE_DEMO_H
#define ENGINE_DEMO_H

#include "engine/base/err.h"

#define DEMO_NAME "the demo" /* display name of the recording */

struct demo {
	int fd; /* the recording, for engine_options.recording_fd */
	char *names; /* names file text for the recording's addresses, for engine_options.names */
};

/* Return 0, or -errno with a message if memory is short. */
int demo_open(struct demo *demo, struct err *err);
/* Call after the engine is freed. Also valid for a zeroed struct. */
void demo_close(struct demo *demo);

#endif
