#include "tui/compare/comparison.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "tui/compare/change_rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Thresholds of a change: calls per side, and ratios. */
#define CALLS_MIN 20
#define TIME_RATIO 1.5
#define TAIL_RATIO 2.0
#define CALLS_RATIO 1.5
#define SHARE_RATIO 1.25 /* relative to the rate ratio of all calls */
#define ERRORS_RATIO 2.0
#define TIME_MIN_NS 1000 /* smaller differences depend on the load of the machine */
/* Threshold in standard errors. By chance, about 3 of 1000 unchanged rows exceed it. */
#define SURE 3.0
#define TAIL_SHARE 0.01 /* share of the calls above p99 */

void comparison_take(struct comparison *comparison, int which, struct engine *engine,
		     const char *file, uint64_t since_ns)
{
	struct comparison_side *side = &comparison->sides[which];
	struct engine_status *status = mem_alloc(sizeof(*status));

	engine_status(engine, status);
	if (since_ns < status->from_ns)
		since_ns = status->from_ns;
	side->file = mem_strdup(file);
	side->lost = model_status_losses(&status->model);
	if (status->now_ns > since_ns)
		side->seconds = (double)(status->now_ns - since_ns) / (double)NS_PER_S;
	free(status);
	side->total_count = engine_syscall_rows(engine, 0, 0, &side->totals);
	side->row_count = engine_comm_syscalls(engine, &side->rows);
	side->comm_count = engine_comm_processes(engine, &side->comms);
	side->process_count = engine_processes(engine, &side->processes);
	for (size_t i = 0; i < side->total_count; i++)
		side->calls += side->totals[i].calls;
}

void comparison_release(struct comparison *comparison)
{
	for (int i = 0; i < COMPARISON_SIDES; i++) {
		free(comparison->sides[i].file);
		free(comparison->sides[i].totals);
		free(comparison->sides[i].rows);
		free(comparison->sides[i].comms);
		free(comparison->sides[i].processes);
	}
	free(comparison->rows);
	free(comparison->comms);
	memset(comparison, 0, sizeof(*comparison));
}

struct comparison *comparison_new(void)
{
	struct comparison *comparison = mem_zalloc(1, sizeof(*comparison));

	comparison->refs = 1;
	return comparison;
}

struct comparison *comparison_ref(struct comparison *comparison)
{
	if (comparison)
		comparison->refs++;
	return comparison;
}

void comparison_unref(struct comparison *comparison)
{
	if (!comparison || --comparison->refs)
		return;
	comparison_release(comparison);
	free(comparison);
}

double comparison_ratio(double a, double b)
{
	return a > 0 && b > 0 ? b / a : 0;
}

double comparison_per_s(const struct comparison *comparison, int side, uint64_t count)
{
	double seconds = comparison->sides[side].seconds;

	return seconds > 0 ? (double)count / seconds : 0;
}

double comparison_rate_ratio(const struct comparison *comparison)
{
	const struct comparison_side *sides = comparison->sides;

	return comparison_ratio(
		comparison_per_s(comparison, COMPARISON_A, sides[COMPARISON_A].calls),
		comparison_per_s(comparison, COMPARISON_B, sides[COMPARISON_B].calls));
}

/* -- Errnos -------------------------------------------------------------------------------- */

static const struct errno_count *find_errno(const struct engine_row *row, uint32_t number)
{
	for (uint32_t i = 0; i < row->errno_count; i++)
		if (row->errnos[i].number == number)
			return &row->errnos[i];
	return NULL;
}

/* -- Significance ---------------------------------------------------------------------------- */

static double squared_error(const struct engine_row *row)
{
	double deviation = (double)row->deviation_ns;

	return deviation * deviation / comparison_timed(row);
}

/*
 * Welch's test: True if the means differ by more than SURE standard errors. A single outlier moves
 * the mean, but also raises the error.
 */
static bool averages_differ(const struct engine_row *a, const struct engine_row *b)
{
	double off = (double)b->total_ns / comparison_timed(b) -
		     (double)a->total_ns / comparison_timed(a);

	return fabs(off) > SURE * sqrt(squared_error(a) + squared_error(b));
}

/*
 * Mann-Whitney test on histograms. Among all pairs of a call of A and a call of B, count those in
 * which the call of B is slower. True if they are significantly more, or fewer, than half. Outliers
 * do not hide the change of most calls, but durations in one cell count as equal.
 */
static bool ranks_differ(const struct engine_row *a, const struct engine_row *b)
{
	double below = 0, wins = 0, count_a = 0, count_b = 0, off;

	for (size_t i = 0; i < ENGINE_HISTOGRAM_CELLS; i++) {
		double of_a = (double)a->histogram[i], of_b = (double)b->histogram[i];

		wins += of_b * (below + of_a / 2);
		below += of_a;
		count_a += of_a;
		count_b += of_b;
	}
	if (count_a < 1 || count_b < 1)
		return false;
	off = fabs(wins / (count_a * count_b) - 0.5);
	return off > SURE * sqrt((count_a + count_b + 1) / (12 * count_a * count_b));
}

static bool times_differ(const struct engine_row *a, const struct engine_row *b)
{
	return averages_differ(a, b) || ranks_differ(a, b);
}

/* Return the largest ratio of two counts that is still plausible by chance. */
static double chance(double count_a, double count_b)
{
	return exp(SURE * sqrt(1 / count_a + 1 / count_b));
}

/* Return the smallest significant ratio of p99s, which depend on the few slowest calls. */
static double tail_ratio(const struct engine_row *a, const struct engine_row *b)
{
	double by_chance = chance(TAIL_SHARE * comparison_timed(a),
				  TAIL_SHARE * comparison_timed(b));

	return by_chance > TAIL_RATIO ? by_chance : TAIL_RATIO;
}

/*
 * True if A would have failed at least SURE times at B's failure rate, or if all calls of B fail.
 */
static bool would_have_failed(const struct engine_row *a, const struct engine_row *b,
			      uint64_t failures)
{
	return failures == b->calls ||
	       (double)failures * (double)a->calls >= SURE * (double)b->calls;
}

/* True if the other side is long enough to have at least one call at the rate of this side. */
static bool is_missed(const struct comparison *comparison, uint64_t calls, int side)
{
	double seconds = comparison->sides[side].seconds;
	double others = comparison->sides[!side].seconds;

	return seconds <= 0 || (double)calls * others >= seconds;
}

/* -- Rows ------------------------------------------------------------------------------------ */

/* Find errnos of B that A does not have. None are new if A's list is full: it can be truncated. */
static void find_failures(struct comparison_row *row)
{
	const struct engine_row *a = row->sides[COMPARISON_A], *b = row->sides[COMPARISON_B];

	if (a && a->errno_count == ENGINE_ERRNOS)
		return;
	for (uint32_t i = 0; i < b->errno_count; i++)
		if (b->errnos[i].number != ERRNO_COUNTS_UNKNOWN &&
		    (!a || (!find_errno(a, b->errnos[i].number) &&
			    would_have_failed(a, b, b->errnos[i].count))))
			row->errnos[row->errno_count++] = b->errnos[i];
	if (row->errno_count)
		row->changes |= CHANGE_FAILS;
}

static bool grew(uint64_t a_ns, uint64_t b_ns, double ratio)
{
	return b_ns >= a_ns + TIME_MIN_NS && (double)b_ns >= (double)a_ns * ratio;
}

static void compare_times(struct comparison_row *row, const struct engine_row *a,
			  const struct engine_row *b)
{
	bool differ = times_differ(a, b);
	double tail = tail_ratio(a, b);

	if ((differ && grew(a->p50_ns, b->p50_ns, TIME_RATIO)) || grew(a->p99_ns, b->p99_ns, tail))
		row->changes |= CHANGE_SLOWER;
	if ((differ && grew(b->p50_ns, a->p50_ns, TIME_RATIO)) || grew(b->p99_ns, a->p99_ns, tail))
		row->changes |= CHANGE_FASTER;
}

/*
 * A job that ran slower made fewer calls of every kind per second, which is not a change. So a rate
 * must also have changed relative to that of all calls or, because one kind of call can dominate
 * these, to that of a typical call. It suffices that one side has CALLS_MIN calls.
 */
static void compare_rates(const struct comparison *comparison, struct comparison_row *row,
			  const struct engine_row *a, const struct engine_row *b)
{
	double a_s = comparison_per_s(comparison, COMPARISON_A, a->calls);
	double b_s = comparison_per_s(comparison, COMPARISON_B, b->calls);
	double all = comparison_rate_ratio(comparison), usual = comparison->usual;
	double least = fmax(chance((double)a->calls, (double)b->calls), CALLS_RATIO);

	if (a->calls < CALLS_MIN && b->calls < CALLS_MIN)
		return;
	if (usual <= 0)
		usual = all;
	if (b_s >= a_s * least && b_s >= a_s * fmin(all, usual) * SHARE_RATIO)
		row->changes |= CHANGE_MORE;
	if (a_s >= b_s * least && a_s * fmax(all, usual) >= b_s * SHARE_RATIO)
		row->changes |= CHANGE_FEWER;
}

static void compare_row(const struct comparison *comparison, struct comparison_row *row)
{
	const struct engine_row *a = row->sides[COMPARISON_A], *b = row->sides[COMPARISON_B];
	double a_s = a ? comparison_per_s(comparison, COMPARISON_A, a->total_ns) : 0;
	double b_s = b ? comparison_per_s(comparison, COMPARISON_B, b->total_ns) : 0;

	row->impact = (b_s > a_s ? b_s - a_s : a_s - b_s) / (double)NS_PER_S;
	if (b)
		find_failures(row);
	if (!a || !b) {
		if (is_missed(comparison, a ? a->calls : b->calls, a ? COMPARISON_A : COMPARISON_B))
			row->changes |= a ? CHANGE_GONE : CHANGE_NEW;
		return;
	}
	compare_rates(comparison, row, a, b);
	if (a->calls < CALLS_MIN || b->calls < CALLS_MIN)
		return;
	if (comparison_timed(a) >= CALLS_MIN && comparison_timed(b) >= CALLS_MIN)
		compare_times(row, a, b);
	if (b->errors >= CALLS_MIN && (double)b->errors / (double)b->calls >=
					      ERRORS_RATIO * (double)a->errors / (double)a->calls)
		row->changes |= CHANGE_FAILS_MORE;
}

/* -- Matching ------------------------------------------------------------------------------ */

/* A row of a side with the comm of its process. */
struct named {
	const char *comm;
	const struct engine_row *row;
};

static int compare_pids(const void *a, const void *b)
{
	const struct engine_row *one = a, *other = b;

	return (one->pid > other->pid) - (one->pid < other->pid);
}

static int compare_named(const void *a, const void *b)
{
	const struct named *one = a, *other = b;
	int order = strcmp(one->comm, other->comm);

	return order ? order : strcmp(one->row->name, other->row->name);
}

/*
 * Return the rows with finished calls, sorted by comm and name, and set *count. The caller frees
 * the array.
 */
static struct named *name_rows(struct comparison_side *side, const struct engine_row *rows,
			       size_t row_count, bool by_process, size_t *count)
{
	struct named *named = mem_zalloc(row_count + 1, sizeof(*named));

	if (side->process_count)
		qsort(side->processes, side->process_count, sizeof(*side->processes), compare_pids);
	*count = 0;
	for (size_t i = 0; i < row_count; i++) {
		const struct engine_row *process = NULL;

		if (!rows[i].calls)
			continue;
		if (by_process && side->process_count)
			process = bsearch(&rows[i], side->processes, side->process_count,
					  sizeof(*side->processes), compare_pids);
		named[(*count)++] = (struct named){ process ? process->name : "", &rows[i] };
	}
	if (*count)
		qsort(named, *count, sizeof(*named), compare_named);
	return named;
}

enum kind { KIND_CALLS, KIND_COMM_CALLS, KIND_COMMS };

static struct comparison_row make_row(const struct comparison *comparison, enum kind kind,
				      const struct named *a, const struct named *b)
{
	const struct named *either = a ? a : b;
	struct comparison_row row = {
		.comm = kind == KIND_CALLS ? NULL : either->comm,
		.name = kind == KIND_COMMS ? NULL : either->row->name,
		.nr = either->row->nr,
		.sides = { a ? a->row : NULL, b ? b->row : NULL },
	};

	compare_row(comparison, &row);
	row.rank = row.changes ? change_rank(comparison, &row) : 0;
	return row;
}

static struct named *names_of(struct comparison_side *side, enum kind kind, size_t *count)
{
	switch (kind) {
	case KIND_CALLS:
		return name_rows(side, side->totals, side->total_count, false, count);
	case KIND_COMM_CALLS:
		return name_rows(side, side->rows, side->row_count, true, count);
	case KIND_COMMS:
		break;
	}
	return name_rows(side, side->comms, side->comm_count, true, count);
}

/* Match both sides and append to `rows`, which must have room. Return the number of new rows. */
static size_t match(struct comparison *comparison, enum kind kind, struct comparison_row *rows)
{
	size_t a_count, b_count, i = 0, j = 0, count = 0;
	struct named *a = names_of(&comparison->sides[COMPARISON_A], kind, &a_count);
	struct named *b = names_of(&comparison->sides[COMPARISON_B], kind, &b_count);

	while (i < a_count || j < b_count) {
		int order = i == a_count ? 1 : j == b_count ? -1 : compare_named(&a[i], &b[j]);

		rows[count++] = make_row(comparison, kind, order <= 0 ? &a[i] : NULL,
					 order >= 0 ? &b[j] : NULL);
		i += order <= 0;
		j += order >= 0;
	}
	free(a);
	free(b);
	return count;
}

static int compare_rank(const void *a, const void *b)
{
	const struct comparison_row *one = a, *other = b;
	int order = 0;

	if (!one->comm != !other->comm)
		return one->comm ? 1 : -1;
	if (!one->changes != !other->changes)
		return one->changes ? -1 : 1;
	if (one->rank != other->rank)
		return one->rank > other->rank ? -1 : 1;
	if (one->impact != other->impact)
		return one->impact > other->impact ? -1 : 1;
	if (one->comm)
		order = strcmp(one->comm, other->comm);
	return order || !one->name ? order : strcmp(one->name, other->name);
}

void comparison_match(struct comparison *comparison)
{
	size_t rows = 1, comms = 1;

	for (int i = 0; i < COMPARISON_SIDES; i++) {
		rows += comparison->sides[i].total_count + comparison->sides[i].row_count;
		comms += comparison->sides[i].comm_count;
	}
	comparison->usual = change_usual_ratio(comparison, CALLS_MIN);
	comparison->rows = mem_zalloc(rows, sizeof(*comparison->rows));
	comparison->comms = mem_zalloc(comms, sizeof(*comparison->comms));
	comparison->count = match(comparison, KIND_CALLS, comparison->rows);
	comparison->count += match(comparison, KIND_COMM_CALLS,
				   comparison->rows + comparison->count);
	comparison->comm_count = match(comparison, KIND_COMMS, comparison->comms);
	qsort(comparison->rows, comparison->count, sizeof(*comparison->rows), compare_rank);
	qsort(comparison->comms, comparison->comm_count, sizeof(*comparison->comms), compare_rank);
}
