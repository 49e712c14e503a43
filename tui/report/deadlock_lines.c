#include "tui/report/deadlock_lines.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/export/deadlock_line.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_EVERY_NS NS_PER_S
#define AT_ONCE 16 /* maximum per poll */

void deadlock_lines_init(struct deadlock_lines *lines, struct engine *engine, bool json,
			 bool replayed)
{
	memset(lines, 0, sizeof(*lines));
	lines->engine = engine;
	lines->json = json;
	lines->replayed = replayed;
	lines->looked_ns = clock_now_ns();
}

static bool is_new(struct deadlock_lines *lines, const struct engine_deadlock *deadlock)
{
	const struct engine_lock_wait *first = &deadlock->threads[0];

	for (size_t i = 0; i < lines->written_count; i++)
		if (lines->written[i].tid == first->tid &&
		    lines->written[i].enter_ns == first->enter_ns)
			return false;
	if (lines->written_count == DEADLOCK_LINES_MAX)
		return false;
	lines->written[lines->written_count].tid = first->tid;
	lines->written[lines->written_count++].enter_ns = first->enter_ns;
	return true;
}

static void add_line(const struct deadlock_lines *lines, struct str *out,
		     const struct engine_deadlock *deadlock)
{
	struct deadlock_line_wait waits[ENGINE_DEADLOCK_THREADS];
	size_t count = deadlock->count < ENGINE_DEADLOCK_THREADS ? deadlock->count
								 : ENGINE_DEADLOCK_THREADS;

	for (size_t i = 0; i < count; i++)
		waits[i] = (struct deadlock_line_wait){
			.tid = deadlock->threads[i].tid,
			.comm = deadlock->threads[i].name,
			.uaddr = deadlock->threads[i].uaddr,
			.owner = deadlock->threads[i].owner,
		};
	if (lines->json)
		deadlock_line_add_json(out, waits, count);
	else
		deadlock_line_add_text(out, waits, count, deadlock->count - count);
}

/* again: repeat deadlocks that were written before. */
static bool add_new(struct deadlock_lines *lines, struct str *out,
		    const struct engine_deadlock *found, size_t count, bool again)
{
	bool added = false;

	for (size_t i = 0; i < count; i++) {
		if (!is_new(lines, &found[i]) && !again)
			continue;
		add_line(lines, out, &found[i]);
		added = true;
	}
	return added;
}

static bool add_found(struct deadlock_lines *lines, struct str *out, bool again)
{
	struct engine_deadlock *found = mem_alloc(AT_ONCE * sizeof(*found));
	size_t count = engine_deadlocks(lines->engine, found, AT_ONCE);
	bool added = add_new(lines, out, found, count, again);

	free(found);
	return added;
}

/* Append deadlocks that were resolved before the end of a recording, in order of detection. */
static void add_recorded(struct deadlock_lines *lines, struct str *out)
{
	struct engine_deadlock *found = mem_alloc(AT_ONCE * sizeof(*found));
	size_t cursor = 0, count;

	while ((count = engine_deadlocks_recorded(lines->engine, &cursor, found, AT_ONCE)))
		add_new(lines, out, found, count, false);
	free(found);
}

bool deadlock_lines_look(struct deadlock_lines *lines, struct str *out)
{
	uint64_t now_ns = clock_now_ns();

	if (lines->replayed || now_ns - lines->looked_ns < LOOK_EVERY_NS)
		return false;
	lines->looked_ns = now_ns;
	return add_found(lines, out, false);
}

void deadlock_lines_finish(struct deadlock_lines *lines, struct str *out, bool again)
{
	engine_deadlocks_settle(lines->engine);
	if (lines->replayed)
		add_recorded(lines, out);
	add_found(lines, out, again);
}
