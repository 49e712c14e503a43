/*
 * The names that may stand at a place in a text that need not parse yet. What
 * came before tells what is wanted: behind an operator a value of the field
 * before it, behind a value a joint, otherwise a field or a short form.
 */
#include "engine/filter/filter_tree.h"

#include <stdio.h>
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
		offer(completion, filter_fields[i].name, filter_fields[i].help);
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

static void offer_operators(const struct completion *completion, enum filter_type type)
{
	bool order = type == FILTER_NUMBER || type == FILTER_DURATION ||
		     type == FILTER_USER;
	bool match = type == FILTER_TEXT || type == FILTER_SYSCALL;

	if (type == FILTER_BOOL)
		return;
	offer(completion, "==", "is");
	offer(completion, "!=", "is not");
	if (order) {
		offer(completion, "<", "is less than");
		offer(completion, "<=", "is at most");
		offer(completion, ">", "is more than");
		offer(completion, ">=", "is at least");
	}
	if (match) {
		offer(completion, "~", "matches a regular expression");
		offer(completion, "!~", "does not match");
	}
	offer(completion, "in", order ? "is one of {1, 5..9}" : "is one of {a, b}");
}

static void offer_joints(const struct completion *completion)
{
	offer(completion, "&&", "and");
	offer(completion, "||", "or");
	offer(completion, "and", "both hold");
	offer(completion, "or", "either holds");
}

/* Where the grammar stands after the tokens up to `column`. */
struct place {
	enum wanted wanted;
	int field; /* WANT_OPERATOR, WANT_VALUE */
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
		place->field = token->kind == TOKEN_WORD ?
				       filter_field_find(lexer->text + token->at, token->len) :
				       -1;
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
		/* "pid not in": the field stays the one that is asked about. */
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

	for (; token.kind != TOKEN_END; token = filter_lexer_next(&lexer)) {
		before = place;
		step_place(&place, &lexer, &token);
		last = token;
	}
	/* A word or operator that ends at the cursor is what is being completed. */
	touches = last.kind != TOKEN_END && last.at + last.len == lexer.len &&
		  last.kind != TOKEN_STRING;
	if (touches && last.kind == TOKEN_OPEN_STRING)
		return last.at;
	is_word = last.kind == TOKEN_WORD || last.kind == TOKEN_IN || last.kind == TOKEN_AND ||
		  last.kind == TOKEN_OR || last.kind == TOKEN_NOT;
	/* An operator is completed where one may stand: "=" to "==", but not the ! of !pid. */
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
		offer(&completion, "not", "the following does not hold");
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
		break;
	case WANT_JOINT:
		offer_joints(&completion);
		break;
	}
	return begin;
}
