#include "engine/recording/read/perfdata_ext_decode_private.h"
#include "engine/source/perf/perf_stacks.h"

#include <string.h>

static bool take_chain(struct perfdata_ext_decode *decode, struct perf_cursor *rest, uint64_t count,
		       struct record_stack *stack)
{
	const void *at;

	if (count > OWN_CHAIN_MAX - decode->chain_count)
		return false;
	at = perf_cursor_take(rest, count * sizeof(uint64_t));
	if (!at)
		return false;
	memcpy(decode->ips, at, count * sizeof(uint64_t));
	if (decode->chain_count)
		memcpy(decode->ips + count, decode->chain, decode->chain_count * sizeof(uint64_t));
	stack->ips = decode->ips;
	stack->count = (uint32_t)count + decode->chain_count;
	stack->cut = decode->chain_cut;
	perf_stacks_limit(stack, decode->max_stack);
	return true;
}

static bool take_registers(const struct perfdata_ext_decode *decode, struct perf_cursor *rest,
			   struct record_stack *stack)
{
	uint64_t abi;

	if (!perf_cursor_u64(rest, &abi))
		return false;
	if (abi == PERF_SAMPLE_REGS_ABI_NONE)
		return true;
	stack->user_regs_mask = decode->regs_mask;
	stack->user_regs = perf_cursor_take(
		rest, sizeof(uint64_t) * (size_t)__builtin_popcountll(decode->regs_mask));
	return stack->user_regs;
}

static bool take_user_stack(struct perf_cursor *rest, struct record_stack *stack)
{
	uint64_t bytes, filled;

	if (!perf_cursor_u64(rest, &bytes))
		return false;
	if (!bytes)
		return true;
	stack->user_stack = perf_cursor_take(rest, bytes);
	if (!stack->user_stack || !perf_cursor_u64(rest, &filled) || filled > bytes)
		return false;
	stack->user_stack_bytes = (uint32_t)filled;
	return true;
}

/* raw: NULL if samples of the event have no raw bytes. */
static bool take_stack(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
		       unsigned int flags, struct record_stack *stack, struct record_bytes *raw)
{
	struct perf_cursor rest = own_behind(header, sizeof(struct perfdata_ext_stack_sample));
	uint64_t count;
	uint32_t len;
	const void *at;

	memset(stack, 0, sizeof(*stack));
	stack->kernel_denied = flags & PERFDATA_EXT_DENIED;
	if (!perf_cursor_u64(&rest, &count) || !take_chain(decode, &rest, count, stack))
		return false;
	if (raw) {
		at = perf_cursor_take(&rest, sizeof(len));
		if (!at)
			return false;
		memcpy(&len, at, sizeof(len));
		raw->chunks = perf_cursor_take(&rest, len);
		raw->len = len;
		raw->more = false;
		/* The following parts must be aligned: they are read as 8-byte words. */
		if (!raw->chunks || (len + sizeof(len)) % 8)
			return false;
	}
	return take_registers(decode, &rest, stack) && take_user_stack(&rest, stack);
}

static bool decode_switch_out(struct perfdata_ext_decode *decode,
			      const struct perf_event_header *header, unsigned int flags,
			      uint32_t state, struct record *record)
{
	record->kind = RECORD_SWITCH_OUT;
	record->switch_out.state = own_thread_state(state);
	record->switch_out.preempted = flags & PERFDATA_EXT_PREEMPTED;
	record->switch_out.unsure = flags & PERFDATA_EXT_UNSURE;
	record->switch_out.stack_limited = flags & PERFDATA_EXT_STACK_LIMITED;
	return take_stack(decode, header, flags, &record->switch_out.stack, NULL);
}

static bool decode_waking(struct perfdata_ext_decode *decode,
			  const struct perf_event_header *header, unsigned int flags,
			  struct record *record)
{
	struct record_bytes *raw = &record->waking.raw;
	struct perfdata_ext_wakee wakee;

	if (!take_stack(decode, header, flags, &record->waking.stack, raw) ||
	    raw->len < sizeof(wakee))
		return false;
	raw->len -= sizeof(wakee);
	memcpy(&wakee, (const unsigned char *)raw->chunks + raw->len, sizeof(wakee));
	record->kind = RECORD_WAKING;
	record->waking.tid = wakee.tid;
	record->waking.pid = wakee.pid;
	record->waking.in_interrupt = flags & PERFDATA_EXT_INTERRUPT;
	record->waking.has_interrupt_state = flags & PERFDATA_EXT_INTERRUPT_KNOWN;
	record->waking.stack_limited = flags & PERFDATA_EXT_STACK_LIMITED;
	return true;
}

void own_stack_sample(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
		      uint64_t event, unsigned int flags, record_fn *take, void *ctx)
{
	struct perfdata_ext_stack_sample sample;
	struct record record;

	if (header->size < sizeof(sample)) {
		decode->malformed++;
		return;
	}
	memcpy(&sample, header, sizeof(sample));
	record.time_ns = sample.time_ns;
	record.pid = sample.pid;
	record.tid = sample.tid;
	record.cpu = sample.cpu;
	if (event == PERFDATA_EXT_EVENT_SWITCH
		    ? decode_switch_out(decode, header, flags, sample.state, &record)
		    : decode_waking(decode, header, flags, &record))
		own_pass(decode, &record, take, ctx);
	else
		decode->malformed++;
}

bool own_seed(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
	      struct record *record, struct record_stack *stack)
{
	struct perf_cursor rest;
	struct perfdata_ext_inflight seed;

	if (header->size < sizeof(seed))
		return false;
	memcpy(&seed, header, sizeof(seed));
	rest = own_behind(header, sizeof(seed));
	record->kind = RECORD_INFLIGHT;
	record->inflight.nr = seed.nr;
	memcpy(record->inflight.args, seed.args, sizeof(seed.args));
	record->inflight.sp = seed.sp;
	record->inflight.pc = seed.pc;
	record->inflight.state = own_thread_state(seed.state);
	record->inflight.unentered = seed.common.flags & PERFDATA_EXT_UNENTERED;
	record->inflight.stack = NULL;
	if (!(seed.common.flags & 1))
		return true;
	memset(stack, 0, sizeof(*stack));
	stack->kernel_denied = seed.common.flags & 2;
	decode->chain_count = 0;
	decode->chain_cut = own_cut(seed.common.flags >> PERFDATA_EXT_CUT_SHIFT);
	if (!take_chain(decode, &rest, seed.ips, stack))
		return false;
	/* It belongs to this record, not to the next sample. */
	decode->chain_cut = 0;
	if (seed.common.flags & 4) {
		stack->user_regs_mask = seed.regs_mask;
		stack->user_regs = perf_cursor_take(
			&rest, sizeof(uint64_t) * (size_t)__builtin_popcountll(seed.regs_mask));
		if (!stack->user_regs)
			return false;
	}
	if (seed.stack_bytes) {
		stack->user_stack = perf_cursor_take(&rest, seed.stack_bytes);
		if (!stack->user_stack)
			return false;
		stack->user_stack_bytes = seed.stack_bytes;
	}
	record->inflight.stack = stack;
	return true;
}

void own_chain(struct perfdata_ext_decode *decode, const struct perf_event_header *header)
{
	struct perfdata_ext_chain chain;

	if (header->size < sizeof(chain)) {
		decode->malformed++;
		return;
	}
	memcpy(&chain, header, sizeof(chain));
	if (chain.count > (header->size - sizeof(chain)) / sizeof(uint64_t)) {
		decode->malformed++;
		return;
	}
	memcpy(decode->chain, (const unsigned char *)header + sizeof(chain),
	       chain.count * sizeof(uint64_t));
	decode->chain_count = chain.count;
	decode->chain_cut = own_cut(chain.cut);
}
