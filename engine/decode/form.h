/*
 * form - how the arguments and the result of each system call are shown.
 *
 * One table per family of calls (families/), keyed by name, because numbers depend on the machine
 * (numbers.h). An argument without a form is shown by its prototype, which suffices for
 * descriptors, modes, signals, ids and plain numbers. Constant data; any thread.
 */
#ifndef DECODE_FORM_H
#define DECODE_FORM_H

#include "engine/decode/struct_layout.h"
#include "engine/decode/syscall_info.h"

struct arg_form {
	show_fn *show; /* NULL: by the prototype */
	const void *data;
	bool out; /* output argument: a bare pointer unless the call succeeded */
};

struct call_form {
	const char *name;
	uint32_t classes; /* bits of enum syscall_class */
	/*
	 * Declaration of the kernel, "TYPE name, TYPE name"; NULL: the kernel never declared one.
	 */
	const char *prototype;
	struct arg_form args[SYSCALL_ARGS];
	/* Number of arguments of this call, if it depends on their values; NULL: all. */
	unsigned (*count)(const struct call *call);
	/* Mask of the ignored arguments below that count; NULL: the mask is always `hidden`. */
	uint8_t (*hide)(const struct call *call);
	uint8_t hidden;
	uint8_t arguments; /* number of arguments if there is no prototype */
	uint8_t merged; /* mask of the arguments that are shown as part of another argument */
	/* Result of a successful call; NULL: a decimal number. */
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

/* Classes in the tables. */
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

/* Return a family in the order of families.c; NULL past the last. */
const struct call_family *call_family_at(size_t index);
const struct call_form *call_form_find(const char *name); /* NULL: none. Slow: only for loading. */

/* Print the result of a successful call: an address, an octal number, a descriptor. */
void result_address(struct printer *p);
void result_octal(struct printer *p);
void result_fd(struct printer *p);
/* Print "0x1 (flags FD_CLOEXEC)", or "0". */
void result_with_flags(struct printer *p, uint64_t value, const struct constants *table);
/* Print "1 (SUID_DUMP_USER)". */
void result_with_name(struct printer *p, uint64_t value, const struct constants *table);
/* Print "0x2f (SECBIT_NOROOT|…)". */
void result_with_names(struct printer *p, uint64_t value, const struct constants *table);

#endif
