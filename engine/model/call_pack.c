#include "engine/model/call_pack.h"

#include <string.h>

/* Numbers of each call, in this order. */
enum {
	PACK_ENTER,
	PACK_DUR,
	PACK_ARGS,
	PACK_RET = PACK_ARGS + SYSCALL_ARGS,
	PACK_PID,
	PACK_TID,
	PACK_COMM,
	PACK_WHERE, /* nr and cpu */
	PACK_MARKS, /* state, waker kind, flags, thread state */
	PACK_BYTES_AT,
	PACK_COUNT
};

/* Further numbers of calls with waits. */
enum {
	PACK_BLOCKED,
	PACK_RUNNABLE,
	PACK_STACK,
	PACK_WAKER,
	PACK_WAKER_STACK,
	PACK_RAN,
	PACK_WAITS
};

#define LENGTH_BITS 4
#define LENGTHS_BYTES 8
#define WAIT_LENGTHS_BYTES 4
#define HAS_WAITS (1ULL << PACK_COUNT * LENGTH_BITS)

_Static_assert(PACK_COUNT *LENGTH_BITS < 64, "one word has all lengths, and a bit");
_Static_assert(PACK_WAITS *LENGTH_BITS <= 8 * WAIT_LENGTHS_BYTES, "of waits too");
/* Eight numbers have at most 4 bytes: tid, pid, comm, where, marks, and three of the waits. */
_Static_assert(LENGTHS_BYTES + 8 * PACK_COUNT + WAIT_LENGTHS_BYTES + 8 * PACK_WAITS - 3 * 4 - 4 -
			       4 - 3 * 4 <=
		       CALL_PACK_BYTES_MAX,
	       "the longest of all calls");
_Static_assert(CALL_STATE_COUNT <= 16 && WAKER_KIND_COUNT <= 16 && THREAD_STATE_COUNT <= 16,
	       "four bits each");

/* Zigzag encoding: small for values near 0 of either sign. */
static uint64_t fold_sign(uint64_t value)
{
	return value << 1 ^ (uint64_t)((int64_t)value >> 63);
}

static uint64_t unfold_sign(uint64_t folded)
{
	return folded >> 1 ^ (0 - (folded & 1));
}

static unsigned bytes_of(uint64_t value)
{
	return (71 - (unsigned)__builtin_clzll(value | 1)) / 8 - !value;
}

/*
 * Writes 8 bytes for each number; the next number overwrites the superfluous ones. This avoids a
 * branch on the length, which would be mispredicted about every other time.
 */
static inline unsigned char *put_numbers(unsigned char *to, const uint64_t *numbers, size_t count,
					 uint64_t *lengths)
{
	uint64_t all = 0;

#pragma GCC unroll 14
	for (size_t i = 0; i < count; i++) {
		unsigned length = bytes_of(numbers[i]);

		memcpy(to, &numbers[i], sizeof(numbers[i]));
		to += length;
		all |= (uint64_t)length << i * LENGTH_BITS;
	}
	*lengths = all;
	return to;
}

static inline const unsigned char *get_numbers(const unsigned char *from, uint64_t *numbers,
					       size_t count, uint64_t lengths)
{
	static const uint64_t masks[] = {
		0,
		0xff,
		0xffff,
		0xffffff,
		0xffffffff,
		0xffffffffff,
		0xffffffffffff,
		0xffffffffffffff,
		0xffffffffffffffff,
		/* No length exceeds 8, but four bits can hold 15. */
		0,
		0,
		0,
		0,
		0,
		0,
		0,
	};

#pragma GCC unroll 14
	for (size_t i = 0; i < count; i++) {
		unsigned length = lengths >> i * LENGTH_BITS & 15;
		uint64_t number;

		memcpy(&number, from, sizeof(number));
		numbers[i] = number & masks[length];
		from += length;
	}
	return from;
}

static bool has_waits(const struct call *call)
{
	return call->blocked_ns | call->runnable_ns | call->stack_id | call->waker_tid |
	       call->waker_stack_id | call->ran_stack_id | call->ran_after_us;
}

size_t call_pack(unsigned char *to, const struct call *call, uint64_t base_ns)
{
	uint64_t numbers[PACK_COUNT], lengths;
	unsigned char *end;

	numbers[PACK_ENTER] = fold_sign(call->enter_ns - base_ns);
	numbers[PACK_DUR] = (uint64_t)call->dur_ns + 1;
	memcpy(&numbers[PACK_ARGS], call->args, sizeof(call->args));
	numbers[PACK_RET] = fold_sign((uint64_t)call->ret);
	numbers[PACK_PID] = call->pid;
	numbers[PACK_TID] =
		(uint32_t)fold_sign((uint64_t)(int64_t)(int32_t)(call->tid - call->pid));
	numbers[PACK_COMM] = call->comm_id;
	numbers[PACK_WHERE] = (uint64_t)call->cpu << 16 | call->nr;
	numbers[PACK_MARKS] = (uint64_t)call->thread_state << 24 | (uint64_t)call->flags << 8 |
			      (uint64_t)call->waker_kind << 4 | call->state;
	numbers[PACK_BYTES_AT] = call->bytes_at;
	end = put_numbers(to + LENGTHS_BYTES, numbers, PACK_COUNT, &lengths);
	if (has_waits(call)) {
		uint64_t waits[PACK_WAITS] = {
			[PACK_BLOCKED] = call->blocked_ns,
			[PACK_RUNNABLE] = call->runnable_ns,
			[PACK_STACK] = call->stack_id,
			[PACK_WAKER] = call->waker_tid,
			[PACK_WAKER_STACK] = call->waker_stack_id,
			[PACK_RAN] = (uint64_t)call->ran_stack_id << 32 | call->ran_after_us,
		};
		unsigned char *before = end;
		uint64_t wait_lengths;
		uint32_t stored;

		end = put_numbers(end + WAIT_LENGTHS_BYTES, waits, PACK_WAITS, &wait_lengths);
		stored = (uint32_t)wait_lengths;
		memcpy(before, &stored, sizeof(stored));
		lengths |= HAS_WAITS;
	}
	memcpy(to, &lengths, sizeof(lengths));
	return (size_t)(end - to);
}

void call_unpack(struct call *call, const unsigned char *from, uint64_t base_ns)
{
	uint64_t numbers[PACK_COUNT], waits[PACK_WAITS], lengths;

	memcpy(&lengths, from, sizeof(lengths));
	from = get_numbers(from + LENGTHS_BYTES, numbers, PACK_COUNT, lengths);
	if (lengths & HAS_WAITS) {
		uint32_t wait_lengths;

		memcpy(&wait_lengths, from, sizeof(wait_lengths));
		get_numbers(from + WAIT_LENGTHS_BYTES, waits, PACK_WAITS, wait_lengths);
	} else {
		memset(waits, 0, sizeof(waits));
	}
	*call = (struct call){
		.enter_ns = base_ns + unfold_sign(numbers[PACK_ENTER]),
		.dur_ns = (int64_t)(numbers[PACK_DUR] - 1),
		.ret = (int64_t)unfold_sign(numbers[PACK_RET]),
		.blocked_ns = waits[PACK_BLOCKED],
		.runnable_ns = waits[PACK_RUNNABLE],
		.pid = (uint32_t)numbers[PACK_PID],
		.tid = (uint32_t)(numbers[PACK_PID] + unfold_sign(numbers[PACK_TID])),
		.comm_id = (uint32_t)numbers[PACK_COMM],
		.stack_id = (uint32_t)waits[PACK_STACK],
		.waker_tid = (uint32_t)waits[PACK_WAKER],
		.waker_stack_id = (uint32_t)waits[PACK_WAKER_STACK],
		.ran_stack_id = (uint32_t)(waits[PACK_RAN] >> 32),
		.ran_after_us = (uint32_t)waits[PACK_RAN],
		.nr = (uint16_t)numbers[PACK_WHERE],
		.cpu = (uint16_t)(numbers[PACK_WHERE] >> 16),
		.state = numbers[PACK_MARKS] & 15,
		.flags = (uint16_t)(numbers[PACK_MARKS] >> 8),
		.thread_state = numbers[PACK_MARKS] >> 24 & 15,
		.waker_kind = numbers[PACK_MARKS] >> 4 & 15,
		.bytes_at = numbers[PACK_BYTES_AT],
	};
	memcpy(call->args, &numbers[PACK_ARGS], sizeof(call->args));
}
