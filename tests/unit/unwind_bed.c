#include "tests/unit/unwind_bed.h"

#include <check.h>
#include <string.h>
#include <unistd.h>

#define TAG 7

static void take_reply(void *ctx, uint32_t tag, const struct unwound *unwound)
{
	struct unwind_bed *bed = ctx;

	ck_assert_uint_eq(tag, TAG);
	memcpy(bed->ips, unwound->ips, unwound->count * sizeof(bed->ips[0]));
	bed->count = unwound->count;
	bed->flags = unwound->flags;
	bed->replies++;
}

void unwind_bed_open(struct unwind_bed *bed, void (*serve)(int socket_fd))
{
	struct unwinder_options options = { .done = take_reply, .ctx = bed };
	struct err err = { "" };

	memset(bed, 0, sizeof(*bed));
	bed->pid = (uint32_t)getpid();
	fixture_open(&bed->fixture, serve);
	options.fork_server = symbols_fork_server(bed->fixture.symbols);
	options.spaces = bed->fixture.spaces;
	ck_assert_msg(unwinder_new(&bed->unwinder, &options, &err) == 0, "%s", err.text);
}

void unwind_bed_close(struct unwind_bed *bed)
{
	unwinder_free(bed->unwinder);
	fixture_close(&bed->fixture);
}

void unwind_bed_prepare(struct unwind_bed *bed, const struct record_stack *stack,
			struct unwinder_sample *sample)
{
	ck_assert(unwinder_prepare(bed->unwinder, bed->pid, stack, sample));
}

void unwind_bed_ask(struct unwind_bed *bed, const struct record_stack *stack)
{
	struct unwinder_sample sample;
	uint32_t before = bed->replies;

	unwind_bed_prepare(bed, stack, &sample);
	ck_assert(unwinder_has_room(bed->unwinder, &sample));
	unwinder_push(bed->unwinder, &sample, TAG);
	ck_assert(unwinder_settle(bed->unwinder, 10000));
	ck_assert_uint_eq(bed->replies, before + 1);
	ck_assert(bed->flags & STACK_USER_DWARF);
}
