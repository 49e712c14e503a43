#include "engine/fds/referenced_objects.h"

#include "engine/fds/fd_paths.h"
#include "engine/fds/fds.h"

#include <fcntl.h>
#include <string.h>

static struct touched_shape shape_of(const struct touched *touched, const struct call *call)
{
	return call->nr < touched->count ? touched->shapes[call->nr]
					 : (struct touched_shape){ .fds = 0 };
}

static bool returned_fd(struct touched_shape shape, const struct call *call)
{
	return shape.returns_fd && call->state == CALL_DONE && !call_failed(call);
}

bool touched_any(const struct touched *touched, const struct call *call)
{
	struct touched_shape shape = shape_of(touched, call);

	return shape.fds || shape.paths || shape.returns_fd;
}

size_t touched_fds(const struct touched *touched, const struct call *call,
		   const struct fd_chunks *pointed, int32_t fds[TOUCHED_FDS])
{
	struct touched_shape shape = shape_of(touched, call);
	size_t count = 0;

	for (unsigned arg = 0; arg < SYSCALL_ARGS && call->state != CALL_ORPHAN; arg++) {
		int32_t fd = (int32_t)call->args[arg];

		if (shape.fds >> arg & 1 && !(shape.dirs >> arg & 1 && fd == AT_FDCWD))
			fds[count++] = fd;
	}
	if (returned_fd(shape, call))
		fds[count++] = (int32_t)call->ret;
	if (pointed && shape.array && call->state != CALL_ORPHAN)
		count += fd_arrays_find(shape.array, call, pointed, fds + count,
					TOUCHED_FDS - count);
	return count;
}

/* Cut where it is too long; what is behind a NUL is no path. */
static void put_fd_path(const struct touched *touched, const struct call *call, int32_t fd,
			bool after, char out[TOUCHED_PATH_BYTES])
{
	size_t len = touched->fds
			     ? fds_text(touched->fds, call, fd, after, out, TOUCHED_PATH_BYTES - 1)
			     : 0;

	out[len] = '\0';
	if (*out != '/')
		*out = '\0';
}

static void put_path(const struct fd_chunks pointed[2], uint64_t address,
		     char out[TOUCHED_PATH_BYTES])
{
	const char *text;
	size_t len;

	*out = '\0';
	if (!fd_calls_text(pointed, address, &text, &len) || len >= TOUCHED_PATH_BYTES)
		return;
	memcpy(out, text, len);
	out[len] = '\0';
}

/* From the root: the directory is the argument before it, where that is one, or the current. */
static void put_whole_path(const struct touched *touched, const struct call *call,
			   struct touched_shape shape, unsigned arg,
			   const struct fd_chunks pointed[2], char out[TOUCHED_PATH_BYTES])
{
	bool has_dir = arg && shape.dirs >> (arg - 1) & 1;
	struct str whole = STR_INIT;
	const char *text;
	size_t len;

	*out = '\0';
	if (!fd_calls_text(pointed, call->args[arg], &text, &len) || !len || *text == '/')
		return;
	put_fd_path(touched, call, has_dir ? (int32_t)call->args[arg - 1] : AT_FDCWD, false, out);
	if (!*out)
		return;
	str_add(&whole, out);
	fd_paths_join(&whole, text, len);
	*out = '\0';
	if (whole.len < TOUCHED_PATH_BYTES)
		memcpy(out, whole.data, whole.len + 1);
	str_release(&whole);
}

/* The index-th of the bits that are set; false: there are not so many. */
static bool nth_arg(uint8_t mask, unsigned index, unsigned *arg)
{
	for (*arg = 0; *arg < SYSCALL_ARGS; ++*arg)
		if (mask >> *arg & 1 && !index--)
			return true;
	return false;
}

static unsigned args_in(uint8_t mask)
{
	return (unsigned)__builtin_popcount(mask);
}

/* Of the index-th descriptor that is in an array; false: there are not so many. */
static bool put_array_path(const struct touched *touched, const struct call *call,
			   const struct fd_chunks pointed[2], struct touched_shape shape,
			   unsigned index, char out[TOUCHED_PATH_BYTES])
{
	int32_t fds[TOUCHED_FDS];

	if (!shape.array || call->state == CALL_ORPHAN ||
	    index >= fd_arrays_find(shape.array, call, pointed, fds, TOUCHED_FDS))
		return false;
	put_fd_path(touched, call, fds[index], fd_arrays_opened(shape.array), out);
	return true;
}

bool touched_path(const struct touched *touched, const struct call *call,
		  const struct fd_chunks pointed[2], unsigned index, char out[TOUCHED_PATH_BYTES])
{
	struct touched_shape shape = shape_of(touched, call);
	unsigned arg;

	if (call->state == CALL_ORPHAN)
		shape.fds = shape.paths = 0;
	if (nth_arg(shape.paths, index / 2, &arg)) {
		if (index % 2)
			put_whole_path(touched, call, shape, arg, pointed, out);
		else
			put_path(pointed, call->args[arg], out);
		return true;
	}
	index -= 2 * args_in(shape.paths);
	/* That a path is looked up in the current directory does not touch that one. */
	if (nth_arg(shape.fds, index, &arg)) {
		put_fd_path(touched, call, (int32_t)call->args[arg], false, out);
		if (shape.dirs >> arg & 1 && (int32_t)call->args[arg] == AT_FDCWD)
			*out = '\0';
		return true;
	}
	index -= args_in(shape.fds);
	if (!returned_fd(shape, call))
		return put_array_path(touched, call, pointed, shape, index, out);
	if (index)
		return put_array_path(touched, call, pointed, shape, index - 1, out);
	put_fd_path(touched, call, (int32_t)call->ret, true, out);
	return true;
}

bool touched_main_path(const struct touched *touched, const struct call *call,
		       const struct fd_chunks pointed[2], char out[TOUCHED_PATH_BYTES])
{
	struct touched_shape shape = shape_of(touched, call);
	unsigned named = 2 * args_in(shape.paths), end;
	char as_given[TOUCHED_PATH_BYTES] = "";

	/* Of many in an array it is about none more than about another. */
	end = named + args_in(shape.fds) + returned_fd(shape, call);
	for (unsigned i = 0; i < end && touched_path(touched, call, pointed, i, out); i++) {
		/* Not known: its directory is something else. */
		if (named && i == named)
			break;
		if (*out == '/')
			return true;
		if (*out && !*as_given)
			memcpy(as_given, out, strlen(out) + 1);
	}
	memcpy(out, as_given, strlen(as_given) + 1);
	return *out != '\0';
}
