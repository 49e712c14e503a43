/*
 * recording - a perf.data file as a source: every view works as with live calls.
 *
 * Reads files of perfdata_writer.h, `perf record -e raw_syscalls:*,sched:sched_switch [-g]`, `perf
 * trace record` and `perf record -e 'syscalls:*'`, with or without other tracepoints. Also reads
 * files that have only other tracepoints. If a file has both kinds of system call events,
 * raw_syscalls is used. Plays as fast as it is drained; the same file yields the same records every
 * time. No data of this machine is used.
 */
#ifndef READ_RECORDING_H
#define READ_RECORDING_H

#include "engine/base/err.h"
#include "engine/record/observations.h"
#include "engine/recording/perfdata_machine.h"
#include "engine/recording/read/perfdata_file.h"
#include "engine/source/source.h"

struct recording_options {
	struct perfdata_file_options file;
	/*
	 * Tracepoints other than those of calls and waits are added here; NULL: they are dropped.
	 * Borrowed.
	 */
	struct event_formats *formats;
	/* see source.h; NULL: sys_enter_NAME and sys_exit_NAME are ordinary events */
	syscall_event_fn *syscall_event;
	/* Embedded observations are added here; NULL: ignored. */
	struct observations *observations;
	bool indexed; /* create a seek index, as the user can seek */
	int wake_fd; /* as in struct source_options */
};

/* 0, or -errno with a message: not a recording, or one without tracepoints. */
int source_open_recording(struct source **source, const struct recording_options *options,
			  struct err *err);

/* Call perfdata_header_take_own() for a recording. NULL: another kind of source. */
char *source_recording_own(struct source *source, unsigned feature, unsigned version, size_t *len);

/* The kernel of the recorded machine; zero or "" where unknown. */
struct recording_kernel {
	const uint8_t *build_id; /* borrowed from the source, as all members; NULL: unknown */
	uint32_t build_id_bytes;
	uint64_t text; /* address of _text, which differs after each boot */
	const char *release;
	/* `kallsyms_len` bytes of /proc/kallsyms, which older versions of perf recorded */
	const char *kallsyms;
	size_t kallsyms_len;
};

/*
 * True if the recording can have argument memory. *copies: its source copied all argument memory
 * that was readable.
 */
bool source_recording_points(struct source *source, bool *copies);
/*
 * True if the recording has switch records according to its header, even if no switch occurred.
 * True for another kind of source. *ins: every switch-in is recorded, not only those that replace
 * another recorded thread.
 */
bool source_recording_waits(struct source *source, bool *ins);
/* Return in *mark why a flight recorder saved the recording; false: none did. */
bool source_recording_flight(struct source *source, struct flight_mark *mark);
/* Describe the recorded machine, for another recording; false: another kind of source. */
bool source_recording_machine(struct source *source, struct perfdata_machine *machine);

/* False: another kind of source. */
bool source_recording_kernel(struct source *source, struct recording_kernel *kernel);

#endif
