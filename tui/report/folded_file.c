#include "tui/report/folded_file.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/export/folded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_MAX 2048
#define SYMBOLS_WAIT_MS 5000
#define ROUNDS 64 /* maximum number; each round resolves as many addresses as the queue holds */

void folded_file_init(struct folded_file *folded, struct engine *engine)
{
	memset(folded, 0, sizeof(*folded));
	folded->engine = engine;
	idmap_init(&folded->by_key);
}

void folded_file_release(struct folded_file *folded)
{
	idmap_release(&folded->by_key);
	free(folded->totals);
}

void folded_file_add(struct folded_file *folded, const struct call *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct call *call = &calls[i];
		uint64_t key = (uint64_t)call->comm_id << 32 | call->stack_id;
		uintptr_t index;

		/* Calls without a stack count for their comm, so that the sum is complete. */
		if (!call->blocked_ns || !call_waits_are_known(call))
			continue;
		index = (uintptr_t)idmap_get(&folded->by_key, key);
		if (!index) {
			folded->totals = mem_grow(folded->totals, &folded->capacity,
						  folded->count + 1, sizeof(*folded->totals));
			folded->totals[folded->count] = (struct folded_sum){ .call = *call };
			index = ++folded->count;
			idmap_put(&folded->by_key, key, (void *)index);
		}
		folded->totals[index - 1].blocked_ns += call->blocked_ns;
	}
}

size_t folded_file_ask(struct folded_file *folded)
{
	struct frame *frames = mem_alloc(FRAMES_MAX * sizeof(*frames));
	size_t pending = 0;

	for (size_t i = 0; i < folded->count; i++) {
		size_t count = engine_frames(folded->engine, folded->totals[i].call.stack_id,
					     frames, FRAMES_MAX);

		for (size_t j = 0; j < count; j++)
			pending += frames[j].pending;
	}
	free(frames);
	return pending;
}

struct folded_line {
	char *stack;
	uint64_t blocked_ns;
};

static int compare_lines(const void *one, const void *other)
{
	return strcmp(((const struct folded_line *)one)->stack,
		      ((const struct folded_line *)other)->stack);
}

/* Stacks with different addresses can have the same functions: merge them into one line. */
static void add_lines(struct str *out, const struct folded_line *lines, size_t count)
{
	uint64_t blocked_ns = 0;

	for (size_t i = 0; i < count; i++) {
		blocked_ns += lines[i].blocked_ns;
		if (i + 1 < count && !strcmp(lines[i].stack, lines[i + 1].stack))
			continue;
		folded_add(out, lines[i].stack, blocked_ns);
		blocked_ns = 0;
	}
}

void folded_file_add_text(struct folded_file *folded, struct str *out)
{
	struct frame *frames = mem_alloc(FRAMES_MAX * sizeof(*frames));
	struct folded_line *lines = mem_alloc((folded->count + 1) * sizeof(*lines));

	for (size_t i = 0; i < folded->count; i++) {
		const struct folded_sum *sum = &folded->totals[i];
		char comm[ENGINE_NAME_BYTES];
		size_t count = engine_frames(folded->engine, sum->call.stack_id, frames,
					     FRAMES_MAX);
		struct str text = STR_INIT;

		folded_add_stack(&text, engine_comm(folded->engine, &sum->call, comm), frames,
				 count);
		lines[i] = (struct folded_line){ str_steal(&text), sum->blocked_ns };
	}
	qsort(lines, folded->count, sizeof(*lines), compare_lines);
	add_lines(out, lines, folded->count);
	for (size_t i = 0; i < folded->count; i++)
		free(lines[i].stack);
	free(lines);
	free(frames);
}

/* Append the text. Symbols are requested repeatedly, as incomplete stacks gain frames. */
static void format(struct folded_file *folded, struct str *out)
{
	bool settled = true;

	for (int round = 0; round < ROUNDS && settled && folded_file_ask(folded); round++)
		settled = engine_symbols_settle(folded->engine, SYMBOLS_WAIT_MS);
	folded_file_add_text(folded, out);
}

int folded_file_write(struct folded_file *folded, const char *path, struct err *err)
{
	struct str text = STR_INIT;
	char shown[128];
	FILE *file;
	int rc = 0;

	format(folded, &text);
	file = fopen(path, "we");
	if (!file || fwrite(text.data, 1, text.len, file) != text.len)
		rc = -errno;
	if (file && fclose(file) && !rc)
		rc = -errno;
	str_release(&text);
	return rc ? err_set(err, rc, "cannot write %s: %s", escape_name(shown, sizeof(shown), path),
			    strerror(-rc))
		  : 0;
}
