#include "tui/report/catch_set.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Maximum number of blocks to write at the end: a busy machine would produce calls forever. */
#define LAST_BLOCKS 400

void catch_set_init(struct catch_set *catch_set, struct engine *engine,
		    const struct options *options)
{
	memset(catch_set, 0, sizeof(*catch_set));
	catch_set->engine = engine;
	catch_set->options = options;
}

/* Release an entry, after at most `blocks` pending blocks of calls were written to its file. */
static int close_entry(struct catch_set_entry *entry, int blocks, struct err *err)
{
	struct catch_recording *recording = &entry->recording;

	while (recording->began && blocks--)
		if (catch_recording_follow(recording))
			break;
	catch_rule_release(&entry->rule);
	return catch_recording_close(recording, err);
}

int catch_set_close(struct catch_set *catch_set, struct err *err)
{
	/* In batch, all calls that were read are already written. */
	int blocks = catch_set->options->batch ? 0 : LAST_BLOCKS;
	int rc = 0;

	for (size_t i = 0; i < CATCHES_MAX; i++) {
		struct err one;
		int failed = close_entry(&catch_set->entries[i], blocks, &one);

		if (failed && !rc)
			rc = err_set(err, failed, "%s", one.text);
	}
	return rc;
}

static void fill_entry(struct catch_set_entry *entry, const struct catch_rule *rule,
		       const struct catch_recording *recording)
{
	entry->rule = *rule;
	entry->recording = *recording;
	entry->state = (struct catch_state){ .armed = true };
}

int catch_set_start(struct catch_set *catch_set, struct err *err)
{
	int failed = 0;

	for (unsigned i = 0; i < catch_set->options->catch_count; i++) {
		const struct catch_rule *given = &catch_set->options->catches[i];
		struct catch_recording recording = { .open = false };
		struct catch_rule rule = { .action = given->action };
		int rc = given->file ? catch_recording_open(&recording, given->file, err) : 0;

		if (rc) {
			engine_set_catch(catch_set->engine, i, NULL, NULL);
			failed = rc;
			continue;
		}
		rule.file = given->file ? mem_strdup(given->file) : NULL;
		rule.filter = filter_ref(given->filter);
		fill_entry(&catch_set->entries[i], &rule, &recording);
	}
	return failed;
}

static unsigned free_place(const struct catch_set *catch_set)
{
	unsigned index = 0;

	while (index < CATCHES_MAX && catch_set->entries[index].rule.filter)
		index++;
	return index;
}

int catch_set_set(struct catch_set *catch_set, unsigned index, struct catch_rule *rule,
		  struct err *err)
{
	struct catch_recording recording = { .open = false };
	struct catch_set_entry *entry;
	int rc = 0;

	if (index == CATCHES_MAX)
		index = free_place(catch_set);
	if (index == CATCHES_MAX)
		rc = err_set(err, -ENOSPC, "all %d catches are in use; remove one", CATCHES_MAX);
	if (!rc && rule->action == CATCH_STOP && catch_set->options->read_only)
		rc = err_set(err, -EPERM,
			     "with --read-only no process is stopped; use freeze, record or bell");
	if (!rc && atomic_load(&catch_set->entries[index].recording.busy))
		rc = err_set(err, -EBUSY, "its file is still being written; try again");
	if (!rc && rule->file)
		rc = catch_recording_open(&recording, rule->file, err);
	if (!rc)
		rc = engine_set_catch(catch_set->engine, index, rule, err);
	if (rc) {
		/* The file was created above and is still empty. */
		if (recording.open)
			unlink(rule->file);
		catch_recording_close(&recording, NULL);
		catch_rule_release(rule);
		return rc;
	}
	entry = &catch_set->entries[index];
	close_entry(entry, 0, NULL);
	fill_entry(entry, rule, &recording);
	return 0;
}

int catch_set_remove(struct catch_set *catch_set, unsigned index, struct err *err)
{
	int rc = 0;

	if (atomic_load(&catch_set->entries[index].recording.busy))
		rc = err_set(err, -EBUSY, "its file is still being written; try again");
	if (!rc)
		rc = engine_set_catch(catch_set->engine, index, NULL, err);
	if (rc)
		return rc;
	catch_set->entries[index].state = (struct catch_state){ .armed = false };
	return close_entry(&catch_set->entries[index], 0, err);
}

void catch_set_arm(struct catch_set *catch_set, unsigned index, bool armed)
{
	engine_arm_catch(catch_set->engine, index, armed);
	catch_set->entries[index].state.armed = armed;
}

size_t catch_set_count(const struct catch_set *catch_set, size_t *armed)
{
	size_t count = 0;

	*armed = 0;
	for (size_t i = 0; i < CATCHES_MAX; i++) {
		count += catch_set->entries[i].rule.filter != NULL;
		*armed += catch_set->entries[i].rule.filter && catch_set->entries[i].state.armed;
	}
	return count;
}

/* ---- caught calls ---- */

/* Append "nginx/4242 openat". */
static void add_caller(const struct catch_set *catch_set, const struct call *call, struct str *out)
{
	char name[ENGINE_NAME_BYTES];

	str_addf(out, "%s/%u", engine_comm(catch_set->engine, call, name), call->tid);
	if (call->state != CALL_EVENT)
		str_addf(out, " %s",
			 syscalls_info(engine_syscalls(catch_set->engine), call->nr)->name);
}

static void act(struct catch_set *catch_set, struct catch_set_entry *entry,
		const struct catch_hit *hit, struct catch_set_news *news)
{
	struct str text = STR_INIT;
	char file[128];
	struct err err;

	switch (entry->rule.action) {
	case CATCH_STOP:
		news->failed = engine_stop_process(catch_set->engine, &hit->call, &err) != 0;
		if (news->failed)
			str_add(&text, err.text);
		else
			str_addf(&text, "Stopped process %u: ", hit->call.pid);
		break;
	case CATCH_RECORD:
		news->failed = catch_recording_begin(&entry->recording, catch_set->engine,
						     catch_set->options, hit, &err) != 0;
		if (news->failed)
			str_add(&text, err.text);
		else
			str_addf(&text, "Writing to %s from here on: ",
				 escape_name(file, sizeof(file), entry->rule.file));
		break;
	case CATCH_FREEZE:
		str_add(&text, "Display paused at ");
		break;
	case CATCH_BELL:
	case CATCH_ACTION_COUNT:
		str_add(&text, "Caught ");
		break;
	}
	if (!news->failed)
		add_caller(catch_set, &hit->call, &text);
	snprintf(news->text, sizeof(news->text), "%s", text.data);
	str_release(&text);
}

bool catch_set_next(struct catch_set *catch_set, struct catch_set_news *news)
{
	struct catch_set_entry *entry;
	struct catch_hit hit;

	do {
		if (!engine_caught(catch_set->engine, &hit, 1))
			return false;
		entry = &catch_set->entries[hit.index];
	} while (!entry->rule.filter);
	*news = (struct catch_set_news){ .action = entry->rule.action,
					 .call = hit.call,
					 .seq = hit.seq };
	act(catch_set, entry, &hit, news);
	return true;
}

void catch_set_add(struct catch_set *catch_set, const struct call *calls, size_t count)
{
	for (size_t i = 0; i < CATCHES_MAX; i++)
		catch_recording_add(&catch_set->entries[i].recording, calls, count);
}

/* Background thread. */
static void follow(void *ctx)
{
	struct catch_recording *recording = ctx;

	catch_recording_follow(recording);
	atomic_store(&recording->busy, false);
}

void catch_set_write(struct catch_set *catch_set, struct background *background)
{
	for (size_t i = 0; i < CATCHES_MAX; i++) {
		size_t at = (catch_set->next_file + i) % CATCHES_MAX;
		struct catch_recording *recording = &catch_set->entries[at].recording;

		if (!recording->began || recording->data_path || atomic_load(&recording->busy))
			continue;
		atomic_store(&recording->busy, true);
		if (!background_run(background, follow, recording))
			atomic_store(&recording->busy, false);
		catch_set->next_file = at + 1;
		return;
	}
}

void catch_set_look(struct catch_set *catch_set)
{
	for (unsigned i = 0; i < CATCHES_MAX; i++)
		if (catch_set->entries[i].rule.filter)
			catch_set->entries[i].state = engine_catch_state(catch_set->engine, i);
}
