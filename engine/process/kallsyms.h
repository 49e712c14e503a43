/*
 * kallsyms - the kernel's own symbols, from the text of /proc/kallsyms (proc(5)).
 *
 * Immutable once parsed, so that any thread may look up without a lock. Names
 * are what the kernel and its modules chose; bytes that could disturb a screen
 * are replaced while parsing.
 */
#ifndef PROCESS_KALLSYMS_H
#define PROCESS_KALLSYMS_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kallsyms;

/*
 * Takes the text over (to be freed with free()) and reads it. -EACCES with a
 * sentence where every address is hidden, -ENODATA where there is no symbol.
 */
int kallsyms_parse(struct kallsyms **kallsyms, char *take_text, size_t len, struct err *err);
/* The same from /proc/kallsyms: some tens of milliseconds. */
int kallsyms_read(struct kallsyms **kallsyms, struct err *err);
/* The same from a copy of that file. */
int kallsyms_read_file(struct kallsyms **kallsyms, const char *path, struct err *err);
/*
 * Before the first look: the kernel's text is taken to begin at `text`, where it began another
 * time. Modules were elsewhere then, nobody knows where. 0: it stays where it is.
 */
void kallsyms_move(struct kallsyms *kallsyms, uint64_t text);
void kallsyms_free(struct kallsyms *kallsyms);

/*
 * The function at an address. *module is "[kernel]" or "[name]". Both are
 * borrowed for the life of kallsyms. false: none there.
 */
bool kallsyms_find(const struct kallsyms *kallsyms, uint64_t address, const char **symbol,
		   uint64_t *start, const char **module);
/* Where the kernel's text begins, its symbol _text; 0: not listed. */
uint64_t kallsyms_text(const struct kallsyms *kallsyms);
size_t kallsyms_count(const struct kallsyms *kallsyms);

size_t kallsyms_bytes(const struct kallsyms *kallsyms); /* of memory */

#endif
