#include "tests/screens/key_bytes.h"

#include <stdio.h>
#include <string.h>

struct key_name {
	const char *name, *bytes;
};

/* As xterm sends them in application mode, which is what terminfo promises curses. */
static const struct key_name keys[] = {
	{ "Enter", "\r" },	  { "Esc", "\033" },	   { "Tab", "\t" },
	{ "Shift-Tab", "\033[Z" }, { "Space", " " },	   { "Backspace", "\177" },
	{ "Up", "\033OA" },	  { "Down", "\033OB" },	   { "Right", "\033OC" },
	{ "Left", "\033OD" },	  { "Home", "\033OH" },	   { "End", "\033OF" },
	{ "PgUp", "\033[5~" },	  { "PgDn", "\033[6~" },   { "Del", "\033[3~" },
	{ "F1", "\033OP" },	  { "F2", "\033OQ" },	   { "F3", "\033OR" },
	{ "F4", "\033OS" },	  { "F5", "\033[15~" },	   { "F6", "\033[17~" },
	{ "F7", "\033[18~" },	  { "F8", "\033[19~" },	   { "F9", "\033[20~" },
	{ "F10", "\033[21~" },
};

static bool add_click(const char *place, struct str *out)
{
	int col, row;

	if (sscanf(place, "%d,%d", &col, &row) != 2)
		return false;
	str_addf(out, "\033[<0;%d;%dM\033[<0;%d;%dm", col, row, col, row);
	return true;
}

static bool add_drag(const char *places, struct str *out)
{
	int from_col, from_row, col, row;

	if (sscanf(places, "%d,%d,%d,%d", &from_col, &from_row, &col, &row) != 4)
		return false;
	str_addf(out, "\033[<0;%d;%dM\033[<32;%d;%dM\033[<0;%d;%dm", from_col, from_row, col, row,
		 col, row);
	return true;
}

bool key_bytes(const char *word, struct str *out)
{
	size_t len = strlen(word);

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(word, keys[i].name)) {
			str_add(out, keys[i].bytes);
			return true;
		}
	if (!strncmp(word, "Click:", 6))
		return add_click(word + 6, out);
	if (!strncmp(word, "Drag:", 5))
		return add_drag(word + 5, out);
	if (!strncmp(word, "Ctrl-", 5) && len == 6) {
		str_addc(out, (char)(word[5] & 0x1f));
		return true;
	}
	if (word[0] == '"') {
		if (len > 1 && word[len - 1] == '"')
			len--;
		str_addn(out, word + 1, len - 1);
		return true;
	}
	if (len != 1)
		return false;
	str_addc(out, word[0]);
	return true;
}
