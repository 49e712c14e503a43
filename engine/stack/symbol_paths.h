/*
 * symbol_paths - places to search for files of another machine, for stacks of its recordings.
 *
 * Searches below --symfs, at the recorded path, in the build-id cache of perf (perf buildid-cache,
 * perf archive), and in directories of debug files. The build-id, which the worker reads, shows
 * whether a file is the recorded one. Immutable once made: any thread.
 */
#ifndef STACK_SYMBOL_PATHS_H
#define STACK_SYMBOL_PATHS_H

#include "engine/stack/spaces.h"
#include "engine/stack/worker.h"

/* Options of the user; NULL: not set. Borrowed. */
struct symbol_paths_options {
	const char *symfs; /* root of the files of the recorded machine */
	const char *debug_dirs; /* separated by colons; replaces /usr/lib/debug */
	const char *buildid_dir; /* cache of perf; replaces ~/.debug */
	const char *kallsyms, *vmlinux;
};

struct symbol_paths;

struct symbol_paths *symbol_paths_new(const struct symbol_paths_options *options);
/* Set the reader that opens files (file_probe.h); borrowed. Call before use. */
void symbol_paths_set_reader(struct symbol_paths *places, struct reader *reader);
void symbol_paths_free(struct symbol_paths *places);

/*
 * Hand the worker the recorded file, from the first place that has it. 0 with its descriptor in
 * *fd, which the caller closes. -ENOENT with the reason in *note, a constant; or -errno of
 * worker_open().
 */
int symbol_paths_hand_over(const struct symbol_paths *places, struct worker *worker,
			   uint32_t number, const struct mapping *mapping, struct wire_file *file,
			   int *fd, const char **note);

/*
 * Open the debug file at the choice-th place: a descriptor, or -errno. -ENODATA: no more places.
 * pid: process whose files are searched, as in mapped_file.h.
 */
int symbol_paths_debug_file(const struct symbol_paths *places, uint32_t pid, const char *path,
			    const struct wire_file *file, unsigned int choice);
/* Open a file that several debug files share (.gnu_debugaltlink): a descriptor or -errno. */
int symbol_paths_debug_file_by_id(const struct symbol_paths *places, const uint8_t *build_id,
				  uint32_t bytes);

/*
 * Return the path of the kallsyms file: the user's, or the one in the cache of perf. The caller
 * frees it. NULL: none.
 */
char *symbol_paths_kallsyms(const struct symbol_paths *places, const uint8_t *build_id,
			    uint32_t bytes);
/* Return the choice-th path of the vmlinux file; the caller frees it. NULL: no more places. */
char *symbol_paths_vmlinux(const struct symbol_paths *places, const uint8_t *build_id,
			   uint32_t bytes, const char *release, unsigned int choice);
/* True if the user named the file, so that no other place is searched. */
bool symbol_paths_names_kallsyms(const struct symbol_paths *places);
bool symbol_paths_names_vmlinux(const struct symbol_paths *places);

#endif
