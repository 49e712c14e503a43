/* fcntl(2). */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/fcntl.h>

LAYOUT(flock_layout, struct flock, MEMBER_ENUM(struct flock, l_type, lock_types),
       MEMBER_ENUM(struct flock, l_whence, seek_whences), MEMBER(struct flock, l_start, show_long),
       MEMBER(struct flock, l_len, show_long));

/* clang-format off */
LAYOUT(flock_pid_layout, struct flock,
	MEMBER_ENUM(struct flock, l_type, lock_types),
	MEMBER_ENUM(struct flock, l_whence, seek_whences),
	MEMBER(struct flock, l_start, show_long),
	MEMBER(struct flock, l_len, show_long),
	MEMBER(struct flock, l_pid, show_int));
/* clang-format on */

LAYOUT(owner_layout, struct f_owner_ex, MEMBER_ENUM(struct f_owner_ex, type, owner_types),
       MEMBER(struct f_owner_ex, pid, show_int));

static const struct pointee hint_pointee = { 8, show_enum_long, &rw_hints };

static unsigned fcntl_count(const struct call *call)
{
	switch ((uint32_t)call->args[1]) {
	case F_GETFD:
	case F_GETFL:
	case F_GETOWN:
	case F_GETSIG:
	case F_GETLEASE:
	case F_GETPIPE_SZ:
	case F_GET_SEALS:
		return 2;
	default:
		return 3;
	}
}

static void show_filled(struct printer *p, uint64_t value, const struct layout *layout)
{
	if (!printer_succeeded(p)) {
		show_pointer(p, value, NULL);
		return;
	}
	p->when = BYTES_AT_EXIT;
	show_struct(p, value, layout);
}

static void show_fcntl_arg(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	switch ((uint32_t)p->call->args[1]) {
	case F_SETFD:
		show_flags(p, value, &fd_flags);
		break;
	case F_SETFL:
		show_open_flags(p, value, NULL);
		break;
	case F_SETOWN:
	case F_SETPIPE_SZ:
		show_int(p, value, NULL);
		break;
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		show_long(p, value, NULL);
		break;
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		show_struct(p, value, &flock_layout);
		break;
	case F_GETLK:
	case F_OFD_GETLK:
		show_filled(p, value, &flock_pid_layout);
		break;
	case F_SETOWN_EX:
		show_struct(p, value, &owner_layout);
		break;
	case F_GETOWN_EX:
		show_filled(p, value, &owner_layout);
		break;
	case F_GETOWNER_UIDS:
		if (printer_succeeded(p)) {
			p->when = BYTES_AT_EXIT;
			print_array(p, value, 2, 4, element_unsigned, NULL);
		} else {
			show_address(p, value, NULL);
		}
		break;
	case F_SETSIG:
		show_signal(p, value, NULL);
		break;
	case F_SETLEASE:
		show_enum_long(p, value, &lock_types);
		break;
	case F_NOTIFY:
		show_flags_long(p, value, &notify_flags);
		break;
	case F_ADD_SEALS:
		show_flags(p, value, &seals);
		break;
	case F_SET_RW_HINT:
	case F_SET_FILE_RW_HINT:
		show_pointee(p, value, &hint_pointee);
		break;
	case F_GET_RW_HINT:
	case F_GET_FILE_RW_HINT:
		p->when = BYTES_AT_EXIT;
		if (printer_succeeded(p))
			show_pointee(p, value, &hint_pointee);
		else
			show_pointer(p, value, NULL);
		break;
	default:
		show_address(p, value, NULL);
		break;
	}
}

static void fcntl_result(struct printer *p)
{
	uint64_t ret = (uint64_t)p->call->ret;

	switch ((uint32_t)p->call->args[1]) {
	case F_GETFD:
		result_with_flags(p, ret, &fd_flags);
		break;
	case F_GETFL:
		str_addx(p->out, ret);
		PUT(p, " (flags ");
		show_open_flags(p, ret, NULL);
		PUT(p, ")");
		break;
	case F_GETLEASE:
		str_addx(p->out, ret);
		PUT(p, " (");
		show_enum(p, ret, &lock_types);
		PUT(p, ")");
		break;
	case F_GET_SEALS:
		str_addx(p->out, ret);
		if (ret) {
			PUT(p, " (seals ");
			show_flags(p, ret, &seals);
			PUT(p, ")");
		}
		break;
	case F_GETSIG:
		str_addd(p->out, p->call->ret);
		if (ret) {
			PUT(p, " (");
			show_signal(p, ret, NULL);
			PUT(p, ")");
		}
		break;
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		result_fd(p);
		break;
	default:
		str_addd(p->out, p->call->ret);
		break;
	}
}

static const struct call_form fcntl_forms[] = {
	{ .name = "fcntl",
	  .classes = DESC,
	  .prototype = "unsigned int fd, unsigned int cmd, unsigned long arg",
	  .args = { [1] = ENUM(fcntl_commands), [2] = SHOW(show_fcntl_arg) },
	  .count = fcntl_count,
	  .result = fcntl_result },
};

CALL_FAMILY(fcntl);
