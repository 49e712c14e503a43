#include "engine/engine.h"

#include "engine/engine_state.h"

#include <string.h>

const struct fd_namer *engine_fd_namer(const struct engine *e)
{
	return e->fds && e->names_fds ? &e->fd_namer : NULL;
}

/* Request the unknown descriptor names of a call. */
static void look_at(struct engine *e, const struct call *call)
{
	int32_t fds[REFERENCED_FDS];
	size_t count;
	char first;

	if (!call_was_made(call) || call->state == CALL_ORPHAN)
		return;
	count = referenced_fds(&e->referenced, call, NULL, fds);
	for (size_t i = 0; i < count; i++)
		fds_text(e->fds, call, fds[i], false, &first, sizeof(first));
}

void engine_fds_prepare(struct engine *e, const struct call *calls, size_t count, int timeout_ms)
{
	uint32_t pid = 0;

	if (!e->fd_reader)
		return;
	for (size_t i = 0; i < count; i++) {
		if (calls[i].pid == pid || !call_was_made(&calls[i]))
			continue;
		pid = calls[i].pid;
		fds_ask_once(e->fds, pid);
	}
	for (size_t i = 0; i < count; i++)
		look_at(e, &calls[i]);
	fds_wait(e->fds, timeout_ms);
}

bool engine_call_path(struct engine *e, const struct call *call, struct str *out)
{
	struct fd_chunks pointed[2];
	char path[REFERENCED_PATH_BYTES];
	bool known;

	if (!atomic_load(&e->ready) || !call_was_made(call) || !model_referenced(e->model))
		return false;
	collector_lock(e->collector);
	model_pointed(e->model, call, pointed);
	known = referenced_main_path(&e->referenced, call, pointed, path);
	collector_unlock(e->collector);
	if (known)
		str_add(out, path);
	return known;
}

/* Size of a socket name; longer ones are cut. */
#define OBJECT_BYTES 512

static bool add_object(struct engine *e, const struct call *call, int fd, struct str *out)
{
	char text[OBJECT_BYTES];
	size_t len = e->fds ? fds_text(e->fds, call, fd, false, text, sizeof(text)) : 0;

	/* The text after a NUL is not part of the name. */
	str_addn(out, text, strnlen(text, len));
	return len != 0;
}

enum engine_file engine_call_file(struct engine *e, const struct call *call, struct str *out,
				  int *fd)
{
	int32_t fds[REFERENCED_FDS];

	*fd = -1;
	if (!call_was_made(call) || call->state == CALL_ORPHAN ||
	    !referenced_any(&e->referenced, call))
		return ENGINE_FILE_NONE;
	if (referenced_fds(&e->referenced, call, NULL, fds))
		*fd = fds[0];
	if (engine_call_path(e, call, out))
		return ENGINE_FILE_KNOWN;
	if (*fd >= 0 && add_object(e, call, *fd, out))
		return ENGINE_FILE_KNOWN;
	return *fd < 0 && referenced_fds(&e->referenced, call, NULL, fds) ? ENGINE_FILE_NONE
									  : ENGINE_FILE_UNKNOWN;
}
