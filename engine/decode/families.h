/*
 * families - tables of system calls, one per file of families/ and ioctl/.
 */
#ifndef DECODE_FAMILIES_H
#define DECODE_FAMILIES_H

#include "engine/decode/form.h"

extern const struct call_family aio_family, bpf_family, capability_family, fcntl_family,
	file_family, landlock_family, futex_family, io_family, ioctl_family, ipc_family, key_family,
	memory_family, message_family, mount_family, notify_family, perf_family, poll_family,
	prctl_family, process_family, ptrace_family, sched_family, signal_family, socket_family,
	sockopt_family, stat_family, system_family, time_family, uring_family, wait_family,
	xattr_family;

#endif
