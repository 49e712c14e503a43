/* ptrace(2). */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/elf.h>
#include <linux/ptrace.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/user.h>

#define PEEK_TEXT 1
#define PEEK_DATA 2
#define PEEK_USER 3
#define POKE_USER 6
#define CONT 7
#define SINGLESTEP 9
#define GETREGS 12
#define SETREGS 13
#define GETFPREGS 14
#define SETFPREGS 15
#define ATTACH 16
#define DETACH 17
#define SYSCALL 24

static unsigned ptrace_count(const struct call *call)
{
	switch (call->args[0]) {
	case 0: /* TRACEME */
		return 1;
	case 8: /* KILL */
	case ATTACH:
	case PTRACE_LISTEN:
	case PTRACE_INTERRUPT:
		return 2;
	case PEEK_TEXT:
	case PEEK_DATA:
	case PEEK_USER:
		return 4;
	default:
		return 4;
	}
}

/* Hide the address for requests whose only argument after the pid is a struct. */
static uint8_t ptrace_hidden(const struct call *call)
{
	switch (call->args[0]) {
	case 12:
	case 13:
	case 14:
	case 15:
	case 18:
	case 19:
		return 1 << 2;
	default:
		return 0;
	}
}

static void show_pid_arg(struct printer *p, uint64_t value, const void *data)
{
	show_int(p, value, data);
}

static void show_user_offset(struct printer *p, uint64_t value)
{
#define AT(member) offsetof(struct user, member), "offsetof(struct user, " #member ")"
	static const struct {
		uint16_t offset;
		const char *name;
	} members[] = {
		{ 0, "8*R15" },   { 8, "8*R14" },       { 16, "8*R13" },      { 24, "8*R12" },
		{ 32, "8*RBP" },  { 40, "8*RBX" },      { 48, "8*R11" },      { 56, "8*R10" },
		{ 64, "8*R9" },   { 72, "8*R8" },       { 80, "8*RAX" },      { 88, "8*RCX" },
		{ 96, "8*RDX" },  { 104, "8*RSI" },     { 112, "8*RDI" },     { 120, "8*ORIG_RAX" },
		{ 128, "8*RIP" }, { 136, "8*CS" },      { 144, "8*EFL" },     { 152, "8*RSP" },
		{ 160, "8*SS" },  { 168, "8*FS_BASE" }, { 176, "8*GS_BASE" }, { 184, "8*DS" },
		{ 192, "8*ES" },  { 200, "8*FS" },      { 208, "8*GS" },      { AT(u_fpvalid) },
		{ AT(i387) },     { AT(u_tsize) },
	};
#undef AT
	size_t i = sizeof(members) / sizeof(members[0]) - 1;

	if (value < offsetof(struct user, u_dsize)) {
		while (members[i].offset > value)
			i--;
		str_add(p->out, members[i].name);
		if (value > members[i].offset)
			str_addf(p->out, "+%u", (unsigned)(value - members[i].offset));
	} else if (value >= offsetof(struct user, u_debugreg) && value < sizeof(struct user) &&
		   value % 8 == 0) {
		str_addf(p->out, "offsetof(struct user, u_debugreg) + %llu",
			 (unsigned long long)(value - offsetof(struct user, u_debugreg)));
	} else {
		show_address(p, value, NULL);
	}
}

LAYOUT(peek_layout, struct ptrace_peeksiginfo_args,
       MEMBER(struct ptrace_peeksiginfo_args, off, show_ulong),
       MEMBER_FLAGS(struct ptrace_peeksiginfo_args, flags, ptrace_peek_flags),
       MEMBER(struct ptrace_peeksiginfo_args, nr, show_int));

static void show_ptrace_address(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	switch ((uint32_t)p->call->args[0]) {
	case PEEK_USER:
	case POKE_USER:
		show_user_offset(p, value);
		break;
	case PTRACE_GETREGSET:
	case PTRACE_SETREGSET:
		show_enum(p, value, &nt_types);
		break;
	case PTRACE_SECCOMP_GET_FILTER:
	case PTRACE_SECCOMP_GET_METADATA:
	case PTRACE_GETSIGMASK:
	case PTRACE_SETSIGMASK:
	case PTRACE_GET_SYSCALL_INFO:
		str_addu(p->out, value);
		break;
	case PTRACE_PEEKSIGINFO:
		show_struct(p, value, &peek_layout);
		break;
	default:
		show_pointer(p, value, NULL);
		break;
	}
}

#ifdef __x86_64__
#define REGISTER(name) MEMBER(struct user_regs_struct, name, show_hex_long)

/* clang-format off */
LAYOUT(registers_layout, struct user_regs_struct,
	REGISTER(r15), REGISTER(r14), REGISTER(r13), REGISTER(r12), REGISTER(rbp), REGISTER(rbx),
	REGISTER(r11), REGISTER(r10), REGISTER(r9), REGISTER(r8), REGISTER(rax), REGISTER(rcx),
	REGISTER(rdx), REGISTER(rsi), REGISTER(rdi), REGISTER(orig_rax), REGISTER(rip),
	REGISTER(cs), REGISTER(eflags), REGISTER(rsp), REGISTER(ss), REGISTER(fs_base),
	REGISTER(gs_base), REGISTER(ds),
	REGISTER(es), REGISTER(fs), REGISTER(gs));
/* clang-format on */

static void print_words(struct printer *p, const void *element, const void *data)
{
	const uint32_t *words = element;
	const size_t *count = data;

	PUT(p, "[");
	for (size_t i = 0; i < *count; i++) {
		if (i)
			PUT(p, ", ");
		if (i == printer_items(p)) {
			PUT(p, "...");
			break;
		}
		str_addx(p->out, words[i]);
	}
	PUT(p, "]");
}

static const size_t st_words = 32, xmm_words = 64, padding_words = 24;
#define FLOATING(name) MEMBER(struct user_fpregs_struct, name, show_hex_long)
#define WORDS(name, count) MEMBER_PRINT(struct user_fpregs_struct, name, print_words, &(count))
LAYOUT(floats_layout, struct user_fpregs_struct, FLOATING(cwd), FLOATING(swd), FLOATING(ftw),
       FLOATING(fop), FLOATING(rip), FLOATING(rdp), FLOATING(mxcsr), FLOATING(mxcr_mask),
       WORDS(st_space, st_words), WORDS(xmm_space, xmm_words), WORDS(padding, padding_words));
#else
/* Other machines have no layouts here: their register sets are shown by address. */
static const struct layout registers_layout, floats_layout;
#endif

static const struct layout *registers_of(uint64_t request)
{
	switch (request) {
	case GETREGS:
	case SETREGS:
		return &registers_layout;
	case GETFPREGS:
	case SETFPREGS:
		return &floats_layout;
	default:
		return NULL;
	}
}

/* Show an iovec with the address and the size of a register set. */
static void show_register_set(struct printer *p, uint64_t value, bool known)
{
	const struct layout *layout = p->call->args[2] == NT_PRSTATUS  ? &registers_layout
				      : p->call->args[2] == NT_PRFPREG ? &floats_layout
								       : NULL;
	struct iovec set, after;

	if (!printer_read_enter(p, value, &set, sizeof(set))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{iov_base=");
	after = set;
	if (known && p->when == BYTES_AT_EXIT)
		printer_read(p, value, &after, sizeof(after));
	if (layout && layout->count && known && after.iov_len == layout->bytes)
		show_struct(p, (uintptr_t)set.iov_base, layout);
	else
		show_pointer(p, (uintptr_t)set.iov_base, NULL);
	PUT(p, ", iov_len=");
	str_addu(p->out, set.iov_len);
	if (after.iov_len != set.iov_len) {
		PUT(p, " => ");
		str_addu(p->out, after.iov_len);
	}
	PUT(p, "}");
}

static void show_ptrace_filled(struct printer *p, uint64_t value)
{
	siginfo_t info;
	uint64_t bits;

	if (!printer_succeeded(p)) {
		show_pointer(p, value, NULL);
		return;
	}
	p->when = BYTES_AT_EXIT;
	switch ((uint32_t)p->call->args[0]) {
	case GETREGS:
	case GETFPREGS:
		show_struct(p, value, registers_of(p->call->args[0]));
		break;
	case PTRACE_GETEVENTMSG:
		show_pointee(p, value, &ulong_pointee);
		break;
	case PTRACE_GETSIGINFO:
		if (printer_read(p, value, &info, sizeof(info)))
			element_siginfo(p, &info, NULL);
		else
			show_pointer(p, value, NULL);
		break;
	case PTRACE_GETSIGMASK:
		if (p->call->args[2] == 8 && printer_read(p, value, &bits, sizeof(bits)))
			print_sigset(p, bits);
		else
			show_pointer(p, value, NULL);
		break;
	default:
		show_pointee(p, value, &hex_pointee);
		break;
	}
}

static void show_ptrace_data(struct printer *p, uint64_t value, const void *data)
{
	uint64_t bits;

	(void)data;
	switch ((uint32_t)p->call->args[0]) {
	case PEEK_TEXT:
	case PEEK_DATA:
	case PEEK_USER:
	case GETREGS:
	case GETFPREGS:
	case PTRACE_GETEVENTMSG:
	case PTRACE_GETSIGINFO:
	case PTRACE_GETSIGMASK:
		show_ptrace_filled(p, value);
		break;
	case SETREGS:
	case SETFPREGS:
		show_struct(p, value, registers_of(p->call->args[0]));
		break;
	case PTRACE_GETREGSET:
		p->when = printer_succeeded(p) ? BYTES_AT_EXIT : BYTES_AT_ENTER;
		show_register_set(p, value, printer_succeeded(p));
		break;
	case PTRACE_SETREGSET:
		show_register_set(p, value, true);
		break;
	case PTRACE_SETSIGMASK:
		if (p->call->args[2] == 8 && printer_read(p, value, &bits, sizeof(bits)))
			print_sigset(p, bits);
		else
			show_pointer(p, value, NULL);
		break;
	case CONT:
	case SINGLESTEP:
	case DETACH:
	case SYSCALL:
	case 31:
	case 32:
	case 33:
		show_signal(p, value, NULL);
		break;
	case PTRACE_SETOPTIONS:
	case PTRACE_SEIZE:
		show_flags_long(p, value, &ptrace_options);
		break;
	case PTRACE_SETSIGINFO:
		show_siginfo(p, value, NULL);
		break;
	default:
		show_pointer(p, value, NULL);
		break;
	}
}

static const struct call_form ptrace_forms[] = {
	{ .name = "ptrace",
	  .prototype = "long request, long pid, unsigned long addr, unsigned long data",
	  .args = { [0] = ENUM_LONG(ptrace_requests),
		    [1] = SHOW(show_pid_arg),
		    [2] = SHOW(show_ptrace_address),
		    [3] = SHOW(show_ptrace_data) },
	  .count = ptrace_count,
	  .hide = ptrace_hidden },
};

CALL_FAMILY(ptrace);
