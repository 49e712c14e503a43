/*
 * referenced_objects - descriptors and paths that a call uses.
 *
 * Descriptors are arguments, the result, and captured members of arrays (poll, select, messages).
 * Paths are those that the call names (as given, and absolute if the directory is known) and those
 * of its descriptors. Masks select the arguments: call numbers depend on the machine, and the
 * declarations belong to the decoder.
 */
#ifndef FDS_REFERENCED_OBJECTS_H
#define FDS_REFERENCED_OBJECTS_H

#include "engine/fds/fd_arrays.h"

#include <stddef.h>

struct fds;

/* Bit masks of arguments. */
struct referenced_arg {
	uint8_t fds, dirs, paths; /* dirs: the fds that can be AT_FDCWD */
	bool returns_fd;
	uint8_t array; /* enum fd_array */
};

#define REFERENCED_FDS 64
#define REFERENCED_PATH_BYTES 4160

struct referenced {
	struct referenced_arg *shapes; /* by call number */
	size_t count;
	struct fds *fds; /* NULL: descriptors are unknown */
};

/* True if the memory that the call points to has paths or descriptors. */
bool referenced_points(const struct referenced *referenced, const struct call *call);
/* True if that memory has an array of descriptors. */
bool referenced_has_array(const struct referenced *referenced, const struct call *call);
/* True if calls of this number use any descriptor or path. */
bool referenced_any(const struct referenced *referenced, const struct call *call);
/* Store the descriptors, at most REFERENCED_FDS. pointed NULL: without the members of arrays. */
size_t referenced_fds(const struct referenced *referenced, const struct call *call,
		      const struct fd_chunks *pointed, int32_t fds[REFERENCED_FDS]);
/*
 * Store the path at `index`, terminated, "" if unknown. False: no more paths. *pending, in: more of
 * the memory can arrive; out: the path can become known or change.
 */
bool referenced_path(const struct referenced *referenced, const struct call *call,
		     const struct fd_chunks pointed[2], unsigned index,
		     char out[REFERENCED_PATH_BYTES], bool *pending);
/*
 * Store the main path of the call: the path that it names, absolute if possible, or else the path
 * of its descriptor. False: unknown or none.
 */
bool referenced_main_path(const struct referenced *referenced, const struct call *call,
			  const struct fd_chunks pointed[2], char out[REFERENCED_PATH_BYTES]);

#endif
