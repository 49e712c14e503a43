/*
 * event_formats - what the fields of other tracepoints' events are, by the events' numbers.
 *
 * Whoever opens tracepoints adds them; whoever shows an event asks for its text, which is
 * made then, from bytes that the history kept. A format that was added stays: so do events.
 * Any thread. Texts are escaped and bounded: a tracepoint's strings come from other processes, and
 * the formats of a recording from anybody.
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

#define EVENT_TEXT_BYTES 2048 /* of a text before it is escaped; what is longer ends in "..." */
#define EVENT_NAME_BYTES 130 /* SYSTEM:NAME with its NUL: the kernel allows 64 for each */

/* names: borrowed; the numbers are its own. */
struct event_formats *event_formats_new(struct event_names *names);
void event_formats_free(struct event_formats *formats);

/*
 * The number of a tracepoint by the text of its format file, the one of before if that is the
 * same; *id (NULL: not wanted) is what perf_event_attr.config calls it. foreign: the text is not
 * the kernel's own. -errno with a sentence.
 */
int event_formats_add(struct event_formats *formats, const char *system, const char *name,
		      const char *text, size_t bytes, bool foreign, uint64_t *id, struct err *err);

/* What was added under a number: its name, SYSTEM:NAME, text and id; false: nothing was. */
bool event_formats_get(struct event_formats *formats, uint64_t number, struct str *name,
		       struct str *text, uint64_t *id);

/* Adds the event's text, which may be empty; false: nothing can be made of these bytes. */
bool event_formats_text(struct event_formats *formats, uint64_t number, const void *raw,
			size_t bytes, uint32_t cpu, struct str *out);

/* Each field's name and value, escaped; false as above. */
typedef void event_field_fn(void *ctx, const char *name, const char *value);
bool event_formats_fields(struct event_formats *formats, uint64_t number, const void *raw,
			  size_t bytes, event_field_fn *each, void *ctx);

#endif
