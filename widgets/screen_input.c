#include "widgets/screen_input.h"

#include "engine/base/clock.h"
#include "engine/base/utf8.h"
#include "widgets/screen_keys.h"
#include "widgets/screen_private.h"

#include <poll.h>
#include <stdlib.h>

#include <curses.h>

#define ESCAPE 27
#define TWICE_NS (400 * NS_PER_MS) /* two presses within this are a double click */
#define MAX_SEQUENCE 32
#define MAX_NUMBERS 4
/* Of a paste that goes on, before others have their turn: curses reads byte by byte. */
#define PASTE_BYTES_AT_ONCE 1024

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
	int numbers[MAX_NUMBERS];
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
			if (sequence->count == MAX_NUMBERS)
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

static bool give_sgr_mouse(struct screen *screen, struct input_event *event,
			   const struct sequence *sequence)
{
	return (sequence->final == 'M' || sequence->final == 'm') && sequence->count == 3 &&
	       give_mouse(screen, event, sequence->numbers[0], sequence->numbers[1],
			  sequence->numbers[2], sequence->final == 'm');
}

/* After Esc [ or Esc O. Unknown ones are swallowed whole: their letters are no keys. */
static bool read_control(struct screen *screen, struct input_event *event, int intro, int c)
{
	struct sequence sequence;

	if (!read_sequence(screen, &sequence, c))
		return false;
	if (sequence.leader == '<')
		return give_sgr_mouse(screen, event, &sequence);
	if (sequence.leader)
		return false;
	if (sequence.final == 'M' && intro == '[' && !sequence.count)
		return read_x10_mouse(screen, event);
	if (sequence.final == '~' && sequence.numbers[0] == 200) {
		str_clear(&screen->input.paste);
		screen->input.pasting = true;
		return false;
	}
	event->kind = EVENT_KEY;
	return screen_keys_from_sequence(sequence.numbers, sequence.count, sequence.final,
					 &event->key);
}

/* ---- keys ---- */

static bool give_curses_key(struct input_event *event, int code)
{
	event->kind = EVENT_KEY;
	return screen_keys_from_curses(code, &event->key);
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
		if (c == '[' && read_sequence(screen, &sequence, next_byte(screen)) &&
		    sequence.final == '~' && sequence.numbers[0] == 201) {
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
			return read_sequence(screen, &sequence, next) &&
			       give_sgr_mouse(screen, event, &sequence);
		return next != ERR && ungetch(next) != ERR && read_x10_mouse(screen, event);
	}
	if (c == ESCAPE)
		return read_escape(screen, event);
	return c >= KEY_MIN ? give_curses_key(event, c) : give_byte(screen, event, c);
}

static bool has(const struct screen *screen, short events)
{
	struct pollfd poll_fd = { .fd = screen->in_fd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) > 0 && (poll_fd.revents & events);
}

static bool is_gone(const struct screen *screen)
{
	return has(screen, POLLHUP | POLLERR | POLLNVAL);
}

bool screen_input_next(struct screen *screen, struct input_event *event)
{
	int c, pasted = 0;

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
		/* Whoever polls is called again. */
		if (screen->input.pasting && ++pasted >= PASTE_BYTES_AT_ONCE &&
		    has(screen, POLLIN))
			return false;
	}
	if (is_gone(screen)) {
		event->kind = EVENT_HANGUP;
		return true;
	}
	return false;
}
