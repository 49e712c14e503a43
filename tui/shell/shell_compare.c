#include "tui/shell/shell_compare.h"

#include "engine/base/escape.h"
#include "tui/dialogs/path_choice.h"

#include <string.h>

static void ask_name(struct desk *desk)
{
	if (!desk->session.options->engine.recording) {
		/* Threads that come now would be among those that are watched. */
		session_say(&desk->session, ROLE_WARN,
			    "What happens now is compared with a "
			    "recording that is named first: stxtop --against FILE");
		return;
	}
	entry_line_open(&desk->entry, ENTRY_COMPARE, "");
}

/* As it is typed to explore the other one. */
static void say_other(struct desk *desk)
{
	struct session *session = &desk->session;
	const struct counterpart *counterpart = desk->changes.counterpart;
	const char *own = session->options->engine.recording;
	struct str text = STR_INIT;

	if (!counterpart) {
		session_say(session, ROLE_WARN, "There is no other side: nothing is compared");
		return;
	}
	str_addf(&text, "stxtop -i %s", counterpart_file(counterpart));
	if (own) {
		str_add(&text, " --against ");
		str_add_escaped(&text, own, strlen(own), ESCAPE_PLAIN);
	}
	if (*narrowing_text(&session->narrowing))
		str_addf(&text, " -F '%s'", narrowing_text(&session->narrowing));
	session_say(session, ROLE_TEXT, "The other side: %s", text.data);
	str_release(&text);
}

bool desk_compare_act(struct desk *desk, enum action action)
{
	switch (action) {
	case ACTION_COMPARE:
		ask_name(desk);
		return true;
	case ACTION_OTHER_SIDE:
		say_other(desk);
		return true;
	default:
		return false;
	}
}

bool desk_compare_accept(struct desk *desk)
{
	struct prompt *prompt = &desk->entry.prompt;
	struct str path = STR_INIT;

	if (desk->entry.kind != ENTRY_COMPARE)
		return false;
	if (!*prompt_text(prompt)) {
		prompt_set_error(prompt, 0, "a recording is wanted");
		return true;
	}
	path_choice_expand(prompt_text(prompt), &path);
	changes_open(&desk->changes, path.data);
	str_release(&path);
	entry_line_close(&desk->entry, true);
	desk->shown = &desk->views[DESK_COMPARE];
	desk_compare_look(desk);
	desk_refresh(desk, false);
	return true;
}

/* What keeps a comparison from being made is said in its view; whoever looks elsewhere is told. */
void desk_compare_look(struct desk *desk)
{
	enum counterpart_state before = desk->changes.status.state;

	if (changes_look(&desk->changes, &desk->session))
		desk->session.dirty = true;
	if (desk->changes.status.state == COUNTERPART_REFUSED && before != COUNTERPART_REFUSED &&
	    desk->shown != &desk->views[DESK_COMPARE])
		session_say(&desk->session, ROLE_ERROR, "%s", desk->changes.status.error);
}
