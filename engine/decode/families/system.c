/* The whole machine: name, load, log, modules, reboot. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/kexec.h>
#include <linux/reboot.h>
#include <linux/sysinfo.h>
#include <linux/utsname.h>

static void show_utsname(struct printer *p, uint64_t value, const void *data)
{
	struct new_utsname name;

	(void)data;
	if (!printer_read(p, value, &name, sizeof(name))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{sysname=");
	print_char_array(p, name.sysname, sizeof(name.sysname));
	PUT(p, ", nodename=");
	print_char_array(p, name.nodename, sizeof(name.nodename));
	PUT(p, ", ...}");
}

/* clang-format off */
LAYOUT(sysinfo_layout, struct sysinfo,
	MEMBER(struct sysinfo, uptime, show_long),
	MEMBER_PRINT(struct sysinfo, loads, element_three_ulongs, NULL),
	MEMBER(struct sysinfo, totalram, show_ulong),
	MEMBER(struct sysinfo, freeram, show_ulong),
	MEMBER(struct sysinfo, sharedram, show_ulong),
	MEMBER(struct sysinfo, bufferram, show_ulong),
	MEMBER(struct sysinfo, totalswap, show_ulong),
	MEMBER(struct sysinfo, freeswap, show_ulong),
	MEMBER(struct sysinfo, procs, show_unsigned),
	MEMBER(struct sysinfo, totalhigh, show_ulong),
	MEMBER(struct sysinfo, freehigh, show_ulong),
	MEMBER(struct sysinfo, mem_unit, show_unsigned));
/* clang-format on */

static void show_log(struct printer *p, uint64_t value, const void *data)
{
	uint32_t action = (uint32_t)p->call->args[0];

	(void)data;
	if ((action == 2 || action == 3 || action == 4) && printer_succeeded(p)) {
		p->when = BYTES_AT_EXIT;
		print_buffer(p, value, (uint64_t)p->call->ret);
	} else {
		show_pointer(p, value, NULL);
	}
}

static void show_log_action(struct printer *p, uint64_t value, const void *data)
{
	const char *name = constants_name(data, (uint32_t)value);
	const struct constants *actions = data;

	str_addd(p->out, (int32_t)value);
	print_comment(p, name ? name : actions->unknown);
}

/* The actions that open, close and clear have neither a buffer nor a length. */
static unsigned log_count(const struct call *call)
{
	switch ((uint32_t)call->args[0]) {
	case 0:
	case 1:
	case 5:
	case 6:
	case 7:
	case 9:
	case 10:
		return 1;
	default:
		return 3;
	}
}

static void show_reboot_arg(struct printer *p, uint64_t value, const void *data)
{
	if ((uint32_t)p->call->args[2] == LINUX_REBOOT_CMD_RESTART2)
		show_string(p, value, data);
	else
		show_pointer(p, value, NULL);
}

static unsigned reboot_count(const struct call *call)
{
	return (uint32_t)call->args[2] == LINUX_REBOOT_CMD_RESTART2 ? 4 : 3;
}

static void show_sized_name(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_buffer(p, value, (uint32_t)p->call->args[1]);
}

/* Random bytes are shown as hex, even if they are printable. */
static void show_random(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_hex_buffer(p, value, (uint64_t)p->call->ret);
}

static void show_command_line(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_buffer(p, value, p->call->args[2]);
}

#define SEGMENTS_MAX 16 /* KEXEC_SEGMENT_MAX of the kernel, missing in the UAPI headers */

LAYOUT(kexec_segment_layout, struct kexec_segment, MEMBER(struct kexec_segment, buf, show_pointer),
       MEMBER(struct kexec_segment, bufsz, show_ulong),
       MEMBER(struct kexec_segment, mem, show_pointer),
       MEMBER(struct kexec_segment, memsz, show_ulong));

static void show_kexec_segments(struct printer *p, uint64_t value, const void *data)
{
	uint64_t count = p->call->args[1];

	(void)data;
	if (count > SEGMENTS_MAX)
		show_pointer(p, value, NULL);
	else
		print_array(p, value, count, sizeof(struct kexec_segment), element_struct,
			    &kexec_segment_layout);
}

static void show_kexec_flags(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_enum(p, value & KEXEC_ARCH_MASK, &kexec_machines);
	if (value & ~(uint64_t)KEXEC_ARCH_MASK) {
		PUT(p, "|");
		show_flags_long(p, value & ~(uint64_t)KEXEC_ARCH_MASK, &kexec_flags);
	}
}

/* clang-format off */
static const struct call_form system_forms[] = {
	{ .name = "uname",
	  .prototype = "struct new_utsname * name",
	  .args = { [0] = SHOW_OUT(show_utsname) } },
	{ .name = "sysinfo",
	  .prototype = "struct sysinfo * info",
	  .args = { [0] = OUT(sysinfo_layout) } },
	{ .name = "syslog",
	  .prototype = "int type, char * buf, int len",
	  .args = { [0] = SHOW_WITH(show_log_action, &syslog_actions), [1] = SHOW(show_log) },
	  .count = log_count },
	{ .name = "sethostname",
	  .prototype = "char * name, int len",
	  .args = { [1] = SHOW(show_unsigned), [0] = SHOW(show_sized_name) } },
	{ .name = "setdomainname",
	  .prototype = "char * name, int len",
	  .args = { [1] = SHOW(show_unsigned), [0] = SHOW(show_sized_name) } },
	{ .name = "reboot",
	  .prototype = "int magic1, int magic2, unsigned int cmd, void * arg",
	  .args = { [0] = ENUM(reboot_magics1), [1] = ENUM(reboot_magics2),
		    [2] = ENUM(reboot_commands), [3] = SHOW(show_reboot_arg) },
	  .count = reboot_count },
	{ .name = "getrandom",
	  .prototype = "char * ubuf, size_t len, unsigned int flags",
	  .args = { [0] = SHOW_OUT(show_random), [2] = FLAGS(getrandom_flags) } },
	{ .name = "init_module",
	  .prototype = "void * umod, unsigned long len, const char * uargs",
	  .args = { [2] = SHOW(show_string) } },
	{ .name = "finit_module", .classes = DESC,
	  .prototype = "int fd, const char * uargs, int flags",
	  .args = { [1] = SHOW(show_string), [2] = FLAGS(module_init_flags) } },
	{ .name = "delete_module",
	  .prototype = "const char * name_user, unsigned int flags",
	  .args = { [0] = SHOW(show_string), [1] = FLAGS(delete_module_flags) } },
	{ .name = "kexec_load",
	  .prototype = "unsigned long entry, unsigned long nr_segments, "
		       "struct kexec_segment * segments, unsigned long flags",
	  .args = { [0] = SHOW(show_pointer), [2] = SHOW(show_kexec_segments),
		    [3] = SHOW(show_kexec_flags) } },
	{ .name = "kexec_file_load", .classes = DESC,
	  .prototype = "int kernel_fd, int initrd_fd, unsigned long cmdline_len, "
		       "const char * cmdline_ptr, unsigned long flags",
	  .args = { [3] = SHOW(show_command_line), [4] = FLAGS_LONG(kexec_file_flags) } },
	{ .name = "lookup_dcookie",
	  .prototype = "u64 cookie64, char * buf, size_t len",
	  .args = { [0] = SHOW(show_ulong) } },
	{ .name = "_sysctl",
	  .prototype = "struct __sysctl_args * args",
	  .args = { [0] = SHOW(show_pointer) } },
	{ .name = "uselib", .classes = FILE_,
	  .prototype = "const char * library" },
	{ .name = "create_module",
	  .arguments = 2 },
	{ .name = "get_kernel_syms",
	  .arguments = 1 },
	{ .name = "query_module",
	  .arguments = 5 },
	{ .name = "nfsservctl",
	  .arguments = 3 },
	{ .name = "afs_syscall",
	  .arguments = 5 },
	{ .name = "tuxcall",
	  .arguments = 3 },
	{ .name = "security",
	  .arguments = 3 },
	{ .name = "vserver",
	  .arguments = 5 },
	{ .name = "lsm_get_self_attr",
	  .prototype = "unsigned int attr, struct lsm_ctx * ctx, u32 * size, u32 flags" },
	{ .name = "lsm_set_self_attr",
	  .prototype = "unsigned int attr, struct lsm_ctx * ctx, u32 size, u32 flags" },
	{ .name = "lsm_list_modules",
	  .prototype = "u64 * ids, u32 * size, u32 flags" },
};
/* clang-format on */

CALL_FAMILY(system);
