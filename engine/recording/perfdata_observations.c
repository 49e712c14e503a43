#include "engine/recording/perfdata_observations.h"

#include "engine/recording/perfdata_ext.h"
#include "engine/source/perf/perf_cursor.h"

#include <string.h>

enum fd_flag {
	FD_CLOEXEC = 1 << 0,
	FD_CLOEXEC_KNOWN = 1 << 1,
	FD_RENAMED = 1 << 2,
	FD_SOCKET = 1 << 3,
	FD_OWN = 1 << 4,
};

enum unseen_flag {
	UNSEEN_BEGINS = 1 << 0,
	UNSEEN_ENDS = 1 << 1,
};

enum futex_flag {
	FUTEX_SHARED = 1 << 0,
	FUTEX_FOUND = 1 << 1,
	FUTEX_MAPPED_SHARED = 1 << 2,
};

static uint16_t bit(bool is, unsigned int flag)
{
	return is ? (uint16_t)flag : 0;
}

static void describe(const struct observation *observation, struct perfdata_ext_observation *out)
{
	uint64_t *words = out->words;

	switch (observation->kind) {
	case OBSERVATION_FD:
		words[0] = (uint32_t)observation->fd.fd;
		words[1] = observation->fd.from_ns;
		words[2] = observation->fd.asked_ns;
		words[3] = observation->fd.reported_ns;
		words[4] = observation->fd.inode;
		out->flags = bit(observation->fd.cloexec, FD_CLOEXEC) |
			     bit(observation->fd.cloexec_known, FD_CLOEXEC_KNOWN) |
			     bit(observation->fd.renamed, FD_RENAMED) |
			     bit(observation->fd.socket, FD_SOCKET) |
			     bit(observation->fd.own, FD_OWN);
		break;
	case OBSERVATION_UNSEEN:
		words[0] = observation->unseen.from_ns;
		out->flags = bit(observation->unseen.begins, UNSEEN_BEGINS) |
			     bit(observation->unseen.ends, UNSEEN_ENDS);
		break;
	case OBSERVATION_PLACE:
	case OBSERVATION_VARIABLE:
		words[0] = observation->futex.uaddr;
		words[1] = observation->futex.memory_ns;
		words[2] = observation->futex.device;
		words[3] = observation->futex.inode;
		words[4] = observation->futex.offset;
		out->flags = bit(observation->futex.shared, FUTEX_SHARED) |
			     bit(observation->futex.found, FUTEX_FOUND) |
			     bit(observation->futex.mapped_shared, FUTEX_MAPPED_SHARED);
		break;
	case OBSERVATION_HOLDER:
		words[0] = observation->holder.uaddr;
		words[1] = observation->holder.enter_ns;
		words[2] = observation->holder.owner;
		break;
	case OBSERVATION_DEADLOCK:
		words[0] = observation->deadlock.found_ns;
		words[1] = observation->deadlock.threads;
		break;
	case OBSERVATION_BYTES:
		words[0] = observation->call.enter_ns;
		words[1] = observation->call.nr;
		words[2] = observation->call.state;
		break;
	case OBSERVATION_KIND_COUNT:
		break;
	}
}

static bool understand(const struct perfdata_ext_observation *in, struct observation *observation)
{
	const uint64_t *words = in->words;

	switch (observation->kind) {
	case OBSERVATION_FD:
		observation->fd.fd = (int)(uint32_t)words[0];
		observation->fd.from_ns = words[1];
		observation->fd.asked_ns = words[2];
		observation->fd.reported_ns = words[3];
		observation->fd.inode = words[4];
		observation->fd.cloexec = in->flags & FD_CLOEXEC;
		observation->fd.cloexec_known = in->flags & FD_CLOEXEC_KNOWN;
		observation->fd.renamed = in->flags & FD_RENAMED;
		observation->fd.socket = in->flags & FD_SOCKET;
		observation->fd.own = in->flags & FD_OWN;
		return true;
	case OBSERVATION_UNSEEN:
		observation->unseen.from_ns = words[0];
		observation->unseen.begins = in->flags & UNSEEN_BEGINS;
		observation->unseen.ends = in->flags & UNSEEN_ENDS;
		return true;
	case OBSERVATION_PLACE:
	case OBSERVATION_VARIABLE:
		observation->futex.uaddr = words[0];
		observation->futex.memory_ns = words[1];
		observation->futex.device = words[2];
		observation->futex.inode = words[3];
		observation->futex.offset = words[4];
		observation->futex.shared = in->flags & FUTEX_SHARED;
		observation->futex.found = in->flags & FUTEX_FOUND;
		observation->futex.mapped_shared = in->flags & FUTEX_MAPPED_SHARED;
		return true;
	case OBSERVATION_HOLDER:
		observation->holder.uaddr = words[0];
		observation->holder.enter_ns = words[1];
		observation->holder.owner = (uint32_t)words[2];
		return true;
	case OBSERVATION_DEADLOCK:
		observation->deadlock.found_ns = words[0];
		observation->deadlock.threads = (uint32_t)words[1];
		return observation->len && observation->len % sizeof(struct observation_wait) == 0;
	case OBSERVATION_BYTES:
		observation->call.enter_ns = words[0];
		observation->call.nr = (uint32_t)words[1];
		observation->call.state = (uint8_t)words[2];
		return true;
	case OBSERVATION_KIND_COUNT:
		break;
	}
	return false; /* written by a later version */
}

static size_t padded(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

bool perfdata_observations_add(struct str *out, const struct observation *observation)
{
	struct perfdata_ext_observation head = {
		.kind = (uint16_t)observation->kind,
		.len = (uint32_t)observation->len,
		.pid = observation->pid,
		.tid = observation->tid,
		.fed_ns = observation->fed_ns,
	};

	if (observation->len > OBSERVATION_TEXT_MAX)
		return false;
	describe(observation, &head);
	head.bytes = (uint32_t)(sizeof(head) + padded(observation->len));
	str_addn(out, (const char *)&head, sizeof(head));
	if (observation->len)
		str_addn(out, observation->text, observation->len);
	str_repeat(out, '\0', padded(observation->len) - observation->len);
	return true;
}

static struct perfdata_ext head_of(enum perfdata_ext_kind kind, size_t bytes)
{
	struct perfdata_ext head = {
		.header = { .type = PERFDATA_EXT_TYPE, .size = (uint16_t)bytes },
		.kind = (uint16_t)kind,
	};

	memcpy(head.magic, PERFDATA_EXT_MAGIC, sizeof(head.magic));
	return head;
}

void perfdata_observations_record(struct str *out, const struct str *observations, size_t *at,
				  uint64_t before)
{
	struct perfdata_ext_observations head = { .before = before };
	size_t end = *at;

	while (end < observations->len) {
		struct perfdata_ext_observation next;

		memcpy(&next, observations->data + end, sizeof(next));
		if (end + next.bytes - *at > PERFDATA_OBSERVATIONS_BYTES)
			break;
		end += next.bytes;
	}
	head.bytes = (uint32_t)(end - *at);
	head.own = head_of(PERFDATA_EXT_OBSERVATIONS, sizeof(head) + head.bytes);
	str_addn(out, (const char *)&head, sizeof(head));
	str_addn(out, observations->data + *at, head.bytes);
	*at = end;
}

void perfdata_observations_at(struct str *out, uint64_t last)
{
	struct perfdata_ext_observations_at at = {
		.own = head_of(PERFDATA_EXT_OBSERVATIONS_AT, sizeof(at)),
		.last = last,
	};

	str_addn(out, (const char *)&at, sizeof(at));
}

/* -- Reading -------------------------------------------------------------------------- */

static bool is_own(const void *record, size_t len, enum perfdata_ext_kind kind, size_t bytes)
{
	struct perfdata_ext own;

	if (len < bytes)
		return false;
	memcpy(&own, record, sizeof(own));
	return own.header.type == PERFDATA_EXT_TYPE && own.header.size >= bytes &&
	       own.header.size <= len && own.kind == kind &&
	       !memcmp(own.magic, PERFDATA_EXT_MAGIC, sizeof(own.magic));
}

bool perfdata_observations_read(const struct perf_event_header *header, observation_fn *take,
				void *ctx, uint64_t *before)
{
	struct perfdata_ext_observations head;
	struct perf_cursor rest;
	const void *at;

	if (!is_own(header, header->size, PERFDATA_EXT_OBSERVATIONS, sizeof(head)))
		return false;
	memcpy(&head, header, sizeof(head));
	*before = head.before;
	if (!take || head.bytes > header->size - sizeof(head))
		return true;
	rest = (struct perf_cursor){ (const unsigned char *)header + sizeof(head), head.bytes };
	while ((at = perf_cursor_take(&rest, sizeof(struct perfdata_ext_observation)))) {
		struct perfdata_ext_observation next;
		struct observation observation;
		size_t behind;

		memcpy(&next, at, sizeof(next));
		behind = next.bytes - sizeof(next);
		if (next.bytes < sizeof(next) || next.len > behind ||
		    next.len > OBSERVATION_TEXT_MAX)
			break;
		memset(&observation, 0, sizeof(observation));
		observation.kind = next.kind < OBSERVATION_KIND_COUNT ? next.kind
								      : OBSERVATION_KIND_COUNT;
		observation.pid = next.pid;
		observation.tid = next.tid;
		observation.fed_ns = next.fed_ns;
		observation.text = perf_cursor_take(&rest, behind);
		observation.len = next.len;
		if (!observation.text)
			break;
		if (understand(&next, &observation))
			take(ctx, &observation);
	}
	return true;
}

bool perfdata_observations_read_at(const void *record, size_t len, uint64_t *last)
{
	struct perfdata_ext_observations_at at;

	if (!is_own(record, len, PERFDATA_EXT_OBSERVATIONS_AT, sizeof(at)))
		return false;
	memcpy(&at, record, sizeof(at));
	*last = at.last;
	return true;
}
