/* Extended attributes. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

/* Most values are text; hide the final NUL that many of them include. */
static void print_xattr_value(struct printer *p, uint64_t address, uint64_t size)
{
	char last;

	if (size && size <= p->string_bytes + 1u && printer_read(p, address + size - 1, &last, 1) &&
	    !last)
		size--;
	print_buffer(p, address, size);
}

static void show_set_value(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_xattr_value(p, value, p->call->args[3]);
}

/* With a size of 0 the call only returns the size of the value. */
static void show_got_value(struct printer *p, uint64_t value, const void *data)
{
	uint64_t size = p->call->args[p->arg + 1];

	(void)data;
	if (size)
		print_xattr_value(p, value, (uint64_t)p->call->ret);
	else
		show_pointer(p, value, NULL);
}

/* Show names, each terminated by a NUL. */
static void show_names(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if (p->call->args[p->arg + 1])
		print_buffer(p, value, (uint64_t)p->call->ret);
	else
		show_pointer(p, value, NULL);
}

/* clang-format off */
static const struct call_form xattr_forms[] = {
	{ .name = "setxattr", .classes = FILE_,
	  .prototype = "const char * pathname, const char * name, const void * value, "
		       "size_t size, int flags",
	  .args = { [2] = SHOW(show_set_value), [4] = FLAGS(xattr_flags) } },
	{ .name = "lsetxattr", .classes = FILE_,
	  .prototype = "const char * pathname, const char * name, const void * value, "
		       "size_t size, int flags",
	  .args = { [2] = SHOW(show_set_value), [4] = FLAGS(xattr_flags) } },
	{ .name = "fsetxattr", .classes = DESC,
	  .prototype = "int fd, const char * name, const void * value, size_t size, int flags",
	  .args = { [2] = SHOW(show_set_value), [4] = FLAGS(xattr_flags) } },
	{ .name = "getxattr", .classes = FILE_,
	  .prototype = "const char * pathname, const char * name, void * value, size_t size",
	  .args = { [2] = SHOW_OUT(show_got_value) } },
	{ .name = "lgetxattr", .classes = FILE_,
	  .prototype = "const char * pathname, const char * name, void * value, size_t size",
	  .args = { [2] = SHOW_OUT(show_got_value) } },
	{ .name = "fgetxattr", .classes = DESC,
	  .prototype = "int fd, const char * name, void * value, size_t size",
	  .args = { [2] = SHOW_OUT(show_got_value) } },
	{ .name = "listxattr", .classes = FILE_,
	  .prototype = "const char * pathname, char * list, size_t size",
	  .args = { [1] = SHOW_OUT(show_names) } },
	{ .name = "llistxattr", .classes = FILE_,
	  .prototype = "const char * pathname, char * list, size_t size",
	  .args = { [1] = SHOW_OUT(show_names) } },
	{ .name = "flistxattr", .classes = DESC,
	  .prototype = "int fd, char * list, size_t size",
	  .args = { [1] = SHOW_OUT(show_names) } },
	{ .name = "removexattr", .classes = FILE_,
	  .prototype = "const char * pathname, const char * name" },
	{ .name = "lremovexattr", .classes = FILE_,
	  .prototype = "const char * pathname, const char * name" },
	{ .name = "fremovexattr", .classes = DESC,
	  .prototype = "int fd, const char * name" },
	{ .name = "setxattrat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * pathname, unsigned int at_flags, "
		       "const char * name, const struct xattr_args * uargs, size_t usize",
	  .args = { [2] = FLAGS(at_flags) } },
	{ .name = "getxattrat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * pathname, unsigned int at_flags, "
		       "const char * name, struct xattr_args * uargs, size_t usize",
	  .args = { [2] = FLAGS(at_flags) } },
	{ .name = "listxattrat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * pathname, unsigned int at_flags, char * list, "
		       "size_t size",
	  .args = { [2] = FLAGS(at_flags) } },
	{ .name = "removexattrat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * pathname, unsigned int at_flags, "
		       "const char * name",
	  .args = { [2] = FLAGS(at_flags) } },
};
/* clang-format on */

CALL_FAMILY(xattr);
