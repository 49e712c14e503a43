/* Vectors of buffers; messages. */
#include "engine/decode/families/control.h"
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

void print_vector(struct printer *p, uint64_t address, uint64_t count, int holds, uint64_t limit)
{
	struct iovec vector;

	if (!address) {
		PUT(p, "NULL");
		return;
	}
	if (!count) {
		PUT(p, "[]");
		return;
	}
	for (uint64_t i = 0; i < count; i++) {
		if (i == printer_items(p)) {
			str_add(p->out, i ? ", ..." : "[...");
			break;
		}
		/* Vectors are inputs: the kernel does not write to them. */
		if (!printer_read_enter(p, address + i * sizeof(vector), &vector, sizeof(vector))) {
			if (!i) {
				str_addx(p->out, address);
				return;
			}
			PUT(p, ", ... /* ");
			str_addx(p->out, address + i * sizeof(vector));
			PUT(p, " */");
			break;
		}
		str_add(p->out, i ? ", " : "[");
		PUT(p, "{iov_base=");
		if (holds != VECTOR_ADDRESSES) {
			uint64_t len = vector.iov_len < limit ? vector.iov_len : limit;

			print_netlink(p, (uintptr_t)vector.iov_base, len, holds);
			if (limit != UINT64_MAX)
				limit -= len;
		} else {
			show_pointer(p, (uintptr_t)vector.iov_base, NULL);
		}
		PUT(p, ", iov_len=");
		str_addu(p->out, vector.iov_len);
		PUT(p, "}");
	}
	PUT(p, "]");
}

/* received: number of received bytes; UINT64_MAX: the call sends the message. */
static void print_message(struct printer *p, const struct msghdr *message, uint64_t name_room,
			  uint64_t received, bool filled)
{
	uint64_t name_len = message->msg_namelen;
	int protocol = netlink_protocol(p, (int)p->call->args[0], (uintptr_t)message->msg_name,
					name_len);

	PUT(p, "{msg_name=");
	if (filled && name_len > name_room)
		print_sockaddr(p, (uintptr_t)message->msg_name, name_room);
	else
		print_sockaddr(p, (uintptr_t)message->msg_name, name_len);
	PUT(p, ", msg_namelen=");
	if (filled && name_room != name_len) {
		str_addd(p->out, (int32_t)name_room);
		PUT(p, " => ");
	}
	str_addd(p->out, (int32_t)message->msg_namelen);
	PUT(p, ", msg_iov=");
	print_vector(p, (uintptr_t)message->msg_iov, message->msg_iovlen, protocol, received);
	PUT(p, ", msg_iovlen=");
	str_addu(p->out, message->msg_iovlen);
	if (message->msg_controllen) {
		PUT(p, ", msg_control=");
		print_control(p, (uintptr_t)message->msg_control, message->msg_controllen);
	}
	PUT(p, ", msg_controllen=");
	str_addu(p->out, message->msg_controllen);
	PUT(p, ", msg_flags=");
	show_flags(p, (uint32_t)message->msg_flags, &message_flags);
	PUT(p, "}");
}

static void show_sent_message(struct printer *p, uint64_t value, const void *data)
{
	struct msghdr message;

	(void)data;
	if (printer_read(p, value, &message, sizeof(message)))
		print_message(p, &message, 0, UINT64_MAX, false);
	else
		show_pointer(p, value, NULL);
}

static void show_received_message(struct printer *p, uint64_t value, const void *data)
{
	struct msghdr before, after;

	(void)data;
	if (!printer_read_enter(p, value, &before, sizeof(before))) {
		show_pointer(p, value, NULL);
		return;
	}
	p->when = BYTES_AT_EXIT;
	if (printer_succeeded(p) && printer_read(p, value, &after, sizeof(after))) {
		/* The vector is an input: read it as of the enter. */
		print_message(p, &after, before.msg_namelen, (uint64_t)p->call->ret, true);
	} else if (p->call->state == CALL_DONE && p->call->ret < 0) {
		PUT(p, "{msg_namelen=");
		str_addd(p->out, (int32_t)before.msg_namelen);
		PUT(p, "}");
	} else {
		show_pointer(p, value, NULL);
	}
}

struct many {
	struct msghdr header;
	uint32_t len;
};

static void show_many(struct printer *p, uint64_t value, uint64_t count, bool received)
{
	uint64_t done = printer_succeeded(p) ? (uint64_t)p->call->ret : 0;
	struct many many, before;

	if (!value || !count || !printer_read(p, value, &many, sizeof(many))) {
		if (value && !count)
			PUT(p, "[]");
		else
			show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "[");
	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = value + i * sizeof(many);

		if (i)
			PUT(p, ", ");
		if (i == printer_items(p) || !printer_read(p, at, &many, sizeof(many))) {
			PUT(p, "...");
			break;
		}
		PUT(p, "{msg_hdr=");
		if (received && printer_read_enter(p, at, &before, sizeof(before)))
			print_message(p, &many.header, before.header.msg_namelen, many.len, true);
		else
			print_message(p, &many.header, 0, UINT64_MAX, false);
		if (i < done) {
			uint32_t len = many.len;

			p->when = BYTES_AT_EXIT;
			if (printer_read(p, at, &many, sizeof(many)))
				len = many.len;
			if (!received)
				p->when = BYTES_AT_ENTER;
			PUT(p, ", msg_len=");
			str_addu(p->out, len);
		}
		PUT(p, "}");
	}
	PUT(p, "]");
}

static void show_sent_many(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	show_many(p, value, (uint32_t)p->call->args[2], false);
}

static void show_received_many(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	show_many(p, value, (uint64_t)p->call->ret, true);
}

static void recvmmsg_result(struct printer *p)
{
	uint64_t left[2];

	str_addd(p->out, p->call->ret);
	if (!p->call->ret) {
		PUT(p, " (Timeout)");
		return;
	}
	p->when = BYTES_AT_EXIT;
	p->arg = 4;
	if (p->call->args[4] && printer_read(p, p->call->args[4], left, sizeof(left))) {
		PUT(p, " (left ");
		element_struct(p, left, &timespec_layout);
		PUT(p, ")");
	}
}

static const struct call_form message_forms[] = {
	{ .name = "sendmsg",
	  .classes = NET,
	  .prototype = "int fd, struct user_msghdr * msg, unsigned int flags",
	  .args = { [1] = SHOW(show_sent_message), [2] = FLAGS(message_flags) } },
	{ .name = "recvmsg",
	  .classes = NET,
	  .prototype = "int fd, struct user_msghdr * msg, unsigned int flags",
	  .args = { [1] = SHOW(show_received_message), [2] = FLAGS(message_flags) } },
	{ .name = "sendmmsg",
	  .classes = NET,
	  .prototype = "int fd, struct mmsghdr * mmsg, unsigned int vlen, unsigned int flags",
	  .args = { [1] = SHOW(show_sent_many), [3] = FLAGS(message_flags) } },
	{ .name = "recvmmsg",
	  .classes = NET,
	  .prototype = "int fd, struct mmsghdr * mmsg, unsigned int vlen, unsigned int flags, "
		       "struct __kernel_timespec * timeout",
	  .args = { [1] = SHOW_OUT(show_received_many),
		    [3] = FLAGS(message_flags),
		    [4] = IN(timespec_layout) },
	  .result = recvmmsg_result },
};

CALL_FAMILY(message);
