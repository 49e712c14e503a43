#include "engine/recording/perfdata_observations.h"

#include "engine/recording/perfdata_ext.h"
#include "engine/source/perf/perf_cursor.h"

#include <string.h>

enum fd_flag {
	FD_CLOEXEC = 1 << 0,
	FD_CLOEXEC_KNOWN = 1 << 1,
	FD_RENAMED = 1 << 2,
	FD_SOCKET = 1 << 3,
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

static void describe(const struct finding *finding, struct perf_own_finding *out)
{
	uint64_t *words = out->words;

	switch (finding->kind) {
	case FINDING_FD:
		words[0] = (uint32_t)finding->fd.fd;
		words[1] = finding->fd.from_ns;
		words[2] = finding->fd.asked_ns;
		words[3] = finding->fd.told_ns;
		words[4] = finding->fd.inode;
		out->flags = bit(finding->fd.cloexec, FD_CLOEXEC) |
			     bit(finding->fd.cloexec_known, FD_CLOEXEC_KNOWN) |
			     bit(finding->fd.renamed, FD_RENAMED) |
			     bit(finding->fd.socket, FD_SOCKET);
		break;
	case FINDING_UNSEEN:
		words[0] = finding->unseen.from_ns;
		out->flags = bit(finding->unseen.begins, UNSEEN_BEGINS) |
			     bit(finding->unseen.ends, UNSEEN_ENDS);
		break;
	case FINDING_PLACE:
	case FINDING_VARIABLE:
		words[0] = finding->futex.uaddr;
		words[1] = finding->futex.memory_ns;
		words[2] = finding->futex.device;
		words[3] = finding->futex.inode;
		words[4] = finding->futex.offset;
		out->flags = bit(finding->futex.shared, FUTEX_SHARED) |
			     bit(finding->futex.found, FUTEX_FOUND) |
			     bit(finding->futex.mapped_shared, FUTEX_MAPPED_SHARED);
		break;
	case FINDING_HOLDER:
		words[0] = finding->holder.uaddr;
		words[1] = finding->holder.enter_ns;
		words[2] = finding->holder.owner;
		break;
	case FINDING_DEADLOCK:
		words[0] = finding->deadlock.found_ns;
		words[1] = finding->deadlock.threads;
		break;
	case FINDING_BYTES:
		words[0] = finding->call.enter_ns;
		words[1] = finding->call.nr;
		words[2] = finding->call.state;
		break;
	case FINDING_KIND_COUNT:
		break;
	}
}

static bool understand(const struct perf_own_finding *in, struct finding *finding)
{
	const uint64_t *words = in->words;

	switch (finding->kind) {
	case FINDING_FD:
		finding->fd.fd = (int)(uint32_t)words[0];
		finding->fd.from_ns = words[1];
		finding->fd.asked_ns = words[2];
		finding->fd.told_ns = words[3];
		finding->fd.inode = words[4];
		finding->fd.cloexec = in->flags & FD_CLOEXEC;
		finding->fd.cloexec_known = in->flags & FD_CLOEXEC_KNOWN;
		finding->fd.renamed = in->flags & FD_RENAMED;
		finding->fd.socket = in->flags & FD_SOCKET;
		return true;
	case FINDING_UNSEEN:
		finding->unseen.from_ns = words[0];
		finding->unseen.begins = in->flags & UNSEEN_BEGINS;
		finding->unseen.ends = in->flags & UNSEEN_ENDS;
		return true;
	case FINDING_PLACE:
	case FINDING_VARIABLE:
		finding->futex.uaddr = words[0];
		finding->futex.memory_ns = words[1];
		finding->futex.device = words[2];
		finding->futex.inode = words[3];
		finding->futex.offset = words[4];
		finding->futex.shared = in->flags & FUTEX_SHARED;
		finding->futex.found = in->flags & FUTEX_FOUND;
		finding->futex.mapped_shared = in->flags & FUTEX_MAPPED_SHARED;
		return true;
	case FINDING_HOLDER:
		finding->holder.uaddr = words[0];
		finding->holder.enter_ns = words[1];
		finding->holder.owner = (uint32_t)words[2];
		return true;
	case FINDING_DEADLOCK:
		finding->deadlock.found_ns = words[0];
		finding->deadlock.threads = (uint32_t)words[1];
		return finding->len && finding->len % sizeof(struct finding_wait) == 0;
	case FINDING_BYTES:
		finding->call.enter_ns = words[0];
		finding->call.nr = (uint32_t)words[1];
		finding->call.state = (uint8_t)words[2];
		return true;
	case FINDING_KIND_COUNT:
		break;
	}
	return false; /* of a later version */
}

static size_t padded(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

bool perf_findings_add(struct str *out, const struct finding *finding)
{
	struct perf_own_finding head = {
		.kind = (uint16_t)finding->kind,
		.len = (uint32_t)finding->len,
		.pid = finding->pid,
		.tid = finding->tid,
		.fed_ns = finding->fed_ns,
	};

	if (finding->len > FINDING_TEXT_MAX)
		return false;
	describe(finding, &head);
	head.bytes = (uint32_t)(sizeof(head) + padded(finding->len));
	str_addn(out, (const char *)&head, sizeof(head));
	if (finding->len)
		str_addn(out, finding->text, finding->len);
	str_repeat(out, '\0', padded(finding->len) - finding->len);
	return true;
}

static struct perf_own head_of(enum perf_own_kind kind, size_t bytes)
{
	struct perf_own head = {
		.header = { .type = PERF_OWN_TYPE, .size = (uint16_t)bytes },
		.kind = (uint16_t)kind,
	};

	memcpy(head.magic, PERF_OWN_MAGIC, sizeof(head.magic));
	return head;
}

void perf_findings_record(struct str *out, const struct str *findings, size_t *at, uint64_t before)
{
	struct perf_own_findings head = { .before = before };
	size_t end = *at;

	while (end < findings->len) {
		struct perf_own_finding next;

		memcpy(&next, findings->data + end, sizeof(next));
		if (end + next.bytes - *at > PERF_FINDINGS_BYTES)
			break;
		end += next.bytes;
	}
	head.bytes = (uint32_t)(end - *at);
	head.own = head_of(PERF_OWN_FINDINGS, sizeof(head) + head.bytes);
	str_addn(out, (const char *)&head, sizeof(head));
	str_addn(out, findings->data + *at, head.bytes);
	*at = end;
}

void perf_findings_at(struct str *out, uint64_t last)
{
	struct perf_own_findings_at at = {
		.own = head_of(PERF_OWN_FINDINGS_AT, sizeof(at)),
		.last = last,
	};

	str_addn(out, (const char *)&at, sizeof(at));
}

/* -- Back ----------------------------------------------------------------------------- */

static bool is_own(const void *record, size_t len, enum perf_own_kind kind, size_t bytes)
{
	struct perf_own own;

	if (len < bytes)
		return false;
	memcpy(&own, record, sizeof(own));
	return own.header.type == PERF_OWN_TYPE && own.header.size >= bytes &&
	       own.header.size <= len && own.kind == kind &&
	       !memcmp(own.magic, PERF_OWN_MAGIC, sizeof(own.magic));
}

bool perf_findings_read(const struct perf_event_header *header, finding_fn *take, void *ctx,
			uint64_t *before)
{
	struct perf_own_findings head;
	struct perf_cursor rest;
	const void *at;

	if (!is_own(header, header->size, PERF_OWN_FINDINGS, sizeof(head)))
		return false;
	memcpy(&head, header, sizeof(head));
	*before = head.before;
	if (!take || head.bytes > header->size - sizeof(head))
		return true;
	rest = (struct perf_cursor){ (const unsigned char *)header + sizeof(head), head.bytes };
	while ((at = perf_cursor_take(&rest, sizeof(struct perf_own_finding)))) {
		struct perf_own_finding next;
		struct finding finding;
		size_t behind;

		memcpy(&next, at, sizeof(next));
		behind = next.bytes - sizeof(next);
		if (next.bytes < sizeof(next) || next.len > behind || next.len > FINDING_TEXT_MAX)
			break;
		memset(&finding, 0, sizeof(finding));
		finding.kind = next.kind < FINDING_KIND_COUNT ? next.kind : FINDING_KIND_COUNT;
		finding.pid = next.pid;
		finding.tid = next.tid;
		finding.fed_ns = next.fed_ns;
		finding.text = perf_cursor_take(&rest, behind);
		finding.len = next.len;
		if (!finding.text)
			break;
		if (understand(&next, &finding))
			take(ctx, &finding);
	}
	return true;
}

bool perf_findings_read_at(const void *record, size_t len, uint64_t *last)
{
	struct perf_own_findings_at at;

	if (!is_own(record, len, PERF_OWN_FINDINGS_AT, sizeof(at)))
		return false;
	memcpy(&at, record, sizeof(at));
	*last = at.last;
	return true;
}
