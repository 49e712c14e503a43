#include "widgets/terminal/input_parser.h"

#include "engine/base/utf8.h"
#include "widgets/terminal/csi_sequence.h"

#include <string.h>

#define ESCAPE 27

/* Result of reading the bytes at the front of the buffer. */
enum step {
	STEP_EVENT,
	STEP_NOTHING, /* consumed without an event */
	STEP_MORE, /* incomplete */
};

void input_parser_init(struct input_parser *parser, const struct key_string *strings,
		       size_t string_count, bool wants_mouse)
{
	memset(parser, 0, sizeof(*parser));
	parser->strings = strings;
	parser->string_count = string_count;
	parser->wants_mouse = wants_mouse;
	str_init(&parser->paste);
}

void input_parser_release(struct input_parser *parser)
{
	str_release(&parser->paste);
}

size_t input_parser_put(struct input_parser *parser, const void *bytes, size_t len, uint64_t now_ns)
{
	size_t room = sizeof(parser->bytes) - parser->len;

	if (len > room)
		len = room;
	if (len && parser->pasting && now_ns - parser->heard_ns > INPUT_PARSER_PASTE_SILENCE_NS)
		parser->paste_is_over = true;
	if (len)
		parser->settled = false;
	parser->heard_ns = now_ns;
	memcpy(parser->bytes + parser->len, bytes, len);
	parser->len += len;
	return len;
}

static enum step swallow(struct input_parser *parser, size_t count, enum step step)
{
	parser->len -= count;
	memmove(parser->bytes, parser->bytes + count, parser->len);
	return step;
}

static enum step give_key(struct input_parser *parser, size_t count, struct key key,
			  struct input_event *event)
{
	event->kind = EVENT_KEY;
	event->key = key;
	return swallow(parser, count, STEP_EVENT);
}

/* ---- characters ---- */

static struct key control_key(const struct input_parser *parser, unsigned char c)
{
	if (c == '\b' && !parser->bs_is_backspace)
		return (struct key){ 'h', KEY_MOD_CTRL };
	switch (c) {
	case '\r':
		return (struct key){ KEYS_ENTER, 0 };
	case '\t':
		return (struct key){ KEYS_TAB, 0 };
	case '\b':
	case 127:
		return (struct key){ KEYS_BACKSPACE, 0 };
	case ESCAPE:
		return (struct key){ KEYS_ESC, 0 };
	case 0:
		return (struct key){ ' ', KEY_MOD_CTRL };
	default:
		return (struct key){ (uint32_t)(c < 27 ? c + 'a' - 1 : c + '@'), KEY_MOD_CTRL };
	}
}

/* Return the length of a UTF-8 character by its first byte; 0: invalid. */
static size_t text_bytes(unsigned char first)
{
	return first < 0x80   ? 1
	       : first < 0xc2 ? 0
	       : first < 0xe0 ? 2
	       : first < 0xf0 ? 3
	       : first < 0xf5 ? 4
			      : 0;
}

/*
 * Read the character at offset `at` and consume the bytes up to its end. mods: modifiers found in
 * the bytes before it.
 */
static enum step read_character(struct input_parser *parser, size_t at, uint8_t mods,
				struct input_event *event)
{
	const char *text = (const char *)parser->bytes + at;
	size_t there = parser->len - at, wanted = text_bytes(parser->bytes[at]), n = 1;
	uint32_t code = 0;
	struct key key;

	if (parser->bytes[at] < ' ' || parser->bytes[at] == 127) {
		key = control_key(parser, parser->bytes[at]);
	} else {
		n = utf8_decode(text, there, &code);
		if (!n) {
			/*
			 * Skip up to the invalid byte. If the character is only incomplete, wait
			 * for more bytes.
			 */
			size_t right = 1;

			while (right < wanted && right < there &&
			       (parser->bytes[at + right] & 0xc0) == 0x80)
				right++;
			if (right < wanted && right == there)
				return STEP_MORE;
			return swallow(parser, at + right, STEP_NOTHING);
		}
		if (code >= 0x80 && code < 0xa0)
			return swallow(parser, at + n, STEP_NOTHING);
		key = (struct key){ code, 0 };
	}
	key.mods |= mods;
	return give_key(parser, at + n, key, event);
}

/* ---- sequences ---- */

/* Find the longest terminfo string at the front. STEP_MORE: it is still incomplete. */
static enum step read_key_string(struct input_parser *parser, struct input_event *event)
{
	const struct key_string *found = NULL;

	for (size_t i = 0; i < parser->string_count; i++) {
		const struct key_string *string = &parser->strings[i];
		size_t common = string->len < parser->len ? string->len : parser->len;

		if (memcmp(string->bytes, parser->bytes, common))
			continue;
		if (common < string->len) {
			if (!parser->settled)
				return STEP_MORE;
			continue;
		}
		if (!found || string->len > found->len)
			found = string;
	}
	return found ? give_key(parser, found->len, found->key, event) : STEP_NOTHING;
}

static enum step give_mouse(struct input_parser *parser, size_t count, int bits, int x, int y,
			    bool release, uint64_t now_ns, struct input_event *event)
{
	swallow(parser, count, STEP_NOTHING);
	return parser->wants_mouse &&
			       mouse_report_read(&parser->press, bits, x, y, release, now_ns, event)
		       ? STEP_EVENT
		       : STEP_NOTHING;
}

/* Read the three bytes after Esc [ M. */
static enum step read_x10_mouse(struct input_parser *parser, size_t at, uint64_t now_ns,
				struct input_event *event)
{
	const unsigned char *bytes = parser->bytes + at;

	for (size_t i = 0; i < 3; i++) {
		if (at + i == parser->len)
			return STEP_MORE;
		if (bytes[i] < 32)
			return swallow(parser, at + i, STEP_NOTHING);
	}
	return give_mouse(parser, at + 3, bytes[0] - 32, bytes[1] - 32, bytes[2] - 32, false,
			  now_ns, event);
}

/* Read a sequence that begins with Esc [ or Esc O. */
static enum step read_control(struct input_parser *parser, uint64_t now_ns,
			      struct input_event *event)
{
	struct key_sequence sequence;
	size_t read;
	struct key key;

	switch (key_sequence_read(&sequence, parser->bytes + 2, parser->len - 2, &read)) {
	case KEY_SEQUENCE_CUT:
		return STEP_MORE;
	case KEY_SEQUENCE_NONE:
		return swallow(parser, 2 + read, STEP_NOTHING);
	case KEY_SEQUENCE_WHOLE:
		break;
	}
	if (sequence.leader == '<' && sequence.count == 3 &&
	    (sequence.final == 'M' || sequence.final == 'm'))
		return give_mouse(parser, 2 + read, sequence.numbers[0], sequence.numbers[1],
				  sequence.numbers[2], sequence.final == 'm', now_ns, event);
	if (sequence.leader)
		return swallow(parser, 2 + read, STEP_NOTHING);
	if (sequence.final == 'M' && parser->bytes[1] == '[' && !sequence.count)
		return read_x10_mouse(parser, 2 + read, now_ns, event);
	if (sequence.final == '~' && sequence.numbers[0] == 200) {
		str_clear(&parser->paste);
		parser->pasting = true;
		parser->paste_is_over = false;
		return swallow(parser, 2 + read, STEP_NOTHING);
	}
	if (!key_sequence_key(&sequence, &key))
		return swallow(parser, 2 + read, STEP_NOTHING);
	return give_key(parser, 2 + read, key, event);
}

/* Skip a reply of the terminal (OSC, DCS and similar), up to BEL or Esc \, CAN or SUB. */
static enum step skip_string(struct input_parser *parser)
{
	for (size_t i = 0; i < parser->len; i++) {
		unsigned char c = parser->bytes[i];

		if (c == 7 || c == 24 || c == 26) {
			parser->skipping = false;
			return swallow(parser, i + 1, STEP_NOTHING);
		}
		if (c != ESCAPE)
			continue;
		if (i + 1 == parser->len) {
			swallow(parser, i, STEP_NOTHING);
			return STEP_MORE;
		}
		parser->skipping = false;
		return swallow(parser, i + (parser->bytes[i + 1] == '\\' ? 2 : 0), STEP_NOTHING);
	}
	return swallow(parser, parser->len, STEP_MORE);
}

/* Read Esc alone, Alt with a key, or a sequence. */
static enum step read_escape(struct input_parser *parser, uint64_t now_ns,
			     struct input_event *event)
{
	enum step step = STEP_MORE;

	if (parser->len == 1) {
		if (parser->settled)
			return give_key(parser, 1, (struct key){ KEYS_ESC, 0 }, event);
		return STEP_MORE;
	}
	if (parser->bytes[1] == ESCAPE) /* Esc twice: one key at a time */
		return give_key(parser, 1, (struct key){ KEYS_ESC, 0 }, event);
	if (parser->len == 2 && strchr("[O]P_^X", parser->bytes[1]) && parser->bytes[1])
		step = parser->settled ? read_character(parser, 1, KEY_MOD_ALT, event) : STEP_MORE;
	else if (parser->bytes[1] == '[' || parser->bytes[1] == 'O')
		step = read_control(parser, now_ns, event);
	else if (strchr("]P_^X", parser->bytes[1]) && parser->bytes[1]) {
		parser->skipping = true;
		return swallow(parser, 2, STEP_NOTHING);
	} else {
		step = read_character(parser, 1, KEY_MOD_ALT, event);
	}
	/* Drop a sequence that stayed incomplete: it is not a key. */
	if (step == STEP_MORE && parser->settled)
		return swallow(parser, parser->len, STEP_NOTHING);
	return step;
}

/* ---- pastes ---- */

static enum step end_paste(struct input_parser *parser, size_t count, struct input_event *event)
{
	parser->pasting = parser->paste_is_over = false;
	event->kind = EVENT_PASTE;
	event->paste = parser->paste.data;
	event->paste_bytes = parser->paste.len;
	return swallow(parser, count, STEP_EVENT);
}

static void store_pasted(struct input_parser *parser, size_t count)
{
	size_t room = INPUT_PARSER_PASTE_BYTES - parser->paste.len;

	str_addn(&parser->paste, (const char *)parser->bytes, count < room ? count : room);
}

static enum step read_paste(struct input_parser *parser, struct input_event *event)
{
	unsigned char *escape = memchr(parser->bytes, ESCAPE, parser->len);
	size_t before = escape ? (size_t)(escape - parser->bytes) : parser->len, read = 0;
	struct key_sequence sequence;

	if (before || !escape) {
		store_pasted(parser, before);
		return swallow(parser, before, before ? STEP_NOTHING : STEP_MORE);
	}
	/* Skip escape sequences, which are not part of pasted text. */
	if (parser->len == 1)
		return parser->settled ? swallow(parser, 1, STEP_NOTHING) : STEP_MORE;
	if (parser->bytes[1] != '[')
		return swallow(parser, 1, STEP_NOTHING);
	switch (key_sequence_read(&sequence, parser->bytes + 2, parser->len - 2, &read)) {
	case KEY_SEQUENCE_CUT:
		if (!parser->settled)
			return STEP_MORE;
		break;
	case KEY_SEQUENCE_NONE:
		break;
	case KEY_SEQUENCE_WHOLE:
		if (sequence.final == '~' && !sequence.leader && sequence.numbers[0] == 201)
			return end_paste(parser, 2 + read, event);
		return swallow(parser, 2 + read, STEP_NOTHING);
	}
	return swallow(parser, 2, STEP_NOTHING);
}

/* ---- events ---- */

static enum step read_front(struct input_parser *parser, uint64_t now_ns, struct input_event *event)
{
	enum step step;

	if (parser->pasting)
		return parser->paste_is_over ? end_paste(parser, 0, event)
					     : read_paste(parser, event);
	if (!parser->len)
		return STEP_MORE;
	if (parser->skipping)
		return skip_string(parser);
	step = read_key_string(parser, event);
	if (step != STEP_NOTHING)
		return step;
	return parser->bytes[0] == ESCAPE ? read_escape(parser, now_ns, event)
					  : read_character(parser, 0, 0, event);
}

bool input_parser_next(struct input_parser *parser, struct input_event *event, uint64_t now_ns)
{
	enum step step;

	do {
		*event = (struct input_event){ .kind = EVENT_NONE };
		step = read_front(parser, now_ns, event);
	} while (step == STEP_NOTHING);
	if (step != STEP_EVENT)
		*event = (struct input_event){ .kind = EVENT_NONE };
	return step == STEP_EVENT;
}

bool input_parser_waits(const struct input_parser *parser)
{
	/*
	 * An incomplete UTF-8 character needs no timeout: its meaning does not depend on the delay.
	 */
	return !parser->settled && (parser->skipping || (parser->len && parser->bytes[0] < 0x80));
}

void input_parser_settle(struct input_parser *parser)
{
	parser->settled = true;
	parser->skipping = false;
}
