/* Requests of files, block devices, loop devices, random and clock devices. */
#include "engine/decode/families/ioctl_args.h"

#include "engine/decode/constants/tables.h"

#include <linux/fs.h>
#include <linux/loop.h>
#include <linux/nsfs.h>
#include <linux/perf_event.h>
#include <linux/random.h>

static const struct pointee inode_flags_pointee = { 4, show_flags, &inode_flags };
static const struct pointee small_pointee = { 2, show_unsigned, NULL };

/* FIEMAP's and trim's ranges. */
static const struct field trim_fields[] = {
	MEMBER(struct fstrim_range, start, show_ulong),
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

static void show_pair(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_array(p, value, 2, 8, element_ulong, NULL);
}

static const struct ioctl_arg ioctl_file_args_list[] = {
	{ FS_IOC_GETFLAGS, IOCTL_READS, show_pointee, &inode_flags_pointee },
	{ FS_IOC_SETFLAGS, IOCTL_WRITES, show_pointee, &inode_flags_pointee },
	{ FICLONE, IOCTL_WRITES, show_fd, NULL },
	{ FICLONERANGE, IOCTL_WRITES, show_struct, &clone_layout },
	{ FITRIM, IOCTL_WRITES, show_struct, &trim_layout },
	{ FIBMAP, IOCTL_READS, show_pointee, &int_pointee },
	{ FIGETBSZ, IOCTL_READS, show_pointee, &int_pointee },
	{ FIFREEZE, IOCTL_NOTHING, NULL, NULL },
	{ FITHAW, IOCTL_NOTHING, NULL, NULL },
	{ BLKROGET, IOCTL_READS, show_pointee, &int_pointee },
	{ BLKROSET, IOCTL_WRITES, show_pointee, &int_pointee },
	{ BLKBSZGET, IOCTL_READS, show_pointee, &int_pointee },
	{ BLKBSZSET, IOCTL_WRITES, show_pointee, &int_pointee },
	{ BLKSSZGET, IOCTL_READS, show_pointee, &int_pointee },
	{ BLKPBSZGET, IOCTL_READS, show_pointee, &unsigned_pointee },
	{ BLKIOMIN, IOCTL_READS, show_pointee, &unsigned_pointee },
	{ BLKIOOPT, IOCTL_READS, show_pointee, &unsigned_pointee },
	{ BLKALIGNOFF, IOCTL_READS, show_pointee, &int_pointee },
	{ BLKSECTGET, IOCTL_READS, show_pointee, &small_pointee },
	{ BLKROTATIONAL, IOCTL_READS, show_pointee, &small_pointee },
	{ BLKDISCARDZEROES, IOCTL_READS, show_pointee, &unsigned_pointee },
	{ BLKGETSIZE, IOCTL_READS, show_pointee, &ulong_pointee },
	{ BLKGETSIZE64, IOCTL_READS, show_pointee, &ulong_pointee },
	{ BLKRAGET, IOCTL_READS, show_pointee, &long_pointee },
	{ BLKFRAGET, IOCTL_READS, show_pointee, &long_pointee },
	{ BLKRASET, IOCTL_WRITES, show_ulong, NULL },
	{ BLKFRASET, IOCTL_WRITES, show_ulong, NULL },
	{ BLKDISCARD, IOCTL_WRITES, show_pair, NULL },
	{ BLKSECDISCARD, IOCTL_WRITES, show_pair, NULL },
	{ BLKZEROOUT, IOCTL_WRITES, show_pair, NULL },
	{ BLKRRPART, IOCTL_NOTHING, NULL, NULL },
	{ BLKFLSBUF, IOCTL_NOTHING, NULL, NULL },
	{ LOOP_SET_FD, IOCTL_WRITES, show_fd, NULL },
	{ LOOP_CHANGE_FD, IOCTL_WRITES, show_fd, NULL },
	{ LOOP_CLR_FD, IOCTL_NOTHING, NULL, NULL },
	{ LOOP_SET_CAPACITY, IOCTL_NOTHING, NULL, NULL },
	{ LOOP_CTL_GET_FREE, IOCTL_NOTHING, NULL, NULL },
	{ LOOP_CTL_ADD, IOCTL_WRITES, show_int, NULL },
	{ LOOP_CTL_REMOVE, IOCTL_WRITES, show_int, NULL },
	{ LOOP_SET_DIRECT_IO, IOCTL_WRITES, show_ulong, NULL },
	{ LOOP_SET_BLOCK_SIZE, IOCTL_WRITES, show_ulong, NULL },
	{ RNDGETENTCNT, IOCTL_READS, show_pointee, &int_pointee },
	{ RNDADDTOENTCNT, IOCTL_WRITES, show_pointee, &int_pointee },
	{ RNDZAPENTCNT, IOCTL_NOTHING, NULL, NULL },
	{ RNDCLEARPOOL, IOCTL_NOTHING, NULL, NULL },
	{ RNDRESEEDCRNG, IOCTL_NOTHING, NULL, NULL },
	{ NS_GET_USERNS, IOCTL_NOTHING, NULL, NULL },
	{ NS_GET_PARENT, IOCTL_NOTHING, NULL, NULL },
	{ NS_GET_NSTYPE, IOCTL_NOTHING, NULL, NULL },
	{ NS_GET_OWNER_UID, IOCTL_READS, show_pointee, &unsigned_pointee },
	{ PERF_EVENT_IOC_ENABLE, IOCTL_WRITES, show_ulong, NULL },
	{ PERF_EVENT_IOC_DISABLE, IOCTL_WRITES, show_ulong, NULL },
	{ PERF_EVENT_IOC_RESET, IOCTL_WRITES, show_ulong, NULL },
	{ PERF_EVENT_IOC_REFRESH, IOCTL_WRITES, show_int, NULL },
	{ PERF_EVENT_IOC_PERIOD, IOCTL_WRITES, show_pointee, &ulong_pointee },
	{ PERF_EVENT_IOC_SET_OUTPUT, IOCTL_WRITES, show_fd, NULL },
	{ PERF_EVENT_IOC_SET_BPF, IOCTL_WRITES, show_fd, NULL },
	{ PERF_EVENT_IOC_PAUSE_OUTPUT, IOCTL_WRITES, show_ulong, NULL },
	{ PERF_EVENT_IOC_ID, IOCTL_READS, show_pointee, &ulong_pointee },
	{ PERF_EVENT_IOC_SET_FILTER, IOCTL_WRITES, show_string, NULL },
};
IOCTL_ARGS(ioctl_file_args);
