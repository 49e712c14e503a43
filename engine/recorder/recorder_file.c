/* recorder_file - the file that the recorder's thread writes, from its beginning to its end. */
#include "engine/recorder/recorder_private.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/recorder/recording_file.h"
#include "engine/recording/perfdata_ext.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECKPOINT_NS (100 * NS_PER_MS)
#define ARGS_MAX 256

static int add_event(struct recorder *r, uint32_t number)
{
	struct str name = STR_INIT, text = STR_INIT;
	struct perfdata_machine_format format = { .system = NULL };
	int event = -1;

	if (event_formats_get(r->options.formats, number, &name, &text, &format.id)) {
		const char *colon = strchr(name.data, ':');

		format.system = mem_strndup(name.data,
					    colon ? (size_t)(colon - name.data) : name.len);
		format.len = text.len;
		format.text = str_steal(&text);
		event = perfdata_writer_add_event(r->writer, &format);
		perfdata_encode_format(&r->encode, event, name.data, format.text, format.len);
	}
	str_release(&name);
	str_release(&text);
	return event;
}

int recorder_file_event(void *ctx, uint32_t number)
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

/* A line of /proc/modules: name, size, reference count, users, state, address. */
static void emit_modules(struct recorder *r)
{
	const char *line = r->machine.modules;
	char name[65], path[70];
	uint64_t bytes, start;

	while (*line) {
		if (sscanf(line, "%64s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &bytes, &start) ==
			    3 &&
		    start && bytes) {
			snprintf(path, sizeof(path), "[%s]", name);
			perfdata_encode_kernel_map(&r->encode, start, bytes, 0, path);
		}
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
}

static void emit_kernel(struct recorder *r)
{
	const struct perfdata_machine *machine = &r->machine;
	uint64_t start = machine->kernel_text, end = machine->kernel_end;

	if (machine->kernel_id_bytes)
		perfdata_encode_build_id(&r->encode, true, UINT32_MAX, PERFDATA_BUILD_IDS_KERNEL,
					 machine->kernel_id, machine->kernel_id_bytes);
	if (start)
		perfdata_encode_kernel_map(&r->encode, start,
					   end > start ? end - start : (uint64_t)32 << 20, start,
					   PERFDATA_BUILD_IDS_KERNEL "_text");
	emit_modules(r);
}

/* Read stxtop's command line; args ends with NULL and points into text. */
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
	perfdata_machine_read(&r->machine);
	privilege_restore(before);
	r->machine_known = true;
}

/* Return a hint for the user about the error. */
static const char *advice(int code)
{
	switch (-code) {
	case ENOSPC:
	case EDQUOT:
		return "; free some space or record elsewhere";
	case EFBIG:
		return "; raise `ulimit -f`, or record with --rotate";
	case EROFS:
	case ENOENT:
	case EACCES:
		return "; record elsewhere";
	default:
		return "";
	}
}

/* next: the file is complete, but the next one cannot be created. */
static void fail(struct recorder *r, int code, bool next)
{
	struct err err;

	if (atomic_exchange(&r->dead, true))
		return;
	r->failure = code;
	if (next)
		err_set(&err, code,
			"recording stopped: cannot create the next file: %s; earlier records are "
			"in the previous files%s",
			strerror(-code), advice(code));
	else if (r->pipe)
		err_set(&err, code, "recording stopped: cannot write to standard output: %s",
			strerror(-code));
	else
		err_set(&err, code, "recording stopped: %s; earlier records are in the file%s",
			strerror(-code), advice(code));
	pthread_mutex_lock(&r->mutex);
	r->status.left = code == -EPIPE;
	memcpy(r->status.error, err.text, sizeof(r->status.error));
	pthread_mutex_unlock(&r->mutex);
}

void recorder_file_flush(struct recorder *r)
{
	int rc = 0;

	if (r->writer && r->encode.out.len && !atomic_load(&r->dead))
		rc = perfdata_writer_put(r->writer, r->encode.out.data, r->encode.out.len);
	str_clear(&r->encode.out);
	if (rc)
		fail(r, rc, false);
}

/* Write the observations that arrived since the last call. */
static void recorder_file_find(struct recorder *r)
{
	struct str observations;
	int rc = 0;

	pthread_mutex_lock(&r->mutex);
	observations = r->observations;
	str_init(&r->observations);
	pthread_mutex_unlock(&r->mutex);
	if (r->writer && observations.len && !atomic_load(&r->dead))
		rc = perfdata_writer_put_observations(r->writer, &observations);
	str_release(&observations);
	if (rc)
		fail(r, rc, false);
}

static void emit_status(struct recorder *r)
{
	pthread_mutex_lock(&r->mutex);
	if (r->writer)
		r->status.bytes = perfdata_writer_bytes(r->writer);
	pthread_mutex_unlock(&r->mutex);
}

void recorder_file_check(struct recorder *r, uint64_t now_ns)
{
	int rc;

	if (!r->writer || now_ns < r->checkpoint_ns + CHECKPOINT_NS || atomic_load(&r->dead))
		return;
	r->checkpoint_ns = now_ns;
	recorder_file_flush(r);
	recorder_file_find(r);
	perfdata_writer_set_times(r->writer, r->encode.first_ns, r->encode.last_ns);
	rc = perfdata_writer_checkpoint(r->writer);
	if (rc)
		fail(r, rc, false);
	emit_status(r);
	if ((r->request.max_bytes && perfdata_writer_bytes(r->writer) >= r->request.max_bytes) ||
	    (r->request.max_ns && now_ns >= r->file_began_ns + r->request.max_ns))
		atomic_store(&r->next_wanted, true);
}

/* Add the known tracepoints now, so that perf reads their events even in an unfinished file. */
static void emit_events(struct recorder *r)
{
	struct str name = STR_INIT, text = STR_INIT;
	uint64_t id;

	r->event_count = 0;
	for (uint32_t i = 0; event_formats_get(r->options.formats, i, &name, &text, &id); i++) {
		recorder_file_event(r, i);
		str_clear(&name);
		str_clear(&text);
	}
	str_release(&name);
	str_release(&text);
}

void recorder_file_begin(struct recorder *r, int fd, uint64_t began_ns)
{
	struct perfdata_writer_options options = {
		.machine = &r->machine,
		.stack_bytes = r->options.stack_bytes,
		.level = r->request.level,
		.pipe = r->pipe,
		.give_up = &r->given_up,
	};
	const char *args[ARGS_MAX + 1];
	struct str text = STR_INIT;
	int rc;

	know_machine(r);
	read_command_line(&text, args);
	options.argv = args;
	perfdata_encode_forget(&r->encode);
	recorder_maps_forget(&r->maps);
	r->encode.enter_type = (uint16_t)r->machine.enter.id;
	r->encode.exit_type = (uint16_t)r->machine.exit.id;
	r->writer = perfdata_writer_new(fd, &options);
	/* Put kernel mappings before PERFDATA_EXT_BEGIN: readers expect them only there. */
	emit_kernel(r);
	if (r->flight.reason != FLIGHT_NONE)
		flight_mark_encode(&r->encode, &r->flight);
	perfdata_encode_begin(&r->encode, r->copies, began_ns);
	emit_events(r);
	rc = perfdata_writer_begin(r->writer);
	str_release(&text);
	r->file_began_ns = clock_now_ns();
	r->round_ns = r->checkpoint_ns = 0;
	if (rc)
		fail(r, rc, false);
	pthread_mutex_lock(&r->mutex);
	r->status.files++;
	r->file_number++;
	r->file_open = true;
	r->file_ns = began_ns;
	r->status.began_ns = r->status.files == 1 ? r->file_began_ns : r->status.began_ns;
	pthread_mutex_unlock(&r->mutex);
}

void recorder_file_finish(struct recorder *r, bool last)
{
	int rc;

	if (!r->writer)
		return;
	while (!r->recorded && !atomic_load(&r->dead) && recorder_maps_step(&r->maps, &r->encode))
		if (r->encode.out.len >= RECORDER_WRITE_BYTES)
			recorder_file_flush(r);
	recorder_file_flush(r);
	/* A pipe cannot have these sections. */
	if (r->options.names && !r->pipe && !atomic_load(&r->dead))
		recording_symbols_finish(r->options.names, r->writer, last, &r->given_up);
	perfdata_writer_set_build_ids(r->writer, r->encode.build_id_records.data,
				      r->encode.build_id_records.len);
	recorder_file_find(r);
	perfdata_writer_set_times(r->writer, r->encode.first_ns, r->encode.last_ns);
	rc = perfdata_writer_finish(r->writer);
	if (rc)
		fail(r, rc, false);
	emit_status(r);
	pthread_mutex_lock(&r->mutex);
	r->file_open = false;
	pthread_mutex_unlock(&r->mutex);
	perfdata_writer_free(r->writer);
	r->writer = NULL;
}

/* Add the name of a finished file; remove the oldest files beyond request.keep. */
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

void recorder_file_next(struct recorder *r, uint64_t began_ns)
{
	struct err err = { .text = "" };
	char *aside;
	int fd;

	atomic_store(&r->next_wanted, false);
	if (atomic_load(&r->dead))
		return;
	recorder_file_finish(r, false);
	aside = recording_file_put_aside(r->path);
	fd = aside ? recording_file_open(r->path, true, &err) : -errno;
	if (aside)
		keep(r, aside);
	if (fd < 0)
		fail(r, fd, true);
	else
		recorder_file_begin(r, fd, began_ns);
}
