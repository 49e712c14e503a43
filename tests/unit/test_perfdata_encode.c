/* Records of every kind survive encoding and decoding unchanged. */
#include "engine/recording/perfdata_encode.h"

#include "engine/base/histogram.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/read/perfdata_ext_decode.h"
#include "engine/source/perf/perf_open.h"
#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

#define KEPT_MAX 64

struct kept {
	struct record records[KEPT_MAX];
	struct str bytes[KEPT_MAX]; /* description of each record */
	size_t count;
};

static void store_stack(struct str *to, const struct record_stack *stack)
{
	str_addf(to, "%u %d %d %llx %u:", stack->count, stack->kernel_denied, stack->cut,
		 (unsigned long long)stack->user_regs_mask, stack->user_stack_bytes);
	if (stack->count)
		str_addn(to, (const char *)stack->ips, stack->count * sizeof(*stack->ips));
	if (stack->user_regs)
		str_addn(to, (const char *)stack->user_regs,
			 sizeof(uint64_t) * (size_t)__builtin_popcountll(stack->user_regs_mask));
	if (stack->user_stack)
		str_addn(to, stack->user_stack, stack->user_stack_bytes);
}

static void store_bytes(struct str *to, const struct record_bytes *bytes)
{
	str_addf(to, "%zu %d:", bytes->len, bytes->len && bytes->more);
	if (bytes->len)
		str_addn(to, bytes->chunks, bytes->len);
}

static void store_text(struct str *to, const char *text)
{
	str_add(to, text ? text : "(null)");
	str_addc(to, '\n');
}

/* Append all fields of a record. */
static void describe(struct str *to, const struct record *r)
{
	/* The times of late enters and of tasks from before the recording are not preserved. */
	bool no_time = (r->kind == RECORD_ENTER && r->enter.entered_ns) || r->kind == RECORD_TASK;

	str_addf(to, "%d %llu %u %u %u:", (int)r->kind,
		 no_time ? 0 : (unsigned long long)r->time_ns, r->cpu, r->pid, r->tid);
	switch (r->kind) {
	case RECORD_ENTER:
		str_addf(to, "%u %llu %d ", r->enter.nr, (unsigned long long)r->enter.entered_ns,
			 r->enter.resumes);
		str_addn(to, (const char *)r->enter.args, sizeof(r->enter.args));
		store_bytes(to, &r->enter.bytes);
		break;
	case RECORD_EXIT:
		str_addf(to, "%u %lld %d", r->exit.nr, (long long)r->exit.ret, r->exit.silent);
		break;
	case RECORD_CALL:
		str_addf(to, "%u %lld %llu %llu %u %u %u ", r->call.nr, (long long)r->call.ret,
			 (unsigned long long)r->call.entered_ns, (unsigned long long)r->call.dur_ns,
			 r->call.enter_cpu, r->call.switches, r->call.resumes);
		str_addn(to, (const char *)r->call.args, sizeof(r->call.args));
		store_bytes(to, &r->call.bytes);
		break;
	case RECORD_AGGREGATE:
		str_addf(to, "%u %llu %llu %llu %llu %llu %u %d ", r->aggregate.nr,
			 (unsigned long long)r->aggregate.calls,
			 (unsigned long long)r->aggregate.errors,
			 (unsigned long long)r->aggregate.total_ns,
			 (unsigned long long)r->aggregate.min_ns,
			 (unsigned long long)r->aggregate.max_ns, r->aggregate.group,
			 r->aggregate.all_match);
		str_addn(to, (const char *)r->aggregate.steps, HISTOGRAM_STEPS * sizeof(uint32_t));
		break;
	case RECORD_INFLIGHT:
		str_addf(to, "%u %llx %llx ", r->inflight.nr, (unsigned long long)r->inflight.sp,
			 (unsigned long long)r->inflight.pc);
		str_addn(to, (const char *)r->inflight.args, sizeof(r->inflight.args));
		str_addf(to, "%d ", r->inflight.state);
		if (r->inflight.stack)
			store_stack(to, r->inflight.stack);
		break;
	case RECORD_RUNNING:
		store_stack(to, &r->running.stack);
		break;
	case RECORD_SWITCHES_LOST:
		str_addf(to, "%llu", (unsigned long long)r->switches_lost.until_ns);
		break;
	case RECORD_SWITCH_OUT:
		str_addf(to, "%d %d %d %d ", r->switch_out.preempted, r->switch_out.unsure,
			 r->switch_out.stack_limited, r->switch_out.state);
		store_stack(to, &r->switch_out.stack);
		break;
	case RECORD_WAKING:
		str_addf(to, "%u %u %d %d %d ", r->waking.pid, r->waking.tid,
			 r->waking.in_interrupt, r->waking.has_interrupt_state,
			 r->waking.stack_limited);
		store_stack(to, &r->waking.stack);
		store_bytes(to, &r->waking.raw);
		break;
	case RECORD_TASK:
		str_addf(to, "%u ", r->task.parent_pid);
		store_text(to, r->task.comm);
		break;
	case RECORD_OWNER:
		str_addf(to, "%u %u ", r->owner.uid, r->owner.ns_pid);
		store_text(to, r->owner.cgroup);
		store_text(to, r->owner.comm);
		break;
	case RECORD_COMM:
		str_addf(to, "%d ", r->comm.exec);
		store_text(to, r->comm.comm);
		break;
	case RECORD_MAP:
		str_addf(to, "%llx %llx %llx %llu %llu %u:%u %u ", (unsigned long long)r->map.start,
			 (unsigned long long)r->map.bytes, (unsigned long long)r->map.file_offset,
			 (unsigned long long)r->map.inode,
			 (unsigned long long)r->map.inode_generation, r->map.dev_major,
			 r->map.dev_minor, r->map.prot);
		store_text(to, r->map.path);
		if (r->map.build_id)
			str_addn(to, (const char *)r->map.build_id, r->map.build_id_bytes);
		break;
	case RECORD_FORK:
		str_addf(to, "%u %u", r->fork.parent_pid, r->fork.parent_tid);
		break;
	case RECORD_LOST:
		str_addf(to, "%llu %d", (unsigned long long)r->lost.count, (int)r->lost.kind);
		break;
	default:
		break;
	}
}

static void keep(void *ctx, const struct record *record)
{
	struct kept *kept = ctx;

	ck_assert_uint_lt(kept->count, KEPT_MAX);
	str_init(&kept->bytes[kept->count]);
	kept->records[kept->count] = *record;
	describe(&kept->bytes[kept->count++], record);
}

static void kept_release(struct kept *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		str_release(&kept->bytes[i]);
	kept->count = 0;
}

struct trip {
	struct perfdata_encode encode;
	struct perfdata_ext_decode *decode;
	struct kept kept;
};

static void trip_init(struct trip *trip)
{
	memset(trip, 0, sizeof(*trip));
	perfdata_encode_init(&trip->encode);
	trip->decode = perfdata_ext_decode_new(NULL);
	perfdata_encode_begin(&trip->encode, true, 1);
}

static void trip_release(struct trip *trip)
{
	kept_release(&trip->kept);
	perfdata_ext_decode_free(trip->decode);
	perfdata_encode_release(&trip->encode);
}

/* Decode each record from its own allocation: a sanitizer detects reads beyond or after it. */
static void decode_all(struct trip *trip)
{
	const char *at = trip->encode.out.data, *end = at + trip->encode.out.len;
	uint64_t drained_ns;

	while (at < end) {
		struct perf_event_header header, *copy;

		ck_assert_uint_ge((size_t)(end - at), sizeof(header));
		memcpy(&header, at, sizeof(header));
		ck_assert_uint_ge(header.size, sizeof(header));
		ck_assert_uint_eq(header.size % 8, 0);
		ck_assert_uint_le(header.size, (size_t)(end - at));
		copy = malloc(header.size);
		ck_assert(copy != NULL);
		memcpy(copy, at, header.size);
		perfdata_ext_decode(trip->decode, copy, keep, &trip->kept, &drained_ns);
		free(copy);
		at += header.size;
	}
	str_clear(&trip->encode.out);
	ck_assert_uint_eq(perfdata_ext_decode_malformed(trip->decode), 0);
}

static void expect_same(struct trip *trip, const struct record *records, size_t count)
{
	struct str want = STR_INIT;

	for (size_t i = 0; i < count; i++)
		perfdata_encode_record(&trip->encode, &records[i]);
	decode_all(trip);
	ck_assert_uint_eq(trip->kept.count, count);
	for (size_t i = 0; i < count; i++) {
		str_clear(&want);
		describe(&want, &records[i]);
		ck_assert_msg(want.len == trip->kept.bytes[i].len &&
				      !memcmp(want.data, trip->kept.bytes[i].data, want.len),
			      "record %zu of kind %d differs: %s, not %s", i, (int)records[i].kind,
			      trip->kept.bytes[i].data, want.data);
	}
	str_release(&want);
	kept_release(&trip->kept);
}

static const char pointed[40] = "what the call points to, not text alone";

static struct record with_bytes(struct record record, bool more)
{
	struct record_bytes bytes = { .chunks = pointed, .len = sizeof(pointed), .more = more };

	if (record.kind == RECORD_ENTER)
		record.enter.bytes = bytes;
	else
		record.call.bytes = bytes;
	return record;
}

START_TEST(calls_come_back_unchanged)
{
	struct trip trip;
	struct record records[] = {
		record_enter(100, 7, 1, 0xdeadbeef), record_exit(150, 7, 1, -11),
		with_bytes(record_call(160, 170, 7, 257, 3, 5), false),
		/* A call that is reported first while it runs, then as a whole. */
		with_bytes(record_late_enter(300, 200, 8, 202, 9), false),
		with_bytes(on_cpu(record_call(200, 900, 8, 202, 9, 0), 3), true),
		record_call(910, 930, 8, 0, 4, 77),
		record_exit(950, 9, 60, 0), /* without an enter */
	};

	trip_init(&trip);
	records[4].call.enter_cpu = records[3].cpu;
	records[5].call.enter_cpu = 2;
	expect_same(&trip, records, sizeof(records) / sizeof(records[0]));
	trip_release(&trip);
}
END_TEST

static const uint64_t both_halves[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000010, 0xffffffff81000020,
					PERF_CONTEXT_USER,   0x401000,           0x402000 };

static uint64_t registers[64];
static unsigned char user_stack[16384];

static struct record_stack stack_of(bool unwinds)
{
	struct record_stack stack = { .ips = both_halves, .count = 6 };

	for (size_t i = 0; i < 64; i++)
		registers[i] = i * 0x1111;
	for (size_t i = 0; i < sizeof(user_stack); i++)
		user_stack[i] = (unsigned char)(i * 7);
	if (unwinds) {
		stack.user_regs = registers;
		stack.user_regs_mask = PERF_USER_REGS;
		stack.user_stack = user_stack;
		stack.user_stack_bytes = sizeof(user_stack);
	}
	return stack;
}

START_TEST(stacks_come_back_unchanged)
{
	static const unsigned char raw[36] = "\x77\x01 as the kernel has it";
	struct record_stack found = stack_of(true);
	struct record records[] = {
		record_switch_out(100, 7, true),
		record_switch_in(200, 7),
		record_switch_out(300, 7, false),
		record_switch_out(400, 7, false),
		record_waking(500, 8, 7),
		record_waking(600, 8, 7),
		record_inflight(700, 9, 202, 0x1000),
		record_inflight(700, 10, 7, 0x1000),
		{ .kind = RECORD_RUNNING, .time_ns = 800, .pid = 7, .tid = 7, .cpu = 1 },
		{ .kind = RECORD_SWITCHES_LOST,
		  .time_ns = 900,
		  .cpu = 1,
		  .switches_lost.until_ns = 950 },
	};
	struct trip trip;

	trip_init(&trip);
	records[0].switch_out.stack_limited = records[0].switch_out.unsure = true;
	records[2].switch_out.stack = stack_of(false);
	records[2].switch_out.unsure = true;
	records[3].switch_out.stack = stack_of(true);
	records[3].switch_out.stack.kernel_denied = true;
	records[2].switch_out.stack.cut = STACK_CUT_USER;
	for (int i = 4; i < 6; i++) {
		records[i].waking.raw = (struct record_bytes){ .chunks = raw, .len = sizeof(raw) };
		records[i].waking.pid = 6;
		records[i].waking.stack = stack_of(i == 5);
		records[i].waking.has_interrupt_state = true;
	}
	records[5].waking.stack.cut = STACK_CUT_KERNEL | STACK_CUT_USER;
	found.cut = STACK_CUT_USER;
	records[5].waking.in_interrupt = records[5].waking.stack_limited = true;
	found.user_regs_mask = 0x3f; /* the registers that /proc shows */
	records[6].inflight.stack = &found;
	records[6].inflight.sp = 0x7ffe0000;
	records[2].switch_out.state = THREAD_DISK;
	records[3].switch_out.state = THREAD_STOPPED;
	records[7].inflight.state = THREAD_SLEEPING;
	records[8].running.stack = stack_of(true);
	expect_same(&trip, records, sizeof(records) / sizeof(records[0]));
	trip_release(&trip);
}
END_TEST

/* clang-format off */
START_TEST(tasks_come_back_unchanged)
{
	static const uint8_t id[20] = { 0xab, 0xcd, 1, 2, 3 };
	char long_path[5000];
	struct record records[] = {
		record_task(100, 7, 7, "leader"),
		record_task(110, 7, 8, NULL),
		record_comm(120, 7, "a name of 15 by", true),
		record_fork(130, 7, 20, 20),
		record_comm(140, 20, "\033[31m\xff\n", false), /* a comm can have any bytes */
		record_task_exit(150, 8),
		{ .kind = RECORD_OWNER, .time_ns = 160, .pid = 7, .tid = 7,
		  .owner = { .uid = 1000, .ns_pid = 3, .cgroup = "/user.slice/\033x" } },
		{ .kind = RECORD_OWNER, .time_ns = 160, .pid = 7, .tid = 7,
		  .owner = { .uid = 0, .comm = "name" } },
		{ .kind = RECORD_MAP, .time_ns = 170, .pid = 7, .tid = 7,
		  .map = { .start = 0x400000, .bytes = 0x1000, .file_offset = 0x2000,
			   .inode = 99, .inode_generation = 5, .dev_major = 8, .dev_minor = 1,
			   .prot = 5, .path = "/usr/bin/\xfe(deleted)" } },
		{ .kind = RECORD_MAP, .time_ns = 180, .pid = 7, .tid = 7,
		  .map = { .start = 0x500000, .bytes = 0x1000, .prot = 5, .path = "/lib/x",
			   .build_id = id, .build_id_bytes = sizeof(id) } },
	};
	struct record too_long = records[8];
	struct trip trip;

	/* clang-format on */
	trip_init(&trip);
	records[0].task.parent_pid = 1;
	expect_same(&trip, records, sizeof(records) / sizeof(records[0]));
	/* A path longer than PATH_MAX is truncated; the next record is still read. */
	memset(long_path, 'x', sizeof(long_path) - 1);
	long_path[sizeof(long_path) - 1] = '\0';
	too_long.map.path = long_path;
	perfdata_encode_record(&trip.encode, &too_long);
	perfdata_encode_record(&trip.encode, &records[5]);
	decode_all(&trip);
	ck_assert_uint_eq(trip.kept.count, 2);
	trip_release(&trip);
}
END_TEST

/* clang-format off */
START_TEST(other_records_come_back_unchanged)
{
	uint32_t steps[HISTOGRAM_STEPS] = { 1, 2, 3 };
	struct record records[] = {
		record_lost(100, 3, 17),
		record_gap(200),
		{ .kind = RECORD_AGGREGATE, .time_ns = 300, .pid = 7, .tid = 7,
		  .aggregate = { .nr = 1, .calls = 6, .errors = 1, .total_ns = 999, .min_ns = 3,
			       .max_ns = 500, .steps = steps, .group = 9, .all_match = true } },
		{ .kind = RECORD_FORGET, .time_ns = 400, .pid = 7, .tid = 8 },
	};
	struct trip trip;

	/* clang-format on */
	trip_init(&trip);
	for (enum record_loss kind = 0; kind < LOSS_KIND_COUNT; kind++) {
		records[0].lost.kind = kind;
		for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
			records[i].time_ns += 1000;
		expect_same(&trip, records, sizeof(records) / sizeof(records[0]));
	}
	trip_release(&trip);
}
END_TEST

/* perf sees one enter and one exit of a call that was reported twice. */
START_TEST(each_call_has_one_enter)
{
	struct trip trip;
	struct record late = record_late_enter(300, 200, 8, 202, 9);
	struct record whole = record_call(200, 900, 8, 202, 9, 0);
	size_t enters = 0, exits = 0;

	trip_init(&trip);
	perfdata_encode_record(&trip.encode, &late);
	perfdata_encode_record(&trip.encode, &whole);
	for (size_t at = 0; at < trip.encode.out.len;) {
		struct perfdata_ext_sample sample = { .id = 0 };
		struct perf_event_header header;

		memcpy(&header, trip.encode.out.data + at, sizeof(header));
		if (header.type == PERF_RECORD_SAMPLE) {
			memcpy(&sample, trip.encode.out.data + at, sizeof(sample));
			enters += sample.id / PERFDATA_EXT_VARIANTS == PERFDATA_EXT_EVENT_ENTER + 1;
			exits += sample.id / PERFDATA_EXT_VARIANTS == PERFDATA_EXT_EVENT_EXIT + 1;
		}
		at += header.size;
	}
	ck_assert_uint_eq(enters, 1);
	ck_assert_uint_eq(exits, 1);
	trip_release(&trip);
}
END_TEST

/* Truncated records with wrong bytes are decoded without invalid accesses. */
START_TEST(damaged_records_are_decoded_safely)
{
	struct record records[] = {
		with_bytes(record_call(160, 170, 7, 257, 3, 5), false),
		record_switch_out(300, 7, false),
		record_waking(500, 8, 7),
		record_inflight(700, 9, 202, 0x1000),
		record_comm(720, 7, "name", false),
		record_lost(800, 3, 17),
	};
	struct record_stack stack = stack_of(true);
	struct trip trip;

	for (unsigned int seed = 0; seed < 2000; seed++) {
		uint64_t drained_ns;
		char *at, *end;

		srandom(seed);
		trip_init(&trip);
		records[1].switch_out.stack = stack_of(true);
		records[3].inflight.stack = &stack;
		for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
			perfdata_encode_record(&trip.encode, &records[i]);
		at = trip.encode.out.data;
		end = at + trip.encode.out.len;
		while (end - at >= (long)sizeof(struct perf_event_header)) {
			struct perf_event_header header, *copy;
			size_t cut;

			memcpy(&header, at, sizeof(header));
			cut = (size_t)random() % header.size & ~7u;
			cut = cut < sizeof(header) || random() % 2 ? header.size : cut;
			copy = malloc(cut);
			memcpy(copy, at, cut);
			copy->size = (uint16_t)cut;
			for (int i = 0; i < 3; i++) {
				size_t where = (size_t)random() % cut;

				if (where >= sizeof(header))
					((unsigned char *)copy)[where] = (unsigned char)random();
			}
			perfdata_ext_decode(trip.decode, copy, keep, &trip.kept, &drained_ns);
			free(copy);
			at += header.size;
		}
		trip_release(&trip);
	}
}
END_TEST

Suite *suite_perfdata_encode(void);
Suite *suite_perfdata_encode(void)
{
	Suite *suite = suite_create("perfdata_encode");
	TCase *tc = tcase_create("perfdata_encode");

	tcase_add_test(tc, calls_come_back_unchanged);
	tcase_add_test(tc, stacks_come_back_unchanged);
	tcase_add_test(tc, tasks_come_back_unchanged);
	tcase_add_test(tc, other_records_come_back_unchanged);
	tcase_add_test(tc, each_call_has_one_enter);
	tcase_add_test(tc, damaged_records_are_decoded_safely);
	suite_add_tcase(suite, tc);
	return suite;
}
