#include "engine/base/job_queue.h"

#include "engine/base/clock.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * That of the collector: it holds the model's lock in turns with it, and would otherwise have to
 * give up the processor with the lock in its hands. Where we may not, it may happen.
 */
#define PRIORITY (-20)
#define COST_SHARE 20
#define EVERY_NS_MAX (NS_PER_S / 2)

struct errands {
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int fd;
	struct errand *first; /* the one that runs, or is the next one to */
	bool running;
	bool leaving;
};

static void run_first(struct errands *all)
{
	struct errand *errand = all->first;

	all->running = true;
	pthread_mutex_unlock(&all->mutex);
	errand->run(errand->ctx);
	pthread_mutex_lock(&all->mutex);
	all->running = false;
	all->first = errand->next;
	errand->away = false;
	errand->back = true;
	eventfd_write(all->fd, 1);
	pthread_cond_broadcast(&all->changed);
}

static void *run(void *data)
{
	struct errands *all = data;

	pthread_setname_np(pthread_self(), "errands");
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* of this thread alone */
	pthread_mutex_lock(&all->mutex);
	while (!all->leaving) {
		if (all->first)
			run_first(all);
		else
			pthread_cond_wait(&all->changed, &all->mutex);
	}
	pthread_mutex_unlock(&all->mutex);
	return NULL;
}

int errands_new(struct errands **out, struct err *err)
{
	struct errands *all = mem_zalloc(1, sizeof(*all));
	sigset_t every, before;
	int rc;

	all->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (all->fd < 0) {
		rc = errno;
		free(all);
		return err_set(err, -rc, "cannot start a thread: %s", strerror(rc));
	}
	lock_init(&all->mutex);
	pthread_cond_init(&all->changed, NULL);
	/* Signals are for the thread that owns the terminal. */
	sigfillset(&every);
	pthread_sigmask(SIG_BLOCK, &every, &before);
	rc = pthread_create(&all->thread, NULL, run, all);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!rc) {
		*out = all;
		return 0;
	}
	pthread_cond_destroy(&all->changed);
	pthread_mutex_destroy(&all->mutex);
	close(all->fd);
	free(all);
	return err_set(err, -rc, "cannot start a thread: %s", strerror(rc));
}

void errands_free(struct errands *all)
{
	if (!all)
		return;
	pthread_mutex_lock(&all->mutex);
	all->leaving = true;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->mutex);
	pthread_join(all->thread, NULL);
	pthread_cond_destroy(&all->changed);
	pthread_mutex_destroy(&all->mutex);
	close(all->fd);
	free(all);
}

int errands_fd(const struct errands *all)
{
	return all ? all->fd : -1;
}

void errands_seen(struct errands *all)
{
	eventfd_t count;

	eventfd_read(all->fd, &count);
}

void errand_send(struct errand *errand, struct errands *all)
{
	struct errand **last;

	if (errand_is_pending(errand))
		return;
	if (!all) {
		errand->run(errand->ctx);
		errand->back = true;
		return;
	}
	errand->errands = all;
	pthread_mutex_lock(&all->mutex);
	errand->away = true;
	errand->next = NULL;
	for (last = &all->first; *last; last = &(*last)->next)
		;
	*last = errand;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->mutex);
}

bool errand_is_pending(const struct errand *errand)
{
	struct errands *all = errand->errands;
	bool pending;

	if (!all)
		return errand->back;
	pthread_mutex_lock(&all->mutex);
	pending = errand->away || errand->back;
	pthread_mutex_unlock(&all->mutex);
	return pending;
}

bool errand_is_back(struct errand *errand)
{
	struct errands *all = errand->errands;
	bool back;

	if (all)
		pthread_mutex_lock(&all->mutex);
	back = errand->back;
	errand->back = false;
	if (all)
		pthread_mutex_unlock(&all->mutex);
	return back;
}

void errand_recall(struct errand *errand)
{
	struct errands *all = errand->errands;

	errand->back = false;
	if (!all)
		return;
	pthread_mutex_lock(&all->mutex);
	while (all->running && all->first == errand)
		pthread_cond_wait(&all->changed, &all->mutex);
	for (struct errand **at = &all->first; errand->away && *at; at = &(*at)->next) {
		if (*at != errand)
			continue;
		*at = errand->next;
		errand->away = false;
		break;
	}
	errand->back = false;
	pthread_mutex_unlock(&all->mutex);
}

uint64_t errand_every_ns(uint64_t cost_ns, uint64_t every_ns)
{
	uint64_t wanted_ns = cost_ns * COST_SHARE;

	if (wanted_ns > EVERY_NS_MAX)
		wanted_ns = EVERY_NS_MAX;
	return wanted_ns > every_ns ? wanted_ns : every_ns;
}
