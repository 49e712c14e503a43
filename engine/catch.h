/*
 * catch - actions that run when a call matches an expression.
 *
 * The collector tests each call that passes the filter in force against the compiled expressions
 * and stores the hits. Another thread polls a descriptor, takes the hits and runs the actions. A
 * hit disarms its catch, except CATCH_BELL; the user arms it again.
 *
 *	stop: openat and path == "/etc/shadow"
 *	record /tmp/slow.jsonl: dur > 1s
 */
#ifndef ENGINE_CATCH_H
#define ENGINE_CATCH_H

#include "engine/filter/filter.h"
#include "engine/model/model.h"

enum catch_action {
	CATCH_FREEZE, /* freeze the display */
	CATCH_RECORD, /* write this call and the later ones to a file */
	CATCH_BELL,
	CATCH_STOP, /* stop the process */
	CATCH_ACTION_COUNT
};

const char *catch_action_name(enum catch_action action);
const char *catch_action_help(enum catch_action action);

/* -- A rule ------------------------------------------------------------------- */

struct catch_rule {
	enum catch_action action;
	char *file; /* for CATCH_RECORD, else NULL */
	struct filter *filter;
};

/*
 * Parse "ACTION: EXPR" or "record FILE: EXPR". -EINVAL with *error filled; its columns refer to
 * `text`.
 */
int catch_rule_parse(struct catch_rule *rule, const char *text, const struct filter_names *names,
		     struct filter_error *error);
void catch_rule_release(struct catch_rule *rule);
/* Append text that parses to the same rule. */
void catch_rule_text(const struct catch_rule *rule, struct str *out);
/* Return the offset of the expression in the text, or its length if there is none yet. */
size_t catch_rule_expression(const char *text);

/* -- All catches --------------------------------------------------------------- */

#define CATCHES_MAX 8

struct catch_hit {
	unsigned index; /* of the matching rule */
	uint64_t seq; /* sequence number of the call in the history */
	struct call call;
};

struct catch_state {
	bool armed;
	uint64_t count; /* calls that matched while it was armed */
};

struct catches;

struct catches *catches_new(void); /* NULL: no eventfd available */
void catches_free(struct catches *catches);
/* Return a descriptor that is readable while hits are stored. */
int catches_fd(const struct catches *catches);

/*
 * Set and arm a catch; takes a reference to the filter of the rule. NULL: remove the catch. index <
 * CATCHES_MAX. Call this and the functions below under the model's lock.
 */
void catches_set(struct catches *catches, unsigned index, const struct catch_rule *rule);
void catches_arm(struct catches *catches, unsigned index, bool armed);
struct catch_state catches_state(const struct catches *catches, unsigned index);
/* Take up to `max` stored hits; return the count. If too many are stored, hits are only counted. */
size_t catches_take(struct catches *catches, struct catch_hit *hits, size_t max);

/* Test a call. A model_watch_fn; ctx: the catches. Collector thread, locked. */
void catches_look(void *ctx, const struct call *call, uint64_t seq, const struct model *model);

#endif
