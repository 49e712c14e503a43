#include "engine/model/totals_reader.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Cells start with period 0, which must be neither the current nor the previous period. */
#define FIRST_PERIOD 2

struct totals_reader {
	struct totals_reader_options options;
	struct totals *all, *matched;
	uint64_t all_version, matched_version; /* versions of the totals above */
	/* its totals are empty except between a take and totals_reader_add() */
	struct model_taken taken;

	uint32_t period;
	uint64_t period_ns; /* start of the current period */
	double last_s; /* length of the previous period; 0: the rates are unknown */
	bool recounted; /* older calls were counted again since the last take */
};

struct totals_reader *totals_reader_new(const struct totals_reader_options *options)
{
	struct totals_reader *reader = mem_zalloc(1, sizeof(*reader));

	reader->options = *options;
	reader->all = totals_new();
	reader->matched = totals_new();
	reader->taken.all = totals_new();
	reader->taken.matched = totals_new();
	reader->period = FIRST_PERIOD;
	reader->period_ns = clock_now_ns();
	return reader;
}

void totals_reader_free(struct totals_reader *reader)
{
	if (!reader)
		return;
	totals_free(reader->all);
	totals_free(reader->matched);
	totals_free(reader->taken.all);
	totals_free(reader->taken.matched);
	free(reader);
}

struct model_taken *totals_reader_taken(struct totals_reader *reader)
{
	return &reader->taken;
}

static void add(struct totals_reader *reader, struct totals *into, uint64_t *version,
		struct totals *taken, uint64_t taken_version, uint32_t spared)
{
	const struct totals_reader_options *options = &reader->options;

	if (*version != taken_version) {
		totals_clear(into);
		*version = taken_version;
		reader->recounted = true;
	}
	totals_absorb(into, taken, reader->period);
	totals_fold(into, options->ended_per_name, options->ended_most, spared);
}

/* After a recount of older calls, begin a period at once: rates count only new calls. */
static void turn_period(struct totals_reader *reader, uint64_t now_ns)
{
	if (!reader->recounted && now_ns < reader->period_ns + NS_PER_S)
		return;
	reader->last_s = reader->recounted ? 0 : (double)(now_ns - reader->period_ns) / NS_PER_S;
	reader->recounted = false;
	reader->period++;
	reader->period_ns = now_ns;
}

void totals_reader_add(struct totals_reader *reader, uint64_t now_ns, uint32_t spared)
{
	struct model_taken *taken = &reader->taken;

	reader->recounted |= taken->refilling;
	add(reader, reader->all, &reader->all_version, taken->all, taken->all_version, spared);
	if (taken->filtered)
		add(reader, reader->matched, &reader->matched_version, taken->matched,
		    taken->matched_version, spared);
	else if (reader->matched_version)
		totals_clear(reader->matched);
	if (!taken->filtered)
		reader->matched_version = 0;
	turn_period(reader, now_ns);
}

const struct totals *totals_reader_totals(const struct totals_reader *reader)
{
	return reader->taken.filtered ? reader->matched : reader->all;
}

void totals_reader_identities(const struct totals_reader *reader,
			      void (*each)(void *ctx, uint32_t id), void *ctx)
{
	totals_identities(reader->all, each, ctx);
	totals_identities(reader->matched, each, ctx);
}

bool totals_reader_has_rates(const struct totals_reader *reader)
{
	return reader->options.rates;
}

bool totals_reader_knows_rates(const struct totals_reader *reader)
{
	return reader->last_s > 0;
}

double totals_reader_rate(const struct totals_reader *reader, const struct totals_cell *cell)
{
	if (reader->last_s <= 0)
		return NAN;
	return (double)totals_cell_last(cell, reader->period) / reader->last_s;
}

size_t totals_reader_bytes(const struct totals_reader *reader)
{
	return totals_bytes(reader->all) + totals_bytes(reader->matched);
}
