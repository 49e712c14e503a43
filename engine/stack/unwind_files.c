#include "engine/stack/unwind_files.h"

#include "engine/base/hash.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"
#include "engine/stack/dso.h"
#include "engine/stack/file_probe.h"
#include "engine/stack/mapped_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SPACES_MAX 256u
#define FILES_MAX 65536u
#define PAGE 4096u
/* Failures allowed per file: two crashes or timeouts, or many kills from outside. */
#define STRIKES_MAX 32u
#define STRIKE 16u

struct file {
	struct mapping mapping; /* one of its mappings */
	uint32_t number;
	uint32_t strikes;
	uint32_t serial; /* of the worker that has the file or failed to read it; 0: none yet */
	bool readable; /* that worker can read it */
};

struct space {
	uint32_t number, version;
	uint32_t serial; /* serial of the worker that knows the space */
};

struct unwind_files {
	struct worker *worker;
	struct spaces *spaces;
	const struct symbol_paths *places;
	struct reader *reader;
	bool recorded;
	struct idmap by_mapping; /* to struct file */
	struct file **files; /* by number - 1 */
	size_t files_len, files_cap;
	struct idmap reported; /* (pid, generation) to struct space */
	uint32_t last_number;
	uint32_t failed; /* files that are no longer read */
};

struct unwind_files *unwind_files_new(struct worker *worker, struct spaces *spaces,
				      const struct symbol_paths *places, struct reader *reader,
				      bool recorded)
{
	struct unwind_files *files = mem_zalloc(1, sizeof(*files));

	files->worker = worker;
	files->spaces = spaces;
	files->places = places;
	files->reader = reader;
	files->recorded = recorded;
	idmap_init(&files->by_mapping);
	idmap_init(&files->reported);
	return files;
}

static void forget_spaces(struct unwind_files *files)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&files->reported, &cursor)))
		free(slot->value);
	idmap_clear(&files->reported);
}

void unwind_files_free(struct unwind_files *files)
{
	if (!files)
		return;
	forget_spaces(files);
	idmap_release(&files->reported);
	idmap_release(&files->by_mapping);
	for (size_t i = 0; i < files->files_len; i++)
		free(files->files[i]);
	free(files->files);
	free(files);
}

/* Send a request whose reply is only an error code. */
static int emit(struct unwind_files *files, const struct wire_request *request, int fd)
{
	const unsigned char *data;
	struct wire_reply reply;
	int code = worker_ask(files->worker, request, fd, &reply, &data);

	return code ? code : reply.error ? -EBADMSG : 0;
}

int unwind_files_space(struct unwind_files *files, const struct unwind_space *space,
		       uint32_t *number)
{
	uint64_t key = (uint64_t)space->generation << 32 | space->pid;
	struct space *known = idmap_get(&files->reported, key);

	if (!known) {
		if (files->reported.count >= SPACES_MAX) {
			worker_stop(files->worker);
			forget_spaces(files);
			return -ESTALE;
		}
		known = mem_zalloc(1, sizeof(*known));
		known->version = space->version;
		known->number = ++files->last_number;
		known->serial = worker_serial(files->worker);
		idmap_put(&files->reported, key, known);
		if (!files->recorded)
			spaces_load_proc(files->spaces, space->pid, space->generation);
	}
	if (known->version != space->version || known->serial != worker_serial(files->worker)) {
		struct wire_request request = { .kind = WIRE_FORGET, .count = 1 };
		int code;

		request.offsets[0] = known->number;
		code = emit(files, &request, -1);
		if (code)
			return code;
		known->number = ++files->last_number;
		known->version = space->version;
		known->serial = worker_serial(files->worker);
	}
	*number = known->number;
	return 0;
}

static uint64_t key_of(const struct mapping *mapping)
{
	return mapping_hash(hash_u64(0), mapping);
}

static struct file *find_file(struct unwind_files *files, const struct mapping *mapping)
{
	uint64_t key = key_of(mapping);
	struct file *file = idmap_get(&files->by_mapping, key);

	if (file || files->files_len >= FILES_MAX)
		return file;
	file = mem_zalloc(1, sizeof(*file));
	file->mapping = *mapping;
	files->files = mem_grow(files->files, &files->files_cap, files->files_len + 1,
				sizeof(*files->files));
	files->files[files->files_len++] = file;
	file->number = (uint32_t)files->files_len;
	idmap_put(&files->by_mapping, key, file);
	return file;
}

/* A file without unwind tables may have a debug file with .debug_frame. */
static int send_debug_file(struct unwind_files *files, const struct file *file, uint32_t pid,
			   const struct wire_file *described)
{
	int fd, code;

	for (unsigned int choice = 0;; choice++) {
		struct wire_file debug;

		fd = symbol_paths_debug_file(files->places, pid, file->mapping.path, described,
					     choice);
		if (fd == -ENODATA)
			return 0;
		if (fd < 0)
			continue;
		code = worker_open(files->worker, file->number, WIRE_DEBUG, fd, &debug);
		close(fd);
		if (code != -EBADMSG)
			return code;
	}
}

/* Open the file and hand it over. -ENOENT: no file, or not the mapped one. */
static int send_main(struct unwind_files *files, struct file *file, uint32_t pid,
		     enum dso_kind kind, struct wire_file *described)
{
	const char *note;
	int fd, code;

	if (files->recorded) {
		code = symbol_paths_hand_over(files->places, files->worker, file->number,
					      &file->mapping, described, &fd, &note);
		if (!code)
			close(fd);
		return code;
	}
	fd = kind == DSO_VDSO ? mapped_file_open_vdso()
			      : file_probe_mapped(files->reader, pid, &file->mapping, &note);
	if (fd < 0)
		return -ENOENT;
	code = worker_open(files->worker, file->number, WIRE_MAIN, fd, described);
	close(fd);
	return code;
}

/*
 * Hand over the file unless the worker has it; the result is file->readable. 0 or -errno of
 * worker_ask().
 */
static int hand_over(struct unwind_files *files, struct file *file, uint32_t pid,
		     enum dso_kind kind)
{
	struct wire_file described;
	int code;

	/* A live process may still show the file later; a recording does not change. */
	if (file->serial == worker_serial(files->worker) && (file->readable || files->recorded))
		return 0;
	code = send_main(files, file, pid, kind, &described);
	if (code == -ENOENT && !files->recorded)
		return 0;
	if (!code && !(described.flags & WIRE_HAS_UNWIND))
		code = send_debug_file(files, file, pid, &described);
	file->readable = code == 0;
	file->serial = worker_serial(files->worker);
	return code == -EBADMSG || code == -ENOENT ? 0 : code;
}

int unwind_files_map(struct unwind_files *files, const struct unwind_space *space, uint32_t number,
		     uint64_t address)
{
	struct wire_request request = { .kind = WIRE_MAP, .count = WIRE_MAP_COUNT };
	struct mapping mapping = { .start = address & ~(uint64_t)(PAGE - 1) };
	enum dso_kind kind = DSO_OTHER;
	struct file *file = NULL;
	int code;

	if (spaces_find(files->spaces, space->pid, space->generation, address, &mapping) ||
	    (!files->recorded && spaces_load_proc(files->spaces, space->pid, space->generation) &&
	     spaces_find(files->spaces, space->pid, space->generation, address, &mapping)))
		kind = dso_kind_of(&mapping);
	else
		mapping.end = mapping.start + PAGE;
	/* The recorded kernel and its vdso may differ from the running ones: require a build-id. */
	if (kind == DSO_FILE || (kind == DSO_VDSO && (!files->recorded || mapping.build_id)))
		file = find_file(files, &mapping);
	if (file && file->strikes >= STRIKES_MAX)
		file = NULL;
	if (file) {
		code = hand_over(files, file, files->recorded ? 0 : space->pid, kind);
		if (code) {
			unwind_files_blame(files, file->number, code);
			return code;
		}
		request.file = file->readable ? file->number : 0;
	}
	request.offsets[WIRE_MAP_SPACE] = number;
	request.offsets[WIRE_MAP_START] = mapping.start;
	request.offsets[WIRE_MAP_END] = mapping.end;
	request.offsets[WIRE_MAP_FILE_OFFSET] = kind == DSO_VDSO ? 0 : mapping.file_offset;
	request.offsets[WIRE_MAP_ADDRESS] = address;
	request.offsets[WIRE_MAP_IS_CODE] = (mapping.prot & PROT_EXEC) != 0;
	code = emit(files, &request, -1);
	if (code && code != -EBADMSG && file)
		unwind_files_blame(files, file->number, code);
	return code;
}

void unwind_files_blame(struct unwind_files *files, uint32_t number, int code)
{
	struct file *file = number && number <= files->files_len ? files->files[number - 1] : NULL;

	if (!file || code == -ESTALE || code == -EBADMSG)
		return;
	if (file->strikes >= STRIKES_MAX)
		return;
	file->strikes += code == -ECANCELED ? 1 : STRIKE;
	files->failed += file->strikes >= STRIKES_MAX;
}

bool unwind_files_has_failed(struct unwind_files *files, const struct unwind_space *space,
			     uint64_t address)
{
	struct mapping mapping;
	const struct file *file;

	if (!files->failed ||
	    !spaces_find(files->spaces, space->pid, space->generation, address, &mapping))
		return false;
	file = idmap_get(&files->by_mapping, key_of(&mapping));
	return file && file->strikes >= STRIKES_MAX;
}
