#include "tui/view/row_terms.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/users.h"
#include "tui/calls/call_cells.h"
#include "tui/calls/call_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void row_terms_init(struct row_terms *terms, const struct filter_names *names)
{
	*terms = (struct row_terms){ .names = names };
}

void row_terms_release(struct row_terms *terms)
{
	for (size_t i = 0; i < terms->count; i++) {
		free(terms->items[i].only);
		free(terms->items[i].exclude);
	}
	terms->count = 0;
}

static bool is_filter(const struct row_terms *terms, const char *text)
{
	struct filter_error error;
	struct filter *filter;

	if (filter_parse(&filter, text, terms->names, &error))
		return false;
	filter_free(filter);
	return true;
}

void row_terms_add_pair(struct row_terms *terms, const char *only, const char *exclude)
{
	if (terms->count < ROW_TERMS_MAX && is_filter(terms, only) && is_filter(terms, exclude))
		terms->items[terms->count++] = (struct row_term){
			.only = mem_strdup(only),
			.exclude = mem_strdup(exclude),
		};
}

void row_terms_add(struct row_terms *terms, const char *field, const char *op, const char *value)
{
	struct str only = STR_INIT, exclude = STR_INIT;

	str_addf(&only, "%s %s %s", field, op, value);
	str_addf(&exclude, "%s %s %s", field, !strcmp(op, ">=") ? "<" : "!=", value);
	row_terms_add_pair(terms, only.data, exclude.data);
	str_release(&only);
	str_release(&exclude);
}

void row_terms_add_number(struct row_terms *terms, const char *field, long long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", value);
	row_terms_add(terms, field, "==", text);
}

void row_terms_add_text(struct row_terms *terms, const char *field, const char *text)
{
	struct str escaped = STR_INIT, quoted = STR_INIT;

	/* Text that the screen must escape cannot be typed. */
	str_add_escaped(&escaped, text, strlen(text), ESCAPE_PLAIN);
	if (*text && !strcmp(escaped.data, text)) {
		filter_quote(&quoted, text, strlen(text));
		row_terms_add(terms, field, "==", quoted.data);
	}
	str_release(&escaped);
	str_release(&quoted);
}

/* Add `field >= ns`, rounded down so that the row itself matches. */
static void add_ns(struct row_terms *terms, const char *field, uint64_t ns)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = { { "s", NS_PER_S }, { "ms", NS_PER_MS }, { "us", NS_PER_US }, { "ns", 1 } };
	char text[32];
	size_t i = 0;

	if (!ns)
		return;
	while (ns / units[i].ns < 10 && units[i].ns > 1)
		i++;
	snprintf(text, sizeof(text), "%llu%s", (unsigned long long)(ns / units[i].ns),
		 units[i].unit);
	row_terms_add(terms, field, ">=", text);
}

static void add_result(struct row_terms *terms, const struct call *call)
{
	const char *name;

	if (call->state != CALL_DONE)
		return;
	if (!call_failed(call)) {
		row_terms_add_number(terms, "ret", call->ret);
		return;
	}
	name = errno_name((int)-call->ret);
	if (name)
		row_terms_add(terms, "errno", "==", name);
	else
		row_terms_add_number(terms, "errno", -call->ret);
}

static void add_path(struct row_terms *terms, const struct session *session,
		     const struct call *call)
{
	struct str path = STR_INIT;

	if (engine_call_path(session->engine, call, &path))
		row_terms_add_text(terms, "path", path.data);
	str_release(&path);
}

static void add_arguments(struct row_terms *terms, const struct session *session,
			  const struct call *call)
{
	const struct syscalls *syscalls = engine_syscalls(session->engine);
	const struct syscall_info *info = syscalls_info(syscalls, call->nr);
	struct call_object object = call_object(syscalls, call);

	if (object.kind == OBJECT_FD)
		row_terms_add_number(terms, "fd", (long long)object.value);
	add_path(terms, session, call);
	for (unsigned i = 0; i < info->arg_count && i < SYSCALL_ARGS; i++) {
		char field[80], value[32];

		snprintf(field, sizeof(field), "args.%s", info->args[i].name);
		snprintf(value, sizeof(value), "0x%llx", (unsigned long long)call->args[i]);
		row_terms_add(terms, field, "==", value);
	}
}

static void add_call(struct row_terms *terms, const struct session *session,
		     const struct call *call)
{
	if (call->state == CALL_GAP)
		return;
	if (call_was_made(call) && call->state != CALL_ORPHAN)
		add_arguments(terms, session, call);
	add_result(terms, call);
	add_ns(terms, "dur", call_age_ns(session, call));
	if (call_waits_are_known(call))
		add_ns(terms, "blocked", call->blocked_ns);
	if (call->waker_kind == WAKER_THREAD)
		row_terms_add_number(terms, "waker", call->waker_tid);
	row_terms_add_number(terms, "cpu", call->cpu);
}

static void add_owner(struct row_terms *terms, const struct session *session,
		      const struct call *call)
{
	struct engine_owner owner;

	engine_owner(session->engine, call->pid, call->comm_id, &owner);
	if (owner.uid != USERS_UNKNOWN)
		row_terms_add_number(terms, "uid", owner.uid);
	row_terms_add_text(terms, "cgroup", owner.cgroup);
}

void row_terms_add_row(struct row_terms *terms, const struct session *session,
		       const struct selection *selection, const struct call *call)
{
	if (selection->has_nr)
		row_terms_add(terms, "syscall", "==",
			      syscalls_info(engine_syscalls(session->engine), selection->nr)->name);
	if (call)
		add_call(terms, session, call);
	if (selection->has_pid)
		row_terms_add_number(terms, "pid", selection->pid);
	if (selection->has_tid)
		row_terms_add_number(terms, "tid", selection->tid);
	/* An escaped comm is not the text that the filter compares. */
	if (selection->has_comm && !strchr(selection->comm, '\\'))
		row_terms_add_text(terms, "comm", selection->comm);
	if (selection->has_uid)
		row_terms_add_number(terms, "uid", selection->uid);
	if (selection->cgroup)
		row_terms_add_text(terms, "cgroup", selection->cgroup);
	if (call)
		add_owner(terms, session, call);
}
