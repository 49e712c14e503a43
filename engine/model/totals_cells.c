#include "engine/model/totals_cells.h"

#include "engine/base/mem.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define BITS_MIN 3
#define LINE_BYTES 64

_Static_assert(offsetof(struct totals_cell, blocked_ns) <= LINE_BYTES,
	       "what each call changes is one cache line");

/* -- One cell -------------------------------------------------------------------- */

void totals_cell_init(struct totals_cell *cell)
{
	memset(cell, 0, sizeof(*cell));
	cell->min_ns = UINT64_MAX;
}

void totals_cell_release(struct totals_cell *cell)
{
	histogram_release(&cell->durations);
	errno_counts_release(&cell->errnos);
}

void totals_cell_merge(struct totals_cell *into, const struct totals_cell *from)
{
	into->calls += from->calls;
	into->errors += from->errors;
	into->total_ns += from->total_ns;
	into->blocked_ns += from->blocked_ns;
	into->runnable_ns += from->runnable_ns;
	into->waits_unknown += from->waits_unknown;
	if (from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	histogram_merge(&into->durations, &from->durations);
	errno_counts_merge(&into->errnos, &from->errnos);
}

/* Both cells belong to the same totals, so their period numbers can be compared. */
void totals_cell_merge_period(struct totals_cell *into, const struct totals_cell *from)
{
	uint32_t period = into->period > from->period ? into->period : from->period;
	uint32_t before =
		(uint32_t)(totals_cell_last(into, period) + totals_cell_last(from, period));
	uint32_t now = (into->period == period ? into->period_calls : 0) +
		       (from->period == period ? from->period_calls : 0);

	into->period = period;
	into->period_calls = now;
	into->before_calls = before;
}

uint64_t totals_cell_untimed(const struct totals_cell *cell)
{
	/* In a damaged recording, an aggregate can have more durations than calls. */
	return cell->calls > cell->durations.count ? cell->calls - cell->durations.count : 0;
}

uint64_t totals_cell_quantile(const struct totals_cell *cell, double fraction)
{
	uint64_t ns = histogram_quantile(&cell->durations, fraction);

	if (ns > cell->max_ns)
		return cell->max_ns;
	return ns < cell->min_ns && cell->durations.count ? cell->min_ns : ns;
}

/* -- Cells of a thread ------------------------------------------------------------- */

size_t totals_cells_release(struct totals_cells *cells)
{
	size_t cursor = 0, count = cells->count;
	const struct totals_slot *slot;

	while ((slot = totals_cells_next(cells, &cursor))) {
		totals_cell_release(slot->cell);
		free(slot->cell);
	}
	free(cells->slots);
	memset(cells, 0, sizeof(*cells));
	return count;
}

static void grow(struct totals_cells *cells)
{
	struct totals_cells larger = { .bits = cells->slots ? cells->bits + 1 : BITS_MIN };
	const struct totals_slot *slot;
	size_t cursor = 0;

	larger.slots = mem_zalloc((size_t)1 << larger.bits, sizeof(*larger.slots));
	larger.count = cells->count;
	while ((slot = totals_cells_next(cells, &cursor)))
		*totals_cells_slot(&larger, slot->nr) = *slot;
	free(cells->slots);
	*cells = larger;
}

static struct totals_cell *put(struct totals_cells *cells, uint32_t nr, struct totals_cell *cell)
{
	struct totals_slot *slot;

	if (!cells->slots || (cells->count + 1) * 4 > 3 << cells->bits)
		grow(cells);
	slot = totals_cells_slot(cells, nr);
	slot->nr = nr;
	slot->cell = cell;
	cells->count++;
	return cell;
}

static struct totals_cell *add(struct totals_cells *cells, uint32_t nr)
{
	struct totals_cell *cell = mem_alloc_lines(sizeof(*cell));

	totals_cell_init(cell);
	return put(cells, nr, cell);
}

struct totals_cell *totals_cells_get(struct totals_cells *cells, uint32_t nr)
{
	struct totals_cell *cell;

	if (nr > TOTALS_NR_OTHER)
		nr = TOTALS_NR_OTHER;
	cell = cells->slots ? totals_cells_slot(cells, nr)->cell : NULL;
	return __builtin_expect(!cell, 0) ? add(cells, nr) : cell;
}

struct totals_cell *totals_cells_take(struct totals_cells *cells, uint32_t nr,
				      struct totals_cell *cell)
{
	struct totals_cell *known = cells->slots ? totals_cells_slot(cells, nr)->cell : NULL;

	return known ? known : put(cells, nr, cell);
}

void totals_cells_forget(struct totals_cells *cells)
{
	free(cells->slots);
	memset(cells, 0, sizeof(*cells));
}

const struct totals_slot *totals_cells_next(const struct totals_cells *cells, size_t *cursor)
{
	size_t count = cells->slots ? (size_t)1 << cells->bits : 0;

	while (*cursor < count) {
		const struct totals_slot *slot = &cells->slots[(*cursor)++];

		if (slot->cell)
			return slot;
	}
	return NULL;
}
