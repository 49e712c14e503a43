#include "engine/recording/read/recorded_syscall_events.h"

#include "engine/base/mem.h"
#include "engine/recording/read/recorded_sample_fields.h"
#include "engine/source/print_format.h"
#include "engine/source/tracepoint.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define ENTER "sys_enter_"
#define EXIT "sys_exit_"

/* The two tracepoints of a system call; NULL: absent. */
struct halves {
	struct tracepoint *enter, *exit;
};

/* Return the system call with tracepoints of this name; SYSCALL_NR_MAX: unknown. */
static uint32_t nr_of(const char *event, syscall_event_fn *name)
{
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		const char *known = name(nr);

		if (known && !strcmp(known, event))
			return nr;
	}
	return SYSCALL_NR_MAX;
}

static bool has_event(const struct perfdata_header *header, const uint64_t *parts, uint64_t id)
{
	for (size_t i = 0; i < perfdata_header_event_count(header); i++) {
		const struct perf_event_attr *attr = &perfdata_header_event(header, i)->attr;

		if (!parts[i] && attr->type == PERF_TYPE_TRACEPOINT && attr->config == id &&
		    attr->sample_type & PERF_SAMPLE_RAW)
			return true;
	}
	return false;
}

static void find_halves(const struct perfdata_header *header, syscall_event_fn *name,
			const uint64_t *parts, struct halves *halves)
{
	for (size_t i = 0; i < perfdata_header_format_count(header); i++) {
		const struct perfdata_file_format *format = perfdata_header_format(header, i);
		struct tracepoint *point, **place;
		uint32_t nr = SYSCALL_NR_MAX;
		const char *event;
		bool enters;

		if (strcmp(format->system, "syscalls") != 0 ||
		    !format_fields_are_plain(format->text, format->len) ||
		    tracepoint_parse(&point, format->system, format->text, format->len, NULL))
			continue;
		event = tracepoint_name(point);
		enters = !strncmp(event, ENTER, strlen(ENTER));
		if (has_event(header, parts, tracepoint_id(point))) {
			if (enters)
				nr = nr_of(event + strlen(ENTER), name);
			else if (!strncmp(event, EXIT, strlen(EXIT)))
				nr = nr_of(event + strlen(EXIT), name);
		}
		place = nr == SYSCALL_NR_MAX ? NULL : enters ? &halves[nr].enter : &halves[nr].exit;
		if (place && !*place)
			*place = point;
		else
			tracepoint_free(point);
	}
}

/* All exits have the same fields, which are learned once; an exit with other fields is rejected. */
static bool learn_exit(struct perf_decode *decode, const struct tracepoint *point)
{
	struct tracepoint_field nr, ret;

	/* Until Linux 4.18, the field was named "nr". */
	if ((tracepoint_field(point, "__syscall_nr", &nr, NULL) &&
	     tracepoint_field(point, "nr", &nr, NULL)) ||
	    tracepoint_field(point, "ret", &ret, NULL) || ret.bytes != sizeof(uint64_t) ||
	    ret.count != 1 || tracepoint_field_end(&nr) > ret.offset)
		return false;
	if (decode->single_ret.bytes)
		return ret.offset == decode->single_ret.offset &&
		       nr.offset == decode->single_nr.offset && nr.bytes == decode->single_nr.bytes;
	decode->single_nr = nr;
	decode->single_ret = ret;
	return true;
}

static void learn_ids(const struct perfdata_header *header, const struct tracepoint *point,
		      enum perf_kind kind, struct perf_decode *decode, uint64_t *parts)
{
	for (size_t i = 0; i < perfdata_header_event_count(header); i++) {
		const struct perfdata_file_event *event = perfdata_header_event(header, i);

		if (!parts[i] && event->attr.type == PERF_TYPE_TRACEPOINT &&
		    event->attr.config == tracepoint_id(point))
			parts[i] = recorded_parts_learn(decode, kind, true, event);
	}
}

unsigned int recorded_syscall_events_learn(const struct perfdata_header *header,
					   syscall_event_fn *name, struct perf_decode *decode,
					   uint64_t *parts)
{
	struct halves *halves = mem_zalloc(SYSCALL_NR_MAX, sizeof(*halves));
	unsigned int count = 0;

	if (name)
		find_halves(header, name, parts, halves);
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		const struct halves *call = &halves[nr];
		/*
		 * rt_sigreturn needs no exit event: it restores the registers of the signal frame,
		 * so its exit has no call number.
		 */
		bool is_whole = call->enter && (call->exit || nr == SYS_rt_sigreturn);

		if (is_whole && (!call->exit || learn_exit(decode, call->exit)) &&
		    decode->single_ret.bytes) {
			perf_decode_learn_single(decode, nr, call->enter);
			learn_ids(header, call->enter, PERF_KIND_ENTER, decode, parts);
			if (call->exit)
				learn_ids(header, call->exit, PERF_KIND_EXIT, decode, parts);
			count++;
		}
		tracepoint_free(call->enter);
		tracepoint_free(call->exit);
	}
	free(halves);
	return count;
}
