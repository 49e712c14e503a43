/*
 * recorded_singles - system calls of a recording that has events of single ones.
 *
 * `perf record -e 'syscalls:*'` and such: each call has its own sys_enter_NAME and sys_exit_NAME,
 * with the layout that perf_singles.h describes, as the recording's format files say it. One
 * thread, while the recording is opened.
 */
#ifndef RECORDING_RECORDED_SINGLES_H
#define RECORDING_RECORDED_SINGLES_H

#include "engine/recording/perf_header.h"
#include "engine/source/perf_decode.h"
#include "engine/source/source.h"

/*
 * Makes known to the decoder those whose parts are 0 so far, and gives them the parts that
 * they need; how many calls there are. One of which only half was recorded is left out,
 * as is one whose name nobody knows or that has no raw bytes.
 */
unsigned int recorded_singles_learn(const struct perf_header *header, syscall_event_fn *name,
				    struct perf_decode *decode, uint64_t *parts);

#endif
