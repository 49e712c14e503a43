#include "tui/compare/counterpart.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Size of the history. It is not shown, but avoids reading the file again for another filter. */
#define HISTORY_BYTES ((size_t)32 << 20)

struct counterpart {
	char *path;
	struct str file;
	struct engine *engine;
	struct counterpart *before; /* replaced counterpart, to be freed; owned by the thread */
	struct engine_options options; /* options.filter is borrowed: see opened_with */
	struct filter *filter; /* the latest filter; a reference */
	struct filter *opened_with; /* filter of engine_start(); a reference */
	bool has_other_filter; /* `filter` is not yet set in the engine */
	bool knows_stacks; /* stacks are read, so that a filter can test them */
	pthread_t thread;
	int cancel_fd;
	/* Protected by the lock. */
	pthread_mutex_t lock;
	pthread_cond_t opened;
	bool open;
	int rc; /* valid once `open` */
	struct err err;
};

/* Return the explored side's options without its target and those for viewing calls. */
static struct engine_options options_of(const struct engine_options *explored)
{
	bool knows_stacks = filter_asks_stacks(explored->filter);
	struct engine_options options = {
		.stacks = knows_stacks ? explored->stacks : STACKS_OFF,
		.dwarf_bytes = explored->dwarf_bytes,
		.history_bytes = HISTORY_BYTES,
		.descriptors = true, /* a later filter may test paths */
		.string_bytes = explored->string_bytes,
		.interactive = true,
		.filter = explored->filter,
		.from_ns = explored->from_ns,
		.until_ns = explored->until_ns,
		.places = explored->places,
	};

	target_init(&options.target);
	return options;
}

static void *open_it(void *data)
{
	struct counterpart *c = data;
	struct err err = { .text = "" };
	int rc;

	pthread_setname_np(pthread_self(), "counterpart");
	counterpart_free(c->before);
	c->before = NULL;
	rc = engine_start(c->engine, &c->options, &err);
	pthread_mutex_lock(&c->lock);
	c->rc = rc;
	c->err = err;
	c->open = true;
	pthread_cond_broadcast(&c->opened);
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static void release(struct counterpart *c)
{
	engine_free(c->engine);
	target_release(&c->options.target);
	filter_free(c->opened_with);
	filter_free(c->filter);
	if (c->cancel_fd >= 0)
		close(c->cancel_fd);
	pthread_mutex_destroy(&c->lock);
	pthread_cond_destroy(&c->opened);
	str_release(&c->file);
	free(c->path);
	free(c);
}

/* Block all signals in the new thread: the thread that owns the terminal receives them. */
static int start_thread(struct counterpart *c)
{
	sigset_t every, before;
	int rc;

	sigfillset(&every);
	pthread_sigmask(SIG_BLOCK, &every, &before);
	rc = pthread_create(&c->thread, NULL, open_it, c);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

int counterpart_new(struct counterpart **counterpart, const struct engine *engine,
		    const struct engine_options *options, const char *path,
		    struct counterpart *before, struct err *err)
{
	struct counterpart *c = mem_zalloc(1, sizeof(*c));
	int rc;

	c->path = mem_strdup(path);
	str_init(&c->file);
	str_add_escaped(&c->file, path, strlen(path), ESCAPE_PLAIN);
	c->engine = engine_new_shared(engine);
	c->before = before;
	c->options = options_of(options);
	c->filter = filter_ref(options->filter);
	c->opened_with = filter_ref(options->filter);
	c->knows_stacks = c->options.stacks != STACKS_OFF;
	c->options.recording = c->path;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->opened, NULL);
	c->cancel_fd = c->options.cancel_fd = eventfd(0, EFD_CLOEXEC);
	rc = c->cancel_fd < 0 ? errno : start_thread(c);
	if (!rc) {
		*counterpart = c;
		return 0;
	}
	release(c);
	return err_set(err, -rc, "cannot read the other recording: %s", strerror(rc));
}

void counterpart_cancel(struct counterpart *c)
{
	eventfd_write(c->cancel_fd, 1);
}

void counterpart_free(struct counterpart *c)
{
	if (!c)
		return;
	/* Without the cancel, the start from a pipe can block until its writer sends the header. */
	counterpart_cancel(c);
	pthread_join(c->thread, NULL);
	release(c);
}

void counterpart_wait_open(struct counterpart *c)
{
	pthread_mutex_lock(&c->lock);
	while (!c->open)
		pthread_cond_wait(&c->opened, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

static bool is_open(struct counterpart *c)
{
	bool open;

	pthread_mutex_lock(&c->lock);
	open = c->open;
	pthread_mutex_unlock(&c->lock);
	return open;
}

void counterpart_set_filter(struct counterpart *c, struct filter *filter)
{
	/* The engine would read the recording again even for the same filter. */
	if (filter == c->filter)
		return;
	filter_free(c->filter);
	c->filter = filter_ref(filter);
	c->has_other_filter = true;
}

/* Prefix the file name unless the text already has it. */
static void say_error(const struct counterpart *c, const char *text, struct counterpart_status *out)
{
	bool named = !*text || strstr(text, c->file.data);

	out->state = COUNTERPART_REFUSED;
	snprintf(out->error, sizeof(out->error), "%s%s%s", named ? "" : c->file.data,
		 named ? "" : ": ", text);
}

static void look(struct counterpart *c, struct counterpart_status *out)
{
	struct engine_status *status = mem_alloc(sizeof(*status));
	struct play_status play;

	engine_status(c->engine, status);
	engine_play_status(c->engine, &play);
	if (filter_asks_stacks(c->filter) && !c->knows_stacks)
		snprintf(out->note, sizeof(out->note),
			 "its stacks are not read, so stack terms of the filter match no call "
			 "there; give the filter with -F");
	else
		snprintf(out->note, sizeof(out->note), "%s", status->source.note);
	out->progress = play.bytes ? (double)play.bytes_read / (double)play.bytes : 0;
	out->state = play.at_end && play.moving == PLAY_STILL && !status->filter_pending &&
				     !status->model.refilling
			     ? COUNTERPART_THERE
			     : COUNTERPART_READING;
	if (status->error[0])
		say_error(c, status->error, out);
	free(status);
}

void counterpart_status(struct counterpart *c, struct counterpart_status *status)
{
	memset(status, 0, sizeof(*status));
	if (!is_open(c)) {
		status->state = COUNTERPART_OPENING;
		return;
	}
	if (c->rc) {
		say_error(c, c->err.text, status);
		return;
	}
	if (c->has_other_filter)
		engine_set_filter(c->engine, c->filter);
	c->has_other_filter = false;
	look(c, status);
}

const char *counterpart_file(const struct counterpart *c)
{
	return c->file.data;
}

const char *counterpart_path(const struct counterpart *c)
{
	return c->path;
}

struct engine *counterpart_engine(const struct counterpart *c)
{
	return c->engine;
}
