/*
 * ioctl_codes - names of ioctl(2) requests, as in the UAPI headers.
 *
 * One table per kind of device, ascending by code. A code with different meanings on different
 * devices has one row for each. A test compares every row with its header. Constant data.
 */
#ifndef DECODE_IOCTL_CODES_H
#define DECODE_IOCTL_CODES_H

#include <stddef.h>
#include <stdint.h>

struct ioctl_code {
	uint32_t code;
	const char *name;
	const char *header;
};

struct ioctl_codes {
	const struct ioctl_code *list;
	size_t count;
};

/* ioctl/ioctl_*_codes.c */
extern const struct ioctl_codes ioctl_terminal_codes, ioctl_block_codes, ioctl_file_codes,
	ioctl_net_codes, ioctl_input_codes, ioctl_sound_codes, ioctl_video_codes,
	ioctl_virtual_codes, ioctl_device_codes;

#define IOCTL_NAMES 8 /* maximum number of names of one code; no code has more */

/* Store the names of a code in alphabetical order. Return their number. */
size_t ioctl_code_names(uint32_t code, const char *names[IOCTL_NAMES]);

#endif
