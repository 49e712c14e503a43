#include "engine/decode/referenced_args.h"

#include "engine/base/mem.h"
#include "engine/decode/form.h"

#include <string.h>

static enum fd_array array_of(const char *call)
{
	static const struct {
		const char *call;
		enum fd_array array;
	} arrays[] = {
		{ "poll", FD_ARRAY_POLL },
		{ "ppoll", FD_ARRAY_POLL },
		{ "select", FD_ARRAY_SETS },
		{ "pselect6", FD_ARRAY_SETS },
		{ "sendmsg", FD_ARRAY_SENT },
		{ "recvmsg", FD_ARRAY_RECEIVED },
		{ "pipe", FD_ARRAY_PAIR },
		{ "pipe2", FD_ARRAY_PAIR },
		{ "socketpair", FD_ARRAY_LAST_PAIR },
	};

	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		if (!strcmp(arrays[i].call, call))
			return arrays[i].array;
	return FD_ARRAY_NONE;
}

static struct referenced_arg shape_of(const struct syscall_info *info)
{
	struct referenced_arg shape = { .returns_fd = info->form &&
						      info->form->result == result_fd };

	for (unsigned arg = 0; arg < info->arg_count; arg++) {
		const struct arg_form *form = info->form ? &info->form->args[arg] : NULL;
		show_fn *show = form ? form->show : NULL;
		uint8_t bit = (uint8_t)(1u << arg), kind = info->args[arg].kind;

		if (show ? show == show_fd : kind == ARG_FD)
			shape.fds |= bit;
		if (show ? show == show_dir_fd : kind == ARG_DIR_FD)
			shape.dirs |= bit;
		if (show ? show == show_path && !form->out : kind == ARG_PATH)
			shape.paths |= bit;
	}
	shape.fds |= shape.dirs;
	shape.array = (uint8_t)array_of(info->name);
	return shape;
}

struct referenced_arg *referenced_shapes_make(const struct syscalls *syscalls, size_t *count)
{
	struct referenced_arg *shapes;

	*count = syscalls_count(syscalls);
	shapes = mem_zalloc(*count + 1, sizeof(*shapes));
	for (uint32_t nr = 0; nr < *count; nr++)
		shapes[nr] = shape_of(syscalls_info(syscalls, nr));
	return shapes;
}
