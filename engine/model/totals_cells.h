/*
 * totals_cells - the cells of one thread, by system call number.
 *
 * A small hash table with linear probing: most threads use few of the about 1000 system calls.
 * Cells do not move until the table is released. For totals.c, whose owner locks.
 */
#ifndef MODEL_TOTALS_CELLS_H
#define MODEL_TOTALS_CELLS_H

#include "engine/model/totals_cell.h"

#include <stddef.h>
#include <stdint.h>

struct totals_slot {
	struct totals_cell *cell; /* NULL: free */
	uint32_t nr;
};

struct totals_cells {
	struct totals_slot *slots;
	uint16_t count;
	uint8_t bits; /* log2 of the number of slots, if there are any */
};

/* Release all cells and return their number. A zeroed table is empty. */
size_t totals_cells_release(struct totals_cells *cells);

/* Return the slot of this number, or the free slot where it belongs. The table must have slots. */
static inline struct totals_slot *totals_cells_slot(const struct totals_cells *cells, uint32_t nr)
{
	uint32_t mask = (1u << cells->bits) - 1, i = nr * 0x9e3779b1u >> (32 - cells->bits);

	while (cells->slots[i].cell && cells->slots[i].nr != nr)
		i = (i + 1) & mask;
	return &cells->slots[i];
}

/* Return the slot where the search for this number begins. NULL: no slots. */
static inline const struct totals_slot *totals_cells_first(const struct totals_cells *cells,
							   uint32_t nr)
{
	return cells->slots ? &cells->slots[nr * 0x9e3779b1u >> (32 - cells->bits)] : NULL;
}

/* Find or create a cell. Numbers above TOTALS_NR_OTHER are replaced by it. */
struct totals_cell *totals_cells_get(struct totals_cells *cells, uint32_t nr);

/* Return the cell of this number. If there is none, insert `cell`, which the table then owns. */
struct totals_cell *totals_cells_take(struct totals_cells *cells, uint32_t nr,
				      struct totals_cell *cell);
/* Empty the table without freeing its cells, which were taken over or freed before. */
void totals_cells_forget(struct totals_cells *cells);

/* Return the next used slot and advance *cursor, which starts at 0. NULL: no more. */
const struct totals_slot *totals_cells_next(const struct totals_cells *cells, size_t *cursor);

#endif
