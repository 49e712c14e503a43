#include "engine/fds/fd_effect.h"

#include "engine/base/str.h"
#include "engine/fds/fd_paths.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

static bool is_another(const void *ctx, const struct fd_file *file)
{
	(void)ctx;
	(void)file;
	return false;
}

/*
 * The copied descriptor is open, or the call would have failed: give it a version. Its copies share
 * the file of that version, so a later reply names them too.
 */
static struct fd_file *unknown_file(const struct fd_call *change, int fd)
{
	uint64_t now_ns = change->call->enter_ns;
	struct fd_version *version = fd_table_witness(change->table, fd_call_task(change), fd,
						      now_ns, now_ns, is_another, NULL);

	if (version && !version->file->text)
		change->vague(change->ctx, fd_call_task(change), fd);
	return version ? version->file : NULL;
}

static void copy_fd(const struct fd_call *change, int from, int to, bool cloexec)
{
	struct fd_file *file = fd_change_file(change, from);

	if (!file)
		file = unknown_file(change, from);
	if (file)
		file->refs++;
	else
		file = fd_file_new(change->table, NULL, 0, true);
	fd_change_open(change, to, file, cloexec);
}

void fd_effect_dup_fd(const struct fd_call *change, const struct fd_effect *effect)
{
	if (change->call->nr == SYS_dup || change->call->args[0] != change->call->args[1])
		copy_fd(change, (int)change->call->args[0], (int)change->call->ret,
			fd_effect_is_cloexec(change, effect));
}

void fd_effect_control_fd(const struct fd_call *change, const struct fd_effect *effect)
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
		fd_table_set_cloexec(change->table, fd_call_task(change), (int)call->args[0],
				     call->args[2] & FD_CLOEXEC, call->enter_ns);
		break;
	}
}

void fd_effect_control_device(const struct fd_call *change, const struct fd_effect *effect)
{
	const struct call *call = change->call;

	(void)effect;
	if (call->args[1] == TIOCGPTPEER)
		fd_change_open(change, (int)call->ret, fd_file_new(change->table, NULL, 0, true),
			       call->args[2] & O_CLOEXEC);
	if (call->args[1] == FIOCLEX || call->args[1] == FIONCLEX)
		fd_table_set_cloexec(change->table, fd_call_task(change), (int)call->args[0],
				     call->args[1] == FIOCLEX, call->enter_ns);
}

void fd_effect_close_fd(const struct fd_call *change, const struct fd_effect *effect)
{
	(void)effect;
	fd_table_close(change->table, fd_call_task(change), (int)change->call->args[0],
		       change->call->enter_ns);
}

void fd_effect_close_many(const struct fd_call *change, const struct fd_effect *effect)
{
	const struct call *call = change->call;
	uint64_t task = fd_call_task(change);

	(void)effect;
	if (call->args[2] & CLOSE_RANGE_UNSHARE)
		fd_table_unshare(change->table, task, task, 0, call->enter_ns);
	fd_table_close_range(change->table, task, (uint32_t)call->args[0], (uint32_t)call->args[1],
			     call->args[2] & CLOSE_RANGE_CLOEXEC, call->enter_ns);
}

void fd_effect_enter_directory(const struct fd_call *change, const struct fd_effect *effect)
{
	const struct call *call = change->call;
	struct str path = STR_INIT;
	bool known = fd_paths_of(&path, change, AT_FDCWD, call->args[0]);

	(void)effect;
	fd_change_open(change, AT_FDCWD,
		       fd_file_new(change->table, known ? path.data : NULL, path.len, true), false);
	str_release(&path);
}

void fd_effect_enter_fd(const struct fd_call *change, const struct fd_effect *effect)
{
	(void)effect;
	copy_fd(change, (int)change->call->args[0], AT_FDCWD, false);
}

static void share(const struct fd_call *change, uint64_t flags)
{
	uint64_t task = fd_call_task(change), thread;
	uint32_t child = (uint32_t)change->call->ret;

	if (change->call->ret <= 0)
		return;
	if (flags & CLONE_THREAD) {
		thread = fd_task(change->call->pid, child);
		if (!(flags & CLONE_FILES))
			fd_table_unshare(change->table, task, thread, 0, change->call->enter_ns);
		if (!(flags & CLONE_FS))
			fd_table_unshare(change->table, task, thread, AT_FDCWD,
					 change->call->enter_ns);
		return;
	}
	if (flags & CLONE_FILES)
		fd_table_share(change->table, task, child);
	if (flags & (CLONE_FILES | CLONE_FS))
		fd_table_share_directory(change->table, task, child, flags & CLONE_FS);
}

/*
 * Only the parent has the pidfd. Its version begins at the exit of clone, since the child copied
 * the table before that.
 */
static void open_pidfd(const struct fd_call *change, uint64_t flags, uint64_t address)
{
	const struct call *call = change->call;
	struct fd_file *file;
	int32_t fd;

	if (!(flags & CLONE_PIDFD) || call->ret <= 0 ||
	    !fd_change_read_exit(change, address, &fd, sizeof(fd)) || fd < 0)
		return;
	file = fd_change_pidfd(change, (int)call->ret);
	fd_table_open(change->table, fd_call_task(change), fd, file, true,
		      fd_change_end_ns(change));
	fd_file_drop(change->table, file);
}

void fd_effect_clone_task(const struct fd_call *change, const struct fd_effect *effect)
{
	(void)effect;
	share(change, change->call->args[0]);
	open_pidfd(change, change->call->args[0], change->call->args[2]);
}

void fd_effect_clone_task_by(const struct fd_call *change, const struct fd_effect *effect)
{
	uint64_t given[2]; /* flags and pidfd of struct clone_args */

	(void)effect;
	if (fd_change_read_enter(change, change->call->args[0], given, sizeof(given))) {
		share(change, given[0]);
		open_pidfd(change, given[0], given[1]);
	}
}

/* Only the calling thread unshares. CLONE_NEWNS implies CLONE_FS, see unshare(2). */
void fd_effect_unshare_task(const struct fd_call *change, const struct fd_effect *effect)
{
	uint64_t flags = change->call->args[0], task = fd_call_task(change);

	(void)effect;
	if (flags & CLONE_FILES)
		fd_table_unshare(change->table, task, task, 0, fd_change_end_ns(change));
	if (flags & (CLONE_FS | CLONE_NEWNS))
		fd_table_unshare(change->table, task, task, AT_FDCWD, fd_change_end_ns(change));
}
