#include "engine/recorder/flight.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/recorder/flight_private.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SPACES_BYTES ((size_t)1 << 20)
#define PUBLISH_BYTES ((uint64_t)64 << 10)
/* A segment is a part of the ring, and of the time that is wanted, in this many. */
#define RING_PARTS 8
#define TIME_PARTS 4
#define SEGMENT_NS_MIN (100 * NS_PER_MS)
#define SEGMENT_NS_MAX (60 * NS_PER_S)
/* ... but so many times what it begins with. */
#define SNAPSHOT_TIMES 3

struct flight_arming {
	struct record_queue ring, spaces; /* .bytes NULL: that of before stays */
	struct flight_settings settings;
	struct filter *filter; /* a reference */
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

/* -- The ring ------------------------------------------------------------------------------ */

static struct flight_segment *segment(struct flight *f, uint64_t number)
{
	return &f->segments[number % FLIGHT_SEGMENTS];
}

static bool is_saving(const struct flight *f)
{
	return atomic_load_explicit(&f->saving, memory_order_acquire);
}

/* The oldest segment makes room; false: there is none but the one that is being written. */
static bool drop_oldest(struct flight *f)
{
	if (f->end_segment - f->first_segment <= 1)
		return false;
	f->first_segment++;
	if (!is_saving(f))
		record_queue_keep_from(&f->ring, segment(f, f->first_segment)->position);
	return true;
}

/* What the thread has written out may have been put over since. */
static void drop_overwritten(struct flight *f)
{
	uint64_t oldest = record_queue_oldest(&f->ring);

	while (f->first_segment < f->end_segment &&
	       segment(f, f->first_segment)->position < oldest)
		f->first_segment++;
}

/* The first word after a file was written: all that is still there is kept again. */
static void take_back(struct flight *f)
{
	if (!f->save_until_ns || is_saving(f))
		return;
	f->save_until_ns = 0;
	drop_overwritten(f);
	if (f->first_segment < f->end_segment) {
		record_queue_keep_from(&f->ring, segment(f, f->first_segment)->position);
		return;
	}
	record_queue_keep_from(&f->ring, f->ring.write_at);
	f->due_at = f->due_ns = 0;
}

static bool put_one(struct flight *f, const struct record *record)
{
	while (!record_queue_put(&f->ring, record))
		if (is_saving(f) || !drop_oldest(f))
			return false;
	return true;
}

static bool put_mark(struct flight *f, enum flight_item mark, uint64_t value)
{
	while (!record_queue_put_mark(&f->ring, mark, value))
		if (is_saving(f) || !drop_oldest(f))
			return false;
	return true;
}

/* What was missed, in front of the next record that there is room for. */
static bool put_missed(struct flight *f, uint64_t time_ns)
{
	const struct record record = {
		.time_ns = time_ns,
		.kind = RECORD_LOST,
		.cpu = f->missed_cpu,
		.lost = { .count = f->pending_missed, .kind = LOSS_OF_ANYTHING },
	};

	if (!put_one(f, &record))
		return false;
	f->pending_missed = 0;
	return true;
}

/* What a file begins with ends somewhere: else all behind it would be taken for that. */
static bool put_owed(struct flight *f, uint64_t time_ns)
{
	if (f->owes_whole && !put_mark(f, FLIGHT_WHOLE, time_ns))
		return false;
	f->owes_whole = false;
	return !f->pending_missed || put_missed(f, time_ns);
}

static void publish(struct flight *f)
{
	f->published_at = f->ring.write_at;
	record_queue_publish(&f->ring);
}

static void put(struct flight *f, const struct record *record)
{
	bool owes = __builtin_expect(f->owes_whole || f->pending_missed, 0);

	if ((!owes || put_owed(f, record->time_ns)) && put_one(f, record))
		return;
	f->pending_missed++;
	f->missed++;
	f->missed_cpu = record->cpu;
	if (is_saving(f))
		atomic_fetch_add_explicit(&f->save_missed, 1, memory_order_relaxed);
}

void flight_take(struct flight *f, const struct record *record)
{
	put(f, record);
	if (f->ring.write_at - f->published_at >= PUBLISH_BYTES)
		publish(f);
}

/* -- Segments ------------------------------------------------------------------------------ */

/* One of what a file begins with. */
static void take_known(void *ctx, const struct record *record)
{
	struct flight *f = ctx;

	if (record->kind == RECORD_TASK && record->pid == record->tid) {
		uint64_t space = (uint64_t)spaces_generation(f->options.spaces, record->pid) << 32 |
				 record->pid;

		put_mark(f, FLIGHT_SPACE, space);
		record_queue_put_mark(&f->spaces, FLIGHT_SPACE, space);
	}
	if (!put_one(f, record))
		f->incomplete = true;
}

static uint64_t at_least(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t at_most(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

bool flight_is_due(const struct flight *f)
{
	return f->on && f->ring.write_at >= f->due_at;
}

void flight_begin(struct flight *f, uint64_t now_ns)
{
	uint64_t position, bytes, part = f->ring.size / RING_PARTS;

	if (f->end_segment - f->first_segment == FLIGHT_SEGMENTS)
		drop_oldest(f);
	/* Later, if there is no room: the file that is being written needs none. */
	f->due_at = f->ring.write_at + PUBLISH_BYTES;
	if ((f->owes_whole || f->pending_missed) && !put_owed(f, now_ns))
		return;
	position = f->ring.write_at;
	if (!put_mark(f, FLIGHT_SEGMENT, now_ns))
		return;
	*segment(f, f->end_segment++) = (struct flight_segment){ position, now_ns };
	f->incomplete = false;
	f->options.snapshot(f->options.snapshot_ctx, take_known, f);
	f->owes_whole = true;
	put_owed(f, now_ns);
	record_queue_publish(&f->spaces);
	bytes = f->ring.write_at - position;
	/* No file can begin there; another one is tried soon. */
	if (f->incomplete && is_saving(f)) {
		f->end_segment--;
		return;
	}
	f->small = f->incomplete || bytes > f->ring.size / 4;
	f->due_at = f->ring.write_at + at_least(part, SNAPSHOT_TIMES * bytes);
	f->due_ns = now_ns + at_most(at_least(f->settings.before_ns / TIME_PARTS, SEGMENT_NS_MIN),
				     SEGMENT_NS_MAX);
}

/* So much is free that what comes while a file begins to be written has room. */
static void make_room(struct flight *f)
{
	while (f->ring.size - (f->ring.write_at - segment(f, f->first_segment)->position) <
	       f->ring.size / RING_PARTS)
		if (!drop_oldest(f))
			return;
}

/* -- Triggers ------------------------------------------------------------------------------ */

static void settings_release(struct flight_settings *settings)
{
	free(settings->pattern);
	settings->pattern = NULL;
}

/* The newest segment that has all that is wanted, or the oldest there is. */
static const struct flight_segment *choose(struct flight *f, uint64_t from_ns)
{
	uint64_t number = f->end_segment - 1;

	while (number > f->first_segment && segment(f, number)->time_ns > from_ns)
		number--;
	return segment(f, number);
}

static void save(struct flight *f, const struct flight_mark *mark)
{
	const struct flight_segment *first;

	take_back(f);
	if (is_saving(f) || f->first_segment == f->end_segment) {
		f->dropped++;
		return;
	}
	first = choose(f, mark->time_ns > f->settings.before_ns
			  ? mark->time_ns - f->settings.before_ns : 0);
	f->mark = *mark;
	f->mark.from_ns = first->time_ns;
	f->save_begin = first->position;
	f->save_until_ns = mark->time_ns + f->settings.after_ns;
	f->save_dropped = f->dropped - f->told_dropped;
	f->told_dropped = f->dropped;
	f->save_settings = f->settings;
	f->save_settings.pattern = mem_strdup(f->settings.pattern);
	f->spent = f->spent || (f->settings.once && mark->reason == FLIGHT_CALL);
	atomic_store(&f->save_missed, 0);
	atomic_store(&f->save_end, UINT64_MAX);
	record_queue_keep_from(&f->ring, first->position);
	publish(f);
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
	if (is_saving(f) || mark.time_ns < atomic_load(&f->rests_until_ns)) {
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
	take_back(f);
	put_mark(f, FLIGHT_DRAINED, now_ns);
	if (f->due_ns <= now_ns || f->ring.write_at >= f->due_at)
		flight_begin(f, now_ns);
	if (!f->save_until_ns && f->first_segment < f->end_segment)
		make_room(f);
	publish(f);
	flight_trigger_drained(&f->trigger, f->model, now_ns);
	if (atomic_load(&f->freeze))
		freeze_by_hand(f, now_ns);
	if (f->save_until_ns && now_ns >= f->save_until_ns && is_saving(f) &&
	    atomic_load(&f->save_end) == UINT64_MAX)
		atomic_store(&f->save_end, f->ring.write_at);
}

void flight_end(struct flight *f)
{
	if (!f->on || !is_saving(f))
		return;
	publish(f);
	if (atomic_load(&f->save_end) == UINT64_MAX)
		atomic_store(&f->save_end, f->ring.write_at);
}

/* -- Arming -------------------------------------------------------------------------------- */

/* A power of two at or below it. */
static size_t ring_bytes(size_t wanted)
{
	size_t bytes = FLIGHT_BYTES_MIN;

	while (bytes <= wanted / 2)
		bytes *= 2;
	return bytes;
}

/* Whether there is one that goes on; it is not freed meanwhile, as one thread arms and disarms. */
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
		/* All of it is gone through again and again: with small pages, a miss for each. */
		if (!rc)
			madvise(arming->ring.bytes, bytes, MADV_HUGEPAGE);
	} else if (f->ring.size != bytes) {
		rc = err_set(err, -EBUSY, "the flight recorder's ring has another size: disarm it "
			     "first");
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

int flight_arm(struct flight *f, struct flight_arming *arming, struct model *model,
	       struct err *err)
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

/* -- Looking ------------------------------------------------------------------------------- */

static enum flight_state state_of(const struct flight *f, uint64_t rests_ns)
{
	if (is_saving(f))
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
			status->kept_ns = now_ns - segment(f, f->first_segment)->time_ns;
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

void flight_find(struct flight *f, const struct finding *finding)
{
	recorder_find(&f->file, finding);
}

uint32_t flight_file_number(struct flight *f, uint64_t *began_ns)
{
	return recorder_file_number(&f->file, began_ns);
}

void flight_wait(struct flight *f)
{
	pthread_mutex_lock(&f->mutex);
	while (is_saving(f))
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
	/* What processes have mapped comes from elsewhere. */
	f->file.recorded = true;
	flight_maps_init(&f->maps, options->spaces);
	f->news = mem_zalloc(FLIGHT_NEWS, sizeof(*f->news));
	pthread_mutex_init(&f->mutex, NULL);
	pthread_mutex_init(&f->asking, NULL);
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

void flight_hush(struct flight *f)
{
	pthread_mutex_lock(&f->asking);
	f->hushed = true;
	pthread_mutex_unlock(&f->asking);
}

void flight_set_source(struct flight *f, bool copies)
{
	pthread_mutex_lock(&f->mutex);
	f->copies = copies;
	pthread_mutex_unlock(&f->mutex);
}
