#include "engine/prober.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/engine_private.h"
#include "engine/futex_names.h"
#include "engine/tasks/futex_recorded.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOOK_EVERY_NS (100 * NS_PER_MS)
#define FUTEXES_AT_ONCE 4096 /* under one hold of the model's lock */
#define VARIABLES_MAX 4096 /* that wait for their names */
#define VARIABLE_LOOKS 50

/* A futex that may have a name, once the symbols of its file were read. */
struct unnamed {
	struct finding finding; /* without a text */
	struct engine_futex row;
	unsigned int looks;
};

struct finder {
	struct engine *engine;
	pthread_t thread;
	pthread_mutex_t mutex; /* of the next two */
	pthread_cond_t changed;
	bool begun, ending;

	pthread_mutex_t looking; /* of all that follows */
	uint32_t file; /* the one that is written; 0: none is */
	uint32_t flight; /* the same of the flight recorder's */
	struct unnamed *unnamed;
	size_t unnamed_count, unnamed_cap;
	uint64_t futex_id; /* the newest that was looked at */
};

/* -- What is known already, for a file that begins ------------------------------------------ */

struct pids {
	uint32_t *pids;
	size_t count, cap;
};

static void add_pid(void *ctx, struct task *task)
{
	struct pids *pids = ctx;

	if (task->ended || task->tid != task->process->pid)
		return;
	pids->pids = mem_grow(pids->pids, &pids->cap, pids->count + 1, sizeof(*pids->pids));
	pids->pids[pids->count++] = task->process->pid;
}

/* Those of whom nothing was asked yet. */
static void ask_fds(struct engine *e)
{
	struct pids pids = { .pids = NULL };

	if (!e->fd_reader)
		return;
	collector_lock(e->collector);
	tasks_each(model_tasks(e->model), add_pid, &pids);
	collector_unlock(e->collector);
	for (size_t i = 0; i < pids.count; i++)
		fds_ask_once(e->fds, pids.pids[i]);
	free(pids.pids);
}

/* -- Futexes -------------------------------------------------------------------------------- */

static void note_unnamed(struct finder *finder, const struct futex *futex,
			 const struct finding *finding)
{
	struct unnamed *unnamed;

	if (finder->unnamed_count >= VARIABLES_MAX)
		return;
	finder->unnamed = mem_grow(finder->unnamed, &finder->unnamed_cap, finder->unnamed_count + 1,
				   sizeof(*finder->unnamed));
	unnamed = &finder->unnamed[finder->unnamed_count++];
	memset(unnamed, 0, sizeof(*unnamed));
	unnamed->finding = *finding;
	unnamed->finding.kind = FINDING_VARIABLE;
	unnamed->finding.text = NULL;
	unnamed->finding.len = 0;
	unnamed->row.id = futex->id;
	unnamed->row.pid = futex->pid;
	unnamed->row.uaddr = futex->key.uaddr;
	unnamed->row.generation = futex->key.generation;
	unnamed->row.shared = futex->key.shared;
}

/* Those whose memory became known since; ids grow. `all`: of a file that knows none. */
static void tell_futexes(struct finder *finder, bool all)
{
	struct engine *e = finder->engine;
	uint64_t newest = finder->futex_id;
	bool more = true;

	for (size_t at = 0; more;) {
		const struct futex_table *table;

		collector_lock(e->collector);
		table = futexes_table(model_futexes(e->model));
		for (int i = 0; i < FUTEXES_AT_ONCE && at < table->count; i++, at++) {
			const struct futex *futex = table->all[at];
			struct finding finding;

			if (!futex_told_describe(futex, model_tasks(e->model), &finding))
				continue;
			finding.fed_ns = model_fed_ns(e->model);
			if (all)
				engine_find(e, &finding);
			if (all || futex->id > finder->futex_id)
				note_unnamed(finder, futex, &finding);
			if (futex->id > newest)
				newest = futex->id;
		}
		more = at < table->count;
		collector_unlock(e->collector);
		if (more)
			collector_make_way(e->collector);
	}
	finder->futex_id = newest;
}

/* What a lock's variable is called is in the symbols of its file, which takes a while. */
static void name_some(struct finder *finder)
{
	struct engine *e = finder->engine;
	char name[ENGINE_FUTEX_NAME_BYTES];
	size_t kept = 0;

	for (size_t i = 0; i < finder->unnamed_count; i++) {
		struct unnamed *unnamed = &finder->unnamed[i];
		bool pending = false;

		if (futex_names_variable(e, &unnamed->row, name, &pending)) {
			unnamed->finding.text = name;
			unnamed->finding.len = strlen(name);
			engine_find(e, &unnamed->finding);
		} else if (pending && ++unnamed->looks < VARIABLE_LOOKS) {
			finder->unnamed[kept++] = *unnamed;
		}
	}
	finder->unnamed_count = kept;
}

/* -- Rounds --------------------------------------------------------------------------------- */

static void begin_file(struct finder *finder, uint64_t began_ns)
{
	struct engine *e = finder->engine;

	finder->unnamed_count = 0;
	if (e->fds)
		fds_tell_all(e->fds, began_ns);
	ask_fds(e);
	tell_futexes(finder, true);
	/* Another number for each pair of them. */
	futex_watch_begin_file(e->futex_watch, finder->file + (finder->flight << 16));
}

/* A file that was begun since is told what is known; another one may know it already. */
static void look_for_files(struct finder *finder)
{
	struct engine *e = finder->engine;
	uint64_t began_ns, flown_ns = UINT64_MAX;
	uint32_t file = recorder_file_number(e->recorder, &began_ns);
	uint32_t flight = e->flight ? flight_file_number(e->flight, &flown_ns) : 0;
	bool has_begun = file && file != finder->file;
	bool has_flown = flight && flight != finder->flight;

	finder->file = file;
	finder->flight = flight;
	if (has_begun || has_flown)
		begin_file(finder,
			   !has_begun || (has_flown && flown_ns < began_ns) ? flown_ns : began_ns);
}

void finder_look(struct finder *finder)
{
	struct engine *e = finder->engine;

	pthread_mutex_lock(&finder->looking);
	look_for_files(finder);
	if (finder->file || finder->flight) {
		engine_futexes_place(e);
		tell_futexes(finder, false);
		name_some(finder);
		futex_watch_look(e);
	} else {
		futex_watch_begin_file(e->futex_watch, 0);
	}
	pthread_mutex_unlock(&finder->looking);
}

static struct timespec in_ns(uint64_t ns)
{
	return clock_deadline(clock_now_ns() + ns);
}

static void *finder_main(void *arg)
{
	struct finder *finder = arg;

	pthread_setname_np(pthread_self(), "finder");
	pthread_mutex_lock(&finder->mutex);
	while (!finder->ending) {
		struct timespec until = in_ns(LOOK_EVERY_NS);

		if (finder->begun) {
			pthread_mutex_unlock(&finder->mutex);
			finder_look(finder);
			pthread_mutex_lock(&finder->mutex);
		}
		if (!finder->ending)
			pthread_cond_timedwait(&finder->changed, &finder->mutex, &until);
	}
	pthread_mutex_unlock(&finder->mutex);
	return NULL;
}

int finder_new(struct finder **finder, struct engine *engine, struct err *err)
{
	struct finder *made = mem_zalloc(1, sizeof(*made));
	pthread_condattr_t monotonic;
	sigset_t all, old;
	int rc;

	made->engine = engine;
	pthread_mutex_init(&made->mutex, NULL);
	pthread_mutex_init(&made->looking, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&made->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&made->thread, NULL, finder_main, made);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		pthread_cond_destroy(&made->changed);
		pthread_mutex_destroy(&made->looking);
		pthread_mutex_destroy(&made->mutex);
		free(made);
		return err_set(err, -rc,
			       "cannot start the thread that asks for what a recording "
			       "needs: %s",
			       strerror(rc));
	}
	*finder = made;
	return 0;
}

static void set(struct finder *finder, bool *what)
{
	pthread_mutex_lock(&finder->mutex);
	*what = true;
	pthread_cond_broadcast(&finder->changed);
	pthread_mutex_unlock(&finder->mutex);
}

void finder_begin(struct finder *finder)
{
	if (finder)
		set(finder, &finder->begun);
}

void finder_free(struct finder *finder)
{
	if (!finder)
		return;
	set(finder, &finder->ending);
	pthread_join(finder->thread, NULL);
	pthread_cond_destroy(&finder->changed);
	pthread_mutex_destroy(&finder->looking);
	pthread_mutex_destroy(&finder->mutex);
	free(finder->unnamed);
	free(finder);
}
