#include "tui/dialogs/filter_draft.h"

#include "engine/base/clock.h"

#include <string.h>

/* Counting time per turn of the main loop: shorter than a noticeable key delay. */
#define COUNT_NS (4 * NS_PER_MS)

void filter_draft_init(struct filter_draft *draft)
{
	match_count_init(&draft->count);
	str_init(&draft->text);
	draft->looked = draft->is_filter = false;
}

void filter_draft_release(struct filter_draft *draft)
{
	match_count_release(&draft->count);
	str_release(&draft->text);
}

void filter_draft_begin(struct filter_draft *draft, enum draft_kind kind, size_t term)
{
	match_count_release(&draft->count);
	draft->looked = false;
	draft->kind = kind;
	draft->term = term;
}

/* Show the count, in parentheses if it belongs to an earlier text. */
static void say_count(const struct filter_draft *draft, struct prompt *prompt)
{
	struct str text = STR_INIT, note = STR_INIT;

	match_count_text(&draft->count, &text);
	str_addf(&note, draft->is_filter || !text.len ? "%s" : "(%s)", text.data);
	prompt_set_note(prompt, note.data);
	str_release(&text);
	str_release(&note);
}

static void say_split(const struct filter *filter, const struct session *session,
		      struct prompt *prompt)
{
	enum filter_kernel by = session_filter_kernel(session);
	struct str split = STR_INIT;

	if (by != FILTER_BY_NOTHING)
		filter_explain(filter, by, &split);
	prompt_set_hint(prompt, PROMPT_NO_PLACE, split.data);
	str_release(&split);
}

static int parse(const struct filter_draft *draft, const struct filter_stack *filter_stack,
		 struct filter **filter, struct filter_error *error)
{
	struct catch_rule rule;
	int rc;

	switch (draft->kind) {
	case DRAFT_TERM:
		return filter_stack_try_term(filter_stack, draft->term, draft->text.data, filter,
					     error);
	case DRAFT_CATCH:
		rc = catch_rule_parse(&rule, draft->text.data, filter_stack->names, error);
		if (rc)
			return rc;
		*filter = filter_ref(rule.filter);
		catch_rule_release(&rule);
		return 0;
	case DRAFT_FILTER:
	case DRAFT_FLIGHT:
		break;
	}
	return filter_parse(filter, draft->text.data, filter_stack->names, error);
}

static void look(struct filter_draft *draft, struct session *session, struct prompt *prompt)
{
	struct filter_error error;
	struct filter *filter;

	draft->is_filter = !parse(draft, &session->filter_stack, &filter, &error);
	if (!draft->is_filter) {
		prompt_set_hint(prompt, error.column, error.err.text);
		say_count(draft, prompt);
		return;
	}
	if (filter_is_all(filter)) {
		match_count_release(&draft->count);
		prompt_set_hint(prompt, PROMPT_NO_PLACE, "");
	} else {
		match_count_begin(&draft->count, session->engine, filter);
		if (draft->kind == DRAFT_CATCH)
			prompt_set_hint(prompt, PROMPT_NO_PLACE,
					"tests only calls that match the filter");
		else if (draft->kind == DRAFT_FLIGHT)
			prompt_set_hint(prompt, PROMPT_NO_PLACE,
					"tests all collected calls, also those in flight");
		else
			say_split(filter, session, prompt);
	}
	filter_free(filter);
	say_count(draft, prompt);
}

void filter_draft_look(struct filter_draft *draft, struct session *session, struct prompt *prompt)
{
	if (!draft->looked || strcmp(draft->text.data, prompt_text(prompt))) {
		str_clear(&draft->text);
		str_add(&draft->text, prompt_text(prompt));
		draft->looked = session->phase == SESSION_RUNNING;
		look(draft, session, prompt);
	}
	session->busy |= draft->count.running;
	session->hurry |= draft->count.running;
}

bool filter_draft_work(struct filter_draft *draft, struct session *session, struct prompt *prompt)
{
	if (!draft->count.running)
		return false;
	match_count_step(&draft->count, session->engine, clock_now_ns() + COUNT_NS);
	say_count(draft, prompt);
	session->busy |= draft->count.running;
	session->hurry |= draft->count.running;
	session->dirty = true;
	return true;
}
