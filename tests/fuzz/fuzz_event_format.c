/*
 * fuzz_event_format - any bytes up to a NUL as the format of a tracepoint, the remaining bytes as
 * an event. Either the format is refused, or the text and fields of the event are printable and
 * made without reads outside the event.
 */
#include "engine/base/mem.h"
#include "engine/source/event_formats.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libtraceevent leaks some strings of a format that it rejects, a bounded number per file. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent.so";
}

static void check_plain(const char *text)
{
	if (strlen(text) > 4 * EVENT_TEXT_BYTES + 3)
		abort();
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			abort();
}

static void check_field(void *ctx, const char *name, const char *value)
{
	(void)ctx;
	check_plain(name);
	check_plain(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = memchr(data, '\0', size);
	size_t len = end ? (size_t)(end - data) : size;
	size_t raw_bytes = end ? size - len - 1 : 0;
	struct event_names *names = event_names_new();
	struct event_formats *formats = event_formats_new(names);
	struct str text = STR_INIT;
	void *raw = mem_alloc(raw_bytes + 1);
	char *exact = mem_alloc(len + 1);
	int number;

	memcpy(exact, data, len);
	if (raw_bytes)
		memcpy(raw, end + 1, raw_bytes);
	number = event_formats_add(formats, "fuzzed", "event", exact, len, true, NULL, NULL);
	if (number >= 0) {
		event_formats_text(formats, (uint64_t)number, raw, raw_bytes, 0, &text);
		check_plain(text.data);
		event_formats_fields(formats, (uint64_t)number, raw, raw_bytes, check_field, NULL);
	}
	free(exact);
	free(raw);
	str_release(&text);
	event_formats_free(formats);
	event_names_free(names);
	return 0;
}
