#include "engine/fds/fd_calls.h"

#include "engine/fds/fd_effect.h"
#include "engine/record/capture_chunks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fanotify.h>
#include <linux/memfd.h>
#include <linux/perf_event.h>
#include <sys/socket.h>
#include <sys/syscall.h>

bool fd_calls_read(const struct fd_chunks pointed[2], bool at_exit, uint64_t address, void *to,
		   size_t len)
{
	for (int i = 0; i < 2; i++)
		if (capture_chunks_read(pointed[i].bytes, pointed[i].len, address, at_exit, to,
					len))
			return true;
	return false;
}

bool fd_calls_text(const struct fd_chunks pointed[2], uint64_t address, const char **text,
		   size_t *len)
{
	for (int i = 0; i < 2; i++)
		if (capture_chunks_text(pointed[i].bytes, pointed[i].len, address, false, text,
					len))
			return true;
	return false;
}

/* -- Table of effects ------------------------------------------------------------------------- */

/* clang-format off */
#define OPENS(function, arg, bit) { .apply = (function), .flags_arg = (arg), .cloexec = (bit) }
/* clang-format on */
#define ANON(name, arg, bit) \
	{ \
		.apply = fd_effect_open_as, .text = (name), .flags_arg = (arg), .cloexec = (bit) \
	}
#define DOES(function) \
	{ \
		.apply = (function), .flags_arg = FD_NO_FLAGS \
	}

static const struct fd_effect effects[FD_CALLS_NR_MAX] = {
#ifdef SYS_open
	[SYS_open] = OPENS(fd_effect_open_here, 1, O_CLOEXEC),
	[SYS_creat] = OPENS(fd_effect_open_here, FD_NO_FLAGS, 0),
	[SYS_pipe] = OPENS(fd_effect_open_pipe, FD_NO_FLAGS, 0),
	[SYS_dup2] = OPENS(fd_effect_dup_fd, FD_NO_FLAGS, 0),
	[SYS_epoll_create] = ANON("anon_inode:[eventpoll]", FD_NO_FLAGS, 0),
	[SYS_eventfd] = ANON("anon_inode:[eventfd]", FD_NO_FLAGS, 0),
	[SYS_signalfd] = { fd_effect_open_signalfd, "anon_inode:[signalfd]", FD_NO_FLAGS, 0 },
	[SYS_inotify_init] = ANON("anon_inode:inotify", FD_NO_FLAGS, 0),
#endif
	[SYS_openat] = OPENS(fd_effect_open_at, 2, O_CLOEXEC),
	[SYS_openat2] = DOES(fd_effect_open_how),
	[SYS_pipe2] = OPENS(fd_effect_open_pipe, 1, O_CLOEXEC),
	[SYS_epoll_create1] = ANON("anon_inode:[eventpoll]", 0, O_CLOEXEC),
	[SYS_eventfd2] = ANON("anon_inode:[eventfd]", 1, O_CLOEXEC),
	[SYS_signalfd4] = { fd_effect_open_signalfd, "anon_inode:[signalfd]", 3, O_CLOEXEC },
	[SYS_timerfd_create] = ANON("anon_inode:[timerfd]", 1, O_CLOEXEC),
	[SYS_inotify_init1] = ANON("anon_inode:inotify", 0, O_CLOEXEC),
	[SYS_fanotify_init] = ANON("anon_inode:[fanotify]", 0, FAN_CLOEXEC),
	[SYS_userfaultfd] = ANON("anon_inode:[userfaultfd]", 0, O_CLOEXEC),
	[SYS_io_uring_setup] = ANON("anon_inode:[io_uring]", FD_NO_FLAGS, 1),
	[SYS_perf_event_open] = ANON("anon_inode:[perf_event]", 4, PERF_FLAG_FD_CLOEXEC),
	[SYS_bpf] = DOES(fd_effect_open_bpf),
	[SYS_landlock_create_ruleset] = ANON("anon_inode:[landlock-ruleset]", FD_NO_FLAGS, 1),
	[SYS_memfd_create] = OPENS(fd_effect_open_memfd, 1, MFD_CLOEXEC),
	[SYS_memfd_secret] = ANON(NULL, 0, O_CLOEXEC),
	[SYS_pidfd_open] = DOES(fd_effect_open_pidfd),
	[SYS_pidfd_getfd] = ANON(NULL, FD_NO_FLAGS, 1),
	[SYS_open_by_handle_at] = ANON(NULL, 2, O_CLOEXEC),
	[SYS_mq_open] = ANON(NULL, 1, O_CLOEXEC),
	[SYS_open_tree] = ANON(NULL, 2, O_CLOEXEC),
	[SYS_fsopen] = ANON("anon_inode:[fscontext]", 1, 1),
	[SYS_fspick] = ANON("anon_inode:[fscontext]", 2, 1),
	[SYS_fsmount] = ANON(NULL, 1, 1),

	[SYS_socket] = OPENS(fd_effect_open_socket, 1, SOCK_CLOEXEC),
	[SYS_socketpair] = OPENS(fd_effect_open_socketpair, 1, SOCK_CLOEXEC),
	[SYS_accept] = OPENS(fd_effect_open_accepted, FD_NO_FLAGS, 0),
	[SYS_accept4] = OPENS(fd_effect_open_accepted, 3, SOCK_CLOEXEC),
	[SYS_listen] = DOES(fd_effect_listen_socket),
	[SYS_bind] = DOES(fd_effect_bind_socket),
	[SYS_connect] = DOES(fd_effect_connect_socket),
	[SYS_getsockname] = DOES(fd_effect_reported_local),
	[SYS_getpeername] = DOES(fd_effect_reported_remote),
	[SYS_recvmsg] = DOES(fd_effect_receive),
	[SYS_recvmmsg] = DOES(fd_effect_receive_many),

	[SYS_dup] = OPENS(fd_effect_dup_fd, FD_NO_FLAGS, 0),
	[SYS_dup3] = OPENS(fd_effect_dup_fd, 2, O_CLOEXEC),
	[SYS_fcntl] = DOES(fd_effect_control_fd),
	[SYS_ioctl] = DOES(fd_effect_control_device),
	[SYS_close] = DOES(fd_effect_close_fd),
	[SYS_close_range] = DOES(fd_effect_close_many),
	[SYS_chdir] = DOES(fd_effect_enter_directory),
	[SYS_fchdir] = DOES(fd_effect_enter_fd),
	[SYS_clone] = DOES(fd_effect_clone_task),
	[SYS_clone3] = DOES(fd_effect_clone_task_by),
	[SYS_unshare] = DOES(fd_effect_unshare_task),
};

bool fd_calls_has(uint32_t nr)
{
	return nr < FD_CALLS_NR_MAX && effects[nr].apply;
}

/* A connect() that returned EINPROGRESS continues in the background. */
static bool took_effect(const struct call *call)
{
	if (call->nr == SYS_close)
		return !call_failed(call) || call->ret != -EBADF;
	if (call->nr == SYS_connect && call->state == CALL_DONE && call->ret == -EINPROGRESS)
		return true;
	return call->state == CALL_DONE && !call_failed(call);
}

void fd_calls_apply(const struct fd_call *change)
{
	const struct fd_effect *effect = &effects[change->call->nr];

	if (took_effect(change->call))
		effect->apply(change, effect);
}
