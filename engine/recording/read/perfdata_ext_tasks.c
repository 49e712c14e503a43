#include "engine/recording/read/perfdata_ext_decode_private.h"

#include "engine/recording/perfdata_build_ids.h"

#include <stdlib.h>
#include <string.h>

static bool decode_comm(struct perfdata_ext_decode *decode, struct perf_cursor *rest, uint16_t misc,
			unsigned int flags, struct record *record)
{
	const uint32_t *ids = perf_cursor_take(rest, 2 * sizeof(*ids));
	const char *comm = perf_cursor_text(rest);

	if (!ids || !comm)
		return false;
	record->pid = ids[0];
	record->tid = ids[1];
	if (flags & PERFDATA_EXT_EXISTING) {
		record->kind = RECORD_TASK;
		record->task.comm = comm;
		record->task.parent_pid = decode->parent_of == record->tid ? decode->parent_pid : 0;
		record->task.kernel = false;
		decode->parent_of = 0;
		return true;
	}
	record->kind = RECORD_COMM;
	record->comm.comm = comm;
	record->comm.exec = misc & PERF_RECORD_MISC_COMM_EXEC;
	return true;
}

/* False: this yields no record of the model. */
static bool decode_fork(struct perfdata_ext_decode *decode, struct perf_cursor *rest,
			unsigned int flags, struct record *record)
{
	const uint32_t *ids = perf_cursor_take(rest, 4 * sizeof(*ids)); /* pid, ppid, tid, ptid */

	if (!ids) {
		decode->malformed++;
		return false;
	}
	record->pid = ids[0];
	record->tid = ids[2];
	if (flags & PERFDATA_EXT_EXISTING && !(flags & PERFDATA_EXT_NO_NAME)) {
		decode->parent_of = record->tid;
		decode->parent_pid = ids[1];
		return false;
	}
	if (flags & PERFDATA_EXT_EXISTING) {
		record->kind = RECORD_TASK;
		record->task.comm = NULL;
		record->task.parent_pid = ids[1];
		record->task.kernel = false;
		return true;
	}
	record->kind = RECORD_FORK;
	record->fork.parent_pid = ids[1];
	record->fork.parent_tid = ids[3];
	return true;
}

static bool decode_task_exit(struct perfdata_ext_decode *decode, struct perf_cursor *rest,
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

/* Offset in an MMAP2 record after its header: build-id length, three unused bytes, build-id. */
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

void own_side(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
	      record_fn *take, void *ctx)
{
	struct perfdata_ext_trailer trailer;
	struct perf_cursor rest = own_behind(header, sizeof(*header));
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
	flags = trailer.id % PERFDATA_EXT_VARIANTS;
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
		record.switch_out.unsure = flags & PERFDATA_EXT_UNSURE;
		record.switch_out.stack_limited = flags & PERFDATA_EXT_STACK_LIMITED;
		record.switch_out.state = own_thread_state(trailer.state);
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
	default: /* mappings of the kernel, for perf only */
		return;
	}
	if (made)
		own_pass(decode, &record, take, ctx);
	else
		decode->malformed++;
}

bool own_owner(const struct perf_event_header *header, struct record *record, uint32_t flags)
{
	struct perf_cursor rest = own_behind(header, sizeof(struct perfdata_ext_common));
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
