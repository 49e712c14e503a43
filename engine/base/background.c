#include "engine/base/background.h"

#include "engine/base/lock.h"
#include "engine/base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct background {
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	void (*work)(void *ctx); /* NULL: idle */
	void *ctx;
	bool writes; /* true: the work came from background_run() */
	bool leaving;
};

static void *run(void *data)
{
	struct background *background = data;

	pthread_setname_np(pthread_self(), "background");
	pthread_mutex_lock(&background->mutex);
	while (background->work || !background->leaving) {
		if (!background->work) {
			pthread_cond_wait(&background->changed, &background->mutex);
			continue;
		}
		pthread_mutex_unlock(&background->mutex);
		background->work(background->ctx);
		pthread_mutex_lock(&background->mutex);
		background->work = NULL;
	}
	pthread_mutex_unlock(&background->mutex);
	return NULL;
}

int background_new(struct background **out, struct err *err)
{
	struct background *background = mem_zalloc(1, sizeof(*background));
	sigset_t all, before;
	int rc;

	lock_init(&background->mutex);
	pthread_cond_init(&background->changed, NULL);
	/* Signals belong to the thread that owns the terminal. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	rc = pthread_create(&background->thread, NULL, run, background);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!rc) {
		*out = background;
		return 0;
	}
	pthread_cond_destroy(&background->changed);
	pthread_mutex_destroy(&background->mutex);
	free(background);
	return err_set(err, -rc, "cannot start a thread: %s", strerror(rc));
}

void background_free(struct background *background)
{
	if (!background)
		return;
	pthread_mutex_lock(&background->mutex);
	background->leaving = true;
	pthread_cond_signal(&background->changed);
	pthread_mutex_unlock(&background->mutex);
	pthread_join(background->thread, NULL);
	pthread_cond_destroy(&background->changed);
	pthread_mutex_destroy(&background->mutex);
	free(background);
}

static bool begin(struct background *background, void (*work)(void *ctx), void *ctx, bool writes)
{
	bool free_now;

	if (!background) {
		work(ctx);
		return true;
	}
	pthread_mutex_lock(&background->mutex);
	free_now = !background->work;
	if (free_now) {
		background->work = work;
		background->ctx = ctx;
		background->writes = writes;
		pthread_cond_signal(&background->changed);
	}
	pthread_mutex_unlock(&background->mutex);
	return free_now;
}

bool background_run(struct background *background, void (*work)(void *ctx), void *ctx)
{
	return begin(background, work, ctx, true);
}

bool background_look(struct background *background, void (*work)(void *ctx), void *ctx)
{
	return begin(background, work, ctx, false);
}

bool background_writes(struct background *background)
{
	bool writes;

	if (!background)
		return false;
	pthread_mutex_lock(&background->mutex);
	writes = background->work && background->writes;
	pthread_mutex_unlock(&background->mutex);
	return writes;
}
