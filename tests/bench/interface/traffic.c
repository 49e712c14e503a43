#include "tests/bench/interface/traffic.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/decode/call_bytes.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define FIRST_PID 10000
#define CALLER_TIDS 2000000 /* above the tids of the kernel */
#define WAITER_TIDS 3000000
#define PATHS 2000
#define PATH_BYTES 64
#define PATHS_AT 0x7f3100000000
#define FUTEXES_PER_PROCESS 8
#define STACKS 2000
#define KERNEL_FRAMES 9
#define USER_FRAMES 7
#define WAIT_CLASSES 3
/* Records to make before any is emitted: making them must not extend holds of the model lock. */
#define BATCH 32768
/* Among the calls that can wait, one in this many waits. */
#define WAITS_ONE_IN 50

struct kind {
	uint16_t nr;
	uint8_t weight;
	bool has_path, has_fd, waits;
};

static const struct kind kinds[] = {
	{ SYS_read, 25, .has_fd = true, .waits = true },
	{ SYS_write, 15, .has_fd = true },
	{ SYS_futex, 14, .waits = true },
	{ SYS_epoll_wait, 8, .has_fd = true, .waits = true },
	{ SYS_openat, 6, .has_path = true },
	{ SYS_close, 6, .has_fd = true },
	{ SYS_newfstatat, 6, .has_path = true },
	{ SYS_recvfrom, 7, .has_fd = true, .waits = true },
	{ SYS_sendto, 6, .has_fd = true },
	{ SYS_lseek, 3, .has_fd = true },
	{ SYS_mmap, 2, .has_fd = false },
	{ SYS_getpid, 2, .has_fd = false },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Waits of one class have the same duration, so they end in order of their start. */
static const uint64_t wait_ns[WAIT_CLASSES] = { 90 * NS_PER_US, 3 * NS_PER_MS, 150 * NS_PER_MS };

struct process {
	uint32_t pid;
	char comm[16];
	uint64_t last_ns; /* time of the last exit of its caller thread */
	bool waits; /* its waiter thread is in a wait */
};

struct wait {
	uint64_t enter_ns, until_ns;
	uint32_t process;
	const struct kind *kind;
	uint64_t args[SYSCALL_ARGS];
};

/* A path in the layout in which BPF programs copy it. */
struct path_chunk {
	struct capture_chunk head;
	char text[PATH_BYTES];
};

/* A FIFO that doubles its capacity when it is full. */
struct wait_queue {
	struct wait *waits;
	size_t first, count, capacity;
};

struct traffic {
	struct traffic_options options;
	struct process *processes;
	struct path_chunk *paths;
	uint64_t (*stacks)[2 + KERNEL_FRAMES + USER_FRAMES];
	struct wait_queue queues[WAIT_CLASSES];
	unsigned char kind_of[128]; /* index of a kind; a random number selects the entry */
	uint32_t random;
	uint64_t now_ns, step_ns;
	uint64_t ended;
	struct record *batch;
	size_t batched;
	record_fn *take;
	void *ctx;
};

static uint32_t next_random(struct traffic *traffic)
{
	traffic->random ^= traffic->random << 13;
	traffic->random ^= traffic->random >> 17;
	traffic->random ^= traffic->random << 5;
	return traffic->random;
}

/* ---- processes, paths, stacks ---- */

static void make_processes(struct traffic *traffic)
{
	static const char *const names[] = { "nginx",  "postgres", "java", "redis-server",
					     "bash",   "python3",  "node", "sshd",
					     "mysqld", "kubelet" };
	const struct traffic_options *options = &traffic->options;

	traffic->processes = mem_zalloc(options->processes, sizeof(*traffic->processes));
	for (uint32_t i = 0; i < options->processes; i++) {
		struct process *process = &traffic->processes[i];

		process->pid = options->pids ? options->pids[i] : FIRST_PID + i;
		snprintf(process->comm, sizeof(process->comm), "%s", names[i % 10]);
		process->last_ns = traffic->now_ns;
	}
}

static void make_paths(struct traffic *traffic)
{
	traffic->paths = mem_zalloc(PATHS, sizeof(*traffic->paths));
	for (unsigned i = 0; i < PATHS; i++) {
		struct path_chunk *path = &traffic->paths[i];
		int len = snprintf(path->text, sizeof(path->text),
				   "/var/lib/service/%03u/data/%04u.db", i % 100, i);

		path->head = (struct capture_chunk){ .address = PATHS_AT + i * PATH_BYTES,
						     .len = (uint32_t)len + 1,
						     .arg = 1,
						     .origin = BYTES_KERNEL };
	}
}

/* Make stacks that share their inner functions, as real ones do. */
static void make_stacks(struct traffic *traffic)
{
	traffic->stacks = mem_zalloc(STACKS, sizeof(*traffic->stacks));
	for (unsigned i = 0; i < STACKS; i++) {
		uint64_t *ips = traffic->stacks[i];

		ips[0] = PERF_CONTEXT_KERNEL;
		for (unsigned k = 0; k < KERNEL_FRAMES; k++)
			ips[1 + k] = 0xffffffff81000000 + 0x1000 * k + 0x10000 * (i % (k + 1));
		ips[1 + KERNEL_FRAMES] = PERF_CONTEXT_USER;
		for (unsigned k = 0; k < USER_FRAMES; k++)
			ips[2 + KERNEL_FRAMES + k] = 0x7f1200000000 + 0x1000 * k +
						     0x100 * (i % (STACKS >> k ? STACKS >> k : 1));
	}
}

static void make_chances(struct traffic *traffic)
{
	size_t kind = 0;
	unsigned left = kinds[0].weight;

	for (size_t i = 0; i < sizeof(traffic->kind_of); i++) {
		traffic->kind_of[i] = (unsigned char)kind;
		if (!--left) {
			kind = (kind + 1) % KINDS;
			left = kinds[kind].weight;
		}
	}
}

struct traffic *traffic_new(const struct traffic_options *options, uint64_t from_ns)
{
	struct traffic *traffic = mem_zalloc(1, sizeof(*traffic));

	traffic->options = *options;
	traffic->random = 1;
	traffic->now_ns = from_ns;
	traffic->step_ns = options->calls_per_s ? NS_PER_S / options->calls_per_s : 0;
	make_processes(traffic);
	make_paths(traffic);
	make_stacks(traffic);
	make_chances(traffic);
	traffic->batch = mem_alloc(BATCH * sizeof(*traffic->batch));
	return traffic;
}

void traffic_free(struct traffic *traffic)
{
	for (int i = 0; i < WAIT_CLASSES; i++)
		free(traffic->queues[i].waits);
	free(traffic->processes);
	free(traffic->paths);
	free(traffic->stacks);
	free(traffic->batch);
	free(traffic);
}

/* ---- records ---- */

static void hand_over(struct traffic *traffic)
{
	for (size_t i = 0; i < traffic->batched; i++)
		traffic->take(traffic->ctx, &traffic->batch[i]);
	traffic->batched = 0;
}

static void emit(struct traffic *traffic, struct record *record, uint64_t time_ns, uint32_t index,
		 uint32_t tid)
{
	record->time_ns = time_ns;
	record->cpu = index % 2;
	record->pid = traffic->processes[index].pid;
	record->tid = tid;
	traffic->batch[traffic->batched++] = *record;
	if (traffic->batched == BATCH)
		hand_over(traffic);
}

static struct record_stack stack_of(const struct traffic *traffic, uint32_t which)
{
	return (struct record_stack){ .ips = traffic->stacks[which % STACKS],
				      .count = 2 + KERNEL_FRAMES + USER_FRAMES };
}

static void set_args(struct traffic *traffic, const struct kind *kind, uint32_t index,
		     uint64_t args[SYSCALL_ARGS])
{
	uint32_t random = next_random(traffic);

	memset(args, 0, SYSCALL_ARGS * sizeof(*args));
	args[1] = 0x7f3000000000 + (random & 0xffff0);
	args[2] = 4096;
	if (kind->has_fd) {
		args[0] = 3 + random % 13;
	} else if (kind->has_path) {
		args[0] = (uint64_t)(int64_t)AT_FDCWD;
		args[2] = 0;
	} else if (kind->nr == SYS_futex) {
		args[0] = 0x7f2000000000 + 0x40 * ((uint64_t)index * FUTEXES_PER_PROCESS +
						   random % FUTEXES_PER_PROCESS);
		args[1] = FUTEX_WAIT_PRIVATE;
		args[2] = 2;
	}
}

static void emit_call(struct traffic *traffic, uint32_t index, const struct kind *kind)
{
	struct process *process = &traffic->processes[index];
	uint32_t random = next_random(traffic);
	uint64_t dur_ns = 200 + (100u << random % 9);
	struct record record = { .kind = RECORD_CALL };
	const struct path_chunk *path = &traffic->paths[(random >> 8) % PATHS];

	if (traffic->now_ns - process->last_ns < dur_ns)
		dur_ns = traffic->now_ns - process->last_ns;
	record.call.nr = kind->nr;
	set_args(traffic, kind, index, record.call.args);
	if (kind->nr == SYS_futex)
		record.call.args[1] = FUTEX_WAKE_PRIVATE;
	record.call.ret = random % 64 ? (int64_t)(3 + random % 13) : -11;
	record.call.entered_ns = traffic->now_ns - dur_ns;
	record.call.dur_ns = dur_ns;
	record.call.enter_cpu = index % 2;
	if (kind->has_path) {
		record.call.args[1] = path->head.address;
		record.call.bytes.chunks = path;
		record.call.bytes.len = CAPTURE_CHUNK_BYTES(path->head.len);
	}
	process->last_ns = traffic->now_ns;
	traffic->ended++;
	emit(traffic, &record, traffic->now_ns, index, CALLER_TIDS + index);
}

/* ---- waits ---- */

static struct wait *push(struct wait_queue *queue)
{
	if (queue->count == queue->capacity) {
		size_t capacity = queue->capacity ? 2 * queue->capacity : 64;
		struct wait *waits = mem_alloc(capacity * sizeof(*waits));

		for (size_t i = 0; i < queue->count; i++)
			waits[i] = queue->waits[(queue->first + i) % queue->capacity];
		free(queue->waits);
		*queue = (struct wait_queue){ waits, 0, queue->count, capacity };
	}
	return &queue->waits[(queue->first + queue->count++) % queue->capacity];
}

static void begin_wait(struct traffic *traffic, uint32_t index, const struct kind *kind)
{
	uint32_t random = next_random(traffic), class = random % WAIT_CLASSES;
	struct wait *wait = push(&traffic->queues[class]);
	struct record enter = { .kind = RECORD_ENTER }, out = { .kind = RECORD_SWITCH_OUT };

	traffic->processes[index].waits = true;
	*wait = (struct wait){ .enter_ns = traffic->now_ns,
			       .until_ns = traffic->now_ns + wait_ns[class],
			       .process = index,
			       .kind = kind };
	set_args(traffic, kind, index, wait->args);
	enter.enter.nr = kind->nr;
	memcpy(enter.enter.args, wait->args, sizeof(wait->args));
	emit(traffic, &enter, traffic->now_ns, index, WAITER_TIDS + index);
	out.switch_out.stack = stack_of(traffic, random >> 8);
	emit(traffic, &out, traffic->now_ns, index, WAITER_TIDS + index);
}

static void end_wait(struct traffic *traffic, struct wait_queue *queue)
{
	struct wait wait = queue->waits[queue->first];
	uint32_t tid = WAITER_TIDS + wait.process, waker;
	struct record waking = { .kind = RECORD_WAKING }, in = { .kind = RECORD_SWITCH_IN };
	struct record call = { .kind = RECORD_CALL };

	queue->first = (queue->first + 1) % queue->capacity;
	queue->count--;
	traffic->processes[wait.process].waits = false;
	waker = next_random(traffic) % traffic->options.processes;
	waking.waking.pid = traffic->processes[wait.process].pid;
	waking.waking.tid = tid;
	waking.waking.has_interrupt_state = true;
	waking.waking.stack = stack_of(traffic, waker);
	emit(traffic, &waking, wait.until_ns, waker, CALLER_TIDS + waker);
	emit(traffic, &in, wait.until_ns, wait.process, tid);
	call.call.nr = wait.kind->nr;
	memcpy(call.call.args, wait.args, sizeof(wait.args));
	call.call.entered_ns = wait.enter_ns;
	call.call.dur_ns = wait.until_ns - wait.enter_ns;
	call.call.enter_cpu = wait.process % 2;
	traffic->ended++;
	emit(traffic, &call, wait.until_ns, wait.process, tid);
}

static void end_waits(struct traffic *traffic)
{
	for (;;) {
		struct wait_queue *next = NULL;

		for (int i = 0; i < WAIT_CLASSES; i++) {
			struct wait_queue *queue = &traffic->queues[i];

			if (queue->count && (!next || queue->waits[queue->first].until_ns <
							      next->waits[next->first].until_ns))
				next = queue;
		}
		if (!next || next->waits[next->first].until_ns > traffic->now_ns)
			return;
		end_wait(traffic, next);
	}
}

/* ---- interface ---- */

static void name_thread(struct traffic *traffic, uint32_t index, uint32_t tid)
{
	struct record record = { .kind = RECORD_TASK };

	record.task.comm = traffic->processes[index].comm;
	emit(traffic, &record, traffic->now_ns, index, tid);
}

void traffic_begin(struct traffic *traffic, record_fn *take, void *ctx)
{
	traffic->take = take;
	traffic->ctx = ctx;
	for (uint32_t i = 0; i < traffic->options.processes; i++) {
		struct record record = { .kind = RECORD_INFLIGHT };
		name_thread(traffic, i, traffic->processes[i].pid);
		name_thread(traffic, i, CALLER_TIDS + i);
		name_thread(traffic, i, WAITER_TIDS + i);
		record.inflight.nr = i % 3 ? SYS_epoll_wait : SYS_futex;
		set_args(traffic, &kinds[i % 3 ? 3 : 2], i, record.inflight.args);
		record.inflight.stack = NULL;
		emit(traffic, &record, traffic->now_ns, i, traffic->processes[i].pid);
	}
	hand_over(traffic);
}

/* Return a random process. The random value is squared: 10 % of the processes make 1/3 of calls. */
static uint32_t some_process(struct traffic *traffic)
{
	uint64_t random = next_random(traffic) & 0xffff;

	return (uint32_t)(random * random * traffic->options.processes >> 32);
}

uint64_t traffic_until(struct traffic *traffic, uint64_t until_ns, record_fn *take, void *ctx)
{
	uint64_t before = traffic->ended;

	traffic->take = take;
	traffic->ctx = ctx;
	while (traffic->step_ns && traffic->now_ns + traffic->step_ns <= until_ns) {
		uint32_t index = some_process(traffic), random = next_random(traffic);
		const struct kind *kind = &kinds[traffic->kind_of[random % 128]];

		traffic->now_ns += traffic->step_ns;
		end_waits(traffic);
		if (kind->waits && (random >> 8) % WAITS_ONE_IN == 0 &&
		    !traffic->processes[index].waits)
			begin_wait(traffic, index, kind);
		else
			emit_call(traffic, index, kind);
	}
	hand_over(traffic);
	return traffic->ended - before;
}

void traffic_skip(struct traffic *traffic, uint64_t until_ns)
{
	if (until_ns > traffic->now_ns)
		traffic->now_ns = until_ns;
}

uint64_t traffic_now(const struct traffic *traffic)
{
	return traffic->now_ns;
}
