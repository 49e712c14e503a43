/* poll, select, epoll, eventfd. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <poll.h>
#include <string.h>
#include <sys/epoll.h>

static void element_pollfd(struct printer *p, const void *element, const void *data)
{
	const struct pollfd *fd = element;

	(void)data;
	PUT(p, "{fd=");
	show_fd(p, (uint32_t)fd->fd, NULL);
	if (fd->fd >= 0) {
		PUT(p, ", events=");
		show_flags(p, (uint16_t)fd->events, &poll_events);
	}
	PUT(p, "}");
}

static void show_pollfds(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_array(p, value, (uint32_t)p->call->args[1], sizeof(struct pollfd), element_pollfd,
		    NULL);
}

static void print_time_left(struct printer *p, uint64_t address, const struct layout *layout)
{
	uint64_t left[2];

	p->when = BYTES_AT_EXIT;
	if (!printer_read(p, address, left, sizeof(left)))
		return;
	PUT(p, ", left ");
	element_struct(p, left, layout);
}

#define POLLED_MAX 65536 /* maximum number of entries that are searched for ready ones */

/* Print the ready entries: "([{fd=3, revents=POLLIN}])". */
static void print_ready(struct printer *p, uint64_t timeout)
{
	uint64_t count = (uint32_t)p->call->args[1], said = 0;
	uint64_t address = p->call->args[0];
	struct pollfd fd;

	str_addd(p->out, p->call->ret);
	if (!p->call->ret) {
		PUT(p, " (Timeout)");
		return;
	}
	p->when = BYTES_AT_EXIT;
	for (uint64_t i = 0; i < count && i < POLLED_MAX; i++) {
		if (!printer_read(p, address + i * sizeof(fd), &fd, sizeof(fd))) {
			if (said)
				PUT(p, ", ...");
			break;
		}
		if (!fd.revents)
			continue;
		if (!said)
			PUT(p, " ([");
		else
			PUT(p, ", ");
		if (said == printer_items(p)) {
			PUT(p, "...");
			break;
		}
		PUT(p, "{fd=");
		show_fd(p, (uint32_t)fd.fd, NULL);
		PUT(p, ", revents=");
		show_flags(p, (uint16_t)fd.revents, &poll_events);
		PUT(p, "}");
		said++;
	}
	if (said) {
		PUT(p, "]");
		if (timeout)
			print_time_left(p, timeout, &timespec_layout);
		PUT(p, ")");
	}
}

static void poll_result(struct printer *p)
{
	p->arg = 0;
	print_ready(p, 0);
}

static void ppoll_result(struct printer *p)
{
	p->arg = 0;
	print_ready(p, p->call->args[2]);
}

#define SET_FDS 1024

/* Print in brackets the members of the set that are below `count`. Return their number. */
static unsigned print_fd_set(struct printer *p, const uint64_t *words, int count)
{
	unsigned said = 0;

	PUT(p, "[");
	for (int fd = 0; fd < count; fd++) {
		if (!(words[fd / 64] >> (fd % 64) & 1))
			continue;
		if (said++)
			PUT(p, " ");
		show_fd(p, (uint32_t)fd, NULL);
	}
	PUT(p, "]");
	return said;
}

/* Return the number of descriptors, at most SET_FDS. *bytes: size of the set. */
static int set_fds(const struct printer *p, size_t *bytes)
{
	int count = (int32_t)p->call->args[0];

	if (count < 0)
		count = 0;
	if (count > SET_FDS)
		count = SET_FDS;
	*bytes = ((size_t)count + 63) / 64 * 8;
	return count;
}

static void show_fd_set(struct printer *p, uint64_t value, const void *data)
{
	uint64_t words[SET_FDS / 64];
	size_t bytes;
	int count = set_fds(p, &bytes);

	(void)data;
	if (!count || !printer_read(p, value, words, bytes))
		show_pointer(p, value, NULL);
	else
		print_fd_set(p, words, count);
}

static void select_result(struct printer *p)
{
	static const char *const names[] = { "in ", "out ", "except " };
	uint64_t words[SET_FDS / 64], timeout = p->call->args[4];
	const struct layout *layout = strcmp(p->form->name, "select") ? &timespec_layout
								      : &timeval_layout;
	size_t bytes;
	int count = set_fds(p, &bytes);
	bool said = false;

	str_addd(p->out, p->call->ret);
	if (!p->call->ret) {
		PUT(p, " (Timeout)");
		return;
	}
	p->when = BYTES_AT_EXIT;
	for (unsigned i = 0; i < 3; i++) {
		bool any = false;

		p->arg = (uint8_t)(i + 1);
		if (!p->call->args[i + 1] || !bytes ||
		    !printer_read(p, p->call->args[i + 1], words, bytes))
			continue;
		for (int fd = 0; fd < count; fd++)
			any |= words[fd / 64] >> (fd % 64) & 1;
		if (!any)
			continue;
		str_add(p->out, said ? ", " : " (");
		said = true;
		str_add(p->out, names[i]);
		print_fd_set(p, words, count);
	}
	p->arg = 4;
	if (timeout) {
		uint64_t left[2];

		if (printer_read(p, timeout, left, sizeof(left))) {
			str_add(p->out, said ? ", left " : " (left ");
			said = true;
			element_struct(p, left, layout);
		}
	}
	if (said)
		PUT(p, ")");
}

static const struct sigset_arg size_at_4 = { 4 }, size_at_5 = { 5 };

/* The last argument of pselect6(): a struct with the address and the size of a signal set. */
static void show_sigset_with_size(struct printer *p, uint64_t value, const void *data)
{
	uint64_t pair[2], bits;

	(void)data;
	if (!printer_read(p, value, pair, sizeof(pair))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{sigmask=");
	if (pair[1] == 8 && printer_read(p, pair[0], &bits, 8))
		print_sigset(p, bits);
	else
		show_pointer(p, pair[0], NULL);
	PUT(p, ", sigsetsize=");
	str_addu(p->out, pair[1]);
	PUT(p, "}");
}

static void element_epoll_event(struct printer *p, const void *element, const void *data)
{
	struct epoll_event event;

	(void)data;
	memcpy(&event, element, sizeof(event));
	PUT(p, "{events=");
	show_flags(p, event.events, &epoll_events);
	str_addf(p->out, ", data={u32=%u, u64=%llu}}", event.data.u32,
		 (unsigned long long)event.data.u64);
}

static void show_epoll_event(struct printer *p, uint64_t value, const void *data)
{
	struct epoll_event event;

	if ((uint32_t)p->call->args[1] == EPOLL_CTL_DEL ||
	    !printer_read(p, value, &event, sizeof(event)))
		show_pointer(p, value, NULL);
	else
		element_epoll_event(p, &event, data);
}

static void show_epoll_events(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_array(p, value, (uint64_t)p->call->ret, sizeof(struct epoll_event),
		    element_epoll_event, NULL);
}

/* clang-format off */
static const struct call_form poll_forms[] = {
	{ .name = "poll", .classes = DESC,
	  .prototype = "struct pollfd * ufds, unsigned int nfds, int timeout_msecs",
	  .args = { [0] = SHOW(show_pollfds) },
	  .result = poll_result },
	{ .name = "ppoll", .classes = DESC,
	  .prototype = "struct pollfd * ufds, unsigned int nfds, "
		       "struct __kernel_timespec * tsp, const sigset_t * sigmask, "
		       "size_t sigsetsize",
	  .args = { [0] = SHOW(show_pollfds), [2] = IN(timespec_layout),
		    [3] = SHOW_WITH(show_sigset, &size_at_4) },
	  .result = ppoll_result },
	{ .name = "select", .classes = DESC,
	  .prototype = "int n, fd_set * inp, fd_set * outp, fd_set * exp, "
		       "struct __kernel_old_timeval * tvp",
	  .args = { [1] = SHOW(show_fd_set), [2] = SHOW(show_fd_set), [3] = SHOW(show_fd_set),
		    [4] = IN(timeval_layout) },
	  .result = select_result },
	{ .name = "pselect6", .classes = DESC,
	  .prototype = "int n, fd_set * inp, fd_set * outp, fd_set * exp, "
		       "struct __kernel_timespec * tsp, void * sig",
	  .args = { [1] = SHOW(show_fd_set), [2] = SHOW(show_fd_set), [3] = SHOW(show_fd_set),
		    [4] = IN(timespec_layout), [5] = SHOW(show_sigset_with_size) },
	  .result = select_result },
	{ .name = "epoll_create", .classes = DESC,
	  .prototype = "int size",
	  .result = result_fd },
	{ .name = "epoll_create1", .classes = DESC,
	  .prototype = "int flags",
	  .args = { [0] = FLAGS(epoll_flags) },
	  .result = result_fd },
	{ .name = "epoll_ctl", .classes = DESC,
	  .prototype = "int epfd, int op, int fd, struct epoll_event * event",
	  .args = { [1] = ENUM(epoll_controls), [2] = SHOW(show_fd),
		    [3] = SHOW(show_epoll_event) } },
	{ .name = "epoll_wait", .classes = DESC,
	  .prototype = "int epfd, struct epoll_event * events, int maxevents, int timeout",
	  .args = { [1] = SHOW_OUT(show_epoll_events) } },
	{ .name = "epoll_pwait", .classes = DESC,
	  .prototype = "int epfd, struct epoll_event * events, int maxevents, int timeout, "
		       "const sigset_t * sigmask, size_t sigsetsize",
	  .args = { [1] = SHOW_OUT(show_epoll_events), [4] = SHOW_WITH(show_sigset,
	  	&size_at_5) } },
	{ .name = "epoll_pwait2", .classes = DESC,
	  .prototype = "int epfd, struct epoll_event * events, int maxevents, "
		       "const struct __kernel_timespec * timeout, const sigset_t * sigmask, "
		       "size_t sigsetsize",
	  .args = { [1] = SHOW_OUT(show_epoll_events), [3] = IN(timespec_layout),
		    [4] = SHOW_WITH(show_sigset, &size_at_5) } },
	{ .name = "epoll_ctl_old",
	  .arguments = 4 },
	{ .name = "epoll_wait_old",
	  .arguments = 4 },
	{ .name = "eventfd", .classes = DESC,
	  .prototype = "unsigned int count",
	  .result = result_fd },
	{ .name = "eventfd2", .classes = DESC,
	  .prototype = "unsigned int count, int flags",
	  .args = { [1] = FLAGS(eventfd_flags) },
	  .result = result_fd },
};
/* clang-format on */

CALL_FAMILY(poll);
