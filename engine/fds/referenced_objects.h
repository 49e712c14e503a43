/*
 * referenced_objects - which descriptors and paths a call touches, for whoever looks for those.
 *
 * Its arguments that are descriptors, and its result where that is one; the paths that it names,
 * as it gave them and, where the directory is known, from the root; and those of its
 * descriptors, also those in arrays as far as these were copied (poll, select, messages). Which
 * arguments are what is told by masks, since numbers belong to a machine and declarations to
 * the decoder.
 */
#ifndef FDS_REFERENCED_OBJECTS_H
#define FDS_REFERENCED_OBJECTS_H

#include "engine/fds/fd_arrays.h"

#include <stddef.h>

struct fds;

/* Bits of arguments. */
struct referenced_arg {
	uint8_t fds, dirs, paths; /* dirs: of fds, those of which AT_FDCWD is one */
	bool returns_fd;
	uint8_t array; /* enum fd_array */
};

#define REFERENCED_FDS 64
#define REFERENCED_PATH_BYTES 4160

struct referenced {
	struct referenced_arg *shapes; /* by number */
	size_t count;
	struct fds *fds; /* NULL: nothing is known of descriptors */
};

/* Whether calls of this number touch any. */
bool referenced_any(const struct referenced *referenced, const struct call *call);
/* `pointed` may be NULL: then those in arrays are left out. */
size_t referenced_fds(const struct referenced *referenced, const struct call *call,
		      const struct fd_chunks *pointed, int32_t fds[REFERENCED_FDS]);
/*
 * The path at `index`, terminated, in `out`; false: there is none any more. One that is
 * not known is "".
 */
bool referenced_path(const struct referenced *referenced, const struct call *call,
		     const struct fd_chunks pointed[2], unsigned index,
		     char out[REFERENCED_PATH_BYTES]);
/*
 * The one that the call is about: that it names, from the root where that is known, and if it
 * names none that of its descriptor. false: it is not known, or there is none.
 */
bool referenced_main_path(const struct referenced *referenced, const struct call *call,
			  const struct fd_chunks pointed[2], char out[REFERENCED_PATH_BYTES]);

#endif
