/*
 * debug_file_fetch - debug files from debuginfod servers, by debuginfod-find(1).
 *
 * Used only with --debuginfod, because the program sends the build-ids of local programs to the
 * servers in DEBUGINFOD_URLS. The program runs as an unprivileged child of the fork server (as uid
 * 65534 if stxtop is root), with a time limit.
 *
 * As root, files are stored in a directory that is removed at exit. Otherwise they go to the user's
 * cache of debuginfod-find. DEBUGINFOD_CACHE_PATH overrides both. The worker checks that the file
 * has the requested build-id. One thread at a time.
 */
#ifndef STACK_DEBUG_FILE_FETCH_H
#define STACK_DEBUG_FILE_FETCH_H

#include "engine/base/err.h"
#include "engine/helper/fork_server.h"

#include <stdint.h>

struct debug_file_fetch;

/* Borrows fork_server. -errno with *err set if fetching is impossible. */
int debug_file_fetch_new(struct debug_file_fetch **fetch, struct fork_server *fork_server,
			 struct err *err);
/* Call after the last fetch. Removes the files stored for this run only. */
void debug_file_fetch_free(struct debug_file_fetch *fetch);

/*
 * Return a descriptor of the debug file with this build-id. -ENOENT if no server has it,
 * -ETIMEDOUT, or another -errno. Blocks as long as the servers do; returns early if the fork server
 * ends.
 */
int debug_file_fetch_open(struct debug_file_fetch *fetch, const uint8_t *build_id, uint32_t bytes);

#endif
