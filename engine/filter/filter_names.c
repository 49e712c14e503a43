#include "engine/filter/filter_names.h"

#include "engine/base/users.h"
#include "engine/decode/argument_names.h"

static const struct syscalls *table_of(void *ctx)
{
	return ctx;
}

static int syscall_number(void *ctx, const char *name, size_t len)
{
	return syscalls_number(table_of(ctx), name, len);
}

static const char *nearest_syscall(void *ctx, const char *name, size_t len)
{
	return syscalls_nearest(table_of(ctx), name, len);
}

static bool class_syscalls(void *ctx, const char *name, size_t len, struct kernel_filter *into)
{
	return syscalls_class(table_of(ctx), name, len, into);
}

static int number_of_errno(void *ctx, const char *name, size_t len)
{
	(void)ctx;
	return errno_number(name, len);
}

static bool user_number(void *ctx, const char *name, size_t len, uint32_t *uid)
{
	(void)ctx;
	return users_number(name, len, uid);
}

static const char *syscall_name(void *ctx, uint32_t nr)
{
	const struct syscalls *syscalls = table_of(ctx);

	return syscalls_exists(syscalls, nr) ? syscalls_info(syscalls, nr)->name : NULL;
}

static const char *class_name(void *ctx, size_t index)
{
	(void)ctx;
	return syscall_class_name(index);
}

static const char *errno_name_of(void *ctx, size_t index)
{
	(void)ctx;
	return errno_name_at(index);
}

static bool argument(void *ctx, uint32_t nr, const char *name, size_t len,
		     struct filter_argument *out)
{
	struct argument found;

	if (!argument_find(table_of(ctx), nr, name, len, &found))
		return false;
	*out = (struct filter_argument){
		.present = true,
		.index = found.index,
		.bytes = found.bytes,
		.is_signed = found.is_signed,
		.is_text = found.is_text,
		.ends = found.ends,
		.choice = found.choice,
	};
	return true;
}

static const char *name_of_argument(void *ctx, uint32_t nr, unsigned index)
{
	return argument_name(table_of(ctx), nr, index);
}

static bool constant(void *ctx, uint32_t nr, unsigned arg, size_t index, const char **name,
		     uint64_t *value)
{
	return argument_constant(table_of(ctx), nr, arg, index, name, value);
}

void filter_names_init(struct filter_names *names, const struct syscalls *syscalls)
{
	*names = (struct filter_names){
		/* Read only: table_of() restores the const. */
		.ctx = (void *)(uintptr_t)syscalls, .syscall_number = syscall_number,
		.nearest_syscall = nearest_syscall, .class_syscalls = class_syscalls,
		.errno_number = number_of_errno,    .user_number = user_number,
		.syscall_name = syscall_name,       .class_name = class_name,
		.errno_name = errno_name_of,        .argument = argument,
		.argument_name = name_of_argument,  .constant = constant,
	};
}
