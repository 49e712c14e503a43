#include "tui/shell/shell_compare.h"

#include "engine/base/escape.h"
#include "tui/dialogs/path_choice.h"

#include <string.h>

static void ask_name(struct shell *shell)
{
	if (!shell->session.options->engine.recording) {
		/* Refuse: stxtop would trace its own new threads that read the recording. */
		session_say(
			&shell->session, ROLE_WARN,
			"To compare live calls with a recording, restart: stxtop --against FILE");
		return;
	}
	entry_line_open(&shell->entry, ENTRY_COMPARE, "");
}

/* Show the command that explores the other recording. */
static void say_other(struct shell *shell)
{
	struct session *session = &shell->session;
	const struct counterpart *counterpart = shell->changes.counterpart;
	const char *own = session->options->engine.recording;
	struct str text = STR_INIT;

	if (!counterpart) {
		session_say(session, ROLE_WARN, "No other side: nothing is compared");
		return;
	}
	str_addf(&text, "stxtop -i %s", counterpart_file(counterpart));
	if (own) {
		str_add(&text, " --against ");
		str_add_escaped(&text, own, strlen(own), ESCAPE_PLAIN);
	}
	if (*filter_stack_text(&session->filter_stack))
		str_addf(&text, " -F '%s'", filter_stack_text(&session->filter_stack));
	session_say(session, ROLE_TEXT, "The other side: %s", text.data);
	str_release(&text);
}

bool shell_compare_act(struct shell *shell, enum action action)
{
	switch (action) {
	case ACTION_COMPARE:
		ask_name(shell);
		return true;
	case ACTION_OTHER_SIDE:
		say_other(shell);
		return true;
	default:
		return false;
	}
}

bool shell_compare_accept(struct shell *shell)
{
	struct prompt *prompt = &shell->entry.prompt;
	struct str path = STR_INIT;

	if (shell->entry.kind != ENTRY_COMPARE)
		return false;
	if (!*prompt_text(prompt)) {
		prompt_set_error(prompt, 0, "expected a recording");
		return true;
	}
	path_choice_expand(prompt_text(prompt), &path);
	changes_open(&shell->changes, path.data);
	str_release(&path);
	entry_line_close(&shell->entry, true);
	shell->shown = &shell->views[SHELL_COMPARE];
	shell_compare_look(shell);
	shell->ops->refresh(shell, false);
	return true;
}

/* The compare view shows why a comparison failed; in other views, a message shows it. */
void shell_compare_look(struct shell *shell)
{
	enum counterpart_state before = shell->changes.status.state;

	if (changes_look(&shell->changes, &shell->session))
		shell->session.dirty = true;
	if (shell->changes.status.state == COUNTERPART_REFUSED && before != COUNTERPART_REFUSED &&
	    shell->shown != &shell->views[SHELL_COMPARE])
		session_say(&shell->session, ROLE_ERROR, "%s", shell->changes.status.error);
}
