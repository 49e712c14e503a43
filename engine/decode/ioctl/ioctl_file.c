/* Requests of files, /proc files, random devices, event devices and inotify. */
#include "engine/decode/ioctl_args.h"

#include "engine/decode/tables.h"

#include <linux/fs.h>
#include <linux/nsfs.h>
#include <linux/perf_event.h>
#include <linux/random.h>

#define INOTIFY_SET_NEXT 0x40044900u /* INOTIFY_IOC_SETNEXTWD */

static const struct pointee inode_flags_pointee = { 4, show_flags, &inode_flags };

/* Ranges of FITRIM and FICLONERANGE. */
static const struct field trim_fields[] = {
	MEMBER(struct fstrim_range, start, show_hex_long),
	MEMBER(struct fstrim_range, len, show_ulong),
	MEMBER(struct fstrim_range, minlen, show_ulong),
};
static const struct layout trim_layout = { sizeof(struct fstrim_range), 3, trim_fields, false };

static const struct field clone_fields[] = {
	MEMBER(struct file_clone_range, src_fd, show_fd),
	MEMBER(struct file_clone_range, src_offset, show_ulong),
	MEMBER(struct file_clone_range, src_length, show_ulong),
	MEMBER(struct file_clone_range, dest_offset, show_ulong),
};
static const struct layout clone_layout = { sizeof(struct file_clone_range), 4, clone_fields,
					    false };

static const struct ioctl_arg ioctl_file_args_list[] = {
	{ FS_IOC_GETFLAGS, IOCTL_READS, show_pointee, &inode_flags_pointee, 0 },
	{ FS_IOC_SETFLAGS, IOCTL_WRITES, show_pointee, &inode_flags_pointee, 0 },
	{ FICLONE, IOCTL_WRITES, show_fd, NULL, 0 },
	{ FICLONERANGE, IOCTL_WRITES, show_struct, &clone_layout, 0 },
	{ FITRIM, IOCTL_WRITES, show_struct, &trim_layout, 0 },
	{ FIBMAP, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ FIGETBSZ, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ FS_IOC32_GETFLAGS, IOCTL_READS, show_pointee, &inode_flags_pointee, 0 },
	{ FS_IOC32_SETFLAGS, IOCTL_WRITES, show_pointee, &inode_flags_pointee, 0 },
	{ INOTIFY_SET_NEXT, IOCTL_WRITES, show_int, NULL, 0 },
	{ FIFREEZE, IOCTL_NOTHING, NULL, NULL, 0 },
	{ FITHAW, IOCTL_NOTHING, NULL, NULL, 0 },
	{ RNDGETENTCNT, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ RNDADDTOENTCNT, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	{ RNDZAPENTCNT, IOCTL_NOTHING, NULL, NULL, 0 },
	{ RNDCLEARPOOL, IOCTL_NOTHING, NULL, NULL, 0 },
	{ RNDRESEEDCRNG, IOCTL_NOTHING, NULL, NULL, 0 },
	{ NS_GET_USERNS, IOCTL_NOTHING, NULL, NULL, 0 },
	{ NS_GET_PARENT, IOCTL_NOTHING, NULL, NULL, 0 },
	{ NS_GET_NSTYPE, IOCTL_NOTHING, NULL, NULL, 0 },
	{ NS_GET_OWNER_UID, IOCTL_READS, show_pointee, &unsigned_pointee, 0 },
	{ PERF_EVENT_IOC_ENABLE, IOCTL_WRITES, show_flags_long, &perf_request_flags, 0 },
	{ PERF_EVENT_IOC_DISABLE, IOCTL_WRITES, show_flags_long, &perf_request_flags, 0 },
	{ PERF_EVENT_IOC_RESET, IOCTL_WRITES, show_flags_long, &perf_request_flags, 0 },
	{ PERF_EVENT_IOC_REFRESH, IOCTL_WRITES, show_int, NULL, 0 },
	{ PERF_EVENT_IOC_PERIOD, IOCTL_WRITES, show_pointee, &ulong_pointee, 0 },
	{ PERF_EVENT_IOC_SET_OUTPUT, IOCTL_WRITES, show_fd, NULL, 0 },
	{ PERF_EVENT_IOC_SET_BPF, IOCTL_WRITES, show_fd, NULL, 0 },
	{ PERF_EVENT_IOC_PAUSE_OUTPUT, IOCTL_WRITES, show_ulong, NULL, 0 },
	{ PERF_EVENT_IOC_ID, IOCTL_READS, show_pointee, &ulong_pointee, 0 },
	{ PERF_EVENT_IOC_SET_FILTER, IOCTL_WRITES, show_string, NULL, 0 },
};
IOCTL_ARGS(ioctl_file_args);
