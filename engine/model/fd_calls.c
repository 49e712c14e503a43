#include "engine/model/fd_calls.h"

#include "engine/base/mem.h"
#include "engine/base/str.h"
#include "engine/model/capture_chunks.h"
#include "engine/model/fd_paths.h"
#include "engine/model/fd_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/fanotify.h>
#include <linux/memfd.h>
#include <linux/openat2.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#define NO_FLAGS 7	/* as `flags_arg`: the call has none */
#define CONTROL_MAX 4096 /* of a message's control data that is looked at */

struct fd_effect {
	void (*apply)(const struct fd_call *change, const struct fd_effect *effect);
	const char *text;    /* what it opens is called, as /proc/PID/fd has it */
	uint8_t flags_arg;
	uint64_t cloexec;    /* the bit of that argument; NO_FLAGS: not 0 is always */
};

static uint64_t end_ns(const struct call *call)
{
	return call->enter_ns + (call->dur_ns > 0 ? (uint64_t)call->dur_ns : 0);
}

static bool read_when(const struct fd_call *change, bool at_exit, uint64_t address, void *to,
		      size_t len)
{
	for (int i = 0; i < 2; i++)
		if (capture_chunks_read(change->pointed[i].bytes, change->pointed[i].len, address,
					at_exit, to, len))
			return true;
	return false;
}

static bool read_exit(const struct fd_call *change, uint64_t address, void *to, size_t len)
{
	return read_when(change, true, address, to, len);
}

static bool read_enter(const struct fd_call *change, uint64_t address, void *to, size_t len)
{
	return read_when(change, false, address, to, len);
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

static bool is_cloexec(const struct fd_call *change, const struct fd_effect *effect)
{
	if (effect->flags_arg == NO_FLAGS)
		return effect->cloexec != 0;
	return change->call->args[effect->flags_arg] & effect->cloexec;
}

/* Takes the file over. */
static void open_file(const struct fd_call *change, int fd, struct fd_file *file, bool cloexec)
{
	const struct call *call = change->call;

	fd_table_open(change->table, call->pid, fd, file, cloexec, call->enter_ns);
	if (file->vague && change->vague)
		change->vague(change->ctx, call->pid, fd);
	fd_file_drop(change->table, file);
}

/* What the number was when the call entered, which is this change's to alter; or NULL. */
static struct fd_file *file_of(const struct fd_call *change, int fd)
{
	struct fd_found found = fd_table_find(change->table, change->call->pid, fd,
					      change->call->enter_ns, false);

	return found.version ? found.version->file : NULL;
}

/* -- What opens ------------------------------------------------------------------------- */

static void open_as(const struct fd_call *change, const struct fd_effect *effect)
{
	size_t len = effect->text ? strlen(effect->text) : 0;
	bool vague = !effect->text;

	open_file(change, (int)change->call->ret,
		  fd_file_new(change->table, effect->text, len, vague),
		  is_cloexec(change, effect));
}

static void open_path(const struct fd_call *change, int dir_fd, unsigned path_arg, bool cloexec)
{
	struct str path = STR_INIT;

	if (fd_paths_of(&path, change, dir_fd, change->call->args[path_arg]))
		open_file(change, (int)change->call->ret,
			  fd_file_new(change->table, path.data, path.len, true), cloexec);
	else
		open_file(change, (int)change->call->ret,
			  fd_file_new(change->table, NULL, 0, true), cloexec);
	str_release(&path);
}

static void open_here(const struct fd_call *change, const struct fd_effect *effect)
{
	open_path(change, AT_FDCWD, 0, is_cloexec(change, effect));
}

static void open_at(const struct fd_call *change, const struct fd_effect *effect)
{
	open_path(change, (int)change->call->args[0], 1, is_cloexec(change, effect));
}

static void open_how(const struct fd_call *change, const struct fd_effect *effect)
{
	struct open_how how = { .flags = 0 };

	(void)effect;
	/* Not known, it is taken to last: a name too many is asked for, none is wrong. */
	read_enter(change, change->call->args[2], &how, sizeof(how));
	open_path(change, (int)change->call->args[0], 1, how.flags & O_CLOEXEC);
}

static void open_pidfd(const struct fd_call *change, const struct fd_effect *effect)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "pid:%d", (int)change->call->args[0]);

	(void)effect;
	open_file(change, (int)change->call->ret,
		  fd_file_new(change->table, text, (size_t)len, false), true);
}

static void open_memfd(const struct fd_call *change, const struct fd_effect *effect)
{
	struct str text = STR_INIT;
	const char *name;
	size_t len;

	str_add(&text, "/memfd:");
	if (fd_calls_text(change->pointed, change->call->args[0], &name, &len)) {
		str_addn(&text, name, len);
		str_addn(&text, "\0(deleted)", 10);
		open_file(change, (int)change->call->ret,
			  fd_file_new(change->table, text.data, text.len, false),
			  is_cloexec(change, effect));
	} else {
		open_file(change, (int)change->call->ret,
			  fd_file_new(change->table, NULL, 0, true),
			  is_cloexec(change, effect));
	}
	str_release(&text);
}

static void open_pipe(const struct fd_call *change, const struct fd_effect *effect)
{
	struct fd_file *file;
	bool cloexec = is_cloexec(change, effect);
	int ends[2];

	if (!read_exit(change, change->call->args[0], ends, sizeof(ends)))
		return;
	file = fd_file_new(change->table, "pipe", 4, true);
	file->refs++; /* both ends have it */
	open_file(change, ends[0], file, cloexec);
	open_file(change, ends[1], file, cloexec);
}

/* signalfd(2) with a descriptor changes that one. */
static void open_signalfd(const struct fd_call *change, const struct fd_effect *effect)
{
	if ((int)change->call->args[0] == -1)
		open_as(change, effect);
}

/* -- Sockets ------------------------------------------------------------------------------ */

static struct fd_file *new_socket(const struct fd_call *change, const char *protocol,
				  const char *local, const char *remote)
{
	struct fd_file *file = fd_file_new(change->table, NULL, 0, true);
	struct str text = STR_INIT;

	file->of_socket = mem_zalloc(1, sizeof(*file->of_socket));
	change->table->bytes += sizeof(*file->of_socket);
	snprintf(file->of_socket->protocol, sizeof(file->of_socket->protocol), "%s", protocol);
	snprintf(file->of_socket->local, FD_ADDRESS_BYTES, "%s", local);
	snprintf(file->of_socket->remote, FD_ADDRESS_BYTES, "%s", remote);
	fd_socket_text(&text, file->of_socket);
	fd_file_set_text(change->table, file, text.data, text.len, 0);
	str_release(&text);
	return file;
}

static void open_socket(const struct fd_call *change, const struct fd_effect *effect)
{
	const uint64_t *args = change->call->args;
	struct fd_file *file = new_socket(change, fd_socket_protocol((int)args[0], (int)args[1]),
					  fd_socket_bare_address((int)args[0], (int)args[2]), "");

	open_file(change, (int)change->call->ret, file, is_cloexec(change, effect));
}

static void open_socketpair(const struct fd_call *change, const struct fd_effect *effect)
{
	const uint64_t *args = change->call->args;
	int ends[2];

	if (!read_exit(change, args[3], ends, sizeof(ends)))
		return;
	for (int i = 0; i < 2; i++)
		open_file(change, ends[i],
			  new_socket(change, fd_socket_protocol((int)args[0], (int)args[1]), "",
				     ""),
			  is_cloexec(change, effect));
}

/* The address in the call's second argument; `length` says how long it is. */
static void read_address(const struct fd_call *change, bool at_exit, size_t length,
			 char out[FD_ADDRESS_BYTES])
{
	uint64_t address = change->call->args[1];
	struct capture_chunk chunk;
	const uint8_t *bytes;
	bool found = false;
	uint64_t skip;

	out[0] = '\0';
	for (int i = 0; i < 2 && address && !found; i++)
		found = capture_chunks_find(change->pointed[i].bytes, change->pointed[i].len,
					    address, at_exit, &chunk, &bytes);
	if (!found)
		return;
	skip = address - chunk.address;
	fd_socket_address(out, bytes + skip,
			  chunk.len - skip < length ? chunk.len - skip : length);
}

static size_t told_length(const struct fd_call *change)
{
	int length;

	if (!read_exit(change, change->call->args[2], &length, sizeof(length)) || length < 0)
		return 0;
	return (size_t)length;
}

static void open_accepted(const struct fd_call *change, const struct fd_effect *effect)
{
	const struct fd_file *listener = file_of(change, (int)change->call->args[0]);
	const struct fd_socket *from = listener ? listener->of_socket : NULL;
	char remote[FD_ADDRESS_BYTES];

	read_address(change, true, told_length(change), remote);
	open_file(change, (int)change->call->ret,
		  new_socket(change, from ? from->protocol : "", from ? from->local : "", remote),
		  is_cloexec(change, effect));
}

static void set_address(const struct fd_call *change, bool local, const char *address)
{
	int fd = (int)change->call->args[0];
	struct fd_file *file = file_of(change, fd);
	struct str text = STR_INIT;
	char *to;

	if (!file || !file->of_socket)
		return;
	to = local ? file->of_socket->local : file->of_socket->remote;
	/* Which port the kernel chose, or which address: /proc knows. */
	if (!*address || (!local && !*file->of_socket->local)) {
		file->vague = true;
		file->asked_ms = 0;
		change->vague(change->ctx, change->call->pid, fd);
	}
	if (!*address || !strcmp(to, address))
		return;
	snprintf(to, FD_ADDRESS_BYTES, "%s", address);
	fd_socket_text(&text, file->of_socket);
	fd_file_set_text(change->table, file, text.data, text.len, end_ns(change->call));
	str_release(&text);
}

static void bind_socket(const struct fd_call *change, const struct fd_effect *effect)
{
	char address[FD_ADDRESS_BYTES];

	(void)effect;
	read_address(change, false, change->call->args[2], address);
	set_address(change, true, address);
}

static bool is_unix(const struct fd_call *change)
{
	const struct fd_file *file = file_of(change, (int)change->call->args[0]);

	return file && file->of_socket && !strncmp(file->of_socket->protocol, "UNIX", 4);
}

static void connect_socket(const struct fd_call *change, const struct fd_effect *effect)
{
	char address[FD_ADDRESS_BYTES];

	(void)effect;
	read_address(change, false, change->call->args[2], address);
	/* A Unix socket's other end is shown by its inode, which no address has. */
	set_address(change, false, is_unix(change) ? "" : address);
}

static void told_local(const struct fd_call *change, const struct fd_effect *effect)
{
	char address[FD_ADDRESS_BYTES];

	(void)effect;
	read_address(change, true, told_length(change), address);
	if (*address)
		set_address(change, true, address);
}

static void told_remote(const struct fd_call *change, const struct fd_effect *effect)
{
	char address[FD_ADDRESS_BYTES];

	(void)effect;
	read_address(change, true, told_length(change), address);
	if (*address && !is_unix(change))
		set_address(change, false, address);
}

/* Descriptors that came with a message: what they are, /proc knows. */
static void receive(const struct fd_call *change, const struct fd_effect *effect)
{
	bool cloexec = change->call->args[2] & MSG_CMSG_CLOEXEC;
	struct cmsghdr header;
	struct msghdr message;
	uint64_t at, end;

	(void)effect;
	if (!read_exit(change, change->call->args[1], &message, sizeof(message)))
		return;
	at = (uint64_t)(uintptr_t)message.msg_control;
	if (!at || message.msg_controllen > CONTROL_MAX)
		return;
	end = at + message.msg_controllen;
	while (end - at >= sizeof(header) && read_exit(change, at, &header, sizeof(header)) &&
	       header.cmsg_len >= sizeof(header) && header.cmsg_len <= end - at) {
		uint64_t fd_at = at + CMSG_LEN(0);
		int fd;

		if (header.cmsg_level == SOL_SOCKET && header.cmsg_type == SCM_RIGHTS)
			for (; fd_at + sizeof(fd) <= at + header.cmsg_len; fd_at += sizeof(fd))
				if (read_exit(change, fd_at, &fd, sizeof(fd)) && fd >= 0)
					open_file(change, fd,
						  fd_file_new(change->table, NULL, 0, true),
						  cloexec);
		if (CMSG_ALIGN(header.cmsg_len) >= end - at)
			break;
		at += CMSG_ALIGN(header.cmsg_len);
	}
}

/* -- What copies and closes ----------------------------------------------------------------- */

static bool is_another(const void *ctx, const struct fd_file *file)
{
	(void)ctx;
	(void)file;
	return false;
}

/* It was open, or the call would have failed: who learns what it is learns it of its copies. */
static struct fd_file *unknown_file(const struct fd_call *change, int fd)
{
	uint64_t now_ns = change->call->enter_ns;
	struct fd_version *version = fd_table_witness(change->table, change->call->pid, fd,
						      now_ns, now_ns, is_another, NULL);

	if (version && !version->file->text)
		change->vague(change->ctx, change->call->pid, fd);
	return version ? version->file : NULL;
}

static void copy_fd(const struct fd_call *change, int from, int to, bool cloexec)
{
	struct fd_file *file = file_of(change, from);

	if (!file)
		file = unknown_file(change, from);
	if (file)
		file->refs++;
	else
		file = fd_file_new(change->table, NULL, 0, true);
	open_file(change, to, file, cloexec);
}

static void dup_fd(const struct fd_call *change, const struct fd_effect *effect)
{
	if (change->call->nr == SYS_dup || change->call->args[0] != change->call->args[1])
		copy_fd(change, (int)change->call->args[0], (int)change->call->ret,
			is_cloexec(change, effect));
}

static void control_fd(const struct fd_call *change, const struct fd_effect *effect)
{
	const struct call *call = change->call;

	(void)effect;
	switch ((int)call->args[1]) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		copy_fd(change, (int)call->args[0], (int)call->ret,
			(int)call->args[1] == F_DUPFD_CLOEXEC);
		break;
	case F_SETFD:
		fd_table_set_cloexec(change->table, call->pid, (int)call->args[0],
				     call->args[2] & FD_CLOEXEC, call->enter_ns);
		break;
	}
}

static void control_device(const struct fd_call *change, const struct fd_effect *effect)
{
	const struct call *call = change->call;

	(void)effect;
	if (call->args[1] == FIOCLEX || call->args[1] == FIONCLEX)
		fd_table_set_cloexec(change->table, call->pid, (int)call->args[0],
				     call->args[1] == FIOCLEX, call->enter_ns);
}

static void close_fd(const struct fd_call *change, const struct fd_effect *effect)
{
	(void)effect;
	fd_table_close(change->table, change->call->pid, (int)change->call->args[0],
		       change->call->enter_ns);
}

static void close_many(const struct fd_call *change, const struct fd_effect *effect)
{
	const struct call *call = change->call;

	(void)effect;
	fd_table_close_range(change->table, call->pid, (uint32_t)call->args[0],
			     (uint32_t)call->args[1], call->args[2] & CLOSE_RANGE_CLOEXEC,
			     call->enter_ns);
}

/* -- The directory, and tables that are shared -------------------------------------------- */

static void enter_directory(const struct fd_call *change, const struct fd_effect *effect)
{
	const struct call *call = change->call;
	struct str path = STR_INIT;

	(void)effect;
	if (!fd_paths_of(&path, change, AT_FDCWD, call->args[0]))
		path.len = 0;
	open_file(change, AT_FDCWD,
		  fd_file_new(change->table, path.len ? path.data : NULL, path.len, true), false);
	str_release(&path);
}

static void enter_fd(const struct fd_call *change, const struct fd_effect *effect)
{
	(void)effect;
	copy_fd(change, (int)change->call->args[0], AT_FDCWD, false);
}

static void share(const struct fd_call *change, uint64_t flags)
{
	if (flags & CLONE_FILES && !(flags & CLONE_THREAD) && change->call->ret > 0)
		fd_table_share(change->table, change->call->pid, (uint32_t)change->call->ret);
}

static void clone_task(const struct fd_call *change, const struct fd_effect *effect)
{
	(void)effect;
	share(change, change->call->args[0]);
}

static void clone_task_by(const struct fd_call *change, const struct fd_effect *effect)
{
	uint64_t flags;

	(void)effect;
	if (read_enter(change, change->call->args[0], &flags, sizeof(flags)))
		share(change, flags);
}

/* -- The table --------------------------------------------------------------------------- */

#define OPENS(function, arg, bit) { .apply = (function), .flags_arg = (arg), .cloexec = (bit) }
#define ANON(name, arg, bit) \
	{ .apply = open_as, .text = (name), .flags_arg = (arg), .cloexec = (bit) }
#define DOES(function) { .apply = (function), .flags_arg = NO_FLAGS }

static const struct fd_effect effects[FD_CALLS_NR_MAX] = {
#ifdef SYS_open
	[SYS_open] = OPENS(open_here, 1, O_CLOEXEC),
	[SYS_creat] = OPENS(open_here, NO_FLAGS, 0),
	[SYS_pipe] = OPENS(open_pipe, NO_FLAGS, 0),
	[SYS_dup2] = OPENS(dup_fd, NO_FLAGS, 0),
	[SYS_epoll_create] = ANON("anon_inode:[eventpoll]", NO_FLAGS, 0),
	[SYS_eventfd] = ANON("anon_inode:[eventfd]", NO_FLAGS, 0),
	[SYS_signalfd] = { open_signalfd, "anon_inode:[signalfd]", NO_FLAGS, 0 },
	[SYS_inotify_init] = ANON("anon_inode:inotify", NO_FLAGS, 0),
#endif
	[SYS_openat] = OPENS(open_at, 2, O_CLOEXEC),
	[SYS_openat2] = DOES(open_how),
	[SYS_pipe2] = OPENS(open_pipe, 1, O_CLOEXEC),
	[SYS_epoll_create1] = ANON("anon_inode:[eventpoll]", 0, O_CLOEXEC),
	[SYS_eventfd2] = ANON("anon_inode:[eventfd]", 1, O_CLOEXEC),
	[SYS_signalfd4] = { open_signalfd, "anon_inode:[signalfd]", 3, O_CLOEXEC },
	[SYS_timerfd_create] = ANON("anon_inode:[timerfd]", 1, O_CLOEXEC),
	[SYS_inotify_init1] = ANON("anon_inode:inotify", 0, O_CLOEXEC),
	[SYS_fanotify_init] = ANON("anon_inode:[fanotify]", 0, FAN_CLOEXEC),
	[SYS_userfaultfd] = ANON("anon_inode:[userfaultfd]", 0, O_CLOEXEC),
	[SYS_io_uring_setup] = ANON("anon_inode:[io_uring]", NO_FLAGS, 1),
	[SYS_perf_event_open] = ANON("anon_inode:[perf_event]", 4, PERF_FLAG_FD_CLOEXEC),
	[SYS_landlock_create_ruleset] = ANON("anon_inode:[landlock-ruleset]", NO_FLAGS, 1),
	[SYS_memfd_create] = OPENS(open_memfd, 1, MFD_CLOEXEC),
	[SYS_pidfd_open] = DOES(open_pidfd),
	[SYS_pidfd_getfd] = ANON(NULL, NO_FLAGS, 1),
	[SYS_open_by_handle_at] = ANON(NULL, 2, O_CLOEXEC),
	[SYS_mq_open] = ANON(NULL, 1, O_CLOEXEC),
	[SYS_open_tree] = ANON(NULL, 2, O_CLOEXEC),
	[SYS_fsopen] = ANON("anon_inode:[fscontext]", 1, 1),
	[SYS_fspick] = ANON("anon_inode:[fscontext]", 2, 1),
	[SYS_fsmount] = ANON(NULL, 1, 1),

	[SYS_socket] = OPENS(open_socket, 1, SOCK_CLOEXEC),
	[SYS_socketpair] = OPENS(open_socketpair, 1, SOCK_CLOEXEC),
	[SYS_accept] = OPENS(open_accepted, NO_FLAGS, 0),
	[SYS_accept4] = OPENS(open_accepted, 3, SOCK_CLOEXEC),
	[SYS_bind] = DOES(bind_socket),
	[SYS_connect] = DOES(connect_socket),
	[SYS_getsockname] = DOES(told_local),
	[SYS_getpeername] = DOES(told_remote),
	[SYS_recvmsg] = DOES(receive),

	[SYS_dup] = OPENS(dup_fd, NO_FLAGS, 0),
	[SYS_dup3] = OPENS(dup_fd, 2, O_CLOEXEC),
	[SYS_fcntl] = DOES(control_fd),
	[SYS_ioctl] = DOES(control_device),
	[SYS_close] = DOES(close_fd),
	[SYS_close_range] = DOES(close_many),
	[SYS_chdir] = DOES(enter_directory),
	[SYS_fchdir] = DOES(enter_fd),
	[SYS_clone] = DOES(clone_task),
	[SYS_clone3] = DOES(clone_task_by),
};

bool fd_calls_has(uint32_t nr)
{
	return nr < FD_CALLS_NR_MAX && effects[nr].apply;
}

/* A connection that is being made goes on after it was said so. */
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
