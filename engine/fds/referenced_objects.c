#include "engine/fds/referenced_objects.h"

#include "engine/fds/fd_paths.h"
#include "engine/fds/fds.h"

#include <fcntl.h>
#include <string.h>

static struct referenced_arg shape_of(const struct referenced *referenced, const struct call *call)
{
	return call->nr < referenced->count ? referenced->shapes[call->nr]
					    : (struct referenced_arg){ .fds = 0 };
}

static bool returned_fd(struct referenced_arg shape, const struct call *call)
{
	return shape.returns_fd && call->state == CALL_DONE && !call_failed(call);
}

bool referenced_points(const struct referenced *referenced, const struct call *call)
{
	struct referenced_arg shape = shape_of(referenced, call);

	return shape.paths || shape.array;
}

bool referenced_has_array(const struct referenced *referenced, const struct call *call)
{
	return shape_of(referenced, call).array;
}

bool referenced_any(const struct referenced *referenced, const struct call *call)
{
	struct referenced_arg shape = shape_of(referenced, call);

	return shape.fds || shape.paths || shape.returns_fd;
}

size_t referenced_fds(const struct referenced *referenced, const struct call *call,
		      const struct fd_chunks *pointed, int32_t fds[REFERENCED_FDS])
{
	struct referenced_arg shape = shape_of(referenced, call);
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
					REFERENCED_FDS - count);
	return count;
}

/* Long paths are cut; text after a NUL does not belong to the path. */
static void put_fd_path(const struct referenced *referenced, const struct call *call, int32_t fd,
			bool after, char out[REFERENCED_PATH_BYTES], bool *pending)
{
	size_t len = 0;

	*pending = false;
	if (referenced->fds)
		len = fds_text_pending(referenced->fds, call, fd, after, out,
				       REFERENCED_PATH_BYTES - 1, pending);
	out[len] = '\0';
	if (*out != '/')
		*out = '\0';
}

static void put_path(const struct fd_chunks pointed[2], uint64_t address,
		     char out[REFERENCED_PATH_BYTES], bool *pending)
{
	const char *text;
	size_t len;

	*out = '\0';
	if (!fd_calls_text(pointed, address, &text, &len))
		return;
	*pending = false;
	if (len >= REFERENCED_PATH_BYTES)
		return;
	memcpy(out, text, len);
	out[len] = '\0';
}

/*
 * Make the path absolute. Its directory is the preceding argument if that is a directory
 * descriptor, otherwise the current directory.
 */
static void put_whole_path(const struct referenced *referenced, const struct call *call,
			   struct referenced_arg shape, unsigned arg,
			   const struct fd_chunks pointed[2], char out[REFERENCED_PATH_BYTES],
			   bool *pending)
{
	bool has_dir = arg && shape.dirs >> (arg - 1) & 1;
	struct str whole = STR_INIT;
	const char *text;
	size_t len;

	*out = '\0';
	if (!fd_calls_text(pointed, call->args[arg], &text, &len))
		return;
	*pending = false;
	if (!len || *text == '/')
		return;
	put_fd_path(referenced, call, has_dir ? (int32_t)call->args[arg - 1] : AT_FDCWD, false, out,
		    pending);
	if (!*out)
		return;
	str_add(&whole, out);
	fd_paths_join(&whole, text, len);
	*out = '\0';
	if (whole.len < REFERENCED_PATH_BYTES)
		memcpy(out, whole.data, whole.len + 1);
	str_release(&whole);
}

/* Find the index-th bit that is set; false: fewer bits are set. */
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

/* Store the path of the index-th descriptor of an array argument; false: no such descriptor. */
static bool put_array_path(const struct referenced *referenced, const struct call *call,
			   const struct fd_chunks pointed[2], struct referenced_arg shape,
			   unsigned index, char out[REFERENCED_PATH_BYTES], bool *pending)
{
	int32_t fds[REFERENCED_FDS];

	*pending = *pending && shape.array;
	if (!shape.array || call->state == CALL_ORPHAN ||
	    index >= fd_arrays_find(shape.array, call, pointed, fds, REFERENCED_FDS))
		return false;
	put_fd_path(referenced, call, fds[index], fd_arrays_opened(shape.array), out, pending);
	return true;
}

bool referenced_path(const struct referenced *referenced, const struct call *call,
		     const struct fd_chunks pointed[2], unsigned index,
		     char out[REFERENCED_PATH_BYTES], bool *pending)
{
	struct referenced_arg shape = shape_of(referenced, call);
	unsigned arg;

	if (call->state == CALL_ORPHAN)
		shape.fds = shape.paths = 0;
	if (nth_arg(shape.paths, index / 2, &arg)) {
		*pending = *pending && call->args[arg];
		if (index % 2)
			put_whole_path(referenced, call, shape, arg, pointed, out, pending);
		else
			put_path(pointed, call->args[arg], out, pending);
		return true;
	}
	index -= 2 * args_in(shape.paths);
	/* Using the current directory to resolve a path does not count as a use of it. */
	if (nth_arg(shape.fds, index, &arg)) {
		bool is_cwd = shape.dirs >> arg & 1 && (int32_t)call->args[arg] == AT_FDCWD;

		*out = '\0';
		*pending = *pending && !is_cwd;
		if (!is_cwd)
			put_fd_path(referenced, call, (int32_t)call->args[arg], false, out,
				    pending);
		return true;
	}
	index -= args_in(shape.fds);
	if (!index && returned_fd(shape, call)) {
		put_fd_path(referenced, call, (int32_t)call->ret, true, out, pending);
		return true;
	}
	return put_array_path(referenced, call, pointed, shape, index - returned_fd(shape, call),
			      out, pending);
}

bool referenced_main_path(const struct referenced *referenced, const struct call *call,
			  const struct fd_chunks pointed[2], char out[REFERENCED_PATH_BYTES])
{
	struct referenced_arg shape = shape_of(referenced, call);
	unsigned named = 2 * args_in(shape.paths), end;
	char as_given[REFERENCED_PATH_BYTES] = "";
	bool pending = false;

	/* Descriptors in arrays are excluded: none of them is the main one. */
	end = named + args_in(shape.fds) + returned_fd(shape, call);
	for (unsigned i = 0;
	     i < end && referenced_path(referenced, call, pointed, i, out, &pending); i++) {
		/* The named path is unknown: the path of its directory would be wrong. */
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
