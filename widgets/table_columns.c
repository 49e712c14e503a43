#include "widgets/table_columns.h"

#include "engine/base/escape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BYTES 64

static size_t index_of(const struct table *table, int id)
{
	size_t i = 0;

	while (i < table->column_count && table->columns[i].id != id)
		i++;
	return i;
}

static size_t place_of(const struct table_columns *chosen, int id)
{
	size_t i = 0;

	while (i < chosen->count && chosen->items[i].id != id)
		i++;
	return i;
}

static struct table_columns_item *find_item(struct table_columns *chosen, int id)
{
	size_t place = place_of(chosen, id);

	return place < chosen->count ? &chosen->items[place] : NULL;
}

static const struct table_columns_item *item_of(const struct table *table, size_t index)
{
	size_t place = place_of(&table->chosen, table->columns[index].id);

	return place < table->chosen.count ? &table->chosen.items[place] : NULL;
}

static size_t column_count(const struct table *table)
{
	return table->column_count < TABLE_COLUMNS_MAX ? table->column_count : TABLE_COLUMNS_MAX;
}

size_t table_columns_order(const struct table *table, size_t order[TABLE_COLUMNS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < table->chosen.count; i++) {
		size_t index = index_of(table, table->chosen.items[i].id);

		if (index < table->column_count)
			order[count++] = index;
	}
	for (size_t i = 0; i < column_count(table) && !table->chosen.count; i++)
		order[count++] = i;
	return count;
}

bool table_column_is_on(const struct table *table, size_t index)
{
	const struct table_columns_item *item = item_of(table, index);

	return item ? !item->off : !table->columns[index].optional;
}

int table_column_cols(const struct table *table, size_t index)
{
	const struct table_columns_item *item = item_of(table, index);

	return item ? item->cols : 0;
}

size_t table_columns_shown(const struct table *table, size_t order[TABLE_COLUMNS_MAX])
{
	size_t all = table_columns_order(table, order), count = 0;

	for (size_t i = 0; i < all; i++)
		if (!table->columns[order[i]].hidden && table_column_is_on(table, order[i]))
			order[count++] = order[i];
	return count;
}

/* ---- choice ---- */

static struct table_columns_item by_default(const struct table_column *column)
{
	return (struct table_columns_item){ .id = column->id, .off = column->optional };
}

/* Give every column an item, so that choices can be stored. */
static void begin(struct table *table)
{
	struct table_columns *chosen = &table->chosen;

	if (chosen->count)
		return;
	while (chosen->count < column_count(table)) {
		chosen->items[chosen->count] = by_default(&table->columns[chosen->count]);
		chosen->count++;
	}
}

void table_column_switch(struct table *table, int id, bool on)
{
	struct table_columns_item *item;

	begin(table);
	item = find_item(&table->chosen, id);
	if (item)
		item->off = !on;
}

void table_column_resize(struct table *table, int id, int cols)
{
	struct table_columns_item *item;

	begin(table);
	item = find_item(&table->chosen, id);
	if (item)
		item->cols = cols < 0                       ? 0
			     : cols > TABLE_COLUMN_COLS_MAX ? TABLE_COLUMN_COLS_MAX
							    : cols;
}

void table_column_move(struct table *table, int id, int step)
{
	struct table_columns *chosen = &table->chosen;
	struct table_columns_item moved, *from;
	size_t shown[TABLE_COLUMNS_MAX], count, at = 0;
	struct table_columns_item *to;

	begin(table);
	from = find_item(chosen, id);
	count = table_columns_shown(table, shown);
	while (at < count && table->columns[shown[at]].id != id)
		at++;
	/* A step to before the first column wraps around and is out of range too. */
	if (!from || at == count || at + (size_t)(long)step >= count)
		return;
	to = find_item(chosen, table->columns[shown[at + (size_t)(long)step]].id);
	moved = *from;
	if (to > from)
		memmove(from, from + 1, (size_t)(to - from) * sizeof(*from));
	else
		memmove(to + 1, to, (size_t)(from - to) * sizeof(*from));
	*to = moved;
}

void table_columns_reset(struct table *table)
{
	table->chosen.count = 0;
}

/* ---- text form ---- */

/* A word of the text: "-comm", "comm:20", "-*". */
struct word {
	char name[WORD_BYTES];
	bool off;
	int cols;
};

static int take_word(const char **text, struct word *word, struct err *err)
{
	size_t len = strcspn(*text, " \t");
	char raw[WORD_BYTES], *colon;
	const char *name = raw;
	char *end;
	long cols;

	if (len >= sizeof(raw))
		return err_set(err, -EINVAL, "no column has a name of %zu characters", len);
	memcpy(raw, *text, len);
	raw[len] = '\0';
	*text += len;
	word->off = raw[0] == '-';
	name += word->off;
	word->cols = 0;
	colon = strchr(raw, ':');
	if (colon) {
		cols = strtol(colon + 1, &end, 10);
		if (end == colon + 1 || *end || cols < 1 || cols > TABLE_COLUMN_COLS_MAX)
			return err_set(err, -EINVAL, "column width must be 1 to %d, as in comm:20",
				       TABLE_COLUMN_COLS_MAX);
		*colon = '\0';
		word->cols = (int)cols;
	}
	memcpy(word->name, name, strlen(name) + 1);
	return 0;
}

static size_t find_name(const struct table *table, const char *name)
{
	size_t i = 0;

	while (i < column_count(table) &&
	       (!table->columns[i].name || strcmp(table->columns[i].name, name)))
		i++;
	return i;
}

static int refuse_name(const struct table *table, const char *name, struct err *err)
{
	struct str names = STR_INIT;
	char shown[WORD_BYTES];
	int ret;

	for (size_t i = 0; i < column_count(table); i++)
		if (table->columns[i].name)
			str_addf(&names, "%s%s", names.len ? " " : "", table->columns[i].name);
	ret = err_set(err, -EINVAL, "unknown column %s; available: %s",
		      escape_name(shown, sizeof(shown), name), names.data);
	str_release(&names);
	return ret;
}

/* Insert unnamed columns, each after its default predecessor; without one, as the first. */
static void add_unnamed(const struct table *table, struct table_columns *chosen, bool off)
{
	for (size_t i = 0; i < column_count(table); i++) {
		const struct table_column *column = &table->columns[i];
		const struct table_columns_item *before;
		size_t at = 0;

		if (find_item(chosen, column->id))
			continue;
		before = i ? find_item(chosen, column[-1].id) : NULL;
		if (before)
			at = (size_t)(before - chosen->items) + 1;
		memmove(&chosen->items[at + 1], &chosen->items[at],
			(chosen->count - at) * sizeof(chosen->items[0]));
		chosen->items[at] = by_default(column);
		chosen->items[at].off |= off && column->name;
		chosen->count++;
	}
}

int table_columns_parse(struct table *table, const char *text, struct err *err)
{
	struct table_columns chosen = { .count = 0 };
	bool others_off = false;
	struct word word;
	size_t index;
	int ret;

	for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
		ret = take_word(&text, &word, err);
		if (ret)
			return ret;
		if (word.off && !strcmp(word.name, "*")) {
			others_off = true;
			continue;
		}
		index = find_name(table, word.name);
		if (index == column_count(table))
			return refuse_name(table, word.name, err);
		if (find_item(&chosen, table->columns[index].id))
			return err_set(err, -EINVAL, "column %s is listed twice", word.name);
		chosen.items[chosen.count++] = (struct table_columns_item){
			.id = table->columns[index].id,
			.cols = word.cols,
			.off = word.off,
		};
	}
	if (chosen.count || others_off)
		add_unnamed(table, &chosen, others_off);
	table->chosen = chosen;
	return 0;
}

static bool is_default(const struct table *table)
{
	const struct table_columns *chosen = &table->chosen;

	for (size_t i = 0; i < chosen->count; i++) {
		const struct table_columns_item *item = &chosen->items[i];

		if (item->id != table->columns[i].id || item->cols ||
		    item->off != table->columns[i].optional)
			return false;
	}
	return true;
}

void table_columns_format(const struct table *table, struct str *out)
{
	const struct table_columns *chosen = &table->chosen;
	const char *blank = "";

	if (is_default(table))
		return;
	for (size_t i = 0; i < chosen->count; i++) {
		const struct table_columns_item *item = &chosen->items[i];
		const struct table_column *column = &table->columns[index_of(table, item->id)];

		if (!column->name)
			continue;
		str_addf(out, "%s%s%s", blank, item->off ? "-" : "", column->name);
		if (item->cols)
			str_addf(out, ":%d", item->cols);
		blank = " ";
	}
}
