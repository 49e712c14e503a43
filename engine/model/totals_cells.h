/*
 * totals_cells - the cells of one thread, by the number of the system call.
 *
 * A small hash table with linear probing, because most threads use a few numbers, anywhere in
 * the thousand that there are. Cells stay where they are until the table is released. For
 * totals.c, which owns and locks.
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
	uint8_t bits; /* 1 << bits slots, or none */
};

/* Zeroed is empty. Returns how many there were. */
size_t totals_cells_release(struct totals_cells *cells);

/* The slot of this number, or the free one where it would be; there must be slots. */
static inline struct totals_slot *totals_cells_slot(const struct totals_cells *cells, uint32_t nr)
{
	uint32_t mask = (1u << cells->bits) - 1, i = nr * 0x9e3779b1u >> (32 - cells->bits);

	while (cells->slots[i].cell && cells->slots[i].nr != nr)
		i = (i + 1) & mask;
	return &cells->slots[i];
}

/* Where the search for this number begins; NULL: there are no slots. */
static inline const struct totals_slot *totals_cells_first(const struct totals_cells *cells,
							   uint32_t nr)
{
	return cells->slots ? &cells->slots[nr * 0x9e3779b1u >> (32 - cells->bits)] : NULL;
}

/* Made if there is none; numbers above TOTALS_NR_OTHER are that one. */
struct totals_cell *totals_cells_get(struct totals_cells *cells, uint32_t nr);

/* The cell of this number; if there is none, `cell`, which is theirs from now on. */
struct totals_cell *totals_cells_take(struct totals_cells *cells, uint32_t nr,
				      struct totals_cell *cell);
/* Empties them; the cells are somebody else's by now. */
void totals_cells_forget(struct totals_cells *cells);

/* The next one from *cursor on, which begins with 0; NULL: there are no more. */
const struct totals_slot *totals_cells_next(const struct totals_cells *cells, size_t *cursor);

#endif
