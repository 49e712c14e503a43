/* struct siginfo and struct sigevent: the members depend on the origin of the signal. */
#include "engine/decode/shapes.h"

#include "engine/decode/numbers.h"
#include "engine/decode/syscalls.h"
#include "engine/decode/tables.h"

#include <signal.h>
#include <string.h>

static const struct constants *codes_of(int signal)
{
	switch (signal) {
	case SIGFPE:
		return &si_fpe_codes;
	case SIGILL:
		return &si_ill_codes;
	case SIGSEGV:
		return &si_segv_codes;
	case SIGBUS:
		return &si_bus_codes;
	case SIGTRAP:
		return &si_trap_codes;
	case SIGCHLD:
		return &si_chld_codes;
	case SIGIO:
		return &si_poll_codes;
	case SIGSYS:
		return &si_sys_codes;
	default:
		return NULL;
	}
}

static void print_code(struct printer *p, int signal, int code)
{
	const struct constants *codes = codes_of(signal);
	const char *name = constants_name(&si_codes, (uint32_t)code);

	if (!name && codes)
		name = constants_name(codes, (uint32_t)code);
	if (name) {
		str_add(p->out, name);
		return;
	}
	str_addx(p->out, (uint32_t)code);
}

static void print_sigval(struct printer *p, uint64_t value)
{
	PUT(p, "{sival_int=");
	str_addd(p->out, (int32_t)value);
	PUT(p, ", sival_ptr=");
	show_pointer(p, value, NULL);
	PUT(p, "}");
}

static void print_value(struct printer *p, const siginfo_t *info)
{
	uint64_t value;

	memcpy(&value, &info->si_value, sizeof(value));
	if (!value && info->si_code != SI_TIMER)
		return;
	PUT(p, ", si_int=");
	str_addd(p->out, (int32_t)value);
	PUT(p, ", si_ptr=");
	show_pointer(p, value, NULL);
}

static void print_sender(struct printer *p, const siginfo_t *info)
{
	PUT(p, ", si_pid=");
	str_addd(p->out, info->si_pid);
	PUT(p, ", si_uid=");
	str_addu(p->out, info->si_uid);
}

static void print_child(struct printer *p, const siginfo_t *info)
{
	print_sender(p, info);
	PUT(p, ", si_status=");
	if (info->si_code == CLD_EXITED)
		str_addd(p->out, info->si_status);
	else
		show_signal(p, (uint32_t)info->si_status, NULL);
	PUT(p, ", si_utime=");
	show_ticks(p, (uint64_t)info->si_utime, NULL);
	PUT(p, ", si_stime=");
	show_ticks(p, (uint64_t)info->si_stime, NULL);
}

static void print_fault(struct printer *p, const siginfo_t *info)
{
	PUT(p, ", si_addr=");
	show_pointer(p, (uintptr_t)info->si_addr, NULL);
	if (info->si_signo == SIGSEGV && info->si_code == SEGV_BNDERR) {
		PUT(p, ", si_lower=");
		show_pointer(p, (uintptr_t)info->si_lower, NULL);
		PUT(p, ", si_upper=");
		show_pointer(p, (uintptr_t)info->si_upper, NULL);
	} else if (info->si_signo == SIGSEGV && info->si_code == SEGV_PKUERR) {
		PUT(p, ", si_pkey=");
		str_addu(p->out, info->si_pkey);
	} else if (info->si_signo == SIGBUS &&
		   (info->si_code == BUS_MCEERR_AR || info->si_code == BUS_MCEERR_AO)) {
		PUT(p, ", si_addr_lsb=");
		str_addx(p->out, (uint16_t)info->si_addr_lsb);
	}
}

static void print_band(struct printer *p, const siginfo_t *info)
{
	PUT(p, ", si_band=");
	str_addd(p->out, info->si_band);
	PUT(p, ", si_fd=");
	show_fd(p, (uint32_t)info->si_fd, NULL);
}

/* Print the refused call, by name if it was made through the ABI of this machine. */
static void print_refused_call(struct printer *p, const siginfo_t *info)
{
	const struct call_numbers *numbers = call_numbers_here();
	size_t nr = (uint32_t)info->si_syscall;

	PUT(p, ", si_call_addr=");
	show_pointer(p, (uintptr_t)info->si_call_addr, NULL);
	PUT(p, ", si_syscall=");
	if (info->si_arch == numbers->audit_machine && nr < numbers->count && numbers->names[nr])
		str_addf(p->out, "__NR_%s", numbers->names[nr]);
	else
		str_addd(p->out, info->si_syscall);
	PUT(p, ", si_arch=");
	print_enum(p, info->si_arch, &audit_machines);
}

static void print_kernel_info(struct printer *p, const siginfo_t *info)
{
	switch (info->si_signo) {
	case SIGCHLD:
		print_child(p, info);
		return;
	case SIGILL:
	case SIGFPE:
	case SIGSEGV:
	case SIGBUS:
	case SIGTRAP:
		print_fault(p, info);
		return;
	case SIGIO:
		if (info->si_code >= POLL_IN && info->si_code <= POLL_HUP)
			print_band(p, info);
		return;
	case SIGSYS:
		print_refused_call(p, info);
		return;
	default:
		if (info->si_pid || info->si_uid)
			print_sender(p, info);
		print_value(p, info);
	}
}

/* Print the members that a program, or the kernel on behalf of a program, filled in. */
static void print_user_info(struct printer *p, const siginfo_t *info)
{
	switch (info->si_code) {
	case SI_USER:
	case SI_TKILL:
		print_sender(p, info);
		break;
	case SI_TIMER:
		PUT(p, ", si_timerid=");
		str_addx(p->out, (uint32_t)info->si_timerid);
		PUT(p, ", si_overrun=");
		str_addd(p->out, info->si_overrun);
		print_value(p, info);
		break;
	case SI_SIGIO:
		print_band(p, info);
		break;
	default:
		print_sender(p, info);
		print_value(p, info);
		break;
	}
}

void element_siginfo(struct printer *p, const void *element, const void *data)
{
	siginfo_t info;

	(void)data;
	memcpy(&info, element, sizeof(info));
	if (!info.si_signo) {
		PUT(p, "{}");
		return;
	}
	PUT(p, "{si_signo=");
	show_signal(p, (uint32_t)info.si_signo, NULL);
	PUT(p, ", si_code=");
	print_code(p, info.si_signo, info.si_code);
	if (info.si_errno) {
		PUT(p, ", si_errno=");
		if (errno_name(info.si_errno))
			str_add(p->out, errno_name(info.si_errno));
		else
			str_addd(p->out, info.si_errno);
	}
	if (info.si_code > 0)
		print_kernel_info(p, &info);
	else
		print_user_info(p, &info);
	PUT(p, "}");
}

void show_siginfo(struct printer *p, uint64_t value, const void *data)
{
	siginfo_t info;

	if (printer_read(p, value, &info, sizeof(info)))
		element_siginfo(p, &info, data);
	else
		show_pointer(p, value, NULL);
}

struct kernel_sigevent {
	uint64_t value;
	int32_t signo, notify;
	uint32_t tid;
	uint32_t pad[11];
};

void show_sigevent(struct printer *p, uint64_t value, const void *data)
{
	struct kernel_sigevent event;

	(void)data;
	if (!printer_read(p, value, &event, sizeof(event))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{");
	if (event.value) {
		PUT(p, "sigev_value=");
		print_sigval(p, event.value);
		PUT(p, ", ");
	}
	PUT(p, "sigev_signo=");
	if (event.notify == SIGEV_SIGNAL || event.notify == SIGEV_THREAD_ID ||
	    event.notify == SIGEV_THREAD)
		show_signal(p, (uint32_t)event.signo, NULL);
	else
		str_addu(p->out, (uint32_t)event.signo);
	PUT(p, ", sigev_notify=");
	print_enum(p, (uint32_t)event.notify, &sigev_notifies);
	if (event.notify == SIGEV_THREAD_ID) {
		PUT(p, ", sigev_notify_thread_id=");
		str_addd(p->out, (int32_t)event.tid);
	} else if (event.notify == SIGEV_THREAD) {
		uint64_t pointers[2];

		memcpy(pointers, &event.tid, sizeof(pointers));
		PUT(p, ", sigev_notify_function=");
		show_pointer(p, pointers[0], NULL);
		PUT(p, ", sigev_notify_attributes=");
		show_pointer(p, pointers[1], NULL);
	}
	PUT(p, "}");
}
