#include "tui/view/file_totals.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Further behind than this the newest are looked at and the rest is skipped. */
#define BEHIND_MAX 100000
#define UNNAMED 2

/* What a call's result is, where it is bytes of the file of its first descriptor. */
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

void file_sums_init(struct file_sums *sums)
{
	memset(sums, 0, sizeof(*sums));
	idmap_init(&sums->by_hash);
}

static void clear(struct file_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		free(sums->files[i].name);
	idmap_clear(&sums->by_hash);
	sums->count = 0;
}

void file_sums_release(struct file_sums *sums)
{
	clear(sums);
	history_scan_release(&sums->scan);
	idmap_release(&sums->by_hash);
	free(sums->files);
	free(sums->moves);
}

static void learn_moves(struct file_sums *sums, const struct syscalls *syscalls)
{
	sums->move_count = syscalls_count(syscalls);
	sums->moves = mem_zalloc(sums->move_count, 1);
	for (size_t i = 0; i < sizeof(moving) / sizeof(moving[0]); i++) {
		int nr = syscalls_number(syscalls, moving[i].name, strlen(moving[i].name));

		if (nr >= 0 && (size_t)nr < sums->move_count)
			sums->moves[nr] = (uint8_t)moving[i].move;
	}
}

static struct file_sum *new_file(struct file_sums *sums)
{
	sums->files = mem_grow(sums->files, &sums->capacity, sums->count + 1, sizeof(*sums->files));
	sums->files[sums->count] = (struct file_sum){ .fd = -1 };
	return &sums->files[sums->count++];
}

void file_sums_begin(struct file_sums *sums, const struct session *session)
{
	struct filter *current = narrowing_filter(&session->narrowing);

	if (!sums->moves)
		learn_moves(sums, engine_syscalls(session->engine));
	clear(sums);
	new_file(sums)->kind = FILE_UNKNOWN;
	new_file(sums)->kind = FILE_OTHERS;
	sums->engine = session->engine;
	history_scan_begin(&sums->scan, session->engine, current ? filter_ref(current) : NULL,
			   BEHIND_MAX);
}

static struct file_sum *file_named(struct file_sums *sums, const struct str *name)
{
	uint64_t hash = hash_bytes(name->data, name->len);
	uintptr_t at = (uintptr_t)idmap_get(&sums->by_hash, hash);
	struct file_sum *file;

	for (uintptr_t i = at; i; i = sums->files[i - 1].next)
		if (!strcmp(sums->files[i - 1].name, name->data))
			return &sums->files[i - 1];
	if (sums->count >= FILE_SUMS_MAX + UNNAMED)
		return &sums->files[FILE_OTHERS - 1];
	file = new_file(sums);
	file->name = mem_strdup(name->data);
	file->next = (uint32_t)at;
	idmap_put(&sums->by_hash, hash, (void *)(uintptr_t)sums->count);
	return file;
}

static void count_bytes(const struct file_sums *sums, struct file_sum *file,
			const struct call *call)
{
	if (call->nr >= sums->move_count || call->state != CALL_DONE || call->ret <= 0)
		return;
	if (sums->moves[call->nr] == MOVES_IN)
		file->read_bytes += (uint64_t)call->ret;
	else if (sums->moves[call->nr] == MOVES_OUT)
		file->written_bytes += (uint64_t)call->ret;
}

static void add(struct file_sums *sums, struct file_sum *file, const struct call *call, int fd)
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
	count_bytes(sums, file, call);
	file->blocked_ns += call->blocked_ns;
	file->waits_unknown += !call_waits_are_known(call);
	if (call->dur_ns < 0)
		return;
	file->total_ns += (uint64_t)call->dur_ns;
	if ((uint64_t)call->dur_ns > file->max_ns)
		file->max_ns = (uint64_t)call->dur_ns;
}

static bool add_calls(void *ctx, const struct call *calls, size_t count, bool newer)
{
	struct file_sums *sums = ctx;
	struct str name = STR_INIT;
	bool found = false;

	(void)newer;
	for (size_t i = 0; i < count; i++) {
		enum engine_file what;
		int fd;

		str_clear(&name);
		what = engine_call_file(sums->engine, &calls[i], &name, &fd);
		if (what == ENGINE_FILE_NONE)
			continue;
		add(sums,
		    what == ENGINE_FILE_KNOWN ? file_named(sums, &name)
					      : &sums->files[FILE_UNKNOWN - 1],
		    &calls[i], fd);
		found = true;
	}
	str_release(&name);
	return found;
}

bool file_sums_step(struct file_sums *sums)
{
	return history_scan_step(&sums->scan, sums->engine, add_calls, sums);
}

unsigned file_sums_percent(const struct file_sums *sums)
{
	return history_scan_percent(&sums->scan, sums->engine);
}
