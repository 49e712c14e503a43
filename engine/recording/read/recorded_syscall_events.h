/*
 * recorded_syscall_events - system calls recorded with two events for each call number.
 *
 * `perf record -e 'syscalls:*'` and similar: each system call has its own sys_enter_NAME and
 * sys_exit_NAME. perf_syscall_events.h describes their layout; the recorded format files define it.
 * One thread, during the open.
 */
#ifndef READ_RECORDED_SYSCALL_EVENTS_H
#define READ_RECORDED_SYSCALL_EVENTS_H

#include "engine/recording/perfdata_header.h"
#include "engine/source/perf/perf_decode.h"
#include "engine/source/source.h"

/*
 * Register with the decoder those events whose parts are still 0, and set their parts. Return the
 * number of system calls. A system call is skipped if only its enter or exit was recorded, if its
 * name is unknown, or if it has no raw bytes.
 */
unsigned int recorded_syscall_events_learn(const struct perfdata_header *header,
					   syscall_event_fn *name, struct perf_decode *decode,
					   uint64_t *parts);

#endif
