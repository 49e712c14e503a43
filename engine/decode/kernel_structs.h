/*
 * kernel_structs - the structs that arguments point to and that no family of calls
 * has a layout of: the running kernel's description of them, read when one of them
 * is first to be shown.
 *
 * Reading takes longer than a frame may, so it is done on a thread of its own:
 * whoever must not wait gets nothing until it is done. Any thread, after the names
 * are in.
 */
#ifndef DECODE_KERNEL_STRUCTS_H
#define DECODE_KERNEL_STRUCTS_H

#include "engine/decode/struct_layout.h"

#include <stdbool.h>
#include <stddef.h>

struct kernel_structs;

struct kernel_structs *kernel_structs_new(void);
void kernel_structs_free(struct kernel_structs *structs);

/*
 * The number, from 1 on, of the struct that an argument of this C type points to; 0: it
 * points to none, or there is no room for more.
 */
unsigned kernel_structs_add(struct kernel_structs *structs, const char *type);

/* NULL: not known, or not yet. wait: until it is; not on a thread that draws. */
const struct layout *kernel_structs_layout(struct kernel_structs *structs, unsigned number,
					   bool wait);

#endif
