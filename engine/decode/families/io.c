/* Reading, writing and moving bytes; descriptors as such. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <sys/uio.h>

/* Show the bytes that were read; their number is the result. */
static void show_read(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_buffer(p, value, (uint64_t)p->call->ret);
}

/* Show the bytes to write; their number is the next argument. */
static void show_written(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_buffer(p, value, p->call->args[p->arg + 1]);
}

static void show_read_vector(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if (printer_succeeded(p)) {
		p->when = BYTES_AT_EXIT;
		print_vector(p, value, p->call->args[2], VECTOR_TEXT, (uint64_t)p->call->ret);
	} else {
		print_vector(p, value, p->call->args[2], VECTOR_ADDRESSES, UINT64_MAX);
	}
}

static void show_written_vector(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_vector(p, value, p->call->args[p->arg + 1], VECTOR_TEXT, UINT64_MAX);
}

static void show_fds(struct printer *p, uint64_t value, const void *data)
{
	int32_t fds[2];

	(void)data;
	if (!printer_read(p, value, fds, sizeof(fds))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "[");
	show_fd(p, (uint32_t)fds[0], NULL);
	PUT(p, ", ");
	show_fd(p, (uint32_t)fds[1], NULL);
	PUT(p, "]");
}

/*
 * Show an offset that the call updates: "[5]", or "[5] => [9]" if it changed. The pointer can be
 * NULL.
 */
static void show_offset(struct printer *p, uint64_t value, const void *data)
{
	int64_t before, after;

	(void)data;
	if (!printer_read(p, value, &before, sizeof(before))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "[");
	str_addd(p->out, before);
	PUT(p, "]");
	p->when = BYTES_AT_EXIT;
	if (printer_succeeded(p) && p->call->ret && printer_read(p, value, &after, sizeof(after))) {
		PUT(p, " => [");
		str_addd(p->out, after);
		PUT(p, "]");
	}
}

static void show_in_offset(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	show_pointee(p, value, &long_pointee);
}

#define HUGE_SHIFT 26
#define HUGE_BITS (63u << HUGE_SHIFT)

static void show_memfd_flags(struct printer *p, uint64_t value, const void *data)
{
	uint32_t huge = (uint32_t)value & HUGE_BITS, flags = (uint32_t)value & ~huge;

	(void)data;
	if (flags || !huge)
		show_flags(p, flags, &memfd_flags);
	if (!huge)
		return;
	if (flags)
		PUT(p, "|");
	str_addu(p->out, huge >> HUGE_SHIFT);
	PUT(p, "<<MFD_HUGE_SHIFT");
}

/* clang-format off */
static const struct call_form io_forms[] = {
	{ .name = "read", .classes = DESC,
	  .prototype = "unsigned int fd, char * buf, size_t count",
	  .args = { [1] = SHOW_OUT(show_read) } },
	{ .name = "write", .classes = DESC,
	  .prototype = "unsigned int fd, const char * buf, size_t count",
	  .args = { [1] = SHOW(show_written) } },
	{ .name = "pread64", .classes = DESC,
	  .prototype = "unsigned int fd, char * buf, size_t count, loff_t pos",
	  .args = { [1] = SHOW_OUT(show_read) } },
	{ .name = "pwrite64", .classes = DESC,
	  .prototype = "unsigned int fd, const char * buf, size_t count, loff_t pos",
	  .args = { [1] = SHOW(show_written) } },
	{ .name = "readv", .classes = DESC,
	  .prototype = "unsigned long fd, const struct iovec * vec, unsigned long vlen",
	  .args = { [0] = SHOW(show_fd), [1] = SHOW(show_read_vector) } },
	{ .name = "writev", .classes = DESC,
	  .prototype = "unsigned long fd, const struct iovec * vec, unsigned long vlen",
	  .args = { [0] = SHOW(show_fd), [1] = SHOW(show_written_vector) } },
	{ .name = "preadv", .classes = DESC,
	  .prototype = "unsigned long fd, const struct iovec * vec, unsigned long vlen, "
		       "unsigned long pos_l, unsigned long pos_h",
	  .args = { [0] = SHOW(show_fd), [1] = SHOW(show_read_vector), [3] = SHOW(show_long) },
	  .hidden = 1 << 4 },
	{ .name = "pwritev", .classes = DESC,
	  .prototype = "unsigned long fd, const struct iovec * vec, unsigned long vlen, "
		       "unsigned long pos_l, unsigned long pos_h",
	  .args = { [0] = SHOW(show_fd), [1] = SHOW(show_written_vector), [3] = SHOW(show_long) },
	  .hidden = 1 << 4 },
	{ .name = "preadv2", .classes = DESC,
	  .prototype = "unsigned long fd, const struct iovec * vec, unsigned long vlen, "
		       "unsigned long pos_l, unsigned long pos_h, rwf_t flags",
	  .args = { [0] = SHOW(show_fd), [1] = SHOW(show_read_vector), [3] = SHOW(show_long),
		    [5] = FLAGS(rwf_flags) },
	  .hidden = 1 << 4 },
	{ .name = "pwritev2", .classes = DESC,
	  .prototype = "unsigned long fd, const struct iovec * vec, unsigned long vlen, "
		       "unsigned long pos_l, unsigned long pos_h, rwf_t flags",
	  .args = { [0] = SHOW(show_fd), [1] = SHOW(show_written_vector), [3] = SHOW(show_long),
		    [5] = FLAGS(rwf_flags) },
	  .hidden = 1 << 4 },
	{ .name = "lseek", .classes = DESC,
	  .prototype = "unsigned int fd, off_t offset, unsigned int whence",
	  .args = { [2] = ENUM(seek_whences) } },
	{ .name = "sendfile", .classes = DESC | NET,
	  .prototype = "int out_fd, int in_fd, loff_t * offset, size_t count",
	  .args = { [2] = SHOW(show_offset) } },
	{ .name = "splice", .classes = DESC,
	  .prototype = "int fd_in, loff_t * off_in, int fd_out, loff_t * off_out, size_t len, "
		       "unsigned int flags",
	  .args = { [1] = SHOW(show_in_offset), [3] = SHOW(show_in_offset),
		    [5] = FLAGS(splice_flags) } },
	{ .name = "tee", .classes = DESC,
	  .prototype = "int fdin, int fdout, size_t len, unsigned int flags",
	  .args = { [3] = FLAGS(splice_flags) } },
	{ .name = "vmsplice", .classes = DESC,
	  .prototype = "int fd, const struct iovec * uiov, unsigned long nr_segs, "
		       "unsigned int flags",
	  .args = { [1] = SHOW(show_written_vector), [3] = FLAGS(splice_flags) } },
	{ .name = "copy_file_range", .classes = DESC,
	  .prototype = "int fd_in, loff_t * off_in, int fd_out, loff_t * off_out, size_t len, "
		       "unsigned int flags",
	  .args = { [1] = SHOW(show_in_offset), [3] = SHOW(show_in_offset),
		    [5] = SHOW(show_unsigned) } },
	{ .name = "dup", .classes = DESC,
	  .prototype = "unsigned int fildes",
	  .result = result_fd },
	{ .name = "dup2", .classes = DESC,
	  .prototype = "unsigned int oldfd, unsigned int newfd",
	  .result = result_fd },
	{ .name = "dup3", .classes = DESC,
	  .prototype = "unsigned int oldfd, unsigned int newfd, int flags",
	  .args = { [2] = FLAGS(open_flags) },
	  .result = result_fd },
	{ .name = "pipe", .classes = DESC,
	  .prototype = "int * fildes",
	  .args = { [0] = SHOW_OUT(show_fds) } },
	{ .name = "pipe2", .classes = DESC,
	  .prototype = "int * fildes, int flags",
	  .args = { [0] = SHOW_OUT(show_fds), [1] = FLAGS(open_flags) } },
	{ .name = "fsync", .classes = DESC,
	  .prototype = "unsigned int fd" },
	{ .name = "fdatasync", .classes = DESC,
	  .prototype = "unsigned int fd" },
	{ .name = "syncfs", .classes = DESC,
	  .prototype = "int fd" },
	{ .name = "sync",
	  .prototype = "" },
	{ .name = "sync_file_range", .classes = DESC,
	  .prototype = "int fd, loff_t offset, loff_t nbytes, unsigned int flags",
	  .args = { [3] = FLAGS(sync_file_range_flags) } },
	{ .name = "fadvise64", .classes = DESC,
	  .prototype = "int fd, loff_t offset, size_t len, int advice",
	  .args = { [2] = SHOW(show_ulong), [3] = ENUM(fadvises) } },
	{ .name = "fallocate", .classes = DESC,
	  .prototype = "int fd, int mode, loff_t offset, loff_t len",
	  .args = { [1] = FLAGS(fallocate_modes) } },
	{ .name = "readahead", .classes = DESC,
	  .prototype = "int fd, loff_t offset, size_t count" },
	{ .name = "flock", .classes = DESC,
	  .prototype = "unsigned int fd, unsigned int cmd",
	  .args = { [1] = FLAGS(flock_operations) } },
	{ .name = "memfd_create", .classes = DESC,
	  .prototype = "const char * uname, unsigned int flags",
	  .args = { [1] = SHOW(show_memfd_flags) },
	  .result = result_fd },
	{ .name = "memfd_secret", .classes = DESC,
	  .prototype = "unsigned int flags",
	  .args = { [0] = FLAGS(memfd_secret_flags) },
	  .result = result_fd },
};
/* clang-format on */

CALL_FAMILY(io);
