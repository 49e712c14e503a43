/* Mounting, quotas, swapping. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/mount.h>
#include <linux/quota.h>
#include <string.h>

#define MAGIC 0xc0ed0000u
#define MAGIC_MASK 0xffff0000u
#define NO_DATA (MS_REMOUNT | MS_BIND | MS_MOVE | MS_SHARED | MS_SLAVE | MS_PRIVATE | MS_UNBINDABLE)

static void show_mount_flags(struct printer *p, uint64_t value, const void *data)
{
	uint64_t flags = value;

	if ((flags & MAGIC_MASK) == MAGIC) {
		PUT(p, "MS_MGC_VAL");
		flags &= ~(uint64_t)MAGIC_MASK;
		if (flags)
			print_more_flags(p, flags, data);
		return;
	}
	show_flags_long(p, flags, data);
}

static bool mount_needs_type(uint64_t flags)
{
	if ((flags & MAGIC_MASK) == MAGIC)
		flags &= ~(uint64_t)MAGIC_MASK;
	return !(flags & NO_DATA);
}

static void show_mount_source(struct printer *p, uint64_t value, const void *data)
{
	show_path(p, value, data);
}

static void show_mount_type(struct printer *p, uint64_t value, const void *data)
{
	if (mount_needs_type(p->call->args[3]))
		show_string(p, value, data);
	else
		show_pointer(p, value, data);
}

static void show_mount_data(struct printer *p, uint64_t value, const void *data)
{
	uint64_t flags = p->call->args[3];

	if ((flags & MAGIC_MASK) == MAGIC)
		flags &= ~(uint64_t)MAGIC_MASK;
	if (flags & (MS_BIND | MS_MOVE | MS_SHARED | MS_SLAVE | MS_PRIVATE | MS_UNBINDABLE))
		show_pointer(p, value, NULL);
	else
		show_string(p, value, data);
}

static void show_key(struct printer *p, uint64_t value, const void *data)
{
	if ((uint32_t)p->call->args[1] <= FSCONFIG_SET_FD)
		show_string(p, value, data);
	else
		show_pointer(p, value, data);
}

static void show_fsconfig_value(struct printer *p, uint64_t value, const void *data)
{
	switch ((uint32_t)p->call->args[1]) {
	case FSCONFIG_SET_STRING:
		show_string(p, value, data);
		break;
	case FSCONFIG_SET_PATH:
	case FSCONFIG_SET_PATH_EMPTY:
		show_path(p, value, data);
		break;
	case FSCONFIG_SET_BINARY:
		print_hex_buffer(p, value, (uint32_t)p->call->args[4]);
		break;
	default:
		show_pointer(p, value, NULL);
		break;
	}
}

static void show_fsconfig_aux(struct printer *p, uint64_t value, const void *data)
{
	switch ((uint32_t)p->call->args[1]) {
	case FSCONFIG_SET_PATH:
	case FSCONFIG_SET_PATH_EMPTY:
		show_dir_fd(p, value, data);
		break;
	case FSCONFIG_SET_FD:
		show_fd(p, value, data);
		break;
	default:
		show_int(p, value, data);
		break;
	}
}

#define ATIME_BITS 0x70u

static void show_mount_attributes(struct printer *p, uint64_t value, const void *data)
{
	uint64_t atime = value & ATIME_BITS; /* an enumeration, not flags */
	const char *name = atime ? constants_name(&mount_atimes, atime) : NULL;

	(void)data;
	if (name) {
		uint64_t rest = value & ~(uint64_t)ATIME_BITS;

		if (rest) {
			show_flags_long(p, rest, &mount_attributes);
			PUT(p, "|");
		}
		str_add(p->out, name);
	} else {
		show_flags_long(p, value, &mount_attributes);
	}
}

static void show_mount_attributes_int(struct printer *p, uint64_t value, const void *data)
{
	show_mount_attributes(p, (uint32_t)value, data);
}

static void show_mount_attr(struct printer *p, uint64_t value, const void *data)
{
	uint64_t size = p->call->args[4];
	struct mount_attr attr;

	(void)data;
	if (size < sizeof(attr) || !printer_read(p, value, &attr, sizeof(attr))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{attr_set=");
	show_flags_long(p, attr.attr_set, &mount_attributes);
	PUT(p, ", attr_clr=");
	show_flags_long(p, attr.attr_clr, &mount_attributes);
	PUT(p, ", propagation=");
	print_enum(p, attr.propagation, &mount_propagations);
	PUT(p, ", userns_fd=");
	/* userns_fd is wider than a descriptor. */
	if (attr.userns_fd > INT32_MAX)
		str_addu(p->out, attr.userns_fd);
	else
		show_fd(p, attr.userns_fd, NULL);
	print_struct_rest(p, value, sizeof(attr), size);
	PUT(p, "}");
}

static void show_swap_flags(struct printer *p, uint64_t value, const void *data)
{
	uint32_t flags = (uint32_t)value, priority = flags & 0x7fff;

	flags &= ~0x7fffu;
	if (flags) {
		show_flags(p, flags, data);
		PUT(p, "|");
	}
	str_addu(p->out, priority);
}

static void show_quota_command(struct printer *p, uint64_t value, const void *data)
{
	uint32_t command = (uint32_t)value;

	(void)data;
	PUT(p, "QCMD(");
	print_enum(p, command >> 8, &quota_commands);
	PUT(p, ", ");
	print_enum(p, command & 0xff, &quota_types);
	PUT(p, ")");
}

static uint32_t quota_command(const struct printer *p)
{
	/* quotactl_fd() has the descriptor first and the command second. */
	unsigned at = strcmp(p->form->name, "quotactl_fd") ? 0 : 1;

	return (uint32_t)p->call->args[at] >> 8;
}

static unsigned quota_count(uint64_t command)
{
	switch ((uint32_t)command >> 8) {
	case Q_SYNC:
	case Q_QUOTAOFF:
	case 0x5807: /* Q_XQUOTASYNC */
		return 2;
	default:
		return 4;
	}
}

/* Commands for the whole file system have no id argument. */
static uint8_t quota_hidden(uint64_t command)
{
	switch ((uint32_t)command >> 8) {
	case Q_GETFMT:
	case Q_GETINFO:
	case Q_SETINFO:
	case 0x5805: /* Q_XGETQSTAT */
		return 1 << 2;
	default:
		return 0;
	}
}

static unsigned quotactl_count(const struct call *call)
{
	return quota_count(call->args[0]);
}

static unsigned quotactl_fd_count(const struct call *call)
{
	return quota_count(call->args[1]);
}

static uint8_t quotactl_hidden(const struct call *call)
{
	return quota_hidden(call->args[0]);
}

static uint8_t quotactl_fd_hidden(const struct call *call)
{
	return quota_hidden(call->args[1]);
}

static void show_quota_id(struct printer *p, uint64_t value, const void *data)
{
	if (quota_command(p) == (uint32_t)Q_QUOTAON)
		show_enum(p, value, &quota_formats);
	else
		show_id(p, value, data);
}

/* clang-format off */
SHORT_LAYOUT(quota_layout, struct if_dqblk,
	MEMBER(struct if_dqblk, dqb_bhardlimit, show_ulong),
	MEMBER(struct if_dqblk, dqb_bsoftlimit, show_ulong),
	MEMBER(struct if_dqblk, dqb_curspace, show_ulong),
	MEMBER(struct if_dqblk, dqb_ihardlimit, show_ulong),
	MEMBER(struct if_dqblk, dqb_isoftlimit, show_ulong),
	MEMBER(struct if_dqblk, dqb_curinodes, show_ulong));
/* clang-format on */
LAYOUT(quota_info_layout, struct if_dqinfo, MEMBER(struct if_dqinfo, dqi_bgrace, show_ulong),
       MEMBER(struct if_dqinfo, dqi_igrace, show_ulong),
       MEMBER(struct if_dqinfo, dqi_flags, show_hex),
       MEMBER(struct if_dqinfo, dqi_valid, show_hex));

static const struct pointee format_pointee = { 4, show_enum, &quota_formats };

static void show_quota_address(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	switch (quota_command(p)) {
	case (uint32_t)Q_QUOTAON:
		show_path(p, value, NULL);
		break;
	case (uint32_t)Q_SETQUOTA:
		show_struct(p, value, &quota_layout);
		break;
	case (uint32_t)Q_SETINFO:
		show_struct(p, value, &quota_info_layout);
		break;
	case (uint32_t)Q_GETQUOTA:
	case (uint32_t)Q_GETINFO:
		p->when = BYTES_AT_EXIT;
		if (!printer_succeeded(p))
			show_pointer(p, value, NULL);
		else if (quota_command(p) == (uint32_t)Q_GETQUOTA)
			show_struct(p, value, &quota_layout);
		else
			show_struct(p, value, &quota_info_layout);
		break;
	case (uint32_t)Q_GETFMT:
		p->when = BYTES_AT_EXIT;
		if (printer_succeeded(p))
			show_pointee(p, value, &format_pointee);
		else
			show_pointer(p, value, NULL);
		break;
	default:
		show_pointer(p, value, NULL);
		break;
	}
}

/* clang-format off */
static const struct call_form mount_forms[] = {
	{ .name = "mount", .classes = FILE_,
	  .prototype = "char * dev_name, char * dir_name, char * type, unsigned long flags, "
		       "void * data",
	  .args = { [0] = SHOW(show_mount_source), [1] = SHOW(show_path),
		    [2] = SHOW(show_mount_type),
		    [3] = SHOW_WITH(show_mount_flags, &mount_flags),
		    [4] = SHOW(show_mount_data) } },
	{ .name = "umount2", .classes = FILE_,
	  .prototype = "char * name, int flags",
	  .args = { [0] = SHOW(show_path), [1] = FLAGS(umount_flags) } },
	{ .name = "open_tree", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, unsigned flags",
	  .args = { [2] = FLAGS(open_tree_flags) },
	  .result = result_fd },
	{ .name = "open_tree_attr", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, unsigned flags, "
		       "struct mount_attr * uattr, size_t usize",
	  .args = { [2] = FLAGS(open_tree_flags), [3] = SHOW(show_mount_attr) },
	  .result = result_fd },
	{ .name = "move_mount", .classes = DESC | FILE_,
	  .prototype = "int from_dfd, const char * from_pathname, int to_dfd, "
		       "const char * to_pathname, unsigned int flags",
	  .args = { [1] = SHOW(show_path), [3] = SHOW(show_path),
		    [4] = FLAGS(move_mount_flags) } },
	{ .name = "fsopen", .classes = DESC,
	  .prototype = "const char * _fs_name, unsigned int flags",
	  .args = { [0] = SHOW(show_string), [1] = FLAGS(fsopen_flags) },
	  .result = result_fd },
	{ .name = "fsconfig", .classes = DESC | FILE_,
	  .prototype = "int fd, unsigned int cmd, const char * _key, const void * _value, "
		       "int aux",
	  .args = { [1] = ENUM(fsconfig_commands), [2] = SHOW(show_key),
		    [3] = SHOW(show_fsconfig_value), [4] = SHOW(show_fsconfig_aux) } },
	{ .name = "fsmount", .classes = DESC,
	  .prototype = "int fs_fd, unsigned int flags, unsigned int attr_flags",
	  .args = { [1] = FLAGS(fsmount_flags), [2] = SHOW(show_mount_attributes_int) },
	  .result = result_fd },
	{ .name = "fspick", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * path, unsigned int flags",
	  .args = { [2] = FLAGS(fspick_flags) },
	  .result = result_fd },
	{ .name = "mount_setattr", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * path, unsigned int flags, "
		       "struct mount_attr * uattr, size_t usize",
	  .args = { [2] = FLAGS(mount_setattr_flags), [3] = SHOW(show_mount_attr) } },
	{ .name = "swapon", .classes = FILE_,
	  .prototype = "const char * specialfile, int swap_flags",
	  .args = { [1] = SHOW_WITH(show_swap_flags, &swap_flags) } },
	{ .name = "swapoff", .classes = FILE_,
	  .prototype = "const char * specialfile" },
	{ .name = "quotactl", .classes = FILE_,
	  .prototype = "unsigned int cmd, const char * special, qid_t id, void * addr",
	  .args = { [0] = SHOW(show_quota_command), [1] = SHOW(show_path),
		    [2] = SHOW(show_quota_id), [3] = SHOW(show_quota_address) },
	  .count = quotactl_count,
	  .hide = quotactl_hidden },
	{ .name = "quotactl_fd", .classes = DESC,
	  .prototype = "unsigned int fd, unsigned int cmd, qid_t id, void * addr",
	  .args = { [1] = SHOW(show_quota_command), [2] = SHOW(show_quota_id),
		    [3] = SHOW(show_quota_address) },
	  .count = quotactl_fd_count,
	  .hide = quotactl_fd_hidden },
	{ .name = "listns",
	  .prototype = "const struct ns_id_req * req, u64 * ns_ids, size_t nr_ns_ids, "
		       "unsigned int flags" },
};
/* clang-format on */

CALL_FAMILY(mount);
