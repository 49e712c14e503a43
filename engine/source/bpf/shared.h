/*
 * shared - what the programs in the kernel and those who read them agree on.
 *
 * Compiled by both sides, which are built together: nothing here has to stay compatible.
 * Fixed sizes only. Times are CLOCK_MONOTONIC in nanoseconds.
 */
#ifndef BPF_SHARED_H
#define BPF_SHARED_H

#include "engine/record/capture.h"

#include <linux/types.h>

#define BPF_SYSCALLS 1024 /* numbers at and above are never filtered out */
#define BPF_CPUS_MAX 4096 /* calls on CPUs beyond are not seen */

/* What a record in a ring says. */
enum bpf_record_kind {
	BPF_RECORD_CALL, /* a whole call, at its exit */
	/* a call that is in flight: its thread leaves its CPU, or may not return */
	BPF_RECORD_ENTER,
	BPF_RECORD_EXIT, /* the exit of a call whose enter was not seen */
	/*
	 * From now on the thread's user is `ret`, its cgroup args[0], its name in args[1], [2],
	 * its process's number in a pid namespace below the first one args[3], or 0.
	 */
	BPF_RECORD_OWNER,
	/* A handler runs: the call that returned to be restarted will not be. */
	BPF_RECORD_HANDLER,
};

/* The call goes on with the one that the thread returned from to be restarted. */
#define BPF_RECORD_RESUMES 0x80
/* How often the thread left its CPU in a CALL, modulo 64. */
#define BPF_RECORD_CAPTURED 3
#define BPF_RECORD_SWITCHES_SHIFT 2

struct bpf_record {
	__u64 mark; /* BPF_MARK(position, key): last, when all the rest is written */
	__u64 time_ns; /* in order within a ring: of the exit, but in an ENTER of the enter */
	__u64 enter_ns; /* 0 in an EXIT */
	__s64 ret; /* not in an ENTER */
	__u64 args[6]; /* not in an EXIT */
	__u32 pid, tid;
	__u16 nr; /* 65535: that or above */
	__u16 cpu; /* where it entered, or in an EXIT where it left */
	__u8 kind; /* enum bpf_record_kind, with BPF_RECORD_RESUMES */
	__u8 captured; /* enum bpf_captured; above it, in a CALL, the switches */
	__u16 bytes; /* of all of it, a multiple of 8: more than this where bytes were captured */
};

/* What is behind a record: chunks of engine/record/capture.h. */
enum bpf_captured {
	BPF_CAPTURED_NONE, /* nothing that means anything */
	BPF_CAPTURED_ALL, /* all that there are of the call so far */
	BPF_CAPTURED_MORE, /* to be added to those that its ENTER had */
};

/*
 * The key is another one each time, with its highest bit set: no position has the mark 0, which
 * is in memory that was never written, and what programs wrote that are watched, which is
 * copied into the rings, is no mark.
 */
#define BPF_MARK(position, key) ((position) ^ (key))
#define BPF_RECORD_BYTES_MAX 16384 /* what follows a ring, for the record that begins at its end */

/* The registers of a thread in user space; those that a system call loses are left out. */
struct bpf_registers {
	__u64 bx, bp, sp, ip;
	__u64 di, si, dx, r10, r8, r9;
	__u64 r12, r13, r14, r15;
};

/* Calls that are in flight for so long are told though their thread did not leave its CPU. */
#define BPF_LONG_NS 50000000LL

/*
 * Why a process or thread is wanted: values of the family map, by pid or tid. Above them, with
 * PROCESS, the process that was named, from which it descends.
 */
#define BPF_FAMILY_PROCESS 1u /* it and what it forks */
#define BPF_FAMILY_THREAD 2u /* it alone */
#define BPF_FAMILY_OWN 4u /* this program's: never */
#define BPF_FAMILY_SHIFT 8

/* What a filter says of a pid or tid: bits of the chosen map, four for each bank. */
#define BPF_CHOSEN_PROCESS 1u
#define BPF_CHOSEN_THREAD 2u
#define BPF_CHOSEN_NOT 4u
#define BPF_CHOSEN_SHIFT 4

/*
 * A whole filter. User space writes one that is not in force, and then puts it in force by
 * its number: (number of changes) % BPF_BANKS.
 */
#define BPF_BANKS 4

#define BPF_UIDS 16 /* ranges of users; a filter of more is tested by who reads */
#define BPF_CGROUPS 256 /* that the words of one filter mean */
#define BPF_CGROUP_LEVELS 65 /* below the root so many less one; cgroups.c looks no deeper */

struct bpf_uids {
	__u32 lo, hi; /* both included */
};

struct bpf_bank {
	__u64 syscalls[BPF_SYSCALLS / 64]; /* the numbers that are wanted */
	__u64 min_ns; /* only calls that took so long */
	__u8 by_task; /* only what the chosen map names ... */
	__u8 not_task; /* ... or it names some that are not wanted */
	__u8 nothing;
	__u8 failed; /* only calls that failed */
	__u8 owners; /* a thread's owner is looked at whenever it enters a call */
	__u8 by_uid; /* only threads of these users */
	__u8 by_cgroup; /* only threads in cgroups of the map, with one bit for each bank, ... */
	__u8 cgroup_root; /* ... or at the root: /proc may say that they are elsewhere */
	__u32 uid_count;
	struct bpf_uids uids[BPF_UIDS];
	__u64 cgroups_made; /* what the counter was before the cgroups were looked up */
};

struct bpf_settings {
	__u32 change; /* counts changes, from 1: the bank in force is change % BPF_BANKS */
	__u8 running;
	__u8 by_family; /* only what the family map names; else all but own */
	__u8 by_cpu; /* only calls that enter on CPUs of the mask */
	__u32 sums; /* counts turns: the sums are added to in one map or the other */
	__u64 eager[BPF_SYSCALLS / 64]; /* numbers whose enters are told at once */
	__u64 changes[BPF_SYSCALLS / 64]; /* of these, what may change the owner */
	__u64 cpus[BPF_CPUS_MAX / 64];
	/*
	 * Since when every enter of a number was seen, by some program or other;
	 * BPF_UNCOVERED: they are not. The last is for all numbers beyond. An enter from before
	 * that may be of another call than the exit that is seen now.
	 */
	__u64 since_ns[BPF_SYSCALLS + 1];
	/*
	 * Not 0: a call may meet two programs, one of all calls and one of its own. Another number
	 * each time.
	 */
	__u32 overlap;
	struct bpf_bank banks[BPF_BANKS];
};

#define BPF_UNCOVERED (~0ULL)

/*
 * One for each CPU. What the programs write there, and who reads, are apart: no cache line is
 * fought for. All of it only grows.
 */
struct bpf_cpu {
	__u64 reserved; /* up to this position of its ring, records were begun */
	__u64 counted; /* calls that the ring had no room for, and that the sums have */
	__u64 lost; /* ... and the sums neither */
	__u32 ring; /* its number from 1; 0: it has none */
	__u32 filled; /* of the record that is being written */
	__u32 counting; /* odd while a program adds to the sums */
	__u8 left_out; /* some of what a call points to had no room in a record */
	__u64 consumed __attribute__((aligned(64))); /* up to this position, all was read */
} __attribute__((aligned(64)));

/*
 * Sums of the calls that a ring had no room for: one entry for each octave of durations,
 * which are the groups of engine/base/histogram.h with their steps. There are two maps of
 * them: user space has the programs turn to the other one, and then empties the first.
 */
#define BPF_STEPS 32
#define BPF_AGGREGATES 32768 /* entries of a map for each CPU, of 256 bytes when they are needed */
#define BPF_AGGREGATES_MAX (1 << 20) /* ... and of them all */

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
