/*
 * debug_file_fetch - debug files from servers, by debuginfod-find(1).
 *
 * Only for those who asked for it: build-ids of what runs here are sent to the servers
 * named in DEBUGINFOD_URLS. The program runs as a child of the fork server without privilege
 * (as nobody where this one is root) and with a limit of its time. As root what comes is
 * kept in a directory of its own until the end, otherwise where debuginfod-find keeps
 * it for its user; DEBUGINFOD_CACHE_PATH says another place for both.
 * Whether a file is the one asked for is for the worker to say. One thread at a time.
 */
#ifndef STACK_DEBUG_FILE_FETCH_H
#define STACK_DEBUG_FILE_FETCH_H

#include "engine/base/err.h"
#include "engine/helper/fork_server.h"

#include <stdint.h>

struct debug_file_fetch;

/* fork server is borrowed. -errno with a sentence where nothing can be fetched. */
int debug_file_fetch_new(struct debug_file_fetch **fetch, struct fork_server *fork_server,
			 struct err *err);
/* Nobody fetches any more. Removes what is kept for this run only. */
void debug_file_fetch_free(struct debug_file_fetch *fetch);

/*
 * A descriptor of the debug file of a build-id, or -errno: -ENOENT where no server has it,
 * -ETIMEDOUT. Takes as long as the servers do; ends when the fork server does.
 */
int debug_file_fetch_open(struct debug_file_fetch *fetch, const uint8_t *build_id, uint32_t bytes);

#endif
