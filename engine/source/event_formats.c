#include "engine/source/event_formats.h"

#include "engine/base/escape.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/source/tracepoint.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RAW_BYTES_MAX 65536 /* the size field of a record has 16 bits */

struct event_format {
	struct tracepoint *tracepoint;
	char *text; /* of the format file; the same name with another text is another tracepoint */
	size_t bytes;
};

struct event_formats {
	pthread_mutex_t mutex;
	struct event_names *names;
	struct event_format *formats; /* indexed by event number */
	size_t count, cap;
	unsigned char *raw; /* RAW_BYTES_MAX + TRACEPOINT_SLACK bytes; all zeros between two uses */
};

struct event_formats *event_formats_new(struct event_names *names)
{
	struct event_formats *formats = mem_zalloc(1, sizeof(*formats));

	lock_init(&formats->mutex);
	formats->names = names;
	return formats;
}

void event_formats_free(struct event_formats *formats)
{
	if (!formats)
		return;
	for (size_t i = 0; i < formats->count; i++) {
		tracepoint_free(formats->formats[i].tracepoint);
		free(formats->formats[i].text);
	}
	free(formats->formats);
	free(formats->raw);
	pthread_mutex_destroy(&formats->mutex);
	free(formats);
}

/* -- Adding ---------------------------------------------------------------------------- */

static int find(const struct event_formats *formats, const char *name, const char *text,
		size_t bytes)
{
	for (size_t i = 0; i < formats->count; i++)
		if (formats->formats[i].bytes == bytes &&
		    !memcmp(formats->formats[i].text, text, bytes) &&
		    !strcmp(event_names_get(formats->names, i), name))
			return (int)i;
	return -ENOENT;
}

static int add(struct event_formats *formats, const char *system, const char *name,
	       const char *text, size_t bytes, bool foreign, struct err *err)
{
	struct tracepoint *tracepoint;
	int ret = tracepoint_parse_text(&tracepoint, system, text, bytes, foreign, err);
	int number;

	if (ret)
		return ret;
	number = event_names_add(formats->names, name);
	if (number < 0) {
		tracepoint_free(tracepoint);
		return err_set(err, number,
			       "%s: limit of %d tracepoints reached; restart stxtop to watch more",
			       name, EVENT_NAMES_MAX);
	}
	formats->formats = mem_grow(formats->formats, &formats->cap, formats->count + 1,
				    sizeof(*formats->formats));
	formats->formats[formats->count] = (struct event_format){ .tracepoint = tracepoint,
								  .bytes = bytes };
	formats->formats[formats->count].text = mem_alloc(bytes + 1);
	memcpy(formats->formats[formats->count].text, text, bytes);
	formats->count++;
	return number;
}

int event_formats_add(struct event_formats *formats, const char *system, const char *name,
		      const char *text, size_t bytes, bool foreign, uint64_t *id, struct err *err)
{
	char whole[EVENT_NAME_BYTES], shown[2 * EVENT_NAME_BYTES];
	int number;

	snprintf(whole, sizeof(whole), "%s:%s", system, name);
	escape_name(shown, sizeof(shown), whole);
	pthread_mutex_lock(&formats->mutex);
	number = find(formats, shown, text, bytes);
	if (number < 0)
		number = add(formats, system, shown, text, bytes, foreign, err);
	if (number >= 0 && id)
		*id = tracepoint_id(formats->formats[number].tracepoint);
	pthread_mutex_unlock(&formats->mutex);
	return number;
}

bool event_formats_get(struct event_formats *formats, uint64_t number, struct str *name,
		       struct str *text, uint64_t *id)
{
	const struct event_format *format;
	bool found;

	pthread_mutex_lock(&formats->mutex);
	found = number < formats->count;
	if (found) {
		format = &formats->formats[number];
		str_add(name, event_names_get(formats->names, number));
		str_addn(text, format->text, format->bytes);
		*id = tracepoint_id(format->tracepoint);
	}
	pthread_mutex_unlock(&formats->mutex);
	return found;
}

/* -- Texts ----------------------------------------------------------------------------- */

/*
 * Copy the bytes of an event into formats->raw and return its tracepoint; NULL if the bytes are too
 * short for its fields. Requires the mutex.
 */
static const struct tracepoint *take(struct event_formats *formats, uint64_t number,
				     const void *raw, size_t bytes)
{
	const struct tracepoint *tracepoint;

	if (number >= formats->count || !raw || bytes > RAW_BYTES_MAX)
		return NULL;
	tracepoint = formats->formats[number].tracepoint;
	if (!tracepoint_holds(tracepoint, raw, bytes))
		return NULL;
	if (!formats->raw)
		formats->raw = mem_zalloc(1, RAW_BYTES_MAX + TRACEPOINT_SLACK);
	memcpy(formats->raw, raw, bytes);
	return tracepoint;
}

static void put_back(struct event_formats *formats, size_t bytes)
{
	memset(formats->raw, 0, bytes);
}

static void add_escaped(struct str *out, const char *text, size_t len)
{
	bool cut = len > EVENT_TEXT_BYTES;

	str_add_escaped(out, text, cut ? EVENT_TEXT_BYTES : len, ESCAPE_PLAIN);
	if (cut)
		str_add(out, "...");
}

bool event_formats_text(struct event_formats *formats, uint64_t number, const void *raw,
			size_t bytes, uint32_t cpu, struct str *out)
{
	const struct tracepoint *tracepoint;
	struct str text = STR_INIT;

	pthread_mutex_lock(&formats->mutex);
	tracepoint = take(formats, number, raw, bytes);
	if (tracepoint) {
		tracepoint_add_text(tracepoint, formats->raw, bytes, cpu, &text);
		put_back(formats, bytes);
	}
	pthread_mutex_unlock(&formats->mutex);
	add_escaped(out, text.data, text.len);
	str_release(&text);
	return tracepoint != NULL;
}

struct escaping {
	event_field_fn *each;
	void *ctx;
};

static void escape_field(void *ctx, const char *name, const char *value)
{
	const struct escaping *escaping = ctx;
	struct str shown_name = STR_INIT, shown = STR_INIT;

	add_escaped(&shown_name, name, strlen(name));
	add_escaped(&shown, value, strlen(value));
	escaping->each(escaping->ctx, shown_name.data, shown.data);
	str_release(&shown_name);
	str_release(&shown);
}

bool event_formats_fields(struct event_formats *formats, uint64_t number, const void *raw,
			  size_t bytes, event_field_fn *each, void *ctx)
{
	struct escaping escaping = { each, ctx };
	const struct tracepoint *tracepoint;

	pthread_mutex_lock(&formats->mutex);
	tracepoint = take(formats, number, raw, bytes);
	if (tracepoint) {
		tracepoint_each_field(tracepoint, formats->raw, bytes, escape_field, &escaping);
		put_back(formats, bytes);
	}
	pthread_mutex_unlock(&formats->mutex);
	return tracepoint != NULL;
}
