/*
 * stxtop.bpf - one record for each system call, made in the kernel at its exit.
 *
 * An enter is kept with its task; the exit finds it there and tells both at once. A call
 * that does not return soon is told before, when its thread first leaves its CPU, so
 * that whoever waits is seen and the scheduler's events find their call. What the filter
 * does not want ends before anything is written. What a ring has no room for is counted.
 *
 * The kernel runs programs of a tracepoint with preemption off, so a CPU is in at most one of
 * those at enter and exit; the one at switches runs between them.
 */
#include "engine/source/bpf/kernel.h"
#include "engine/source/bpf/shared.h"

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>
#include <stddef.h>

char program_license[] SEC("license") = "GPL";

/* Results of a call that is to be restarted, or not (include/linux/errno.h of the kernel). */
#define RESTARTSYS (-512)
#define RESTARTNOINTR (-513)
#define RESTARTNOHAND (-514)
#define RESTART_RESTARTBLOCK (-516)

/*
 * Chunks of a call in flight that are kept with its task: few bytes, as most are. What does
 * not fit is told at the enter. No chunk begins behind the first SMALL_BYTES, none has more.
 */
#define SMALL_BYTES 256

/* What is kept with a task. */
struct thread_state {
	__u64 enter_ns;
	__u64 args[6];
	__u32 nr;
	__u16 cpu;
	__u8 in_call;
	__u8 told; /* the reader knows of the call in flight ... */
	__u8 held; /* ... or of its first part, which returned to be restarted */
	__u8 wanted; /* by whatever was in force at `judged` */
	__u32 judged;
	__u32 kept; /* bytes of chunks below */
	__u8 large; /* they did not fit: the reader was told of them at the enter */
	__u64 chunks[(2 * SMALL_BYTES + sizeof(struct capture_chunk) + 8) / 8];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread_state);
} threads SEC(".maps");

/*
 * The rings, one after the other, read where they are. One whole array costs less than a
 * BPF_MAP_TYPE_RINGBUF for each CPU: no lock, no look-up of a map in a map, and no RCU grace
 * period for each at the start. The sizes are set by who loads.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, 65536 + BPF_TELL_BYTES_MAX);
} rings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, __u32);
} family SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, __u32);
} chosen SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct bpf_sum_key);
	__type(value, struct bpf_sum);
} sums SEC(".maps");

const volatile __u32 ring_mask = 65535; /* of positions to places: the size less one */
const volatile __u32 full_bytes; /* calls that were not told yet leave the rest to others */
volatile struct bpf_settings settings;
volatile struct bpf_cpu cpus[BPF_CPUS_MAX];
volatile struct capture_rules rules;

/* ---- what is wanted --------------------------------------------------------- */

static __always_inline const volatile struct bpf_bank *bank_of(__u32 change)
{
	return &settings.banks[change % BPF_BANKS];
}

static __always_inline bool wants_nr(const volatile struct bpf_bank *bank, __u32 nr)
{
	return nr >= BPF_SYSCALLS || bank->syscalls[nr / 64] >> (nr % 64) & 1;
}

static __always_inline __u32 family_of(__u32 id)
{
	__u32 *flags = bpf_map_lookup_elem(&family, &id);

	return flags ? *flags : 0;
}

static __always_inline __u32 chosen_of(__u32 id, __u32 change)
{
	__u32 *bits = bpf_map_lookup_elem(&chosen, &id);

	return bits ? *bits >> (change % BPF_BANKS * BPF_CHOSEN_SHIFT) : 0;
}

/* Looked up once for each thread and change, and kept with the thread. */
static __noinline bool judge(__u32 change)
{
	const volatile struct bpf_bank *bank = bank_of(change);
	__u64 ids = bpf_get_current_pid_tgid();
	__u32 pid = ids >> 32, tid = (__u32)ids;
	__u32 of_pid = family_of(pid), of_tid = family_of(tid);

	if ((of_pid | of_tid) & BPF_FAMILY_OWN)
		return false;
	if (settings.by_family &&
	    !(of_pid & BPF_FAMILY_PROCESS) && !(of_tid & BPF_FAMILY_THREAD))
		return false;
	if (!bank->by_task && !bank->not_task)
		return true;
	of_pid = chosen_of(pid, change);
	of_tid = chosen_of(tid, change);
	if (of_pid & BPF_CHOSEN_NOT)
		return false;
	return !bank->by_task || of_pid & BPF_CHOSEN_PROCESS || of_tid & BPF_CHOSEN_THREAD;
}

static __always_inline bool wants_thread(struct thread_state *thread, __u32 change)
{
	if (thread->judged != change) {
		thread->wanted = judge(change);
		thread->judged = change;
	}
	return thread->wanted;
}

static __always_inline bool failed(long ret)
{
	return (unsigned long)ret >= (unsigned long)-4095L;
}

static __always_inline bool restarts(long ret)
{
	return ret == RESTARTSYS || ret == RESTARTNOINTR || ret == RESTARTNOHAND ||
	       ret == RESTART_RESTARTBLOCK;
}

/* ---- what calls point to -------------------------------------------------------- */

/* Chunks that are written one behind the other. */
struct chunks {
	void *base;
	volatile __u32 *filled; /* in memory, so that the verifier does not follow its values */
	__u32 last;		/* none begins behind this */
	__u32 max;		/* bytes of one */
	__u8 arg, flags;
	bool left_out; /* something did not fit */
};

/* The bytes of a string and its NUL, or as many as there is room for. -errno. */
static __always_inline long copy_text(void *to, __u32 size, __u64 address, bool *cut)
{
	/* A string that is longer gets a NUL, which is not its own. */
	long len = bpf_probe_read_user_str(to, size + 1, (const void *)address);

	*cut = len > (long)size;
	return *cut ? size : len;
}

static __always_inline long copy_bytes(void *to, __u32 size, __u64 address)
{
	__u32 to_page_end = 4096 - (address & 4095);

	if (!bpf_probe_read_user(to, size, (const void *)address))
		return size;
	/* What is there, where not all is. */
	if (to_page_end >= size || bpf_probe_read_user(to, to_page_end, (const void *)address))
		return 0;
	return to_page_end;
}

static __always_inline void add_chunk(struct chunks *chunks, __u64 address, __u64 wanted,
				      bool text)
{
	__u32 at = *chunks->filled, size = wanted;
	struct capture_chunk *chunk;
	bool cut = false;
	long len;

	if (!address || !wanted)
		return;
	if (wanted > chunks->max) {
		size = chunks->max;
		cut = true;
	}
	if (at > chunks->last) {
		chunks->left_out = true;
		return;
	}
	chunk = chunks->base + at;
	if (text) {
		len = copy_text(chunk + 1, size, address, &cut);
		if (cut && wanted > chunks->max)
			chunks->left_out = true;
	} else {
		chunks->left_out |= cut;
		len = copy_bytes(chunk + 1, size, address);
	}
	if (len <= 0)
		return;
	chunk->address = address;
	chunk->len = len;
	chunk->arg = chunks->arg;
	chunk->flags = chunks->flags | (cut ? CAPTURE_CUT : 0);
	chunk->origin = rules.origin;
	chunk->unused = 0;
	*chunks->filled = at + sizeof(*chunk) + ((len + 7) & 0x3ff8);
}

static __always_inline __u64 smaller(__u64 a, __u64 b)
{
	return a < b ? a : b;
}

static __always_inline __u64 size_by(const volatile struct capture_rule *rule,
				     const struct thread_state *thread, long ret)
{
	__u32 size_arg = rule->size_arg, length = 0;
	__u64 max = rule->max, times;

	switch (rule->kind) {
	case CAPTURE_TEXT:
	case CAPTURE_FIXED:
		return max;
	case CAPTURE_BY_RESULT:
		times = ret;
		break;
	case CAPTURE_BY_ARG:
		times = size_arg < 6 ? thread->args[size_arg] : 0;
		break;
	case CAPTURE_BY_LENGTH:
		if (size_arg < 6)
			bpf_probe_read_user(&length, sizeof(length),
					    (const void *)thread->args[size_arg]);
		times = (__s32)length < 0 ? 0 : length;
		break;
	default:
		return 0;
	}
	return times < max ? smaller(times * rule->unit, max) : max;
}

/* The rules from `from` to `to` of a call. */
static __always_inline void add_simple(struct chunks *chunks, __u32 nr, __u32 from, __u32 to,
				       const struct thread_state *thread, long ret)
{
	for (__u32 i = 0; i < CAPTURE_RULES; i++) {
		const volatile struct capture_rule *rule = &rules.calls[nr].rules[i];
		__u32 arg = rule->arg;

		if (i < from || i >= to || arg >= 6)
			continue;
		chunks->arg = arg;
		add_chunk(chunks, thread->args[arg], size_by(rule, thread, ret),
			  rule->kind == CAPTURE_TEXT);
	}
}

/* Into what is kept with the thread; false: it has not the room for them. */
static __noinline bool keep_small(struct thread_state *thread)
{
	struct chunks chunks = { .last = SMALL_BYTES, .max = SMALL_BYTES };
	__u32 nr;

	if (!thread)
		return true;
	nr = thread->nr;
	if (nr >= CAPTURE_CALLS)
		return true;
	chunks.base = thread->chunks;
	chunks.filled = &thread->kept;
	add_simple(&chunks, nr, 0, rules.calls[nr].at_enter, thread, 0);
	return !chunks.left_out;
}

/* ---- telling ------------------------------------------------------------------ */

/* Where a record is made: in the ring of this CPU, from a position on. */
struct place {
	void *ring;
	volatile struct bpf_cpu *cpu;
	__u64 position;
	bool full; /* there is no room to spare */
};

/* false: there is none. */
static __always_inline bool find_place(struct place *place, __u32 cpu, bool known)
{
	__u64 used;
	__u32 ring;

	if (cpu >= BPF_CPUS_MAX)
		return false;
	place->cpu = &cpus[cpu];
	ring = place->cpu->ring - 1;
	place->ring = bpf_map_lookup_elem(&rings, &ring);
	if (!place->ring)
		return false;
	place->position = place->cpu->reserved;
	used = place->position - place->cpu->consumed;
	place->full = used > full_bytes;
	/* Whoever reads must be able to close what it knows of. */
	if (used > (known ? ring_mask + 1 - BPF_TELL_BYTES_MAX : full_bytes))
		return false;
	place->cpu->filled = sizeof(struct bpf_tell);
	return true;
}

/*
 * The record with its `filled` bytes. Programs that interrupted each other, which they do not,
 * would get different places, and the chunks not be where they belong.
 */
static __always_inline struct bpf_tell *reserve(struct place *place, __u8 captured)
{
	__u32 filled = place->cpu->filled;
	__u64 position = __sync_fetch_and_add(&place->cpu->reserved, filled);
	struct bpf_tell *tell = place->ring + (position & ring_mask);

	tell->bytes = filled;
	tell->captured = position == place->position && filled > sizeof(*tell)
			 ? captured : BPF_CAPTURED_NONE;
	place->position = position;
	return tell;
}

/* The chunks that are kept with the thread. */
static __always_inline void add_kept(struct place *place, const struct thread_state *thread)
{
	void *tell = place->ring + (place->position & ring_mask);
	__u32 kept = thread->kept;

	if (!kept || kept > sizeof(thread->chunks))
		return;
	if (bpf_probe_read_kernel(tell + sizeof(struct bpf_tell), kept, thread->chunks))
		return;
	place->cpu->filled = sizeof(struct bpf_tell) + kept;
}

/* Straight into the ring. */
static __always_inline void add_large(struct place *place, const struct thread_state *thread,
				      bool at_exit, long ret)
{
	struct chunks chunks = {
		.base = place->ring + (place->position & ring_mask),
		.filled = &place->cpu->filled,
		.last = BPF_TELL_BYTES_MAX - 2 * sizeof(struct capture_chunk) - CAPTURE_BYTES_MAX,
		.max = CAPTURE_BYTES_MAX,
		.flags = at_exit ? CAPTURE_AT_EXIT : 0,
	};
	__u32 nr = thread->nr, from, to;

	if (nr >= CAPTURE_CALLS)
		return;
	from = at_exit ? rules.calls[nr].at_enter : 0;
	to = at_exit ? from + rules.calls[nr].at_exit : rules.calls[nr].at_enter;
	add_simple(&chunks, nr, from, to, thread, ret);
}

/* The mark comes last: x86 keeps the order of stores, so the compiler has to. */
static __always_inline void commit(struct bpf_tell *tell, const struct place *place)
{
	asm volatile("" ::: "memory");
	*(volatile __u64 *)&tell->mark = BPF_MARK(place->position);
}

static __always_inline void fill_task(struct bpf_tell *tell)
{
	__u64 ids = bpf_get_current_pid_tgid();

	tell->pid = ids >> 32;
	tell->tid = (__u32)ids;
}

static __always_inline void fill_enter(struct bpf_tell *tell, const struct thread_state *thread)
{
	tell->enter_ns = thread->enter_ns;
	for (int i = 0; i < 6; i++)
		tell->args[i] = thread->args[i];
	tell->nr = thread->nr < 65535 ? thread->nr : 65535;
	tell->cpu = thread->cpu;
}

/*
 * The thread has not left its CPU since it entered, so nothing else was told here since then.
 * With the time of the enter it sorts before the event of the switch, whose order with this
 * program is not ours to say.
 */
static __always_inline void tell_in_flight(struct thread_state *thread, __u32 cpu, bool large)
{
	struct bpf_tell *tell;
	struct place place;

	if (!find_place(&place, cpu, false))
		return;
	if (large)
		add_large(&place, thread, false, 0);
	else
		add_kept(&place, thread);
	tell = reserve(&place, BPF_CAPTURED_ALL);
	tell->time_ns = thread->enter_ns;
	tell->kind = BPF_TELL_ENTER;
	tell->ret = 0;
	fill_enter(tell, thread);
	fill_task(tell);
	thread->told = 1;
	thread->large = large;
	commit(tell, &place);
}

/* ---- what the ring had no room for --------------------------------------------- */

/* The group and step of histogram_bucket() in engine/model/histogram.c. */
static __always_inline __u32 bucket_of(__u64 ns)
{
	__u64 bits = ns;
	__u32 group;

	if (ns < BPF_STEPS)
		return ns;
	/*
	 * The number of bits up to the highest that is set, without branches, each of which the
	 * verifier would follow both ways; clang 14 has no __builtin_clzll for BPF.
	 */
	bits |= bits >> 1;
	bits |= bits >> 2;
	bits |= bits >> 4;
	bits |= bits >> 8;
	bits |= bits >> 16;
	bits |= bits >> 32;
	bits -= bits >> 1 & 0x5555555555555555ULL;
	bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
	bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	group = (bits * 0x0101010101010101ULL >> 56) - 5; /* 32 is the first of group 1 */
	return group * BPF_STEPS + (ns >> (group - 1) & (BPF_STEPS - 1));
}

static __noinline int count(struct thread_state *thread, long ret, __u64 dur_ns)
{
	__u32 bucket = bucket_of(dur_ns), cpu = bpf_get_smp_processor_id();
	struct bpf_sum_key key = { .pid = bpf_get_current_pid_tgid() >> 32 };
	struct bpf_sum *sum;

	if (!thread || cpu >= BPF_CPUS_MAX)
		return 0;
	key.nr = thread->nr < 65535 ? thread->nr : 65535;
	key.group = bucket / BPF_STEPS;
	sum = bpf_map_lookup_elem(&sums, &key);
	if (!sum) {
		static const struct bpf_sum empty = { .min_ns = ~0ULL };

		bpf_map_update_elem(&sums, &key, &empty, BPF_NOEXIST);
		sum = bpf_map_lookup_elem(&sums, &key);
	}
	if (!sum) {
		cpus[cpu].lost++;
		return 0;
	}
	sum->calls++;
	sum->errors += failed(ret);
	sum->total_ns += dur_ns;
	if (dur_ns < sum->min_ns || !sum->min_ns)
		sum->min_ns = dur_ns;
	if (dur_ns > sum->max_ns)
		sum->max_ns = dur_ns;
	sum->steps[bucket & (BPF_STEPS - 1)]++;
	cpus[cpu].counted++;
	return 0;
}

/* ---- enter and exit --------------------------------------------------------------- */

SEC("tp_btf/sys_enter")
int BPF_PROG(on_enter, struct pt_regs *regs, long id)
{
	const volatile struct bpf_bank *bank;
	struct thread_state *thread;
	__u32 change = settings.change, nr = (__u32)id, cpu;

	bank = bank_of(change);
	if (!settings.running || !wants_nr(bank, nr) || bank->nothing)
		return 0;
	thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), NULL,
				      BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!thread || !wants_thread(thread, change))
		return 0;
	cpu = bpf_get_smp_processor_id();
	if (settings.by_cpu && (cpu >= BPF_CPUS_MAX ||
				!(settings.cpus[cpu / 64] >> (cpu % 64) & 1)))
		return 0;
	thread->args[0] = regs->di;
	thread->args[1] = regs->si;
	thread->args[2] = regs->dx;
	thread->args[3] = regs->r10;
	thread->args[4] = regs->r8;
	thread->args[5] = regs->r9;
	thread->nr = nr;
	thread->cpu = cpu;
	thread->told = 0;
	thread->enter_ns = bpf_ktime_get_ns();
	thread->in_call = 1;
	thread->kept = 0;
	thread->large = 0;
	if (settings.capture && nr < CAPTURE_CALLS && rules.calls[nr].at_enter &&
	    !keep_small(thread)) {
		thread->kept = 0;
		tell_in_flight(thread, cpu, true);
	} else if (nr < BPF_SYSCALLS && settings.eager[nr / 64] >> (nr % 64) & 1) {
		tell_in_flight(thread, cpu, false);
	}
	return 0;
}

/* A call that began before us, or that nobody wanted then. */
static __always_inline int tell_half(struct pt_regs *regs, long ret)
{
	const volatile struct bpf_bank *bank;
	__u32 change = settings.change, nr = (__u32)regs->orig_ax, cpu;
	struct thread_state *thread;
	struct bpf_tell *tell;
	struct place place;

	bank = bank_of(change);
	if (!settings.running || !wants_nr(bank, nr) || bank->nothing)
		return 0;
	thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), NULL,
				      BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!thread || !wants_thread(thread, change))
		return 0;
	cpu = bpf_get_smp_processor_id();
	if (settings.by_cpu && (cpu >= BPF_CPUS_MAX ||
				!(settings.cpus[cpu / 64] >> (cpu % 64) & 1)))
		return 0;
	if (!find_place(&place, cpu, true))
		return 0;
	tell = reserve(&place, BPF_CAPTURED_NONE);
	tell->time_ns = bpf_ktime_get_ns();
	tell->enter_ns = 0;
	tell->kind = BPF_TELL_EXIT;
	tell->ret = ret;
	tell->nr = nr < 65535 ? nr : 65535;
	tell->cpu = cpu;
	for (int i = 0; i < 6; i++)
		tell->args[i] = 0;
	fill_task(tell);
	commit(tell, &place);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_exit, struct pt_regs *regs, long ret)
{
	struct thread_state *thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(),
							   NULL, 0);
	const volatile struct bpf_bank *bank = bank_of(settings.change);
	struct bpf_tell *tell;
	struct place place;
	__u64 now_ns, dur_ns;
	bool known;

	if (!thread || !thread->in_call) {
		/* Most of what happens while few are watched. */
		if (thread && thread->judged == settings.change && !thread->wanted)
			return 0;
		return tell_half(regs, ret);
	}
	thread->in_call = 0;
	if (!settings.running)
		return 0;
	now_ns = bpf_ktime_get_ns();
	dur_ns = now_ns - thread->enter_ns;
	known = thread->told || thread->held;
	thread->held = restarts(ret);
	/* The parts of a call that is restarted are one call, however short each is. */
	if (!known && !thread->held &&
	    (dur_ns < bank->min_ns || (bank->failed && !failed(ret))))
		return 0;
	if (!find_place(&place, bpf_get_smp_processor_id(), known))
		return count(thread, ret, dur_ns);
	if (settings.capture && !place.full) {
		add_kept(&place, thread);
		if (!failed(ret) && thread->nr < CAPTURE_CALLS && rules.calls[thread->nr].at_exit)
			add_large(&place, thread, true, ret);
	}
	tell = reserve(&place, thread->large ? BPF_CAPTURED_MORE : BPF_CAPTURED_ALL);
	tell->time_ns = now_ns;
	tell->kind = BPF_TELL_CALL;
	tell->ret = ret;
	fill_enter(tell, thread);
	fill_task(tell);
	commit(tell, &place);
	return 0;
}

/* ---- who is in a call for long -------------------------------------------------- */

/*
 * Read by user space once in a while: calls that are in flight for long without having left
 * their CPU, which nothing else would tell. Only reads, so it may run beside all others.
 */
SEC("iter/task")
int list_in_flight(struct bpf_iter__task *context)
{
	struct seq_file *out = context->meta->seq;
	struct task_struct *task = context->task;
	const volatile struct bpf_bank *bank = bank_of(settings.change);
	struct bpf_tell tell = { .kind = BPF_TELL_ENTER, .bytes = sizeof(tell) };
	struct thread_state *thread;
	__u64 age_ns;

	if (!task)
		return 0;
	thread = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!thread || !thread->in_call || thread->told)
		return 0;
	fill_enter(&tell, thread);
	age_ns = bpf_ktime_get_ns() - tell.enter_ns;
	/* What ends sooner than the filter wants is not told at its end. */
	if ((__s64)age_ns < BPF_LONG_NS || age_ns < bank->min_ns || bank->failed ||
	    thread->judged != settings.change)
		return 0;
	tell.time_ns = tell.enter_ns;
	tell.pid = task->tgid;
	tell.tid = task->pid;
	/* It may have ended and begun another one meanwhile. */
	if (thread->in_call && thread->enter_ns == tell.enter_ns)
		bpf_seq_write(out, &tell, sizeof(tell));
	return 0;
}

/* ---- who waits, who is born, who ends -------------------------------------------- */

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch)
{
	struct thread_state *thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(),
							   NULL, 0);

	if (thread && thread->in_call && !thread->told)
		tell_in_flight(thread, bpf_get_smp_processor_id(), false);
	return 0;
}

/* Before the child runs for the first time. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	__u32 pid = child->tgid, flags = BPF_FAMILY_PROCESS;

	if (child->pid == child->tgid && family_of(parent->tgid) & BPF_FAMILY_PROCESS)
		bpf_map_update_elem(&family, &pid, &flags, BPF_ANY);
	return 0;
}

/* A number may soon be another's. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_end, struct task_struct *task)
{
	__u32 pid = task->tgid, tid = task->pid;

	if (tid != pid && family_of(tid))
		bpf_map_delete_elem(&family, &tid);
	if (!task->signal->live.counter && family_of(pid))
		bpf_map_delete_elem(&family, &pid);
	return 0;
}
