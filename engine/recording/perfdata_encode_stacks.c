#include "engine/recording/perfdata_encode_private.h"

#include "engine/source/perf/perf_open.h"

#define FLAG_HARDIRQ 0x08 /* TRACE_FLAG_HARDIRQ of the kernel */

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

static void put_registers(struct perfdata_encode *encode, const struct record_stack *stack)
{
	uint64_t abi = PERF_SAMPLE_REGS_ABI_64;
	size_t next = 0;

	encode_put(encode, &abi, sizeof(abi));
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (!(stack->user_regs_mask >> bit & 1))
			continue;
		if (PERF_USER_REGS >> bit & 1)
			encode_put(encode, &stack->user_regs[next], sizeof(stack->user_regs[next]));
		next++;
	}
}

/* Return how many stack bytes fit. The first ones are stored, those of the innermost frames. */
static uint64_t stack_room(const struct perfdata_encode *encode, size_t start, uint32_t bytes)
{
	size_t used = encode->out.len - start + 2 * sizeof(uint64_t);
	size_t room = used < PERFDATA_EXT_RECORD_MAX ? PERFDATA_EXT_RECORD_MAX - used : 0;

	return bytes < room ? bytes : room;
}

static void put_stack_bytes(struct perfdata_encode *encode, size_t start,
			    const struct record_stack *stack)
{
	uint64_t filled = stack->user_stack ? stack_room(encode, start, stack->user_stack_bytes)
					    : 0;
	uint64_t bytes = encode_padded(filled);

	encode_put(encode, &bytes, sizeof(bytes));
	if (!bytes)
		return;
	encode_put_padded(encode, stack->user_stack, filled);
	encode_put(encode, &filled, sizeof(filled));
}

static void put_chain(struct perfdata_encode *encode, const struct record_stack *stack,
		      uint32_t from)
{
	struct perfdata_ext_chain chain = {
		.own = encode_own(PERFDATA_EXT_CHAIN, 0),
		.count = stack->count - from,
		.cut = stack->cut,
	};
	size_t start = encode->out.len;

	if (!chain.count && !chain.cut)
		return;
	encode_put(encode, &chain, sizeof(chain));
	if (chain.count)
		encode_put(encode, stack->ips + from, chain.count * sizeof(*stack->ips));
	encode_finish(encode, start);
}

static void put_stack_sample(struct perfdata_encode *encode, const struct record *record,
			     const struct record_stack *stack, uint64_t id, const void *raw,
			     uint32_t raw_bytes)
{
	bool unwinds = stack->user_regs &&
		       (stack->user_regs_mask & PERF_USER_REGS) == PERF_USER_REGS;
	uint32_t in_sample = unwinds ? kernel_half(stack) : stack->count;
	struct perfdata_ext_stack_sample sample = {
		.header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER },
		.id = id,
		.pid = record->pid,
		.tid = record->tid,
		.time_ns = record->time_ns,
		.cpu = record->cpu,
		.state = record->kind == RECORD_SWITCH_OUT ? record->switch_out.state : 0,
	};
	uint64_t count = in_sample, none = PERF_SAMPLE_REGS_ABI_NONE;
	size_t start;

	put_chain(encode, stack, in_sample);
	start = encode->out.len;
	for (uint32_t i = 0; i < in_sample && !sample.ip; i++)
		if (!is_marker(stack->ips[i]))
			sample.ip = stack->ips[i];
	if (in_sample && stack->ips[0] == PERF_CONTEXT_KERNEL)
		sample.header.misc = PERF_RECORD_MISC_KERNEL;
	encode_put(encode, &sample, sizeof(sample));
	encode_put(encode, &count, sizeof(count));
	if (in_sample)
		encode_put(encode, stack->ips, in_sample * sizeof(*stack->ips));
	if (raw) {
		encode_put(encode, &raw_bytes, sizeof(raw_bytes));
		encode_put(encode, raw, raw_bytes);
	}
	if (unwinds)
		put_registers(encode, stack);
	else
		encode_put(encode, &none, sizeof(none));
	put_stack_bytes(encode, start, unwinds ? stack : &(struct record_stack){ .ips = NULL });
	if (encode_finish(encode, start))
		encode_note_time(encode, record->time_ns);
}

static void put_switch(struct perfdata_encode *encode, const struct record *record, uint16_t misc,
		       unsigned int flags)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_SWITCH,
		.misc = misc,
		.size = sizeof(header) + sizeof(struct perfdata_ext_trailer),
	};

	encode_put(encode, &header, sizeof(header));
	encode_put_trailer(encode, record, record->time_ns, flags);
}

static void encode_switch_out(struct perfdata_encode *encode, const struct record *record)
{
	const struct record_stack *stack = &record->switch_out.stack;
	unsigned int flags = (record->switch_out.stack_limited ? PERFDATA_EXT_STACK_LIMITED : 0) |
			     (record->switch_out.unsure ? PERFDATA_EXT_UNSURE : 0);
	uint16_t misc = PERF_RECORD_MISC_SWITCH_OUT;

	if (!stack->count && !stack->user_regs && !stack->kernel_denied) {
		if (record->switch_out.preempted)
			misc |= PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		put_switch(encode, record, misc, flags);
		return;
	}
	flags |= (stack->kernel_denied ? PERFDATA_EXT_DENIED : 0) |
		 (record->switch_out.preempted ? PERFDATA_EXT_PREEMPTED : 0);
	put_stack_sample(encode, record, stack, PERFDATA_EXT_ID(PERFDATA_EXT_EVENT_SWITCH, flags),
			 NULL, 0);
}

void encode_switch(struct perfdata_encode *encode, const struct record *record)
{
	if (record->kind == RECORD_SWITCH_OUT)
		encode_switch_out(encode, record);
	else
		put_switch(encode, record, 0, 0);
}

/* Raw bytes to write if those of the waking are missing or too long: only the known fields. */
struct waking {
	struct perfdata_ext_entry entry;
	char comm[16];
	int32_t pid, prio, target_cpu;
};

void encode_waking(struct perfdata_encode *encode, const struct record *record)
{
	const struct record_bytes *raw = &record->waking.raw;
	const struct record_stack *stack = &record->waking.stack;
	struct perfdata_ext_wakee wakee = { record->waking.tid, record->waking.pid };
	unsigned int flags = (stack->kernel_denied ? PERFDATA_EXT_DENIED : 0) |
			     (record->waking.stack_limited ? PERFDATA_EXT_STACK_LIMITED : 0) |
			     (record->waking.in_interrupt ? PERFDATA_EXT_INTERRUPT : 0) |
			     (record->waking.has_interrupt_state ? PERFDATA_EXT_INTERRUPT_KNOWN
								 : 0);
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
	/* Pad: the 4-byte size field plus the raw bytes must be a multiple of 8. */
	len = encode_padded(len + sizeof(uint32_t)) - sizeof(uint32_t);
	memcpy(bytes + len, &wakee, sizeof(wakee));
	put_stack_sample(encode, record, stack, PERFDATA_EXT_ID(PERFDATA_EXT_EVENT_WAKING, flags),
			 bytes, (uint32_t)(len + sizeof(wakee)));
}

/* Store as much of the stack as fits. */
static void put_seed(struct perfdata_encode *encode, const struct record *record,
		     struct perfdata_ext_inflight seed, const struct record_stack *stack)
{
	size_t start = encode->out.len;
	bool regs = stack && stack->user_regs;

	if (stack) {
		seed.common.flags |= 1u | (stack->kernel_denied ? 2u : 0) | (regs ? 4u : 0) |
				     (uint32_t)stack->cut << PERFDATA_EXT_CUT_SHIFT;
		seed.ips = stack->count < 4096 ? stack->count : 4096;
		seed.regs_mask = regs ? stack->user_regs_mask : 0;
	}
	encode_put(encode, &seed, sizeof(seed));
	if (stack) {
		if (seed.ips)
			encode_put(encode, stack->ips, seed.ips * sizeof(*stack->ips));
		if (regs)
			encode_put(encode, stack->user_regs,
				   sizeof(uint64_t) * (size_t)__builtin_popcountll(seed.regs_mask));
		if (stack->user_stack)
			seed.stack_bytes =
				(uint32_t)stack_room(encode, start, stack->user_stack_bytes) & ~7u;
		memcpy(encode->out.data + start, &seed, sizeof(seed));
		if (seed.stack_bytes)
			encode_put(encode, stack->user_stack, seed.stack_bytes);
	}
	encode_finish(encode, start);
	encode_note_time(encode, record->time_ns);
}

void encode_seed(struct perfdata_encode *encode, const struct record *record)
{
	struct perfdata_ext_inflight seed = {
		.common = encode_common(record, PERFDATA_EXT_INFLIGHT, 0,
					record->inflight.unentered ? PERFDATA_EXT_UNENTERED : 0),
		.sp = record->inflight.sp,
		.pc = record->inflight.pc,
		.nr = record->inflight.nr,
		.state = record->inflight.state,
	};

	memcpy(seed.args, record->inflight.args, sizeof(seed.args));
	put_seed(encode, record, seed, record->inflight.stack);
}

void encode_running(struct perfdata_encode *encode, const struct record *record)
{
	struct perfdata_ext_inflight seed = { .common = encode_common(record, PERFDATA_EXT_RUNNING,
								      0, 0) };

	put_seed(encode, record, seed, &record->running.stack);
}
