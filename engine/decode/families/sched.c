/* Scheduling: policies, attributes, CPU affinity, I/O priorities. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <errno.h>
#include <linux/sched.h>
#include <linux/sched/types.h>
#include <string.h>

static void show_policy(struct printer *p, uint64_t value, const void *data)
{
	uint32_t policy = (uint32_t)value & ~(uint32_t)SCHED_RESET_ON_FORK;

	(void)data;
	if (policy != (uint32_t)value && constants_name(&sched_policies, policy)) {
		show_enum(p, policy, &sched_policies);
		PUT(p, "|SCHED_RESET_ON_FORK");
	} else {
		show_enum(p, value, &sched_policies);
	}
}

static void policy_result(struct printer *p)
{
	result_with_name(p, (uint64_t)p->call->ret, &sched_policies);
}

/* struct sched_param has one member; show it as a number in brackets. */
static const struct pointee param_pointee = { 4, show_int, NULL };

/* more: the struct has members beyond the known ones. */
static void print_attr(struct printer *p, const struct sched_attr *attr, uint64_t size, bool more)
{
	PUT(p, "{size=");
	str_addu(p->out, attr->size);
	PUT(p, ", sched_policy=");
	print_enum(p, attr->sched_policy, &sched_policies);
	PUT(p, ", sched_flags=");
	show_flags_long(p, attr->sched_flags, &sched_attr_flags);
	PUT(p, ", sched_nice=");
	str_addd(p->out, attr->sched_nice);
	PUT(p, ", sched_priority=");
	str_addu(p->out, attr->sched_priority);
	PUT(p, ", sched_runtime=");
	str_addu(p->out, attr->sched_runtime);
	PUT(p, ", sched_deadline=");
	str_addu(p->out, attr->sched_deadline);
	PUT(p, ", sched_period=");
	str_addu(p->out, attr->sched_period);
	if (size >= sizeof(*attr)) {
		PUT(p, ", sched_util_min=");
		str_addu(p->out, attr->sched_util_min);
		PUT(p, ", sched_util_max=");
		str_addu(p->out, attr->sched_util_max);
	}
	if (more)
		PUT(p, ", ...");
	PUT(p, "}");
}

static void show_attr(struct printer *p, uint64_t value, const void *data)
{
	struct sched_attr attr;
	uint32_t size = 0;

	(void)data;
	memset(&attr, 0, sizeof(attr));
	if ((p->when == BYTES_AT_EXIT && !(uint32_t)p->call->args[2]) ||
	    !printer_read(p, value, &size, sizeof(size))) {
		show_pointer(p, value, NULL);
		return;
	}
	/* The struct, or the buffer for it, is smaller than the minimum of the kernel. */
	if (size < SCHED_ATTR_SIZE_VER0 && (size || p->when == BYTES_AT_EXIT)) {
		str_addf(p->out, "{size=%u}", size);
		return;
	}
	if (!size)
		size = SCHED_ATTR_SIZE_VER0;
	if (!printer_read(p, value, &attr, size < sizeof(attr) ? size : sizeof(attr))) {
		show_pointer(p, value, NULL);
		return;
	}
	print_attr(p, &attr, size, p->when == BYTES_AT_ENTER && size > sizeof(attr));
}

/* If the size is unsupported (-E2BIG), the kernel stores the size that it supports. */
static void show_given_attr(struct printer *p, uint64_t value, const void *data)
{
	uint32_t size;

	show_attr(p, value, data);
	p->when = BYTES_AT_EXIT;
	if (p->call->state == CALL_DONE && p->call->ret == -E2BIG &&
	    printer_read(p, value, &size, sizeof(size)))
		str_addf(p->out, " => {size=%u}", size);
}

void print_cpus(struct printer *p, uint64_t address, uint64_t bytes)
{
	uint64_t words[128];
	bool any = false;

	if (!bytes) {
		PUT(p, "[]");
		return;
	}
	if (bytes > sizeof(words))
		bytes = sizeof(words);
	memset(words, 0, sizeof(words));
	if (!printer_read(p, address, words, bytes)) {
		show_pointer(p, address, NULL);
		return;
	}
	PUT(p, "[");
	for (uint64_t cpu = 0; cpu < bytes * 8; cpu++) {
		if (!(words[cpu / 64] >> (cpu % 64) & 1))
			continue;
		if (any)
			PUT(p, " ");
		any = true;
		str_addu(p->out, cpu);
	}
	PUT(p, "]");
}

static void show_affinity(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_cpus(p, value,
		   p->when == BYTES_AT_EXIT ? (uint64_t)p->call->ret : (uint32_t)p->call->args[1]);
}

#define CLASS_SHIFT 13

static void show_ioprio(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	PUT(p, "IOPRIO_PRIO_VALUE(");
	print_enum(p, (uint32_t)value >> CLASS_SHIFT, &ioprio_classes);
	PUT(p, ", ");
	str_addu(p->out, (uint32_t)value & ((1u << CLASS_SHIFT) - 1));
	PUT(p, ")");
}

static void ioprio_result(struct printer *p)
{
	str_addx(p->out, (uint64_t)p->call->ret);
	PUT(p, " (");
	show_ioprio(p, (uint64_t)p->call->ret, NULL);
	PUT(p, ")");
}

/* clang-format off */
static const struct call_form sched_forms[] = {
	{ .name = "sched_yield", .classes = SCHED,
	  .prototype = "" },
	{ .name = "sched_setparam", .classes = SCHED,
	  .prototype = "pid_t pid, struct sched_param * param",
	  .args = { [1] = POINTS_TO(param_pointee) } },
	{ .name = "sched_getparam", .classes = SCHED,
	  .prototype = "pid_t pid, struct sched_param * param",
	  .args = { [1] = FILLS(param_pointee) } },
	{ .name = "sched_setscheduler", .classes = SCHED,
	  .prototype = "pid_t pid, int policy, struct sched_param * param",
	  .args = { [1] = SHOW(show_policy), [2] = POINTS_TO(param_pointee) } },
	{ .name = "sched_getscheduler", .classes = SCHED,
	  .prototype = "pid_t pid",
	  .result = policy_result },
	{ .name = "sched_get_priority_max", .classes = SCHED,
	  .prototype = "int policy",
	  .args = { [0] = ENUM(sched_policies) } },
	{ .name = "sched_get_priority_min", .classes = SCHED,
	  .prototype = "int policy",
	  .args = { [0] = ENUM(sched_policies) } },
	{ .name = "sched_rr_get_interval", .classes = SCHED,
	  .prototype = "pid_t pid, struct __kernel_timespec * interval",
	  .args = { [1] = OUT(timespec_layout) } },
	{ .name = "sched_setaffinity", .classes = SCHED,
	  .prototype = "pid_t pid, unsigned int len, unsigned long * user_mask_ptr",
	  .args = { [2] = SHOW(show_affinity) } },
	{ .name = "sched_getaffinity", .classes = SCHED,
	  .prototype = "pid_t pid, unsigned int len, unsigned long * user_mask_ptr",
	  .args = { [2] = SHOW_OUT(show_affinity) } },
	{ .name = "sched_setattr", .classes = SCHED,
	  .prototype = "pid_t pid, struct sched_attr * uattr, unsigned int flags",
	  .args = { [1] = SHOW(show_given_attr), [2] = SHOW(show_unsigned) } },
	{ .name = "sched_getattr", .classes = SCHED,
	  .prototype = "pid_t pid, struct sched_attr * uattr, unsigned int usize, "
		       "unsigned int flags",
	  .args = { [1] = SHOW_OUT(show_attr), [3] = SHOW(show_unsigned) } },
	{ .name = "ioprio_get",
	  .prototype = "int which, int who",
	  .args = { [0] = ENUM(ioprio_whos) },
	  .result = ioprio_result },
	{ .name = "ioprio_set",
	  .prototype = "int which, int who, int ioprio",
	  .args = { [0] = ENUM(ioprio_whos), [2] = SHOW(show_ioprio) } },
	{ .name = "getcpu",
	  .prototype = "unsigned * cpup, unsigned * nodep, struct getcpu_cache * unused",
	  .args = { [0] = FILLS(unsigned_pointee), [1] = FILLS(unsigned_pointee),
		    [2] = SHOW(show_pointer) } },
};
/* clang-format on */

CALL_FAMILY(sched);
