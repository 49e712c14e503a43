/*
 * input_parser - converts the bytes from a terminal into events.
 *
 * Recognizes the key sequences of terminfo (key_string), the sequences that xterm and compatible
 * terminals send regardless of terminfo, mouse reports, bracketed pastes and UTF-8. Unknown
 * sequences, including replies of the terminal, are skipped as a whole, so that their letters are
 * not read as keys. Makes no system calls; memory is bounded for any input. One thread.
 *
 *	input_parser_put(&parser, bytes, n, now_ns);
 *	while (input_parser_next(&parser, &event, now_ns))
 *		…;
 *	if (input_parser_waits(&parser)) … and INPUT_PARSER_WAIT_MS later, if no byte came:
 *		input_parser_settle(&parser);
 */
#ifndef TERMINAL_INPUT_PARSER_H
#define TERMINAL_INPUT_PARSER_H

#include "engine/base/str.h"
#include "widgets/terminal/event.h"
#include "widgets/terminal/mouse_report.h"

#define INPUT_PARSER_BYTES 4096
/* Maximum delay between the start of a sequence and its remaining bytes. */
#define INPUT_PARSER_WAIT_MS 25
/* Maximum size of a paste; further bytes are dropped. */
#define INPUT_PARSER_PASTE_BYTES 131072
/* A paste whose end sequence was lost ends after this silence; later bytes are typed input. */
#define INPUT_PARSER_PASTE_SILENCE_NS (5ULL * 1000000000)

struct key_string {
	const char *bytes;
	size_t len;
	struct key key;
};

struct input_parser {
	const struct key_string *strings; /* borrowed */
	size_t string_count;
	bool wants_mouse; /* false: mouse reports are skipped */
	bool bs_is_backspace; /* the erase character is Ctrl-H, which is then not a separate key */
	unsigned char bytes[INPUT_PARSER_BYTES];
	size_t len;
	bool settled; /* the wait for bytes that complete the buffered ones is over */
	bool skipping; /* inside a reply of the terminal, until its end */
	bool pasting;
	bool paste_is_over; /* if pasting is set: the end sequence was lost */
	struct str paste;
	uint64_t heard_ns;
	struct mouse_press press;
};

void input_parser_init(struct input_parser *parser, const struct key_string *strings,
		       size_t string_count, bool wants_mouse);
void input_parser_release(struct input_parser *parser);

/*
 * Copy bytes into the buffer; return how many fit. All fit after input_parser_next() returned
 * false.
 */
size_t input_parser_put(struct input_parser *parser, const void *bytes, size_t len,
			uint64_t now_ns);
/* Return the next event. False: more bytes are needed. A paste is borrowed until the next call. */
bool input_parser_next(struct input_parser *parser, struct input_event *event, uint64_t now_ns);
/* True if the buffer holds an incomplete sequence whose meaning depends on further bytes. */
bool input_parser_waits(const struct input_parser *parser);
/*
 * End the wait: Esc becomes a key, an incomplete sequence is dropped. Then call input_parser_next()
 * again.
 */
void input_parser_settle(struct input_parser *parser);

#endif
