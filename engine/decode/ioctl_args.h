/*
 * ioctl_args - what the third argument of ioctl(2) is, by request.
 *
 * One table per kind of device (ioctl_*.c). Constant data; any thread.
 */
#ifndef DECODE_IOCTL_ARGS_H
#define DECODE_IOCTL_ARGS_H

#include "engine/decode/shapes.h"

enum ioctl_kind {
	IOCTL_NOTHING, /* the request takes no argument */
	IOCTL_READS, /* the kernel fills it in */
	IOCTL_WRITES, /* the caller gives it */
	IOCTL_BOTH, /* `show` looks for itself */
};

struct ioctl_arg {
	uint32_t code;
	enum ioctl_kind kind;
	show_fn *show;
	const void *data;
	/* That `show` reads, where neither its data nor the request's number tells. */
	uint16_t bytes;
};

struct ioctl_args {
	const struct ioctl_arg *list;
	size_t count;
};

extern const struct ioctl_args ioctl_terminal_args, ioctl_file_args, ioctl_net_args,
	ioctl_block_args, ioctl_device_args, ioctl_input_args, ioctl_console_args;

const struct ioctl_args *ioctl_args_at(size_t index); /* all of them; NULL past the last */

#define IOCTL_ARGS(id) \
	const struct ioctl_args id = { id##_list, sizeof(id##_list) / sizeof(id##_list[0]) }

#endif
