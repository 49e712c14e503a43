#include "tui/session/owner_terms.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char *const fields[] = { [OWNER_USER] = "uid", [OWNER_CGROUP] = "cgroup" };

void owner_operands_release(struct owner_operands *operands)
{
	for (size_t i = 0; i < operands->count; i++)
		str_release(&operands->items[i].text);
	free(operands->items);
	memset(operands, 0, sizeof(*operands));
}

static void add_operand(struct owner_operands *operands, enum owner_kind kind, size_t term,
			const char *text, size_t len)
{
	struct owner_operand *operand;

	operands->items = mem_grow(operands->items, &operands->capacity, operands->count + 1,
				   sizeof(*operands->items));
	operand = &operands->items[operands->count++];
	*operand = (struct owner_operand){ .kind = kind, .term = term, .text = STR_INIT };
	str_addn(&operand->text, text, len);
}

/* Return the length of one operand in normalized text: a number, a name or a quoted string. */
static size_t operand_len(const char *text)
{
	size_t len = 0;

	if (*text != '"')
		return strcspn(text, ",} ");
	for (len = 1; text[len] && text[len] != '"'; len++)
		if (text[len] == '\\' && text[len + 1])
			len++;
	return text[len] ? len + 1 : len;
}

/* Append the operands of a term. False, with nothing appended: it is another kind of term. */
static bool list_term(const char *text, enum owner_kind kind, size_t term,
		      struct owner_operands *operands)
{
	size_t before = operands->count, len = strlen(fields[kind]);
	bool set, whole = false;

	if (strncmp(text, fields[kind], len))
		return false;
	text += len;
	set = !strncmp(text, " in {", 5);
	if (!set && strncmp(text, " == ", 4))
		return false;
	for (text += set ? 5 : 4;; text += 2) {
		len = operand_len(text);
		if (!len)
			break;
		add_operand(operands, kind, term, text, len);
		text += len;
		whole = set ? !strcmp(text, "}") : !*text;
		if (whole || !set || strncmp(text, ", ", 2))
			break;
	}
	while (!whole && operands->count > before)
		str_release(&operands->items[--operands->count].text);
	return whole;
}

void owner_terms_list(const struct filter_stack *filter_stack, struct owner_operands *operands)
{
	const struct filter_terms *terms = filter_stack_terms(filter_stack);

	while (operands->count)
		str_release(&operands->items[--operands->count].text);
	for (size_t i = 0; i < terms->count; i++)
		if (!terms->items[i].off &&
		    !list_term(terms->items[i].text, OWNER_USER, i, operands))
			list_term(terms->items[i].text, OWNER_CGROUP, i, operands);
}

/* Write the term: its operands except the one at index `but`, then `more`. */
static void write_term(const struct owner_operands *operands, size_t term, size_t but,
		       enum owner_kind kind, const char *more, struct str *text)
{
	bool any = false;

	str_addf(text, "%s in {", fields[kind]);
	for (size_t i = 0; i < operands->count; i++) {
		if (operands->items[i].term != term || i == but)
			continue;
		str_addf(text, "%s%s", any ? ", " : "", operands->items[i].text.data);
		any = true;
	}
	if (*more)
		str_addf(text, "%s%s", any ? ", " : "", more);
	str_addc(text, '}');
}

int owner_terms_add(struct filter_stack *filter_stack, enum owner_kind kind, const char *operands,
		    struct filter_error *error)
{
	size_t term = filter_stack_terms(filter_stack)->count;
	struct owner_operands known = { .items = NULL };
	struct str text = STR_INIT;
	int ret;

	owner_terms_list(filter_stack, &known);
	for (size_t i = known.count; i-- > 0;)
		if (known.items[i].kind == kind)
			term = known.items[i].term;
	write_term(&known, term, SIZE_MAX, kind, operands, &text);
	ret = filter_stack_set_term(filter_stack, term, text.data, error);
	owner_operands_release(&known);
	str_release(&text);
	return ret;
}

int owner_terms_remove(struct filter_stack *filter_stack, const struct owner_operands *operands,
		       size_t index, struct filter_error *error)
{
	const struct owner_operand *removed = &operands->items[index];
	struct str text = STR_INIT;
	size_t others = 0;
	int ret;

	for (size_t i = 0; i < operands->count; i++)
		others += i != index && operands->items[i].term == removed->term;
	if (others)
		write_term(operands, removed->term, index, removed->kind, "", &text);
	ret = filter_stack_set_term(filter_stack, removed->term, text.data, error);
	str_release(&text);
	return ret;
}

void owner_operand_word(const struct owner_operand *operand, struct str *word)
{
	const char *text = operand->text.data;

	if (*text != '"') {
		str_add(word, text);
		return;
	}
	for (text++; *text && *text != '"'; text++) {
		if (*text == '\\' && text[1])
			text++;
		str_addc(word, *text);
	}
}
