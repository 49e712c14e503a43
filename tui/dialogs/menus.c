#include "tui/dialogs/menus.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct signal_def {
	int number;
	const char *name, *help;
};

/* The first signal is the default of Enter. */
static const struct signal_def signals[] = {
	{ SIGTERM, "SIGTERM", "terminate" },
	{ SIGINT, "SIGINT", "interrupt, as Ctrl-C" },
	{ SIGHUP, "SIGHUP", "hang up; daemons reload" },
	{ SIGQUIT, "SIGQUIT", "quit with a core dump" },
	{ SIGKILL, "SIGKILL", "kill, without cleanup" },
	{ SIGSTOP, "SIGSTOP", "stop" },
	{ SIGCONT, "SIGCONT", "continue" },
	{ SIGUSR1, "SIGUSR1", "" },
	{ SIGUSR2, "SIGUSR2", "" },
	{ SIGABRT, "SIGABRT", "abort with a core dump" },
};

#define SIGNAL_COUNT (sizeof(signals) / sizeof(signals[0]))

void menus_init(struct menus *menus)
{
	memset(menus, 0, sizeof(*menus));
	menu_init(&menus->menu);
	menus->pidfd = -1;
}

void menus_release(struct menus *menus)
{
	menus_close(menus);
	menu_release(&menus->menu);
	saved_filters_release(&menus->saved);
	row_terms_release(&menus->row);
}

void menus_close(struct menus *menus)
{
	menus->kind = MENU_NONE;
	if (menus->pidfd >= 0)
		close(menus->pidfd);
	menus->pidfd = -1;
}

void menus_add_key(const struct bindings *bindings, enum action_context context, enum action action,
		   const char *does, struct str *out)
{
	char name[KEYSTROKES_BYTES];
	struct keystrokes keys;

	if (bindings_first(bindings, context, action, &keys))
		str_addf(out, "%s%s %s", out->len ? ", " : "", keystrokes_format(name, &keys),
			 does);
}

void menus_open_sort(struct menus *menus, const struct table *table)
{
	size_t order[TABLE_COLUMNS_MAX], count = table_columns_order(table, order);

	menus->kind = MENU_SORT;
	menu_open(&menus->menu, "Sort by", true);
	for (size_t i = 0; i < count; i++) {
		const struct table_column *column = &table->columns[order[i]];
		bool marked = column->id == table->sort_column;

		if (column->hidden)
			continue;
		menu_add(&menus->menu, column->id, column->title,
			 marked ? table->sort_descending ? "▼" : "▲"
			 : table_column_is_on(table, order[i]) ? ""
							       : "not shown",
			 marked);
		if (column->name)
			menu_add_aliases(&menus->menu, column->name);
	}
	menu_select(&menus->menu, table->sort_column);
}

void menus_open_group(struct menus *menus, const struct pane *pane)
{
	static const char *const names[ENGINE_GROUP_COUNT] = {
		[ENGINE_BY_PROCESS] = "Process",     [ENGINE_BY_THREAD] = "Thread",
		[ENGINE_BY_SYSCALL] = "System call", [ENGINE_BY_COMM] = "Comm",
		[ENGINE_BY_CGROUP] = "Cgroup",       [ENGINE_BY_USER] = "User",
	};
	enum engine_group current;
	unsigned groups = pane->ops->groups(pane->self, &current);

	menus->kind = MENU_GROUP;
	menus->grouped = *pane;
	menu_open(&menus->menu, "Group by", true);
	for (int i = 0; i < ENGINE_GROUP_COUNT; i++)
		if (groups & 1u << i)
			menu_add(&menus->menu, i, names[i], "", i == (int)current);
	menu_select(&menus->menu, (int)current);
}

void menus_open_views(struct menus *menus, const struct view *const *views, size_t count,
		      const struct view *shown, const struct bindings *bindings)
{
	menus->kind = MENU_VIEWS;
	menu_open(&menus->menu, "View", true);
	for (size_t i = 0; i < count; i++) {
		struct str text = STR_INIT, keys = STR_INIT;

		bindings_list(bindings, CONTEXT_GLOBAL, views[i]->def->action, &keys);
		str_addf(&text, "%-9s %s", views[i]->def->title,
			 action_help(views[i]->def->action));
		menu_add(&menus->menu, (int)views[i]->def->action, text.data, keys.data,
			 views[i] == shown);
		menu_add_aliases(&menus->menu, keys.data);
		str_release(&text);
		str_release(&keys);
	}
	menu_select(&menus->menu, (int)shown->def->action);
}

void menus_open_signal(struct menus *menus, struct session *session)
{
	const struct selection *selection = &session->selection;
	char title[ENGINE_NAME_BYTES + 48];
	int pidfd;

	if (session->options->read_only) {
		session_say(session, ROLE_WARN, "Signals are disabled by --read-only");
		return;
	}
	if (session->options->engine.recording) {
		session_say(session, ROLE_WARN,
			    "Recorded processes cannot be signalled: their pids may be reused");
		return;
	}
	if (!selection->has_pid) {
		session_say(session, ROLE_WARN,
			    "The selected row is not a single process; select one that is");
		return;
	}
	pidfd = (int)syscall(SYS_pidfd_open, (pid_t)selection->pid, 0);
	if (pidfd < 0) {
		session_say(session, ROLE_ERROR, "Process %u: %s", selection->pid,
			    errno == ESRCH ? "it has exited" : strerror(errno));
		return;
	}
	menus_close(menus);
	menus->kind = MENU_SIGNAL;
	menus->pidfd = pidfd;
	menus->pid = selection->pid;
	memcpy(menus->comm, selection->comm, sizeof(menus->comm));
	snprintf(title, sizeof(title), "Send signal to %s (%u)", selection->comm, selection->pid);
	menu_open(&menus->menu, title, true);
	for (size_t i = 0; i < SIGNAL_COUNT; i++) {
		char text[80];

		snprintf(text, sizeof(text), "%2d %-8s %s", signals[i].number, signals[i].name,
			 signals[i].help);
		menu_add(&menus->menu, signals[i].number, text, "", false);
	}
}

static const char *signal_name(int number)
{
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		if (signals[i].number == number)
			return signals[i].name;
	return "?";
}

void menus_open_question(struct menus *menus, enum menu_kind kind, const char *title,
			 const char *no, const char *yes)
{
	menus->kind = kind;
	menu_open(&menus->menu, title, false);
	menu_add(&menus->menu, 0, no, "n", false);
	menu_add(&menus->menu, 1, yes, "y", false);
}

bool menus_answer(struct menus *menus, uint32_t code)
{
	bool yes = code == 'y' || code == 'Y';

	switch (menus->kind) {
	case MENU_CONFIRM:
	case MENU_REPLACE:
	case MENU_UNWRITTEN:
	case MENU_FORGET:
		break;
	default:
		return false;
	}
	if (!yes && code != 'n' && code != 'N')
		return false;
	menu_select(&menus->menu, yes);
	return true;
}

void menus_open_confirm(struct menus *menus, int number)
{
	char title[ENGINE_NAME_BYTES + 64];

	menus->signal = number;
	snprintf(title, sizeof(title), "Send %s to %s (%u)?", signal_name(number), menus->comm,
		 menus->pid);
	menus_open_question(menus, MENU_CONFIRM, title, "No", "Yes, send it");
}

void menus_open_leave(struct menus *menus, const struct options *options,
		      const struct bindings *bindings)
{
	struct str keys = STR_INIT;

	bindings_list(bindings, CONTEXT_GLOBAL, ACTION_QUIT, &keys);
	menus->kind = MENU_LEAVE;
	menu_open(&menus->menu, "The command is still running", false);
	menu_add(&menus->menu, LEAVE_STAY, "Stay", "", false);
	menu_add(&menus->menu, LEAVE_END, "Terminate it (SIGTERM) and quit", keys.data, false);
	menu_add(&menus->menu, LEAVE_RUNNING,
		 options->command_output ? "Quit; the command continues"
					 : "Quit; the command continues, without its output",
		 "", false);
	str_release(&keys);
}

void menus_send_signal(struct menus *menus, struct session *session)
{
	if (syscall(SYS_pidfd_send_signal, menus->pidfd, menus->signal, NULL, 0))
		session_say(session, ROLE_ERROR, "Cannot send %s to %s (%u): %s",
			    signal_name(menus->signal), menus->comm, menus->pid,
			    errno == ESRCH   ? "it has exited"
			    : errno == EPERM ? "no permission: another user's process; root may"
					     : strerror(errno));
	else
		session_say(session, ROLE_TEXT, "Sent %s to %s (%u)", signal_name(menus->signal),
			    menus->comm, menus->pid);
}
