#include "engine/reader_services.h"

#include "engine/fds/fd_probe.h"
#include "engine/helper/reader_main.h"
#include "engine/late/futex_owner.h"
#include "engine/late/late_probe.h"
#include "engine/process/proc_probe.h"
#include "engine/process/process_memory.h"
#include "engine/stack/file_probe.h"

static reader_handle_fn *const handlers[READER_WHAT_COUNT] = {
	[READER_MEMORY] = memory_handle,
	[READER_TASKS] = proc_probe_handle,
	[READER_OPEN] = file_probe_handle_open,
	[READER_HAND_OVER] = file_probe_handle_hand_over,
	[READER_SAME] = file_probe_handle_same,
	[READER_TEXT] = file_probe_handle_text,
	[READER_LATE] = late_probe_handle_memory,
	[READER_CONSTANT] = late_probe_handle_constant,
	[READER_MAP_LOOKUP] = late_probe_handle_map_lookup,
	[READER_BUILD_ID] = late_probe_handle_build_id,
	[READER_FDS] = fd_probe_handle,
	[READER_FUTEX_OWNER] = futex_owner_handle,
};

void readers_serve_raised(int socket_fd)
{
	reader_serve(socket_fd, handlers, true);
}

void readers_serve(int socket_fd)
{
	reader_serve(socket_fd, handlers, false);
}
