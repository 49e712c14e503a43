/*
 * ioctl_args - type of the third argument of ioctl(2), by request.
 *
 * One table per kind of device (ioctl_*.c). Constant data; any thread.
 */
#ifndef DECODE_IOCTL_ARGS_H
#define DECODE_IOCTL_ARGS_H

#include "engine/decode/shapes.h"

enum ioctl_kind {
	IOCTL_NOTHING, /* the request takes no argument */
	IOCTL_READS, /* the kernel writes the argument */
	IOCTL_WRITES, /* the caller provides the argument */
	IOCTL_BOTH, /* `show` itself reads the memory at the enter and at the exit */
};

struct ioctl_arg {
	uint32_t code;
	enum ioctl_kind kind;
	show_fn *show;
	const void *data;
	/* Bytes that `show` reads, if neither `data` nor the request code determines them. */
	uint16_t bytes;
};

struct ioctl_args {
	const struct ioctl_arg *list;
	size_t count;
};

extern const struct ioctl_args ioctl_terminal_args, ioctl_file_args, ioctl_net_args,
	ioctl_block_args, ioctl_device_args, ioctl_input_args, ioctl_console_args;

const struct ioctl_args *ioctl_args_at(size_t index); /* NULL past the last */

#define IOCTL_ARGS(id) \
	const struct ioctl_args id = { id##_list, sizeof(id##_list) / sizeof(id##_list[0]) }

#endif
