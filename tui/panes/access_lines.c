#include "tui/panes/access_lines.h"

#include "engine/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WRAP_MIN_COLS 20
#define SHELL_INDENT "  "
#define SHELL_GOES_ON " \\"

void access_lines_init(struct access_lines *lines)
{
	memset(lines, 0, sizeof(*lines));
}

static void clear(struct access_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		str_release(&lines->items[i].text);
		str_release(&lines->items[i].copy);
	}
	lines->count = 0;
}

void access_lines_release(struct access_lines *lines)
{
	clear(lines);
	free(lines->items);
	access_lines_init(lines);
}

static struct str *add(struct access_lines *lines, enum role role)
{
	struct access_line *line;

	lines->items = mem_grow(lines->items, &lines->capacity, lines->count + 1,
				sizeof(*lines->items));
	line = &lines->items[lines->count++];
	*line = (struct access_line){ .text = STR_INIT, .copy = STR_INIT, .role = role };
	return &line->text;
}

/*
 * Wrap between words. Bytes count as columns: sentences and escaped names need at most one column
 * per byte.
 */
static void add_wrapped(struct access_lines *lines, enum role role, const char *indent,
			const char *text, int cols)
{
	size_t room = cols > WRAP_MIN_COLS ? (size_t)cols : WRAP_MIN_COLS;

	room -= strlen(indent);
	while (*text) {
		size_t len = strlen(text), take = len;
		struct str *line = add(lines, role);

		if (len > room) {
			take = room;
			while (take && text[take] != ' ')
				take--;
			if (!take)
				take = strcspn(text, " ");
		}
		str_add(line, indent);
		str_addn(line, text, take);
		text += take;
		text += strspn(text, " ");
	}
}

static struct str *add_shell_line(struct access_lines *lines, const char *command)
{
	struct str *line = add(lines, ROLE_STRING);

	str_add(&lines->items[lines->count - 1].copy, command);
	return line;
}

/* Break between words; a word that is too long is not broken. */
static void add_cut_command(struct access_lines *lines, const char *command, int cols)
{
	size_t room = cols > WRAP_MIN_COLS ? (size_t)cols : WRAP_MIN_COLS;
	const char *rest = command;

	room -= strlen(SHELL_INDENT) + strlen(SHELL_GOES_ON);
	while (*rest) {
		struct str *line = add_shell_line(lines, command);
		size_t take = strlen(rest), len = take;

		if (len > room + strlen(SHELL_GOES_ON)) {
			for (take = room; take && rest[take] != ' ';)
				take--;
			if (!take)
				take = strcspn(rest, " ");
		}
		str_add(line, SHELL_INDENT);
		str_addn(line, rest, take);
		rest += take + strspn(rest + take, " ");
		if (*rest)
			str_add(line, SHELL_GOES_ON);
	}
}

static void add_command(struct access_lines *lines, const char *label, const char *command,
			int cols)
{
	size_t label_len = strlen(label);
	struct str *line;

	if (!command[0])
		return;
	if (label_len + strlen(command) > (size_t)cols) {
		while (label_len && label[label_len - 1] == ' ')
			label_len--;
		str_addn(add(lines, ROLE_DIM), label, label_len);
		add_cut_command(lines, command, cols);
		return;
	}
	line = add_shell_line(lines, command);
	str_add(line, label);
	lines->items[lines->count - 1].label_bytes = line->len;
	str_add(line, command);
}

static void add_commands(struct access_lines *lines, const char *setting, const char *program,
			 int cols)
{
	add_command(lines, "        for all users: ", setting, cols);
	add_command(lines, "        for stxtop:    ", program, cols);
}

/* Add the overview of all checks, which precedes the details of each. */
static void add_table(struct access_lines *lines, const struct access *access)
{
	for (size_t i = 0; i < ACCESS_COUNT; i++)
		str_addf(add(lines, access->rows[i].works ? ROLE_GOOD : ROLE_WARN), "  %-4s  %s",
			 access->rows[i].works ? "yes" : "no", access->rows[i].what);
}

static void add_reasons(struct access_lines *lines, const struct access *access, int cols)
{
	bool any = false;

	for (size_t i = 0; i < ACCESS_COUNT; i++) {
		const struct access_row *row = &access->rows[i];

		if (row->works)
			continue;
		if (!any) {
			add(lines, ROLE_TEXT);
			str_add(add(lines, ROLE_STRONG),
				"  Missing permissions, with reason and commands:");
		}
		any = true;
		str_addf(add(lines, ROLE_WARN), "  no    %s", row->what);
		add_wrapped(lines, ROLE_DIM, "        ", row->why, cols);
		add_commands(lines, row->setting, row->program, cols);
	}
}

/* Add the lines above the table for a user whose tracing was refused. */
static void add_refusal(struct access_lines *lines, const struct access *access,
			const char *refusal, int cols)
{
	if (access_is_enough(access))
		add_wrapped(lines, ROLE_GOOD, "", "Permission granted: Enter restarts stxtop",
			    cols);
	else
		add_wrapped(lines, ROLE_ERROR, "", refusal, cols);
	if (!access_is_enough(access) && access->rows[ACCESS_OWN_CALLS].works) {
		struct str own = STR_INIT;

		str_addf(&own, "stxtop -u %u", (unsigned int)getuid());
		add_command(lines, "Watch your own processes: ", own.data, cols);
		str_release(&own);
	}
	if (!access_is_enough(access))
		add_command(lines, "To explore the demo recording meanwhile: ", "stxtop --demo",
			    cols);
	add(lines, ROLE_TEXT);
}

void access_lines_fill(struct access_lines *lines, const struct access *access, const char *refusal,
		       int cols)
{
	struct access_plan plans[ACCESS_PLANS];
	size_t plan_count = access_plans(access, plans);

	clear(lines);
	if (refusal)
		add_refusal(lines, access, refusal, cols);
	add_table(lines, access);
	if (access->setting[0] || access->program[0] || access->note[0])
		add(lines, ROLE_TEXT);
	if (access->setting[0] || access->program[0])
		str_add(add(lines, ROLE_STRONG),
			"  To grant all missing permissions, run one of these as root:");
	add_commands(lines, access->setting, access->program, cols);
	add_wrapped(lines, ROLE_WARN, "  ", access->note, cols);
	add_reasons(lines, access, cols);
	if (!plan_count)
		return;
	add(lines, ROLE_TEXT);
	str_add(add(lines, ROLE_STRONG), "  Probes by requested data:");
	for (size_t i = 0; i < plan_count; i++)
		str_addf(add(lines, ROLE_TEXT), "        %-20s %s", plans[i].wanted,
			 plans[i].probes);
}
