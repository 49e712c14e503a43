#include "tui/view/quick_terms.h"

#include "engine/base/escape.h"
#include "tui/session/path_fit.h"

#include <string.h>

#define LABEL_COLS 32

enum term_field { TERM_PID, TERM_TID, TERM_SYSCALL, TERM_COMM, TERM_PATH };

static const struct quick_term {
	enum action action;
	enum term_field field;
	bool exclude;
} quick_terms[] = {
	{ ACTION_ONLY_PID, TERM_PID, false },
	{ ACTION_ONLY_THREAD, TERM_TID, false },
	{ ACTION_ONLY_SYSCALL, TERM_SYSCALL, false },
	{ ACTION_ONLY_COMM, TERM_COMM, false },
	{ ACTION_ONLY_PATH, TERM_PATH, false },
	{ ACTION_EXCLUDE_PID, TERM_PID, true },
	{ ACTION_EXCLUDE_THREAD, TERM_TID, true },
	{ ACTION_EXCLUDE_SYSCALL, TERM_SYSCALL, true },
	{ ACTION_EXCLUDE_COMM, TERM_COMM, true },
	{ ACTION_EXCLUDE_PATH, TERM_PATH, true },
};

static void add_quoted(struct str *out, const char *text)
{
	str_addc(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			str_addc(out, '\\');
		str_addc(out, *text);
	}
	str_addc(out, '"');
}

/* False: the text contains bytes that cannot be typed. */
static bool is_text(const struct str *bytes)
{
	struct str escaped = STR_INIT;
	bool is;

	str_add_escaped(&escaped, bytes->data, bytes->len, ESCAPE_PLAIN);
	is = !strcmp(escaped.data, bytes->data);
	str_release(&escaped);
	return is;
}

/* Format a path term. Its label is the end of the path, because a breadcrumb has little room. */
static bool format_path(const struct session *session, const struct call *call, const char *op,
			struct str *term, struct str *label)
{
	struct str path = STR_INIT;
	bool has = call && engine_call_path(session->engine, call, &path) && is_text(&path);

	if (has) {
		str_addf(term, "path %s ", op);
		add_quoted(term, path.data);
		path_fit(label, path.data, LABEL_COLS);
	}
	str_release(&path);
	return has;
}

/* False: the row lacks this property. */
static bool format_term(const struct session *session, const struct quick_row *row,
			const struct quick_term *quick, struct str *term, struct str *label)
{
	const struct selection *selection = row->selection;
	const char *op = quick->exclude ? "!=" : "==";

	if (quick->exclude)
		str_add(label, "not ");
	switch (quick->field) {
	case TERM_PID:
		str_addf(term, "pid %s %u", op, selection->pid);
		str_addf(label, "%s/%u", selection->has_comm ? selection->comm : "pid",
			 selection->pid);
		return selection->has_pid;
	case TERM_TID:
		str_addf(term, "tid %s %u", op, selection->tid);
		str_addf(label, "thread %u", selection->tid);
		return selection->has_tid;
	case TERM_SYSCALL:
		if (selection->event) {
			str_addf(term, "event %s ", op);
			add_quoted(term, selection->event);
			str_add(label, selection->event);
			return true;
		}
		if (!selection->has_nr)
			return false;
		str_addf(term, "syscall %s %s", op,
			 syscalls_info(engine_syscalls(session->engine), selection->nr)->name);
		str_add(label,
			syscalls_info(engine_syscalls(session->engine), selection->nr)->name);
		return true;
	case TERM_COMM:
		/* An escaped comm is not the text that the filter compares. */
		if (!selection->has_comm || strchr(selection->comm, '\\'))
			return false;
		str_addf(term, "comm %s ", op);
		add_quoted(term, selection->comm);
		str_add(label, selection->comm);
		return true;
	case TERM_PATH:
		return format_path(session, row->call, op, term, label);
	}
	return false;
}

static const char *missing(enum term_field field)
{
	static const char *const texts[] = {
		[TERM_PID] = "The selected row is not a single process",
		[TERM_TID] = "The selected row is not a single thread; b groups by thread",
		[TERM_SYSCALL] = "The selected row is not a single system call; b groups by them",
		[TERM_PATH] = "The selected row has no path that can be typed",
		[TERM_COMM] = "The selected row has no name that can be typed; p narrows to its "
			      "pid",
	};

	return texts[field];
}

static bool take(struct session *session, const struct str *term, const struct str *label)
{
	struct filter_error error;

	if (filter_stack_add(&session->filter_stack, term->data, label->data, &error)) {
		session_say(session, ROLE_ERROR, "%s", error.err.text);
		return false;
	}
	session_apply_filter(session);
	return true;
}

static bool act(struct session *session, const struct quick_row *row,
		const struct quick_term *quick)
{
	struct str term = STR_INIT, label = STR_INIT;
	bool taken = false;

	if (format_term(session, row, quick, &term, &label))
		taken = take(session, &term, &label);
	else
		session_say(session, ROLE_WARN, "%s", missing(quick->field));
	str_release(&term);
	str_release(&label);
	return taken;
}

static const struct quick_term *find(enum action action)
{
	for (size_t i = 0; i < sizeof(quick_terms) / sizeof(quick_terms[0]); i++)
		if (quick_terms[i].action == action)
			return &quick_terms[i];
	return NULL;
}

static bool only(struct session *session, const struct quick_row *row, enum action action)
{
	return act(session, row, find(action));
}

bool quick_term_act(struct session *session, const struct quick_row *row, enum action action)
{
	const struct quick_term *quick = find(action);

	if (quick)
		act(session, row, quick);
	return quick;
}

/* Format the term of a group that has no key of its own. False: the row is not such a group. */
static bool format_wider(const struct selection *selection, struct str *term, struct str *label)
{
	struct str path = STR_INIT;
	bool has = true;

	if (selection->has_descendants) {
		str_addf(term, "(pid == %u or descendant of %u)", selection->pid, selection->pid);
		str_addf(label, "%s/%u and below", selection->comm, selection->pid);
	} else if (selection->has_uid) {
		str_addf(term, "uid == %u", selection->uid);
		str_addf(label, "user %u", selection->uid);
	} else if (selection->cgroup) {
		str_add(&path, selection->cgroup);
		has = is_text(&path);
		str_add(term, "cgroup == ");
		add_quoted(term, selection->cgroup);
		path_fit(label, selection->cgroup, LABEL_COLS);
	} else {
		has = false;
	}
	str_release(&path);
	return has;
}

bool quick_term_enter(struct session *session, const struct selection *selection)
{
	const struct quick_row row = { .selection = selection };
	struct str term = STR_INIT, label = STR_INIT;
	bool wider = format_wider(selection, &term, &label);
	bool taken = wider && take(session, &term, &label);

	str_release(&term);
	str_release(&label);
	if (wider && !taken)
		return false;
	if (!wider && selection->has_tid)
		taken = only(session, &row, ACTION_ONLY_THREAD);
	else if (!wider && selection->has_pid)
		taken = only(session, &row, ACTION_ONLY_PID);
	else if (!wider && !selection->has_nr)
		taken = only(session, &row, ACTION_ONLY_COMM);
	return selection->has_nr ? only(session, &row, ACTION_ONLY_SYSCALL) : taken;
}

void quick_term_take(struct session *session, const char *term)
{
	struct filter_error error;

	if (filter_stack_add(&session->filter_stack, term, term, &error))
		session_say(session, ROLE_ERROR, "%s", error.err.text);
	else
		session_apply_filter(session);
}
