/* prctl(2), arch_prctl(2), seccomp(2). */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <asm/prctl.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <string.h>

#define COMM_BYTES 15 /* length of a comm, without the NUL */
#define SME_GET_VL 64 /* PR_SME_GET_VL, missing in older headers */

/* Return how many of the five arguments are used; an operation that is not listed uses all. */
static unsigned prctl_count(const struct call *call)
{
	switch ((uint32_t)call->args[0]) {
	case PR_GET_DUMPABLE:
	case PR_GET_KEEPCAPS:
	case PR_GET_SECCOMP:
	case PR_GET_SECUREBITS:
	case PR_GET_TIMERSLACK:
	case PR_GET_TIMING:
	case PR_TASK_PERF_EVENTS_DISABLE:
	case PR_TASK_PERF_EVENTS_ENABLE:
	case PR_SVE_GET_VL:
	case SME_GET_VL:
		return 1;
	case PR_SET_NAME:
	case PR_GET_NAME:
	case PR_SET_PDEATHSIG:
	case PR_GET_PDEATHSIG:
	case PR_SET_DUMPABLE:
	case PR_SET_KEEPCAPS:
	case PR_SET_PTRACER:
	case PR_SET_SECUREBITS:
	case PR_SET_TIMERSLACK:
	case PR_SET_TIMING:
	case PR_SET_TSC:
	case PR_GET_TSC:
	case PR_GET_CHILD_SUBREAPER:
	case PR_SET_CHILD_SUBREAPER:
	case PR_CAPBSET_READ:
	case PR_CAPBSET_DROP:
	case PR_GET_TID_ADDRESS:
	case PR_GET_FP_MODE:
	case PR_SET_FPEMU:
	case PR_GET_FPEMU:
	case PR_SET_FPEXC:
	case PR_GET_FPEXC:
	case PR_SET_ENDIAN:
	case PR_GET_ENDIAN:
	case PR_SET_UNALIGN:
	case PR_GET_UNALIGN:
	case PR_GET_SPECULATION_CTRL:
		return 2;
	case PR_SET_SECCOMP:
		return (uint32_t)call->args[1] == 2 ? 3 : 2;
	default:
		return 5;
	}
}

static void show_name_bytes(struct printer *p, uint64_t value)
{
	char name[COMM_BYTES];
	bool cut;
	size_t len = printer_read_some(p, value, name, sizeof(name), true, &cut);

	if (len < sizeof(name) && !memchr(name, '\0', len)) {
		show_pointer(p, value, NULL);
		return;
	}
	print_quoted(p, name, strnlen(name, len));
	if (!memchr(name, '\0', len))
		PUT(p, "...");
}

static void show_out_int(struct printer *p, uint64_t value, const struct pointee *pointee)
{
	if (!printer_succeeded(p)) {
		show_pointer(p, value, NULL);
		return;
	}
	p->when = BYTES_AT_EXIT;
	show_pointee(p, value, pointee);
}

static const struct pointee signal_pointee = { 4, show_signal, NULL };
static const struct pointee tsc_pointee = { 4, show_enum, &prctl_tscs };
static const struct pointee unalign_pointee = { 4, show_flags, &prctl_unaligns };

void show_filter_program(struct printer *p, uint64_t value, const void *data)
{
	struct sock_fprog program;

	(void)data;
	if (!printer_read(p, value, &program, sizeof(program))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{len=");
	str_addu(p->out, program.len);
	PUT(p, ", filter=");
	show_pointer(p, (uintptr_t)program.filter, NULL);
	PUT(p, "}");
}

static void show_prctl_arg2(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	switch ((uint32_t)p->call->args[0]) {
	case PR_SET_NAME:
		show_name_bytes(p, value);
		break;
	case PR_GET_NAME:
		if (!printer_succeeded(p)) {
			show_pointer(p, value, NULL);
			break;
		}
		p->when = BYTES_AT_EXIT;
		show_name_bytes(p, value);
		break;
	case PR_SET_PDEATHSIG:
		if (value < 128)
			show_signal(p, value, NULL);
		else
			str_addu(p->out, value);
		break;
	case PR_GET_PDEATHSIG:
		show_out_int(p, value, &signal_pointee);
		break;
	case PR_SET_DUMPABLE:
		show_enum_long(p, value, &prctl_dumpables);
		break;
	case PR_SET_PTRACER:
		if (value == PR_SET_PTRACER_ANY)
			PUT(p, "PR_SET_PTRACER_ANY");
		else
			str_addd(p->out, (int32_t)value);
		break;
	case PR_SET_SECCOMP:
		show_enum_long(p, value, &seccomp_modes);
		break;
	case PR_SET_SECUREBITS:
		show_flags_long(p, value, &securebits);
		break;
	case PR_SET_TIMING:
		show_enum_long(p, value, &prctl_timings);
		break;
	case PR_SET_TSC:
		show_enum_long(p, value, &prctl_tscs);
		break;
	case PR_GET_TSC:
		show_out_int(p, value, &tsc_pointee);
		break;
	case PR_SET_UNALIGN:
		show_flags_long(p, value, &prctl_unaligns);
		break;
	case PR_GET_UNALIGN:
		show_out_int(p, value, &unalign_pointee);
		break;
	case PR_GET_CHILD_SUBREAPER:
		show_out_int(p, value, &int_pointee);
		break;
	case PR_GET_TID_ADDRESS:
		show_out_int(p, value, &pointer_pointee);
		break;
	case PR_CAPBSET_READ:
	case PR_CAPBSET_DROP:
		show_enum_long(p, value, &capabilities);
		break;
	case PR_CAP_AMBIENT:
		show_enum_long(p, value, &prctl_ambients);
		break;
	case PR_MCE_KILL:
		show_enum_long(p, value, &prctl_mce_options);
		break;
	case PR_SET_MM:
		show_enum_long(p, value, &prctl_mm_options);
		break;
	case PR_SET_VMA:
		show_enum_long(p, value, &prctl_vma_options);
		break;
	case PR_GET_SPECULATION_CTRL:
	case PR_SET_SPECULATION_CTRL:
		show_enum_long(p, value, &prctl_speculations);
		break;
	case PR_SET_SYSCALL_USER_DISPATCH:
		show_enum_long(p, value, &prctl_dispatches);
		break;
	case PR_SCHED_CORE:
		show_enum(p, value, &prctl_core_sched_options);
		break;
	case PR_SET_NO_NEW_PRIVS:
	case PR_SET_THP_DISABLE:
	case PR_SET_KEEPCAPS:
	case PR_SET_TIMERSLACK:
	case PR_SET_CHILD_SUBREAPER:
	case PR_SET_IO_FLUSHER:
		str_addu(p->out, value);
		break;
	default:
		show_address(p, value, NULL);
		break;
	}
}

static void show_prctl_arg3(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	switch ((uint32_t)p->call->args[0]) {
	case PR_SET_SECCOMP:
		show_filter_program(p, value, NULL);
		break;
	case PR_CAP_AMBIENT:
		if (p->call->args[1] >= 1 && p->call->args[1] <= 3)
			show_enum_long(p, value, &capabilities);
		else
			show_address(p, value, NULL);
		break;
	case PR_MCE_KILL:
		if (p->call->args[1] == 1)
			show_enum_long(p, value, &prctl_mce_policies);
		else
			show_address(p, value, NULL);
		break;
	case PR_SET_SPECULATION_CTRL:
		show_enum_long(p, value, &prctl_speculation_flags);
		break;
	case PR_SCHED_CORE:
		show_int(p, value, NULL);
		break;
	default:
		show_address(p, value, NULL);
		break;
	}
}

static void show_prctl_arg4(struct printer *p, uint64_t value, const void *data)
{
	const char *scope;

	(void)data;
	switch ((uint32_t)p->call->args[0]) {
	case PR_SET_VMA:
		str_addu(p->out, value);
		break;
	case PR_SCHED_CORE:
		scope = constants_name(&core_sched_scopes, (uint32_t)value);
		str_addx(p->out, (uint32_t)value);
		print_comment(p, scope ? scope : core_sched_scopes.unknown);
		break;
	default:
		show_address(p, value, NULL);
		break;
	}
}

static void show_prctl_arg5(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	switch ((uint32_t)p->call->args[0]) {
	case PR_SET_VMA:
		show_string(p, value, NULL);
		break;
	case PR_SCHED_CORE:
		show_pointer(p, value, NULL);
		break;
	default:
		show_address(p, value, NULL);
		break;
	}
}

/* Print a value with its name. 0, the default, has no name. */
static void print_set_name(struct printer *p, uint64_t value, const struct constants *table)
{
	if (value)
		result_with_name(p, value, table);
	else
		PUT(p, "0");
}

static void prctl_result(struct printer *p)
{
	uint64_t ret = (uint64_t)p->call->ret;

	switch ((uint32_t)p->call->args[0]) {
	case PR_GET_DUMPABLE:
		result_with_name(p, ret, &prctl_dumpables);
		break;
	case PR_GET_TIMING:
		print_set_name(p, ret, &prctl_timings);
		break;
	case PR_GET_SECCOMP:
		print_set_name(p, ret, &seccomp_modes);
		break;
	case PR_GET_SECUREBITS:
		result_with_names(p, ret, &securebits);
		break;
	case PR_GET_SPECULATION_CTRL:
		if (ret)
			result_with_names(p, ret, &prctl_speculation_flags);
		else
			PUT(p, "0 (PR_SPEC_NOT_AFFECTED)");
		break;
	case PR_MCE_KILL_GET:
		result_with_name(p, ret, &prctl_mce_policies);
		break;
	default:
		str_addd(p->out, p->call->ret);
		break;
	}
}

static void show_arch_prctl_arg(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	switch ((uint32_t)p->call->args[0]) {
	case ARCH_GET_GS:
	case ARCH_GET_FS:
		show_out_int(p, value, &pointer_pointee);
		break;
	default:
		show_address(p, value, NULL);
		break;
	}
}

static unsigned arch_prctl_count(const struct call *call)
{
	return (uint32_t)call->args[0] == ARCH_GET_CPUID ? 1 : 2;
}

static void show_seccomp_arg(struct printer *p, uint64_t value, const void *data)
{
	uint32_t action;

	(void)data;
	switch ((uint32_t)p->call->args[0]) {
	case SECCOMP_SET_MODE_FILTER:
		show_filter_program(p, value, NULL);
		break;
	case SECCOMP_GET_ACTION_AVAIL:
		if (!printer_read(p, value, &action, sizeof(action))) {
			show_pointer(p, value, NULL);
			break;
		}
		PUT(p, "[");
		print_enum(p, action, &seccomp_actions);
		PUT(p, "]");
		break;
	case SECCOMP_GET_NOTIF_SIZES: {
		uint16_t sizes[3];

		p->when = BYTES_AT_EXIT;
		if (printer_succeeded(p) && printer_read(p, value, sizes, sizeof(sizes)))
			str_addf(p->out,
				 "{seccomp_notif=%u, seccomp_notif_resp=%u, seccomp_data=%u}",
				 sizes[0], sizes[1], sizes[2]);
		else
			show_pointer(p, value, NULL);
		break;
	}
	default:
		show_pointer(p, value, NULL);
		break;
	}
}

static void show_seccomp_flags(struct printer *p, uint64_t value, const void *data)
{
	if ((uint32_t)p->call->args[0] == SECCOMP_SET_MODE_FILTER)
		show_flags(p, value, data);
	else
		show_hex(p, value, data);
}

static const struct call_form prctl_forms[] = {
	{ .name = "prctl",
	  .classes = CREDS,
	  .prototype = "int option, unsigned long arg2, unsigned long arg3, "
		       "unsigned long arg4, unsigned long arg5",
	  .args = { [0] = ENUM(prctl_options),
		    [1] = SHOW(show_prctl_arg2),
		    [2] = SHOW(show_prctl_arg3),
		    [3] = SHOW(show_prctl_arg4),
		    [4] = SHOW(show_prctl_arg5) },
	  .count = prctl_count,
	  .result = prctl_result },
	{ .name = "arch_prctl",
	  .prototype = "int option, unsigned long arg2",
	  .args = { [0] = ENUM(arch_prctl_options), [1] = SHOW(show_arch_prctl_arg) },
	  .count = arch_prctl_count },
	{ .name = "seccomp",
	  .prototype = "unsigned int op, unsigned int flags, void * uargs",
	  .args = { [0] = ENUM(seccomp_operations),
		    [1] = SHOW_WITH(show_seccomp_flags, &seccomp_filter_flags),
		    [2] = SHOW(show_seccomp_arg) } },
};

CALL_FAMILY(prctl);
