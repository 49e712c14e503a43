#include "engine/fds/fd_effect.h"

#include "engine/base/str.h"
#include "engine/fds/fd_calls.h"
#include "engine/fds/fd_facts.h"
#include "engine/fds/fd_socket.h"

#include <stdio.h>
#include <sys/syscall.h>

uint64_t fd_change_end_ns(const struct fd_call *change)
{
	const struct call *call = change->call;

	return call->enter_ns + (call->dur_ns > 0 ? (uint64_t)call->dur_ns : 0);
}

bool fd_change_read_exit(const struct fd_call *change, uint64_t address, void *to, size_t len)
{
	return fd_calls_read(change->pointed, true, address, to, len);
}

bool fd_change_read_enter(const struct fd_call *change, uint64_t address, void *to, size_t len)
{
	return fd_calls_read(change->pointed, false, address, to, len);
}

bool fd_effect_is_cloexec(const struct fd_call *change, const struct fd_effect *effect)
{
	if (effect->flags_arg == FD_NO_FLAGS)
		return effect->cloexec != 0;
	return change->call->args[effect->flags_arg] & effect->cloexec;
}

static bool take_socket(const struct fd_call *change, struct fd_file *file,
			const struct fd_facts *facts, uint64_t since_ns)
{
	struct fd_socket reported = { .inode = 0 };
	struct str text = STR_INIT;
	bool addressed;

	if (file->of_socket)
		reported = *file->of_socket;
	if (!fd_facts_socket(facts, &reported, &addressed))
		return false;
	fd_file_set_socket(change->table, file, &reported);
	fd_socket_text(&text, file->of_socket);
	fd_file_set_text(change->table, file, text.data, text.len, since_ns);
	str_release(&text);
	/* A socket that socket() has just created has no address yet: nothing to query. */
	file->vague = !addressed && change->call->nr != SYS_socket;
	return true;
}

bool fd_change_take_facts(const struct fd_call *change, int fd, struct fd_file *file,
			  uint64_t since_ns)
{
	struct str text = STR_INIT;
	struct fd_facts facts;

	if (!fd_facts_find(change->pointed, fd, &facts))
		return false;
	if (!take_socket(change, file, &facts, since_ns) && fd_facts_text(&facts, &text)) {
		fd_file_set_text(change->table, file, text.data, text.len, since_ns);
		file->vague = false;
	}
	str_release(&text);
	return !file->vague;
}

void fd_change_open(const struct fd_call *change, int fd, struct fd_file *file, bool cloexec)
{
	const struct call *call = change->call;

	if (file->vague)
		fd_change_take_facts(change, fd, file, 0);
	fd_table_open(change->table, fd_call_task(change), fd, file, cloexec, call->enter_ns);
	if (file->vague && change->vague)
		change->vague(change->ctx, fd_call_task(change), fd);
	fd_file_drop(change->table, file);
}

struct fd_file *fd_change_pidfd(const struct fd_call *change, int pid)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "pid:%d", pid);

	return fd_file_new(change->table, text, (size_t)len, false);
}

struct fd_file *fd_change_file(const struct fd_call *change, int fd)
{
	struct fd_found found = fd_table_find(change->table, fd_call_task(change), fd,
					      change->call->enter_ns, false);

	return found.version ? found.version->file : NULL;
}
