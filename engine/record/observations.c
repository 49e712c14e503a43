#include "engine/record/observations.h"

#include "engine/base/hash.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct item {
	struct finding finding; /* first: who has it has the item */
	struct item *next; /* about the same, or what has the same hash */
	struct item *last; /* of those, in the first one */
	size_t number;
	char text[];
};

struct findings {
	pthread_mutex_t mutex;
	struct item **items; /* in order */
	size_t count, cap;
	size_t counts[FINDING_KIND_COUNT];
	size_t bytes, max_bytes;
	uint64_t began_ns;
	finding_fn *teller; /* NULL: nobody is told */
	void *teller_ctx;
	struct idmap firsts; /* hash: struct item */
};

struct findings *findings_new(size_t max_bytes)
{
	struct findings *findings = mem_zalloc(1, sizeof(*findings));

	pthread_mutex_init(&findings->mutex, NULL);
	idmap_init(&findings->firsts);
	findings->max_bytes = max_bytes;
	return findings;
}

void findings_free(struct findings *findings)
{
	if (!findings)
		return;
	for (size_t i = 0; i < findings->count; i++)
		free(findings->items[i]);
	free(findings->items);
	idmap_release(&findings->firsts);
	pthread_mutex_destroy(&findings->mutex);
	free(findings);
}

static uint64_t hash(enum finding_kind kind, uint32_t id, uint64_t of)
{
	return hash_mix(hash_u64((uint64_t)kind << 32 | id), of);
}

static uint64_t hash_of(const struct finding *finding)
{
	switch (finding->kind) {
	case FINDING_FD:
		return hash(finding->kind, finding->pid, finding->fd.from_ns);
	case FINDING_PLACE:
	case FINDING_VARIABLE:
		return hash(finding->kind, finding->pid, finding->futex.uaddr);
	case FINDING_HOLDER:
		return hash(finding->kind, finding->tid, finding->holder.enter_ns);
	case FINDING_BYTES:
		return hash(finding->kind, finding->tid, finding->call.enter_ns);
	default:
		return hash(finding->kind, 0, 0);
	}
}

void findings_set_teller(struct findings *findings, finding_fn *teller, void *ctx)
{
	pthread_mutex_lock(&findings->mutex);
	findings->teller = teller;
	findings->teller_ctx = ctx;
	pthread_mutex_unlock(&findings->mutex);
}

void findings_set_began(struct findings *findings, uint64_t began_ns)
{
	pthread_mutex_lock(&findings->mutex);
	findings->began_ns = began_ns;
	pthread_mutex_unlock(&findings->mutex);
}

/* What was before the recording, nobody will ask for by its time. */
static void begin_time(const struct findings *findings, struct finding *finding)
{
	uint64_t *time_ns = finding->kind == FINDING_FD       ? &finding->fd.from_ns
			    : finding->kind == FINDING_UNSEEN ? &finding->unseen.from_ns
			    : finding->kind == FINDING_PLACE || finding->kind == FINDING_VARIABLE
				    ? &finding->futex.memory_ns
				    : NULL;

	if (time_ns && *time_ns < findings->began_ns)
		*time_ns = 0;
}

/* Locked. */
static void add(struct findings *findings, struct item *item)
{
	uint64_t sum = hash_of(&item->finding);
	struct item *first = idmap_get(&findings->firsts, sum);

	item->next = NULL;
	if (first) {
		first->last->next = item;
		first->last = item;
	} else {
		item->last = item;
		idmap_put(&findings->firsts, sum, item);
	}
}

void findings_add(struct findings *findings, const struct finding *finding)
{
	size_t bytes = sizeof(struct item) + finding->len + 1;
	struct item *item;

	if (finding->kind >= FINDING_KIND_COUNT || finding->len > FINDING_TEXT_MAX)
		return;
	pthread_mutex_lock(&findings->mutex);
	/* What calls point to is most of it, and would leave nothing for the rest. */
	if (findings->bytes + bytes >
	    (finding->kind == FINDING_BYTES ? findings->max_bytes / 4 * 3 : findings->max_bytes)) {
		pthread_mutex_unlock(&findings->mutex);
		return;
	}
	findings->bytes += bytes;
	item = mem_alloc(bytes);
	item->finding = *finding;
	if (finding->len)
		memcpy(item->text, finding->text, finding->len);
	/* Texts end with a NUL that is not counted. */
	item->text[finding->len] = '\0';
	item->finding.text = item->text;
	begin_time(findings, &item->finding);
	findings->items = mem_grow(findings->items, &findings->cap, findings->count + 1,
				   sizeof(*findings->items));
	item->number = findings->count;
	findings->items[findings->count++] = item;
	findings->counts[finding->kind]++;
	add(findings, item);
	pthread_mutex_unlock(&findings->mutex);
	if (findings->teller)
		findings->teller(findings->teller_ctx, finding);
}

static int compare(const void *a, const void *b)
{
	const struct item *one = *(struct item *const *)a, *other = *(struct item *const *)b;

	if (one->finding.fed_ns != other->finding.fed_ns)
		return one->finding.fed_ns < other->finding.fed_ns ? -1 : 1;
	return (one->number > other->number) - (one->number < other->number);
}

void findings_sort(struct findings *findings)
{
	pthread_mutex_lock(&findings->mutex);
	if (findings->count)
		qsort(findings->items, findings->count, sizeof(*findings->items), compare);
	idmap_clear(&findings->firsts);
	for (size_t i = 0; i < findings->count; i++) {
		findings->items[i]->number = i;
		add(findings, findings->items[i]);
	}
	pthread_mutex_unlock(&findings->mutex);
}

/* Others may have the same hash. Locked. */
static const struct finding *of_kind(const struct item *item, enum finding_kind kind)
{
	while (item && item->finding.kind != kind)
		item = item->next;
	return item ? &item->finding : NULL;
}

const struct finding *findings_first(struct findings *findings, enum finding_kind kind, uint32_t id,
				     uint64_t of)
{
	const struct finding *found;

	pthread_mutex_lock(&findings->mutex);
	found = of_kind(idmap_get(&findings->firsts, hash(kind, id, of)), kind);
	pthread_mutex_unlock(&findings->mutex);
	return found;
}

const struct finding *findings_next(struct findings *findings, const struct finding *finding)
{
	const struct item *item = (const struct item *)finding;
	const struct finding *found;

	pthread_mutex_lock(&findings->mutex);
	found = of_kind(item->next, finding->kind);
	pthread_mutex_unlock(&findings->mutex);
	return found;
}

const struct finding *findings_in_order(struct findings *findings, size_t *cursor,
					uint64_t until_ns)
{
	const struct item *item = NULL;

	pthread_mutex_lock(&findings->mutex);
	if (*cursor < findings->count && findings->items[*cursor]->finding.fed_ns <= until_ns)
		item = findings->items[(*cursor)++];
	pthread_mutex_unlock(&findings->mutex);
	return item ? &item->finding : NULL;
}

size_t findings_count(struct findings *findings, enum finding_kind kind)
{
	size_t count;

	pthread_mutex_lock(&findings->mutex);
	count = findings->counts[kind];
	pthread_mutex_unlock(&findings->mutex);
	return count;
}
