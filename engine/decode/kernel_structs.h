/*
 * kernel_structs - layouts of the structs for which families/ has none, from the BTF of the running
 * kernel.
 *
 * The BTF is read when the first such struct is to be shown. Reading takes longer than a frame, so
 * a separate thread reads. Until it has finished, a caller that must not wait gets NULL. Add all
 * names first; afterwards any thread.
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
 * Return the number, from 1, of the struct that an argument of this C type points to. 0: the
 * argument does not point to a struct, or the table is full.
 */
unsigned kernel_structs_add(struct kernel_structs *structs, const char *type);

/*
 * Return the layout; NULL: unknown, or not read yet. wait: block until it is read; not on a UI
 * thread.
 */
const struct layout *kernel_structs_layout(struct kernel_structs *structs, unsigned number,
					   bool wait);

#endif
