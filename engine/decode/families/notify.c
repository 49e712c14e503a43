/* inotify and fanotify. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/fanotify.h>

#define CLASS_BITS ((uint32_t)(FAN_CLASS_CONTENT | FAN_CLASS_PRE_CONTENT))

static void show_fanotify_init(struct printer *p, uint64_t value, const void *data)
{
	uint32_t flags = (uint32_t)value;

	(void)data;
	print_enum(p, flags & CLASS_BITS, &fanotify_classes);
	print_more_flags(p, flags & ~CLASS_BITS, &fanotify_init_flags);
}

static void show_fanotify_dir(struct printer *p, uint64_t value, const void *data)
{
	if ((int32_t)value == -1)
		PUT(p, "FAN_NOFD");
	else
		show_dir_fd(p, value, data);
}

static const struct call_form notify_forms[] = {
	{ .name = "inotify_init", .classes = DESC, .prototype = "", .result = result_fd },
	{ .name = "inotify_init1",
	  .classes = DESC,
	  .prototype = "int flags",
	  .args = { [0] = FLAGS(inotify_init_flags) },
	  .result = result_fd },
	{ .name = "inotify_add_watch",
	  .classes = DESC | FILE_,
	  .prototype = "int fd, const char * pathname, u32 mask",
	  .args = { [2] = FLAGS(inotify_masks) } },
	{ .name = "inotify_rm_watch", .classes = DESC, .prototype = "int fd, __s32 wd" },
	{ .name = "fanotify_init",
	  .classes = DESC,
	  .prototype = "unsigned int flags, unsigned int event_f_flags",
	  .args = { [0] = SHOW(show_fanotify_init), [1] = SHOW(show_open_flags) },
	  .result = result_fd },
	{ .name = "fanotify_mark",
	  .classes = DESC | FILE_,
	  .prototype = "int fanotify_fd, unsigned int flags, __u64 mask, int dfd, "
		       "const char * pathname",
	  .args = { [1] = FLAGS(fanotify_mark_flags),
		    [2] = FLAGS_LONG(fanotify_event_flags),
		    [3] = SHOW(show_fanotify_dir) } },
};

CALL_FAMILY(notify);
