#include "tui/dialogs/shutdown.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Nice value of the thread that frees, so that a busy machine does not delay the exit. */
#define PRIORITY (-20)

/* Not freed if the thread is left running: the thread still uses it. */
struct work {
	void (*run)(void *ctx);
	void *ctx;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool done;
};

static void *work_main(void *data)
{
	struct work *work = data;

	pthread_setname_np(pthread_self(), "shutdown");
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* this thread only, if permitted */
	work->run(work->ctx);
	pthread_mutex_lock(&work->mutex);
	work->done = true;
	pthread_cond_broadcast(&work->changed);
	pthread_mutex_unlock(&work->mutex);
	return NULL;
}

static struct timespec in_ms(int ms)
{
	return clock_deadline(clock_now_ns() + (uint64_t)ms * NS_PER_MS);
}

static bool wait_for(struct work *work, int limit_ms)
{
	struct timespec until = in_ms(limit_ms);
	bool done;

	pthread_mutex_lock(&work->mutex);
	while (!work->done)
		if (pthread_cond_clockwait(&work->changed, &work->mutex, CLOCK_MONOTONIC, &until))
			break;
	done = work->done;
	pthread_mutex_unlock(&work->mutex);
	return done;
}

bool shutdown_run(struct shutdown *shutdown, void (*run)(void *ctx), void *ctx, int limit_ms)
{
	sigset_t every, before;
	struct work *work;
	pthread_t thread;
	int rc;

	if (shutdown->stuck)
		return false;
	work = mem_zalloc(1, sizeof(*work));
	work->run = run;
	work->ctx = ctx;
	pthread_mutex_init(&work->mutex, NULL);
	pthread_cond_init(&work->changed, NULL);
	/* Let only the waiting thread receive signals, so that they still end the program. */
	sigfillset(&every);
	pthread_sigmask(SIG_BLOCK, &every, &before);
	rc = pthread_create(&thread, NULL, work_main, work);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc || !wait_for(work, limit_ms)) {
		shutdown->stuck = true;
		if (!rc)
			pthread_detach(thread); /* it is never joined */
		return false;
	}
	pthread_join(thread, NULL);
	pthread_cond_destroy(&work->changed);
	pthread_mutex_destroy(&work->mutex);
	free(work);
	return true;
}

void shutdown_leave(int status)
{
	_exit(status);
}
