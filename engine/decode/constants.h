/*
 * constants - names of numbers, as in the UAPI headers of the kernel.
 *
 * A table names the header of its constants. A test compiles every name against that header where
 * it is installed. Values are literal, so that a build with older headers knows newer names.
 * Constant data; any thread.
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
	const char *unknown; /* comment after a value without a name: "SEEK_???"; NULL: none */
	const struct constant *list;
	size_t count;
};

#define CONSTANTS(id, header_name, unknown_name, ...) \
	static const struct constant id##_list[] = { __VA_ARGS__ }; \
	const struct constants id = { header_name, unknown_name, id##_list, \
				      sizeof(id##_list) / sizeof(id##_list[0]) }

/*
 * Return the name of exactly this value, or NULL. Tables that start at 0 without gaps are indexed
 * directly. Long tables use binary search, so their values must ascend.
 */
const char *constants_name(const struct constants *table, uint64_t value);

#endif
