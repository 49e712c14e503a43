/*
 * struct_layout - describes structs of the kernel interface by tables of their members.
 *
 * Offsets and sizes come from the UAPI headers of the build. A struct that is newer than these
 * headers is declared beside its layout. In both cases, offset and size are written only once.
 * Constant data; any thread.
 *
 *	LAYOUT(rlimit_layout, struct rlimit64,
 *		MEMBER(struct rlimit64, rlim_cur, show_rlimit),
 *		MEMBER(struct rlimit64, rlim_max, show_rlimit));
 */
#ifndef DECODE_STRUCT_LAYOUT_H
#define DECODE_STRUCT_LAYOUT_H

#include "engine/decode/printer.h"

struct field {
	const char *name;
	uint16_t offset, bytes;
	show_fn *show; /* gets the member as a number; NULL: `print` gets its bytes */
	element_fn *print;
	const void *data;
};

struct layout {
	uint32_t bytes;
	uint32_t count;
	const struct field *fields;
	bool more; /* short form of strace: ", ..." follows the members */
};

#define MEMBER_BYTES(type, member) \
	.offset = offsetof(type, member), .bytes = sizeof(((type *)0)->member)
/* clang-format off */
#define MEMBER(type, member, fn) { .name = #member, MEMBER_BYTES(type, member), .show = (fn) }
#define MEMBER_WITH(type, member, fn, thing) \
	{ .name = #member, MEMBER_BYTES(type, member), .show = (fn), .data = (thing) }
/* clang-format on */
#define MEMBER_FLAGS(type, member, table) MEMBER_WITH(type, member, show_flags_long, &(table))
#define MEMBER_ENUM(type, member, table) MEMBER_WITH(type, member, show_enum_long, &(table))
/* clang-format off */
#define MEMBER_INNER(type, member, inner) \
	{ .name = #member, MEMBER_BYTES(type, member), .print = element_struct, .data = &(inner) }
#define MEMBER_PRINT(type, member, fn, thing) \
	{ .name = #member, MEMBER_BYTES(type, member), .print = (fn), .data = (thing) }
/* For a member that is shown by another name (st_atime_nsec is a part of st_atim). */
#define MEMBER_AS(text, type, member, fn) \
	{ .name = text, MEMBER_BYTES(type, member), .show = (fn) }
/* clang-format on */

#define LAYOUT(id, type, ...) \
	static const struct field id##_fields[] = { __VA_ARGS__ }; \
	const struct layout id = { sizeof(type), sizeof(id##_fields) / sizeof(id##_fields[0]), \
				   id##_fields, false }
#define SHORT_LAYOUT(id, type, ...) \
	static const struct field id##_fields[] = { __VA_ARGS__ }; \
	const struct layout id = { sizeof(type), sizeof(id##_fields) / sizeof(id##_fields[0]), \
				   id##_fields, true }

/* Print {a=1, b=2}; data is a struct layout. */
element_fn element_struct;
/* Print one member of the struct at `bytes`, without its name. */
void print_field(struct printer *p, const void *bytes, const struct field *field);

/*
 * Print a struct for which the caller passed or reserved `bytes` bytes. Members beyond that, or
 * beyond the known bytes, are shown as "...".
 */
void print_struct_within(struct printer *p, uint64_t address, uint64_t bytes,
			 const struct layout *layout);

/* Show a pointer to a struct: NULL, the struct, or the address; data is its struct layout. */
show_fn show_struct;
/* Show a pointer to one number, with the number in brackets; data is a struct pointee. */
struct pointee {
	uint8_t bytes;
	show_fn *show;
	const void *data;
};
show_fn show_pointee;
extern const struct pointee int_pointee, unsigned_pointee, ulong_pointee, long_pointee, hex_pointee,
	pointer_pointee, id_pointee;

#endif
