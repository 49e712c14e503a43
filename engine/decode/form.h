/*
 * form - how the arguments and the result of each system call are shown.
 *
 * One table per family of calls (families/), keyed by name, because numbers
 * belong to a machine (numbers.h). An argument without a form of its own is
 * shown as its prototype says: descriptors, modes, signals, ids and plain
 * numbers need no more. Constant data; any thread.
 */
#ifndef DECODE_FORM_H
#define DECODE_FORM_H

#include "engine/decode/struct_layout.h"
#include "engine/decode/syscall_info.h"

struct arg_form {
	show_fn *show; /* NULL: as the prototype says */
	const void *data;
	bool out; /* filled in by the call: a bare pointer unless it succeeded */
};

struct call_form {
	const char *name;
	uint32_t classes; /* bits of enum syscall_class */
	/* As the kernel declares it, "TYPE name, TYPE name"; NULL where it never was. */
	const char *prototype;
	struct arg_form args[SYSCALL_ARGS];
	/* Arguments that this call has, where that depends on them; NULL: all. */
	unsigned (*count)(const struct call *call);
	/* Bits of those in between that are not shown; NULL: `hidden` always. */
	uint8_t (*hide)(const struct call *call);
	uint8_t hidden;
	uint8_t arguments; /* how many there are, where there is no prototype */
	uint8_t merged; /* bits of those that a line shows as part of another */
	/* What it returned when it did not fail; NULL: as `kind` says, or a number. */
	void (*result)(struct printer *p);
	bool no_return;
};

struct call_family {
	const struct call_form *forms;
	size_t count;
};

#define SHOW(fn) \
	{ \
		.show = (fn) \
	}
#define SHOW_WITH(fn, thing) \
	{ \
		.show = (fn), .data = (thing) \
	}
#define SHOW_OUT(fn) \
	{ \
		.show = (fn), .out = true \
	}
#define OUT_WITH(fn, thing) \
	{ \
		.show = (fn), .data = (thing), .out = true \
	}
#define FLAGS(table) SHOW_WITH(show_flags, &(table))
#define FLAGS_LONG(table) SHOW_WITH(show_flags_long, &(table))
#define ENUM(table) SHOW_WITH(show_enum, &(table))
#define ENUM_LONG(table) SHOW_WITH(show_enum_long, &(table))
#define IN(layout) SHOW_WITH(show_struct, &(layout))
#define OUT(layout) OUT_WITH(show_struct, &(layout))
#define POINTS_TO(pointee) SHOW_WITH(show_pointee, &(pointee))
#define FILLS(pointee) OUT_WITH(show_pointee, &(pointee))

/* The classes of the tables. */
#define CLASS_BIT(class) (1u << SYSCALL_CLASS_##class)
#define FILE_ CLASS_BIT(FILE)
#define DESC CLASS_BIT(DESC)
#define NET (CLASS_BIT(NET) | CLASS_BIT(NETWORK))
#define PROCESS CLASS_BIT(PROCESS)
#define SIGNAL CLASS_BIT(SIGNAL)
#define MEMORY CLASS_BIT(MEMORY)
#define IPC CLASS_BIT(IPC)
#define STAT CLASS_BIT(STAT)
#define LSTAT CLASS_BIT(LSTAT)
#define FSTAT CLASS_BIT(FSTAT)
#define STATX CLASS_BIT(STAT_LIKE)
#define STATFS CLASS_BIT(STATFS)
#define FSTATFS CLASS_BIT(FSTATFS)
#define STATFSX CLASS_BIT(STATFS_LIKE)
#define CREDS CLASS_BIT(CREDS)
#define CLOCK CLASS_BIT(CLOCK)
#define PURE CLASS_BIT(PURE)
#define SCHED CLASS_BIT(SCHED)

#define CALL_FAMILY(id) \
	const struct call_family id##_family = { id##_forms, \
						 sizeof(id##_forms) / sizeof(id##_forms[0]) }

/* Families in the order of families.c, NULL past the last. */
const struct call_family *call_family_at(size_t index);
const struct call_form *call_form_find(const char *name); /* or NULL; slow: for loading */

/* Results. */
void result_address(struct printer *p);
void result_octal(struct printer *p);
void result_fd(struct printer *p);
/* "0x1 (flags FD_CLOEXEC)", "0" */
void result_with_flags(struct printer *p, uint64_t value, const struct constants *table);
/* "1 (SUID_DUMP_USER)" */
void result_with_name(struct printer *p, uint64_t value, const struct constants *table);
/* "0x2f (SECBIT_NOROOT|…)" */
void result_with_names(struct printer *p, uint64_t value, const struct constants *table);

#endif
