#include "widgets/screen_input.h"

#include "engine/base/clock.h"
#include "engine/base/utf8.h"
#include "widgets/screen_private.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <curses.h>

#define ESCAPE 27
#define TWICE_NS (400 * NS_PER_MS) /* two presses within this are a double click */
#define MAX_SEQUENCE 32

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

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int screen_input_fd(const struct screen *screen)
{
	return screen->in_fd;
}

/* The next byte of a sequence that has begun: it may lag a little. */
static int next_byte(struct screen *screen)
{
	int c;

	wtimeout(screen->keys, SCREEN_ESC_WAIT_MS);
	c = wgetch(screen->keys);
	nodelay(screen->keys, TRUE);
	return c;
}

static bool give_key(struct input_event *event, uint32_t code, unsigned int mods)
{
	event->kind = EVENT_KEY;
	event->key = (struct key){ code, (uint8_t)mods };
	return true;
}

/* xterm's modifier parameter: 1 + (1 Shift, 2 Alt, 4 Ctrl); Meta (8) is taken as Alt. */
static unsigned int xterm_mods(int parameter)
{
	unsigned int bits = parameter > 1 ? (unsigned int)parameter - 1 : 0;

	return (bits & 1 ? KEY_MOD_SHIFT : 0U) | (bits & (2 | 8) ? KEY_MOD_ALT : 0U) |
	       (bits & 4 ? KEY_MOD_CTRL : 0U);
}

/* ---- mouse ---- */

/* A report in the numbers of xterm: button bits, and a position from 1. */
static bool give_mouse(struct screen *screen, struct input_event *event, int bits, int x, int y,
		       bool release)
{
	struct screen_input *input = &screen->input;
	uint64_t now = clock_now_ns();

	if (!screen->has_mouse || x < 1 || y < 1)
		return false;
	event->kind = EVENT_MOUSE;
	event->key.mods = (uint8_t)((bits & 4 ? KEY_MOD_SHIFT : 0) | (bits & 8 ? KEY_MOD_ALT : 0) |
				    (bits & 16 ? KEY_MOD_CTRL : 0));
	event->mouse.row = y - 1;
	event->mouse.col = x - 1;
	if (bits & 64) {
		if (bits & 2)
			return false; /* sideways wheels */
		event->mouse.action = bits & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
		return !release;
	}
	event->mouse.button = (bits & 3) + 1;
	if (event->mouse.button == 4) { /* the old protocol does not say which was released */
		release = true;
		event->mouse.button = input->button;
	}
	if (release) {
		event->mouse.action = MOUSE_RELEASE;
		return true;
	}
	if (bits & 32) {
		event->mouse.action = MOUSE_DRAG;
		return true;
	}
	event->mouse.action = MOUSE_PRESS;
	event->mouse.twice = input->button == event->mouse.button &&
			     input->press_row == event->mouse.row &&
			     input->press_col == event->mouse.col &&
			     now - input->press_ns < TWICE_NS;
	input->button = event->mouse.button;
	input->press_row = event->mouse.row;
	input->press_col = event->mouse.col;
	input->press_ns = event->mouse.twice ? 0 : now; /* a third press is a first again */
	return true;
}

static bool read_x10_mouse(struct screen *screen, struct input_event *event)
{
	int bytes[3];

	for (int i = 0; i < 3; i++) {
		bytes[i] = next_byte(screen);
		if (bytes[i] < 32 || bytes[i] > 255)
			return false;
	}
	return give_mouse(screen, event, bytes[0] - 32, bytes[1] - 32, bytes[2] - 32, false);
}

/* ---- escape sequences that curses did not know ---- */

struct sequence {
	int numbers[4];
	int count;
	char leader; /* '<' and the like before the numbers, or 0 */
	int final;
};

/* ECMA-48: parameters, intermediates, a final byte. False: cut short or not one. */
static bool read_sequence(struct screen *screen, struct sequence *sequence, int c)
{
	*sequence = (struct sequence){ .count = 0 };
	for (int length = 0; length < MAX_SEQUENCE; length++, c = next_byte(screen)) {
		if (c >= '0' && c <= '9') {
			int *number;

			if (!sequence->count)
				sequence->count = 1;
			number = &sequence->numbers[sequence->count - 1];
			if (*number < 100000)
				*number = *number * 10 + c - '0';
		} else if (c == ';') {
			if (!sequence->count)
				sequence->count = 1;
			if (sequence->count == (int)COUNT(sequence->numbers))
				return false;
			sequence->count++;
		} else if (c >= '<' && c <= '?') {
			sequence->leader = (char)c;
		} else if (c >= '@' && c <= '~') {
			sequence->final = c;
			return true;
		} else if (c < ' ' || c > '/') {
			return false;
		}
	}
	return false;
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

/* After Esc [ or Esc O. Unknown ones are swallowed whole: their letters are no keys. */
static bool read_control(struct screen *screen, struct input_event *event, int intro, int c)
{
	struct sequence sequence;
	unsigned int mods;
	uint32_t code;

	if (!read_sequence(screen, &sequence, c))
		return false;
	if (sequence.leader == '<')
		return (sequence.final == 'M' || sequence.final == 'm') &&
		       sequence.count == 3 &&
		       give_mouse(screen, event, sequence.numbers[0], sequence.numbers[1],
				  sequence.numbers[2], sequence.final == 'm');
	if (sequence.leader)
		return false;
	if (sequence.final == 'M' && intro == '[' && !sequence.count)
		return read_x10_mouse(screen, event);
	mods = xterm_mods(sequence.count > 1 ? sequence.numbers[1] : 0);
	if (sequence.final == '~') {
		if (sequence.numbers[0] == 200) {
			str_clear(&screen->input.paste);
			screen->input.pasting = true;
			return false;
		}
		code = number_key(sequence.numbers[0]);
	} else {
		code = letter_key(sequence.final);
		mods |= sequence.final == 'Z' ? KEY_MOD_SHIFT : 0U;
	}
	return code && give_key(event, code, mods);
}

/* ---- keys ---- */

static bool give_extended(struct input_event *event, int c)
{
	const char *name = keyname(c);
	size_t len = name ? strlen(name) : 0;

	if (len < 3 || name[len - 1] < '2' || name[len - 1] > '8')
		return false;
	for (size_t i = 0; i < COUNT(extended_keys); i++)
		if (strlen(extended_keys[i].name) == len - 1 &&
		    !strncmp(extended_keys[i].name, name, len - 1))
			return give_key(event, extended_keys[i].code,
					xterm_mods(name[len - 1] - '0'));
	return false;
}

static bool give_curses_key(struct input_event *event, int c)
{
	for (size_t i = 0; i < COUNT(curses_keys); i++)
		if (curses_keys[i].curses == c)
			return give_key(event, curses_keys[i].key.code, curses_keys[i].key.mods);
	if (c >= KEY_F(1) && c <= KEY_F(12))
		return give_key(event, KEYS_F1 + (uint32_t)(c - KEY_F(1)), 0);
	/* Terminfo counts on: F13 is what terminals send for Shift-F1, F25 for Ctrl-F1. */
	if (c >= KEY_F(13) && c <= KEY_F(24))
		return give_key(event, KEYS_F1 + (uint32_t)(c - KEY_F(13)), KEY_MOD_SHIFT);
	if (c >= KEY_F(25) && c <= KEY_F(36))
		return give_key(event, KEYS_F1 + (uint32_t)(c - KEY_F(25)), KEY_MOD_CTRL);
	return give_extended(event, c);
}

/* A byte of text; true when it completes a character. */
static bool give_text(struct screen_input *input, struct input_event *event, int c)
{
	uint32_t code;

	if (c < 0x80) {
		input->text_len = 0;
		return give_key(event, (uint32_t)c, 0);
	}
	if ((c & 0xc0) != 0x80)
		input->text_len = 0; /* a new one begins; an unfinished one is dropped */
	input->text[input->text_len++] = (unsigned char)c;
	if (utf8_decode((const char *)input->text, input->text_len, &code)) {
		input->text_len = 0;
		return code >= 0xa0 && give_key(event, code, 0);
	}
	if (input->text_len == sizeof(input->text))
		input->text_len = 0;
	return false;
}

static bool give_byte(struct screen *screen, struct input_event *event, int c)
{
	switch (c) {
	case '\r':
		return give_key(event, KEYS_ENTER, 0);
	case '\t':
		return give_key(event, KEYS_TAB, 0);
	case '\b':
	case 127:
		return give_key(event, KEYS_BACKSPACE, 0);
	case ESCAPE:
		return give_key(event, KEYS_ESC, 0);
	case 0:
		return give_key(event, ' ', KEY_MOD_CTRL);
	default:
		break;
	}
	if (c < 27)
		return give_key(event, (uint32_t)(c + 'a' - 1), KEY_MOD_CTRL);
	if (c < ' ')
		return give_key(event, (uint32_t)(c + '@'), KEY_MOD_CTRL);
	return give_text(&screen->input, event, c);
}

/* Esc alone, Alt with a key, or a sequence. */
static bool read_escape(struct screen *screen, struct input_event *event)
{
	int c = wgetch(screen->keys); /* curses has waited already */

	if (c == ERR)
		return give_key(event, KEYS_ESC, 0);
	if (c == '[' || c == 'O') {
		int next = next_byte(screen);

		if (next != ERR)
			return read_control(screen, event, c, next);
		return give_key(event, (uint32_t)c, KEY_MOD_ALT);
	}
	if (c == ESCAPE) { /* Esc twice: one at a time */
		ungetch(c);
		return give_key(event, KEYS_ESC, 0);
	}
	if (c >= KEY_MIN ? !give_curses_key(event, c) : !give_byte(screen, event, c))
		return false;
	event->key.mods |= KEY_MOD_ALT;
	return true;
}

static bool read_paste(struct screen *screen, struct input_event *event, int c)
{
	struct screen_input *input = &screen->input;
	struct sequence sequence;

	if (c == ESCAPE) {
		c = next_byte(screen);
		if (c == '[' && read_sequence(screen, &sequence, next_byte(screen)) && sequence.final == '~' &&
		    sequence.numbers[0] == 201) {
			input->pasting = false;
			event->kind = EVENT_PASTE;
			event->paste = input->paste.data;
			event->paste_bytes = input->paste.len;
			return true;
		}
		return false; /* sequences have no business in text */
	}
	if (c < 256 && input->paste.len < SCREEN_INPUT_PASTE_BYTES)
		str_addc(&input->paste, (char)c);
	return false;
}

static bool take(struct screen *screen, struct input_event *event, int c)
{
	if (screen->input.pasting)
		return read_paste(screen, event, c);
	if (c == KEY_MOUSE) {
		struct sequence sequence;
		int next = next_byte(screen);

		/* Terminfo's kmous is the beginning of a report in either protocol. */
		if (next >= '0' && next <= '9' && screen->input.sgr_mouse)
			return read_sequence(screen, &sequence, next) && sequence.count == 3 &&
			       give_mouse(screen, event, sequence.numbers[0], sequence.numbers[1],
					  sequence.numbers[2], sequence.final == 'm');
		return next != ERR && ungetch(next) != ERR && read_x10_mouse(screen, event);
	}
	if (c == ESCAPE)
		return read_escape(screen, event);
	return c >= KEY_MIN ? give_curses_key(event, c) : give_byte(screen, event, c);
}

static bool is_gone(const struct screen *screen)
{
	struct pollfd poll_fd = { .fd = screen->in_fd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) > 0 && (poll_fd.revents & (POLLHUP | POLLERR | POLLNVAL));
}

bool screen_input_next(struct screen *screen, struct input_event *event)
{
	int c;

	*event = (struct input_event){ .kind = EVENT_NONE };
	if (screen->suspended)
		return false;
	if (screen_check_size(screen)) {
		event->kind = EVENT_RESIZE;
		return true;
	}
	while ((c = wgetch(screen->keys)) != ERR) {
		if (take(screen, event, c))
			return true;
		*event = (struct input_event){ .kind = EVENT_NONE };
	}
	if (is_gone(screen)) {
		event->kind = EVENT_HANGUP;
		return true;
	}
	return false;
}
