#include "tests/screens/key_bytes.h"

#include <stdio.h>
#include <string.h>

struct key_name {
	const char *name, *bytes;
};

/* Keys as xterm sends them in application mode, which terminfo describes and ncurses selects. */
/* clang-format off */
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
	{ "Ctrl-Left", "\033[1;5D" },	       { "Ctrl-Right", "\033[1;5C" },
	{ "Ctrl-Home", "\033[1;5H" },	       { "Ctrl-End", "\033[1;5F" },
	{ "Ctrl-Up", "\033[1;5A" },	       { "Ctrl-Down", "\033[1;5B" },
	{ "Ctrl-Shift-Left", "\033[1;6D" },    { "Ctrl-Shift-Right", "\033[1;6C" },
};
/* clang-format on */

#define PRESS "\033[<0;%d;%dM"
#define MOVE "\033[<32;%d;%dM"
#define RELEASE "\033[<0;%d;%dm"

static bool is_named(const char *word, const char *name, const char **place)
{
	size_t len = strlen(name);

	*place = word + len + 1;
	return !strncmp(word, name, len) && word[len] == ':';
}

static bool add_mouse(const char *word, struct str *out)
{
	int col, row, to_col, to_row, count;
	const char *place;

	if (!is_named(word, "Click", &place) && !is_named(word, "Twice", &place) &&
	    !is_named(word, "Drag", &place) && !is_named(word, "WheelUp", &place) &&
	    !is_named(word, "WheelDown", &place))
		return false;
	count = sscanf(place, "%d,%d,%d,%d", &col, &row, &to_col, &to_row);
	if (count != (word[0] == 'D' ? 4 : 2))
		return false;
	if (word[0] == 'W') {
		str_addf(out, "\033[<%d;%d;%dM", word[5] == 'U' ? 64 : 65, col, row);
		return true;
	}
	str_addf(out, PRESS, col, row);
	if (word[0] == 'D') {
		str_addf(out, MOVE MOVE, (col + to_col) / 2, (row + to_row) / 2, to_col, to_row);
		str_addf(out, RELEASE, to_col, to_row);
		return true;
	}
	str_addf(out, RELEASE, col, row);
	if (word[0] == 'T')
		str_addf(out, PRESS RELEASE, col, row, col, row);
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
	if (add_mouse(word, out))
		return true;
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
