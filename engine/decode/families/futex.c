/* futex(2) and its newer forms. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/futex.h>

/* The bits of the operation that determine the number of arguments. */
#define COMMAND_BITS 127u

static unsigned futex_count(const struct call *call)
{
	switch (call->args[1] & COMMAND_BITS) {
	case FUTEX_UNLOCK_PI:
	case FUTEX_TRYLOCK_PI:
		return 2;
	case FUTEX_WAKE:
	case FUTEX_FD:
		return 3;
	case FUTEX_WAIT:
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		return 4;
	case FUTEX_REQUEUE:
		return 5;
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAKE_BITSET:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
	case FUTEX_WAKE_OP:
		return 6;
	case FUTEX_WAIT_REQUEUE_PI:
		return 5;
	default:
		return 6;
	}
}

/* Return a mask of the arguments that an operation ignores: val, timeout, second address. */
static uint8_t futex_hidden(const struct call *call)
{
	switch (call->args[1] & COMMAND_BITS) {
	case FUTEX_WAKE_BITSET:
		return 1 << 3 | 1 << 4;
	case FUTEX_WAIT_BITSET:
		return 1 << 4;
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		return 1 << 2;
	default:
		return 0;
	}
}

static void show_futex_operation(struct printer *p, uint64_t value, const void *data)
{
	uint32_t operation = (uint32_t)value & (uint32_t)FUTEX_CMD_MASK;
	const char *name = constants_name(&futex_operations, operation);

	(void)data;
	/* Name the clock flag only with these waits; with other operations, show the number. */
	if (value & FUTEX_CLOCK_REALTIME && operation != FUTEX_WAIT_BITSET &&
	    operation != FUTEX_WAIT_REQUEUE_PI && operation != FUTEX_WAIT)
		name = NULL;
	if (!name) {
		str_addx(p->out, (uint32_t)value);
		PUT(p, " /* FUTEX_??? */");
		return;
	}
	str_add(p->out, name);
	if (value & FUTEX_PRIVATE_FLAG)
		str_add(p->out, operation == FUTEX_FD ? "|FUTEX_PRIVATE_FLAG" : "_PRIVATE");
	if (value & FUTEX_CLOCK_REALTIME)
		PUT(p, "|FUTEX_CLOCK_REALTIME");
}

/* Show a timeout or the number of waiters to requeue, depending on the operation. */
static void show_futex_timeout(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	switch (p->call->args[1] & COMMAND_BITS) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
	case FUTEX_WAIT_REQUEUE_PI:
		show_struct(p, value, &timespec_layout);
		break;
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
	case FUTEX_WAKE_OP:
		show_unsigned(p, value, NULL);
		break;
	default:
		show_pointer(p, value, NULL);
		break;
	}
}

static void print_wake_operation(struct printer *p, uint32_t code)
{
	uint32_t operation = code >> 28 & 7, comparison = code >> 24 & 15;

	if (code >> 28 & FUTEX_OP_OPARG_SHIFT)
		PUT(p, "FUTEX_OP_OPARG_SHIFT<<28|");
	if (constants_name(&futex_wake_operations, operation)) {
		str_add(p->out, constants_name(&futex_wake_operations, operation));
		PUT(p, "<<28|");
	} else {
		str_addf(p->out, "%#x<<28 /* FUTEX_OP_??? */|", operation);
	}
	str_addx(p->out, code >> 12 & 0xfff);
	PUT(p, "<<12|");
	if (constants_name(&futex_wake_comparisons, comparison)) {
		str_add(p->out, constants_name(&futex_wake_comparisons, comparison));
		PUT(p, "<<24|");
	} else {
		str_addf(p->out, "%#x<<24 /* FUTEX_OP_CMP_??? */|", comparison);
	}
	str_addx(p->out, code & 0xfff);
}

static void show_futex_value3(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	switch (p->call->args[1] & COMMAND_BITS) {
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAKE_BITSET:
		if ((uint32_t)value == UINT32_MAX)
			PUT(p, "FUTEX_BITSET_MATCH_ANY");
		else
			show_hex(p, value, NULL);
		break;
	case FUTEX_WAKE_OP:
		print_wake_operation(p, (uint32_t)value);
		break;
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
		show_unsigned(p, value, NULL);
		break;
	default:
		show_hex(p, value, NULL);
		break;
	}
}

static void element_waiter(struct printer *p, const void *element, const void *data)
{
	const struct futex_waitv *waiter = element;

	(void)data;
	PUT(p, "{val=");
	str_addx(p->out, waiter->val);
	PUT(p, ", uaddr=");
	show_pointer(p, waiter->uaddr, NULL);
	PUT(p, ", flags=");
	show_flags(p, waiter->flags, &futex_waiter_flags);
	if (waiter->__reserved) {
		PUT(p, ", __reserved=");
		str_addx(p->out, waiter->__reserved);
	}
	PUT(p, "}");
}

static void show_waiters(struct printer *p, uint64_t value, const void *data)
{
	uint32_t count = (uint32_t)p->call->args[1];

	(void)data;
	print_array(p, value, count, sizeof(struct futex_waitv), element_waiter, NULL);
}

static void show_requeue_waiters(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_array(p, value, 2, sizeof(struct futex_waitv), element_waiter, NULL);
}

static void show_futex2_flags(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_enum(p, value & 3, &futex2_sizes);
	print_more_flags(p, (uint32_t)value & ~3u, &futex2_flags);
}

/* clang-format off */
static const struct call_form futex_forms[] = {
	{ .name = "futex",
	  .prototype = "u32 * uaddr, int op, u32 val, const struct __kernel_timespec * utime, "
		       "u32 * uaddr2, u32 val3",
	  .args = { [1] = SHOW(show_futex_operation), [3] = SHOW(show_futex_timeout),
		    [5] = SHOW(show_futex_value3) },
	  .count = futex_count, .hide = futex_hidden },
	{ .name = "futex_waitv",
	  .prototype = "struct futex_waitv * waiters, unsigned int nr_futexes, "
		       "unsigned int flags, struct __kernel_timespec * timeout, "
		       "clockid_t clockid",
	  .args = { [0] = SHOW(show_waiters), [2] = SHOW(show_hex), [3] = IN(timespec_layout),
		    [4] = SHOW(show_clock) } },
	{ .name = "futex_wait",
	  .prototype = "void * uaddr, unsigned long val, unsigned long mask, "
		       "unsigned int flags, struct __kernel_timespec * timeout, "
		       "clockid_t clockid",
	  .args = { [1] = SHOW(show_ulong), [2] = SHOW(show_hex_long),
		    [3] = SHOW(show_futex2_flags), [4] = IN(timespec_layout),
		    [5] = SHOW(show_clock) } },
	{ .name = "futex_wake",
	  .prototype = "void * uaddr, unsigned long mask, int nr, unsigned int flags",
	  .args = { [1] = SHOW(show_hex_long), [3] = SHOW(show_futex2_flags) } },
	{ .name = "futex_requeue",
	  .prototype = "struct futex_waitv * waiters, unsigned int flags, int nr_wake, "
		       "int nr_requeue",
	  .args = { [0] = SHOW(show_requeue_waiters), [1] = SHOW(show_hex) } },
};
/* clang-format on */

CALL_FAMILY(futex);
