#include "engine/prober.h"

#include "engine/base/clock.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/engine_state.h"
#include "engine/futex_names.h"
#include "engine/tasks/futex_recorded.h"
#include "engine/wait_graph.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOOK_EVERY_NS (100 * NS_PER_MS)
#define REST_NS NS_PER_S
/* The thread rests after this many rounds that had nothing to do. */
#define ROUNDS_IN_VAIN 10
#define FUTEXES_AT_ONCE 4096 /* per hold of the model's lock */
#define VARIABLES_MAX 4096 /* maximum number of futexes that wait for a name */
#define VARIABLE_LOOKS 50

/* A futex that can get a name once the symbols of its file are loaded. */
struct unnamed {
	struct observation observation; /* without a text */
	struct engine_futex row;
	unsigned int looks;
};

struct prober {
	struct engine *engine;
	pthread_t thread;
	pthread_mutex_t mutex; /* protects the next two */
	pthread_cond_t changed;
	unsigned int rounds; /* number of rounds until the thread rests */
	bool begun, ending;

	pthread_mutex_t looking; /* protects the following members */
	uint32_t file; /* number of the recorder's present file; 0: none */
	uint32_t flight; /* number of the flight recorder's present file; 0: none */
	struct unnamed *unnamed;
	size_t unnamed_count, unnamed_cap;
	uint64_t futex_id; /* highest id of a futex that was noted */
};

/* -- Known observations, for a new file ------------------------------------------------------ */

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

/* Query the descriptors of processes that were not queried yet. */
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

static void note_unnamed(struct prober *prober, const struct futex *futex,
			 const struct observation *observation)
{
	struct unnamed *unnamed;

	if (prober->unnamed_count >= VARIABLES_MAX)
		return;
	prober->unnamed = mem_grow(prober->unnamed, &prober->unnamed_cap, prober->unnamed_count + 1,
				   sizeof(*prober->unnamed));
	unnamed = &prober->unnamed[prober->unnamed_count++];
	memset(unnamed, 0, sizeof(*unnamed));
	unnamed->observation = *observation;
	unnamed->observation.kind = OBSERVATION_VARIABLE;
	unnamed->observation.text = NULL;
	unnamed->observation.len = 0;
	unnamed->row.id = futex->id;
	unnamed->row.pid = futex->pid;
	unnamed->row.uaddr = futex->key.uaddr;
	unnamed->row.generation = futex->key.generation;
	unnamed->row.shared = futex->key.shared;
}

/*
 * Note the resolved futexes that no earlier round noted, to name their variables. `all`, for a new
 * file: emit and note all resolved futexes.
 */
static void emit_futexes(struct prober *prober, bool all)
{
	struct engine *e = prober->engine;
	uint64_t newest = prober->futex_id;
	bool more = true;

	for (size_t at = 0; more;) {
		const struct futex_table *table;

		collector_lock(e->collector);
		table = futexes_table(model_futexes(e->model));
		for (int i = 0; i < FUTEXES_AT_ONCE && at < table->count; i++, at++) {
			const struct futex *futex = table->all[at];
			struct observation observation;

			if (!futex_recorded_describe(futex, model_tasks(e->model), &observation))
				continue;
			observation.fed_ns = model_fed_ns(e->model);
			if (all)
				engine_find(e, &observation);
			if (all || futex->id > prober->futex_id)
				note_unnamed(prober, futex, &observation);
			if (futex->id > newest)
				newest = futex->id;
		}
		more = at < table->count;
		collector_unlock(e->collector);
		if (more)
			collector_make_way(e->collector);
	}
	prober->futex_id = newest;
}

/* Try to name the noted variables; loading the symbols of a file can take several rounds. */
static void name_some(struct prober *prober)
{
	struct engine *e = prober->engine;
	char name[ENGINE_FUTEX_NAME_BYTES];
	size_t kept = 0;

	for (size_t i = 0; i < prober->unnamed_count; i++) {
		struct unnamed *unnamed = &prober->unnamed[i];
		bool pending = false;

		if (futex_names_variable(e, &unnamed->row, name, &pending)) {
			unnamed->observation.text = name;
			unnamed->observation.len = strlen(name);
			engine_find(e, &unnamed->observation);
		} else if (pending && ++unnamed->looks < VARIABLE_LOOKS) {
			prober->unnamed[kept++] = *unnamed;
		}
	}
	prober->unnamed_count = kept;
}

/* -- Rounds --------------------------------------------------------------------------------- */

static void begin_file(struct prober *prober, uint64_t began_ns)
{
	struct engine *e = prober->engine;

	prober->unnamed_count = 0;
	if (e->fds)
		fds_report_all(e->fds, began_ns);
	ask_fds(e);
	emit_futexes(prober, true);
	/* A distinct number for each pair of files. */
	wait_graph_begin_file(e->wait_graph, prober->file + (prober->flight << 16));
}

/* If a file has begun, emit all known observations; the other file can then have them twice. */
static void look_for_files(struct prober *prober)
{
	struct engine *e = prober->engine;
	uint64_t began_ns, flown_ns = UINT64_MAX;
	uint32_t file = recorder_file_number(e->recorder, &began_ns);
	uint32_t flight = e->flight ? flight_file_number(e->flight, &flown_ns) : 0;
	bool has_begun = file && file != prober->file;
	bool has_flown = flight && flight != prober->flight;

	prober->file = file;
	prober->flight = flight;
	if (has_begun || has_flown)
		begin_file(prober,
			   !has_begun || (has_flown && flown_ns < began_ns) ? flown_ns : began_ns);
}

/* Run a round. False: nothing is recorded, and the filter needs no late reads. */
static bool look(struct prober *prober)
{
	struct engine *e = prober->engine;
	bool records;

	pthread_mutex_lock(&prober->looking);
	look_for_files(prober);
	records = prober->file || prober->flight;
	if (records) {
		engine_futexes_place(e);
		emit_futexes(prober, false);
		name_some(prober);
		wait_graph_look(e);
	} else {
		wait_graph_begin_file(e->wait_graph, 0);
	}
	pthread_mutex_unlock(&prober->looking);
	if (!records) {
		collector_lock(e->collector);
		records = (e->flight && flight_is_on(e->flight)) ||
			  collector_asks_memory(e->collector);
		collector_unlock(e->collector);
	}
	return records;
}

void prober_look(struct prober *prober)
{
	look(prober);
}

static void *prober_main(void *arg)
{
	struct prober *prober = arg;

	pthread_setname_np(pthread_self(), "prober");
	pthread_mutex_lock(&prober->mutex);
	while (!prober->ending) {
		uint64_t since_ns = clock_now_ns();
		struct timespec until;

		if (prober->begun) {
			bool records;

			prober->rounds -= prober->rounds > 0;
			pthread_mutex_unlock(&prober->mutex);
			engine_look_wanted(prober->engine);
			records = look(prober);
			pthread_mutex_lock(&prober->mutex);
			if (records)
				prober->rounds = ROUNDS_IN_VAIN;
		}
		until = clock_deadline(since_ns + (prober->rounds ? LOOK_EVERY_NS : REST_NS));
		if (!prober->ending)
			pthread_cond_timedwait(&prober->changed, &prober->mutex, &until);
	}
	pthread_mutex_unlock(&prober->mutex);
	return NULL;
}

int prober_new(struct prober **prober, struct engine *engine, struct err *err)
{
	struct prober *made = mem_zalloc(1, sizeof(*made));
	pthread_condattr_t monotonic;
	sigset_t all, old;
	int rc;

	made->engine = engine;
	lock_init(&made->mutex);
	lock_init(&made->looking);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&made->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&made->thread, NULL, prober_main, made);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		pthread_cond_destroy(&made->changed);
		pthread_mutex_destroy(&made->looking);
		pthread_mutex_destroy(&made->mutex);
		free(made);
		return err_set(err, -rc,
			       "cannot start the thread that reads /proc for the recording: %s",
			       strerror(rc));
	}
	*prober = made;
	return 0;
}

void prober_begin(struct prober *prober)
{
	if (!prober)
		return;
	pthread_mutex_lock(&prober->mutex);
	prober->begun = true;
	prober->rounds = ROUNDS_IN_VAIN;
	pthread_cond_broadcast(&prober->changed);
	pthread_mutex_unlock(&prober->mutex);
}

void prober_free(struct prober *prober)
{
	if (!prober)
		return;
	pthread_mutex_lock(&prober->mutex);
	prober->ending = true;
	pthread_cond_broadcast(&prober->changed);
	pthread_mutex_unlock(&prober->mutex);
	pthread_join(prober->thread, NULL);
	pthread_cond_destroy(&prober->changed);
	pthread_mutex_destroy(&prober->looking);
	pthread_mutex_destroy(&prober->mutex);
	free(prober->unnamed);
	free(prober);
}
