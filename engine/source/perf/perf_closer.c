#include "engine/source/perf/perf_closer.h"

#include "engine/base/lock.h"
#include "engine/base/mem.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void *closer_main(void *arg)
{
	struct perf_closer *closer = arg;
	struct perf_event_set batch;

	pthread_mutex_lock(&closer->lock);
	for (;;) {
		while (!closer->waiting.count && !closer->ending)
			pthread_cond_wait(&closer->more, &closer->lock);
		if (!closer->waiting.count)
			break;
		batch = closer->waiting;
		memset(&closer->waiting, 0, sizeof(closer->waiting));
		pthread_mutex_unlock(&closer->lock);
		perf_event_set_close(&batch);
		pthread_mutex_lock(&closer->lock);
	}
	pthread_mutex_unlock(&closer->lock);
	return NULL;
}

void perf_closer_init(struct perf_closer *closer)
{
	memset(closer, 0, sizeof(*closer));
	lock_init(&closer->lock);
	pthread_cond_init(&closer->more, NULL);
}

void perf_closer_release(struct perf_closer *closer)
{
	pthread_mutex_lock(&closer->lock);
	closer->ending = true;
	pthread_cond_signal(&closer->more);
	pthread_mutex_unlock(&closer->lock);
	if (closer->started)
		pthread_join(closer->thread, NULL);
	perf_event_set_close(&closer->waiting);
	pthread_cond_destroy(&closer->more);
	pthread_mutex_destroy(&closer->lock);
}

/* The thread blocks all signals; other threads handle them. */
static bool start(struct perf_closer *closer)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&closer->thread, NULL, closer_main, closer);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !ret;
}

void perf_closer_take(struct perf_closer *closer, struct perf_event_set *probes)
{
	struct perf_event_set *waiting = &closer->waiting;

	if (!probes->count) {
		perf_event_set_close(probes);
		return;
	}
	if (!closer->started)
		closer->started = start(closer);
	if (!closer->started) {
		perf_event_set_close(probes);
		return;
	}
	pthread_mutex_lock(&closer->lock);
	waiting->fds = mem_grow(waiting->fds, &waiting->capacity, waiting->count + probes->count,
				sizeof(*waiting->fds));
	memcpy(waiting->fds + waiting->count, probes->fds, probes->count * sizeof(*probes->fds));
	waiting->count += probes->count;
	pthread_cond_signal(&closer->more);
	pthread_mutex_unlock(&closer->lock);
	free(probes->fds);
	free(probes->on);
	memset(probes, 0, sizeof(*probes));
}
