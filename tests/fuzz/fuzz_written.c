/*
 * fuzz_written - records made from any bytes, sent through the queue into a file and read back. No
 * record that is read is malformed, and writing it again gives the same bytes. Includes records
 * that no source produces.
 */
#include "engine/base/histogram.h"
#include "engine/recorder/perfdata_writer.h"
#include "engine/recording/perfdata_encode.h"
#include "engine/recording/read/perfdata_ext_decode.h"
#include "engine/recording/read/perfdata_file.h"
#include "engine/recording/record_queue.h"
#include "engine/source/perf/perf_open.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define QUEUE_BYTES ((size_t)1 << 20)
#define RECORDS_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* -- Records from bytes ----------------------------------------------------------------- */

struct bytes {
	const uint8_t *at;
	size_t left;
};

/* Data that records point to. */
struct made {
	uint64_t ips[256], regs[64];
	unsigned char stack[8192], pointed[2048];
	uint32_t steps[HISTOGRAM_STEPS];
	char texts[2][300];
	struct record_stack of_seed;
};

static uint64_t take(struct bytes *bytes, size_t count)
{
	uint64_t value = 0;

	if (count > bytes->left)
		count = bytes->left;
	memcpy(&value, bytes->at, count);
	bytes->at += count;
	bytes->left -= count;
	return value;
}

static void fill(struct bytes *bytes, void *to, size_t count)
{
	uint64_t value = take(bytes, 8);

	for (size_t i = 0; i < count; i++)
		((uint8_t *)to)[i] = (uint8_t)(value >> i % 8 * 8) ^ (uint8_t)(i >> 3);
}

static struct record_stack make_stack(struct bytes *bytes, struct made *made)
{
	struct record_stack stack = { .ips = made->ips, .count = (uint32_t)take(bytes, 1) };
	unsigned flags = (unsigned)take(bytes, 1);

	fill(bytes, made->ips, stack.count * sizeof(made->ips[0]));
	if (stack.count && flags & 1)
		made->ips[0] = PERF_CONTEXT_KERNEL;
	if (stack.count && flags & 2)
		made->ips[stack.count / 2] = PERF_CONTEXT_USER;
	if (flags & 4) {
		fill(bytes, made->regs, sizeof(made->regs));
		stack.user_regs = made->regs;
		stack.user_regs_mask = flags & 8 ? PERF_USER_REGS : take(bytes, 8);
		stack.user_stack_bytes = (uint32_t)take(bytes, 2) % sizeof(made->stack);
		stack.user_stack = stack.user_stack_bytes ? made->stack : NULL;
		fill(bytes, made->stack, stack.user_stack_bytes);
	}
	stack.kernel_denied = flags & 16;
	return stack;
}

static struct record_bytes make_pointed(struct bytes *bytes, struct made *made)
{
	struct record_bytes pointed = { .chunks = made->pointed };

	pointed.len = take(bytes, 2) % sizeof(made->pointed);
	pointed.more = pointed.len & 1;
	fill(bytes, made->pointed, pointed.len);
	return pointed;
}

static const char *make_text(struct bytes *bytes, char *text)
{
	size_t len = take(bytes, 2) % 300;

	fill(bytes, text, len);
	text[len] = '\0';
	return len % 7 == 3 ? NULL : text;
}

static void make_args(struct bytes *bytes, uint64_t *args)
{
	for (size_t i = 0; i < SYSCALL_ARGS; i++)
		args[i] = take(bytes, 3);
}

static void make_call(struct bytes *bytes, struct made *made, struct record *record)
{
	record->call.nr = (uint32_t)take(bytes, 2);
	make_args(bytes, record->call.args);
	record->call.ret = (int64_t)take(bytes, 8);
	record->call.entered_ns = take(bytes, 5);
	record->call.dur_ns = take(bytes, 4);
	record->call.enter_cpu = (uint32_t)take(bytes, 1);
	record->call.bytes = make_pointed(bytes, made);
}

static void make_map(struct bytes *bytes, struct made *made, struct record *record)
{
	const char *path = make_text(bytes, made->texts[0]);

	record->map.start = take(bytes, 6);
	record->map.bytes = take(bytes, 6);
	record->map.file_offset = take(bytes, 4);
	record->map.inode = take(bytes, 4);
	record->map.prot = (uint32_t)take(bytes, 1);
	record->map.path = path ? path : "";
	if (record->map.prot & 1) {
		record->map.build_id = made->stack;
		record->map.build_id_bytes = (uint32_t)take(bytes, 1) % 21;
	}
}

static void make_record(struct bytes *bytes, struct made *made, struct record *record)
{
	memset(record, 0, sizeof(*record));
	record->kind = (enum record_kind)(take(bytes, 1) % RECORD_KIND_COUNT);
	record->time_ns = take(bytes, 5);
	record->cpu = (uint32_t)take(bytes, 1);
	record->pid = (uint32_t)take(bytes, 1);
	record->tid = (uint32_t)take(bytes, 1);
	switch (record->kind) {
	case RECORD_ENTER:
		record->enter.nr = (uint32_t)take(bytes, 2);
		make_args(bytes, record->enter.args);
		record->enter.entered_ns = take(bytes, 1) % 2 ? take(bytes, 5) : 0;
		record->enter.bytes = make_pointed(bytes, made);
		break;
	case RECORD_EXIT:
		record->exit.nr = (uint32_t)take(bytes, 2);
		record->exit.ret = (int64_t)take(bytes, 8);
		record->exit.left_ns = take(bytes, 1) % 2 ? take(bytes, 5) : 0;
		break;
	case RECORD_CALL:
		make_call(bytes, made, record);
		break;
	case RECORD_AGGREGATE:
		record->aggregate.nr = (uint32_t)take(bytes, 2);
		record->aggregate.calls = take(bytes, 8);
		record->aggregate.steps = made->steps;
		record->aggregate.group = (uint32_t)take(bytes, 1) % HISTOGRAM_GROUPS;
		break;
	case RECORD_INFLIGHT:
		record->inflight.nr = (uint32_t)take(bytes, 2);
		make_args(bytes, record->inflight.args);
		made->of_seed = make_stack(bytes, made);
		record->inflight.stack = record->inflight.nr & 1 ? &made->of_seed : NULL;
		break;
	case RECORD_SWITCH_OUT:
		record->switch_out.stack = make_stack(bytes, made);
		record->switch_out.preempted = take(bytes, 1) & 1;
		record->switch_out.unsure = take(bytes, 1) & 1;
		break;
	case RECORD_WAKING:
		record->waking.tid = (uint32_t)take(bytes, 1);
		record->waking.pid = (uint32_t)take(bytes, 1);
		record->waking.in_interrupt = take(bytes, 1) & 1;
		record->waking.has_interrupt_state = take(bytes, 1) & 1;
		record->waking.stack = make_stack(bytes, made);
		record->waking.raw = make_pointed(bytes, made);
		break;
	case RECORD_TASK:
		record->task.comm = make_text(bytes, made->texts[0]);
		record->task.parent_pid = (uint32_t)take(bytes, 1);
		break;
	case RECORD_OWNER:
		record->owner.uid = (uint32_t)take(bytes, 2);
		record->owner.cgroup = make_text(bytes, made->texts[0]);
		record->owner.comm = make_text(bytes, made->texts[1]);
		break;
	case RECORD_COMM:
		record->comm.comm = make_text(bytes, made->texts[0]);
		if (!record->comm.comm)
			record->comm.comm = "";
		record->comm.exec = take(bytes, 1) & 1;
		break;
	case RECORD_MAP:
		make_map(bytes, made, record);
		break;
	case RECORD_LOST:
		record->lost.count = take(bytes, 8);
		record->lost.kind = (enum record_loss)(take(bytes, 1) % 3);
		break;
	default:
		break;
	}
}

/* -- Writing and reading ------------------------------------------------------------------ */

static void encode_one(void *ctx, const struct record *record)
{
	perfdata_encode_record(ctx, record);
}

static void begin(struct perfdata_encode *encode)
{
	perfdata_encode_init(encode);
	perfdata_encode_begin(encode, true, 5);
}

static void write_file(int fd, const struct str *records, int level)
{
	static struct perfdata_machine machine;
	static const char *const argv[] = { "stxtop", NULL };
	struct perfdata_writer_options options = {
		.machine = &machine, .argv = argv, .level = level, .stack_bytes = 4096
	};
	struct perfdata_writer *writer;

	if (!machine.printk)
		perfdata_machine_read(&machine);
	writer = perfdata_writer_new(fd, &options);
	if (perfdata_writer_begin(writer) ||
	    perfdata_writer_put(writer, records->data, records->len) ||
	    (level % 2 && perfdata_writer_checkpoint(writer)) || perfdata_writer_finish(writer))
		abort();
	perfdata_writer_free(writer);
}

/* Encode again each record of the file. Abort if one is malformed. */
static void read_file(const char *path, struct perfdata_encode *again)
{
	struct perfdata_ext_decode *decode = perfdata_ext_decode_new(NULL);
	const struct perf_event_header *record;
	struct perfdata_file *file;
	struct err err;
	uint64_t ns;

	if (perfdata_file_open(&file, &(struct perfdata_file_options){ .path = path }, &err)) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	while (perfdata_file_next(file, &record) == PERFDATA_FILE_READY)
		perfdata_ext_decode(decode, record, encode_one, again, &ns);
	if (perfdata_ext_decode_malformed(decode) || perfdata_file_trouble(file, NULL)) {
		fprintf(stderr, "%llu malformed, %s\n",
			(unsigned long long)perfdata_ext_decode_malformed(decode),
			perfdata_file_trouble(file, NULL));
		abort();
	}
	perfdata_file_close(file);
	perfdata_ext_decode_free(decode);
}

static void go_round(const struct str *records, int level, struct perfdata_encode *again)
{
	int fd = memfd_create("written", MFD_CLOEXEC);
	char path[64];
	int other;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	other = open(path, O_RDWR | O_CLOEXEC);
	write_file(other, records, level);
	read_file(path, again);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct made made;
	struct perfdata_encode first, second, third;
	struct bytes bytes = { data, size };
	int level = (int)(take(&bytes, 1) % 4);
	struct record_queue queue;
	struct record record;
	uint32_t mark;
	uint64_t value;

	if (record_queue_init(&queue, QUEUE_BYTES))
		abort();
	begin(&first);
	begin(&second);
	begin(&third);
	for (int i = 0; bytes.left && i < RECORDS_MAX; i++) {
		make_record(&bytes, &made, &record);
		if (!record_queue_put(&queue, &record))
			abort();
		record_queue_publish(&queue);
		if (record_queue_take(&queue, &record, &mark, &value) != RECORD_QUEUE_RECORD)
			abort();
		perfdata_encode_record(&first, &record);
		record_queue_free_up(&queue);
	}
	go_round(&first.out, level, &second);
	go_round(&second.out, level, &third);
	if (second.out.len != third.out.len ||
	    memcmp(second.out.data, third.out.data, third.out.len) != 0) {
		fprintf(stderr, "the second round trip changed the records\n");
		abort();
	}
	perfdata_encode_release(&first);
	perfdata_encode_release(&second);
	perfdata_encode_release(&third);
	record_queue_release(&queue);
	return 0;
}
