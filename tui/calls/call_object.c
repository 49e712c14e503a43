#include "tui/calls/call_object.h"

#include <string.h>

/* Calls whose first argument is a futex address. */
static bool is_futex_call(const char *name)
{
	return !strcmp(name, "futex") || !strcmp(name, "futex_wait") || !strcmp(name, "futex_wake");
}

struct call_object call_object(const struct syscalls *syscalls, const struct call *call)
{
	struct call_object object = { .kind = OBJECT_NONE, .pid = call->pid };
	const struct syscall_info *info;

	if (!call_was_made(call) || call->state == CALL_ORPHAN)
		return object;
	info = syscalls_info(syscalls, call->nr);
	if (is_futex_call(info->name) && call->args[0]) {
		object.kind = OBJECT_FUTEX;
		object.value = call->args[0];
		return object;
	}
	for (unsigned i = 0; i < info->arg_count && i < SYSCALL_ARGS; i++) {
		if (info->args[i].kind != ARG_FD)
			continue;
		object.kind = OBJECT_FD;
		object.value = (uint32_t)call->args[i];
		/* -1 means no file, as in mmap() of anonymous memory. */
		if ((int32_t)object.value < 0)
			object.kind = OBJECT_NONE;
		return object;
	}
	return object;
}

bool call_object_is(const struct call_object *object, const struct syscalls *syscalls,
		    const struct call *call)
{
	struct call_object other;

	if (object->kind == OBJECT_NONE || call->pid != object->pid)
		return false;
	other = call_object(syscalls, call);
	return other.kind == object->kind && other.value == object->value;
}

void call_object_text(const struct call_object *object, struct str *out)
{
	switch (object->kind) {
	case OBJECT_FUTEX:
		str_add(out, "futex ");
		str_addx(out, object->value);
		break;
	case OBJECT_FD:
		str_add(out, "file descriptor ");
		str_addu(out, object->value);
		break;
	case OBJECT_NONE:
		break;
	}
}
