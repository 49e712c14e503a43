/* Opening, naming and removing files. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <fcntl.h>
#include <linux/openat2.h>

void show_open_flags(struct printer *p, uint64_t value, const void *data)
{
	uint32_t flags = (uint32_t)value;

	(void)data;
	str_add(p->out, open_access_modes.list[flags & O_ACCMODE].name);
	print_more_flags(p, flags & ~(uint32_t)O_ACCMODE, &open_flags);
}

static bool open_creates(uint64_t flags)
{
	return flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY));
}

static unsigned open_count(const struct call *call)
{
	return open_creates(call->args[1]) ? 3 : 2;
}

static unsigned openat_count(const struct call *call)
{
	return open_creates(call->args[2]) ? 4 : 3;
}

static void show_open_how_flags(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_add(p->out, open_access_modes.list[value & O_ACCMODE].name);
	print_more_flags(p, value & ~(uint64_t)O_ACCMODE, &open_flags);
}

/* Members that are newer than this program are shown as bytes, without names. */
static void show_open_how(struct printer *p, uint64_t value, const void *data)
{
	uint64_t size = p->call->args[3];
	struct open_how how;

	(void)data;
	if (!value || size < sizeof(how) || !printer_read(p, value, &how, sizeof(how))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{flags=");
	show_open_how_flags(p, how.flags, NULL);
	if (open_creates(how.flags) || how.mode) {
		PUT(p, ", mode=");
		show_octal(p, how.mode, NULL);
	}
	PUT(p, ", resolve=");
	show_flags_long(p, how.resolve, &resolve_flags);
	print_struct_rest(p, value, sizeof(how), size);
	PUT(p, "}");
}

static void show_device_number(struct printer *p, uint64_t value, const void *data)
{
	show_device(p, (uint32_t)value, data);
}

static void show_short_mode(struct printer *p, uint64_t value, const void *data)
{
	show_mode(p, (uint16_t)value, data);
}

static bool mode_is_device(uint64_t mode)
{
	return (mode & 0170000) == 0020000 || (mode & 0170000) == 0060000;
}

static unsigned mknod_count(const struct call *call)
{
	return mode_is_device(call->args[1]) ? 3 : 2;
}

static unsigned mknodat_count(const struct call *call)
{
	return mode_is_device(call->args[2]) ? 4 : 3;
}

/* Show the target that readlink() stored; its length is the result. */
static void show_link(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_buffer(p, value, (uint64_t)p->call->ret);
}

static void show_unsigned_size(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addu(p->out, value);
}

static void show_handle(struct printer *p, uint64_t value, const void *data)
{
	struct {
		uint32_t bytes;
		int32_t type;
	} handle, before;
	bool known = printer_read_enter(p, value, &before, sizeof(before));

	(void)data;
	if (!known) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{handle_bytes=");
	str_addu(p->out, before.bytes);
	if (p->call->state == CALL_DONE) {
		p->when = BYTES_AT_EXIT;
		if (!printer_read(p, value, &handle, sizeof(handle))) {
			PUT(p, "}");
			return;
		}
		if (call_failed(p->call) && handle.bytes == before.bytes) {
			PUT(p, "}");
			return;
		}
		if (handle.bytes != before.bytes) {
			PUT(p, " => ");
			str_addu(p->out, handle.bytes);
		}
		if (!call_failed(p->call)) {
			PUT(p, ", handle_type=");
			str_addd(p->out, handle.type);
			PUT(p, ", f_handle=");
			print_hex_buffer(p, value + sizeof(handle), handle.bytes);
		}
	}
	PUT(p, "}");
}

static void show_given_handle(struct printer *p, uint64_t value, const void *data)
{
	struct {
		uint32_t bytes;
		int32_t type;
	} handle;

	(void)data;
	if (!printer_read(p, value, &handle, sizeof(handle))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{handle_bytes=");
	str_addu(p->out, handle.bytes);
	PUT(p, ", handle_type=");
	str_addd(p->out, handle.type);
	PUT(p, ", f_handle=");
	print_hex_buffer(p, value + sizeof(handle), handle.bytes);
	PUT(p, "}");
}

/* clang-format off */
static const struct call_form file_forms[] = {
	{ .name = "open", .classes = DESC | FILE_,
	  .prototype = "const char * filename, int flags, umode_t mode",
	  .args = { [1] = SHOW(show_open_flags) },
	  .count = open_count, .result = result_fd },
	{ .name = "openat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, int flags, umode_t mode",
	  .args = { [2] = SHOW(show_open_flags) },
	  .count = openat_count, .result = result_fd },
	{ .name = "openat2", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, struct open_how * how, size_t usize",
	  .args = { [2] = SHOW(show_open_how) },
	  .result = result_fd },
	{ .name = "creat", .classes = DESC | FILE_,
	  .prototype = "const char * pathname, umode_t mode",
	  .result = result_fd },
	{ .name = "close", .classes = DESC,
	  .prototype = "unsigned int fd" },
	{ .name = "close_range",
	  .prototype = "unsigned int fd, unsigned int max_fd, unsigned int flags",
	  .args = { [0] = SHOW(show_unsigned), [2] = FLAGS(close_range_flags) } },
	{ .name = "access", .classes = FILE_,
	  .prototype = "const char * filename, int mode",
	  .args = { [1] = FLAGS(access_modes) } },
	{ .name = "faccessat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, int mode",
	  .args = { [2] = FLAGS(access_modes) } },
	{ .name = "faccessat2", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, int mode, int flags",
	  .args = { [2] = FLAGS(access_modes), [3] = FLAGS(faccessat_flags) } },
	{ .name = "chmod", .classes = FILE_,
	  .prototype = "const char * filename, umode_t mode" },
	{ .name = "fchmod", .classes = DESC,
	  .prototype = "unsigned int fd, umode_t mode" },
	{ .name = "fchmodat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, umode_t mode" },
	{ .name = "fchmodat2", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, umode_t mode, unsigned int flags",
	  .args = { [3] = FLAGS(at_flags) } },
	{ .name = "chown", .classes = FILE_,
	  .prototype = "const char * filename, uid_t user, gid_t group" },
	{ .name = "fchown", .classes = DESC,
	  .prototype = "unsigned int fd, uid_t user, gid_t group" },
	{ .name = "lchown", .classes = FILE_,
	  .prototype = "const char * filename, uid_t user, gid_t group" },
	{ .name = "fchownat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, uid_t user, gid_t group, int flag",
	  .args = { [4] = FLAGS(at_flags) } },
	{ .name = "link", .classes = FILE_,
	  .prototype = "const char * oldname, const char * newname" },
	{ .name = "linkat", .classes = DESC | FILE_,
	  .prototype = "int olddfd, const char * oldname, int newdfd, const char * newname, "
		       "int flags",
	  .args = { [4] = FLAGS(at_flags) } },
	{ .name = "unlink", .classes = FILE_,
	  .prototype = "const char * pathname" },
	{ .name = "unlinkat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * pathname, int flag",
	  .args = { [2] = FLAGS(unlinkat_flags) } },
	{ .name = "symlink", .classes = FILE_,
	  .prototype = "const char * oldname, const char * newname" },
	{ .name = "symlinkat", .classes = DESC | FILE_,
	  .prototype = "const char * oldname, int newdfd, const char * newname" },
	{ .name = "rename", .classes = FILE_,
	  .prototype = "const char * oldname, const char * newname" },
	{ .name = "renameat", .classes = DESC | FILE_,
	  .prototype = "int olddfd, const char * oldname, int newdfd, const char * newname" },
	{ .name = "renameat2", .classes = DESC | FILE_,
	  .prototype = "int olddfd, const char * oldname, int newdfd, const char * newname, "
		       "unsigned int flags",
	  .args = { [4] = FLAGS(rename_flags) } },
	{ .name = "mkdir", .classes = FILE_,
	  .prototype = "const char * pathname, umode_t mode" },
	{ .name = "mkdirat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * pathname, umode_t mode" },
	{ .name = "rmdir", .classes = FILE_,
	  .prototype = "const char * pathname" },
	{ .name = "mknod", .classes = FILE_,
	  .prototype = "const char * filename, umode_t mode, unsigned dev",
	  .args = { [1] = SHOW(show_short_mode), [2] = SHOW(show_device_number) },
	  .count = mknod_count },
	{ .name = "mknodat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, umode_t mode, unsigned int dev",
	  .args = { [2] = SHOW(show_short_mode), [3] = SHOW(show_device_number) },
	  .count = mknodat_count },
	{ .name = "readlink", .classes = FILE_,
	  .prototype = "const char * path, char * buf, int bufsiz",
	  .args = { [1] = SHOW_OUT(show_link), [2] = SHOW(show_unsigned_size) } },
	{ .name = "readlinkat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * pathname, char * buf, int bufsiz",
	  .args = { [2] = SHOW_OUT(show_link), [3] = SHOW(show_unsigned_size) } },
	{ .name = "truncate", .classes = FILE_,
	  .prototype = "const char * path, long length",
	  .args = { [1] = SHOW(show_ulong) } },
	{ .name = "ftruncate", .classes = DESC,
	  .prototype = "unsigned int fd, off_t length",
	  .args = { [1] = SHOW(show_ulong) } },
	{ .name = "umask",
	  .prototype = "int mask",
	  .result = result_octal,
	  .args = { [0] = SHOW(show_mode_bits) } },
	{ .name = "chdir", .classes = FILE_,
	  .prototype = "const char * filename" },
	{ .name = "fchdir", .classes = DESC,
	  .prototype = "unsigned int fd" },
	{ .name = "chroot", .classes = FILE_,
	  .prototype = "const char * filename" },
	{ .name = "getcwd", .classes = FILE_,
	  .prototype = "char * buf, unsigned long size",
	  .args = { [0] = SHOW_OUT(show_path) } },
	{ .name = "pivot_root", .classes = FILE_,
	  .prototype = "const char * new_root, const char * put_old" },
	{ .name = "acct", .classes = FILE_,
	  .prototype = "const char * name",
	  .args = { [0] = SHOW(show_path) } },
	{ .name = "name_to_handle_at", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * name, struct file_handle * handle, "
		       "void * mnt_id, int flag",
	  .args = { [1] = SHOW(show_path), [2] = SHOW(show_handle), [3] = FILLS(int_pointee),
		    [4] = FLAGS(name_to_handle_flags) } },
	{ .name = "open_by_handle_at", .classes = DESC,
	  .prototype = "int mountdirfd, struct file_handle * handle, int flags",
	  .args = { [1] = SHOW(show_given_handle), [2] = SHOW(show_open_flags) },
	  .result = result_fd },
	{ .name = "file_getattr", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, struct file_attr * ufattr, "
		       "size_t usize, unsigned int at_flags",
	  .args = { [4] = FLAGS(at_flags) } },
	{ .name = "file_setattr", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, struct file_attr * ufattr, "
		       "size_t usize, unsigned int at_flags",
	  .args = { [4] = FLAGS(at_flags) } },
};
/* clang-format on */

CALL_FAMILY(file);
