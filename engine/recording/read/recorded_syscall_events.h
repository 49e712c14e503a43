/*
 * recorded_syscall_events - system calls of a recording that has events of single ones.
 *
 * `perf record -e 'syscalls:*'` and such: each call has its own sys_enter_NAME and sys_exit_NAME,
 * with the layout that perf_syscall_events.h describes, as the recording's format files say it. One
 * thread, while the recording is opened.
 */
#ifndef READ_RECORDED_SYSCALL_EVENTS_H
#define READ_RECORDED_SYSCALL_EVENTS_H

#include "engine/recording/perfdata_header.h"
#include "engine/source/perf/perf_decode.h"
#include "engine/source/source.h"

/*
 * Makes known to the decoder those whose parts are 0 so far, and gives them the parts that
 * they need; how many calls there are. One of which only half was recorded is left out,
 * as is one whose name nobody knows or that has no raw bytes.
 */
unsigned int recorded_syscall_events_learn(const struct perfdata_header *header,
					   syscall_event_fn *name, struct perf_decode *decode,
					   uint64_t *parts);

#endif
