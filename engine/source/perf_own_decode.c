#include "engine/source/perf_own_decode.h"

#include "engine/base/idmap.h"
#include "engine/base/mem.h"
#include "engine/base/str.h"
#include "engine/model/histogram.h"
#include "engine/source/perf_cursor.h"
#include "engine/source/perf_own.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX 4096 /* numbers of other tracepoints in a file */
#define CHAIN_MAX (2 * (PERF_OWN_RECORD_MAX / 8))

/* An enter whose exit may be told with the whole call. */
struct entered {
	uint64_t time_ns;
	uint64_t args[SYSCALL_ARGS];
	uint32_t nr, cpu;
};

struct perf_own_decode {
	struct event_formats *formats;
	struct idmap entered; /* threads */
	int numbers[EVENTS_MAX]; /* of the model, by the file's; -1: none */
	uint64_t regs_mask;
	uint64_t last_ns; /* of the newest record handed over */
	uint64_t lost, malformed;
	uint64_t told; /* kinds of records, as bits */
	unsigned int tracepoints;
	/* What belongs to the next record. */
	struct record_bytes bytes;
	struct str pointed; /* what `bytes` are */
	uint64_t chain[CHAIN_MAX / 2];
	uint32_t chain_count;
	uint32_t parent_pid, parent_of; /* thread */
	bool whole; /* the enter of one was read */
	struct record call;
	uint64_t ips[CHAIN_MAX];
	uint32_t steps[HISTOGRAM_STEPS];
};

struct perf_own_decode *perf_own_decode_new(struct event_formats *formats)
{
	struct perf_own_decode *decode = mem_zalloc(1, sizeof(*decode));

	decode->formats = formats;
	idmap_init(&decode->entered);
	str_init(&decode->pointed);
	for (size_t i = 0; i < EVENTS_MAX; i++)
		decode->numbers[i] = -1;
	return decode;
}

void perf_own_decode_free(struct perf_own_decode *decode)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	if (!decode)
		return;
	while ((slot = idmap_next(&decode->entered, &cursor)))
		free(slot->value);
	idmap_release(&decode->entered);
	str_release(&decode->pointed);
	free(decode);
}

uint64_t perf_own_decode_lost(const struct perf_own_decode *decode)
{
	return decode->lost;
}

unsigned int perf_own_decode_tracepoints(const struct perf_own_decode *decode)
{
	return decode->tracepoints;
}

bool perf_own_decode_switches(const struct perf_own_decode *decode)
{
	return decode->told & 1u << RECORD_SWITCH_OUT;
}

bool perf_own_decode_wakings(const struct perf_own_decode *decode)
{
	return decode->told & 1u << RECORD_WAKING;
}

uint64_t perf_own_decode_malformed(const struct perf_own_decode *decode)
{
	return decode->malformed;
}

/* -- Pieces ------------------------------------------------------------------------- */

static bool is_own(const struct perf_event_header *header, struct perf_own *own)
{
	if (header->type != PERF_OWN_TYPE || header->size < sizeof(*own))
		return false;
	memcpy(own, header, sizeof(*own));
	return !memcmp(own->magic, PERF_OWN_MAGIC, sizeof(own->magic));
}

bool perf_own_is(const struct perf_event_header *header)
{
	struct perf_own own;

	return is_own(header, &own);
}

bool perf_own_read_begin(const struct perf_event_header *header, struct perf_file_own *about)
{
	struct perf_own_begin begin;
	struct perf_own own;

	if (!is_own(header, &own) || own.kind != PERF_OWN_BEGIN || header->size < sizeof(begin))
		return false;
	memcpy(&begin, header, sizeof(begin));
	about->copies = begin.common.flags & PERF_OWN_COPIES;
	about->began_ns = begin.common.time_ns;
	return true;
}

static bool is_stack_event(uint64_t event)
{
	return event == PERF_OWN_EVENT_SWITCH || event == PERF_OWN_EVENT_WAKING;
}

uint64_t perf_own_time(const struct perf_event_header *header)
{
	const unsigned char *at = (const unsigned char *)header;
	size_t where = header->size - sizeof(struct perf_own_trailer) +
		       offsetof(struct perf_own_trailer, time_ns);
	uint64_t time_ns = 0, id;
	struct perf_own own;

	if (header->type == PERF_RECORD_SAMPLE &&
	    header->size >= sizeof(struct perf_own_stack_sample)) {
		memcpy(&id, at + offsetof(struct perf_own_sample, id), sizeof(id));
		where = is_stack_event(id / PERF_OWN_VARIANTS - 1) ?
			offsetof(struct perf_own_stack_sample, time_ns) :
			offsetof(struct perf_own_sample, time_ns);
	} else if (is_own(header, &own) && own.kind == PERF_OWN_DRAINED &&
		   header->size >= sizeof(struct perf_own_common)) {
		where = offsetof(struct perf_own_common, time_ns);
	} else if (header->type == PERF_RECORD_SAMPLE || header->type >= PERF_OWN_TYPE - 1 ||
		   header->size < sizeof(*header) + sizeof(struct perf_own_trailer)) {
		return 0;
	}
	memcpy(&time_ns, at + where, sizeof(time_ns));
	return time_ns;
}

/* The order is promised, so the time gives way, as it did when it was collected. */
static void pass(struct perf_own_decode *decode, struct record *record, record_fn *take, void *ctx)
{
	if (record->time_ns < decode->last_ns)
		record->time_ns = decode->last_ns;
	decode->last_ns = record->time_ns;
	decode->told |= 1u << record->kind;
	take(ctx, record);
}

static struct perf_cursor behind(const struct perf_event_header *header, size_t bytes)
{
	struct perf_cursor rest = { .at = (const unsigned char *)header + bytes,
				    .left = header->size - bytes };

	return rest;
}

/* -- Calls -------------------------------------------------------------------------- */

static void remember(struct perf_own_decode *decode, const struct record *record,
		     uint64_t time_ns)
{
	struct entered *entered = idmap_get(&decode->entered, record->tid);

	if (!entered) {
		entered = mem_alloc(sizeof(*entered));
		idmap_put(&decode->entered, record->tid, entered);
	}
	entered->time_ns = time_ns;
	entered->nr = record->enter.nr;
	entered->cpu = record->cpu;
	memcpy(entered->args, record->enter.args, sizeof(entered->args));
}

static void decode_enter(struct perf_own_decode *decode, const struct perf_event_header *header,
			 struct record *record, unsigned int flags, record_fn *take, void *ctx)
{
	struct perf_own_enter enter;

	if (header->size < sizeof(enter)) {
		decode->malformed++;
		return;
	}
	memcpy(&enter, header, sizeof(enter));
	if (flags & PERF_OWN_WHOLE) {
		decode->whole = true;
		decode->call = *record;
		decode->call.call.entered_ns = record->time_ns;
		decode->call.call.enter_cpu = record->cpu;
		decode->call.call.nr = (uint32_t)enter.nr;
		memcpy(decode->call.call.args, enter.args, sizeof(enter.args));
		return;
	}
	record->kind = RECORD_ENTER;
	record->enter.nr = (uint32_t)enter.nr;
	memcpy(record->enter.args, enter.args, sizeof(enter.args));
	record->enter.entered_ns = flags & PERF_OWN_LATE ? record->time_ns : 0;
	record->enter.bytes = decode->bytes;
	remember(decode, record, record->time_ns);
	pass(decode, record, take, ctx);
}

/* The exit of a whole call, of which the enter was in front or told before. */
static bool make_whole(struct perf_own_decode *decode, struct record *record, unsigned int flags,
		       const struct perf_own_exit *leave)
{
	const struct entered *entered = idmap_get(&decode->entered, record->tid);
	uint64_t left_ns = record->time_ns;

	if (flags & PERF_OWN_TOLD) {
		if (!entered)
			return false;
		record->call.entered_ns = entered->time_ns;
		record->call.enter_cpu = entered->cpu;
		record->call.nr = entered->nr;
		memcpy(record->call.args, entered->args, sizeof(record->call.args));
	} else {
		if (!decode->whole || decode->call.tid != record->tid)
			return false;
		record->call = decode->call.call;
	}
	record->kind = RECORD_CALL;
	record->call.ret = leave->ret;
	record->call.dur_ns = left_ns > record->call.entered_ns ?
			      left_ns - record->call.entered_ns : 0;
	record->call.bytes = decode->bytes;
	return true;
}

static void decode_exit(struct perf_own_decode *decode, const struct perf_event_header *header,
			struct record *record, unsigned int flags, record_fn *take, void *ctx)
{
	struct perf_own_exit leave;

	if (header->size < sizeof(leave)) {
		decode->malformed++;
		return;
	}
	memcpy(&leave, header, sizeof(leave));
	if (!(flags & PERF_OWN_WHOLE)) {
		record->kind = RECORD_EXIT;
		record->exit.nr = (uint32_t)leave.nr;
		record->exit.ret = leave.ret;
	} else if (!make_whole(decode, record, flags, &leave)) {
		decode->malformed++;
		return;
	}
	pass(decode, record, take, ctx);
}

/* -- Stacks ------------------------------------------------------------------------- */

static bool take_chain(struct perf_own_decode *decode, struct perf_cursor *rest, uint64_t count,
		       struct record_stack *stack)
{
	const void *at;

	if (count > CHAIN_MAX - decode->chain_count)
		return false;
	at = perf_cursor_take(rest, count * sizeof(uint64_t));
	if (!at)
		return false;
	memcpy(decode->ips, at, count * sizeof(uint64_t));
	if (decode->chain_count)
		memcpy(decode->ips + count, decode->chain,
		       decode->chain_count * sizeof(uint64_t));
	stack->ips = decode->ips;
	stack->count = (uint32_t)count + decode->chain_count;
	return true;
}

static bool take_registers(const struct perf_own_decode *decode, struct perf_cursor *rest,
			   struct record_stack *stack)
{
	uint64_t abi;

	if (!perf_cursor_u64(rest, &abi))
		return false;
	if (abi == PERF_SAMPLE_REGS_ABI_NONE)
		return true;
	stack->user_regs_mask = decode->regs_mask;
	stack->user_regs = perf_cursor_take(rest, sizeof(uint64_t) * (size_t)
					    __builtin_popcountll(decode->regs_mask));
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

/* raw: NULL where the event has none. */
static bool take_stack(struct perf_own_decode *decode, const struct perf_event_header *header,
		       unsigned int flags, struct record_stack *stack, struct record_bytes *raw)
{
	struct perf_cursor rest = behind(header, sizeof(struct perf_own_stack_sample));
	uint64_t count;
	uint32_t len;
	const void *at;

	memset(stack, 0, sizeof(*stack));
	stack->kernel_denied = flags & PERF_OWN_DENIED;
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
		/* What follows is read as words. */
		if (!raw->chunks || (len + sizeof(len)) % 8)
			return false;
	}
	return take_registers(decode, &rest, stack) && take_user_stack(&rest, stack);
}

static bool decode_switch_out(struct perf_own_decode *decode,
			      const struct perf_event_header *header, unsigned int flags,
			      struct record *record)
{
	record->kind = RECORD_SWITCH_OUT;
	record->switch_out.preempted = flags & PERF_OWN_PREEMPTED;
	record->switch_out.unsure = flags & PERF_OWN_UNSURE;
	record->switch_out.rationed = flags & PERF_OWN_RATIONED;
	return take_stack(decode, header, flags, &record->switch_out.stack, NULL);
}

static bool decode_waking(struct perf_own_decode *decode, const struct perf_event_header *header,
			  unsigned int flags, struct record *record)
{
	struct record_bytes *raw = &record->waking.raw;
	struct perf_own_wakee wakee;

	if (!take_stack(decode, header, flags, &record->waking.stack, raw) ||
	    raw->len < sizeof(wakee))
		return false;
	raw->len -= sizeof(wakee);
	memcpy(&wakee, (const unsigned char *)raw->chunks + raw->len, sizeof(wakee));
	record->kind = RECORD_WAKING;
	record->waking.tid = wakee.tid;
	record->waking.pid = wakee.pid;
	record->waking.in_interrupt = flags & PERF_OWN_INTERRUPT;
	record->waking.has_interrupt_state = flags & PERF_OWN_INTERRUPT_KNOWN;
	record->waking.rationed = flags & PERF_OWN_RATIONED;
	return true;
}

static bool decode_event(const struct perf_own_decode *decode,
			 const struct perf_event_header *header, uint64_t event,
			 struct record *record)
{
	struct perf_cursor rest = behind(header, sizeof(struct perf_own_sample));
	uint32_t len;
	const void *at = perf_cursor_take(&rest, sizeof(len));

	if (!at || event >= EVENTS_MAX || decode->numbers[event] < 0)
		return false;
	memcpy(&len, at, sizeof(len));
	record->kind = RECORD_EVENT;
	record->event.number = (uint32_t)decode->numbers[event];
	record->event.bytes.chunks = perf_cursor_take(&rest, len);
	record->event.bytes.len = len;
	record->event.bytes.more = false;
	return record->event.bytes.chunks;
}

static void decode_stack_sample(struct perf_own_decode *decode,
				const struct perf_event_header *header, uint64_t event,
				unsigned int flags, record_fn *take, void *ctx)
{
	struct perf_own_stack_sample sample;
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
	if (event == PERF_OWN_EVENT_SWITCH ? decode_switch_out(decode, header, flags, &record)
					   : decode_waking(decode, header, flags, &record))
		pass(decode, &record, take, ctx);
	else
		decode->malformed++;
}

static void decode_sample(struct perf_own_decode *decode, const struct perf_event_header *header,
			  record_fn *take, void *ctx)
{
	struct perf_own_sample sample;
	struct record record;
	unsigned int flags;
	uint64_t event;

	if (header->size < sizeof(sample)) {
		decode->malformed++;
		return;
	}
	memcpy(&sample, header, sizeof(sample));
	event = sample.id / PERF_OWN_VARIANTS - 1;
	flags = sample.id % PERF_OWN_VARIANTS;
	if (is_stack_event(event)) {
		decode_stack_sample(decode, header, event, flags, take, ctx);
		return;
	}
	record.time_ns = sample.time_ns;
	record.pid = sample.pid;
	record.tid = sample.tid;
	record.cpu = sample.cpu;
	if (event == PERF_OWN_EVENT_ENTER)
		decode_enter(decode, header, &record, flags, take, ctx);
	else if (event == PERF_OWN_EVENT_EXIT)
		decode_exit(decode, header, &record, flags, take, ctx);
	else if (decode_event(decode, header, event, &record))
		pass(decode, &record, take, ctx);
	else
		decode->malformed++;
}

/* -- Tasks -------------------------------------------------------------------------- */

static bool decode_comm(struct perf_own_decode *decode, struct perf_cursor *rest, uint16_t misc,
			unsigned int flags, struct record *record)
{
	const uint32_t *ids = perf_cursor_take(rest, 2 * sizeof(*ids));
	const char *comm = perf_cursor_text(rest);

	if (!ids || !comm)
		return false;
	record->pid = ids[0];
	record->tid = ids[1];
	if (flags & PERF_OWN_EXISTING) {
		record->kind = RECORD_TASK;
		record->task.comm = comm;
		record->task.parent_pid = decode->parent_of == record->tid ? decode->parent_pid
									    : 0;
		decode->parent_of = 0;
		return true;
	}
	record->kind = RECORD_COMM;
	record->comm.comm = comm;
	record->comm.exec = misc & PERF_RECORD_MISC_COMM_EXEC;
	return true;
}

/* False: nothing is to be handed over. */
static bool decode_fork(struct perf_own_decode *decode, struct perf_cursor *rest,
			unsigned int flags, struct record *record)
{
	const uint32_t *ids = perf_cursor_take(rest, 4 * sizeof(*ids)); /* pid, ppid, tid, ptid */

	if (!ids) {
		decode->malformed++;
		return false;
	}
	record->pid = ids[0];
	record->tid = ids[2];
	if (flags & PERF_OWN_EXISTING && !(flags & PERF_OWN_NO_NAME)) {
		decode->parent_of = record->tid;
		decode->parent_pid = ids[1];
		return false;
	}
	if (flags & PERF_OWN_EXISTING) {
		record->kind = RECORD_TASK;
		record->task.comm = NULL;
		record->task.parent_pid = ids[1];
		return true;
	}
	record->kind = RECORD_FORK;
	record->fork.parent_pid = ids[1];
	record->fork.parent_tid = ids[3];
	return true;
}

static bool decode_task_exit(struct perf_own_decode *decode, struct perf_cursor *rest,
			     struct record *record)
{
	const uint32_t *ids = perf_cursor_take(rest, 4 * sizeof(*ids));

	if (!ids)
		return false;
	record->kind = RECORD_TASK_EXIT;
	record->pid = ids[0];
	record->tid = ids[2];
	free(idmap_remove(&decode->entered, record->tid));
	return true;
}

/* In an MMAP2 record with a build-id: its length, three bytes of nothing, and the id. */
#define MMAP2_BUILD_ID_AT 32

static bool decode_map(struct perf_cursor *rest, uint16_t misc, struct record *record)
{
	struct {
		uint32_t pid, tid;
		uint64_t start, bytes, file_offset;
		uint32_t dev_major, dev_minor;
		uint64_t inode, generation;
		uint32_t prot, flags;
	} fields;
	const uint8_t *at = perf_cursor_take(rest, sizeof(fields));
	const char *path = perf_cursor_text(rest);

	if (!at || !path)
		return false;
	memcpy(&fields, at, sizeof(fields));
	record->kind = RECORD_MAP;
	record->pid = fields.pid;
	record->tid = fields.tid;
	record->map.start = fields.start;
	record->map.bytes = fields.bytes;
	record->map.file_offset = fields.file_offset;
	record->map.build_id = NULL;
	record->map.build_id_bytes = 0;
	if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		if (at[MMAP2_BUILD_ID_AT] && at[MMAP2_BUILD_ID_AT] <= PERF_BUILD_ID_BYTES) {
			record->map.build_id = at + MMAP2_BUILD_ID_AT + 4;
			record->map.build_id_bytes = at[MMAP2_BUILD_ID_AT];
		}
		fields.dev_major = fields.dev_minor = 0;
		fields.inode = fields.generation = 0;
	}
	record->map.dev_major = fields.dev_major;
	record->map.dev_minor = fields.dev_minor;
	record->map.inode = fields.inode;
	record->map.inode_generation = fields.generation;
	record->map.prot = fields.prot;
	record->map.path = path;
	return true;
}

/* The kernel's own types: all but samples. */
static void decode_side(struct perf_own_decode *decode, const struct perf_event_header *header,
			record_fn *take, void *ctx)
{
	struct perf_own_trailer trailer;
	struct perf_cursor rest = behind(header, sizeof(*header));
	struct record record;
	unsigned int flags;
	uint64_t words[2];
	bool made = false;
	const void *at;

	if (rest.left < sizeof(trailer)) {
		decode->malformed++;
		return;
	}
	rest.left -= sizeof(trailer);
	memcpy(&trailer, rest.at + rest.left, sizeof(trailer));
	record.time_ns = trailer.time_ns;
	record.pid = trailer.pid;
	record.tid = trailer.tid;
	record.cpu = trailer.cpu;
	flags = trailer.id % PERF_OWN_VARIANTS;
	switch (header->type) {
	case PERF_RECORD_COMM:
		made = decode_comm(decode, &rest, header->misc, flags, &record);
		break;
	case PERF_RECORD_FORK:
		if (!decode_fork(decode, &rest, flags, &record))
			return;
		made = true;
		break;
	case PERF_RECORD_EXIT:
		made = decode_task_exit(decode, &rest, &record);
		break;
	case PERF_RECORD_MMAP2:
		made = decode_map(&rest, header->misc, &record);
		break;
	case PERF_RECORD_SWITCH:
		made = true;
		record.kind = header->misc & PERF_RECORD_MISC_SWITCH_OUT ? RECORD_SWITCH_OUT
									  : RECORD_SWITCH_IN;
		memset(&record.switch_out, 0, sizeof(record.switch_out));
		record.switch_out.preempted = header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		record.switch_out.unsure = flags & PERF_OWN_UNSURE;
		record.switch_out.rationed = flags & PERF_OWN_RATIONED;
		break;
	case PERF_RECORD_LOST:
		at = perf_cursor_take(&rest, sizeof(words));
		if (!at || flags >= LOSS_KIND_COUNT)
			break;
		made = true;
		memcpy(words, at, sizeof(words));
		record.kind = RECORD_LOST;
		record.lost.count = words[1];
		record.lost.kind = flags;
		decode->lost += words[1];
		break;
	default: /* of the kernel itself, for perf */
		return;
	}
	if (made)
		pass(decode, &record, take, ctx);
	else
		decode->malformed++;
}

/* -- Records that perf reads over --------------------------------------------------- */

static bool decode_owner(const struct perf_event_header *header, struct record *record,
			 uint32_t flags)
{
	struct perf_cursor rest = behind(header, sizeof(struct perf_own_common));
	const uint32_t *ids = perf_cursor_take(&rest, 2 * sizeof(*ids));
	const char *cgroup, *comm, *end;

	if (!ids)
		return false;
	cgroup = (const char *)rest.at;
	end = memchr(cgroup, '\0', rest.left);
	if (!end)
		return false;
	comm = end + 1;
	if (!memchr(comm, '\0', rest.left - (size_t)(comm - cgroup)))
		return false;
	record->kind = RECORD_OWNER;
	record->owner.uid = ids[0];
	record->owner.ns_pid = ids[1];
	record->owner.cgroup = flags & 1 ? cgroup : NULL;
	record->owner.comm = flags & 2 ? comm : NULL;
	return true;
}

static bool decode_seed(struct perf_own_decode *decode, const struct perf_event_header *header,
			struct record *record, struct record_stack *stack)
{
	struct perf_cursor rest;
	struct perf_own_seed seed;

	if (header->size < sizeof(seed))
		return false;
	memcpy(&seed, header, sizeof(seed));
	rest = behind(header, sizeof(seed));
	record->kind = RECORD_SEED;
	record->seed.nr = seed.nr;
	memcpy(record->seed.args, seed.args, sizeof(seed.args));
	record->seed.sp = seed.sp;
	record->seed.pc = seed.pc;
	record->seed.stack = NULL;
	if (!(seed.common.flags & 1))
		return true;
	memset(stack, 0, sizeof(*stack));
	stack->kernel_denied = seed.common.flags & 2;
	decode->chain_count = 0;
	if (!take_chain(decode, &rest, seed.ips, stack))
		return false;
	if (seed.common.flags & 4) {
		stack->user_regs_mask = seed.regs_mask;
		stack->user_regs = perf_cursor_take(&rest, sizeof(uint64_t) * (size_t)
						    __builtin_popcountll(seed.regs_mask));
		if (!stack->user_regs)
			return false;
	}
	if (seed.stack_bytes) {
		stack->user_stack = perf_cursor_take(&rest, seed.stack_bytes);
		if (!stack->user_stack)
			return false;
		stack->user_stack_bytes = seed.stack_bytes;
	}
	record->seed.stack = stack;
	return true;
}

static bool decode_counted(struct perf_own_decode *decode,
			   const struct perf_event_header *header, struct record *record)
{
	struct perf_own_counted counted;

	if (header->size < sizeof(counted))
		return false;
	memcpy(&counted, header, sizeof(counted));
	memcpy(decode->steps, counted.steps, sizeof(decode->steps));
	record->kind = RECORD_COUNTED;
	record->counted.nr = counted.nr;
	record->counted.calls = counted.calls;
	record->counted.errors = counted.errors;
	record->counted.total_ns = counted.total_ns;
	record->counted.min_ns = counted.min_ns;
	record->counted.max_ns = counted.max_ns;
	record->counted.steps = decode->steps;
	record->counted.group = counted.group;
	record->counted.all_match = counted.common.flags & 1;
	return counted.group < HISTOGRAM_GROUPS;
}

static void decode_bytes(struct perf_own_decode *decode, const struct perf_event_header *header)
{
	struct perf_own_bytes bytes;

	if (header->size < sizeof(bytes)) {
		decode->malformed++;
		return;
	}
	memcpy(&bytes, header, sizeof(bytes));
	if (bytes.len > header->size - sizeof(bytes)) {
		decode->malformed++;
		return;
	}
	str_clear(&decode->pointed);
	str_addn(&decode->pointed, (const char *)header + sizeof(bytes), bytes.len);
	decode->bytes.chunks = decode->pointed.data;
	decode->bytes.len = bytes.len;
	decode->bytes.more = bytes.flags & PERF_OWN_MORE;
}

static void decode_chain(struct perf_own_decode *decode, const struct perf_event_header *header)
{
	struct perf_own_chain chain;

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
}

static void decode_format(struct perf_own_decode *decode, const struct perf_event_header *header)
{
	struct perf_cursor rest;
	struct perf_own_format format;
	char system[EVENT_NAME_BYTES];
	const char *name, *text, *colon;

	if (header->size < sizeof(format) || !decode->formats)
		return;
	memcpy(&format, header, sizeof(format));
	rest = behind(header, sizeof(format));
	name = perf_cursor_take(&rest, format.name_bytes);
	text = perf_cursor_take(&rest, format.text_bytes);
	if (!name || !text || !format.name_bytes || name[format.name_bytes - 1] ||
	    format.event >= EVENTS_MAX || format.event < PERF_OWN_EVENT_OTHERS) {
		decode->malformed++;
		return;
	}
	colon = strchr(name, ':');
	if (!colon || (size_t)(colon - name) >= sizeof(system)) {
		decode->malformed++;
		return;
	}
	memcpy(system, name, (size_t)(colon - name));
	system[colon - name] = '\0';
	decode->tracepoints++;
	decode->numbers[format.event] = event_formats_add(decode->formats, system, colon + 1, text,
							  format.text_bytes, true, NULL, NULL);
}

static void forget_pending(struct perf_own_decode *decode)
{
	decode->bytes.len = 0;
	decode->chain_count = 0;
	decode->whole = false;
}

static bool decode_own(struct perf_own_decode *decode, const struct perf_event_header *header,
		       const struct perf_own *own, record_fn *take, void *ctx, uint64_t *time_ns)
{
	struct perf_own_common common;
	struct record_stack stack;
	struct record record;
	bool made;

	if (own->kind == PERF_OWN_BYTES)
		decode_bytes(decode, header);
	else if (own->kind == PERF_OWN_CHAIN)
		decode_chain(decode, header);
	else if (own->kind == PERF_OWN_EVENT)
		decode_format(decode, header);
	if (own->kind == PERF_OWN_BYTES || own->kind == PERF_OWN_CHAIN ||
	    own->kind == PERF_OWN_EVENT || own->kind == PERF_OWN_TABLE)
		return false;
	if (header->size < sizeof(common)) {
		decode->malformed++;
		return false;
	}
	memcpy(&common, header, sizeof(common));
	record.time_ns = common.time_ns;
	record.pid = common.pid;
	record.tid = common.tid;
	record.cpu = common.cpu;
	switch (own->kind) {
	case PERF_OWN_BEGIN:
		if (header->size < sizeof(struct perf_own_begin))
			return false;
		memcpy(&decode->regs_mask, (const unsigned char *)header +
		       offsetof(struct perf_own_begin, regs_mask), sizeof(decode->regs_mask));
		return false;
	case PERF_OWN_DRAINED:
		*time_ns = common.time_ns;
		return true;
	case PERF_OWN_OWNER:
		made = decode_owner(header, &record, common.flags);
		break;
	case PERF_OWN_SEED:
		made = decode_seed(decode, header, &record, &stack);
		break;
	case PERF_OWN_COUNTED:
		made = decode_counted(decode, header, &record);
		break;
	case PERF_OWN_GAP:
		record.kind = RECORD_GAP;
		made = true;
		break;
	case PERF_OWN_FORGET:
		record.kind = RECORD_FORGET;
		made = true;
		break;
	default: /* of a later version */
		return false;
	}
	if (made)
		pass(decode, &record, take, ctx);
	else
		decode->malformed++;
	return false;
}

bool perf_own_decode(struct perf_own_decode *decode, const struct perf_event_header *header,
		     record_fn *take, void *ctx, uint64_t *time_ns)
{
	struct perf_own own;
	bool pending = decode->whole && header->type == PERF_RECORD_SAMPLE;

	if (is_own(header, &own))
		return decode_own(decode, header, &own, take, ctx, time_ns);
	if (header->type == PERF_RECORD_SAMPLE) {
		decode_sample(decode, header, take, ctx);
		/* An enter of a whole call leaves what it points to for the exit. */
		if (!decode->whole || pending)
			forget_pending(decode);
	} else if (header->type < PERF_OWN_TYPE - 1) {
		decode_side(decode, header, take, ctx);
	}
	return false;
}
