#include "engine/decode/touched_shapes.h"

#include "engine/base/mem.h"
#include "engine/decode/form.h"

static struct touched_shape shape_of(const struct syscall_info *info)
{
	struct touched_shape shape = { .returns_fd = info->form &&
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
	return shape;
}

struct touched_shape *touched_shapes_make(const struct syscalls *syscalls, size_t *count)
{
	struct touched_shape *shapes;

	*count = syscalls_count(syscalls);
	shapes = mem_zalloc(*count + 1, sizeof(*shapes));
	for (uint32_t nr = 0; nr < *count; nr++)
		shapes[nr] = shape_of(syscalls_info(syscalls, nr));
	return shapes;
}
