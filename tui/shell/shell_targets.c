#include "tui/shell/shell_targets.h"

#include "engine/base/escape.h"
#include "engine/base/users.h"

#include <stdio.h>
#include <string.h>

#define LISTED_MAX 1000 /* maximum number of pids or tids in the list; a longer one is unreadable */

/* Id of a list item: its kind in the upper bits; an index, or 0, in ITEM_INDEX. */
enum item {
	ITEM_ADD = 1 << 24,
	ITEM_ROW = 2 << 24,
	ITEM_COMMAND = 3 << 24,
	ITEM_PID = 4 << 24,
	ITEM_TID = 5 << 24,
	ITEM_OWNER = 6 << 24,
	ITEM_NOTHING = 7 << 24,
};

#define ITEM_INDEX ((1 << 24) - 1)

/* ---- list ------------------------------------------------------------------ */

static void add_item(struct shell *shell, int id, const char *note, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void add_item(struct shell *shell, int id, const char *note, const char *format, ...)
{
	struct str text = STR_INIT;
	va_list args;

	va_start(args, format);
	str_vaddf(&text, format, args);
	va_end(args);
	menu_add(&shell->menus.menu, id, text.data, note, false);
	str_release(&text);
}

static void add_tasks(struct shell *shell, int kind, const char *noun, const uint32_t *ids,
		      size_t count, const bool *ended)
{
	char name[ENGINE_NAME_BYTES];
	uint32_t pid;

	for (size_t i = 0; i < count && i < LISTED_MAX; i++) {
		engine_thread(shell->session.engine, ids[i], &pid, name);
		add_item(shell, kind | (int)i, ended[i] ? "exited" : "", "%s %u  %s", noun, ids[i],
			 name);
	}
	if (count > LISTED_MAX)
		add_item(shell, ITEM_NOTHING, "", "… and %zu more", count - LISTED_MAX);
}

static void add_owner(struct shell *shell, size_t index)
{
	const struct targets *targets = &shell->session.targets;
	const struct owner_operand *operand = &targets->owners.items[index];
	struct str word = STR_INIT, shown = STR_INIT;
	char name[ENGINE_NAME_BYTES] = "", safe[ENGINE_NAME_BYTES];
	uint32_t uid;

	owner_operand_word(operand, &word);
	str_add_escaped(&shown, word.data, word.len, ESCAPE_PLAIN);
	if (operand->kind == OWNER_CGROUP)
		add_item(shell, ITEM_OWNER | (int)index, targets->gone[index] ? "removed" : "",
			 "cgroup %s", shown.data);
	else if (sscanf(word.data, "%u", &uid) == 1 && users_name(uid, name, sizeof(name)))
		add_item(shell, ITEM_OWNER | (int)index, "", "user %s  %s", shown.data,
			 escape_name(safe, sizeof(safe), name));
	else
		add_item(shell, ITEM_OWNER | (int)index, "", "user %s", shown.data);
	str_release(&word);
	str_release(&shown);
}

static void add_row(struct shell *shell)
{
	const struct session *session = &shell->session;
	const struct target *now = &session->targets.now;
	const struct selection *selection = &session->selection;
	bool named = target_has_pid(now, selection->pid) ||
		     selection->pid == (uint32_t)now->command;

	if (selection->has_pid && !target_is_system(now) && !named)
		add_item(shell, ITEM_ROW, "the selected row", "watch or stop watching pid %u  %s",
			 selection->pid, selection->has_comm ? selection->comm : "");
}

static void open_list(struct shell *shell)
{
	struct session *session = &shell->session;
	const struct targets *targets = &session->targets;
	const struct target *now = &targets->now;
	struct menu *menu = &shell->menus.menu;

	if (session->options->engine.recording) {
		session_say(session, ROLE_WARN, "A recording has no targets; use a filter");
		return;
	}
	targets_list_owners(session);
	menus_close(&shell->menus);
	shell->menus.kind = MENU_TARGETS;
	menu_open(menu, "Watched targets", false);
	add_item(shell, ITEM_ADD, "", "+ add a pid, tid, user or cgroup…");
	add_row(shell);
	if (target_is_system(now))
		add_item(shell, ITEM_NOTHING, "", "the whole system%s",
			 now->cpu_count ? ", on some CPUs" : "");
	if (now->command)
		add_item(shell, ITEM_COMMAND, session->command_ended ? "exited" : "",
			 "the command  pid %d and descendants", (int)now->command);
	add_tasks(shell, ITEM_PID, "pid", now->pids, now->pid_count, targets->ended);
	add_tasks(shell, ITEM_TID, "tid", now->tids, now->tid_count,
		  targets->ended + now->pid_count);
	for (size_t i = 0; i < targets->owners.count; i++)
		add_owner(shell, i);
	menu_set_footer(menu,
			"Enter removes a target; users and cgroups restrict the other targets");
	menu_select(menu, ITEM_ADD);
}

void shell_targets_choose(struct shell *shell, int id)
{
	struct session *session = &shell->session;
	const struct target *now = &session->targets.now;
	size_t index = (size_t)(id & ITEM_INDEX);

	menus_close(&shell->menus);
	switch (id & ~ITEM_INDEX) {
	case ITEM_ADD:
		entry_line_open(&shell->entry, ENTRY_TARGET, "");
		break;
	case ITEM_ROW:
		targets_toggle(session);
		break;
	case ITEM_COMMAND:
		targets_remove_command(session);
		break;
	case ITEM_PID:
		if (index < now->pid_count)
			targets_remove_pid(session, now->pids[index]);
		break;
	case ITEM_TID:
		if (index < now->tid_count)
			targets_remove_tid(session, now->tids[index]);
		break;
	case ITEM_OWNER:
		targets_remove_owner(session, index);
		break;
	default:
		break;
	}
}

/* ---- prompt ------------------------------------------------------------------- */

bool shell_targets_accept(struct shell *shell)
{
	struct err err = { .text = "" };

	if (shell->entry.kind != ENTRY_TARGET)
		return false;
	if (targets_add(&shell->session, prompt_text(&shell->entry.prompt), &err))
		prompt_set_error(&shell->entry.prompt, 0, err.text);
	else
		entry_line_close(&shell->entry, true);
	return true;
}

bool shell_targets_act(struct shell *shell, enum action action)
{
	switch (action) {
	case ACTION_TARGETS:
		open_list(shell);
		return true;
	case ACTION_WATCH_THIS:
		targets_toggle(&shell->session);
		return true;
	default:
		return false;
	}
}
