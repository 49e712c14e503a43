/*
 * lines - writes calls as text, JSON, CSV or trace; looks up each name and stack once.
 *
 * Main thread, or another thread that writes a file.
 */
#ifndef CONFIG_LINES_H
#define CONFIG_LINES_H

#include "engine/base/idmap.h"
#include "engine/engine.h"
#include "engine/export/chrome_trace.h"
#include "engine/export/text.h"
#include "tui/config/options.h"

#define LINE_IDENTITIES 65536 /* maximum number of cached identities */

/* Resolved identity of a call. */
struct line_identity {
	uint32_t comm_id;
	char *name; /* NULL: not looked up yet */
	char *cgroup; /* as json_add_cgroup() wrote it; NULL: unknown or unused */
};

enum lines_format {
	LINES_TEXT,
	LINES_JSON,
	LINES_CSV,
	LINES_TRACE, /* chrome_trace.h */
};

struct lines {
	struct engine *engine; /* borrowed */
	enum lines_format format;
	bool past; /* old calls: memory may have changed, so make no late reads */
	struct chrome_trace trace;
	bool stacks; /* write stacks if there are any */
	struct text_options text;
	struct engine_bytes bytes; /* data of the current block of calls */
	struct line_identity *who; /* by comm_id % LINE_IDENTITIES */
	size_t identity_cap;
	struct engine_owner owner; /* result of the last query */
	struct idmap ns_pids; /* of the current block: pid to ns_pid plus one */
	struct idmap stack_texts; /* stack id to its text, once all its names are resolved */
	size_t stack_bytes;
	struct frame *frames;
	bool replayed; /* calls of a recording: wait for names without a limit */
	bool names_are_slow; /* a wait for names timed out; do not wait again */
	uint64_t unnamed; /* frames written while their names were pending */
};

/* Call after engine_start(). */
void lines_init(struct lines *lines, struct engine *engine, const struct options *options,
		enum lines_format format);
void lines_release(struct lines *lines);

/* Append the header and the trailer of the format. */
void lines_begin(struct lines *lines, struct str *out);
void lines_end(struct lines *lines, struct str *out);
/*
 * Append `count` calls in order. May wait for symbols; in live mode, until no name has arrived for
 * a few seconds.
 */
void lines_add(struct lines *lines, struct str *out, const struct call *calls, size_t count);

#endif
