/*
 * perfdata_ext - what is peculiar to the perf.data files that this program writes.
 *
 * To perf they are recordings like its own: an attribute for each event, samples of
 * raw_syscalls:sys_enter and sys_exit, of context switches and sched:sched_waking with their
 * stacks, COMM, FORK, EXIT, MMAP2, SWITCH and LOST records. Three things make that the records
 * of the model can be had back exactly:
 *
 * - Samples and records stand in the order in which they were collected, which is that of the
 *   model: a whole call as an enter and an exit one behind the other, each with its own time.
 *   perf sorts them by time.
 * - An event has PERFDATA_EXT_VARIANTS ids, (its number + 1) * PERFDATA_EXT_VARIANTS and those
 * behind it.
 *   perf takes them for one event; what is added to the first of them are the flags below.
 * - What perf has no record for stands in records of a type that it reads over:
 *   PERF_RECORD_HEADER_EVENT_TYPE, which meant something until Linux 3.2, begun by
 *   PERFDATA_EXT_MAGIC.
 *
 * A file begins with PERFDATA_EXT_TABLE, code of the kernel, and PERFDATA_EXT_BEGIN. All samples
 * have PERFDATA_EXT_SAMPLE in front, those of the stack events PERFDATA_EXT_STACK_SAMPLE; all other
 * records of the kernel's types end with struct perfdata_ext_trailer. Sizes are multiples of 8,
 * numbers little-endian.
 *
 * A writer that is killed leaves a file that opens: every now and then it writes a
 * PERFDATA_EXT_TABLE, and then the header's size of the records, in one write, as if they ended in
 * front of it. There perf looks for the table of the feature sections, and the record is made
 * such that it is one: its header and magic are a section of feature 0, which means nothing.
 *
 * A pipe has no such tables, but begins with an empty one, by which it is known as ours. What a
 * file has in its header and in sections follows in records of perf's own (perfdata_writer_pipe.c),
 * and then the same records as in a file.
 */
#ifndef RECORDING_PERFDATA_EXT_H
#define RECORDING_PERFDATA_EXT_H

#include "engine/record/record.h"

#include <linux/perf_event.h>

#define PERFDATA_EXT_TYPE 65
#define PERFDATA_EXT_MAGIC "stxtop" /* six bytes, without a NUL */
#define PERFDATA_EXT_MAGIC_BYTES 6
#define PERFDATA_EXT_VERSION 1

#define PERFDATA_EXT_ROUND_TYPE 68 /* PERF_RECORD_FINISHED_ROUND: perf may sort what it has */
#define PERFDATA_EXT_BUILD_ID_TYPE 67 /* PERF_RECORD_HEADER_BUILD_ID, as in perfdata_build_ids.h */

#define PERFDATA_EXT_RECORD_MAX 65528 /* a record's size has 16 bits, and is a multiple of 8 */

/* The events of a file, in the order of its attributes. */
enum perfdata_ext_event {
	PERFDATA_EXT_EVENT_SIDE,
	PERFDATA_EXT_EVENT_ENTER,
	PERFDATA_EXT_EVENT_EXIT,
	PERFDATA_EXT_EVENT_SWITCH,
	PERFDATA_EXT_EVENT_WAKING,
	/* from here on: other tracepoints, as PERFDATA_EXT_EVENT told them */
	PERFDATA_EXT_EVENT_OTHERS
};

#define PERFDATA_EXT_VARIANTS 16
#define PERFDATA_EXT_ID(event, flags) (((uint64_t)(event) + 1) * PERFDATA_EXT_VARIANTS + (flags))

enum perfdata_ext_flag {
	/* Of enters and exits. */
	PERFDATA_EXT_LATE = 1 << 0, /* told later than it was */
	PERFDATA_EXT_WHOLE = 1 << 1, /* an enter whose exit is next, or that exit */
	PERFDATA_EXT_ENTERED = 1 << 2, /* an exit of a whole call: its enter was told before */
	PERFDATA_EXT_MORE = 1 << 3, /* what it points to is added to what its enter did */
	/* Of stacks. */
	PERFDATA_EXT_DENIED = 1 << 0, /* there is a kernel's half, which the user might not see */
	PERFDATA_EXT_STACK_LIMITED = 1 << 1,
	PERFDATA_EXT_UNSURE = 1 << 2, /* switches, SWITCH records too */
	PERFDATA_EXT_PREEMPTED = 1 << 3, /* switches */
	PERFDATA_EXT_INTERRUPT = 1 << 2, /* wakings */
	PERFDATA_EXT_INTERRUPT_KNOWN = 1 << 3, /* the same */
	/* Of COMM and FORK: the task was there before. Of LOST: enum record_loss. */
	PERFDATA_EXT_EXISTING = 1 << 0,
	PERFDATA_EXT_NO_NAME = 1 << 1, /* a FORK with EXISTING: no COMM follows */
	PERFDATA_EXT_PERF_ONLY = 1 << 2, /* for perf alone: the model was not told that */
};

#define PERFDATA_EXT_SAMPLE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)
#define PERFDATA_EXT_STACK_SAMPLE \
	(PERFDATA_EXT_SAMPLE | PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | \
	 PERF_SAMPLE_STACK_USER)

struct perfdata_ext_sample {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu;
	/*
	 * perf reads over it. Of an enter: enum record_resume. Of an exit: 1 silent; of one of a
	 * whole call: its switches, and above PERFDATA_EXT_RESUMES_SHIFT enum record_resume.
	 */
	uint32_t more;
};

#define PERFDATA_EXT_RESUMES_SHIFT 16

struct perfdata_ext_stack_sample {
	struct perf_event_header header;
	uint64_t id;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu;
	uint32_t state; /* of a switch-out: enum run_state; perf reads over it */
	/* Callchain, raw bytes (of wakings), registers, stack: as perf_event_open(2) says. */
};

struct perfdata_ext_trailer {
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu;
	uint32_t state; /* as in struct perfdata_ext_stack_sample */
	uint64_t id;
};

/* What tracepoints begin with: struct trace_entry of the kernel. */
struct perfdata_ext_entry {
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t pid;
};

/* Raw bytes with their size in front, as the format texts of perfdata_sections.h say. */
struct perfdata_ext_enter {
	struct perfdata_ext_sample sample;
	uint32_t raw_bytes;
	struct perfdata_ext_entry entry;
	int64_t nr;
	uint64_t args[SYSCALL_ARGS];
	uint32_t padding;
} __attribute__((packed));

struct perfdata_ext_exit {
	struct perfdata_ext_sample sample;
	uint32_t raw_bytes;
	struct perfdata_ext_entry entry;
	int64_t nr;
	int64_t ret;
	uint32_t padding;
} __attribute__((packed));

/* Behind the kernel's raw bytes of a waking: perf reads over them. */
struct perfdata_ext_wakee {
	uint32_t tid, pid;
};

/* -- Records that perf reads over ------------------------------------------------ */

enum perfdata_ext_kind {
	PERFDATA_EXT_BEGIN, /* before all of the model */
	PERFDATA_EXT_TABLE, /* see above: nothing of the model */
	PERFDATA_EXT_BYTES, /* what the call points to whose sample is next */
	PERFDATA_EXT_OWNER,
	PERFDATA_EXT_INFLIGHT,
	PERFDATA_EXT_AGGREGATE,
	PERFDATA_EXT_GAP,
	PERFDATA_EXT_EVENT, /* another tracepoint, before its first sample */
	PERFDATA_EXT_DRAINED, /* all up to here was handed over at once, at that time */
	PERFDATA_EXT_FORGET, /* the call in flight of that thread is not followed any more */
	PERFDATA_EXT_CHAIN, /* the user's half by frame pointers of the sample that is next */
	PERFDATA_EXT_OBSERVATIONS = 11, /* what was found out beside the records */
	PERFDATA_EXT_OBSERVATIONS_AT = 12, /* where the last of these is */
	PERFDATA_EXT_INDEX = 13, /* where in the file which times are */
	PERFDATA_EXT_INDEX_AT = 14, /* where the last of these is */
	PERFDATA_EXT_FLIGHT = 16, /* why this file was saved, in front of PERFDATA_EXT_BEGIN */
	PERFDATA_EXT_RUNNING =
		17, /* struct perfdata_ext_inflight: where a thread was found running */
	PERFDATA_EXT_SWITCHES_LOST = 18,
	PERFDATA_EXT_KIND_COUNT
};

struct perfdata_ext {
	struct perf_event_header header;
	char magic[PERFDATA_EXT_MAGIC_BYTES];
	uint16_t kind; /* enum perfdata_ext_kind */
};

/* Those of the model begin with this. */
struct perfdata_ext_common {
	struct perfdata_ext own;
	uint64_t time_ns;
	uint32_t pid, tid;
	uint32_t cpu;
	uint32_t flags;
};

#define PERFDATA_EXT_COPIES 1u /* the source copied what calls point to */
#define PERFDATA_EXT_NO_WAITS 2u /* nobody told of switches */
#define PERFDATA_EXT_NO_INS 4u /* switch-ins were not recorded, see pairing_watch_waits() */

struct perfdata_ext_begin {
	struct perfdata_ext_common common; /* flags: PERFDATA_EXT_COPIES and the next two */
	uint32_t version;
	uint32_t unused;
	uint64_t regs_mask; /* of the stack events */
};

/* The bytes follow, padded to 8. flags: PERFDATA_EXT_MORE. */
struct perfdata_ext_bytes {
	struct perfdata_ext own;
	uint32_t len;
	uint32_t flags;
};

/* Two texts follow, each with its NUL: the cgroup, the name. */
struct perfdata_ext_owner {
	struct perfdata_ext_common common; /* flags: 1 has a cgroup, 2 has a name */
	uint32_t uid, ns_pid;
};

/* The callchain follows, then the registers of the mask, then the stack. */
struct perfdata_ext_inflight {
	struct perfdata_ext_common
		common; /* flags: 1 has a stack, 2 kernel_denied, 4 has registers */
	uint64_t args[SYSCALL_ARGS];
	uint64_t sp, pc;
	uint32_t nr;
	uint32_t ips;
	uint64_t regs_mask;
	uint32_t stack_bytes;
	uint32_t state; /* enum run_state */
};

/* Switches on the CPU may have been lost. */
struct perfdata_ext_switches_lost {
	struct perfdata_ext_common common;
	uint64_t until_ns;
};

#define PERFDATA_EXT_STEPS 32 /* HISTOGRAM_STEPS */

struct perfdata_ext_aggregate {
	struct perfdata_ext_common common; /* flags: 1 all_match */
	uint64_t calls, errors, total_ns, min_ns, max_ns;
	uint32_t nr, group;
	uint32_t steps[PERFDATA_EXT_STEPS];
};

/*
 * The addresses follow, behind those that the sample has. Where there are registers and a stack,
 * perf unwinds these, and would show the frames twice.
 */
struct perfdata_ext_chain {
	struct perfdata_ext own;
	uint32_t count, unused;
};

/*
 * Feature sections of our own, at bits that perf has no names for and passes over. They stand
 * behind the records: a recording that was cut short lacks them. Each is a struct
 * perfdata_ext_section and then one frame of Zstandard, of at most PERFDATA_EXT_SECTION_MAX bytes
 * unpacked. A number stays with what it means; what follows is described where it is read.
 */
enum perfdata_ext_feature {
	PERFDATA_EXT_FEATURE_FIRST = 240,
	PERFDATA_EXT_FEATURE_NAMES = PERFDATA_EXT_FEATURE_FIRST, /* engine/stack/embedded_names.h */
	PERFDATA_EXT_FEATURE_UNWOUND, /* engine/recorder/embedded_stacks.h */
	PERFDATA_EXT_FEATURE_END
};

#define PERFDATA_EXT_FEATURES (PERFDATA_EXT_FEATURE_END - PERFDATA_EXT_FEATURE_FIRST)
#define PERFDATA_EXT_SECTION_MAX ((size_t)64 << 20)

struct perfdata_ext_section {
	char magic[PERFDATA_EXT_MAGIC_BYTES];
	uint16_t version; /* of that section; others are not read */
};

/* See flight_mark.h. The expression with its NUL follows. */
struct perfdata_ext_flight {
	struct perfdata_ext_common common; /* flags: 1 the call was in flight, 2 it was an event */
	uint64_t from_ns, enter_ns;
	int64_t dur_ns;
	uint32_t reason, nr;
	uint32_t text_bytes;
	char comm[20];
};

/*
 * What was found out beside the records (engine/record/observation.h) is wanted before the first of
 * them, and not known then. So these records are never packed, each tells where the one before it
 * is, and a PERFDATA_EXT_OBSERVATIONS_AT is the last thing in front of each end of the records,
 * that of a checkpoint too. Offsets are those in the file; 0: there is none. In a pipe they come as
 * they come. `bytes` bytes of struct perfdata_ext_observation follow.
 */
struct perfdata_ext_observations {
	struct perfdata_ext own;
	uint64_t before;
	uint32_t bytes, unused;
};

struct perfdata_ext_observations_at {
	struct perfdata_ext own;
	uint64_t last;
	uint64_t unused;
};

/*
 * Where in the file which times are, and which calls lie across it (perfdata_seek_index.h), so that
 * going there needs no look at all that is in front. These records too are never packed and tell
 * where the one before them is. Some of them, one behind the other, tell of all records in front of
 * `upto` and behind that of the ones before them; a PERFDATA_EXT_INDEX_AT is in front of each end
 * of the records, behind it at most a PERFDATA_EXT_OBSERVATIONS_AT. First the pieces follow, then
 * the calls, `call_bytes` bytes of them. Those that have not ended are told each time, by the last
 * ones.
 */
struct perfdata_ext_index {
	struct perfdata_ext own;
	uint64_t before;
	uint64_t upto;
	uint32_t pieces, call_bytes;
};

#define PERFDATA_EXT_PIECE_SIDE 1u /* see perfdata_time_index.h */

/* Each ends where the next one begins, or at `upto`. Reading can begin at each. */
struct perfdata_ext_piece {
	uint64_t at;
	uint64_t oldest_ns, newest_ns;
	uint32_t records, flags;
};

#define PERFDATA_EXT_CALL_PARTIAL 1u /* see long_calls.h */

/* Its places follow. Those of long_calls.h; end UINT64_MAX: it has not ended. */
struct perfdata_ext_call {
	uint64_t end;
	uint32_t tid;
	uint16_t count, flags;
};

struct perfdata_ext_index_at {
	struct perfdata_ext own;
	uint64_t last;
	uint64_t unused;
};

#define PERFDATA_EXT_OBSERVATION_WORDS 6

/* The text follows, padded to 8. Numbers stay with what they mean: perfdata_observations.c. */
struct perfdata_ext_observation {
	uint16_t kind; /* enum observation_kind */
	uint16_t flags;
	uint32_t bytes; /* with this and all of the padding */
	uint32_t len; /* of the text */
	uint32_t unused;
	uint32_t pid, tid;
	uint64_t fed_ns;
	uint64_t words[PERFDATA_EXT_OBSERVATION_WORDS];
};

/* Its name SYSTEM:NAME with a NUL, and the text of its format file follow. */
struct perfdata_ext_format {
	struct perfdata_ext own;
	uint32_t event; /* enum perfdata_ext_event */
	uint32_t name_bytes, text_bytes, unused;
};

_Static_assert(sizeof(struct perfdata_ext_enter) == 112 && sizeof(struct perfdata_ext_exit) == 72 &&
		       sizeof(struct perfdata_ext) == 16 &&
		       sizeof(struct perfdata_ext_common) == 40 &&
		       sizeof(struct perfdata_ext_inflight) % 8 == 0 &&
		       sizeof(struct perfdata_ext_flight) % 8 == 0 &&
		       sizeof(struct perfdata_ext_observation) % 8 == 0 &&
		       sizeof(struct perfdata_ext_aggregate) % 8 == 0 &&
		       sizeof(struct perfdata_ext_index) % 8 == 0 &&
		       sizeof(struct perfdata_ext_piece) % 8 == 0 &&
		       sizeof(struct perfdata_ext_call) % 8 == 0,
	       "records are multiples of 8 bytes");

#endif
