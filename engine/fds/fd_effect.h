/*
 * fd_effect - one system call's effect on descriptors, and what it is made with.
 *
 * Part of fd_calls.h, whose table says which call has which effect: what opens something
 * (fd_opens.c), what is done with sockets (fd_socket_calls.c), and what copies, closes and
 * shares (fd_dup.c). Under the lock of fds.h.
 */
#ifndef FDS_FD_EFFECT_H
#define FDS_FD_EFFECT_H

#include "engine/fds/fd_call.h"

#define FD_NO_FLAGS 7 /* as `flags_arg`: the call has none */

struct fd_effect {
	void (*apply)(const struct fd_call *change, const struct fd_effect *effect);
	const char *text; /* what it opens is called, as /proc/PID/fd has it */
	uint8_t flags_arg;
	uint64_t cloexec; /* the bit of that argument; FD_NO_FLAGS: not 0 is always */
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
/* What the call had filled in when it returned, or was given; false: not known. */
bool fd_change_read_exit(const struct fd_call *change, uint64_t address, void *to, size_t len);
bool fd_change_read_enter(const struct fd_call *change, uint64_t address, void *to, size_t len);
/*
 * What the source told of a number, of that file from since_ns on, or with 0 ever; false: nothing,
 * or nothing that says it all.
 */
bool fd_change_take_facts(const struct fd_call *change, int fd, struct fd_file *file,
			  uint64_t since_ns);
/* The number is that file from now on. Takes it over. */
void fd_change_open(const struct fd_call *change, int fd, struct fd_file *file, bool cloexec);
/* What a pidfd of that process is. The caller's. */
struct fd_file *fd_change_pidfd(const struct fd_call *change, int pid);
/* What the number was when the call entered, which is this change's to alter; or NULL. */
struct fd_file *fd_change_file(const struct fd_call *change, int fd);

#endif
