#include "engine/recorder.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/recorder_maps.h"
#include "engine/recording_file.h"
#include "engine/source/perf_own.h"
#include "engine/source/perf_writer.h"
#include "engine/source/record_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Of records on their way: a quarter of a second of 1.5 million calls in one. */
#define QUEUE_BYTES ((size_t)64 << 20)
#define PUBLISH_BYTES ((size_t)64 << 10)
#define WRITE_BYTES ((size_t)256 << 10)
#define FREE_ITEMS 256
#define CHECKPOINT_NS (100 * NS_PER_MS)
#define SLEEP_NS (50 * NS_PER_MS)
/* Enters are told later than they were by less than that, see BPF_LONG_NS. */
#define ROUND_NS NS_PER_S
#define ARGS_MAX 256
#define PRIORITY (-15) /* behind the collector's */

enum mark {
	MARK_BEGIN = 1, /* a file; at that time */
	MARK_NEXT,      /* the same, in place of the one before */
	MARK_DRAINED,
};

struct recorder {
	struct recorder_options options;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake, idle;

	/* The collector's. */
	bool on;
	uint64_t written_at; /* of the queue when it was published last */
	uint64_t pending_lost;
	uint32_t lost_cpu;

	struct record_queue queue;
	atomic_bool sleeping;   /* the thread waits for records */
	atomic_bool ended;      /* no more records will come: of this recording */
	atomic_bool dead;       /* a write failed: no more records are wanted */
	atomic_bool next_wanted; /* the file is large or old enough */
	atomic_uint_least64_t lost;

	/* Under the mutex. */
	bool quit, opened; /* opened: fd and request are of a recording to come or going on */
	int fd;
	struct recorder_request request;
	char *path;
	struct recorder_status status;

	/* The thread's, or before there is any. */
	bool recorded, copies, machine_known;
	uint64_t started_ns; /* the source */
	struct perf_machine machine;
	struct perf_encode encode;
	struct perf_writer *writer;
	struct recorder_maps maps;
	int *events; /* numbers of the model: in the file, or -1 */
	size_t event_count, event_cap;
	uint64_t round_ns, checkpoint_ns, file_began_ns;
	char **kept; /* names of files before, oldest first */
	size_t kept_count, kept_cap;
};

/* -- The thread: what is in a file ------------------------------------------------------ */

static int add_event(struct recorder *r, uint32_t number)
{
	struct str name = STR_INIT, text = STR_INIT;
	struct perf_machine_format format = { .system = NULL };
	int event = -1;

	if (event_formats_get(r->options.formats, number, &name, &text, &format.id)) {
		const char *colon = strchr(name.data, ':');

		format.system = mem_strndup(name.data, colon ? (size_t)(colon - name.data)
							      : name.len);
		format.len = text.len;
		format.text = str_steal(&text);
		event = perf_writer_add_event(r->writer, &format);
		perf_encode_format(&r->encode, event, name.data, format.text, format.len);
	}
	str_release(&name);
	str_release(&text);
	return event;
}

static int event_of(void *ctx, uint32_t number)
{
	struct recorder *r = ctx;

	while (r->event_count <= number && number < EVENT_NAMES_MAX) {
		r->events = mem_grow(r->events, &r->event_cap, r->event_count + 1,
				     sizeof(*r->events));
		r->events[r->event_count++] = -2;
	}
	if (number >= r->event_count)
		return -1;
	if (r->events[number] == -2)
		r->events[number] = add_event(r, number);
	return r->events[number];
}

/* name size users others state address */
static void tell_modules(struct recorder *r)
{
	const char *line = r->machine.modules;
	char name[65], path[70];
	uint64_t bytes, start;

	while (*line) {
		if (sscanf(line, "%64s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &bytes,
			   &start) == 3 && start && bytes) {
			snprintf(path, sizeof(path), "[%s]", name);
			perf_encode_kernel_map(&r->encode, start, bytes, 0, path);
		}
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
}

static void tell_kernel(struct recorder *r)
{
	const struct perf_machine *machine = &r->machine;
	uint64_t start = machine->kernel_text, end = machine->kernel_end;

	if (machine->kernel_id_bytes)
		perf_encode_build_id(&r->encode, true, UINT32_MAX, PERF_BUILD_IDS_KERNEL,
				     machine->kernel_id, machine->kernel_id_bytes);
	if (start)
		perf_encode_kernel_map(&r->encode, start,
				       end > start ? end - start : (uint64_t)32 << 20, start,
				       PERF_BUILD_IDS_KERNEL "_text");
	tell_modules(r);
}

/* The command line, as arguments that end with NULL; text is theirs. */
static void read_command_line(struct str *text, const char *args[ARGS_MAX + 1])
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	char chunk[4096];
	size_t count = 0;
	ssize_t got;

	while (fd >= 0 && (got = read(fd, chunk, sizeof(chunk))) > 0 && text->len < 1 << 20)
		str_addn(text, chunk, (size_t)got);
	if (fd >= 0)
		close(fd);
	for (size_t at = 0; at < text->len && count < ARGS_MAX; at += strlen(text->data + at) + 1)
		args[count++] = text->data + at;
	args[count] = NULL;
}

static void know_machine(struct recorder *r)
{
	uint64_t before;

	if (r->machine_known)
		return;
	before = privilege_raise();
	perf_machine_read(&r->machine);
	privilege_restore(before);
	r->machine_known = true;
}

static void fail(struct recorder *r, int code)
{
	struct err err;

	if (atomic_exchange(&r->dead, true))
		return;
	err_set(&err, code, "the recording ended: %s; what was written until then is in the file",
		strerror(-code));
	pthread_mutex_lock(&r->mutex);
	memcpy(r->status.error, err.text, sizeof(r->status.error));
	pthread_mutex_unlock(&r->mutex);
}

static void flush(struct recorder *r)
{
	int rc = 0;

	if (r->writer && r->encode.out.len && !atomic_load(&r->dead))
		rc = perf_writer_put(r->writer, r->encode.out.data, r->encode.out.len);
	str_clear(&r->encode.out);
	if (rc)
		fail(r, rc);
}

static void tell_status(struct recorder *r)
{
	pthread_mutex_lock(&r->mutex);
	if (r->writer)
		r->status.bytes = perf_writer_bytes(r->writer);
	pthread_mutex_unlock(&r->mutex);
}

static void check(struct recorder *r, uint64_t now_ns)
{
	int rc;

	if (!r->writer || now_ns < r->checkpoint_ns + CHECKPOINT_NS || atomic_load(&r->dead))
		return;
	r->checkpoint_ns = now_ns;
	flush(r);
	perf_writer_set_times(r->writer, r->encode.first_ns, r->encode.last_ns);
	rc = perf_writer_checkpoint(r->writer);
	if (rc)
		fail(r, rc);
	tell_status(r);
	if ((r->request.max_bytes && perf_writer_bytes(r->writer) >= r->request.max_bytes) ||
	    (r->request.max_ns && now_ns >= r->file_began_ns + r->request.max_ns))
		atomic_store(&r->next_wanted, true);
}

/* Those that are known by now: perf reads their events of a file that was never finished, too. */
static void tell_events(struct recorder *r)
{
	struct str name = STR_INIT, text = STR_INIT;
	uint64_t id;

	r->event_count = 0;
	for (uint32_t i = 0; event_formats_get(r->options.formats, i, &name, &text, &id); i++) {
		event_of(r, i);
		str_clear(&name);
		str_clear(&text);
	}
	str_release(&name);
	str_release(&text);
}

static void begin_file(struct recorder *r, int fd, uint64_t began_ns)
{
	struct perf_writer_options options = {
		.machine = &r->machine,
		.stack_bytes = r->options.stack_bytes,
		.level = r->request.level,
	};
	const char *args[ARGS_MAX + 1];
	struct str text = STR_INIT;
	int rc;

	know_machine(r);
	read_command_line(&text, args);
	options.argv = args;
	perf_encode_forget(&r->encode);
	recorder_maps_forget(&r->maps);
	r->encode.enter_type = (uint16_t)r->machine.enter.id;
	r->encode.exit_type = (uint16_t)r->machine.exit.id;
	r->writer = perf_writer_new(fd, &options);
	/* Who reads it looks for the kernel until it meets the beginning. */
	tell_kernel(r);
	perf_encode_begin(&r->encode, r->copies, began_ns);
	tell_events(r);
	rc = perf_writer_begin(r->writer);
	str_release(&text);
	r->file_began_ns = clock_now_ns();
	r->round_ns = r->checkpoint_ns = 0;
	if (rc)
		fail(r, rc);
	pthread_mutex_lock(&r->mutex);
	r->status.files++;
	r->status.began_ns = r->status.files == 1 ? r->file_began_ns : r->status.began_ns;
	pthread_mutex_unlock(&r->mutex);
}

static void finish_file(struct recorder *r)
{
	int rc;

	if (!r->writer)
		return;
	while (!r->recorded && !atomic_load(&r->dead) &&
	       recorder_maps_step(&r->maps, &r->encode))
		if (r->encode.out.len >= WRITE_BYTES)
			flush(r);
	flush(r);
	perf_writer_set_times(r->writer, r->encode.first_ns, r->encode.last_ns);
	rc = perf_writer_finish(r->writer);
	if (rc)
		fail(r, rc);
	tell_status(r);
	perf_writer_free(r->writer);
	r->writer = NULL;
}

/* The oldest goes when there are more than are to be kept. */
static void keep(struct recorder *r, char *take_name)
{
	r->kept = mem_grow(r->kept, &r->kept_cap, r->kept_count + 1, sizeof(*r->kept));
	r->kept[r->kept_count++] = take_name;
	while (r->request.keep && r->kept_count > r->request.keep) {
		unlink(r->kept[0]);
		free(r->kept[0]);
		r->kept_count--;
		memmove(r->kept, r->kept + 1, r->kept_count * sizeof(*r->kept));
	}
}

static void next_file(struct recorder *r, uint64_t began_ns)
{
	struct err err = { .text = "" };
	char *aside;
	int fd;

	atomic_store(&r->next_wanted, false);
	if (atomic_load(&r->dead))
		return;
	finish_file(r);
	aside = recording_file_put_aside(r->path);
	if (aside)
		keep(r, aside);
	fd = recording_file_open(r->path, true, &err);
	if (fd < 0)
		fail(r, fd);
	else
		begin_file(r, fd, began_ns);
}

/* -- The thread: records ----------------------------------------------------------------- */

static void take_drained(struct recorder *r, uint64_t time_ns)
{
	perf_encode_drained(&r->encode, time_ns);
	if (time_ns < r->round_ns + ROUND_NS)
		return;
	r->round_ns = time_ns;
	perf_encode_round(&r->encode);
}

static void take_mark(struct recorder *r, uint32_t mark, uint64_t value)
{
	int fd;

	switch (mark) {
	case MARK_BEGIN:
		pthread_mutex_lock(&r->mutex);
		fd = r->fd;
		r->fd = -1;
		pthread_mutex_unlock(&r->mutex);
		begin_file(r, fd, value);
		break;
	case MARK_NEXT:
		next_file(r, value);
		break;
	default:
		take_drained(r, value);
		break;
	}
}

/* Whether there is room in the queue for what comes while this thread is at something else. */
static bool has_time(struct recorder *r)
{
	uint64_t written = atomic_load_explicit(&r->queue.written, memory_order_relaxed);

	return written - r->queue.read_at < r->queue.size / 4;
}

/* False: there was nothing. */
static bool take_some(struct recorder *r)
{
	struct record record;
	uint32_t mark;
	uint64_t value;

	for (int i = 0; i < FREE_ITEMS; i++) {
		switch (record_queue_take(&r->queue, &record, &mark, &value)) {
		case RECORD_QUEUE_NONE:
			record_queue_free_up(&r->queue);
			return i;
		case RECORD_QUEUE_MARK:
			take_mark(r, mark, value);
			break;
		case RECORD_QUEUE_RECORD:
			if (!r->writer || atomic_load_explicit(&r->dead, memory_order_relaxed))
				break;
			perf_encode_record(&r->encode, &record);
			if (!r->recorded)
				recorder_maps_note(&r->maps, &record, has_time(r), &r->encode);
			break;
		}
	}
	record_queue_free_up(&r->queue);
	return true;
}

static void end_recording(struct recorder *r)
{
	finish_file(r);
	for (size_t i = 0; i < r->kept_count; i++)
		free(r->kept[i]);
	r->kept_count = 0;
	pthread_mutex_lock(&r->mutex);
	/* It was never begun, as what was to be recorded was not. */
	if (r->fd >= 0) {
		close(r->fd);
		unlink(r->path);
	}
	r->fd = -1;
	r->opened = false;
	r->status.recording = false;
	pthread_cond_broadcast(&r->idle);
	pthread_mutex_unlock(&r->mutex);
}

static struct timespec in_ns(uint64_t ns)
{
	uint64_t at = clock_now_ns() + ns;

	return (struct timespec){ (time_t)(at / NS_PER_S), (long)(at % NS_PER_S) };
}

/* Until there is something to do; false: there never will be. */
static bool rest(struct recorder *r)
{
	struct timespec deadline = in_ns(SLEEP_NS);
	bool goes_on;

	pthread_mutex_lock(&r->mutex);
	atomic_store(&r->sleeping, true);
	while (!r->opened && !r->quit)
		pthread_cond_wait(&r->wake, &r->mutex);
	if (!r->quit && !atomic_load(&r->ended) && r->queue.bytes &&
	    atomic_load(&r->queue.written) == r->queue.read_at)
		pthread_cond_timedwait(&r->wake, &r->mutex, &deadline);
	atomic_store(&r->sleeping, false);
	goes_on = r->opened || !r->quit;
	pthread_mutex_unlock(&r->mutex);
	return goes_on;
}

static void *recorder_main(void *arg)
{
	struct recorder *r = arg;

	pthread_setname_np(pthread_self(), "recorder");
	/* Among many that want the processors, what it does not take in time is lost. */
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* of this thread alone, where it may */
	/* Files are made with the user's own rights. */
	privilege_lower();
	while (rest(r)) {
		bool ended = atomic_load(&r->ended);

		while (take_some(r)) {
			if (r->encode.out.len >= WRITE_BYTES)
				flush(r);
			check(r, clock_now_ns());
		}
		/* What processes have mapped is looked up while there are no records. */
		if (!ended && !r->recorded && r->writer && !atomic_load(&r->dead))
			while (!take_some(r) && recorder_maps_step(&r->maps, &r->encode))
				if (r->encode.out.len >= WRITE_BYTES)
					flush(r);
		check(r, clock_now_ns());
		if (ended && r->opened)
			end_recording(r);
	}
	return NULL;
}

/* -- The owner ----------------------------------------------------------------------------- */

int recorder_new(struct recorder **out, const struct recorder_options *options, struct err *err)
{
	struct recorder *r = mem_zalloc(1, sizeof(*r));
	pthread_condattr_t monotonic;
	sigset_t all, old;
	int rc;

	r->options = *options;
	r->fd = -1;
	perf_encode_init(&r->encode);
	r->encode.event = event_of;
	r->encode.event_ctx = r;
	recorder_maps_init(&r->maps);
	pthread_mutex_init(&r->mutex, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&r->wake, &monotonic);
	pthread_cond_init(&r->idle, &monotonic);
	pthread_condattr_destroy(&monotonic);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&r->thread, NULL, recorder_main, r);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		r->quit = true;
		perf_encode_release(&r->encode);
		recorder_maps_release(&r->maps);
		free(r);
		return err_set(err, -rc, "cannot start the recording thread: %s", strerror(rc));
	}
	*out = r;
	return 0;
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	atomic_store(&r->ended, true);
	pthread_mutex_lock(&r->mutex);
	r->quit = true;
	pthread_cond_broadcast(&r->wake);
	pthread_mutex_unlock(&r->mutex);
	pthread_join(r->thread, NULL);
	record_queue_release(&r->queue);
	perf_encode_release(&r->encode);
	recorder_maps_release(&r->maps);
	if (r->machine_known)
		perf_machine_release(&r->machine);
	pthread_cond_destroy(&r->wake);
	pthread_cond_destroy(&r->idle);
	pthread_mutex_destroy(&r->mutex);
	free(r->events);
	free(r->kept);
	free(r->path);
	free(r);
}

void recorder_set_machine(struct recorder *r, const struct perf_machine *take)
{
	pthread_mutex_lock(&r->mutex);
	r->machine = *take;
	r->machine_known = r->recorded = true;
	pthread_mutex_unlock(&r->mutex);
}

void recorder_set_source(struct recorder *r, bool copies, uint64_t started_ns)
{
	pthread_mutex_lock(&r->mutex);
	r->copies = copies;
	r->started_ns = started_ns;
	pthread_mutex_unlock(&r->mutex);
}

int recorder_open(struct recorder *r, const struct recorder_request *request, struct err *err)
{
	int fd, rc = 0;

	pthread_mutex_lock(&r->mutex);
	if (r->opened)
		rc = err_set(err, -EBUSY, "there is a recording already");
	else if (!r->queue.bytes)
		rc = record_queue_init(&r->queue, QUEUE_BYTES);
	if (rc == -ENOMEM)
		err_set(err, rc, "no memory for a recording's queue of %zu MiB", QUEUE_BYTES >> 20);
	pthread_mutex_unlock(&r->mutex);
	if (rc)
		return rc;
	fd = recording_file_open(request->path, request->fresh, err);
	if (fd < 0)
		return fd;
	pthread_mutex_lock(&r->mutex);
	free(r->path);
	r->path = mem_strdup(request->path);
	r->request = *request;
	r->request.path = r->path;
	r->fd = fd;
	r->opened = true;
	memset(&r->status, 0, sizeof(r->status));
	snprintf(r->status.path, sizeof(r->status.path), "%s", request->path);
	r->status.recording = true;
	r->status.began_ns = clock_now_ns();
	atomic_store(&r->ended, false);
	atomic_store(&r->dead, false);
	atomic_store(&r->next_wanted, false);
	atomic_store(&r->lost, 0);
	pthread_cond_broadcast(&r->wake);
	pthread_mutex_unlock(&r->mutex);
	return 0;
}

void recorder_get_status(struct recorder *r, struct recorder_status *status)
{
	pthread_mutex_lock(&r->mutex);
	*status = r->status;
	pthread_mutex_unlock(&r->mutex);
	status->lost = atomic_load(&r->lost);
}

void recorder_wait(struct recorder *r)
{
	pthread_mutex_lock(&r->mutex);
	while (r->opened)
		pthread_cond_wait(&r->idle, &r->mutex);
	pthread_mutex_unlock(&r->mutex);
}

/* -- The collector --------------------------------------------------------------------------- */

static void wake(struct recorder *r)
{
	if (!atomic_load(&r->sleeping))
		return;
	pthread_mutex_lock(&r->mutex);
	pthread_cond_broadcast(&r->wake);
	pthread_mutex_unlock(&r->mutex);
}

static void publish(struct recorder *r)
{
	r->written_at = r->queue.write_at;
	record_queue_publish(&r->queue);
}

bool recorder_is_on(const struct recorder *r)
{
	return r->on;
}

/* In front of the next one that there is room for, as the kernel does it. */
static bool put_lost(struct recorder *r, uint64_t time_ns)
{
	struct record record = {
		.time_ns = time_ns,
		.kind = RECORD_LOST,
		.cpu = r->lost_cpu,
		.lost = { .count = r->pending_lost, .kind = LOSS_OF_ANYTHING },
	};

	if (!record_queue_put(&r->queue, &record))
		return false;
	r->pending_lost = 0;
	return true;
}

void recorder_take(struct recorder *r, const struct record *record)
{
	if (atomic_load_explicit(&r->dead, memory_order_relaxed))
		return;
	if ((r->pending_lost && !put_lost(r, record->time_ns)) ||
	    !record_queue_put(&r->queue, record)) {
		r->pending_lost++;
		r->lost_cpu = record->cpu;
		atomic_fetch_add_explicit(&r->lost, 1, memory_order_relaxed);
		return;
	}
	if (r->queue.write_at - r->written_at >= PUBLISH_BYTES) {
		publish(r);
		wake(r);
	}
}

static void begin(struct recorder *r, enum mark mark, uint64_t began_ns)
{
	if (!record_queue_put_mark(&r->queue, mark, began_ns))
		return;
	if (r->options.snapshot)
		r->options.snapshot(r->options.snapshot_ctx, r);
	publish(r);
	wake(r);
}

void recorder_begin(struct recorder *r)
{
	uint64_t began_ns = r->started_ns;

	/* The source's beginning is that of its first recording alone. */
	r->started_ns = 0;
	r->on = true;
	r->pending_lost = 0;
	begin(r, MARK_BEGIN, began_ns ? began_ns : clock_now_ns());
}

void recorder_end(struct recorder *r)
{
	r->on = false;
	if (r->pending_lost)
		put_lost(r, clock_now_ns());
	publish(r);
	pthread_mutex_lock(&r->mutex);
	atomic_store(&r->ended, true);
	pthread_cond_broadcast(&r->wake);
	pthread_mutex_unlock(&r->mutex);
}

void recorder_drained(struct recorder *r, uint64_t now_ns)
{
	record_queue_put_mark(&r->queue, MARK_DRAINED, now_ns);
	publish(r);
	wake(r);
	if (atomic_load(&r->next_wanted) && r->options.snapshot) {
		atomic_store(&r->next_wanted, false);
		begin(r, MARK_NEXT, now_ns);
	}
}
