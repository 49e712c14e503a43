/*
 * shared - the data that the BPF programs and user space share.
 *
 * Compiled into both sides, which are built together, so no layout has to stay compatible. Fixed
 * sizes only. Times are CLOCK_MONOTONIC in nanoseconds.
 */
#ifndef BPF_SHARED_H
#define BPF_SHARED_H

#include "engine/record/capture.h"

#include <linux/types.h>

#define BPF_SYSCALLS 1024 /* calls with this number or above always pass */
#define BPF_CPUS_MAX 4096 /* calls on further CPUs are not traced */

/* The kinds of records in a ring. */
enum bpf_record_kind {
	BPF_RECORD_CALL, /* a complete call, at its exit */
	/* enter of a call in flight: its thread leaves its CPU, or the call may never return */
	BPF_RECORD_ENTER,
	BPF_RECORD_EXIT, /* exit of a call whose enter was not traced */
	/*
	 * Sets the owner of the thread: uid in `ret`, cgroup in args[0], comm in args[1] and [2].
	 * args[3] is the pid of the process in a pid namespace below the initial one, or 0.
	 */
	BPF_RECORD_OWNER,
	/* A signal handler runs: the interrupted call will not be restarted. */
	BPF_RECORD_HANDLER,
	/* The thread or, if it is the first one, maybe its process was moved to another cgroup. */
	BPF_RECORD_MOVED,
};

/* Flag of `kind`: the call restarts the interrupted call of the thread. */
#define BPF_RECORD_RESUMES 0x80
/*
 * Parts of `captured`: a mask for enum bpf_captured. In a CALL, the bits above count how often the
 * thread left its CPU, modulo 64.
 */
#define BPF_RECORD_CAPTURED 3
#define BPF_RECORD_SWITCHES_SHIFT 2

struct bpf_record {
	__u64 mark; /* BPF_MARK(position, key); written last */
	__u64 time_ns; /* time of the exit (in an ENTER: of the enter); ascending in a ring */
	__u64 enter_ns; /* 0 in an EXIT */
	__s64 ret; /* unused in an ENTER */
	__u64 args[6]; /* unused in an EXIT */
	__u32 pid, tid;
	__u16 nr; /* 65535: this number or a higher one */
	__u16 cpu; /* CPU of the enter (in an EXIT: of the exit) */
	__u8 kind; /* enum bpf_record_kind, or'ed with BPF_RECORD_RESUMES */
	__u8 captured; /* enum bpf_captured; above it, in a CALL, the switches */
	__u16 bytes; /* total size with captured memory, a multiple of 8 */
};

/* Which chunks (engine/record/capture.h) follow a record. */
enum bpf_captured {
	BPF_CAPTURED_NONE, /* ignore the bytes */
	BPF_CAPTURED_ALL, /* all chunks of the call so far */
	BPF_CAPTURED_MORE, /* chunks in addition to those of its ENTER */
};

/*
 * The key is random, with its highest bit set. So no mark is 0, the value of unwritten memory.
 * Memory that is copied from watched programs into the rings cannot contain a valid mark.
 */
#define BPF_MARK(position, key) ((position) ^ (key))
#define BPF_RECORD_BYTES_MAX 16384 /* room after a ring, for the record at its end */

/* User registers of a thread, without those that a system call overwrites. */
struct bpf_registers {
	__u64 bx, bp, sp, ip;
	__u64 di, si, dx, r10, r8, r9;
	__u64 r12, r13, r14, r15;
};

/* Calls in flight for this long are reported even if their thread did not leave its CPU. */
#define BPF_LONG_NS 50000000LL

/*
 * Values of the family map, by pid or tid: why a task is watched. With PROCESS, the bits from
 * BPF_FAMILY_SHIFT upward hold the pid of the target process that the task descends from.
 */
#define BPF_FAMILY_PROCESS 1u /* the process and its descendants */
#define BPF_FAMILY_THREAD 2u /* only this thread */
#define BPF_FAMILY_OWN 4u /* stxtop itself: never watched */
#define BPF_FAMILY_SHIFT 8

/* What a filter says about a pid or tid: bits of the chosen map, four per bank. */
#define BPF_CHOSEN_PROCESS 1u
#define BPF_CHOSEN_THREAD 2u
#define BPF_CHOSEN_NOT 4u
#define BPF_CHOSEN_SHIFT 4

/*
 * A bank holds a whole filter. User space writes a bank that is not in force, then puts it in force
 * by its number: (number of changes) % BPF_BANKS.
 */
#define BPF_BANKS 4

#define BPF_UIDS 16 /* ranges of uids; user space tests filters with more */
#define BPF_CGROUPS 256 /* maximum number of cgroups that one filter can match */
#define BPF_CGROUP_LEVELS 65 /* the root and 64 levels below it, as in cgroups.c */

struct bpf_uids {
	__u32 lo, hi; /* both inclusive */
};

struct bpf_bank {
	__u64 syscalls[BPF_SYSCALLS / 64]; /* bitmap of wanted numbers */
	__u64 min_ns; /* minimum duration */
	__u8 by_task; /* pass only tasks with PROCESS or THREAD in the chosen map */
	__u8 not_task; /* drop tasks with NOT in the chosen map */
	__u8 nothing;
	__u8 failed; /* pass only failed calls */
	__u8 owners; /* check the owner of a thread at every enter */
	__u8 by_uid; /* pass only threads of these uids */
	__u8 by_cgroup; /* pass only threads in cgroups of the map, which has a bit per bank ... */
	__u8 cgroup_root; /* ... or at the root, as /proc may show another cgroup */
	__u32 uid_count;
	struct bpf_uids uids[BPF_UIDS];
	__u64 cgroups_made; /* value of cgroups_made before the cgroups were looked up */
};

struct bpf_settings {
	__u32 change; /* number of changes, from 1: bank change % BPF_BANKS is in force */
	__u8 running;
	__u8 by_family; /* pass only tasks in the family map; otherwise all except stxtop itself */
	__u8 by_cpu; /* pass only calls that enter on CPUs of the mask */
	__u32 sums; /* number of switches between the two maps of sums; odd: odd_sums */
	__u64 eager[BPF_SYSCALLS / 64]; /* numbers whose enters are emitted at once */
	__u64 changes[BPF_SYSCALLS / 64]; /* subset that can change the task owner */
	__u64 cpus[BPF_CPUS_MAX / 64];
	/*
	 * By call number: time since which programs see every enter; BPF_UNCOVERED: they do not.
	 * The last element is for all larger numbers. A stored enter before this time can belong to
	 * an earlier call than the current exit.
	 */
	__u64 since_ns[BPF_SYSCALLS + 1];
	/*
	 * Nonzero while a call may meet two programs: one at all calls and one at its own
	 * tracepoint. Each overlap has a new number.
	 */
	__u32 overlap;
	struct bpf_bank banks[BPF_BANKS];
};

#define BPF_UNCOVERED (~0ULL)

/*
 * State of one CPU. The members that programs write and the one that user space writes are on
 * separate cache lines, to avoid false sharing. Positions and counters only grow.
 */
struct bpf_cpu {
	__u64 reserved; /* end position of the records begun in its ring */
	__u64 counted; /* calls without room in the ring that were added to the sums */
	__u64 lost; /* ... and calls without room in either */
	__u32 ring; /* number of its ring, from 1; 0: none */
	__u32 filled; /* bytes so far of the record that is being written */
	__u32 counting; /* odd while a program adds to the sums */
	__u8 left_out; /* memory of a call was omitted for lack of room in a record */
	__u64 consumed __attribute__((aligned(64))); /* end position of the records read */
} __attribute__((aligned(64)));

/*
 * Sums of the calls that a ring had no room for. An entry covers one octave of durations, which is
 * a group of engine/base/histogram.h with its steps. There are two maps: user space switches the
 * programs to the other one and then empties the first.
 */
#define BPF_STEPS 32
#define BPF_AGGREGATES 32768 /* entries per CPU; each takes 256 bytes when used */
#define BPF_AGGREGATES_MAX (1 << 20) /* ... and in total */

struct bpf_sum_key {
	__u32 pid;
	__u16 nr;
	__u16 group;
	__u32 cpu;
};

struct bpf_sum {
	__u64 calls, errors;
	__u64 total_ns, min_ns, max_ns;
	__u32 steps[BPF_STEPS];
};

#endif
