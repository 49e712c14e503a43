#include "engine/fds/fd_effect.h"

#include "engine/base/str.h"
#include "engine/fds/fd_calls.h"
#include "engine/fds/fd_paths.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/openat2.h>
#include <string.h>

void fd_effect_open_as(const struct fd_call *change, const struct fd_effect *effect)
{
	size_t len = effect->text ? strlen(effect->text) : 0;
	bool vague = !effect->text;

	fd_change_open(change, (int)change->call->ret,
		       fd_file_new(change->table, effect->text, len, vague),
		       fd_effect_is_cloexec(change, effect));
}

static void open_path(const struct fd_call *change, int dir_fd, unsigned path_arg, bool cloexec)
{
	struct str path = STR_INIT;

	if (fd_paths_of(&path, change, dir_fd, change->call->args[path_arg]))
		fd_change_open(change, (int)change->call->ret,
			       fd_file_new(change->table, path.data, path.len, true), cloexec);
	else
		fd_change_open(change, (int)change->call->ret,
			       fd_file_new(change->table, NULL, 0, true), cloexec);
	str_release(&path);
}

void fd_effect_open_here(const struct fd_call *change, const struct fd_effect *effect)
{
	open_path(change, AT_FDCWD, 0, fd_effect_is_cloexec(change, effect));
}

void fd_effect_open_at(const struct fd_call *change, const struct fd_effect *effect)
{
	open_path(change, (int)change->call->args[0], 1, fd_effect_is_cloexec(change, effect));
}

void fd_effect_open_how(const struct fd_call *change, const struct fd_effect *effect)
{
	struct open_how how = { .flags = 0 };

	(void)effect;
	/*
	 * Without captured flags, assume no O_CLOEXEC: this can cause a redundant query after an
	 * exec, but no wrong name.
	 */
	fd_change_read_enter(change, change->call->args[2], &how, sizeof(how));
	open_path(change, (int)change->call->args[0], 1, how.flags & O_CLOEXEC);
}

void fd_effect_open_pidfd(const struct fd_call *change, const struct fd_effect *effect)
{
	(void)effect;
	fd_change_open(change, (int)change->call->ret,
		       fd_change_pidfd(change, (int)change->call->args[0]), true);
}

void fd_effect_open_memfd(const struct fd_call *change, const struct fd_effect *effect)
{
	struct str text = STR_INIT;
	const char *name;
	size_t len;

	str_add(&text, "/memfd:");
	if (fd_calls_text(change->pointed, change->call->args[0], &name, &len)) {
		str_addn(&text, name, len);
		str_addn(&text, "\0(deleted)", 10);
		fd_change_open(change, (int)change->call->ret,
			       fd_file_new(change->table, text.data, text.len, false),
			       fd_effect_is_cloexec(change, effect));
	} else {
		fd_change_open(change, (int)change->call->ret,
			       fd_file_new(change->table, NULL, 0, true),
			       fd_effect_is_cloexec(change, effect));
	}
	str_release(&text);
}

void fd_effect_open_pipe(const struct fd_call *change, const struct fd_effect *effect)
{
	struct fd_file *file;
	bool cloexec = fd_effect_is_cloexec(change, effect);
	int ends[2];

	if (!fd_change_read_exit(change, change->call->args[0], ends, sizeof(ends)))
		return;
	file = fd_file_new(change->table, "pipe", 4, true);
	file->refs++; /* one reference for each end */
	fd_change_open(change, ends[0], file, cloexec);
	fd_change_open(change, ends[1], file, cloexec);
}

/* signalfd(2) with a descriptor modifies that descriptor and opens none. */
void fd_effect_open_signalfd(const struct fd_call *change, const struct fd_effect *effect)
{
	if ((int)change->call->args[0] == -1)
		fd_effect_open_as(change, effect);
}

/* bpf(2) commands that open descriptors, all close-on-exec. "": the name depends on the kernel. */
void fd_effect_open_bpf(const struct fd_call *change, const struct fd_effect *effect)
{
	static const char *const texts[] = {
		[BPF_MAP_CREATE] = "anon_inode:bpf-map",
		[BPF_MAP_GET_FD_BY_ID] = "anon_inode:bpf-map",
		[BPF_PROG_LOAD] = "anon_inode:bpf-prog",
		[BPF_PROG_GET_FD_BY_ID] = "anon_inode:bpf-prog",
		[BPF_BTF_LOAD] = "anon_inode:btf",
		[BPF_BTF_GET_FD_BY_ID] = "anon_inode:btf",
		[BPF_OBJ_GET] = "",
		[BPF_RAW_TRACEPOINT_OPEN] = "",
		[BPF_LINK_CREATE] = "",
		[BPF_LINK_GET_FD_BY_ID] = "",
		[BPF_ENABLE_STATS] = "",
		[BPF_ITER_CREATE] = "",
	};
	uint32_t command = (uint32_t)change->call->args[0];
	const char *text = command < sizeof(texts) / sizeof(texts[0]) ? texts[command] : NULL;
	bool known = text && *text;

	(void)effect;
	if (text)
		fd_change_open(change, (int)change->call->ret,
			       fd_file_new(change->table, known ? text : NULL,
					   known ? strlen(text) : 0, !known),
			       true);
}
