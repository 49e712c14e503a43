/*
 * totals_reader - the totals as readers see them, and their rates.
 *
 * What the collector counted is taken from the model in one short hold of its lock, whatever there
 * is, and added here without it. So tables are as new as the last take, and how long one takes
 * depends on what changed since then. Not thread-safe: whoever owns it locks; a thread that holds
 * the model's lock must not wait for that.
 */
#ifndef MODEL_TOTALS_READER_H
#define MODEL_TOTALS_READER_H

#include "engine/model/model.h"

struct totals_reader;

struct totals_reader_options {
	bool rates; /* of the last second; otherwise nobody asks for them */
	/* Ended processes are folded by name beyond so many of one name, and of all; 0: late. */
	size_t ended_per_name, ended_most;
};

struct totals_reader *totals_reader_new(const struct totals_reader_options *options);
void totals_reader_free(struct totals_reader *reader); /* NULL too */

/* In one hold of the model's lock: model_take_totals() of this. */
struct model_taken *totals_reader_taken(struct totals_reader *reader);
/* Then, without the lock. `spared`: its pid keeps a row of its own though it ended; 0: none. */
void totals_reader_add(struct totals_reader *reader, uint64_t now_ns, uint32_t spared);

/* What the filter lets through. */
struct totals *totals_reader_totals(const struct totals_reader *reader);
bool totals_reader_has_rates(const struct totals_reader *reader);
/* Calls per second of a cell, or a sum, of these in the last whole period of about a second. */
double totals_reader_rate(const struct totals_reader *reader, const struct totals_cell *cell);

size_t totals_reader_bytes(const struct totals_reader *reader); /* of memory */

#endif
