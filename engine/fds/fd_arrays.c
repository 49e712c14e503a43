#include "engine/fds/fd_arrays.h"

#include <poll.h>
#include <sys/socket.h>

#define CONTROL_MAX 4096 /* longer control data of a message is not parsed */
#define SET_FDS_MAX 1024 /* number of bits in a set: FD_SETSIZE */
#define POLL_FDS_MAX 1024 /* maximum number of members examined, negative descriptors included */
#define WORD_BITS 64

static size_t poll_fds(const struct call *call, const struct fd_chunks pointed[2], int32_t *fds,
		       size_t max)
{
	struct pollfd asked;
	size_t count = 0;

	for (uint64_t i = 0; i < (uint32_t)call->args[1] && i < POLL_FDS_MAX && count < max; i++) {
		uint64_t at = call->args[0] + i * sizeof(asked);

		if (!fd_calls_read(pointed, false, at, &asked, sizeof(asked)) &&
		    !fd_calls_read(pointed, true, at, &asked, sizeof(asked)))
			break;
		if (asked.fd >= 0)
			fds[count++] = asked.fd;
	}
	return count;
}

/* A descriptor in several sets counts once. */
static size_t set_fds(const struct call *call, const struct fd_chunks pointed[2], int32_t *fds,
		      size_t max)
{
	/* nfds is an int: the upper half of the register is undefined. */
	int32_t wanted = (int32_t)call->args[0];
	uint64_t end = wanted < 0 ? 0 : wanted < SET_FDS_MAX ? (uint64_t)wanted : SET_FDS_MAX;
	size_t count = 0;

	for (uint64_t first = 0; first < end && count < max; first += WORD_BITS) {
		uint64_t in_any = 0, in_one;

		for (int set = 1; set <= 3; set++)
			if (call->args[set] &&
			    fd_calls_read(pointed, false, call->args[set] + first / 8, &in_one,
					  sizeof(in_one)))
				in_any |= in_one;
		for (unsigned bit = 0; in_any >> bit && count < max; bit++) {
			if (in_any >> bit & 1 && first + bit < end)
				fds[count++] = (int32_t)(first + bit);
			if (bit == WORD_BITS - 1)
				break;
		}
	}
	return count;
}

size_t fd_arrays_rights(const struct fd_chunks pointed[2], uint64_t message_at, bool at_exit,
			int32_t *fds, size_t max)
{
	struct cmsghdr header;
	struct msghdr message;
	uint64_t at, end;
	size_t count = 0;

	if (!fd_calls_read(pointed, at_exit, message_at, &message, sizeof(message)))
		return 0;
	at = (uint64_t)(uintptr_t)message.msg_control;
	if (!at || message.msg_controllen > CONTROL_MAX)
		return 0;
	end = at + message.msg_controllen;
	while (end - at >= sizeof(header) &&
	       fd_calls_read(pointed, at_exit, at, &header, sizeof(header)) &&
	       header.cmsg_len >= sizeof(header) && header.cmsg_len <= end - at) {
		uint64_t fd_at = at + CMSG_LEN(0), rights_end = at + header.cmsg_len;
		bool rights = header.cmsg_level == SOL_SOCKET && header.cmsg_type == SCM_RIGHTS;

		for (; rights && fd_at + sizeof(*fds) <= rights_end && count < max;
		     fd_at += sizeof(*fds))
			if (fd_calls_read(pointed, at_exit, fd_at, &fds[count], sizeof(*fds)) &&
			    fds[count] >= 0)
				count++;
		if (CMSG_ALIGN(header.cmsg_len) >= end - at)
			break;
		at += CMSG_ALIGN(header.cmsg_len);
	}
	return count;
}

static size_t pair_fds(const struct call *call, const struct fd_chunks pointed[2], uint64_t at,
		       int32_t *fds, size_t max)
{
	return call_failed(call) || max < 2 ||
			       !fd_calls_read(pointed, true, at, fds, 2 * sizeof(*fds))
		       ? 0
		       : 2;
}

size_t fd_arrays_find(enum fd_array kind, const struct call *call,
		      const struct fd_chunks pointed[2], int32_t *fds, size_t max)
{
	switch (kind) {
	case FD_ARRAY_POLL:
		return poll_fds(call, pointed, fds, max);
	case FD_ARRAY_SETS:
		return set_fds(call, pointed, fds, max);
	case FD_ARRAY_SENT:
		return fd_arrays_rights(pointed, call->args[1], false, fds, max);
	case FD_ARRAY_RECEIVED:
		return fd_arrays_rights(pointed, call->args[1], true, fds, max);
	case FD_ARRAY_PAIR:
		return pair_fds(call, pointed, call->args[0], fds, max);
	case FD_ARRAY_LAST_PAIR:
		return pair_fds(call, pointed, call->args[3], fds, max);
	case FD_ARRAY_NONE:
		break;
	}
	return 0;
}

bool fd_arrays_opened(enum fd_array kind)
{
	return kind == FD_ARRAY_RECEIVED || kind == FD_ARRAY_PAIR || kind == FD_ARRAY_LAST_PAIR;
}
