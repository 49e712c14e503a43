#include "engine/recorder/flight.h"

#include "engine/base/clock.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/recorder/flight_private.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SPACES_BYTES ((size_t)1 << 20)

struct flight_arming {
	struct record_queue ring, spaces; /* .bytes NULL: reuse the present ones */
	struct flight_settings settings;
	struct filter *filter; /* owned reference */
};

void flight_request_init(struct flight_request *request)
{
	*request = (struct flight_request){
		.bytes = FLIGHT_BYTES,
		.before_ns = FLIGHT_BEFORE_NS,
		.after_ns = FLIGHT_AFTER_NS,
		.again_ns = FLIGHT_AGAIN_NS,
		.keep = FLIGHT_KEEP,
	};
}

/* -- Triggers ------------------------------------------------------------------------------ */

static void settings_release(struct flight_settings *settings)
{
	free(settings->pattern);
	settings->pattern = NULL;
}

static void save(struct flight *f, const struct flight_mark *mark)
{
	const struct flight_segment *first;

	flight_ring_take_back(f);
	if (flight_is_saving(f) || f->first_segment == f->end_segment) {
		f->dropped++;
		return;
	}
	first = flight_ring_choose(f, mark->time_ns > f->settings.before_ns
					      ? mark->time_ns - f->settings.before_ns
					      : 0);
	f->mark = *mark;
	f->mark.from_ns = first->time_ns;
	f->save_begin = first->position;
	f->save_until_ns = mark->time_ns + f->settings.after_ns;
	f->save_dropped = f->dropped - f->reported_dropped;
	f->reported_dropped = f->dropped;
	f->save_settings = f->settings;
	f->save_settings.pattern = mem_strdup(f->settings.pattern);
	f->spent = f->spent || (f->settings.once && mark->reason == FLIGHT_CALL);
	atomic_store(&f->save_missed, 0);
	atomic_store(&f->save_end, UINT64_MAX);
	record_queue_retain_from(&f->ring, first->position);
	flight_ring_publish(f);
	pthread_mutex_lock(&f->mutex);
	atomic_store_explicit(&f->saving, true, memory_order_release);
	pthread_cond_broadcast(&f->wake);
	pthread_mutex_unlock(&f->mutex);
}

static void hit(void *ctx, const struct call *call, const struct model *model)
{
	struct flight *f = ctx;
	struct flight_mark mark = {
		.reason = FLIGHT_CALL,
		.time_ns = clock_now_ns(),
		.pid = call->pid,
		.tid = call->tid,
		.nr = call->nr,
		.enter_ns = call->enter_ns,
		.dur_ns = call->dur_ns,
		.in_flight = call->state == CALL_IN_FLIGHT,
		.event = call->state == CALL_EVENT,
	};

	if (f->spent)
		return;
	if (flight_is_saving(f) || mark.time_ns < atomic_load(&f->rests_until_ns)) {
		f->dropped++;
		return;
	}
	snprintf(mark.comm, sizeof(mark.comm), "%s", model_name(model, call->comm_id));
	snprintf(mark.expression, sizeof(mark.expression), "%s", match_text(f->trigger.match));
	save(f, &mark);
}

void flight_freeze(struct flight *f, enum flight_reason reason)
{
	atomic_store(&f->freeze, reason);
}

static void freeze_by_hand(struct flight *f, uint64_t now_ns)
{
	struct flight_mark mark = {
		.reason = (enum flight_reason)atomic_exchange(&f->freeze, FLIGHT_NONE),
		.time_ns = now_ns,
		.dur_ns = -1,
	};

	snprintf(mark.expression, sizeof(mark.expression), "%s", match_text(f->trigger.match));
	save(f, &mark);
}

/* -- The collector ------------------------------------------------------------------------- */

bool flight_is_on(const struct flight *f)
{
	return f->on;
}

void flight_drained(struct flight *f, uint64_t now_ns)
{
	flight_ring_take_back(f);
	flight_ring_put_mark(f, FLIGHT_DRAINED, now_ns);
	if (f->due_ns <= now_ns || f->ring.write_at >= f->due_at)
		flight_begin(f, now_ns);
	if (!f->save_until_ns && f->first_segment < f->end_segment)
		flight_ring_make_room(f);
	flight_ring_publish(f);
	flight_trigger_drained(&f->trigger, f->model, now_ns);
	if (atomic_load(&f->freeze))
		freeze_by_hand(f, now_ns);
	if (f->save_until_ns && now_ns >= f->save_until_ns && flight_is_saving(f) &&
	    atomic_load(&f->save_end) == UINT64_MAX)
		atomic_store(&f->save_end, f->ring.write_at);
}

void flight_end(struct flight *f)
{
	if (!f->on || !flight_is_saving(f))
		return;
	flight_ring_publish(f);
	if (atomic_load(&f->save_end) == UINT64_MAX)
		atomic_store(&f->save_end, f->ring.write_at);
}

/* -- Arming -------------------------------------------------------------------------------- */

/* Return the largest power of two up to `wanted`, at least FLIGHT_BYTES_MIN. */
static size_t ring_bytes(size_t wanted)
{
	size_t bytes = FLIGHT_BYTES_MIN;

	while (bytes <= wanted / 2)
		bytes *= 2;
	return bytes;
}

/* True if a ring is in use; stays valid: only one thread at a time prepares, arms and disarms. */
static bool has_ring(struct flight *f)
{
	bool has;

	pthread_mutex_lock(&f->mutex);
	has = f->ring.bytes && !f->unwanted;
	pthread_mutex_unlock(&f->mutex);
	return has;
}

int flight_prepare(struct flight *f, const struct flight_request *request,
		   struct flight_arming **out, struct err *err)
{
	const char *pattern = request->pattern ? request->pattern : FLIGHT_PATTERN;
	size_t bytes = ring_bytes(request->bytes ? request->bytes : FLIGHT_BYTES);
	struct flight_arming *arming;
	int rc = flight_file_check(pattern, err);

	if (rc)
		return rc;
	arming = mem_zalloc(1, sizeof(*arming));
	if (!has_ring(f)) {
		rc = record_queue_init(&arming->ring, bytes);
		rc = rc ? rc : record_queue_init(&arming->spaces, SPACES_BYTES);
		/* The ring is traversed cyclically: with small pages, each page is a TLB miss. */
		if (!rc)
			madvise(arming->ring.bytes, bytes, MADV_HUGEPAGE);
	} else if (f->ring.size != bytes) {
		rc = err_set(err, -EBUSY,
			     "the flight recorder's ring has a different size; disarm it first");
	}
	if (rc == -ENOMEM)
		err_set(err, rc, "no memory for the flight recorder's ring of %zu MiB",
			bytes >> 20);
	if (rc) {
		flight_arming_free(arming);
		return rc;
	}
	arming->settings = (struct flight_settings){
		.pattern = mem_strdup(pattern),
		.before_ns = request->before_ns,
		.after_ns = request->after_ns,
		.again_ns = request->again_ns,
		.keep = request->keep,
		.once = request->once,
	};
	arming->filter = request->filter ? filter_ref(request->filter) : NULL;
	*out = arming;
	return 0;
}

void flight_arming_free(struct flight_arming *arming)
{
	if (!arming)
		return;
	record_queue_release(&arming->ring);
	record_queue_release(&arming->spaces);
	settings_release(&arming->settings);
	filter_free(arming->filter);
	free(arming);
}

int flight_arm(struct flight *f, struct flight_arming *arming, struct model *model, struct err *err)
{
	int rc = 0;

	pthread_mutex_lock(&f->mutex);
	if (f->ring.bytes && arming->ring.bytes) {
		rc = err_set(err, -EBUSY, "the flight recorder's last file is still being written");
	} else if (arming->ring.bytes) {
		f->ring = arming->ring;
		f->spaces = arming->spaces;
		arming->ring.bytes = arming->spaces.bytes = NULL;
		f->first_segment = f->end_segment = 0;
		f->due_at = f->due_ns = f->published_at = 0;
		f->save_until_ns = 0;
		f->owes_whole = f->small = false;
		f->pending_missed = 0;
	}
	pthread_mutex_unlock(&f->mutex);
	if (rc)
		return rc;
	flight_trigger_release(&f->trigger);
	flight_trigger_init(&f->trigger, arming->filter, hit, f);
	settings_release(&f->settings);
	f->settings = arming->settings;
	arming->settings.pattern = NULL;
	f->model = model;
	f->on = true;
	f->spent = false;
	atomic_store(&f->rests_until_ns, 0);
	atomic_store(&f->freeze, FLIGHT_NONE);
	model_set_tap(model, f->trigger.match ? flight_trigger_look : NULL, &f->trigger);
	return 0;
}

void flight_disarm(struct flight *f, struct model *model)
{
	if (!f->on)
		return;
	flight_end(f);
	f->on = false;
	model_set_tap(model, NULL, NULL);
	flight_trigger_release(&f->trigger);
	pthread_mutex_lock(&f->mutex);
	f->unwanted = true;
	pthread_cond_broadcast(&f->wake);
	pthread_mutex_unlock(&f->mutex);
}

/* -- Status -------------------------------------------------------------------------------- */

static enum flight_state state_of(const struct flight *f, uint64_t rests_ns)
{
	if (flight_is_saving(f))
		return FLIGHT_SAVING;
	if (!f->on)
		return FLIGHT_OFF;
	if (f->spent)
		return FLIGHT_SPENT;
	return rests_ns && f->trigger.match ? FLIGHT_RESTS : FLIGHT_ARMED;
}

void flight_get_status(struct flight *f, struct flight_status *status)
{
	uint64_t now_ns = clock_now_ns(), until_ns = atomic_load(&f->rests_until_ns);

	memset(status, 0, sizeof(*status));
	status->rests_ns = until_ns > now_ns ? until_ns - now_ns : 0;
	status->state = state_of(f, status->rests_ns);
	if (f->on) {
		status->ring_bytes = f->ring.size;
		if (f->first_segment < f->end_segment)
			status->kept_ns = now_ns - flight_segment(f, f->first_segment)->time_ns;
		status->small = f->small;
	}
	status->missed = f->missed;
	status->dropped = f->dropped;
	pthread_mutex_lock(&f->mutex);
	status->saved = f->saved;
	status->failed = f->failed;
	pthread_mutex_unlock(&f->mutex);
}

bool flight_next(struct flight *f, struct flight_save *save)
{
	bool any;

	pthread_mutex_lock(&f->mutex);
	any = f->news_count;
	if (any) {
		*save = f->news[0];
		f->news_count--;
		memmove(f->news, f->news + 1, f->news_count * sizeof(*f->news));
	}
	pthread_mutex_unlock(&f->mutex);
	return any;
}

void flight_find(struct flight *f, const struct observation *observation)
{
	recorder_find(&f->file, observation);
}

uint32_t flight_file_number(struct flight *f, uint64_t *began_ns)
{
	return recorder_file_number(&f->file, began_ns);
}

void flight_wait(struct flight *f)
{
	pthread_mutex_lock(&f->mutex);
	while (flight_is_saving(f))
		pthread_cond_wait(&f->idle, &f->mutex);
	pthread_mutex_unlock(&f->mutex);
}

/* -- The owner ----------------------------------------------------------------------------- */

int flight_new(struct flight **out, const struct flight_options *options, struct err *err)
{
	const struct recorder_options file = { .formats = options->formats,
					       .stack_bytes = options->stack_bytes,
					       .names = options->names };
	struct flight *f = mem_zalloc(1, sizeof(*f));
	pthread_condattr_t monotonic;
	sigset_t all, old;
	int rc;

	f->options = *options;
	recorder_init(&f->file, &file);
	/* Let flight_maps write the mappings instead of recorder_maps. */
	f->file.recorded = true;
	flight_maps_init(&f->maps, options->spaces, options->reader);
	f->news = mem_zalloc(FLIGHT_NEWS, sizeof(*f->news));
	lock_init(&f->mutex);
	lock_init(&f->asking);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&f->wake, &monotonic);
	pthread_cond_init(&f->idle, &monotonic);
	pthread_condattr_destroy(&monotonic);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&f->thread, NULL, flight_main, f);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		recorder_release(&f->file);
		flight_maps_release(&f->maps);
		free(f->news);
		free(f);
		return err_set(err, -rc, "cannot start the flight recorder's thread: %s",
			       strerror(rc));
	}
	*out = f;
	return 0;
}

void flight_free(struct flight *f)
{
	if (!f)
		return;
	flight_end(f);
	pthread_mutex_lock(&f->mutex);
	f->quit = true;
	pthread_cond_broadcast(&f->wake);
	pthread_mutex_unlock(&f->mutex);
	pthread_join(f->thread, NULL);
	flight_trigger_release(&f->trigger);
	settings_release(&f->settings);
	record_queue_release(&f->ring);
	record_queue_release(&f->spaces);
	recorder_release(&f->file);
	flight_files_release(&f->files);
	flight_maps_release(&f->maps);
	pthread_cond_destroy(&f->wake);
	pthread_cond_destroy(&f->idle);
	pthread_mutex_destroy(&f->mutex);
	pthread_mutex_destroy(&f->asking);
	free(f->news);
	free(f);
}

void flight_shutdown(struct flight *f)
{
	pthread_mutex_lock(&f->asking);
	f->shut_down = true;
	pthread_mutex_unlock(&f->asking);
}

void flight_set_source(struct flight *f, bool copies)
{
	pthread_mutex_lock(&f->mutex);
	f->copies = copies;
	pthread_mutex_unlock(&f->mutex);
}
