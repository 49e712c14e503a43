#include "engine/recording_extract.h"

#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"
#include "engine/collector/task_limit.h"
#include "engine/fds/fds.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define CALLS_MAX ((size_t)16 << 20) /* maximum number of noted calls: half a gigabyte */
#define NAMES_MAX ((size_t)64 << 10) /* maximum number of descriptors tracked at once */
#define TICK_NS (10 * NS_PER_MS)
/* Kernel results of calls that will be restarted: ERESTARTSYS ... ERESTART_RESTARTBLOCK. */
#define RESTART_FIRST (-516)
#define RESTART_LAST (-512)

/* The name of a descriptor during a run of consecutive calls. */
struct name {
	uint32_t pid, tid;
	int fd;
	bool own; /* the thread does not share it; false: tid is pid */
	uint64_t from_ns, until_ns;
	size_t len;
	char text[];
};

struct recording_extract {
	struct idmap calls; /* hash of the tid and the time of the call */
	struct idmap names; /* pid or tid, and descriptor, to struct name */
	struct observations *known; /* names that no longer change */
	struct idmap inside; /* threads in a noted call */
	struct task_limit task_limit;
	struct recorder *recorder;
	uint64_t newest_ns, until_ns;
	bool too_many;
};

#define NAMES_BYTES_MAX ((size_t)64 << 20)

struct recording_extract *recording_extract_new(void)
{
	struct recording_extract *cut = mem_zalloc(1, sizeof(*cut));

	idmap_init(&cut->calls);
	idmap_init(&cut->names);
	idmap_init(&cut->inside);
	task_limit_init(&cut->task_limit, TASK_LIMIT_MAX);
	cut->known = observations_new(NAMES_BYTES_MAX);
	return cut;
}

void recording_extract_free(struct recording_extract *cut)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	if (!cut)
		return;
	while ((slot = idmap_next(&cut->names, &cursor)))
		free(slot->value);
	idmap_release(&cut->calls);
	idmap_release(&cut->names);
	idmap_release(&cut->inside);
	task_limit_release(&cut->task_limit);
	observations_free(cut->known);
	free(cut);
}

/* -- First pass: matching calls ------------------------------------------------------------- */

static uint64_t key_of(uint32_t tid, uint64_t time_ns)
{
	return hash_mix(hash_u64(time_ns), tid);
}

static void end_name(struct recording_extract *cut, const struct name *name)
{
	struct observation observation = {
		.kind = OBSERVATION_FD,
		.pid = name->pid,
		.tid = name->tid,
		.fed_ns = name->from_ns,
		.fd = { .fd = name->fd,
			.from_ns = name->from_ns,
			.asked_ns = name->from_ns,
			.reported_ns = name->until_ns,
			.own = name->own },
		.text = name->text,
		.len = name->len,
	};

	observations_add(cut->known, &observation);
}

/* Store a descriptor's name. opened: this call opened the descriptor, so an older name ends. */
static void note_name(struct recording_extract *cut, const struct call *call, int fd, bool opened,
		      bool own, const char *text, size_t len)
{
	uint32_t tid = own ? call->tid : call->pid;
	uint64_t key = (uint64_t)own << 63 | (uint64_t)tid << 32 | (uint32_t)fd;
	struct name *name = idmap_get(&cut->names, key);
	uint64_t until_ns = call->enter_ns + (call->dur_ns > 0 ? (uint64_t)call->dur_ns : 0);

	if (name && !opened && name->len == len && !memcmp(name->text, text, len)) {
		if (until_ns > name->until_ns)
			name->until_ns = until_ns;
		return;
	}
	if (!name && cut->names.count >= NAMES_MAX)
		return;
	if (name)
		end_name(cut, name);
	free(name);
	name = mem_alloc(sizeof(*name) + len);
	/* A descriptor that the call did not open had its name already before the enter. */
	*name = (struct name){ call->pid, tid, fd, own, call->enter_ns - !opened, until_ns, len };
	memcpy(name->text, text, len);
	idmap_put(&cut->names, key, name);
}

static void note_fd(struct recording_extract *cut, const struct call *call,
		    const struct referenced *referenced, int fd)
{
	bool opened = call->state == CALL_DONE && call->ret == fd && fds_changed_by(call->nr);
	char text[FD_TEXT_MAX];
	size_t len = 0;

	if (opened)
		len = fds_text(referenced->fds, call, fd, true, text, sizeof(text));
	opened = len;
	if (!opened)
		len = fds_text(referenced->fds, call, fd, false, text, sizeof(text));
	if (len)
		note_name(cut, call, fd, opened, fds_is_own(referenced->fds, call, fd), text, len);
}

void recording_extract_note(struct recording_extract *cut, const struct call *call,
			    const struct referenced *referenced)
{
	int32_t fds[REFERENCED_FDS];
	bool beside_cwd = false;
	size_t count;

	if (cut->calls.count >= CALLS_MAX) {
		cut->too_many = true;
		return;
	}
	idmap_put(&cut->calls, key_of(call->tid, call->enter_ns), cut);
	/* Its in-flight record has a later time, see is_wanted(). */
	if (call->flags & CALL_UNENTERED)
		idmap_put(&cut->calls, key_of(call->tid, 0), cut);
	if (!call_was_made(call) || call->state == CALL_ORPHAN || !referenced->fds)
		return;
	count = referenced_fds(referenced, call, NULL, fds);
	for (size_t i = 0; i < count; i++)
		note_fd(cut, call, referenced, fds[i]);
	for (size_t i = 0; i < SYSCALL_ARGS; i++)
		beside_cwd = beside_cwd || (int32_t)call->args[i] == AT_FDCWD;
	if (beside_cwd)
		note_fd(cut, call, referenced, AT_FDCWD);
}

/* -- Second pass: writing ------------------------------------------------------------------- */

static bool matches(const struct recording_extract *cut, uint32_t tid, uint64_t time_ns)
{
	return idmap_get(&cut->calls, key_of(tid, time_ns));
}

static void set_inside(struct recording_extract *cut, uint32_t tid, uint32_t nr)
{
	idmap_put(&cut->inside, tid, (void *)(uintptr_t)(nr + 1));
}

static bool is_inside(const struct recording_extract *cut, uint32_t tid)
{
	return idmap_get(&cut->inside, tid);
}

/* True if the enter is written. A restarted call enters again as itself or restart_syscall(). */
static bool enters(struct recording_extract *cut, const struct record *record, uint32_t nr,
		   uint64_t time_ns)
{
	uint32_t before = (uint32_t)(uintptr_t)idmap_get(&cut->inside, record->tid);

	if (before && (nr == SYS_restart_syscall || nr + 1 == before))
		return true;
	if (!matches(cut, record->tid, time_ns)) {
		idmap_remove(&cut->inside, record->tid);
		return false;
	}
	set_inside(cut, record->tid, nr);
	return true;
}

static bool leaves(struct recording_extract *cut, const struct record *record)
{
	int64_t ret = record->exit.ret;

	if (ret >= RESTART_FIRST && ret <= RESTART_LAST)
		return is_inside(cut, record->tid);
	/* An exit without an enter was noted as a call at the time of the exit. */
	return idmap_remove(&cut->inside, record->tid) ||
	       matches(cut, record->tid, record->time_ns);
}

static bool is_wanted(struct recording_extract *cut, const struct record *record)
{
	switch (record->kind) {
	case RECORD_ENTER:
		return enters(cut, record, record->enter.nr,
			      record->enter.entered_ns ? record->enter.entered_ns
						       : record->time_ns);
	case RECORD_INFLIGHT:
		return enters(cut, record, record->inflight.nr,
			      record->inflight.unentered ? 0 : record->time_ns);
	case RECORD_EXIT:
		return leaves(cut, record);
	case RECORD_CALL:
		return idmap_remove(&cut->inside, record->tid) ||
		       matches(cut, record->tid, record->call.entered_ns);
	case RECORD_EVENT:
		return matches(cut, record->tid, record->time_ns);
	case RECORD_SWITCH_OUT:
	case RECORD_SWITCH_IN:
	case RECORD_RUNNING:
		return is_inside(cut, record->tid);
	case RECORD_WAKING:
		return is_inside(cut, record->waking.tid);
	case RECORD_AGGREGATE: /* not attributable to single calls */
		return false;
	default:
		return true;
	}
}

static void take(void *ctx, const struct record *record)
{
	struct recording_extract *cut = ctx;

	if (!task_limit_admit(&cut->task_limit, record) || record->time_ns >= cut->until_ns)
		return;
	if (record->time_ns > cut->newest_ns)
		cut->newest_ns = record->time_ns;
	if (is_wanted(cut, record))
		recorder_take(cut->recorder, record);
	if (record->kind == RECORD_TASK_EXIT)
		idmap_remove(&cut->inside, record->tid);
}

static void emit_known(struct recording_extract *cut,
		       const struct recording_extract_options *options)
{
	const struct observation unseen = {
		.kind = OBSERVATION_UNSEEN,
		.unseen = { .begins = true },
	};
	const struct observation *observation;
	struct idmap_slot *slot;
	size_t cursor = 0;

	/* Only a filter can omit calls that change descriptors; a span alone contains them all. */
	if (options->filtered)
		recorder_find(options->recorder, &unseen);
	while ((slot = idmap_next(&cut->names, &cursor)))
		end_name(cut, slot->value);
	observations_sort(cut->known);
	cursor = 0;
	while ((observation = observations_in_order(cut->known, &cursor, UINT64_MAX)))
		recorder_find(options->recorder, observation);
	cursor = 0;
	while ((observation = observations_in_order(options->observations, &cursor, UINT64_MAX))) {
		if (observation->kind == OBSERVATION_FD || observation->kind == OBSERVATION_UNSEEN)
			continue;
		if (observation->kind == OBSERVATION_BYTES &&
		    !matches(cut, observation->tid, observation->call.enter_ns))
			continue;
		recorder_find(options->recorder, observation);
	}
}

static bool is_cancelled(const struct recording_extract_options *options)
{
	struct pollfd cancel = { .fd = options->cancel_fd, .events = POLLIN };

	return options->cancel_fd > 0 && poll(&cancel, 1, 0) > 0;
}

int recording_extract_write(struct recording_extract *cut,
			    const struct recording_extract_options *options, struct err *err)
{
	struct recording_options wanted = options->recording;
	struct source_status *status;
	struct source *source;
	bool finished = false;
	int rc = 0;

	if (cut->too_many)
		rc = err_set(err, -E2BIG,
			     "more than %zu calls match, too many for a partial recording; narrow "
			     "the filter",
			     CALLS_MAX);
	wanted.observations = NULL;
	if (!cut->too_many)
		rc = source_open_recording(&source, &wanted, err);
	if (rc) {
		recorder_end(options->recorder);
		return rc;
	}
	status = mem_alloc(sizeof(*status));
	cut->recorder = options->recorder;
	cut->until_ns = options->until_ns;
	recorder_begin(cut->recorder, options->from_ns);
	while (!rc && !finished && !is_cancelled(options)) {
		uint64_t reported_ns;

		rc = source_drain(source, take, cut, err);
		source_status(source, status);
		reported_ns = source_delivered_ns(source);
		if (!reported_ns)
			reported_ns = cut->newest_ns - cut->newest_ns % TICK_NS;
		finished = status->finished || reported_ns >= cut->until_ns;
		/* Calls in flight at the end last until the end of the recording. */
		if (finished)
			reported_ns = status->until_ns;
		recorder_drained(cut->recorder,
				 reported_ns < cut->until_ns ? reported_ns : cut->until_ns);
	}
	emit_known(cut, options);
	recorder_end(cut->recorder);
	source_close(source);
	free(status);
	return rc;
}
