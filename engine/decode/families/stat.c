/* File status, file system status, directories. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <asm/stat.h>
#include <asm/statfs.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/sysmacros.h>

#define TYPE_BITS 0170000
#define NAMED_BITS 07000 /* bits that file_mode_bits names */
#define ENTRY_BYTES_MAX (1u << 24) /* maximum size of a list; 32 KiB to 1 MiB are typical */
#define CHARACTER_DEVICE 0020000
#define BLOCK_DEVICE 0060000

/* Print "S_ISUID|S_ISVTX". Return the remaining bits. */
static uint64_t print_named_bits(struct printer *p, uint64_t mode)
{
	bool any = false;

	for (size_t i = 0; i < file_mode_bits.count; i++) {
		if (!(mode & file_mode_bits.list[i].value))
			continue;
		if (any)
			PUT(p, "|");
		any = true;
		str_add(p->out, file_mode_bits.list[i].name);
		mode &= ~file_mode_bits.list[i].value;
	}
	return mode;
}

void show_mode(struct printer *p, uint64_t value, const void *data)
{
	const char *type = constants_name(&file_types, value & TYPE_BITS);
	uint64_t rest = value & ~(uint64_t)TYPE_BITS;

	(void)data;
	if (type) {
		str_add(p->out, type);
		if (rest & NAMED_BITS)
			PUT(p, "|");
	} else if (value & TYPE_BITS || !(rest & NAMED_BITS)) {
		show_octal(p, value, NULL);
		return;
	}
	rest = print_named_bits(p, rest);
	PUT(p, "|");
	show_octal(p, rest, NULL);
}

static bool is_device(uint64_t mode)
{
	return (mode & TYPE_BITS) == CHARACTER_DEVICE || (mode & TYPE_BITS) == BLOCK_DEVICE;
}

static void show_stat(struct printer *p, uint64_t value, const void *data)
{
	struct stat stat;

	(void)data;
	if (!printer_read(p, value, &stat, sizeof(stat))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{st_mode=");
	show_mode(p, stat.st_mode, NULL);
	if (is_device(stat.st_mode)) {
		PUT(p, ", st_rdev=");
		show_device(p, stat.st_rdev, NULL);
	} else {
		PUT(p, ", st_size=");
		str_addd(p->out, stat.st_size);
	}
	PUT(p, ", ...}");
}

static void show_statx(struct printer *p, uint64_t value, const void *data)
{
	struct statx stat;

	(void)data;
	if (!printer_read(p, value, &stat, sizeof(stat))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{stx_mask=");
	show_flags(p, stat.stx_mask, &statx_masks);
	PUT(p, ", stx_attributes=");
	show_flags_long(p, stat.stx_attributes, &statx_attributes);
	if (stat.stx_mask & (STATX_TYPE | STATX_MODE)) {
		PUT(p, ", stx_mode=");
		show_mode(p, stat.stx_mode, NULL);
	}
	if (stat.stx_mask & STATX_SIZE) {
		PUT(p, ", stx_size=");
		str_addu(p->out, stat.stx_size);
	}
	PUT(p, ", ...}");
}

#define STATX_SYNC_BITS 0x6000u

static void show_statx_flags(struct printer *p, uint64_t value, const void *data)
{
	uint32_t flags = (uint32_t)value;

	(void)data;
	if (flags & STATX_SYNC_BITS)
		print_flags_of(p, flags & STATX_SYNC_BITS, &at_statx_sync_types);
	else
		PUT(p, "AT_STATX_SYNC_AS_STAT");
	print_more_flags(p, flags & ~STATX_SYNC_BITS, &at_flags);
}

static void element_fsid(struct printer *p, const void *element, const void *data)
{
	const uint32_t *val = element;

	(void)data;
	PUT(p, "{val=[");
	str_addx(p->out, val[0]);
	PUT(p, ", ");
	str_addx(p->out, val[1]);
	PUT(p, "]}");
}

/* clang-format off */
LAYOUT(statfs_layout, struct statfs,
	MEMBER_ENUM(struct statfs, f_type, file_system_types),
	MEMBER(struct statfs, f_bsize, show_ulong),
	MEMBER(struct statfs, f_blocks, show_ulong),
	MEMBER(struct statfs, f_bfree, show_ulong),
	MEMBER(struct statfs, f_bavail, show_ulong),
	MEMBER(struct statfs, f_files, show_ulong),
	MEMBER(struct statfs, f_ffree, show_ulong),
	MEMBER_PRINT(struct statfs, f_fsid, element_fsid, NULL),
	MEMBER(struct statfs, f_namelen, show_ulong),
	MEMBER(struct statfs, f_frsize, show_ulong),
	MEMBER_FLAGS(struct statfs, f_flags, statfs_flags));
/* clang-format on */

/* struct ustat of the kernel, which no header declares any more. */
struct old_ustat {
	uint32_t f_tfree;
	uint32_t pad;
	uint64_t f_tinode;
	char f_fname[6], f_fpack[6];
};
LAYOUT(ustat_layout, struct old_ustat, MEMBER(struct old_ustat, f_tfree, show_int),
       MEMBER(struct old_ustat, f_tinode, show_ulong));

/* Count directory entries. Both formats have the length of an entry at the same offset. */
static void show_entries(struct printer *p, uint64_t value, const void *data)
{
	uint64_t end = (uint64_t)p->call->ret < ENTRY_BYTES_MAX ? (uint64_t)p->call->ret : 0;
	unsigned entries = 0;
	uint16_t length = 0;
	bool more = false;

	(void)data;
	if (!end && p->call->ret) {
		show_pointer(p, value, NULL);
		return;
	}
	for (uint64_t at = 0; at + 19 <= end && !more; at += length) {
		more = !printer_read(p, value + at + 16, &length, sizeof(length)) || length < 19;
		entries += !more;
	}
	str_addx(p->out, value);
	if (more && !entries)
		return;
	PUT(p, " /* ");
	str_addu(p->out, entries);
	str_add(p->out, more ? " entries or more */" : " entries */");
}

static unsigned sysfs_count(const struct call *call)
{
	uint32_t option = (uint32_t)call->args[0];

	return option == 1 ? 2 : option == 2 ? 3 : option == 3 ? 1 : 3;
}

static void show_device_int(struct printer *p, uint64_t value, const void *data)
{
	show_device(p, (uint32_t)value, data);
}

static void show_sysfs_arg1(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if ((uint32_t)p->call->args[0] == 1)
		show_string(p, value, NULL);
	else if ((uint32_t)p->call->args[0] == 2)
		show_unsigned(p, value, NULL);
	else
		show_address(p, value, NULL);
}

static void show_sysfs_arg2(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if ((uint32_t)p->call->args[0] != 2 || !printer_succeeded(p)) {
		show_address(p, value, NULL);
		return;
	}
	p->when = BYTES_AT_EXIT;
	show_string(p, value, NULL);
}

/* In linux/mman.h since 6.5 and linux/mount.h since 6.8; the build headers can be older. */
struct cache_range {
	uint64_t off, len;
};
LAYOUT(cache_range_layout, struct cache_range, MEMBER(struct cache_range, off, show_ulong),
       MEMBER(struct cache_range, len, show_ulong));

struct cache_state {
	uint64_t nr_cache, nr_dirty, nr_writeback, nr_evicted, nr_recently_evicted;
};
/* clang-format off */
LAYOUT(cache_state_layout, struct cache_state,
	MEMBER(struct cache_state, nr_cache, show_ulong),
	MEMBER(struct cache_state, nr_dirty, show_ulong),
	MEMBER(struct cache_state, nr_writeback, show_ulong),
	MEMBER(struct cache_state, nr_evicted, show_ulong),
	MEMBER(struct cache_state, nr_recently_evicted, show_ulong));
/* clang-format on */

struct mount_request {
	uint32_t size, mnt_ns_fd;
	uint64_t mnt_id, param, mnt_ns_id; /* mnt_ns_id since 6.11 */
};
#define MOUNT_REQUEST_BYTES 24 /* size of the first version */
#define ALL_MOUNTS UINT64_MAX /* LSMT_ROOT */

static void show_mount_request(struct printer *p, uint64_t value, const void *data)
{
	struct mount_request request = { .size = 0 };

	(void)data;
	if (!printer_read(p, value, &request, MOUNT_REQUEST_BYTES)) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out, "{size=%u, mnt_id=", request.size);
	if (request.mnt_id == ALL_MOUNTS)
		PUT(p, "LSMT_ROOT");
	else
		str_addx(p->out, request.mnt_id);
	PUT(p, ", param=");
	if (strcmp(p->form->name, "statmount"))
		str_addx(p->out, request.param);
	else
		show_flags_long(p, request.param, &statmount_masks);
	if (request.size >= sizeof(request) && printer_read(p, value, &request, sizeof(request))) {
		PUT(p, ", mnt_ns_id=");
		str_addx(p->out, request.mnt_ns_id);
	}
	PUT(p, "}");
}

static void element_mount_id(struct printer *p, const void *element, const void *data)
{
	(void)data;
	str_addx(p->out, *(const uint64_t *)element);
}

static void show_mount_ids(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_array(p, value, (uint64_t)p->call->ret, sizeof(uint64_t), element_mount_id, NULL);
}

/* clang-format off */
static const struct call_form stat_forms[] = {
	{ .name = "stat", .classes = FILE_ | STAT | STATX,
	  .prototype = "const char * filename, struct stat * statbuf",
	  .args = { [1] = SHOW_OUT(show_stat) } },
	{ .name = "lstat", .classes = FILE_ | LSTAT | STATX,
	  .prototype = "const char * filename, struct stat * statbuf",
	  .args = { [1] = SHOW_OUT(show_stat) } },
	{ .name = "fstat", .classes = DESC | FSTAT | STATX,
	  .prototype = "unsigned int fd, struct stat * statbuf",
	  .args = { [1] = SHOW_OUT(show_stat) } },
	{ .name = "newfstatat", .classes = DESC | FILE_ | FSTAT | STATX,
	  .prototype = "int dfd, const char * filename, struct stat * statbuf, int flag",
	  .args = { [2] = SHOW_OUT(show_stat), [3] = FLAGS(at_flags) } },
	{ .name = "statx", .classes = DESC | FILE_ | FSTAT | STATX,
	  .prototype = "int dfd, const char * filename, unsigned flags, unsigned int mask, "
		       "struct statx * buffer",
	  .args = { [2] = SHOW(show_statx_flags), [3] = FLAGS(statx_masks),
		    [4] = SHOW_OUT(show_statx) } },
	{ .name = "statfs", .classes = FILE_ | STATFS | STATFSX,
	  .prototype = "const char * pathname, struct statfs * buf",
	  .args = { [1] = OUT(statfs_layout) } },
	{ .name = "fstatfs", .classes = DESC | FSTATFS | STATFSX,
	  .prototype = "unsigned int fd, struct statfs * buf",
	  .args = { [1] = OUT(statfs_layout) } },
	{ .name = "ustat", .classes = STATFSX,
	  .prototype = "unsigned dev, struct ustat * ubuf",
	  .args = { [0] = SHOW(show_device_int), [1] = OUT(ustat_layout) } },
	{ .name = "getdents", .classes = DESC,
	  .prototype = "unsigned int fd, struct linux_dirent * dirent, unsigned int count",
	  .args = { [1] = SHOW_OUT(show_entries) } },
	{ .name = "getdents64", .classes = DESC,
	  .prototype = "unsigned int fd, struct linux_dirent64 * dirent, unsigned int count",
	  .args = { [1] = SHOW_OUT(show_entries) } },
	{ .name = "sysfs",
	  .prototype = "int option, unsigned long arg1, unsigned long arg2",
	  .args = { [0] = SHOW(show_hex), [1] = SHOW(show_sysfs_arg1),
		    [2] = SHOW(show_sysfs_arg2) },
	  .count = sysfs_count },
	{ .name = "statmount",
	  .prototype = "const struct mnt_id_req * req, struct statmount * buf, "
		       "size_t bufsize, unsigned int flags",
	  .args = { [0] = SHOW(show_mount_request) } },
	{ .name = "listmount",
	  .prototype = "const struct mnt_id_req * req, u64 * mnt_ids, size_t nr_mnt_ids, "
		       "unsigned int flags",
	  .args = { [0] = SHOW(show_mount_request), [1] = SHOW_OUT(show_mount_ids) } },
	{ .name = "cachestat", .classes = DESC,
	  .prototype = "unsigned int fd, struct cachestat_range * cstat_range, "
		       "struct cachestat * cstat, unsigned int flags",
	  .args = { [1] = IN(cache_range_layout), [2] = OUT(cache_state_layout) } },
};
/* clang-format on */

CALL_FAMILY(stat);
