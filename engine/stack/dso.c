#include "engine/stack/dso.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum dso_kind dso_kind_of(const struct mapping *mapping)
{
	const char *path = mapping->path;

	if (!strcmp(path, "[vdso]"))
		return DSO_VDSO;
	if (*path == '\0' || !strncmp(path, "//anon", 6) || !strncmp(path, "[anon", 5) ||
	    !strncmp(path, "/memfd:", 7) || !strncmp(path, "/dev/zero", 9) ||
	    !strcmp(path, "[heap]") || !strncmp(path, "[stack", 6))
		return DSO_JIT;
	return *path == '/' ? DSO_FILE : DSO_OTHER;
}

struct dso *dso_new(uint32_t id, uint32_t pid, const struct mapping *mapping)
{
	struct dso *dso = mem_zalloc(1, sizeof(*dso));

	dso->kind = dso_kind_of(mapping);
	dso->id = id;
	dso->pid = pid;
	dso->mapping = *mapping;
	dso->fd = dso->debug_fd = dso->alt_fd = -1;
	idmap_init(&dso->answers);
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

void dso_free(struct dso *dso)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&dso->answers, &cursor))) {
		struct answer *answer = slot->value;

		free(answer->frames);
		free(answer);
	}
	idmap_release(&dso->answers);
	perf_map_free(dso->perf_map);
	dso_close_files(dso);
	free(dso);
}

void answer_queue_push(struct answer_queue *queue, struct answer *answer)
{
	answer->next = NULL;
	if (queue->last)
		queue->last->next = answer;
	else
		queue->first = answer;
	queue->last = answer;
	queue->count++;
}

struct answer *answer_queue_pop(struct answer_queue *queue)
{
	struct answer *answer = queue->first;

	if (!answer)
		return NULL;
	queue->first = answer->next;
	if (!queue->first)
		queue->last = NULL;
	queue->count--;
	return answer;
}

struct answer *dso_ask(struct dso *dso, uint64_t offset, size_t room)
{
	struct answer *answer = idmap_get(&dso->answers, offset);

	if (answer || !room)
		return answer;
	answer = mem_zalloc(1, sizeof(*answer));
	answer->offset = offset;
	idmap_put(&dso->answers, offset, answer);
	answer_queue_push(&dso->asked, answer);
	return answer;
}
