#include "tui/calls/blocked_stacks.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Maximum lag of the scan, in calls. With a longer lag, it skips to the newest calls. */
#define BEHIND_MAX 200000
#define RECENT_MAX 512

void blocked_stacks_init(struct blocked_stacks *stacks)
{
	memset(stacks, 0, sizeof(*stacks));
	idmap_init(&stacks->by_id);
}

void blocked_stacks_release(struct blocked_stacks *stacks)
{
	history_scan_release(&stacks->scan);
	idmap_release(&stacks->by_id);
	free(stacks->stacks);
}

static void add_text_term(struct str *term, const char *field, const char *text)
{
	str_addf(term, "%s == ", field);
	filter_quote(term, text, strlen(text));
}

/* Append the subject as a filter term; nothing if it is empty. */
static void subject_term(const struct session *session, const struct selection *subject,
			 struct str *term)
{
	if (subject->has_tid)
		str_addf(term, "tid == %u", subject->tid);
	else if (subject->has_descendants)
		str_addf(term, "(pid == %u or descendant of %u)", subject->pid, subject->pid);
	else if (subject->has_pid)
		str_addf(term, "pid == %u", subject->pid);
	else if (subject->has_uid)
		str_addf(term, "uid == %u", subject->uid);
	else if (subject->cgroup)
		add_text_term(term, "cgroup", subject->cgroup);
	else if (subject->has_comm && !strchr(subject->comm, '\\')) /* unescaped: the real comm */
		add_text_term(term, "comm", subject->comm);
	if (!subject->has_nr)
		return;
	str_addf(term, "%ssyscall == %s", term->len ? " && " : "",
		 syscalls_info(engine_syscalls(session->engine), subject->nr)->name);
}

/* Combine the subject with the filter: the history can hold calls that an earlier filter passed. */
static struct filter *subject_filter(const struct session *session, const struct selection *subject,
				     bool everything)
{
	struct filter *current = filter_stack_filter(&session->filter_stack);
	struct filter *filter, *both;
	struct filter_error error;
	struct str term = STR_INIT;
	int rc;

	subject_term(session, subject, &term);
	/*
	 * Take only calls that waited, because most calls never do. If the source reports no waits,
	 * stacks are from the syscall entry, so take all calls.
	 */
	if (term.len)
		str_add(&term, " && ");
	if (term.len || everything)
		str_add(&term, session->status.source.has_waits ? "blocked > 0ns" : "tid > 0");
	rc = term.len ? filter_parse(&filter, term.data, engine_filter_names(session->engine),
				     &error)
		      : -1;
	str_release(&term);
	if (rc)
		return NULL;
	if (!current)
		return filter;
	both = filter_and(current, filter);
	filter_free(filter);
	return both;
}

static void begin(struct blocked_stacks *stacks, const struct session *session,
		  const struct selection *subject, bool everything)
{
	stacks->subject = *subject;
	stacks->everything = everything;
	stacks->engine = session->engine;
	history_scan_begin(&stacks->scan, session->engine,
			   subject_filter(session, subject, everything), BEHIND_MAX);
	stacks->has_subject = stacks->scan.filter != NULL;
	idmap_clear(&stacks->by_id);
	stacks->count = 0;
	stacks->blocked_ns = stacks->calls = 0;
	stacks->recent = stacks->recent_earlier = 0;
}

void blocked_stacks_begin(struct blocked_stacks *stacks, const struct session *session,
			  const struct selection *subject)
{
	begin(stacks, session, subject, false);
}

void blocked_stacks_begin_all(struct blocked_stacks *stacks, const struct session *session)
{
	begin(stacks, session, &(struct selection){ 0 }, true);
}

bool blocked_stacks_same(const struct selection *a, const struct selection *b)
{
	return a->has_pid == b->has_pid && a->has_tid == b->has_tid && a->has_nr == b->has_nr &&
	       a->pid == b->pid && a->tid == b->tid && a->nr == b->nr && a->has_uid == b->has_uid &&
	       a->uid == b->uid && a->cgroup == b->cgroup &&
	       a->has_descendants == b->has_descendants && a->has_comm == b->has_comm &&
	       (a->has_pid || !strcmp(a->comm, b->comm));
}

/* Test a call in flight. Its ancestors are unknown, so descendants of the subject do not match. */
static bool is_of_subject(const struct blocked_stacks *stacks, const struct call *call)
{
	const struct selection *subject = &stacks->subject;
	struct engine_owner owner;
	char comm[ENGINE_NAME_BYTES];

	if (subject->has_nr && call->nr != subject->nr)
		return false;
	if (subject->has_tid)
		return call->tid == subject->tid;
	if (subject->has_pid)
		return call->pid == subject->pid;
	if (subject->has_comm)
		return !strcmp(engine_comm(stacks->engine, call, comm), subject->comm);
	if (!subject->has_uid && !subject->cgroup)
		return subject->has_nr;
	engine_owner(stacks->engine, call->pid, call->comm_id, &owner);
	return subject->has_uid ? owner.uid == subject->uid
				: !strcmp(owner.cgroup, subject->cgroup);
}

static void add(struct blocked_stacks *stacks, const struct call *call)
{
	uint32_t stack_id = call->stack_id;
	uintptr_t index = (uintptr_t)idmap_get(&stacks->by_id, stack_id);

	if (!index) {
		stacks->stacks = mem_grow(stacks->stacks, &stacks->capacity, stacks->count + 1,
					  sizeof(*stacks->stacks));
		stacks->stacks[stacks->count] = (struct blocked_stack){ .stack_id = stack_id };
		index = ++stacks->count;
		idmap_put(&stacks->by_id, stack_id, (void *)index);
	}
	stacks->stacks[index - 1].blocked_ns += call->blocked_ns;
	stacks->stacks[index - 1].calls++;
	stacks->stacks[index - 1].errors += call_failed(call);
	stacks->blocked_ns += call->blocked_ns;
	stacks->calls++;
}

/* At RECENT_MAX, halve both counts, so that recent waits outweigh earlier ones. */
static void note_recent(struct blocked_stacks *stacks, const struct call *call)
{
	if (stacks->recent == RECENT_MAX) {
		stacks->recent /= 2;
		stacks->recent_earlier /= 2;
	}
	stacks->recent++;
	stacks->recent_earlier += (call->flags & CALL_STACK_EARLIER) != 0;
}

static bool add_calls(void *ctx, const struct call *calls, size_t count, bool newer)
{
	struct blocked_stacks *stacks = ctx;
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		/* Count waits from before the scan only while `recent` is small. */
		if (calls[i].blocked_ns && (newer || stacks->recent < RECENT_MAX / 2))
			note_recent(stacks, &calls[i]);
		if (!calls[i].stack_id ||
		    (!calls[i].blocked_ns && !call_stack_is_of_enter(&calls[i])))
			continue;
		add(stacks, &calls[i]);
		found = true;
	}
	return found;
}

bool blocked_stacks_step(struct blocked_stacks *stacks, struct engine *engine)
{
	return stacks->has_subject && history_scan_step(&stacks->scan, engine, add_calls, stacks);
}

unsigned blocked_stacks_percent(const struct blocked_stacks *stacks, struct engine *engine)
{
	return stacks->has_subject ? history_scan_percent(&stacks->scan, engine) : 100;
}

unsigned blocked_stacks_earlier_percent(const struct blocked_stacks *stacks)
{
	return stacks->recent ? stacks->recent_earlier * 100 / stacks->recent : 0;
}

bool blocked_stacks_has(const struct blocked_stacks *stacks, const struct call *call)
{
	return stacks->everything || is_of_subject(stacks, call);
}
