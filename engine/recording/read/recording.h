/*
 * recording - a perf.data file as a source: every view works on it as on live calls.
 *
 * Takes what perfdata_writer.h writes, what `perf record -e raw_syscalls:*,sched:sched_switch
 * [-g]`, `perf trace record` and `perf record -e 'syscalls:*'` write, other tracepoints beside
 * them, or these alone. Where calls have two kinds of events, those of raw_syscalls count. Plays as
 * fast as it is drained; the same file gives the same records every time. Nothing of this machine
 * is looked up for it.
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
	/* What is not of calls and waits is added to these; NULL: it is left out. Borrowed. */
	struct event_formats *formats;
	syscall_event_fn *syscall_event; /* see source.h; NULL: those of single calls are events */
	struct observations
		*observations; /* what it tells beside its records is added; NULL: is not */
	bool indexed; /* somebody will go about in it */
	int wake_fd; /* as in struct source_options */
};

/* 0, or -errno with a sentence: not a recording, or one without tracepoints. */
int source_open_recording(struct source **source, const struct recording_options *options,
			  struct err *err);

/* perfdata_header_take_own() of it. */
char *source_recording_own(struct source *source, unsigned feature, unsigned version, size_t *len);

/* The kernel of the recording; zero or "" where it does not tell. */
struct recording_kernel {
	const uint8_t *build_id; /* borrowed from the source, as all of it; NULL: not known */
	uint32_t build_id_bytes;
	uint64_t text; /* the address of its _text: it begins elsewhere each time */
	const char *release;
	const char *kallsyms; /* `kallsyms_len` bytes of that file, as perf once recorded it */
	size_t kallsyms_len;
};

/*
 * Whether there may be in it what calls point to; *copies: its source copied that, and what is
 * not there was not to be had.
 */
bool source_recording_points(struct source *source, bool *copies);
/*
 * Whether it tells of switches, as far as its header says; also where there were none. *ins: of
 * whoever gets a CPU too, and not only from another thread that was recorded.
 */
bool source_recording_waits(struct source *source, bool *ins);
/* Why it was saved; false: no flight recorder did. */
bool source_recording_flight(struct source *source, struct flight_mark *mark);
/* What it says of the machine it was made on, for another recording; false: it is none. */
bool source_recording_machine(struct source *source, struct perfdata_machine *machine);

/* False: it is another kind of source. */
bool source_recording_kernel(struct source *source, struct recording_kernel *kernel);

#endif
