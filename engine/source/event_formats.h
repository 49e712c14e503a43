/*
 * event_formats - field formats of the -E tracepoints, by event number.
 *
 * Code that opens tracepoints adds their formats. The text of an event is generated on request,
 * from the bytes that the history stores. A format is never removed, as events stay in the history
 * after their tracepoint is closed. Texts are escaped and bounded: strings come from other
 * processes, and the formats of a recording come from an untrusted file. Any thread.
 */
#ifndef SOURCE_EVENT_FORMATS_H
#define SOURCE_EVENT_FORMATS_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "engine/record/event_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_formats;

#define EVENT_TEXT_BYTES 2048 /* maximum size before escaping; longer texts end in "..." */
#define EVENT_NAME_BYTES 130 /* size of SYSTEM:NAME with NUL; the kernel allows 64 bytes per part */

/* Create an empty table. names: borrowed; assigns the event numbers. */
struct event_formats *event_formats_new(struct event_names *names);
void event_formats_free(struct event_formats *formats);

/*
 * Add a tracepoint by the text of its format file. Return its event number, or -errno with a
 * message. Tracepoints with the same name and text share one number. *id (NULL: not wanted) is its
 * perf_event_attr.config. foreign: the text can be from another kernel, and is untrusted.
 */
int event_formats_add(struct event_formats *formats, const char *system, const char *name,
		      const char *text, size_t bytes, bool foreign, uint64_t *id, struct err *err);

/*
 * Append the name (SYSTEM:NAME) and the format text of an event number, and set *id. False if the
 * number is unknown.
 */
bool event_formats_get(struct event_formats *formats, uint64_t number, struct str *name,
		       struct str *text, uint64_t *id);

/* Append the text of an event; it can be empty. False if the bytes do not fit the format. */
bool event_formats_text(struct event_formats *formats, uint64_t number, const void *raw,
			size_t bytes, uint32_t cpu, struct str *out);

/* Call each() for each field: name and value, escaped. False if the bytes do not fit the format. */
typedef void event_field_fn(void *ctx, const char *name, const char *value);
bool event_formats_fields(struct event_formats *formats, uint64_t number, const void *raw,
			  size_t bytes, event_field_fn *each, void *ctx);

#endif
