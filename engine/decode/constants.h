/*
 * constants - names of numbers, as the kernel's UAPI headers define them.
 *
 * A table says which header its names come from; a test compiles every name
 * against that header where it is installed. Values are literal, so that a
 * build on older headers knows newer names. Constant data; any thread.
 *
 *	CONSTANTS(seek_whences, "linux/fs.h", "SEEK_???",
 *		{ "SEEK_SET", 0 },
 *		{ "SEEK_CUR", 1 });
 */
#ifndef DECODE_CONSTANTS_H
#define DECODE_CONSTANTS_H

#include <stddef.h>
#include <stdint.h>

struct constant {
	const char *name;
	uint64_t value;
};

struct constants {
	const char *header; /* "linux/fs.h" */
	const char *unknown; /* said of a value without a name: "SEEK_???"; NULL: nothing */
	const struct constant *list;
	size_t count;
};

#define CONSTANTS(id, header_name, unknown_name, ...) \
	static const struct constant id##_list[] = { __VA_ARGS__ }; \
	const struct constants id = { header_name, unknown_name, id##_list, \
				      sizeof(id##_list) / sizeof(id##_list[0]) }

/*
 * The name of exactly this value, or NULL. Tables whose values ascend are
 * searched by halves, those that begin at 0 without gaps are not searched.
 */
const char *constants_name(const struct constants *table, uint64_t value);

#endif
