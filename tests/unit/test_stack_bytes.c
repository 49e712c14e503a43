#include "engine/late/stack_bytes.h"

#include "engine/decode/call_bytes.h"
#include "engine/record/capture_chunks.h"
#include "tests/unit/runner.h"

#include <asm/perf_regs.h>
#include <string.h>

#define SP 0x7000

static const uint64_t regs[] = { 11, SP, 13 }; /* AX, SP, IP */
static unsigned char bytes[1024];

static struct record_stack sample(void)
{
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i / 4);
	return (struct record_stack){
		.user_regs = regs,
		.user_regs_mask = 1ULL << PERF_REG_X86_AX | 1ULL << PERF_REG_X86_SP |
				  1ULL << PERF_REG_X86_IP,
		.user_stack = bytes,
		.user_stack_bytes = sizeof(bytes),
	};
}

START_TEST(arguments_on_the_stack_are_copied)
{
	const struct record_stack stack = sample();
	struct call call = { .args = { SP + 8, SP + 1000, SP - 8, SP + 1024, 3, SP } };
	unsigned char chunks[STACK_BYTES_ROOM];
	size_t len = stack_bytes_take(&call, &stack, chunks);
	struct capture_chunk chunk;
	const uint8_t *found;

	ck_assert(capture_chunks_find(chunks, len, SP + 8, false, &chunk, &found));
	ck_assert_uint_eq(chunk.len, STACK_BYTES_EACH);
	ck_assert_uint_eq(chunk.origin, BYTES_STACK);
	ck_assert_mem_eq(found, bytes + 8, chunk.len);
	/* The last bytes of the sample. */
	ck_assert(capture_chunks_find(chunks, len, SP + 1023, false, &chunk, &found));
	ck_assert_uint_eq(chunk.arg, 1);
	ck_assert_uint_eq(chunk.len, 24);
	ck_assert_mem_eq(found, bytes + 1000, 24);
	ck_assert(!capture_chunks_find(chunks, len, SP - 8, false, &chunk, &found));
	ck_assert(!capture_chunks_find(chunks, len, SP + 1024, false, &chunk, &found));
	/* The bytes are not found as results: the call can still overwrite them. */
	ck_assert(!capture_chunks_find(chunks, len, SP + 8, true, &chunk, &found));
}
END_TEST

START_TEST(without_registers_or_bytes_nothing_is_copied)
{
	struct call call = { .args = { SP } };
	unsigned char chunks[STACK_BYTES_ROOM];
	struct record_stack stack = sample();

	stack.user_regs_mask &= ~(1ULL << PERF_REG_X86_SP);
	ck_assert_uint_eq(stack_bytes_take(&call, &stack, chunks), 0);
	stack = sample();
	stack.user_regs = NULL;
	ck_assert_uint_eq(stack_bytes_take(&call, &stack, chunks), 0);
	stack = sample();
	stack.user_stack_bytes = 0;
	ck_assert_uint_eq(stack_bytes_take(&call, &stack, chunks), 0);
}
END_TEST

START_TEST(all_arguments_have_room)
{
	const struct record_stack stack = sample();
	struct call call = { .args = { SP, SP + 1, SP + 2, SP + 3, SP + 4, SP + 5 } };
	unsigned char chunks[STACK_BYTES_ROOM];

	ck_assert_uint_le(stack_bytes_take(&call, &stack, chunks), STACK_BYTES_ROOM);
}
END_TEST

Suite *suite_stack_bytes(void);
Suite *suite_stack_bytes(void)
{
	Suite *suite = suite_create("stack_bytes");
	TCase *tc = tcase_create("stack_bytes");

	tcase_add_test(tc, arguments_on_the_stack_are_copied);
	tcase_add_test(tc, without_registers_or_bytes_nothing_is_copied);
	tcase_add_test(tc, all_arguments_have_room);
	suite_add_tcase(suite, tc);
	return suite;
}
