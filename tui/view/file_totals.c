#include "tui/view/file_totals.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Maximum lag of the scan, in calls. With a longer lag, it skips to the newest calls. */
#define BEHIND_MAX 100000
#define UNNAMED 2

/* A call returns how many bytes it read from (IN) or wrote to (OUT) the file of its first fd. */
enum move { MOVES_NOTHING, MOVES_IN, MOVES_OUT };

static const struct {
	const char *name;
	enum move move;
} moving[] = {
	{ "read", MOVES_IN },     { "pread64", MOVES_IN },         { "readv", MOVES_IN },
	{ "preadv", MOVES_IN },   { "preadv2", MOVES_IN },         { "recvfrom", MOVES_IN },
	{ "recvmsg", MOVES_IN },  { "copy_file_range", MOVES_IN }, { "splice", MOVES_IN },
	{ "write", MOVES_OUT },   { "pwrite64", MOVES_OUT },       { "writev", MOVES_OUT },
	{ "pwritev", MOVES_OUT }, { "pwritev2", MOVES_OUT },       { "sendto", MOVES_OUT },
	{ "sendmsg", MOVES_OUT }, { "sendfile", MOVES_OUT },       { "vmsplice", MOVES_OUT },
};

void file_totals_init(struct file_totals *totals)
{
	memset(totals, 0, sizeof(*totals));
	idmap_init(&totals->by_hash);
}

static void clear(struct file_totals *totals)
{
	for (size_t i = 0; i < totals->count; i++)
		free(totals->files[i].name);
	idmap_clear(&totals->by_hash);
	totals->count = 0;
}

void file_totals_release(struct file_totals *totals)
{
	clear(totals);
	history_scan_release(&totals->scan);
	idmap_release(&totals->by_hash);
	free(totals->files);
	free(totals->moves);
}

static void learn_moves(struct file_totals *totals, const struct syscalls *syscalls)
{
	totals->move_count = syscalls_count(syscalls);
	totals->moves = mem_zalloc(totals->move_count, 1);
	for (size_t i = 0; i < sizeof(moving) / sizeof(moving[0]); i++) {
		int nr = syscalls_number(syscalls, moving[i].name, strlen(moving[i].name));

		if (nr >= 0 && (size_t)nr < totals->move_count)
			totals->moves[nr] = (uint8_t)moving[i].move;
	}
}

static struct file_sum *new_file(struct file_totals *totals)
{
	totals->files = mem_grow(totals->files, &totals->capacity, totals->count + 1,
				 sizeof(*totals->files));
	totals->files[totals->count] = (struct file_sum){ .fd = -1 };
	return &totals->files[totals->count++];
}

void file_totals_begin(struct file_totals *totals, const struct session *session)
{
	struct filter *current = filter_stack_filter(&session->filter_stack);

	if (!totals->moves)
		learn_moves(totals, engine_syscalls(session->engine));
	clear(totals);
	new_file(totals)->kind = FILE_UNKNOWN;
	new_file(totals)->kind = FILE_OTHERS;
	totals->engine = session->engine;
	history_scan_begin(&totals->scan, session->engine, current ? filter_ref(current) : NULL,
			   BEHIND_MAX);
}

static struct file_sum *file_named(struct file_totals *totals, const struct str *name)
{
	uint64_t hash = hash_bytes(name->data, name->len);
	uintptr_t at = (uintptr_t)idmap_get(&totals->by_hash, hash);
	struct file_sum *file;

	for (uintptr_t i = at; i; i = totals->files[i - 1].next)
		if (!strcmp(totals->files[i - 1].name, name->data))
			return &totals->files[i - 1];
	if (totals->count >= FILE_TOTALS_MAX + UNNAMED)
		return &totals->files[FILE_OTHERS - 1];
	file = new_file(totals);
	file->name = mem_strdup(name->data);
	file->next = (uint32_t)at;
	idmap_put(&totals->by_hash, hash, (void *)(uintptr_t)totals->count);
	return file;
}

static void count_bytes(const struct file_totals *totals, struct file_sum *file,
			const struct call *call)
{
	if (call->nr >= totals->move_count || call->state != CALL_DONE || call->ret <= 0)
		return;
	if (totals->moves[call->nr] == MOVES_IN)
		file->read_bytes += (uint64_t)call->ret;
	else if (totals->moves[call->nr] == MOVES_OUT)
		file->written_bytes += (uint64_t)call->ret;
}

static void add(struct file_totals *totals, struct file_sum *file, const struct call *call, int fd)
{
	if (!file->calls) {
		file->pid = call->pid;
		file->tid = call->tid;
		file->fd = fd;
	}
	file->many_pids = file->many_pids || file->pid != call->pid;
	file->many_fds = file->many_fds || (fd >= 0 && file->fd >= 0 && file->fd != fd);
	if (file->fd < 0)
		file->fd = fd;
	file->calls++;
	file->errors += call_failed(call);
	count_bytes(totals, file, call);
	file->blocked_ns += call->blocked_ns;
	file->waits_unknown += !call_waits_are_known(call);
	if (call->dur_ns < 0)
		return;
	file->timed++;
	file->total_ns += (uint64_t)call->dur_ns;
	if ((uint64_t)call->dur_ns > file->max_ns)
		file->max_ns = (uint64_t)call->dur_ns;
}

static bool add_calls(void *ctx, const struct call *calls, size_t count, bool newer)
{
	struct file_totals *totals = ctx;
	struct str name = STR_INIT;
	bool found = false;

	(void)newer;
	for (size_t i = 0; i < count; i++) {
		enum engine_file what;
		int fd;

		str_clear(&name);
		what = engine_call_file(totals->engine, &calls[i], &name, &fd);
		if (what == ENGINE_FILE_NONE)
			continue;
		add(totals,
		    what == ENGINE_FILE_KNOWN ? file_named(totals, &name)
					      : &totals->files[FILE_UNKNOWN - 1],
		    &calls[i], fd);
		found = true;
	}
	str_release(&name);
	return found;
}

bool file_totals_step(struct file_totals *totals)
{
	return history_scan_step(&totals->scan, totals->engine, add_calls, totals);
}

unsigned file_totals_percent(const struct file_totals *totals)
{
	return history_scan_percent(&totals->scan, totals->engine);
}
