/*
 * totals_reader - totals for queries, and rates.
 *
 * One short hold of the model's lock takes the counts of the collector. They are added up without
 * that lock. So the tables are as current as the last take. The cost of a take depends on what
 * changed since the previous take. Not thread-safe: the owner locks. A thread that holds the
 * model's lock must not wait for the owner's lock.
 */
#ifndef MODEL_TOTALS_READER_H
#define MODEL_TOTALS_READER_H

#include "engine/model/model.h"

struct totals_reader;

struct totals_reader_options {
	bool rates; /* compute rates over the last period of about a second */
	/*
	 * Limits of ended processes with a row of their own: per name, and in total. Further ones
	 * are folded by name. SIZE_MAX: only the limits of totals.h apply.
	 */
	size_t ended_per_name, ended_most;
};

struct totals_reader *totals_reader_new(const struct totals_reader_options *options);
void totals_reader_free(struct totals_reader *reader); /* NULL is allowed */

/* Pass this to model_take_totals(), under the model's lock. */
struct model_taken *totals_reader_taken(struct totals_reader *reader);
/*
 * After the take, add its counts, without the model's lock. Process `spared` keeps a row of its own
 * even after its end; 0: none.
 */
void totals_reader_add(struct totals_reader *reader, uint64_t now_ns, uint32_t spared);

/* Totals of the calls that match the filter. */
const struct totals *totals_reader_totals(const struct totals_reader *reader);
/* Call `each` for each identity that the totals use, see totals_identities(). */
void totals_reader_identities(const struct totals_reader *reader,
			      void (*each)(void *ctx, uint32_t id), void *ctx);
bool totals_reader_has_rates(const struct totals_reader *reader);
/* False for a second after the start, after a new filter and after a reset of the totals. */
bool totals_reader_knows_rates(const struct totals_reader *reader);
/*
 * Calls per second of a cell or sum of these totals, in the last complete period of about a second.
 * NaN: unknown.
 */
double totals_reader_rate(const struct totals_reader *reader, const struct totals_cell *cell);

size_t totals_reader_bytes(const struct totals_reader *reader); /* memory in bytes */

#endif
