#include "engine/source/perf_encode.h"

#include "engine/base/mem.h"
#include "engine/model/histogram.h"
#include "engine/source/perf_event.h"
#include "engine/source/perf_own.h"

#include <string.h>

#define PATH_BYTES 4096
#define BUILD_ID_BYTES 20
#define FLAG_HARDIRQ 0x08 /* TRACE_FLAG_HARDIRQ of the kernel */

_Static_assert(HISTOGRAM_STEPS == PERF_OWN_STEPS, "sums go into a file as they are");

void perf_encode_init(struct perf_encode *encode)
{
	memset(encode, 0, sizeof(*encode));
	str_init(&encode->out);
	idmap_init(&encode->entered);
	idmap_init(&encode->build_ids);
}

void perf_encode_release(struct perf_encode *encode)
{
	str_release(&encode->out);
	idmap_release(&encode->entered);
	idmap_release(&encode->build_ids);
}

void perf_encode_forget(struct perf_encode *encode)
{
	idmap_clear(&encode->entered);
	idmap_clear(&encode->build_ids);
	encode->first_ns = encode->last_ns = 0;
}

/* -- Pieces ------------------------------------------------------------------------ */

static size_t padded(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

static void put(struct perf_encode *encode, const void *bytes, size_t len)
{
	str_addn(&encode->out, bytes, len);
}

static void put_padded(struct perf_encode *encode, const void *bytes, size_t len)
{
	static const char zeros[8];

	put(encode, bytes, len);
	put(encode, zeros, padded(len) - len);
}

/* True: the record that begins at `start` is as long as it may be; false: it is gone. */
static bool finish(struct perf_encode *encode, size_t start)
{
	size_t bytes = encode->out.len - start;
	uint16_t size = (uint16_t)bytes;

	if (bytes > PERF_OWN_RECORD_MAX) {
		str_cut(&encode->out, start);
		encode->left_out++;
		return false;
	}
	memcpy(encode->out.data + start + offsetof(struct perf_event_header, size), &size,
	       sizeof(size));
	return true;
}

static void note_time(struct perf_encode *encode, uint64_t time_ns)
{
	if (!encode->first_ns || time_ns < encode->first_ns)
		encode->first_ns = time_ns;
	if (time_ns > encode->last_ns)
		encode->last_ns = time_ns;
}

static void put_trailer(struct perf_encode *encode, const struct record *record,
			uint64_t time_ns, unsigned int flags)
{
	struct perf_own_trailer trailer = {
		.pid = record->pid,
		.tid = record->tid,
		.time_ns = time_ns,
		.cpu = record->cpu,
		.id = PERF_OWN_ID(PERF_OWN_EVENT_SIDE, flags),
	};

	put(encode, &trailer, sizeof(trailer));
	if (time_ns)
		note_time(encode, time_ns);
}

static struct perf_own own(enum perf_own_kind kind, size_t bytes)
{
	struct perf_own head = {
		.header = { .type = PERF_OWN_TYPE, .size = (uint16_t)bytes },
		.kind = (uint16_t)kind,
	};

	memcpy(head.magic, PERF_OWN_MAGIC, sizeof(head.magic));
	return head;
}

static struct perf_own_common common(const struct record *record, enum perf_own_kind kind,
				     size_t bytes, uint32_t flags)
{
	return (struct perf_own_common){
		.own = own(kind, bytes),
		.time_ns = record->time_ns,
		.pid = record->pid,
		.tid = record->tid,
		.cpu = record->cpu,
		.flags = flags,
	};
}

/* -- Calls ------------------------------------------------------------------------- */

static void put_bytes(struct perf_encode *encode, const struct record_bytes *bytes)
{
	struct perf_own_bytes head = {
		.own = own(PERF_OWN_BYTES, 0),
		.len = (uint32_t)bytes->len,
		.flags = bytes->more ? PERF_OWN_MORE : 0,
	};
	size_t start = encode->out.len;

	if (!bytes->len)
		return;
	put(encode, &head, sizeof(head));
	put_padded(encode, bytes->chunks, bytes->len);
	finish(encode, start);
}

/* The raw bytes and what fills them up to a multiple of 8, as the kernel counts them. */
#define ENTER_RAW_BYTES (sizeof(struct perf_own_enter) - \
			 offsetof(struct perf_own_enter, entry))
#define EXIT_RAW_BYTES (sizeof(struct perf_own_exit) - offsetof(struct perf_own_exit, entry))

static struct perf_own_sample sample_of(const struct record *record, uint64_t time_ns,
					uint32_t cpu, uint64_t id, size_t bytes)
{
	return (struct perf_own_sample){
		.header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_KERNEL,
			    .size = (uint16_t)bytes },
		.id = id,
		.pid = record->pid,
		.tid = record->tid,
		.time_ns = time_ns,
		.cpu = cpu,
	};
}

static void put_enter(struct perf_encode *encode, const struct record *record, uint64_t time_ns,
		      uint32_t cpu, uint32_t nr, const uint64_t *args, unsigned int flags)
{
	struct perf_own_enter enter;

	enter.sample = sample_of(record, time_ns, cpu,
				 PERF_OWN_ID(PERF_OWN_EVENT_ENTER, flags), sizeof(enter));
	enter.raw_bytes = ENTER_RAW_BYTES;
	enter.entry = (struct perf_own_entry){ .type = encode->enter_type,
					       .pid = (int32_t)record->tid };
	enter.nr = nr;
	memcpy(enter.args, args, sizeof(enter.args));
	enter.padding = 0;
	put(encode, &enter, sizeof(enter));
	note_time(encode, time_ns);
}

static void put_exit(struct perf_encode *encode, const struct record *record, uint64_t time_ns,
		     uint32_t nr, int64_t ret, unsigned int flags)
{
	struct perf_own_exit leave;

	leave.sample = sample_of(record, time_ns, record->cpu,
				 PERF_OWN_ID(PERF_OWN_EVENT_EXIT, flags), sizeof(leave));
	leave.raw_bytes = EXIT_RAW_BYTES;
	leave.entry = (struct perf_own_entry){ .type = encode->exit_type,
					       .pid = (int32_t)record->tid };
	leave.nr = nr;
	leave.ret = ret;
	leave.padding = 0;
	put(encode, &leave, sizeof(leave));
	note_time(encode, time_ns);
}

static void remember(struct perf_encode *encode, uint32_t tid, uint64_t entered_ns)
{
	idmap_put(&encode->entered, tid, (void *)(uintptr_t)(entered_ns ? entered_ns : 1));
}

static uint64_t remembered(const struct perf_encode *encode, uint32_t tid)
{
	return (uintptr_t)idmap_get(&encode->entered, tid);
}

static void encode_enter(struct perf_encode *encode, const struct record *record)
{
	bool late = record->enter.entered_ns;
	uint64_t time_ns = late ? record->enter.entered_ns : record->time_ns;

	put_bytes(encode, &record->enter.bytes);
	put_enter(encode, record, time_ns, record->cpu, record->enter.nr, record->enter.args,
		  late ? PERF_OWN_LATE : 0);
	remember(encode, record->tid, time_ns);
}

static void encode_call(struct perf_encode *encode, const struct record *record)
{
	uint64_t entered_ns = record->call.entered_ns;
	unsigned int flags = PERF_OWN_WHOLE;

	put_bytes(encode, &record->call.bytes);
	if (entered_ns && remembered(encode, record->tid) == entered_ns)
		flags |= PERF_OWN_TOLD;
	else
		put_enter(encode, record, entered_ns, record->call.enter_cpu, record->call.nr,
			  record->call.args, PERF_OWN_WHOLE);
	put_exit(encode, record, entered_ns + record->call.dur_ns, record->call.nr,
		 record->call.ret, flags);
}

/* -- Stacks ------------------------------------------------------------------------- */

static uint32_t kernel_half(const struct record_stack *stack)
{
	for (uint32_t i = 0; i < stack->count; i++)
		if (stack->ips[i] == PERF_CONTEXT_USER)
			return i;
	return stack->count;
}

static bool is_marker(uint64_t ip)
{
	return ip >= PERF_CONTEXT_MAX;
}

static void put_registers(struct perf_encode *encode, const struct record_stack *stack)
{
	uint64_t abi = PERF_SAMPLE_REGS_ABI_64;
	size_t next = 0;

	put(encode, &abi, sizeof(abi));
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (!(stack->user_regs_mask >> bit & 1))
			continue;
		if (PERF_USER_REGS >> bit & 1)
			put(encode, &stack->user_regs[next], sizeof(stack->user_regs[next]));
		next++;
	}
}

/* As many of the lowest bytes as there is room for: they are those of the innermost frames. */
static uint64_t stack_room(const struct perf_encode *encode, size_t start, uint32_t bytes)
{
	size_t used = encode->out.len - start + 2 * sizeof(uint64_t);
	size_t room = used < PERF_OWN_RECORD_MAX ? PERF_OWN_RECORD_MAX - used : 0;

	return bytes < room ? bytes : room;
}

static void put_stack_bytes(struct perf_encode *encode, size_t start,
			    const struct record_stack *stack)
{
	uint64_t filled = stack->user_stack ?
			  stack_room(encode, start, stack->user_stack_bytes) : 0;
	uint64_t bytes = padded(filled);

	put(encode, &bytes, sizeof(bytes));
	if (!bytes)
		return;
	put_padded(encode, stack->user_stack, filled);
	put(encode, &filled, sizeof(filled));
}

static void put_user_chain(struct perf_encode *encode, const struct record_stack *stack,
			   uint32_t from)
{
	struct perf_own_chain chain = {
		.own = own(PERF_OWN_CHAIN, 0),
		.count = stack->count - from,
	};
	size_t start = encode->out.len;

	if (!chain.count)
		return;
	put(encode, &chain, sizeof(chain));
	put(encode, stack->ips + from, chain.count * sizeof(*stack->ips));
	finish(encode, start);
}

static void put_stack_sample(struct perf_encode *encode, const struct record *record,
			     const struct record_stack *stack, uint64_t id, const void *raw,
			     uint32_t raw_bytes)
{
	bool unwinds = stack->user_regs &&
		       (stack->user_regs_mask & PERF_USER_REGS) == PERF_USER_REGS;
	uint32_t in_sample = unwinds ? kernel_half(stack) : stack->count;
	struct perf_own_stack_sample sample = {
		.header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER },
		.id = id,
		.pid = record->pid,
		.tid = record->tid,
		.time_ns = record->time_ns,
		.cpu = record->cpu,
	};
	uint64_t count = in_sample, none = PERF_SAMPLE_REGS_ABI_NONE;
	size_t start;

	if (unwinds)
		put_user_chain(encode, stack, in_sample);
	start = encode->out.len;
	for (uint32_t i = 0; i < in_sample && !sample.ip; i++)
		if (!is_marker(stack->ips[i]))
			sample.ip = stack->ips[i];
	if (in_sample && stack->ips[0] == PERF_CONTEXT_KERNEL)
		sample.header.misc = PERF_RECORD_MISC_KERNEL;
	put(encode, &sample, sizeof(sample));
	put(encode, &count, sizeof(count));
	if (in_sample)
		put(encode, stack->ips, in_sample * sizeof(*stack->ips));
	if (raw) {
		put(encode, &raw_bytes, sizeof(raw_bytes));
		put(encode, raw, raw_bytes);
	}
	if (unwinds)
		put_registers(encode, stack);
	else
		put(encode, &none, sizeof(none));
	put_stack_bytes(encode, start, unwinds ? stack : &(struct record_stack){ .ips = NULL });
	if (finish(encode, start))
		note_time(encode, record->time_ns);
}

static void put_switch(struct perf_encode *encode, const struct record *record, uint16_t misc,
		       unsigned int flags)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_SWITCH,
		.misc = misc,
		.size = sizeof(header) + sizeof(struct perf_own_trailer),
	};

	put(encode, &header, sizeof(header));
	put_trailer(encode, record, record->time_ns, flags);
}

static void encode_switch_out(struct perf_encode *encode, const struct record *record)
{
	const struct record_stack *stack = &record->switch_out.stack;
	unsigned int flags = (record->switch_out.rationed ? PERF_OWN_RATIONED : 0) |
			     (record->switch_out.unsure ? PERF_OWN_UNSURE : 0);
	uint16_t misc = PERF_RECORD_MISC_SWITCH_OUT;

	if (!stack->count && !stack->user_regs && !stack->kernel_denied) {
		if (record->switch_out.preempted)
			misc |= PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		put_switch(encode, record, misc, flags);
		return;
	}
	flags |= (stack->kernel_denied ? PERF_OWN_DENIED : 0) |
		 (record->switch_out.preempted ? PERF_OWN_PREEMPTED : 0);
	put_stack_sample(encode, record, stack, PERF_OWN_ID(PERF_OWN_EVENT_SWITCH, flags), NULL,
			 0);
}

/* Who had no raw bytes to hand over is given those that it would have had, as far as known. */
struct waking {
	struct perf_own_entry entry;
	char comm[16];
	int32_t pid, prio, target_cpu;
};

static void encode_waking(struct perf_encode *encode, const struct record *record)
{
	const struct record_bytes *raw = &record->waking.raw;
	const struct record_stack *stack = &record->waking.stack;
	struct perf_own_wakee wakee = { record->waking.tid, record->waking.pid };
	unsigned int flags = (stack->kernel_denied ? PERF_OWN_DENIED : 0) |
			     (record->waking.rationed ? PERF_OWN_RATIONED : 0) |
			     (record->waking.in_interrupt ? PERF_OWN_INTERRUPT : 0) |
			     (record->waking.has_interrupt_state ? PERF_OWN_INTERRUPT_KNOWN : 0);
	struct waking made = {
		.entry = { .flags = record->waking.in_interrupt ? FLAG_HARDIRQ : 0,
			   .pid = (int32_t)record->tid },
		.pid = (int32_t)record->waking.tid,
	};
	unsigned char bytes[512] = { 0 };
	size_t len = raw->len;
	const void *from = raw->chunks;

	if (!len || len > sizeof(bytes) - 2 * sizeof(wakee)) {
		from = &made;
		len = sizeof(made);
	}
	memcpy(bytes, from, len);
	/* The size in front has 4 bytes: together they are a multiple of 8. */
	len = padded(len + sizeof(uint32_t)) - sizeof(uint32_t);
	memcpy(bytes + len, &wakee, sizeof(wakee));
	put_stack_sample(encode, record, stack, PERF_OWN_ID(PERF_OWN_EVENT_WAKING, flags), bytes,
			 (uint32_t)(len + sizeof(wakee)));
}

/* A seed has a stack, of which a file keeps what it has room for. */
static void encode_seed(struct perf_encode *encode, const struct record *record)
{
	const struct record_stack *stack = record->seed.stack;
	struct perf_own_seed seed = {
		.common = common(record, PERF_OWN_SEED, 0, 0),
		.sp = record->seed.sp,
		.pc = record->seed.pc,
		.nr = record->seed.nr,
	};
	size_t start = encode->out.len;
	bool regs = stack && stack->user_regs;

	memcpy(seed.args, record->seed.args, sizeof(seed.args));
	if (stack) {
		seed.common.flags = 1u | (stack->kernel_denied ? 2u : 0) | (regs ? 4u : 0);
		seed.ips = stack->count < 4096 ? stack->count : 4096;
		seed.regs_mask = regs ? stack->user_regs_mask : 0;
	}
	put(encode, &seed, sizeof(seed));
	if (stack) {
		if (seed.ips)
			put(encode, stack->ips, seed.ips * sizeof(*stack->ips));
		if (regs)
			put(encode, stack->user_regs, sizeof(uint64_t) * (size_t)
			    __builtin_popcountll(seed.regs_mask));
		if (stack->user_stack)
			seed.stack_bytes = (uint32_t)stack_room(encode, start,
								stack->user_stack_bytes) & ~7u;
		memcpy(encode->out.data + start, &seed, sizeof(seed));
		if (seed.stack_bytes)
			put(encode, stack->user_stack, seed.stack_bytes);
	}
	finish(encode, start);
	note_time(encode, record->time_ns);
}

/* -- Tasks --------------------------------------------------------------------------- */

static void put_comm(struct perf_encode *encode, const struct record *record, const char *comm,
		     uint16_t misc, uint64_t time_ns, unsigned int flags)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[16];
	} fields = {
		.header = { .type = PERF_RECORD_COMM, .misc = misc },
		.pid = record->pid,
		.tid = record->tid,
	};
	size_t start = encode->out.len, len = strnlen(comm, sizeof(fields.comm) - 1);

	memcpy(fields.comm, comm, len);
	put(encode, &fields, offsetof(__typeof__(fields), comm) + padded(len + 1));
	put_trailer(encode, record, time_ns, flags);
	finish(encode, start);
}

static void put_fork(struct perf_encode *encode, const struct record *record, uint32_t type,
		     uint32_t parent_pid, uint32_t parent_tid, uint16_t misc, uint64_t time_ns,
		     unsigned int flags)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, ppid, tid, ptid;
		uint64_t time_ns;
	} fields = {
		.header = { .type = type, .misc = misc,
			    .size = sizeof(fields) + sizeof(struct perf_own_trailer) },
		.pid = record->pid,
		.ppid = parent_pid,
		.tid = record->tid,
		.ptid = parent_tid,
		.time_ns = time_ns,
	};

	put(encode, &fields, sizeof(fields));
	put_trailer(encode, record, time_ns, flags);
}

/* What is heard of for the first time was there before; perf takes a time of 0 as that. */
static void encode_task(struct perf_encode *encode, const struct record *record)
{
	bool known = remembered(encode, record->tid);
	uint64_t time_ns = known ? record->time_ns : 0;
	const char *comm = record->task.comm;
	uint32_t parent = record->task.parent_pid;

	if (!known)
		remember(encode, record->tid, 1);
	if (parent || !comm)
		put_fork(encode, record, PERF_RECORD_FORK, parent, parent,
			 PERF_RECORD_MISC_FORK_EXEC, time_ns,
			 PERF_OWN_EXISTING | (comm ? 0 : PERF_OWN_NO_NAME));
	if (comm)
		put_comm(encode, record, comm, 0, time_ns, PERF_OWN_EXISTING);
}

static void encode_owner(struct perf_encode *encode, const struct record *record)
{
	const char *cgroup = record->owner.cgroup, *comm = record->owner.comm;
	struct perf_own_owner owner = {
		.common = common(record, PERF_OWN_OWNER, 0, (cgroup ? 1u : 0) | (comm ? 2u : 0)),
		.uid = record->owner.uid,
		.ns_pid = record->owner.ns_pid,
	};
	size_t start = encode->out.len, cgroup_len = cgroup ? strnlen(cgroup, PATH_BYTES) : 0;
	size_t comm_len = comm ? strnlen(comm, 16) : 0;

	put(encode, &owner, sizeof(owner));
	if (cgroup_len)
		put(encode, cgroup, cgroup_len);
	str_addc(&encode->out, '\0');
	if (comm_len)
		put(encode, comm, comm_len);
	put_padded(encode, "", 1);
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	finish(encode, start);
}

/* FNV-1a: each is written once, and if two of them are taken for one, a file has no name. */
static uint64_t hash(uint64_t sum, const void *bytes, size_t len)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ at[i]) * 0x100000001b3ULL;
	return sum;
}

void perf_encode_build_id(struct perf_encode *encode, bool kernel, uint32_t pid, const char *path,
			  const uint8_t *id, uint32_t bytes)
{
	struct {
		struct perf_event_header header;
		uint32_t pid;
		uint8_t id[BUILD_ID_BYTES];
		uint8_t id_bytes, unused[3];
	} fields = {
		.header = { .type = PERF_OWN_BUILD_ID_TYPE,
			    .misc = (uint16_t)((kernel ? PERF_RECORD_MISC_KERNEL :
						PERF_RECORD_MISC_USER) | 1u << 15) },
		.pid = pid,
		.id_bytes = (uint8_t)bytes,
	};
	size_t start = encode->out.len, len = strnlen(path, PATH_BYTES);

	if (!bytes || bytes > sizeof(fields.id) ||
	    idmap_put(&encode->build_ids, hash(hash(0xcbf29ce484222325ULL, path, len), id, bytes),
		      encode))
		return;
	memcpy(fields.id, id, bytes);
	put(encode, &fields, sizeof(fields));
	put(encode, path, len);
	str_addc(&encode->out, '\0');
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	finish(encode, start);
}

static void put_map(struct perf_encode *encode, const struct record *record, uint64_t time_ns)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t start, bytes, offset;
		union {
			struct {
				uint32_t dev_major, dev_minor;
				uint64_t inode, generation;
			} file;
			struct {
				uint8_t bytes, unused[3];
				uint8_t id[BUILD_ID_BYTES];
			} build;
		};
		uint32_t prot, flags;
	} fields = {
		.header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
		.pid = record->pid,
		.tid = record->tid,
		.start = record->map.start,
		.bytes = record->map.bytes,
		.offset = record->map.file_offset,
		.prot = record->map.prot,
		.flags = 2, /* MAP_PRIVATE */
	};
	const uint8_t *id = record->map.build_id;
	uint32_t id_bytes = record->map.build_id_bytes;
	size_t start, len = strnlen(record->map.path, PATH_BYTES);

	if (id && id_bytes <= BUILD_ID_BYTES && !record->map.inode) {
		fields.header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
		fields.build.bytes = (uint8_t)id_bytes;
		memcpy(fields.build.id, id, id_bytes);
	} else {
		if (id)
			perf_encode_build_id(encode, false, record->pid, record->map.path, id,
					     id_bytes);
		fields.file.dev_major = record->map.dev_major;
		fields.file.dev_minor = record->map.dev_minor;
		fields.file.inode = record->map.inode;
		fields.file.generation = record->map.inode_generation;
	}
	start = encode->out.len;
	put(encode, &fields, sizeof(fields));
	put(encode, record->map.path, len);
	str_addc(&encode->out, '\0');
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	put_trailer(encode, record, time_ns, 0);
	finish(encode, start);
}

void perf_encode_old_map(struct perf_encode *encode, const struct record *record)
{
	put_map(encode, record, 0);
}

void perf_encode_kernel_map(struct perf_encode *encode, uint64_t start_address, uint64_t bytes,
			    uint64_t offset, const char *path)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t start, bytes, offset;
	} fields = {
		.header = { .type = PERF_RECORD_MMAP, .misc = PERF_RECORD_MISC_KERNEL },
		.pid = UINT32_MAX, /* HOST_KERNEL_ID */
		.start = start_address,
		.bytes = bytes,
		.offset = offset,
	};
	struct record nobody = { .pid = UINT32_MAX };
	size_t start = encode->out.len, len = strnlen(path, PATH_BYTES);

	put(encode, &fields, sizeof(fields));
	put(encode, path, len);
	str_addc(&encode->out, '\0');
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	put_trailer(encode, &nobody, 0, PERF_OWN_PERF_ONLY);
	finish(encode, start);
}

/* -- The rest ------------------------------------------------------------------------ */

static void encode_lost(struct perf_encode *encode, const struct record *record)
{
	struct {
		struct perf_event_header header;
		uint64_t id, count;
	} fields = {
		.header = { .type = PERF_RECORD_LOST,
			    .size = sizeof(fields) + sizeof(struct perf_own_trailer) },
		.id = PERF_OWN_ID(record->lost.kind == LOSS_BESIDE ? PERF_OWN_EVENT_SIDE :
				  PERF_OWN_EVENT_ENTER, 0),
		.count = record->lost.count,
	};

	put(encode, &fields, sizeof(fields));
	put_trailer(encode, record, record->time_ns, (unsigned int)record->lost.kind);
}

static void encode_counted(struct perf_encode *encode, const struct record *record)
{
	struct perf_own_counted counted = {
		.common = common(record, PERF_OWN_COUNTED, sizeof(counted),
				 record->counted.all_match),
		.calls = record->counted.calls,
		.errors = record->counted.errors,
		.total_ns = record->counted.total_ns,
		.min_ns = record->counted.min_ns,
		.max_ns = record->counted.max_ns,
		.nr = record->counted.nr,
		.group = record->counted.group,
	};

	if (record->counted.steps)
		memcpy(counted.steps, record->counted.steps, sizeof(counted.steps));
	put(encode, &counted, sizeof(counted));
}

static void encode_event(struct perf_encode *encode, const struct record *record)
{
	int event = encode->event ? encode->event(encode->event_ctx, record->event.number) : -1;
	uint32_t raw_bytes = (uint32_t)(padded(record->event.bytes.len + sizeof(raw_bytes)) -
					sizeof(raw_bytes));
	struct perf_own_sample sample;
	size_t start = encode->out.len;

	if (event < 0) {
		encode->left_out++;
		return;
	}
	sample = sample_of(record, record->time_ns, record->cpu, PERF_OWN_ID(event, 0),
			   sizeof(sample));
	put(encode, &sample, sizeof(sample));
	put(encode, &raw_bytes, sizeof(raw_bytes));
	put(encode, record->event.bytes.chunks, record->event.bytes.len);
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	if (finish(encode, start))
		note_time(encode, record->time_ns);
}

static void put_common(struct perf_encode *encode, const struct record *record,
		       enum perf_own_kind kind)
{
	struct perf_own_common fields = common(record, kind, sizeof(fields), 0);

	put(encode, &fields, sizeof(fields));
}

void perf_encode_record(struct perf_encode *encode, const struct record *record)
{
	switch (record->kind) {
	case RECORD_ENTER:
		encode_enter(encode, record);
		break;
	case RECORD_EXIT:
		put_exit(encode, record, record->time_ns, record->exit.nr, record->exit.ret, 0);
		break;
	case RECORD_CALL:
		encode_call(encode, record);
		break;
	case RECORD_COUNTED:
		encode_counted(encode, record);
		break;
	case RECORD_SEED:
		encode_seed(encode, record);
		break;
	case RECORD_SWITCH_OUT:
		encode_switch_out(encode, record);
		break;
	case RECORD_SWITCH_IN:
		put_switch(encode, record, 0, 0);
		break;
	case RECORD_WAKING:
		encode_waking(encode, record);
		break;
	case RECORD_TASK:
		encode_task(encode, record);
		break;
	case RECORD_OWNER:
		encode_owner(encode, record);
		break;
	case RECORD_COMM:
		put_comm(encode, record, record->comm.comm,
			 record->comm.exec ? PERF_RECORD_MISC_COMM_EXEC : 0, record->time_ns, 0);
		break;
	case RECORD_MAP:
		put_map(encode, record, record->time_ns);
		break;
	case RECORD_FORK:
		put_fork(encode, record, PERF_RECORD_FORK, record->fork.parent_pid,
			 record->fork.parent_tid, 0, record->time_ns, 0);
		remember(encode, record->tid, 1);
		break;
	case RECORD_TASK_EXIT:
		put_fork(encode, record, PERF_RECORD_EXIT, 0, 0, 0, record->time_ns, 0);
		idmap_remove(&encode->entered, record->tid);
		break;
	case RECORD_EVENT:
		encode_event(encode, record);
		break;
	case RECORD_LOST:
		encode_lost(encode, record);
		break;
	case RECORD_GAP:
		put_common(encode, record, PERF_OWN_GAP);
		break;
	case RECORD_FORGET:
		put_common(encode, record, PERF_OWN_FORGET);
		break;
	case RECORD_KIND_COUNT:
		break;
	}
}

void perf_encode_begin(struct perf_encode *encode, bool copies, uint64_t began_ns)
{
	struct record nobody = { .time_ns = began_ns };
	struct perf_own_begin begin = {
		.common = common(&nobody, PERF_OWN_BEGIN, sizeof(begin),
				 copies ? PERF_OWN_COPIES : 0),
		.version = PERF_OWN_VERSION,
		.regs_mask = PERF_USER_REGS,
	};

	put(encode, &begin, sizeof(begin));
}

void perf_encode_drained(struct perf_encode *encode, uint64_t time_ns)
{
	struct record drained = { .time_ns = time_ns };

	put_common(encode, &drained, PERF_OWN_DRAINED);
}

void perf_encode_round(struct perf_encode *encode)
{
	struct perf_event_header header = { .type = PERF_OWN_ROUND_TYPE,
					    .size = sizeof(header) };

	put(encode, &header, sizeof(header));
}

void perf_encode_format(struct perf_encode *encode, int event, const char *name,
			const char *text, size_t len)
{
	struct perf_own_format format = {
		.own = own(PERF_OWN_EVENT, 0),
		.event = (uint32_t)event,
		.name_bytes = (uint32_t)strlen(name) + 1,
		.text_bytes = (uint32_t)len,
	};
	size_t start = encode->out.len;

	put(encode, &format, sizeof(format));
	put(encode, name, format.name_bytes);
	put(encode, text, len);
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	finish(encode, start);
}
