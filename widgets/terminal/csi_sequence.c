#include "widgets/terminal/csi_sequence.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_BYTES 32

static void add_digit(struct key_sequence *sequence, int digit)
{
	int at = sequence->count - 1;

	if (at < KEY_SEQUENCE_NUMBERS && sequence->numbers[at] < 100000)
		sequence->numbers[at] = sequence->numbers[at] * 10 + digit;
}

enum key_sequence_state key_sequence_read(struct key_sequence *sequence, const unsigned char *bytes,
					  size_t len, size_t *read)
{
	*sequence = (struct key_sequence){ .count = 0 };
	for (*read = 0; *read < MAX_BYTES; ++*read) {
		unsigned char c;

		if (*read == len)
			return KEY_SEQUENCE_CUT;
		c = bytes[*read];
		if ((c >= '0' && c <= '9') || c == ';') {
			if (!sequence->count)
				sequence->count = 1;
			/* KEY_SEQUENCE_NUMBERS + 1: there are more numbers than fit. */
			if (c == ';' && sequence->count <= KEY_SEQUENCE_NUMBERS)
				sequence->count++;
			else if (c != ';')
				add_digit(sequence, c - '0');
		} else if (c >= '<' && c <= '?') {
			sequence->leader = (char)c;
		} else if (c >= '@' && c <= '~') {
			sequence->final = (char)c;
			++*read;
			return KEY_SEQUENCE_WHOLE;
		} else if (c < ' ' || c > '/') {
			return KEY_SEQUENCE_NONE; /* c is not part of a sequence */
		}
	}
	return KEY_SEQUENCE_NONE;
}

uint8_t key_sequence_mods(int parameter)
{
	unsigned int bits = parameter > 1 ? (unsigned int)parameter - 1 : 0;

	return (uint8_t)((bits & 1 ? KEY_MOD_SHIFT : 0U) | (bits & (2 | 8) ? KEY_MOD_ALT : 0U) |
			 (bits & 4 ? KEY_MOD_CTRL : 0U));
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
		return KEYS_ENTER; /* keypad */
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
		[1] = KEYS_HOME,    [2] = KEYS_INS,     [3] = KEYS_DEL,      [4] = KEYS_END,
		[5] = KEYS_PGUP,    [6] = KEYS_PGDN,    [7] = KEYS_HOME,     [8] = KEYS_END,
		[11] = KEYS_F1,     [12] = KEYS_F1 + 1, [13] = KEYS_F1 + 2,  [14] = KEYS_F1 + 3,
		[15] = KEYS_F1 + 4, [17] = KEYS_F1 + 5, [18] = KEYS_F1 + 6,  [19] = KEYS_F1 + 7,
		[20] = KEYS_F1 + 8, [21] = KEYS_F1 + 9, [23] = KEYS_F1 + 10, [24] = KEYS_F1 + 11,
	};

	return number >= 0 && number < (int)COUNT(keys) ? keys[number] : 0;
}

bool key_sequence_key(const struct key_sequence *sequence, struct key *key)
{
	uint8_t mods = key_sequence_mods(sequence->numbers[1]);
	uint32_t code = sequence->final == '~' ? number_key(sequence->numbers[0])
					       : letter_key(sequence->final);

	if (sequence->final == 'Z')
		mods |= KEY_MOD_SHIFT;
	if (!code || sequence->count > KEY_SEQUENCE_NUMBERS)
		return false;
	*key = (struct key){ code, mods };
	return true;
}
