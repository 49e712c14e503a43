#include "widgets/screen_keys.h"

#include <string.h>

#include <curses.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	int curses;
	struct key key;
} curses_keys[] = {
	{ KEY_ENTER, { KEYS_ENTER, 0 } },
	{ KEY_BACKSPACE, { KEYS_BACKSPACE, 0 } },
	{ KEY_DC, { KEYS_DEL, 0 } },
	{ KEY_IC, { KEYS_INS, 0 } },
	{ KEY_UP, { KEYS_UP, 0 } },
	{ KEY_DOWN, { KEYS_DOWN, 0 } },
	{ KEY_LEFT, { KEYS_LEFT, 0 } },
	{ KEY_RIGHT, { KEYS_RIGHT, 0 } },
	{ KEY_HOME, { KEYS_HOME, 0 } },
	{ KEY_END, { KEYS_END, 0 } },
	{ KEY_PPAGE, { KEYS_PGUP, 0 } },
	{ KEY_NPAGE, { KEYS_PGDN, 0 } },
	{ KEY_A1, { KEYS_HOME, 0 } }, /* the corners of the numeric keypad */
	{ KEY_A3, { KEYS_PGUP, 0 } },
	{ KEY_C1, { KEYS_END, 0 } },
	{ KEY_C3, { KEYS_PGDN, 0 } },
	{ KEY_BTAB, { KEYS_TAB, KEY_MOD_SHIFT } },
	{ KEY_SR, { KEYS_UP, KEY_MOD_SHIFT } },
	{ KEY_SF, { KEYS_DOWN, KEY_MOD_SHIFT } },
	{ KEY_SLEFT, { KEYS_LEFT, KEY_MOD_SHIFT } },
	{ KEY_SRIGHT, { KEYS_RIGHT, KEY_MOD_SHIFT } },
	{ KEY_SHOME, { KEYS_HOME, KEY_MOD_SHIFT } },
	{ KEY_SEND, { KEYS_END, KEY_MOD_SHIFT } },
	{ KEY_SPREVIOUS, { KEYS_PGUP, KEY_MOD_SHIFT } },
	{ KEY_SNEXT, { KEYS_PGDN, KEY_MOD_SHIFT } },
	{ KEY_SDC, { KEYS_DEL, KEY_MOD_SHIFT } },
	{ KEY_SIC, { KEYS_INS, KEY_MOD_SHIFT } },
};

/* Terminfo's extended names: kLFT5 is Ctrl-Left; the digit is 1 + xterm's modifier bits. */
static const struct {
	const char *name;
	uint32_t code;
} extended_keys[] = {
	{ "kUP", KEYS_UP },   { "kDN", KEYS_DOWN },  { "kLFT", KEYS_LEFT }, { "kRIT", KEYS_RIGHT },
	{ "kHOM", KEYS_HOME }, { "kEND", KEYS_END }, { "kPRV", KEYS_PGUP }, { "kNXT", KEYS_PGDN },
	{ "kDC", KEYS_DEL },  { "kIC", KEYS_INS },
};

static bool give(struct key *key, uint32_t code, unsigned int mods)
{
	*key = (struct key){ code, (uint8_t)mods };
	return true;
}

/* xterm's modifier parameter: 1 + (1 Shift, 2 Alt, 4 Ctrl); Meta (8) is taken as Alt. */
static unsigned int xterm_mods(int parameter)
{
	unsigned int bits = parameter > 1 ? (unsigned int)parameter - 1 : 0;

	return (bits & 1 ? KEY_MOD_SHIFT : 0U) | (bits & (2 | 8) ? KEY_MOD_ALT : 0U) |
	       (bits & 4 ? KEY_MOD_CTRL : 0U);
}

static bool from_extended(int code, struct key *key)
{
	const char *name = keyname(code);
	size_t len = name ? strlen(name) : 0;

	if (len < 3 || name[len - 1] < '2' || name[len - 1] > '8')
		return false;
	for (size_t i = 0; i < COUNT(extended_keys); i++)
		if (strlen(extended_keys[i].name) == len - 1 &&
		    !strncmp(extended_keys[i].name, name, len - 1))
			return give(key, extended_keys[i].code, xterm_mods(name[len - 1] - '0'));
	return false;
}

bool screen_keys_from_curses(int code, struct key *key)
{
	for (size_t i = 0; i < COUNT(curses_keys); i++)
		if (curses_keys[i].curses == code)
			return give(key, curses_keys[i].key.code, curses_keys[i].key.mods);
	if (code >= KEY_F(1) && code <= KEY_F(12))
		return give(key, KEYS_F1 + (uint32_t)(code - KEY_F(1)), 0);
	/* Terminfo counts on: F13 is what terminals send for Shift-F1, F25 for Ctrl-F1. */
	if (code >= KEY_F(13) && code <= KEY_F(24))
		return give(key, KEYS_F1 + (uint32_t)(code - KEY_F(13)), KEY_MOD_SHIFT);
	if (code >= KEY_F(25) && code <= KEY_F(36))
		return give(key, KEYS_F1 + (uint32_t)(code - KEY_F(25)), KEY_MOD_CTRL);
	return from_extended(code, key);
}

static uint32_t letter_key(int final)
{
	switch (final) {
	case 'A':
		return KEYS_UP;
	case 'B':
		return KEYS_DOWN;
	case 'C':
		return KEYS_RIGHT;
	case 'D':
		return KEYS_LEFT;
	case 'H':
		return KEYS_HOME;
	case 'F':
		return KEYS_END;
	case 'M':
		return KEYS_ENTER; /* of the keypad */
	case 'Z':
		return KEYS_TAB;
	case 'P':
	case 'Q':
	case 'R':
	case 'S':
		return KEYS_F1 + (uint32_t)(final - 'P');
	default:
		return 0;
	}
}

static uint32_t number_key(int number)
{
	static const uint32_t keys[] = {
		[1] = KEYS_HOME, [2] = KEYS_INS, [3] = KEYS_DEL, [4] = KEYS_END,
		[5] = KEYS_PGUP, [6] = KEYS_PGDN, [7] = KEYS_HOME, [8] = KEYS_END,
		[11] = KEYS_F1, [12] = KEYS_F1 + 1, [13] = KEYS_F1 + 2, [14] = KEYS_F1 + 3,
		[15] = KEYS_F1 + 4, [17] = KEYS_F1 + 5, [18] = KEYS_F1 + 6, [19] = KEYS_F1 + 7,
		[20] = KEYS_F1 + 8, [21] = KEYS_F1 + 9, [23] = KEYS_F1 + 10, [24] = KEYS_F1 + 11,
	};

	return number >= 0 && number < (int)COUNT(keys) ? keys[number] : 0;
}

bool screen_keys_from_sequence(const int *numbers, int count, int final, struct key *key)
{
	unsigned int mods = xterm_mods(count > 1 ? numbers[1] : 0);
	uint32_t code = final == '~' ? number_key(numbers[0]) : letter_key(final);

	if (final == 'Z')
		mods |= KEY_MOD_SHIFT;
	return code && give(key, code, mods);
}
