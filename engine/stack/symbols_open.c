/*
 * symbols_open - hands a file and its debug files to the names worker.
 */
#include "engine/stack/file_probe.h"
#include "engine/stack/mapped_file.h"
#include "engine/stack/symbols_private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Close all files, as too many are open; those in use are opened again. */
static void close_files(struct symbols *symbols)
{
	for (size_t i = 0; i < symbols->dsos_len; i++) {
		struct dso *dso = symbols->dsos[i];

		/* The path of the kernel file is not stored, so it could not be opened again. */
		if (!dso->named.first && !dso->in_named && dso != symbols->kernel_file)
			dso_close_files(dso);
		dso->names_serial = 0;
	}
	symbols->files_open = 0;
	worker_stop(symbols->names_worker);
}

static void cache_open(struct symbols *symbols, struct dso *dso, int fd)
{
	pthread_mutex_lock(&symbols->lock);
	if (symbols->files_open >= SYMBOLS_FILES_OPEN_MAX)
		close_files(symbols);
	symbols->files_open++;
	dso->fd = fd;
	pthread_mutex_unlock(&symbols->lock);
}

static const char *open_dso(struct symbols *symbols, struct dso *dso)
{
	const char *note = NULL;
	int fd;

	if (dso->kind == DSO_VDSO) {
		fd = mapped_file_open_vdso();
		note = "cannot be read";
	} else {
		fd = file_probe_mapped(symbols->reader, dso->pid, &dso->mapping, &note);
	}
	if (fd < 0)
		return note;
	cache_open(symbols, dso, fd);
	return NULL;
}

static int send_file(struct symbols *symbols, struct dso *dso, enum wire_role role, int fd,
		     struct wire_file *file)
{
	return worker_open(symbols->names_worker, dso->id, role, fd, file);
}

/*
 * Open the next debug file that exists; -ENODATA: no more places. Set *is_silent if the file system
 * of a place does not answer.
 */
static int find_debug_file(const struct symbols *symbols, struct dso *dso,
			   const struct wire_file *file, unsigned int *choice, bool *is_silent)
{
	int fd;

	do {
		fd = symbol_paths_debug_file(symbols->places, dso->pid, dso->mapping.path, file,
					     (*choice)++);
		*is_silent = *is_silent || fd == -ETIMEDOUT || fd == -EHOSTDOWN;
	} while (fd < 0 && fd != -ENODATA);
	return fd;
}

static void note_silence(struct symbols *symbols, struct dso *dso, bool is_silent)
{
	pthread_mutex_lock(&symbols->lock);
	if (is_silent)
		dso->lines_note = "the file system of its debug file does not answer";
	pthread_mutex_unlock(&symbols->lock);
}

/*
 * Hand over the debug file: the known one, the fetched one, or the first that matches. Takes
 * ownership of fetched_fd. -EBADMSG: none matches.
 */
static int add_debug_file(struct symbols *symbols, struct dso *dso, const struct wire_file *file,
			  int fetched_fd, struct wire_file *debug)
{
	int fd = fetched_fd, alt_fd = -1, code = -EBADMSG;
	unsigned int choice = 0;
	bool is_silent = false;

	if (dso->debug_fd >= 0) {
		if (fetched_fd >= 0)
			close(fetched_fd);
		return send_file(symbols, dso, WIRE_DEBUG, dso->debug_fd, debug);
	}
	while (code == -EBADMSG) {
		if (fd < 0)
			fd = find_debug_file(symbols, dso, file, &choice, &is_silent);
		if (fd < 0) {
			note_silence(symbols, dso, is_silent);
			return -EBADMSG;
		}
		code = send_file(symbols, dso, WIRE_DEBUG, fd, debug);
		if (code)
			close(fd);
		if (code == -EBADMSG)
			fd = -1;
	}
	if (code) {
		dso->debug_tried = true;
		return code;
	}
	if (debug->flags & WIRE_WANTS_ALT)
		alt_fd = symbol_paths_debug_file_by_id(symbols->places, debug->alt_id,
						       debug->alt_id_bytes);
	pthread_mutex_lock(&symbols->lock);
	dso->debug_fd = fd;
	dso->alt_fd = alt_fd;
	dso->files_version++;
	pthread_mutex_unlock(&symbols->lock);
	return 0;
}

bool symbols_drop_debug(struct symbols *symbols, struct dso *dso, const char *note)
{
	if (dso->debug_refused || (dso->debug_fd < 0 && !dso->debug_tried))
		return false;
	dso->debug_refused = true;
	dso->lines_note = note;
	dso->strikes = 0;
	dso->names_serial = 0;
	if (dso->debug_fd >= 0)
		close(dso->debug_fd);
	dso->debug_fd = -1;
	worker_stop(symbols->names_worker);
	return true;
}

static void note_failure(struct symbols *symbols, struct dso *dso)
{
	pthread_mutex_lock(&symbols->lock);
	dso->open_failed = true;
	pthread_mutex_unlock(&symbols->lock);
}

static int send_recorded(struct symbols *symbols, struct dso *dso, struct wire_file *file,
			 const char **note)
{
	int fd, code = symbol_paths_hand_over(symbols->places, symbols->names_worker, dso->id,
					      &dso->mapping, file, &fd, note);

	if (code == -ENOENT)
		note_failure(symbols, dso);
	if (code)
		return code;
	*note = NULL;
	cache_open(symbols, dso, fd);
	return 0;
}

static int send_main(struct symbols *symbols, struct dso *dso, struct wire_file *file,
		     const char **note)
{
	int code;

	if (dso->fd < 0 && symbols->recorded)
		return send_recorded(symbols, dso, file, note);
	if (dso->fd < 0) {
		*note = open_dso(symbols, dso);
		if (*note) {
			note_failure(symbols, dso);
			return -ENOENT;
		}
	}
	code = send_file(symbols, dso, WIRE_MAIN, dso->fd, file);
	if (code == -EBADMSG)
		*note = "not an ELF file, or a broken one";
	return code;
}

/* True if dso is another path of a known file: dso->same_file, whose replies serve both. */
static bool find_same_file(struct symbols *symbols, struct dso *dso, const struct wire_file *file)
{
	size_t count;

	if (dso->kind != DSO_FILE || dso->build_id_bytes || !file->build_id_bytes)
		return false;
	memcpy(dso->build_id, file->build_id, sizeof(dso->build_id));
	pthread_mutex_lock(&symbols->lock);
	count = symbols->dsos_len;
	for (size_t i = 0; i < count && !dso->same_file; i++) {
		struct dso *other = symbols->dsos[i];
		bool same;

		if (other == dso || other->same_file || other->note || other->fd < 0 ||
		    other->build_id_bytes != file->build_id_bytes ||
		    memcmp(other->build_id, file->build_id, file->build_id_bytes) != 0)
			continue;
		/*
		 * Only this thread opens and closes files, so other->fd stays valid without the
		 * lock.
		 */
		pthread_mutex_unlock(&symbols->lock);
		same = file_probe_same(symbols->reader, dso->fd, other->fd);
		pthread_mutex_lock(&symbols->lock);
		if (same)
			dso->same_file = other;
	}
	dso->build_id_bytes = file->build_id_bytes;
	if (dso->same_file) {
		dso_close_files(dso);
		symbols->files_open--;
	}
	pthread_mutex_unlock(&symbols->lock);
	return dso->same_file != NULL;
}

int symbols_hand_over(struct symbols *symbols, struct dso *dso, const char **note)
{
	struct wire_file file, debug = { 0 };
	int code, alt_fd = -1, fetched_fd;
	uint32_t flags;

	if (dso->same_file)
		return -EALREADY;
	code = worker_start(symbols->names_worker, NULL);
	if (code) {
		*note = "no stack worker";
		return code;
	}
	pthread_mutex_lock(&symbols->lock);
	fetched_fd = dso->fetched_fd;
	dso->fetched_fd = -1;
	pthread_mutex_unlock(&symbols->lock);
	if (dso->names_serial == worker_serial(symbols->names_worker) && fetched_fd < 0)
		return 0;
	code = send_main(symbols, dso, &file, note);
	if (!code && find_same_file(symbols, dso, &file))
		code = -EALREADY;
	if (code) {
		if (fetched_fd >= 0)
			close(fetched_fd);
		return code;
	}
	if (file.flags & WIRE_WANTS_DEBUG && !dso->debug_refused)
		code = add_debug_file(symbols, dso, &file, fetched_fd, &debug);
	else if (fetched_fd >= 0)
		close(fetched_fd);
	if (code && code != -EBADMSG)
		return code;
	if (!(file.flags & WIRE_WANTS_DEBUG) && file.flags & WIRE_WANTS_ALT)
		alt_fd = symbol_paths_debug_file_by_id(symbols->places, file.alt_id,
						       file.alt_id_bytes);
	flags = file.flags | debug.flags;
	pthread_mutex_lock(&symbols->lock);
	if (code == -EBADMSG && !(file.flags & WIRE_HAS_DWARF))
		symbols_ask_fetch(symbols, dso);
	if (alt_fd >= 0 && dso->alt_fd < 0)
		dso->alt_fd = alt_fd;
	else if (alt_fd >= 0)
		close(alt_fd);
	dso->has_dwarf = flags & WIRE_HAS_DWARF;
	dso->names_serial = worker_serial(symbols->names_worker);
	if (!(flags & (WIRE_HAS_SYMTAB | WIRE_HAS_DYNSYM | WIRE_HAS_DWARF)))
		*note = "no symbol table";
	pthread_mutex_unlock(&symbols->lock);
	return 0;
}
