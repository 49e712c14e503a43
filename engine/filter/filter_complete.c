/*
 * filter_complete - candidates for completion in a text that need not parse yet.
 *
 * The preceding tokens determine the kind of candidates. After an operator: values of its field.
 * After a value: `and`, `or`. Otherwise: fields and short forms.
 */
#include "engine/base/mem.h"
#include "engine/filter/filter_arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum wanted { WANT_TEST, WANT_OPERATOR, WANT_VALUE, WANT_JOINT };

struct completion {
	const struct filter_names *names;
	filter_candidate_fn *each;
	void *ctx;
	const char *prefix;
	size_t prefix_len;
};

static void offer(const struct completion *completion, const char *candidate, const char *help)
{
	if (strlen(candidate) >= completion->prefix_len &&
	    !memcmp(candidate, completion->prefix, completion->prefix_len))
		completion->each(completion->ctx, candidate, help);
}

static void offer_fields(const struct completion *completion)
{
	for (size_t i = 0; i < filter_field_count; i++)
		offer(completion, i == FIELD_ARGUMENT ? FILTER_ARGS : filter_fields[i].name,
		      filter_fields[i].help);
}

static void offer_syscalls(const struct completion *completion)
{
	const struct filter_names *names = completion->names;
	char class[64];

	for (uint32_t nr = 0; names->syscall_name && nr < SYSCALL_NR_MAX; nr++) {
		const char *name = names->syscall_name(names->ctx, nr);
		if (name)
			offer(completion, name, "system call");
	}
	for (size_t i = 0; names->class_name && names->class_name(names->ctx, i); i++) {
		const char *name = names->class_name(names->ctx, i);
		snprintf(class, sizeof(class), "%%%s", name);
		offer(completion, class, "class of system calls");
	}
}

static void offer_errors(const struct completion *completion)
{
	const struct filter_names *names = completion->names;
	const char *name;

	for (size_t i = 0; names->errno_name && (name = names->errno_name(names->ctx, i)); i++)
		offer(completion, name, "error");
}

/* Offer the operators that error messages list for the type. */
static void offer_operators(const struct completion *completion, enum filter_type type)
{
	static const struct {
		const char *op, *help;
	} all[] = {
		{ "==", "is" },
		{ "!=", "is not" },
		{ "<", "is less than" },
		{ "<=", "is at most" },
		{ ">", "is more than" },
		{ ">=", "is at least" },
		{ "&", "has any of these bits" },
		{ "~", "matches a regular expression" },
		{ "!~", "does not match" },
		{ "in", "is one of {a, b}, {1, 5..9}" },
		{ "of", "of a process" },
	};
	const char *at = filter_type_operators(type);

	while (*at) {
		size_t len = strcspn(at, " ");
		for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
			if (strlen(all[i].op) == len && !memcmp(all[i].op, at, len))
				offer(completion, all[i].op, all[i].help);
		at += len + (at[len] == ' ');
	}
}

/* -- Arguments --------------------------------------------------------------------------- */

#define OFFERED_MAX 1024 /* maximum number of names of one kind; constants of `cmd` can exceed it */

/* Names that were offered already: many calls share a name. */
struct offered {
	const struct completion *completion;
	const char *names[OFFERED_MAX];
	size_t count;
};

/* False: the name is a duplicate or has another prefix, or the array is full. */
static bool remember(struct offered *offered, const char *name)
{
	const struct completion *completion = offered->completion;

	if (strncmp(name, completion->prefix, completion->prefix_len) ||
	    offered->count == OFFERED_MAX)
		return false;
	for (size_t i = 0; i < offered->count; i++)
		if (!strcmp(offered->names[i], name))
			return false;
	offered->names[offered->count++] = name;
	return true;
}

static void offer_constant(void *ctx, const char *name, uint32_t nr)
{
	struct offered *offered = ctx;
	const struct filter_names *names = offered->completion->names;
	char help[64];

	if (!remember(offered, name))
		return;
	snprintf(help, sizeof(help), "constant of %s", names->syscall_name(names->ctx, nr));
	offer(offered->completion, name, help);
}

static void offer_constants(const struct completion *completion, const char *argument, size_t len)
{
	struct offered *offered = mem_zalloc(1, sizeof(*offered));

	offered->completion = completion;
	filter_arguments_each(completion->names, argument, len, offer_constant, offered);
	free(offered);
}

/* "args.flags" is one word that starts before the dot. */
static void offer_arguments(const struct completion *completion)
{
	const struct filter_names *names = completion->names;
	struct completion behind = *completion;
	struct offered *offered;
	char candidate[64], help[64];
	const char *name;

	if (completion->prefix_len < strlen(FILTER_ARGS) ||
	    memcmp(completion->prefix, FILTER_ARGS, strlen(FILTER_ARGS)))
		return;
	behind.prefix += strlen(FILTER_ARGS);
	behind.prefix_len -= strlen(FILTER_ARGS);
	offered = mem_zalloc(1, sizeof(*offered));
	offered->completion = &behind;
	for (uint32_t nr = 0; names->argument_name && nr < SYSCALL_NR_MAX; nr++) {
		for (unsigned i = 0; (name = names->argument_name(names->ctx, nr, i)); i++) {
			if (!remember(offered, name))
				continue;
			snprintf(candidate, sizeof(candidate), FILTER_ARGS "%s", name);
			snprintf(help, sizeof(help), "argument of %s",
				 names->syscall_name(names->ctx, nr));
			offer(completion, candidate, help);
		}
	}
	free(offered);
}

static void offer_joints(const struct completion *completion)
{
	offer(completion, "&&", "and");
	offer(completion, "||", "or");
	offer(completion, "and", "both hold");
	offer(completion, "or", "either holds");
}

/* State of the grammar after the tokens up to `column`. */
struct place {
	enum wanted wanted;
	int field; /* valid with WANT_OPERATOR and WANT_VALUE */
	size_t field_at, field_len;
	bool in_list;
};

static void step_place(struct place *place, const struct filter_lexer *lexer,
		       const struct filter_token *token)
{
	switch (token->kind) {
	case TOKEN_WORD:
	case TOKEN_STRING:
		if (place->wanted == WANT_VALUE) {
			place->wanted = place->in_list ? WANT_VALUE : WANT_JOINT;
			break;
		}
		/* "of" is the only operator that the lexer returns as a word. */
		if (place->wanted == WANT_OPERATOR && place->field == FIELD_DESCENDANT) {
			place->wanted = WANT_VALUE;
			break;
		}
		place->field = token->kind == TOKEN_WORD
				       ? filter_field_find(lexer->text + token->at, token->len)
				       : -1;
		place->field_at = token->at;
		place->field_len = token->len;
		place->wanted = WANT_JOINT;
		if (place->field >= 0 && filter_fields[place->field].type != FILTER_BOOL)
			place->wanted = WANT_OPERATOR;
		break;
	case TOKEN_IN:
	case TOKEN_EQ:
	case TOKEN_NE:
	case TOKEN_LT:
	case TOKEN_LE:
	case TOKEN_GT:
	case TOKEN_GE:
	case TOKEN_MATCH:
	case TOKEN_NO_MATCH:
	case TOKEN_BITS:
	case TOKEN_BAR:
		place->wanted = WANT_VALUE;
		break;
	case TOKEN_OPEN:
		place->in_list = true;
		break;
	case TOKEN_CLOSE:
		place->in_list = false;
		place->wanted = WANT_JOINT;
		break;
	case TOKEN_RIGHT:
		place->wanted = WANT_JOINT;
		break;
	case TOKEN_NOT:
		/* "pid not in": the field stays the current one. */
		if (place->wanted != WANT_OPERATOR)
			place->wanted = WANT_TEST;
		break;
	case TOKEN_LEFT:
	case TOKEN_AND:
	case TOKEN_OR:
		*place = (struct place){ .wanted = WANT_TEST, .field = -1 };
		break;
	default:
		break;
	}
}

static bool is_operator_byte(char c)
{
	return c && strchr("=!<>~&|", c);
}

size_t filter_complete(const char *text, size_t column, const struct filter_names *names,
		       filter_candidate_fn *each, void *ctx)
{
	size_t len = strlen(text);
	struct filter_lexer lexer = { .text = text, .len = column < len ? column : len };
	struct filter_token token = filter_lexer_next(&lexer), last = { .kind = TOKEN_END };
	struct completion completion = { .names = names, .each = each, .ctx = ctx };
	struct place place = { .wanted = WANT_TEST, .field = -1 }, before = place;
	size_t begin = lexer.len;
	bool touches, is_word;

	/* A longer text is not a valid filter, and its completion would delay typing. */
	if (lexer.len > FILTER_TEXT_BYTES)
		return lexer.len;
	for (; token.kind != TOKEN_END; token = filter_lexer_next(&lexer)) {
		before = place;
		step_place(&place, &lexer, &token);
		last = token;
	}
	/* A word or operator that ends at the cursor is the prefix to complete. */
	touches = last.kind != TOKEN_END && last.at + last.len == lexer.len &&
		  last.kind != TOKEN_STRING;
	if (touches && last.kind == TOKEN_OPEN_STRING)
		return last.at;
	is_word = last.kind == TOKEN_WORD || last.kind == TOKEN_IN || last.kind == TOKEN_AND ||
		  last.kind == TOKEN_OR || last.kind == TOKEN_NOT;
	/* Complete operators only where one can stand: "=" to "==", but not the ! of !pid. */
	if (touches && is_operator_byte(text[last.at]))
		is_word = before.wanted == WANT_OPERATOR;
	if (touches && is_word) {
		begin = last.at;
		place = before;
	}
	completion.prefix = text + begin;
	completion.prefix_len = lexer.len - begin;
	switch (place.wanted) {
	case WANT_TEST:
		offer_fields(&completion);
		offer_arguments(&completion);
		offer(&completion, "not", "negates the next term");
		if (completion.prefix_len)
			offer_syscalls(&completion);
		break;
	case WANT_OPERATOR:
		offer_operators(&completion, filter_fields[place.field].type);
		break;
	case WANT_VALUE:
		if (place.field >= 0 && filter_fields[place.field].type == FILTER_SYSCALL)
			offer_syscalls(&completion);
		if (place.field >= 0 && filter_fields[place.field].type == FILTER_ERRNO)
			offer_errors(&completion);
		if (place.field == FIELD_ARGUMENT && place.field_len > strlen(FILTER_ARGS))
			offer_constants(&completion, text + place.field_at + strlen(FILTER_ARGS),
					place.field_len - strlen(FILTER_ARGS));
		break;
	case WANT_JOINT:
		offer_joints(&completion);
		break;
	}
	return begin;
}
