#include "engine/source/perf/perf_sideband.h"

#include "engine/source/perf/perf_cursor.h"
#include "engine/source/perf/perf_open.h"
#include "engine/source/perf/perf_waker_names.h"

/* An MMAP2 record with a build-id contains its length, three unused bytes and the id. */
#define MMAP2_BUILD_ID_AT 32
#define MMAP2_BUILD_ID_BYTES 20

static void list_newcomer(struct perf_decode *decode, const struct record *record)
{
	if (decode->want_newcomers && decode->newcomers.count < PERF_NEWCOMERS &&
	    perf_decode_wants(decode, record->pid, record->tid))
		task_list_add(&decode->newcomers, record->pid);
}

static void decode_comm(struct perf_decode *decode, struct record *record, struct perf_cursor *rest,
			uint16_t misc, record_fn *take, void *ctx)
{
	const uint32_t *ids = perf_cursor_take(rest, 2 * sizeof(*ids));
	const char *comm = perf_cursor_text(rest);

	if (!ids || !comm) {
		decode->malformed++;
		return;
	}
	record->kind = RECORD_COMM;
	record->pid = ids[0];
	record->tid = ids[1];
	record->comm.comm = comm;
	record->comm.exec = misc & PERF_RECORD_MISC_COMM_EXEC;
	task_table_mark(&decode->tasks, record->tid, TASK_MET);
	if (record->comm.exec) {
		perf_owners_doubt(&decode->owners, &decode->tasks, record->tid);
		list_newcomer(decode, record);
	}
	/* If the kernel's filter drops execve, this record is the first sign of the execve. */
	if (record->comm.exec && record->pid == decode->command)
		decode->command = 0;
	if (perf_decode_wants(decode, record->pid, record->tid))
		perf_decode_pass(decode, record, take, ctx);
}

static void decode_mmap2(struct perf_decode *decode, struct record *record,
			 struct perf_cursor *rest, uint16_t misc, record_fn *take, void *ctx)
{
	struct {
		uint32_t pid, tid;
		uint64_t start, bytes, file_offset;
		uint32_t dev_major, dev_minor; /* up to `generation`: a build-id in some records */
		uint64_t inode, generation;
		uint32_t prot, flags;
	} fields;
	const void *at = perf_cursor_take(rest, sizeof(fields));
	const char *path = perf_cursor_text(rest);

	if (!at || !path) {
		decode->malformed++;
		return;
	}
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
		const uint8_t *id = (const uint8_t *)at + MMAP2_BUILD_ID_AT;

		if (id[0] && id[0] <= MMAP2_BUILD_ID_BYTES) {
			record->map.build_id = id + 4;
			record->map.build_id_bytes = id[0];
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
	if (perf_decode_wants(decode, record->pid, record->tid))
		perf_decode_pass(decode, record, take, ctx);
}

/* Emit the parent's name if it is unknown: a new thread inherits the name of its parent. */
static void name_child(struct perf_decode *decode, const struct record *record, record_fn *take,
		       void *ctx)
{
	uint32_t parent_pid = record->fork.parent_pid, parent_tid = record->fork.parent_tid;

	if (decode->names_callers && perf_decode_wants(decode, record->pid, record->tid) &&
	    !(task_table_word(&decode->tasks, parent_tid) & TASK_MET))
		perf_waker_names_meet_caller(decode->waker_names, decode, record, parent_pid,
					     parent_tid, take, ctx);
	if (task_table_word(&decode->tasks, parent_tid) & TASK_MET)
		task_table_mark(&decode->tasks, record->tid, TASK_MET);
}

static void decode_fork(struct perf_decode *decode, struct record *record, struct perf_cursor *rest,
			record_fn *take, void *ctx)
{
	const uint32_t *ids = perf_cursor_take(rest, 4 * sizeof(*ids)); /* pid, ppid, tid, ptid */

	if (!ids) {
		decode->malformed++;
		return;
	}
	record->kind = RECORD_FORK;
	record->pid = ids[0];
	record->tid = ids[2];
	record->fork.parent_pid = ids[1];
	record->fork.parent_tid = ids[3];
	task_table_fork(&decode->tasks, record->pid, record->tid, record->fork.parent_pid);
	name_child(decode, record, take, ctx);
	if (record->pid == record->tid)
		descendants_fork(&decode->descendants, &decode->tasks, record->pid,
				 record->fork.parent_pid);
	perf_dedup_inherit(&decode->dedup, record->tid, record->fork.parent_tid);
	if (decode->want_forks)
		task_list_add(&decode->forks, record->tid);
	/* Events of a single thread report its children, but do not follow them. */
	if (decode->per_task && !task_table_watched(&decode->tasks, record->pid, record->tid))
		return;
	if (record->pid == record->tid)
		list_newcomer(decode, record);
	if (perf_decode_wants(decode, record->pid, record->tid))
		perf_decode_pass(decode, record, take, ctx);
}

static void decode_task_exit(struct perf_decode *decode, struct record *record,
			     struct perf_cursor *rest, record_fn *take, void *ctx)
{
	const uint32_t *ids = perf_cursor_take(rest, 4 * sizeof(*ids));

	if (!ids) {
		decode->malformed++;
		return;
	}
	record->kind = RECORD_TASK_EXIT;
	record->pid = ids[0];
	record->tid = ids[2];
	perf_dedup_forget(&decode->dedup, record->tid);
	if (perf_decode_wants(decode, record->pid, record->tid))
		perf_decode_pass(decode, record, take, ctx);
	if (decode->per_task)
		task_table_forget(&decode->tasks, record->tid);
}

static void decode_lost(struct perf_decode *decode, struct record *record, struct perf_cursor *rest,
			bool with_id, record_fn *take, void *ctx)
{
	uint64_t count;

	if ((with_id && !perf_cursor_u64(rest, &count)) || !perf_cursor_u64(rest, &count)) {
		decode->malformed++;
		return;
	}
	decode->lost += count;
	record->kind = RECORD_LOST;
	record->pid = record->tid = 0;
	record->lost.count = count;
	record->lost.kind = decode->loss;
	perf_decode_pass(decode, record, take, ctx);
}

static void list_stackless(struct perf_decode *decode, uint32_t tid)
{
	if (!(task_table_word(&decode->tasks, tid) & TASK_LISTED)) {
		if (decode->stackless.count == PERF_STACKLESS)
			return;
		task_list_add(&decode->stackless, tid);
	}
	task_table_mark(&decode->tasks, tid, TASK_STACKLESS | TASK_LISTED);
}

static void decode_switch_record(struct perf_decode *decode, struct record *record, uint16_t misc,
				 record_fn *take, void *ctx)
{
	bool stack_limited;

	if (!decode->switch_records)
		return;
	if (!(misc & PERF_RECORD_MISC_SWITCH_OUT)) {
		perf_decode_switch_in(decode, record, record->pid, record->tid, take, ctx);
		return;
	}
	if (!perf_decode_is_task(record->tid) ||
	    !perf_decode_wants(decode, record->pid, record->tid))
		return;
	if (!decode->per_task)
		task_table_set_pid(&decode->tasks, record->tid, record->pid);
	/* A blocking switch-out also has a sample, unless that was lost or stacks are paused. */
	record->kind = RECORD_SWITCH_OUT;
	memset(&record->switch_out, 0, sizeof(record->switch_out));
	record->switch_out.preempted = misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	stack_limited = perf_decode_paused(decode, record->cpu, record->time_ns);
	record->switch_out.stack_limited = stack_limited || decode->deep_alone;
	if (stack_limited && !record->switch_out.preempted)
		list_stackless(decode, record->tid);
	perf_decode_pass(decode, record, take, ctx);
}

void perf_sideband_decode(struct perf_decode *decode, const struct perf_event_header *header,
			  uint32_t cpu, record_fn *take, void *ctx)
{
	const unsigned char *body = (const unsigned char *)(header + 1);
	size_t common = perf_decode_common(decode, header);
	struct perf_cursor rest = { .at = body, .left = header->size - sizeof(*header) - common };
	const struct perf_id *event;
	struct record record;
	uint64_t id;
	uint32_t ids[2] = { 0, 0 }; /* a loss belongs to no task */

	if (!common) {
		decode->malformed++;
		return;
	}
	if (common == PERF_COMMON_BYTES)
		memcpy(ids, body + rest.left, sizeof(ids));
	memcpy(&id, body + rest.left + common - sizeof(id), sizeof(id));
	record.time_ns = perf_decode_time(decode, header);
	record.cpu = cpu;
	record.pid = ids[0];
	record.tid = ids[1];
	if (decode->dedup.doubtful.count) {
		event = perf_ids_find(&decode->ids, id);
		if (event && perf_dedup_doubtful(&decode->dedup, record.tid, event))
			return;
	}
	switch (header->type) {
	case PERF_RECORD_COMM:
		decode_comm(decode, &record, &rest, header->misc, take, ctx);
		break;
	case PERF_RECORD_MMAP2:
		decode_mmap2(decode, &record, &rest, header->misc, take, ctx);
		break;
	case PERF_RECORD_FORK:
		decode_fork(decode, &record, &rest, take, ctx);
		break;
	case PERF_RECORD_EXIT:
		decode_task_exit(decode, &record, &rest, take, ctx);
		break;
	case PERF_RECORD_LOST:
		decode_lost(decode, &record, &rest, true, take, ctx);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		decode_lost(decode, &record, &rest, false, take, ctx);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		decode_switch_record(decode, &record, header->misc, take, ctx);
		break;
	default: /* throttling and the like are ignored */
		break;
	}
}
