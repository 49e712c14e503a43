#include "engine/stack/symbol_paths.h"

#include "engine/base/mem.h"
#include "engine/base/str.h"
#include "engine/stack/dso.h"
#include "engine/stack/file_probe.h"
#include "engine/stack/mapped_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEBUG_ROOT "/usr/lib/debug"
#define DEBUG_DIRS_MAX 16u
#define OTHER_ID "the file here has another build-id"

struct symbol_paths {
	char *symfs; /* "": none */
	char *buildid_dir; /* "": none */
	char *kallsyms, *vmlinux; /* "": not given */
	char *debug_dirs[DEBUG_DIRS_MAX];
	size_t debug_dir_count;
	struct reader *reader; /* NULL: the calling thread opens files */
};

static char *copy_or_empty(const char *text)
{
	return mem_strdup(text ? text : "");
}

/* Use the same rule as perf. */
static char *find_buildid_dir(const char *chosen)
{
	const char *home = getenv("HOME");
	struct str path = STR_INIT;

	if (chosen)
		return mem_strdup(chosen);
	if (home && *home == '/')
		str_addf(&path, "%s/.debug", home);
	return str_steal(&path);
}

static void add_debug_dir(struct symbol_paths *places, const char *dir, size_t len)
{
	if (len && places->debug_dir_count < DEBUG_DIRS_MAX)
		places->debug_dirs[places->debug_dir_count++] = mem_strndup(dir, len);
}

struct symbol_paths *symbol_paths_new(const struct symbol_paths_options *options)
{
	struct symbol_paths *places = mem_zalloc(1, sizeof(*places));
	const char *dir = options->debug_dirs;
	struct str path = STR_INIT;

	places->symfs = copy_or_empty(options->symfs);
	places->kallsyms = copy_or_empty(options->kallsyms);
	places->vmlinux = copy_or_empty(options->vmlinux);
	places->buildid_dir = find_buildid_dir(options->buildid_dir);
	while (dir && *dir) {
		size_t len = strcspn(dir, ":");

		add_debug_dir(places, dir, len);
		dir += len + (dir[len] == ':');
	}
	if (*places->symfs) {
		str_addf(&path, "%s" DEBUG_ROOT, places->symfs);
		add_debug_dir(places, path.data, path.len);
		str_release(&path);
	}
	if (!options->debug_dirs)
		add_debug_dir(places, DEBUG_ROOT, strlen(DEBUG_ROOT));
	return places;
}

void symbol_paths_set_reader(struct symbol_paths *places, struct reader *reader)
{
	places->reader = reader;
}

void symbol_paths_free(struct symbol_paths *places)
{
	if (!places)
		return;
	for (size_t i = 0; i < places->debug_dir_count; i++)
		free(places->debug_dirs[i]);
	free(places->symfs);
	free(places->buildid_dir);
	free(places->kallsyms);
	free(places->vmlinux);
	free(places);
}

/* Return DIR/.build-id/xx/yyyy…SUFFIX; the caller frees it. NULL: no directory, or no build-id. */
static char *path_by_id(const char *dir, const uint8_t *id, uint32_t bytes, const char *suffix)
{
	struct str path = STR_INIT;

	if (!*dir || bytes < 2 || bytes > WIRE_ID_MAX)
		return NULL;
	str_addf(&path, "%s/.build-id/", dir);
	for (uint32_t i = 0; i < bytes; i++)
		str_addf(&path, i == 0 ? "%02x/" : "%02x", id[i]);
	str_add(&path, suffix);
	return str_steal(&path);
}

static int open_by_id(const struct symbol_paths *places, const char *dir, const uint8_t *id,
		      uint32_t bytes, const char *suffix)
{
	char *path = path_by_id(dir, id, bytes, suffix);
	int fd = path ? file_probe_debug(places->reader, path) : -ENOENT;

	free(path);
	return fd;
}

/* -- Mapped files --------------------------------------------------------------------------- */

enum file_choice {
	FILE_SYMFS,
	FILE_SAME, /* recorded on this machine, and still the same file */
	FILE_PATH,
	FILE_CACHED, /* perf has a directory per file; the name in it depends on the kind */
	FILE_CACHED_VDSO,
	FILE_CACHED_ITSELF, /* older layout of perf: the file alone */
	FILE_DEBUG_DIRS,
};

static int open_choice(const struct symbol_paths *places, const struct mapping *mapping,
		       unsigned int choice, const char **note)
{
	const uint8_t *id = mapping->build_id;
	uint32_t bytes = id ? mapping->build_id_bytes : 0;
	bool is_vdso = dso_kind_of(mapping) == DSO_VDSO;

	switch (choice) {
	case FILE_SYMFS:
		return !*places->symfs || is_vdso
			       ? -ENOENT
			       : file_probe_below(places->reader, places->symfs, mapping->path);
	case FILE_SAME:
		/* Only the build-id shows whether a vdso is the recorded one. */
		if (is_vdso)
			return bytes ? mapped_file_open_vdso() : -ENOENT;
		if (*places->symfs)
			return -ENOENT;
		return file_probe_mapped(places->reader, 0, mapping, note);
	case FILE_PATH:
		return *places->symfs || !bytes || is_vdso
			       ? -ENOENT
			       : file_probe_path(places->reader, 0, mapping->path);
	case FILE_CACHED:
		return open_by_id(places, places->buildid_dir, id, bytes, "/elf");
	case FILE_CACHED_VDSO:
		return open_by_id(places, places->buildid_dir, id, bytes, "/vdso");
	case FILE_CACHED_ITSELF:
		return open_by_id(places, places->buildid_dir, id, bytes, "");
	default:
		return open_by_id(places, places->debug_dirs[choice - FILE_DEBUG_DIRS], id, bytes,
				  "");
	}
}

static bool is_it(const struct mapping *mapping, const struct wire_file *file)
{
	return !mapping->build_id ||
	       (mapping->build_id_bytes == file->build_id_bytes &&
		!memcmp(mapping->build_id, file->build_id, file->build_id_bytes));
}

int symbol_paths_hand_over(const struct symbol_paths *places, struct worker *worker,
			   uint32_t number, const struct mapping *mapping, struct wire_file *file,
			   int *fd, const char **note)
{
	*note = "cannot be found";
	for (unsigned int i = 0; i < FILE_DEBUG_DIRS + places->debug_dir_count; i++) {
		int found = open_choice(places, mapping, i, note), code;

		if (found < 0)
			continue;
		code = worker_open(worker, number, WIRE_MAIN, found, file);
		if (!code && is_it(mapping, file)) {
			*fd = found;
			return 0;
		}
		close(found);
		if (!code)
			*note = OTHER_ID;
		else if (code == -EBADMSG)
			*note = "not an ELF file, or a broken one";
		else
			return code;
	}
	return -ENOENT;
}

/* -- Debug information ------------------------------------------------------------------- */

int symbol_paths_debug_file_by_id(const struct symbol_paths *places, const uint8_t *build_id,
				  uint32_t bytes)
{
	int fd = -ENOENT;

	for (size_t i = 0; fd < 0 && i < places->debug_dir_count; i++)
		fd = open_by_id(places, places->debug_dirs[i], build_id, bytes, ".debug");
	return fd;
}

/* Open the file named by .gnu_debuglink, next to `path` below `root`. */
static int open_linked(const struct symbol_paths *places, uint32_t pid, const char *root,
		       const char *path, const char *between, const char *link)
{
	const char *slash = strrchr(path, '/');
	struct str whole = STR_INIT;
	int fd;

	/* The name is untrusted: it must not lead out of the directory. */
	if (!slash || !*link || strchr(link, '/') || strstr(path, "/../"))
		return -ENOENT;
	str_add(&whole, root);
	str_addn(&whole, path, (size_t)(slash + 1 - path));
	str_addf(&whole, "%s%s", between, link);
	fd = *root ? file_probe_debug(places->reader, whole.data)
		   : file_probe_path(places->reader, pid, whole.data);
	str_release(&whole);
	return fd;
}

int symbol_paths_debug_file(const struct symbol_paths *places, uint32_t pid, const char *path,
			    const struct wire_file *file, unsigned int choice)
{
	unsigned int dirs = (unsigned int)places->debug_dir_count;

	if (choice < dirs)
		return open_by_id(places, places->debug_dirs[choice], file->build_id,
				  file->build_id_bytes, ".debug");
	choice -= dirs;
	if (choice < dirs)
		return open_linked(places, pid, places->debug_dirs[choice], path, "",
				   file->debuglink);
	switch (choice - dirs) {
	case 0:
		return open_by_id(places, places->buildid_dir, file->build_id, file->build_id_bytes,
				  "/debug");
	case 1:
		return open_linked(places, pid, places->symfs, path, ".debug/", file->debuglink);
	case 2:
		return open_linked(places, pid, places->symfs, path, "", file->debuglink);
	default:
		return -ENODATA;
	}
}

/* -- The kernel ------------------------------------------------------------------------------ */

char *symbol_paths_kallsyms(const struct symbol_paths *places, const uint8_t *build_id,
			    uint32_t bytes)
{
	char *path;

	if (*places->kallsyms)
		return mem_strdup(places->kallsyms);
	path = path_by_id(places->buildid_dir, build_id, bytes, "/kallsyms");
	if (path && access(path, R_OK)) {
		free(path);
		path = NULL;
	}
	return path;
}

bool symbol_paths_names_kallsyms(const struct symbol_paths *places)
{
	return *places->kallsyms;
}

bool symbol_paths_names_vmlinux(const struct symbol_paths *places)
{
	return *places->vmlinux;
}

char *symbol_paths_vmlinux(const struct symbol_paths *places, const uint8_t *build_id,
			   uint32_t bytes, const char *release, unsigned int choice)
{
	static const struct {
		const char *before, *behind;
	} names[] = {
		{ "/boot/vmlinux-", "" },
		{ DEBUG_ROOT "/boot/vmlinux-", "" },
		{ "/lib/modules/", "/build/vmlinux" },
		{ DEBUG_ROOT "/lib/modules/", "/vmlinux" },
	};
	unsigned int dirs = (unsigned int)places->debug_dir_count;
	struct str path = STR_INIT;
	char *found = NULL;

	if (*places->vmlinux)
		return choice ? NULL : mem_strdup(places->vmlinux);
	if (choice < 2) {
		found = path_by_id(places->buildid_dir, build_id, bytes,
				   choice ? "/elf" : "/vmlinux");
	} else if (choice - 2 < dirs) {
		found = path_by_id(places->debug_dirs[choice - 2], build_id, bytes, ".debug");
	} else {
		choice -= 2 + dirs;
		if (choice >= sizeof(names) / sizeof(names[0]) || strchr(release, '/'))
			return NULL;
		str_addf(&path, "%s%s%s%s", places->symfs, names[choice].before, release,
			 names[choice].behind);
		return str_steal(&path);
	}
	/* Return a path that never exists, so that the search continues with the next place. */
	return found ? found : mem_strdup("");
}
