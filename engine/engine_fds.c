#include "engine/engine.h"

#include "engine/engine_private.h"

const struct fd_namer *engine_fd_namer(const struct engine *e)
{
	return e->fds ? &e->fd_namer : NULL;
}

void engine_fds_prepare(struct engine *e, const struct call *calls, size_t count, int timeout_ms)
{
	uint32_t pid = 0;

	if (!e->fd_reader)
		return;
	for (size_t i = 0; i < count; i++) {
		if (calls[i].pid == pid || calls[i].state == CALL_GAP)
			continue;
		pid = calls[i].pid;
		fds_ask_once(e->fds, pid);
	}
	fds_wait(e->fds, timeout_ms);
}
