/*
 * perfdata_encode_private - pieces of records, shared by the parts of the encoder.
 *
 * For perfdata_encode.c, perfdata_encode_*.c and flight_mark.c only.
 */
#ifndef RECORDING_PERFDATA_ENCODE_PRIVATE_H
#define RECORDING_PERFDATA_ENCODE_PRIVATE_H

#include "engine/recording/perfdata_encode.h"
#include "engine/recording/perfdata_ext.h"

#include <stdint.h>
#include <string.h>

#define ENCODE_PATH_BYTES 4096

static inline size_t encode_padded(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

static inline void encode_put(struct perfdata_encode *encode, const void *bytes, size_t len)
{
	str_addn(&encode->out, bytes, len);
}

static inline void encode_put_padded(struct perfdata_encode *encode, const void *bytes, size_t len)
{
	static const char zeros[8];

	encode_put(encode, bytes, len);
	encode_put(encode, zeros, encode_padded(len) - len);
}

/* Finish the record that begins at `start`. False: it was too long and has been dropped. */
static inline bool encode_finish(struct perfdata_encode *encode, size_t start)
{
	size_t bytes = encode->out.len - start;
	uint16_t size = (uint16_t)bytes;

	if (bytes > PERFDATA_EXT_RECORD_MAX) {
		str_cut(&encode->out, start);
		encode->left_out++;
		return false;
	}
	memcpy(encode->out.data + start + offsetof(struct perf_event_header, size), &size,
	       sizeof(size));
	return true;
}

static inline void encode_note_time(struct perfdata_encode *encode, uint64_t time_ns)
{
	if (!encode->first_ns || time_ns < encode->first_ns)
		encode->first_ns = time_ns;
	if (time_ns > encode->last_ns)
		encode->last_ns = time_ns;
}

static inline void encode_put_trailer(struct perfdata_encode *encode, const struct record *record,
				      uint64_t time_ns, unsigned int flags)
{
	struct perfdata_ext_trailer trailer = {
		.pid = record->pid,
		.tid = record->tid,
		.time_ns = time_ns,
		.cpu = record->cpu,
		.state = record->kind == RECORD_SWITCH_OUT ? record->switch_out.state : 0,
		.id = PERFDATA_EXT_ID(PERFDATA_EXT_EVENT_SIDE, flags),
	};

	encode_put(encode, &trailer, sizeof(trailer));
	if (time_ns)
		encode_note_time(encode, time_ns);
}

static inline struct perfdata_ext encode_own(enum perfdata_ext_kind kind, size_t bytes)
{
	struct perfdata_ext head = {
		.header = { .type = PERFDATA_EXT_TYPE, .size = (uint16_t)bytes },
		.kind = (uint16_t)kind,
	};

	memcpy(head.magic, PERFDATA_EXT_MAGIC, sizeof(head.magic));
	return head;
}

static inline struct perfdata_ext_common encode_common(const struct record *record,
						       enum perfdata_ext_kind kind, size_t bytes,
						       uint32_t flags)
{
	return (struct perfdata_ext_common){
		.own = encode_own(kind, bytes),
		.time_ns = record->time_ns,
		.pid = record->pid,
		.tid = record->tid,
		.cpu = record->cpu,
		.flags = flags,
	};
}

/* Store the time of the last enter of a thread. 1: the file has the thread, but no such time. */
static inline void encode_remember(struct perfdata_encode *encode, uint32_t tid,
				   uint64_t entered_ns)
{
	idmap_put(&encode->entered, tid, (void *)(uintptr_t)(entered_ns ? entered_ns : 1));
}

static inline uint64_t encode_remembered(const struct perfdata_encode *encode, uint32_t tid)
{
	return (uintptr_t)idmap_get(&encode->entered, tid);
}

/* perfdata_encode_stacks.c */
void encode_switch(struct perfdata_encode *encode, const struct record *record);
void encode_waking(struct perfdata_encode *encode, const struct record *record);
void encode_seed(struct perfdata_encode *encode, const struct record *record);
void encode_running(struct perfdata_encode *encode, const struct record *record);

/* perfdata_encode_tasks.c */
void encode_task(struct perfdata_encode *encode, const struct record *record);
void encode_task_exit(struct perfdata_encode *encode, const struct record *record);
void encode_fork(struct perfdata_encode *encode, const struct record *record);
void encode_comm(struct perfdata_encode *encode, const struct record *record);
void encode_owner(struct perfdata_encode *encode, const struct record *record);
void encode_map(struct perfdata_encode *encode, const struct record *record);

#endif
