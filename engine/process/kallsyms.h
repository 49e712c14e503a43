/*
 * kallsyms - kernel symbols, parsed from the text of /proc/kallsyms (proc(5)).
 *
 * Immutable once parsed, so any thread may look up symbols without a lock. The kernel and its
 * modules choose the names; the parser replaces bytes that could disturb a terminal.
 */
#ifndef PROCESS_KALLSYMS_H
#define PROCESS_KALLSYMS_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kallsyms;

/*
 * Parse the text and take ownership of it (released with free()). -EACCES with a message if all
 * addresses are hidden, -ENODATA if there are no symbols.
 */
int kallsyms_parse(struct kallsyms **kallsyms, char *take_text, size_t len, struct err *err);
/* Parse /proc/kallsyms; takes tens of milliseconds. */
int kallsyms_read(struct kallsyms **kallsyms, struct err *err);
/* Parse a copy of /proc/kallsyms. */
int kallsyms_read_file(struct kallsyms **kallsyms, const char *path, struct err *err);
/*
 * Relocate the kernel text to begin at `text`, its address in a recording of another boot. Call
 * before the first lookup. Module symbols are dropped, as their addresses in that boot are unknown.
 * `text` 0: no relocation.
 */
void kallsyms_move(struct kallsyms *kallsyms, uint64_t text);
void kallsyms_free(struct kallsyms *kallsyms);

/*
 * Find the function at an address. *module is "[kernel]" or "[name]". *symbol and *module are
 * borrowed for the life of kallsyms. False: there is no function.
 */
bool kallsyms_find(const struct kallsyms *kallsyms, uint64_t address, const char **symbol,
		   uint64_t *start, const char **module);
/* Return the address of the symbol _text, the start of the kernel text; 0: not listed. */
uint64_t kallsyms_text(const struct kallsyms *kallsyms);
size_t kallsyms_count(const struct kallsyms *kallsyms);

size_t kallsyms_bytes(const struct kallsyms *kallsyms); /* memory in use */

#endif
