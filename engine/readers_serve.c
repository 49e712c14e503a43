#include "engine/readers_serve.h"

#include "engine/process/memory.h"
#include "engine/process/reader_main.h"
#include "engine/source/proc_probe.h"

static reader_handle_fn *const handlers[READER_WHAT_COUNT] = {
	[READER_MEMORY] = memory_handle,
	[READER_TASKS] = proc_probe_handle,
};

void readers_serve(int socket_fd)
{
	reader_serve(socket_fd, handlers);
}
