/*
 * perfdata_ext - the extensions of perf.data that stxtop writes.
 *
 * To perf the files look like its own. They have an attribute for each event. They have samples of
 * raw_syscalls:sys_enter and sys_exit, and of context switches and sched:sched_waking with stacks.
 * They have COMM, FORK, EXIT, MMAP2, SWITCH and LOST records. Three extensions make it possible to
 * restore the exact records of the model:
 *
 * - Samples and records are stored in the order in which the collector feeds the model. A
 *   RECORD_CALL is an enter followed by an exit, each with its own time. perf sorts them by time.
 * - An event has PERFDATA_EXT_VARIANTS consecutive ids; the first is (number of the event + 1) *
 *   PERFDATA_EXT_VARIANTS. To perf, these ids belong to one event. The offset of an id from the
 *   first one holds the flags (enum perfdata_ext_flag).
 * - Data for which perf has no record type is stored in PERF_RECORD_HEADER_EVENT_TYPE records,
 *   which perf used until Linux 3.2 and skips since. These extension records begin with
 *   PERFDATA_EXT_MAGIC.
 *
 * The records of a file begin with PERFDATA_EXT_TABLE, mappings of kernel code, and
 * PERFDATA_EXT_BEGIN. Samples begin with the fields of PERFDATA_EXT_SAMPLE; samples of the stack
 * events (switches and wakings) with those of PERFDATA_EXT_STACK_SAMPLE. All other records of types
 * of the kernel end with struct perfdata_ext_trailer. Sizes are multiples of 8; numbers are
 * little-endian.
 *
 * A file remains readable after its writer is killed. At a checkpoint, the writer appends a
 * PERFDATA_EXT_TABLE. Then it sets the data size in the file header, in one write, so that the data
 * ends directly before that record. There perf looks for the table of feature sections.
 * PERFDATA_EXT_TABLE is laid out as such a table: its header and magic are the entry of feature 0,
 * which has no meaning.
 *
 * A pipe has no checkpoints. It begins with an empty PERFDATA_EXT_TABLE, which identifies stxtop as
 * the writer. Records of perf's own types follow, with the contents of a file's header and sections
 * (perfdata_writer_pipe.c), then the same records as in a file.
 */
#ifndef RECORDING_PERFDATA_EXT_H
#define RECORDING_PERFDATA_EXT_H

#include "engine/record/record.h"

#include <linux/perf_event.h>

#define PERFDATA_EXT_TYPE 65
#define PERFDATA_EXT_MAGIC "stxtop" /* six bytes, without a NUL */
#define PERFDATA_EXT_MAGIC_BYTES 6
#define PERFDATA_EXT_VERSION 1

#define PERFDATA_EXT_ROUND_TYPE 68 /* PERF_RECORD_FINISHED_ROUND: perf can sort earlier rounds */
#define PERFDATA_EXT_BUILD_ID_TYPE 67 /* PERF_RECORD_HEADER_BUILD_ID, as in perfdata_build_ids.h */

#define PERFDATA_EXT_RECORD_MAX 65528 /* the size of a record has 16 bits and is a multiple of 8 */

/* The events of a file, in the order of its attributes. */
enum perfdata_ext_event {
	PERFDATA_EXT_EVENT_SIDE,
	PERFDATA_EXT_EVENT_ENTER,
	PERFDATA_EXT_EVENT_EXIT,
	PERFDATA_EXT_EVENT_SWITCH,
	PERFDATA_EXT_EVENT_WAKING,
	/* this and larger numbers: other tracepoints, described by PERFDATA_EXT_EVENT records */
	PERFDATA_EXT_EVENT_OTHERS
};

#define PERFDATA_EXT_VARIANTS 16
#define PERFDATA_EXT_ID(event, flags) (((uint64_t)(event) + 1) * PERFDATA_EXT_VARIANTS + (flags))

enum perfdata_ext_flag {
	/* Flags of enters and exits. */
	PERFDATA_EXT_LATE = 1 << 0, /* has its exact time, although it was reported later */
	PERFDATA_EXT_WHOLE = 1 << 1, /* an enter directly followed by its exit, or that exit */
	/* exit of a RECORD_CALL whose enter is earlier in the file */
	PERFDATA_EXT_ENTERED = 1 << 2,
	PERFDATA_EXT_MORE = 1 << 3, /* argument bytes to add to those of the enter */
	/* Flags of samples with stacks. */
	PERFDATA_EXT_DENIED = 1 << 0, /* no permission to read the kernel part */
	PERFDATA_EXT_STACK_LIMITED = 1 << 1,
	PERFDATA_EXT_UNSURE = 1 << 2, /* in switches, also in SWITCH records */
	PERFDATA_EXT_PREEMPTED = 1 << 3, /* in switches */
	PERFDATA_EXT_INTERRUPT = 1 << 2, /* in wakings */
	PERFDATA_EXT_INTERRUPT_KNOWN = 1 << 3, /* in wakings */
	/* Flags of COMM and FORK records. A LOST record has enum record_loss instead. */
	PERFDATA_EXT_EXISTING = 1 << 0, /* the task existed before */
	PERFDATA_EXT_NO_NAME = 1 << 1, /* a FORK with EXISTING: no COMM follows */
	PERFDATA_EXT_PERF_ONLY = 1 << 2, /* for perf only; the model has no such record */
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
	 * Skipped by perf. Enter: enum record_resume. Exit: 1 if silent. Exit of a RECORD_CALL: its
	 * switches; in the bits from PERFDATA_EXT_RESUMES_SHIFT up, enum record_resume.
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
	uint32_t state; /* switch-out: enum run_state; perf skips it */
	/* Callchain, raw bytes (wakings only), registers, stack follow: perf_event_open(2). */
};

struct perfdata_ext_trailer {
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu;
	uint32_t state; /* as in struct perfdata_ext_stack_sample */
	uint64_t id;
};

/* Start of the raw bytes of every tracepoint: struct trace_entry of the kernel. */
struct perfdata_ext_entry {
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t pid;
};

/* Samples with raw bytes, which begin with `entry`; perfdata_machine.c has their formats. */
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

/* Follows the kernel's raw bytes of a waking; perf skips it. */
struct perfdata_ext_wakee {
	uint32_t tid, pid;
};

/* -- Extension records ----------------------------------------------------------- */

enum perfdata_ext_kind {
	PERFDATA_EXT_BEGIN, /* before all records of the model */
	PERFDATA_EXT_TABLE, /* see above; not a record of the model */
	PERFDATA_EXT_BYTES, /* argument memory of the call whose sample follows */
	PERFDATA_EXT_OWNER,
	PERFDATA_EXT_INFLIGHT,
	PERFDATA_EXT_AGGREGATE,
	PERFDATA_EXT_GAP,
	PERFDATA_EXT_EVENT, /* format of another tracepoint, before its first sample */
	PERFDATA_EXT_DRAINED, /* end of a drain, with its time */
	PERFDATA_EXT_FORGET, /* RECORD_FORGET */
	PERFDATA_EXT_CHAIN, /* user part and cut of the next sample's callchain */
	PERFDATA_EXT_OBSERVATIONS = 11, /* observations */
	PERFDATA_EXT_OBSERVATIONS_AT = 12, /* offset of the last PERFDATA_EXT_OBSERVATIONS */
	PERFDATA_EXT_INDEX = 13, /* the seek index */
	PERFDATA_EXT_INDEX_AT = 14, /* offset of the last PERFDATA_EXT_INDEX */
	PERFDATA_EXT_FLIGHT = 16, /* reason for saving this file, before PERFDATA_EXT_BEGIN */
	PERFDATA_EXT_RUNNING = 17, /* RECORD_RUNNING, as struct perfdata_ext_inflight */
	PERFDATA_EXT_SWITCHES_LOST = 18,
	PERFDATA_EXT_KIND_COUNT
};

struct perfdata_ext {
	struct perf_event_header header;
	char magic[PERFDATA_EXT_MAGIC_BYTES];
	uint16_t kind; /* enum perfdata_ext_kind */
};

/* Start of the extension records that hold a record of the model. */
struct perfdata_ext_common {
	struct perfdata_ext own;
	uint64_t time_ns;
	uint32_t pid, tid;
	uint32_t cpu;
	uint32_t flags;
};

#define PERFDATA_EXT_COPIES 1u /* the source copied argument memory */
#define PERFDATA_EXT_NO_WAITS 2u /* no switch records */
#define PERFDATA_EXT_NO_INS 4u /* switch-ins were not recorded, see pairing_watch_waits() */
#define PERFDATA_EXT_CUTS 8u /* cut stacks are marked; else PERF_MAX_STACK_DEPTH is the limit */

struct perfdata_ext_begin {
	struct perfdata_ext_common common; /* flags: the four above */
	uint32_t version;
	uint32_t unused;
	uint64_t regs_mask; /* registers in samples of the stack events */
};

/* The bytes follow, padded to a multiple of 8. flags: PERFDATA_EXT_MORE. */
struct perfdata_ext_bytes {
	struct perfdata_ext own;
	uint32_t len;
	uint32_t flags;
};

/* Two texts follow, each with its NUL: the cgroup, the name. */
struct perfdata_ext_owner {
	struct perfdata_ext_common common; /* flags: 1 = has a cgroup, 2 = has a name */
	uint32_t uid, ns_pid;
};

#define PERFDATA_EXT_CUT_SHIFT 3 /* position of enum record_stack_cut in the flags */
#define PERFDATA_EXT_UNENTERED (1u << 8) /* in in-flight records: held before sys_enter */

/* Callchain, the registers in regs_mask and stack bytes follow. */
struct perfdata_ext_inflight {
	struct perfdata_ext_common
		common; /* flags: 1 = has a stack, 2 = kernel_denied, 4 = has registers,
			 * then record_stack_cut, then PERFDATA_EXT_UNENTERED */
	uint64_t args[SYSCALL_ARGS];
	uint64_t sp, pc;
	uint32_t nr;
	uint32_t ips;
	uint64_t regs_mask;
	uint32_t stack_bytes;
	uint32_t state; /* enum run_state */
};

/* RECORD_SWITCHES_LOST: switches on the CPU up to until_ns can have been lost. */
struct perfdata_ext_switches_lost {
	struct perfdata_ext_common common;
	uint64_t until_ns;
};

#define PERFDATA_EXT_STEPS 32 /* HISTOGRAM_STEPS */

struct perfdata_ext_aggregate {
	struct perfdata_ext_common common; /* flags: 1 = all_match */
	uint64_t calls, errors, total_ns, min_ns, max_ns;
	uint32_t nr, group;
	uint32_t steps[PERFDATA_EXT_STEPS];
};

/*
 * The addresses follow; they continue the callchain of the next sample. That sample does not have
 * them: perf also unwinds its user stack, and would show the frames twice. A cut stack has this
 * record even if no addresses follow.
 */
struct perfdata_ext_chain {
	struct perfdata_ext own;
	uint32_t count;
	uint32_t cut; /* enum record_stack_cut of the sample */
};

/*
 * Feature sections of stxtop, at bits that perf does not define and therefore skips. They follow
 * the records, so a truncated recording lacks them. Each is a struct perfdata_ext_section and one
 * Zstandard frame, which decompresses to at most PERFDATA_EXT_SECTION_MAX bytes. Numbers are never
 * reused. The headers named here describe the contents.
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
	uint16_t version; /* of the contents; readers ignore other versions */
};

/* See flight_mark.h. The expression with its NUL follows. */
struct perfdata_ext_flight {
	struct perfdata_ext_common common; /* flags: 1 = call in flight, 2 = event */
	uint64_t from_ns, enter_ns;
	int64_t dur_ns;
	uint32_t reason, nr;
	uint32_t text_bytes;
	char comm[20];
};

/*
 * A reader needs observations (engine/record/observation.h) before the first record, but they are
 * collected later. So these records are never compressed, and each holds the offset of the previous
 * one. At each checkpoint and at the end of the file, the last record is a
 * PERFDATA_EXT_OBSERVATIONS_AT with the offset of the newest one. Offsets are from the start of the
 * file; 0: none. In a pipe the records come in the order of collection. `bytes` bytes of struct
 * perfdata_ext_observation follow.
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
 * The seek index (perfdata_seek_index.h): times by file offset, and long calls. With it, a reader
 * can seek without a scan of the file. Its records, too, are never compressed, and each holds the
 * offset of the previous one. Records that are written together form a run; it covers the file from
 * the `upto` of the previous run to its own `upto`. At each checkpoint and at the end of the file,
 * a PERFDATA_EXT_INDEX_AT is the last record; only a PERFDATA_EXT_OBSERVATIONS_AT can follow it.
 * `pieces` pieces follow this struct, then `call_bytes` bytes of calls. Each run repeats the calls
 * in flight; only those of the last run are valid.
 */
struct perfdata_ext_index {
	struct perfdata_ext own;
	uint64_t before;
	uint64_t upto;
	uint32_t pieces, call_bytes;
};

#define PERFDATA_EXT_PIECE_SIDE 1u /* see perfdata_time_index.h */

/* A piece ends where the next one begins, or at `upto`. Reading can begin at each piece. */
struct perfdata_ext_piece {
	uint64_t at;
	uint64_t oldest_ns, newest_ns;
	uint32_t records, flags;
};

#define PERFDATA_EXT_CALL_PARTIAL 1u /* see long_calls.h */

/* The `count` places of the call follow, as in long_calls.h. end UINT64_MAX: in flight. */
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

/* The padded text follows. Meanings of flags and words (perfdata_observations.c) are not reused. */
struct perfdata_ext_observation {
	uint16_t kind; /* enum observation_kind */
	uint16_t flags;
	uint32_t bytes; /* including this struct and the padding */
	uint32_t len; /* of the text */
	uint32_t unused;
	uint32_t pid, tid;
	uint64_t fed_ns;
	uint64_t words[PERFDATA_EXT_OBSERVATION_WORDS];
};

/* The name SYSTEM:NAME with a NUL, and the text of the format file follow. */
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
