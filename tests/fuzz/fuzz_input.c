/*
 * fuzz_input - any bytes from a terminal. The first byte sets the size of the chunks. Events are
 * within bounds, and a key after a pause is parsed as that key.
 */
#include "widgets/terminal/input_parser.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct key_string strings[] = {
	{ "\033OA", 3, { KEYS_UP, 0 } },      { "\033[A", 3, { KEYS_UP, 0 } },
	{ "\033[15~", 5, { KEYS_F1, 0 } },    { "\001@\r", 3, { KEYS_F1 + 1, 0 } },
	{ "\177", 1, { KEYS_BACKSPACE, 0 } },
};

static void check(const struct input_event *event)
{
	char name[KEY_NAME_BYTES];
	struct key again;

	switch (event->kind) {
	case EVENT_KEY:
		if (key_parse(key_format(name, event->key), &again) ||
		    !key_equal(again, event->key))
			abort();
		break;
	case EVENT_MOUSE:
		if (event->mouse.row < 0 || event->mouse.col < 0 || event->mouse.button < 0 ||
		    event->mouse.button > 3)
			abort();
		break;
	case EVENT_PASTE:
		if (event->paste_bytes > INPUT_PARSER_PASTE_BYTES ||
		    (event->paste_bytes && memchr(event->paste, 27, event->paste_bytes)))
			abort();
		break;
	default:
		abort();
	}
}

/* Take the events; abort after too many. Each needs a byte, except a paste whose end was lost. */
static void take(struct input_parser *parser, uint64_t now, size_t most)
{
	struct input_event event;

	for (size_t i = 0; input_parser_next(parser, &event, now); i++) {
		check(&event);
		if (i > most)
			abort();
	}
}

static void settle(struct input_parser *parser, uint64_t now)
{
	for (int i = 0; input_parser_waits(parser); i++) {
		input_parser_settle(parser);
		take(parser, now, INPUT_PARSER_BYTES);
		if (i > INPUT_PARSER_BYTES)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input_parser parser;
	struct input_event event;
	uint64_t now = 1;
	size_t step;

	if (!size)
		return 0;
	step = (data[0] & 63) + 1;
	input_parser_init(&parser, strings, sizeof(strings) / sizeof(strings[0]), data[0] & 64);
	for (size_t at = 1; at < size; at += step) {
		size_t n = size - at < step ? size - at : step;

		/* The buffer always has room. */
		if (input_parser_put(&parser, data + at, n, now) != n)
			abort();
		take(&parser, now, n + INPUT_PARSER_BYTES);
		if (data[0] & 128)
			settle(&parser, now);
		now += 1000000;
	}
	settle(&parser, now);
	now += 2 * INPUT_PARSER_PASTE_SILENCE_NS;
	input_parser_put(&parser, "q", 1, now);
	take(&parser, now, 2);
	settle(&parser, now);
	input_parser_put(&parser, "z", 1, now);
	if (!input_parser_next(&parser, &event, now) || event.kind != EVENT_KEY ||
	    event.key.code != 'z')
		abort();
	input_parser_release(&parser);
	return 0;
}
