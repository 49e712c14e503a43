/*
 * symbol_paths - where files of other machines may be here, for the stacks of their recordings.
 *
 * Below --symfs, at the path that was recorded, in the cache that perf keeps by build-id
 * (perf buildid-cache, perf archive), and below directories of debug files. Whether what is found
 * is the file that was recorded its build-id tells, which the worker reads. Immutable once made:
 * any thread.
 */
#ifndef STACK_SYMBOL_PATHS_H
#define STACK_SYMBOL_PATHS_H

#include "engine/stack/spaces.h"
#include "engine/stack/worker.h"

/* What the user chose; NULL: nothing. Borrowed. */
struct symbol_paths_options {
	const char *symfs; /* the root of that machine's files */
	const char *debug_dirs; /* with colons between, in place of /usr/lib/debug */
	const char *buildid_dir; /* perf's cache, in place of ~/.debug */
	const char *kallsyms, *vmlinux;
};

struct symbol_paths;

struct symbol_paths *symbol_paths_new(const struct symbol_paths_options *options);
/* Before it is used: who opens files, see file_probe.h; borrowed. */
void symbol_paths_set_reader(struct symbol_paths *places, struct reader *reader);
void symbol_paths_free(struct symbol_paths *places);

/*
 * Gives the worker the file that was mapped in a recording, the first of all places that is it.
 * 0, with the descriptor, which the caller closes; -ENOENT with why not, a constant; or -errno as
 * worker_open().
 */
int symbol_paths_hand_over(const struct symbol_paths *places, struct worker *worker,
			   uint32_t number, const struct mapping *mapping, struct wire_file *file,
			   int *fd, const char **note);

/*
 * The choice-th place of the debug information of a file: a descriptor, or -errno; -ENODATA:
 * there are no more places. pid: whose files, as in mapped_file.h.
 */
int symbol_paths_debug_file(const struct symbol_paths *places, uint32_t pid, const char *path,
			    const struct wire_file *file, unsigned int choice);
/* One that several debug files share: a descriptor or -errno. */
int symbol_paths_debug_file_by_id(const struct symbol_paths *places, const uint8_t *build_id,
				  uint32_t bytes);

/*
 * The kernel's symbols that the user named, or those that perf keeps by build-id; the path, to
 * be freed, NULL: none.
 */
char *symbol_paths_kallsyms(const struct symbol_paths *places, const uint8_t *build_id,
			    uint32_t bytes);
/* The choice-th place of a kernel's own file; the path, to be freed, NULL: there are no more. */
char *symbol_paths_vmlinux(const struct symbol_paths *places, const uint8_t *build_id,
			   uint32_t bytes, const char *release, unsigned int choice);
/* Whether it is the only place, as the user named it. */
bool symbol_paths_names_kallsyms(const struct symbol_paths *places);
bool symbol_paths_names_vmlinux(const struct symbol_paths *places);

#endif
