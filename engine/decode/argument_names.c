#include "engine/decode/argument_names.h"

#include "engine/decode/form.h"
#include "engine/decode/ioctl_codes.h"
#include "engine/decode/tables.h"

#include <string.h>

#define TABLES 9

/* clang-format off */
CONSTANTS(signal_numbers, "linux/signal.h", NULL,
	{ "SIGHUP", 1 }, { "SIGINT", 2 }, { "SIGQUIT", 3 }, { "SIGILL", 4 }, { "SIGTRAP", 5 },
	{ "SIGABRT", 6 }, { "SIGBUS", 7 }, { "SIGFPE", 8 }, { "SIGKILL", 9 },
	{ "SIGUSR1", 10 }, { "SIGSEGV", 11 }, { "SIGUSR2", 12 }, { "SIGPIPE", 13 },
	{ "SIGALRM", 14 }, { "SIGTERM", 15 }, { "SIGSTKFLT", 16 }, { "SIGCHLD", 17 },
	{ "SIGCONT", 18 }, { "SIGSTOP", 19 }, { "SIGTSTP", 20 }, { "SIGTTIN", 21 },
	{ "SIGTTOU", 22 }, { "SIGURG", 23 }, { "SIGXCPU", 24 }, { "SIGXFSZ", 25 },
	{ "SIGVTALRM", 26 }, { "SIGPROF", 27 }, { "SIGWINCH", 28 }, { "SIGIO", 29 },
	{ "SIGPWR", 30 }, { "SIGSYS", 31 }, { "SIGRTMIN", 32 },
	{ "SIGRT_1", 33 }, { "SIGRT_2", 34 }, { "SIGRT_3", 35 }, { "SIGRT_4", 36 },
	{ "SIGRT_5", 37 }, { "SIGRT_6", 38 }, { "SIGRT_7", 39 }, { "SIGRT_8", 40 },
	{ "SIGRT_9", 41 }, { "SIGRT_10", 42 }, { "SIGRT_11", 43 }, { "SIGRT_12", 44 },
	{ "SIGRT_13", 45 }, { "SIGRT_14", 46 }, { "SIGRT_15", 47 }, { "SIGRT_16", 48 },
	{ "SIGRT_17", 49 }, { "SIGRT_18", 50 }, { "SIGRT_19", 51 }, { "SIGRT_20", 52 },
	{ "SIGRT_21", 53 }, { "SIGRT_22", 54 }, { "SIGRT_23", 55 }, { "SIGRT_24", 56 },
	{ "SIGRT_25", 57 }, { "SIGRT_26", 58 }, { "SIGRT_27", 59 }, { "SIGRT_28", 60 },
	{ "SIGRT_29", 61 }, { "SIGRT_30", 62 }, { "SIGRT_31", 63 }, { "SIGRT_32", 64 });
/* clang-format on */

CONSTANTS(directory_numbers, "linux/fcntl.h", NULL, { "AT_FDCWD", (uint64_t)-100 });

/* clang-format off */
CONSTANTS(futex_private_operations, "linux/futex.h", NULL,
	{ "FUTEX_WAIT_PRIVATE", 128 },
	{ "FUTEX_WAKE_PRIVATE", 129 },
	{ "FUTEX_REQUEUE_PRIVATE", 131 },
	{ "FUTEX_CMP_REQUEUE_PRIVATE", 132 },
	{ "FUTEX_WAKE_OP_PRIVATE", 133 },
	{ "FUTEX_LOCK_PI_PRIVATE", 134 },
	{ "FUTEX_UNLOCK_PI_PRIVATE", 135 },
	{ "FUTEX_TRYLOCK_PI_PRIVATE", 136 },
	{ "FUTEX_WAIT_BITSET_PRIVATE", 137 },
	{ "FUTEX_WAKE_BITSET_PRIVATE", 138 },
	{ "FUTEX_WAIT_REQUEUE_PI_PRIVATE", 139 },
	{ "FUTEX_CMP_REQUEUE_PI_PRIVATE", 140 },
	{ "FUTEX_LOCK_PI2_PRIVATE", 141 });
/* clang-format on */

CONSTANTS(futex_flags, "linux/futex.h", NULL, { "FUTEX_PRIVATE_FLAG", 128 },
	  { "FUTEX_CLOCK_REALTIME", 256 });

CONSTANTS(ipc_keys, "linux/ipc.h", NULL, { "IPC_PRIVATE", 0 });

CONSTANTS(ipc_versions, "linux/ipc.h", NULL, { "IPC_64", 0x100 });

CONSTANTS(access_mode_mask, "linux/fcntl.h", NULL, { "O_ACCMODE", 3 });

#define SOCKET_OPTIONS \
	&socket_options, &ip_options, &ipv6_options, &tcp_options, &udp_options, &raw_options, \
		&packet_options, &netlink_options

/* Constants that show functions of families/ use; .call NULL: any call with such an argument. */
static const struct {
	const char *call, *argument;
	const struct constants *tables[TABLES];
	uint64_t choice;
} shown_by_functions[] = {
	{ "open", "flags", { &open_access_modes, &open_flags, &access_mode_mask }, 0 },
	{ "openat", "flags", { &open_access_modes, &open_flags, &access_mode_mask }, 0 },
	{ "open_by_handle_at", "flags", { &open_access_modes, &open_flags, &access_mode_mask }, 0 },
	{ "mq_open", "oflag", { &open_access_modes, &open_flags, &access_mode_mask }, 0 },
	{ "fanotify_init", "flags", { &fanotify_classes, &fanotify_init_flags }, 0 },
	{ "fanotify_init",
	  "event_f_flags",
	  { &open_access_modes, &open_flags, &access_mode_mask },
	  0 },
	{ "futex", "op", { &futex_operations, &futex_private_operations, &futex_flags }, 0x7f },
	{ "futex_wait", "flags", { &futex2_flags, &futex2_sizes }, 0 },
	{ "futex_wake", "flags", { &futex2_flags, &futex2_sizes }, 0 },
	{ "socket", "type", { &socket_types, &socket_flags }, 0xf },
	{ "socketpair", "type", { &socket_types, &socket_flags }, 0xf },
	{ "socket", "protocol", { &inet_protocols, &netlink_protocols, &ethernet_protocols }, 0 },
	{ "mmap", "flags", { &mmap_types, &mmap_flags }, 0 },
	{ "remap_file_pages", "flags", { &mmap_types, &mmap_flags }, 0 },
	{ "clone", "clone_flags", { &clone_flags, &signal_numbers }, 0 },
	{ "memfd_create", "flags", { &memfd_flags }, 0 },
	{ "personality", "personality", { &personalities, &personality_flags }, 0xff },
	{ "statx", "flags", { &at_statx_sync_types, &at_flags }, 0 },
	{ "set_mempolicy", "mode", { &mempolicy_modes, &mempolicy_mode_flags }, 0x3f },
	{ "mbind", "mode", { &mempolicy_modes, &mempolicy_mode_flags }, 0x3f },
	{ "sched_setscheduler", "policy", { &sched_policies }, 0xffff },
	{ "kexec_load", "flags", { &kexec_flags, &kexec_machines }, 0 },
	{ "fsmount", "attr_flags", { &mount_attributes, &mount_atimes }, 0 },
	{ "ioprio_set", "ioprio", { &ioprio_classes }, 0 },
	{ "mount", "flags", { &mount_flags }, 0 },
	{ "swapon", "swap_flags", { &swap_flags }, 0 },
	{ "seccomp", "flags", { &seccomp_filter_flags }, 0 },
	{ "syslog", "type", { &syslog_actions }, 0 },
	{ "shmget", "shmflg", { &shm_get_flags }, 0 },
	{ "semget", "semflg", { &ipc_get_flags }, 0 },
	{ "msgget", "msgflg", { &ipc_get_flags }, 0 },
	{ "shmctl", "cmd", { &shm_controls, &ipc_versions }, 0xff },
	{ "semctl", "cmd", { &sem_controls, &ipc_versions }, 0xff },
	{ "msgctl", "cmd", { &msg_controls, &ipc_versions }, 0xff },
	{ "setsockopt", "optname", { SOCKET_OPTIONS }, 0 },
	{ "getsockopt", "optname", { SOCKET_OPTIONS }, 0 },
	{ "mknod", "mode", { &file_types, &file_mode_bits }, 0xf000 },
	{ "mknodat", "mode", { &file_types, &file_mode_bits }, 0xf000 },
	{ NULL, "key", { &ipc_keys }, 0 },
	{ NULL, "which_clock", { &clocks }, 0 },
	{ NULL, "clockid", { &clocks }, 0 },
};

static const struct ioctl_codes *const requests[] = {
	&ioctl_terminal_codes, &ioctl_block_codes,   &ioctl_file_codes,
	&ioctl_net_codes,      &ioctl_input_codes,   &ioctl_sound_codes,
	&ioctl_video_codes,    &ioctl_virtual_codes, &ioctl_device_codes,
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *argument_name(const struct syscalls *syscalls, uint32_t nr, unsigned index)
{
	const struct syscall_info *info = syscalls_info(syscalls, nr);

	return syscalls_exists(syscalls, nr) && info->known_args && index < info->arg_count
		       ? info->args[index].name
		       : NULL;
}

static bool is_signed_kind(uint8_t kind)
{
	return kind == ARG_INT || kind == ARG_FD || kind == ARG_DIR_FD || kind == ARG_PID ||
	       kind == ARG_SIGNAL;
}

/* True for a pointer to char or void: a filter compares text and bytes, but not whole structs. */
static bool is_of_bytes(const struct syscall_arg *arg)
{
	return arg->kind == ARG_POINTER && strchr(arg->type, '*') && !strchr(arg->type, '[') &&
	       (strstr(arg->type, "char") || strstr(arg->type, "void")) &&
	       strchr(arg->type, '*') == strrchr(arg->type, '*');
}

static size_t function_index(const char *call, const char *argument)
{
	for (size_t i = 0; i < COUNT(shown_by_functions); i++)
		if ((!shown_by_functions[i].call || !strcmp(shown_by_functions[i].call, call)) &&
		    !strcmp(shown_by_functions[i].argument, argument))
			return i;
	return COUNT(shown_by_functions);
}

bool argument_find(const struct syscalls *syscalls, uint32_t nr, const char *name, size_t len,
		   struct argument *found)
{
	const struct syscall_info *info = syscalls_info(syscalls, nr);
	const char *known;

	for (unsigned i = 0; (known = argument_name(syscalls, nr, i)); i++) {
		const struct syscall_arg *arg = &info->args[i];
		size_t function;

		if (strlen(known) != len || memcmp(known, name, len))
			continue;
		function = function_index(info->name, known);
		*found = (struct argument){
			.index = (uint8_t)i,
			.bytes = arg->bytes,
			.is_signed = is_signed_kind(arg->kind),
			.ends = arg->kind == ARG_PATH || arg->kind == ARG_STRING,
			.choice = function < COUNT(shown_by_functions)
					  ? shown_by_functions[function].choice
					  : 0,
		};
		found->is_text = found->ends || is_of_bytes(arg);
		return true;
	}
	return false;
}

static const struct constants *constants_of_form(const struct arg_form *form)
{
	bool named = form->show == show_enum || form->show == show_enum_long ||
		     form->show == show_flags || form->show == show_flags_long;

	return named ? form->data : NULL;
}

/* Store the tables that name the values of an argument. Return their number. */
static unsigned tables_of(const struct syscall_info *info, unsigned arg,
			  const struct constants *tables[TABLES])
{
	const struct constants *own = info->form ? constants_of_form(&info->form->args[arg]) : NULL;
	unsigned count = 0;
	size_t function;

	if (!own && info->args[arg].kind == ARG_SIGNAL)
		own = &signal_numbers;
	if (!own && info->args[arg].kind == ARG_DIR_FD)
		own = &directory_numbers;
	if (own) {
		tables[0] = own;
		return 1;
	}
	function = function_index(info->name, info->args[arg].name);
	while (function < COUNT(shown_by_functions) && count < TABLES &&
	       shown_by_functions[function].tables[count]) {
		tables[count] = shown_by_functions[function].tables[count];
		count++;
	}
	return count;
}

static bool request_at(size_t index, const char **name, uint64_t *value)
{
	for (size_t i = 0; i < COUNT(requests); i++) {
		if (index < requests[i]->count) {
			*name = requests[i]->list[index].name;
			*value = requests[i]->list[index].code;
			return true;
		}
		index -= requests[i]->count;
	}
	return false;
}

bool argument_constant(const struct syscalls *syscalls, uint32_t nr, unsigned arg, size_t index,
		       const char **name, uint64_t *value)
{
	const struct syscall_info *info = syscalls_info(syscalls, nr);
	const struct constants *tables[TABLES];
	unsigned count;

	if (!argument_name(syscalls, nr, arg))
		return false;
	if (arg == 1 && !strcmp(info->name, "ioctl"))
		return request_at(index, name, value);
	count = tables_of(info, arg, tables);
	for (unsigned i = 0; i < count; i++) {
		if (index < tables[i]->count) {
			*name = tables[i]->list[index].name;
			*value = tables[i]->list[index].value;
			return true;
		}
		index -= tables[i]->count;
	}
	return false;
}
