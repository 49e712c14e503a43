/*
 * lines - calls written as text or JSON, with names and stacks looked up once.
 *
 * Main thread.
 */
#ifndef TUI_LINES_H
#define TUI_LINES_H

#include "engine/base/idmap.h"
#include "engine/engine.h"
#include "engine/export/text.h"
#include "tui/options.h"

/* What the number that a call has for its thread's name and owner says, once looked up. */
struct line_who {
	char *name;   /* NULL: not looked up yet */
	char *cgroup; /* as json_add_cgroup() wrote it; NULL: not known, or not wanted */
};

struct lines {
	struct engine *engine;   /* borrowed */
	bool json;
	bool stacks;             /* written where there are any */
	struct text_options text;
	struct engine_bytes bytes; /* of the calls that are being written */
	struct line_who *who;    /* by comm_id */
	size_t who_cap;
	struct engine_owner owner; /* that was asked for last */
	struct idmap ns_pids;    /* of the block that is being written: by pid, plus one */
	struct idmap stack_texts; /* stack id to its text, once all its names are known */
	size_t stack_bytes;
	struct frame *frames;
	bool names_are_slow;     /* waiting for names was in vain: it is not done again */
};

/* After engine_start(). */
void lines_init(struct lines *lines, struct engine *engine, const struct options *options);
void lines_release(struct lines *lines);

/* Adds `count` calls to out, in their order. May wait for symbols, at most a second. */
void lines_add(struct lines *lines, struct str *out, const struct call *calls, size_t count);

#endif
