/*
 * ioctl_codes - the requests of ioctl(2) by name, as the UAPI headers have them.
 *
 * Ascending by code; a code that means different things to different devices
 * has a row for each. A test compares every row with its header. Constant data.
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

extern const struct ioctl_code ioctl_codes[];
extern const size_t ioctl_code_count;

#endif
