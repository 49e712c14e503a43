#include "engine/export/summary_form.h"

#include "engine/base/escape.h"

#include <errno.h>
#include <string.h>

const struct summary_column_info summary_columns[SUMMARY_COLUMNS] = {
#define SUMMARY_COLUMN_INFO(id, word_, title_, cols_, drop_, help_) \
	{ .word = word_, .title = title_, .help = help_, .cols = cols_, .drop = drop_ },
	SUMMARY_COLUMN_LIST(SUMMARY_COLUMN_INFO)
#undef SUMMARY_COLUMN_INFO
};

static const char *const by_words[] = {
	[SUMMARY_BY_PROCESS] = "process",
	[SUMMARY_BY_THREAD] = "thread",
	[SUMMARY_BY_TOTAL] = "total",
};

#define BY_COUNT (sizeof(by_words) / sizeof(*by_words))

void summary_form_init(struct summary_form *form)
{
	memset(form, 0, sizeof(*form));
	form->sort = SUMMARY_TOTAL;
	for (int column = 0; column < SUMMARY_COLUMNS; column++)
		if (column != SUMMARY_BLOCKED)
			form->columns[form->column_count++] = (enum summary_column)column;
}

/* Return the column of that name, or -1. */
static int find_column(const char *word, size_t len)
{
	for (int column = 0; column < SUMMARY_COLUMNS; column++)
		if (strlen(summary_columns[column].word) == len &&
		    !memcmp(summary_columns[column].word, word, len))
			return column;
	return -1;
}

static int refuse_column(const char *word, size_t len, struct err *err)
{
	struct str shown = STR_INIT, all = STR_INIT;
	int result;

	str_add_escaped(&shown, word, len, ESCAPE_PLAIN);
	for (int column = 0; column < SUMMARY_COLUMNS; column++)
		str_addf(&all, "%s%s", column ? ", " : "", summary_columns[column].word);
	result = err_set(err, -EINVAL, "unknown column '%.64s'; expected one of %s", shown.data,
			 all.data);
	str_release(&shown);
	str_release(&all);
	return result;
}

int summary_form_by(struct summary_form *form, const char *word, struct err *err)
{
	for (size_t by = 0; by < BY_COUNT; by++) {
		if (!strcmp(word, by_words[by])) {
			form->by = (enum summary_by)by;
			return 0;
		}
	}
	return err_set(err, -EINVAL, "expected process, thread or total");
}

int summary_form_columns(struct summary_form *form, const char *list, struct err *err)
{
	bool seen[SUMMARY_COLUMNS] = { [SUMMARY_NAME] = true };
	size_t count = 0;

	form->columns[count++] = SUMMARY_NAME;
	while (*list) {
		size_t len = strcspn(list, ",");
		int column = find_column(list, len);

		if (column < 0)
			return refuse_column(list, len, err);
		if (!seen[column])
			form->columns[count++] = (enum summary_column)column;
		seen[column] = true;
		list += len;
		list += *list == ',';
	}
	form->column_count = count;
	form->chosen = true;
	return 0;
}

int summary_form_sort(struct summary_form *form, const char *word, struct err *err)
{
	bool turned = *word == '-';
	int column = find_column(word + turned, strlen(word + turned));

	if (column < 0)
		return refuse_column(word + turned, strlen(word + turned), err);
	form->sort = (enum summary_column)column;
	/* Names sort in ascending order, numbers in descending order. */
	form->ascending = (column == SUMMARY_NAME) != turned;
	return 0;
}

bool summary_form_has(const struct summary_form *form, enum summary_column column)
{
	for (size_t i = 0; i < form->column_count; i++)
		if (form->columns[i] == column)
			return true;
	return false;
}

void summary_form_offer(struct summary_form *form, enum summary_column column)
{
	size_t at = 0;

	if (form->chosen || summary_form_has(form, column))
		return;
	while (at < form->column_count && form->columns[at] < column)
		at++;
	memmove(&form->columns[at + 1], &form->columns[at],
		(form->column_count - at) * sizeof(*form->columns));
	form->columns[at] = column;
	form->column_count++;
}

void summary_form_withdraw(struct summary_form *form, enum summary_column column)
{
	size_t kept = 0;

	for (size_t i = 0; i < form->column_count; i++)
		if (form->chosen || form->columns[i] != column)
			form->columns[kept++] = form->columns[i];
	form->column_count = kept;
}
