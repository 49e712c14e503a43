#include "engine/stack/dso.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Comparing larger files takes longer than reading their symbols twice. */
#define COMPARED_BYTES_MAX ((off_t)64 << 20)

enum dso_kind dso_kind_of(const struct mapping *mapping)
{
	const char *path = mapping->path;

	if (!strcmp(path, "[vdso]"))
		return DSO_VDSO;
	if (*path == '\0' || !strncmp(path, "//anon", 6) || !strncmp(path, "[anon", 5) ||
	    !strncmp(path, "/dev/zero", 9) || !strcmp(path, "[heap]") ||
	    !strncmp(path, "[stack", 6))
		return DSO_JIT;
	return *path == '/' ? DSO_FILE : DSO_OTHER;
}

bool dso_may_be_generated(const struct dso *dso)
{
	return !strncmp(dso->mapping.path, "/memfd:", 7);
}

struct dso *dso_new(uint32_t id, uint32_t pid, const struct mapping *mapping, enum dso_kind kind)
{
	struct dso *dso = mem_zalloc(1, sizeof(*dso));

	dso->kind = kind;
	dso->id = id;
	dso->pid = pid;
	dso->mapping = *mapping;
	dso->fd = dso->debug_fd = dso->alt_fd = dso->fetched_fd = dso->perf_map_fd = -1;
	idmap_init(&dso->replies);
	if (dso->kind == DSO_OTHER)
		dso->note = "not a file";
	return dso;
}

static void close_file(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void dso_close_files(struct dso *dso)
{
	close_file(&dso->fd);
	close_file(&dso->debug_fd);
	close_file(&dso->alt_fd);
}

void dso_release_map(struct dso *dso)
{
	close_file(&dso->perf_map_fd);
}

static bool same_bytes(int fd, int other_fd, off_t bytes)
{
	char chunk[32 << 10], other[32 << 10];

	for (off_t at = 0; at < bytes;) {
		ssize_t got = pread(fd, chunk, sizeof(chunk), at);

		if (got <= 0 || pread(other_fd, other, (size_t)got, at) != got ||
		    memcmp(chunk, other, (size_t)got) != 0)
			return false;
		at += got;
	}
	return true;
}

bool dso_same_content(int fd, int other_fd)
{
	struct stat st, other;

	if (fstat(fd, &st) < 0 || fstat(other_fd, &other) < 0 || st.st_size != other.st_size)
		return false;
	if (st.st_dev == other.st_dev && st.st_ino == other.st_ino)
		return true;
	return st.st_size <= COMPARED_BYTES_MAX && same_bytes(fd, other_fd, st.st_size);
}

void dso_free(struct dso *dso)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&dso->replies, &cursor))) {
		struct reply *reply = slot->value;

		free(reply->frames);
		free(reply);
	}
	idmap_release(&dso->replies);
	perf_map_free(dso->perf_map);
	dso_release_map(dso);
	dso_close_files(dso);
	close_file(&dso->fetched_fd);
	free(dso);
}

void reply_queue_push(struct reply_queue *queue, struct reply *reply)
{
	reply->next = NULL;
	if (queue->last)
		queue->last->next = reply;
	else
		queue->first = reply;
	queue->last = reply;
	queue->count++;
}

struct reply *reply_queue_pop(struct reply_queue *queue)
{
	struct reply *reply = queue->first;

	if (!reply)
		return NULL;
	queue->first = reply->next;
	if (!queue->first)
		queue->last = NULL;
	queue->count--;
	return reply;
}

struct reply *dso_ask(struct dso *dso, uint64_t offset, size_t room)
{
	struct reply *reply = idmap_get(&dso->replies, offset);

	if (reply || !room)
		return reply;
	reply = mem_zalloc(1, sizeof(*reply));
	reply->offset = offset;
	idmap_put(&dso->replies, offset, reply);
	reply_queue_push(&dso->asked, reply);
	return reply;
}
