/*
 * catch - expressions that wait for a call, and what is to be done when it comes.
 *
 * The collector asks the compiled filters about each call that the filter in force lets
 * through, and notes those that match; it does nothing else about them. Whoever acts
 * waits for a descriptor and takes the notes. A catch that has caught is spent, apart from one
 * that only rings; it is armed again by hand.
 *
 *	stop: openat and path == "/etc/shadow"
 *	record /tmp/slow.jsonl: dur > 1s
 */
#ifndef ENGINE_CATCH_H
#define ENGINE_CATCH_H

#include "engine/filter/filter.h"
#include "engine/model/model.h"

enum catch_action {
	CATCH_FREEZE, /* the display */
	CATCH_RECORD, /* from here on, to a file */
	CATCH_BELL,
	CATCH_STOP, /* the process */
	CATCH_ACTION_COUNT
};

const char *catch_action_name(enum catch_action action);
const char *catch_action_help(enum catch_action action);

/* -- A rule ------------------------------------------------------------------- */

struct catch_rule {
	enum catch_action action;
	char *file; /* of CATCH_RECORD, else NULL */
	struct filter *filter;
};

/* "ACTION: EXPR" or "record FILE: EXPR". -EINVAL with *error filled: columns are of text. */
int catch_rule_parse(struct catch_rule *rule, const char *text, const struct filter_names *names,
		     struct filter_error *error);
void catch_rule_release(struct catch_rule *rule);
/* Parses to the same, appended. */
void catch_rule_text(const struct catch_rule *rule, struct str *out);
/* Where the expression begins, or the length of the text while there is none yet. */
size_t catch_rule_expression(const char *text);

/* -- All of them --------------------------------------------------------------- */

#define CATCHES_MAX 8

struct catch_hit {
	unsigned index; /* of the rule */
	uint64_t seq; /* of the call in the history */
	struct call call;
};

struct catch_state {
	bool armed;
	uint64_t count; /* calls that matched while it was armed */
};

struct catches;

struct catches *catches_new(void); /* NULL: no descriptor is to be had */
void catches_free(struct catches *catches);
/* Readable while there are hits to be taken. */
int catches_fd(const struct catches *catches);

/*
 * Locked, as all below. Takes a reference of the rule's filter, and arms it; NULL: nothing
 * waits at that place any more. index < CATCHES_MAX.
 */
void catches_set(struct catches *catches, unsigned index, const struct catch_rule *rule);
void catches_arm(struct catches *catches, unsigned index, bool armed);
struct catch_state catches_state(const struct catches *catches, unsigned index);
/* Some are only counted where nobody takes them for long. */
size_t catches_take(struct catches *catches, struct catch_hit *hits, size_t max);

/* Collector, locked: a model_watch_fn; ctx is the catches. */
void catches_look(void *ctx, const struct call *call, uint64_t seq, const struct model *model);

#endif
