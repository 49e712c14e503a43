/*
 * lines - calls written as text or for other programs, with names and stacks looked up once.
 *
 * Main thread, or another one that writes a file.
 */
#ifndef CONFIG_LINES_H
#define CONFIG_LINES_H

#include "engine/base/idmap.h"
#include "engine/engine.h"
#include "engine/export/chrome_trace.h"
#include "engine/export/text.h"
#include "tui/config/options.h"

/* What the number that a call has for its thread's name and owner says, once looked up. */
struct line_identity {
	char *name; /* NULL: not looked up yet */
	char *cgroup; /* as json_add_cgroup() wrote it; NULL: not known, or not wanted */
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
	bool past; /* calls of long ago: memory has changed, nobody looks there */
	struct chrome_trace trace;
	bool stacks; /* written where there are any */
	struct text_options text;
	struct engine_bytes bytes; /* of the calls that are being written */
	struct line_identity *who; /* by comm_id */
	size_t identity_cap;
	struct engine_owner owner; /* that was asked for last */
	struct idmap ns_pids; /* of the block that is being written: by pid, plus one */
	struct idmap stack_texts; /* stack id to its text, once all its names are known */
	size_t stack_bytes;
	struct frame *frames;
	bool replayed; /* of a recording: names are waited for however long */
	bool names_are_slow; /* waiting for names was in vain: it is not done again */
	uint64_t unnamed; /* frames written whose names might still have come */
};

/* After engine_start(). */
void lines_init(struct lines *lines, struct engine *engine, const struct options *options,
		enum lines_format format);
void lines_release(struct lines *lines);

/* What stands before the first call and behind the last one. */
void lines_begin(struct lines *lines, struct str *out);
void lines_end(struct lines *lines, struct str *out);
/* Adds `count` calls to out, in their order. May wait for symbols; live at most a second. */
void lines_add(struct lines *lines, struct str *out, const struct call *calls, size_t count);

#endif
