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
 * The collector, which alternates with this thread on the lock of the model, has the same nice
 * value. With a higher one, this thread could be preempted while it holds the lock. That can still
 * happen if setpriority(2) is not permitted.
 */
#define PRIORITY (-20)
#define COST_SHARE 20
#define EVERY_NS_MAX (NS_PER_S / 2)

struct job_queue {
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int fd;
	struct job *first; /* the running job, or the next one to run */
	bool running;
	bool leaving;
};

static void run_first(struct job_queue *all)
{
	struct job *job = all->first;

	all->running = true;
	pthread_mutex_unlock(&all->mutex);
	job->run(job->ctx);
	pthread_mutex_lock(&all->mutex);
	all->running = false;
	all->first = job->next;
	job->pending = false;
	job->done = true;
	eventfd_write(all->fd, 1);
	pthread_cond_broadcast(&all->changed);
}

static void *run(void *data)
{
	struct job_queue *all = data;

	pthread_setname_np(pthread_self(), "jobs");
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* Linux: this thread only */
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

int job_queue_new(struct job_queue **out, struct err *err)
{
	struct job_queue *all = mem_zalloc(1, sizeof(*all));
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
	/* Signals belong to the thread that owns the terminal. */
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

void job_queue_free(struct job_queue *all)
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

int job_queue_fd(const struct job_queue *all)
{
	return all ? all->fd : -1;
}

void job_queue_seen(struct job_queue *all)
{
	eventfd_t count;

	eventfd_read(all->fd, &count);
}

void job_submit(struct job *job, struct job_queue *all)
{
	struct job **last;

	if (job_is_pending(job))
		return;
	if (!all) {
		job->run(job->ctx);
		job->done = true;
		return;
	}
	job->job_queue = all;
	pthread_mutex_lock(&all->mutex);
	job->pending = true;
	job->next = NULL;
	for (last = &all->first; *last; last = &(*last)->next)
		;
	*last = job;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->mutex);
}

bool job_is_pending(const struct job *job)
{
	struct job_queue *all = job->job_queue;
	bool pending;

	if (!all)
		return job->done;
	pthread_mutex_lock(&all->mutex);
	pending = job->pending || job->done;
	pthread_mutex_unlock(&all->mutex);
	return pending;
}

bool job_is_done(struct job *job)
{
	struct job_queue *all = job->job_queue;
	bool back;

	if (all)
		pthread_mutex_lock(&all->mutex);
	back = job->done;
	job->done = false;
	if (all)
		pthread_mutex_unlock(&all->mutex);
	return back;
}

void job_cancel(struct job *job)
{
	struct job_queue *all = job->job_queue;

	job->done = false;
	if (!all)
		return;
	pthread_mutex_lock(&all->mutex);
	while (all->running && all->first == job)
		pthread_cond_wait(&all->changed, &all->mutex);
	for (struct job **at = &all->first; job->pending && *at; at = &(*at)->next) {
		if (*at != job)
			continue;
		*at = job->next;
		job->pending = false;
		break;
	}
	job->done = false;
	pthread_mutex_unlock(&all->mutex);
}

uint64_t job_every_ns(uint64_t cost_ns, uint64_t every_ns)
{
	uint64_t wanted_ns = cost_ns * COST_SHARE;

	if (wanted_ns > EVERY_NS_MAX)
		wanted_ns = EVERY_NS_MAX;
	return wanted_ns > every_ns ? wanted_ns : every_ns;
}
