/* Creating, ending and naming processes. */
#include "engine/decode/shapes.h"

#include "engine/decode/syscalls.h"
#include "engine/decode/tables.h"

#include <linux/sched.h>
#include <string.h>

#define SIGNAL_BITS 0xffu

/* CONFIG_CLONE_BACKWARDS swaps the last two arguments on some machines. */
#ifdef __x86_64__
#define CHILD_TID_ARG 3
#define TLS_ARG 4
#else
#define CHILD_TID_ARG 4
#define TLS_ARG 3
#endif

static void print_clone_flags(struct printer *p, uint64_t value)
{
	uint64_t flags = value & ~(uint64_t)SIGNAL_BITS;
	uint64_t signal = value & SIGNAL_BITS;

	if (flags)
		show_flags_long(p, flags, &clone_flags);
	if (flags && signal)
		PUT(p, "|");
	if (signal)
		show_signal(p, signal, NULL);
	else if (!flags)
		PUT(p, "0");
}

/* In the text of a whole call, name the arguments, because it omits unused ones. */
static void say_name(struct printer *p, const char *name)
{
	if (!p->alone)
		str_add(p->out, name);
}

static void show_clone_flags(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if (!p->alone) {
		PUT(p, "child_stack=");
		show_pointer(p, p->call->args[1], NULL);
		PUT(p, ", flags=");
	}
	print_clone_flags(p, value);
}

static bool clone_has_parent_tid(uint64_t flags)
{
	return flags & (CLONE_PARENT_SETTID | CLONE_PIDFD);
}

static void show_parent_tid(struct printer *p, uint64_t value, const void *data)
{
	int32_t tid;

	(void)data;
	say_name(p, "parent_tid=");
	p->when = BYTES_AT_EXIT;
	if (printer_succeeded(p) && printer_read(p, value, &tid, sizeof(tid))) {
		PUT(p, "[");
		str_addd(p->out, tid);
		PUT(p, "]");
	} else {
		show_pointer(p, value, NULL);
	}
}

static void show_child_tid(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	say_name(p, "child_tidptr=");
	show_pointer(p, value, NULL);
}

static void show_clone_tls(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	say_name(p, "tls=");
	show_pointer(p, value, NULL);
}

/* Return a mask of the arguments that clone() ignores. The text of the call hides them. */
static uint8_t clone_hidden(const struct call *call)
{
	uint64_t flags = call->args[0];
	uint8_t hidden = 0;

	if (!clone_has_parent_tid(flags))
		hidden |= 1 << 2;
	if (!(flags & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)))
		hidden |= 1 << CHILD_TID_ARG;
	if (!(flags & CLONE_SETTLS))
		hidden |= 1 << TLS_ARG;
	return hidden;
}

static const struct pointee fd_pointee = { 4, show_fd, NULL };

/* Print the values that the kernel stored through the pointers of the struct. */
static void print_clone3_results(struct printer *p, const struct clone_args *args)
{
	p->when = BYTES_AT_EXIT;
	PUT(p, " => {");
	if (args->flags & CLONE_PIDFD) {
		PUT(p, "pidfd=");
		show_pointee(p, args->pidfd, &fd_pointee);
	}
	if (args->flags & CLONE_PARENT_SETTID) {
		str_add(p->out, args->flags & CLONE_PIDFD ? ", parent_tid=" : "parent_tid=");
		show_pointee(p, args->parent_tid, &int_pointee);
	}
	PUT(p, "}");
}

/* Show struct clone_args without the members whose flag is not set. */
static void show_clone_args(struct printer *p, uint64_t value, const void *data)
{
	uint64_t size = p->call->args[1];
	struct clone_args args;
	size_t known = size < sizeof(args) ? (size_t)size : sizeof(args);

	(void)data;
	memset(&args, 0, sizeof(args));
	if (size < CLONE_ARGS_SIZE_VER0 || !printer_read(p, value, &args, known)) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{flags=");
	show_flags_long(p, args.flags, &clone3_flags);
	if (args.flags & CLONE_PIDFD) {
		PUT(p, ", pidfd=");
		show_pointer(p, args.pidfd, NULL);
	}
	if (args.flags & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)) {
		PUT(p, ", child_tid=");
		show_pointer(p, args.child_tid, NULL);
	}
	if (args.flags & CLONE_PARENT_SETTID) {
		PUT(p, ", parent_tid=");
		show_pointer(p, args.parent_tid, NULL);
	}
	PUT(p, ", exit_signal=");
	if (args.exit_signal < 65)
		show_signal(p, args.exit_signal, NULL);
	else
		str_addu(p->out, args.exit_signal);
	PUT(p, ", stack=");
	show_pointer(p, args.stack, NULL);
	PUT(p, ", stack_size=");
	show_hex_long(p, args.stack_size, NULL);
	if (args.flags & CLONE_SETTLS) {
		PUT(p, ", tls=");
		show_pointer(p, args.tls, NULL);
	}
	if (args.set_tid || args.set_tid_size) {
		PUT(p, ", set_tid=");
		if (args.set_tid_size && args.set_tid_size <= 32)
			print_array(p, args.set_tid, args.set_tid_size, 4, element_int, NULL);
		else
			show_pointer(p, args.set_tid, NULL);
		PUT(p, ", set_tid_size=");
		str_addu(p->out, args.set_tid_size);
	}
	if (size >= CLONE_ARGS_SIZE_VER2 && (args.flags & CLONE_INTO_CGROUP || args.cgroup)) {
		PUT(p, ", cgroup=");
		str_addu(p->out, args.cgroup);
	}
	if (size > sizeof(args))
		print_struct_rest(p, value, sizeof(args), size);
	PUT(p, "}");
	if (!printer_succeeded(p) || !(args.flags & (CLONE_PIDFD | CLONE_PARENT_SETTID)))
		return;
	print_clone3_results(p, &args);
}

static void show_string_array(struct printer *p, uint64_t value, const void *data)
{
	uint64_t pointer;

	(void)data;
	if (!value || !printer_read(p, value, &pointer, sizeof(pointer))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "[");
	for (unsigned i = 0; pointer; i++) {
		if (i)
			PUT(p, ", ");
		if (i == printer_items(p)) {
			PUT(p, "...");
			break;
		}
		show_string(p, pointer, NULL);
		if (!printer_read(p, value + (i + 1) * sizeof(pointer), &pointer,
				  sizeof(pointer))) {
			PUT(p, ", ...");
			break;
		}
	}
	PUT(p, "]");
}

#define ENVIRONMENT_MAX 65536 /* maximum number of variables that are counted */

static void show_environment(struct printer *p, uint64_t value, const void *data)
{
	uint64_t pointers[64];
	unsigned count = 0;
	bool cut = false, ended = false;

	(void)data;
	if (!value || !p->bytes) {
		show_pointer(p, value, NULL);
		return;
	}
	while (!ended && count < ENVIRONMENT_MAX) {
		size_t len = printer_read_some(p, value + count * 8, pointers, sizeof(pointers),
					       false, &cut);

		for (size_t i = 0; i < len / 8 && !ended; i++) {
			ended = !pointers[i];
			count += !ended;
		}
		if (len < sizeof(pointers))
			break;
	}
	show_pointer(p, value, NULL);
	if (!count && !ended)
		return;
	PUT(p, " /* ");
	str_addu(p->out, count);
	str_add(p->out, count == 1 ? " var" : " vars");
	if (!ended)
		PUT(p, ", unterminated");
	PUT(p, " */");
}

static void show_personality(struct printer *p, uint64_t value, const void *data)
{
	uint32_t bits = (uint32_t)value;

	(void)data;
	if (bits == UINT32_MAX) {
		PUT(p, "0xffffffff");
		return;
	}
	print_enum(p, bits & 0xff, &personalities);
	if (bits & ~0xffu)
		print_more_flags(p, bits & ~0xffu, &personality_flags);
}

static void personality_result(struct printer *p)
{
	uint32_t bits = (uint32_t)p->call->ret;

	str_addx(p->out, bits);
	PUT(p, " (");
	show_personality(p, bits, NULL);
	PUT(p, ")");
}

/* Show, as a number, a descriptor of the process to which a pidfd refers. */
static void show_other_fd(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addd(p->out, (int32_t)value);
}

static unsigned kcmp_count(const struct call *call)
{
	uint32_t type = (uint32_t)call->args[2];

	return type == 0 || type == 7 ? 5 : type < 7 ? 3 : 5;
}

/* Show a descriptor of the process `pid`, with its name only if `pid` is the caller. */
static void show_fd_of(struct printer *p, uint32_t pid, uint64_t value)
{
	if (pid == p->call->pid)
		show_fd(p, value, NULL);
	else
		str_addd(p->out, (int32_t)value);
}

struct epoll_slot {
	uint32_t efd, tfd, toff;
};

static void show_slot_fd(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	show_fd_of(p, (uint32_t)p->call->args[1], value);
}

LAYOUT(epoll_slot_layout, struct epoll_slot, MEMBER(struct epoll_slot, efd, show_slot_fd),
       MEMBER(struct epoll_slot, tfd, show_slot_fd),
       MEMBER(struct epoll_slot, toff, show_unsigned));

static void show_kcmp_index(struct printer *p, uint64_t value, const void *data)
{
	uint32_t type = (uint32_t)p->call->args[2];

	(void)data;
	if (type == 7 && p->arg == 4)
		show_struct(p, value, &epoll_slot_layout);
	else if (type == 0 || type == 7)
		show_fd_of(p, (uint32_t)p->call->args[p->arg == 4], value);
	else
		show_address(p, value, NULL);
}

static void show_groups(struct printer *p, uint64_t value, const void *data)
{
	int32_t count = (int32_t)p->call->args[0];

	(void)data;
	if (count < 0 || count > 65536)
		show_pointer(p, value, NULL);
	else
		print_array(p, value, (uint32_t)count, 4, element_unsigned, NULL);
}

static void show_got_groups(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if (!(int32_t)p->call->args[0] && p->call->ret)
		show_pointer(p, value, NULL);
	else
		print_array(p, value, (uint64_t)p->call->ret, 4, element_unsigned, NULL);
}

static const struct pointee list_head_pointee = { 8, show_pointer, NULL };

/* struct user_desc of asm/ldt.h, which only x86 has. */
struct segment {
	uint32_t entry_number, base_addr, limit, flags;
};

static void show_segment(struct printer *p, uint64_t value, const void *data)
{
	struct segment segment;

	(void)data;
	if (!printer_read(p, value, &segment, sizeof(segment))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out,
		 "{entry_number=%d, base_addr=%#08x, limit=%#08x, seg_32bit=%u, contents=%u, "
		 "read_exec_only=%u, limit_in_pages=%u, seg_not_present=%u, useable=%u, lm=%u}",
		 (int)segment.entry_number, segment.base_addr, segment.limit, segment.flags & 1,
		 segment.flags >> 1 & 3, segment.flags >> 3 & 1, segment.flags >> 4 & 1,
		 segment.flags >> 5 & 1, segment.flags >> 6 & 1, segment.flags >> 7 & 1);
}

static void show_ldt_entry(struct printer *p, uint64_t value, const void *data)
{
	if (p->call->args[2] == sizeof(struct segment))
		show_segment(p, value, data);
	else
		show_pointer(p, value, NULL);
}

/* The kernel returns an int, so a negative error appears only in the low half. */
static void ldt_result(struct printer *p)
{
	int error = -(int32_t)p->call->ret;

	str_addu(p->out, (uint64_t)p->call->ret);
	if (p->call->ret > 0 && errno_name(error))
		str_addf(p->out, " %s (%s)", errno_name(error), errno_text(error));
}

/* clang-format off */
static const struct call_form process_forms[] = {
	{ .name = "fork", .classes = PROCESS,
	  .prototype = "" },
	{ .name = "vfork", .classes = PROCESS,
	  .prototype = "" },
	{ .name = "clone", .classes = PROCESS,
	  .prototype = "unsigned long clone_flags, unsigned long newsp, int * parent_tidptr, "
		       "int * child_tidptr, unsigned long tls",
	  .args = { [0] = SHOW(show_clone_flags), [2] = SHOW(show_parent_tid),
		    [CHILD_TID_ARG] = SHOW(show_child_tid), [TLS_ARG] = SHOW(show_clone_tls) },
	  .merged = 1 << 1, .hide = clone_hidden },
	{ .name = "clone3", .classes = PROCESS,
	  .prototype = "struct clone_args * uargs, size_t size",
	  .args = { [0] = SHOW(show_clone_args) } },
	{ .name = "execve", .classes = FILE_ | PROCESS,
	  .prototype = "const char * filename, const char *const * argv, "
		       "const char *const * envp",
	  .args = { [1] = SHOW(show_string_array), [2] = SHOW(show_environment) } },
	{ .name = "execveat", .classes = DESC | FILE_ | PROCESS,
	  .prototype = "int fd, const char * filename, const char *const * argv, "
		       "const char *const * envp, int flags",
	  .args = { [0] = SHOW(show_dir_fd), [2] = SHOW(show_string_array),
		    [3] = SHOW(show_environment), [4] = FLAGS(execveat_flags) } },
	{ .name = "exit", .classes = PROCESS,
	  .prototype = "int error_code",
	  .no_return = true },
	{ .name = "exit_group", .classes = PROCESS,
	  .prototype = "int error_code",
	  .no_return = true },
	{ .name = "getpid", .classes = PURE,
	  .prototype = "" },
	{ .name = "gettid", .classes = PURE,
	  .prototype = "" },
	{ .name = "getppid", .classes = PURE,
	  .prototype = "" },
	{ .name = "getpgrp", .classes = PURE,
	  .prototype = "" },
	{ .name = "getpgid",
	  .prototype = "pid_t pid" },
	{ .name = "setpgid",
	  .prototype = "pid_t pid, pid_t pgid" },
	{ .name = "getsid",
	  .prototype = "pid_t pid" },
	{ .name = "setsid",
	  .prototype = "" },
	{ .name = "getuid", .classes = CREDS | PURE,
	  .prototype = "" },
	{ .name = "geteuid", .classes = CREDS | PURE,
	  .prototype = "" },
	{ .name = "getgid", .classes = CREDS | PURE,
	  .prototype = "" },
	{ .name = "getegid", .classes = CREDS | PURE,
	  .prototype = "" },
	{ .name = "setuid", .classes = CREDS,
	  .prototype = "uid_t uid" },
	{ .name = "setgid", .classes = CREDS,
	  .prototype = "gid_t gid" },
	{ .name = "setreuid", .classes = CREDS,
	  .prototype = "uid_t ruid, uid_t euid" },
	{ .name = "setregid", .classes = CREDS,
	  .prototype = "gid_t rgid, gid_t egid" },
	{ .name = "setresuid", .classes = CREDS,
	  .prototype = "uid_t ruid, uid_t euid, uid_t suid" },
	{ .name = "setresgid", .classes = CREDS,
	  .prototype = "gid_t rgid, gid_t egid, gid_t sgid" },
	{ .name = "getresuid", .classes = CREDS,
	  .prototype = "uid_t * ruidp, uid_t * euidp, uid_t * suidp",
	  .args = { [0] = FILLS(id_pointee), [1] = FILLS(id_pointee), [2] = FILLS(id_pointee) } },
	{ .name = "getresgid", .classes = CREDS,
	  .prototype = "gid_t * rgidp, gid_t * egidp, gid_t * sgidp",
	  .args = { [0] = FILLS(id_pointee), [1] = FILLS(id_pointee), [2] = FILLS(id_pointee) } },
	{ .name = "setfsuid", .classes = CREDS,
	  .prototype = "uid_t uid" },
	{ .name = "setfsgid", .classes = CREDS,
	  .prototype = "gid_t gid" },
	{ .name = "getgroups", .classes = CREDS,
	  .prototype = "int gidsetsize, gid_t * grouplist",
	  .args = { [1] = SHOW_OUT(show_got_groups) } },
	{ .name = "setgroups", .classes = CREDS,
	  .prototype = "int gidsetsize, gid_t * grouplist",
	  .args = { [1] = SHOW(show_groups) } },
	{ .name = "set_tid_address",
	  .prototype = "int * tidptr" },
	{ .name = "set_robust_list",
	  .prototype = "struct robust_list_head * head, size_t len",
	  .args = { [0] = SHOW(show_pointer) } },
	{ .name = "get_robust_list",
	  .prototype = "int pid, struct robust_list_head * * head_ptr, size_t * len_ptr",
	  .args = { [1] = FILLS(list_head_pointee), [2] = FILLS(ulong_pointee) } },
	{ .name = "unshare",
	  .prototype = "unsigned long unshare_flags",
	  .args = { [0] = FLAGS_LONG(unshare_flags) } },
	{ .name = "setns", .classes = DESC,
	  .prototype = "int fd, int flags",
	  .args = { [1] = FLAGS(setns_types) } },
	{ .name = "personality",
	  .prototype = "unsigned int personality",
	  .args = { [0] = SHOW(show_personality) },
	  .result = personality_result },
	{ .name = "kcmp",
	  .prototype = "pid_t pid1, pid_t pid2, int type, unsigned long idx1, "
		       "unsigned long idx2",
	  .args = { [2] = ENUM(kcmp_types), [3] = SHOW(show_kcmp_index),
		    [4] = SHOW(show_kcmp_index) },
	  .count = kcmp_count },
	{ .name = "pidfd_open", .classes = DESC,
	  .prototype = "pid_t pid, unsigned int flags",
	  .args = { [1] = FLAGS(pidfd_open_flags) },
	  .result = result_fd },
	{ .name = "pidfd_getfd", .classes = DESC,
	  .prototype = "int pidfd, int fd, unsigned int flags",
	  .args = { [1] = SHOW(show_other_fd), [2] = SHOW(show_hex) },
	  .result = result_fd },
	{ .name = "modify_ldt",
	  .prototype = "int func, void * ptr, unsigned long bytecount",
	  .args = { [1] = SHOW(show_ldt_entry), [2] = SHOW(show_ulong) },
	  .result = ldt_result },
	{ .name = "set_thread_area",
	  .prototype = "struct user_desc * u_info",
	  .args = { [0] = SHOW(show_segment) } },
	{ .name = "get_thread_area",
	  .prototype = "struct user_desc * u_info",
	  .args = { [0] = SHOW_OUT(show_segment) } },
	{ .name = "iopl",
	  .prototype = "int level" },
	{ .name = "ioperm",
	  .prototype = "unsigned long from, unsigned long num, int turn_on" },
	{ .name = "vhangup",
	  .prototype = "" },
	{ .name = "uretprobe",
	  .prototype = "" },
	{ .name = "uprobe",
	  .prototype = "" },
};
/* clang-format on */

CALL_FAMILY(process);
