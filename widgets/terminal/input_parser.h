/*
 * input_parser - the bytes that a terminal sends, made into events.
 *
 * Knows the sequences of keys that terminfo gave (key_string), those that xterm and its like
 * send whether or not terminfo says so, mouse reports, bracketed pastes and UTF-8. What it does
 * not know, answers of the terminal among that, is swallowed whole: its letters are no
 * keys. Makes no system calls; memory is bounded whatever comes. One thread.
 *
 *	input_parser_put(&parser, bytes, n, now_ns);
 *	while (input_parser_next(&parser, &event, now_ns))
 *		…;
 *	if (input_parser_waits(&parser)) … and INPUT_PARSER_WAIT_MS later, if nothing came:
 *		input_parser_settle(&parser);
 */
#ifndef TERMINAL_INPUT_PARSER_H
#define TERMINAL_INPUT_PARSER_H

#include "engine/base/str.h"
#include "widgets/terminal/event.h"
#include "widgets/terminal/mouse_report.h"

#define INPUT_PARSER_BYTES 4096
/* How long the rest of a sequence may take to follow its beginning. */
#define INPUT_PARSER_WAIT_MS 25
/* The longest paste; the rest of it is dropped. */
#define INPUT_PARSER_PASTE_BYTES 131072
/* Paste whose end got lost: what comes after such a silence is typed. */
#define INPUT_PARSER_PASTE_SILENCE_NS (5ULL * 1000000000)

struct key_string {
	const char *bytes;
	size_t len;
	struct key key;
};

struct input_parser {
	const struct key_string *strings; /* borrowed */
	size_t string_count;
	bool wants_mouse; /* without it reports are swallowed */
	bool bs_is_backspace; /* the byte that erases is Ctrl-H, which is no other key then */
	unsigned char bytes[INPUT_PARSER_BYTES];
	size_t len;
	bool settled; /* what is there is all that comes */
	bool skipping; /* an answer of the terminal, up to its end */
	bool pasting;
	bool paste_is_over; /* with pasting: its end got lost */
	struct str paste;
	uint64_t heard_ns;
	struct mouse_press press;
};

void input_parser_init(struct input_parser *parser, const struct key_string *strings,
		       size_t string_count, bool wants_mouse);
void input_parser_release(struct input_parser *parser);

/* Takes what there is room for and returns how much; that is all if next said false before. */
size_t input_parser_put(struct input_parser *parser, const void *bytes, size_t len,
			uint64_t now_ns);
/* The next event. False: it takes more bytes. A paste is borrowed until the next call. */
bool input_parser_next(struct input_parser *parser, struct input_event *event, uint64_t now_ns);
/* Whether something was begun that means something else if nothing follows. */
bool input_parser_waits(const struct input_parser *parser);
/* Nothing followed: Esc is a key, what was cut off is dropped. Call next again. */
void input_parser_settle(struct input_parser *parser);

#endif
