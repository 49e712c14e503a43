#include "tui/report/catch_set.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* At the end a busy machine would be followed for ever. */
#define LAST_BLOCKS 400

void catching_init(struct catching *catching, struct engine *engine, const struct options *options)
{
	memset(catching, 0, sizeof(*catching));
	catching->engine = engine;
	catching->options = options;
}

/* blocks: so many are written yet of what came. */
static int close_entry(struct catching_entry *entry, int blocks, struct err *err)
{
	struct catch_recording *recording = &entry->recording;

	while (recording->began && blocks--)
		if (catch_recording_follow(recording))
			break;
	catch_rule_release(&entry->rule);
	return catch_recording_close(recording, err);
}

int catching_close(struct catching *catching, struct err *err)
{
	/* Batch has written what it read. */
	int blocks = catching->options->batch ? 0 : LAST_BLOCKS;
	int rc = 0;

	for (size_t i = 0; i < CATCHES_MAX; i++) {
		struct err one;
		int failed = close_entry(&catching->entries[i], blocks, &one);

		if (failed && !rc)
			rc = err_set(err, failed, "%s", one.text);
	}
	return rc;
}

static void fill_entry(struct catching_entry *entry, const struct catch_rule *rule,
		       const struct catch_recording *recording)
{
	entry->rule = *rule;
	entry->recording = *recording;
	entry->state = (struct catch_state){ .armed = true };
}

int catching_start(struct catching *catching, struct err *err)
{
	int failed = 0;

	for (unsigned i = 0; i < catching->options->catch_count; i++) {
		const struct catch_rule *given = &catching->options->catches[i];
		struct catch_recording recording = { .open = false };
		struct catch_rule rule = { .action = given->action };
		int rc = given->file ? catch_recording_open(&recording, given->file, err) : 0;

		if (rc) {
			engine_set_catch(catching->engine, i, NULL, NULL);
			failed = rc;
			continue;
		}
		rule.file = given->file ? mem_strdup(given->file) : NULL;
		rule.filter = filter_ref(given->filter);
		fill_entry(&catching->entries[i], &rule, &recording);
	}
	return failed;
}

static unsigned free_place(const struct catching *catching)
{
	unsigned index = 0;

	while (index < CATCHES_MAX && catching->entries[index].rule.filter)
		index++;
	return index;
}

int catching_set(struct catching *catching, unsigned index, struct catch_rule *rule,
		 struct err *err)
{
	struct catch_recording recording = { .open = false };
	struct catching_entry *entry;
	int rc = 0;

	if (index == CATCHES_MAX)
		index = free_place(catching);
	if (index == CATCHES_MAX)
		rc = err_set(err, -ENOSPC, "there are %d catches already; remove one", CATCHES_MAX);
	if (!rc && rule->action == CATCH_STOP && catching->options->read_only)
		rc = err_set(err, -EPERM,
			     "with --read-only no process is stopped; freeze, record "
			     "and bell are left");
	if (!rc && atomic_load(&catching->entries[index].recording.busy))
		rc = err_set(err, -EBUSY, "its file is just being written; try again");
	if (!rc && rule->file)
		rc = catch_recording_open(&recording, rule->file, err);
	if (!rc)
		rc = engine_set_catch(catching->engine, index, rule, err);
	if (rc) {
		/* Made just now, and still empty. */
		if (recording.open)
			unlink(rule->file);
		catch_recording_close(&recording, NULL);
		catch_rule_release(rule);
		return rc;
	}
	entry = &catching->entries[index];
	close_entry(entry, 0, NULL);
	fill_entry(entry, rule, &recording);
	return 0;
}

int catching_remove(struct catching *catching, unsigned index, struct err *err)
{
	int rc = 0;

	if (atomic_load(&catching->entries[index].recording.busy))
		rc = err_set(err, -EBUSY, "its file is just being written; try again");
	if (!rc)
		rc = engine_set_catch(catching->engine, index, NULL, err);
	if (rc)
		return rc;
	catching->entries[index].state = (struct catch_state){ .armed = false };
	return close_entry(&catching->entries[index], 0, err);
}

void catching_arm(struct catching *catching, unsigned index, bool armed)
{
	engine_arm_catch(catching->engine, index, armed);
	catching->entries[index].state.armed = armed;
}

size_t catching_count(const struct catching *catching, size_t *armed)
{
	size_t count = 0;

	*armed = 0;
	for (size_t i = 0; i < CATCHES_MAX; i++) {
		count += catching->entries[i].rule.filter != NULL;
		*armed += catching->entries[i].rule.filter && catching->entries[i].state.armed;
	}
	return count;
}

/* ---- what was caught ---- */

/* "nginx/4242 openat" */
static void add_who(const struct catching *catching, const struct call *call, struct str *out)
{
	char name[ENGINE_NAME_BYTES];

	str_addf(out, "%s/%u", engine_comm(catching->engine, call, name), call->tid);
	if (call->state != CALL_EVENT)
		str_addf(out, " %s",
			 syscalls_info(engine_syscalls(catching->engine), call->nr)->name);
}

static void act(struct catching *catching, struct catching_entry *entry,
		const struct catch_hit *hit, struct catching_news *news)
{
	struct str text = STR_INIT;
	char file[128];
	struct err err;

	switch (entry->rule.action) {
	case CATCH_STOP:
		news->failed = engine_stop_process(catching->engine, &hit->call, &err) != 0;
		if (news->failed)
			str_add(&text, err.text);
		else
			str_addf(&text, "Stopped process %u: ", hit->call.pid);
		break;
	case CATCH_RECORD:
		news->failed = catch_recording_begin(&entry->recording, catching->engine,
						     catching->options, hit, &err) != 0;
		if (news->failed)
			str_add(&text, err.text);
		else
			str_addf(&text, "Writing to %s from here on: ",
				 escape_name(file, sizeof(file), entry->rule.file));
		break;
	case CATCH_FREEZE:
		str_add(&text, "Frozen at ");
		break;
	case CATCH_BELL:
	case CATCH_ACTION_COUNT:
		str_add(&text, "Caught ");
		break;
	}
	if (!news->failed)
		add_who(catching, &hit->call, &text);
	snprintf(news->text, sizeof(news->text), "%s", text.data);
	str_release(&text);
}

bool catching_next(struct catching *catching, struct catching_news *news)
{
	struct catching_entry *entry;
	struct catch_hit hit;

	do {
		if (!engine_caught(catching->engine, &hit, 1))
			return false;
		entry = &catching->entries[hit.index];
	} while (!entry->rule.filter);
	*news = (struct catching_news){ .action = entry->rule.action,
					.call = hit.call,
					.seq = hit.seq };
	act(catching, entry, &hit, news);
	return true;
}

void catching_add(struct catching *catching, const struct call *calls, size_t count)
{
	for (size_t i = 0; i < CATCHES_MAX; i++)
		catch_recording_add(&catching->entries[i].recording, calls, count);
}

/* Background thread. */
static void follow(void *ctx)
{
	struct catch_recording *recording = ctx;

	catch_recording_follow(recording);
	atomic_store(&recording->busy, false);
}

void catching_write(struct catching *catching, struct background *background)
{
	for (size_t i = 0; i < CATCHES_MAX; i++) {
		size_t at = (catching->next_file + i) % CATCHES_MAX;
		struct catch_recording *recording = &catching->entries[at].recording;

		if (!recording->began || recording->data_path || atomic_load(&recording->busy))
			continue;
		atomic_store(&recording->busy, true);
		if (!background_run(background, follow, recording))
			atomic_store(&recording->busy, false);
		catching->next_file = at + 1;
		return;
	}
}

void catching_look(struct catching *catching)
{
	for (unsigned i = 0; i < CATCHES_MAX; i++)
		if (catching->entries[i].rule.filter)
			catching->entries[i].state = engine_catch_state(catching->engine, i);
}
