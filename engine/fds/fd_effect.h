/*
 * fd_effect - effect of one system call on descriptors, and helpers to apply it.
 *
 * Part of fd_calls.h, whose table maps calls to effects. fd_opens.c has the calls that open files,
 * fd_socket_calls.c the socket calls, fd_dup.c the calls that copy, close and share descriptors.
 * Under the lock of fds.h.
 */
#ifndef FDS_FD_EFFECT_H
#define FDS_FD_EFFECT_H

#include "engine/fds/fd_call.h"

#define FD_NO_FLAGS 7 /* flags_arg of a call without flags */

struct fd_effect {
	void (*apply)(const struct fd_call *change, const struct fd_effect *effect);
	const char *text; /* text of the opened file, as the link in /proc/PID/fd shows it */
	uint8_t flags_arg;
	uint64_t cloexec; /* close-on-exec bit in that argument; FD_NO_FLAGS: if not 0, always */
};

typedef void fd_effect_fn(const struct fd_call *change, const struct fd_effect *effect);

fd_effect_fn fd_effect_open_as, fd_effect_open_here, fd_effect_open_at, fd_effect_open_how,
	fd_effect_open_pidfd, fd_effect_open_memfd, fd_effect_open_pipe, fd_effect_open_signalfd,
	fd_effect_open_bpf;
fd_effect_fn fd_effect_open_socket, fd_effect_open_socketpair, fd_effect_open_accepted,
	fd_effect_listen_socket, fd_effect_bind_socket, fd_effect_connect_socket,
	fd_effect_reported_local, fd_effect_reported_remote, fd_effect_receive,
	fd_effect_receive_many;
fd_effect_fn fd_effect_dup_fd, fd_effect_control_fd, fd_effect_control_device, fd_effect_close_fd,
	fd_effect_close_many, fd_effect_enter_directory, fd_effect_enter_fd, fd_effect_clone_task,
	fd_effect_clone_task_by, fd_effect_unshare_task;

bool fd_effect_is_cloexec(const struct fd_call *change, const struct fd_effect *effect);

uint64_t fd_change_end_ns(const struct fd_call *change);
/* Copy bytes, as captured at the exit or at the enter of the call. False: not captured. */
bool fd_change_read_exit(const struct fd_call *change, uint64_t address, void *to, size_t len);
bool fd_change_read_enter(const struct fd_call *change, uint64_t address, void *to, size_t len);
/*
 * Apply the facts that the source captured for a descriptor to its file. They hold since since_ns;
 * 0: always. False: no facts, or incomplete facts.
 */
bool fd_change_take_facts(const struct fd_call *change, int fd, struct fd_file *file,
			  uint64_t since_ns);
/* Make the descriptor refer to the file since this call. Takes over the caller's reference. */
void fd_change_open(const struct fd_call *change, int fd, struct fd_file *file, bool cloexec);
/* Create the file of a pidfd for a process. The caller owns the reference. */
struct fd_file *fd_change_pidfd(const struct fd_call *change, int pid);
/*
 * Return the file of the descriptor at the enter of the call, for this change to modify; or NULL.
 */
struct fd_file *fd_change_file(const struct fd_call *change, int fd);

#endif
