#include "engine/recorder/recording_symbols.h"

#include "engine/base/clock.h"
#include "engine/base/idmap.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/recorder/embedded_stacks.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/stack/embedded_names.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define STACKS_MAX (1u << 20)
#define SAMPLES_MAX (2u << 20)
#define ASKED_AT_ONCE 16u
/* Maximum time without a new result after which the wait ends; a busy machine is slow. */
#define UNWOUND_WAIT_NS (2 * NS_PER_S)
#define NAMES_WAIT_NS (5 * NS_PER_S)
#define AGAIN_NS NS_PER_S /* interval of symbols_embed_again() */
#define LOOK_MS 50 /* interval at which give_up is tested */

/* Stacks and samples of one file or part. */
struct stack_entries {
	struct stack_entries *next;
	struct idmap by_id; /* by stack id: index + 1 */
	struct stack *stacks; /* with copied addresses: the originals can be evicted */
	uint32_t *stack_ids; /* ids when noted; a pending stack gets another id later */
	size_t stack_count, stack_cap, id_cap;
	struct embedded_stacks_sample *samples; /* .stack is the stack id */
	size_t sample_count, sample_cap;
	size_t asked; /* number of stacks whose names were requested */
};

struct recording_symbols {
	struct symbols *symbols;
	struct unwinder *unwinder;
	pthread_mutex_t lock;
	struct stack_entries *first, *last; /* oldest first; new stacks go to the last */
	size_t parts, part_count; /* parts 0: each entry is one file */
	uint64_t again_ns; /* recorder thread: time of the last symbols_embed_again() */
};

struct recording_symbols *recording_symbols_new(struct symbols *symbols, size_t parts)
{
	struct recording_symbols *names = mem_zalloc(1, sizeof(*names));

	names->symbols = symbols;
	names->parts = parts;
	lock_init(&names->lock);
	return names;
}

void recording_symbols_set_unwinder(struct recording_symbols *names, struct unwinder *unwinder)
{
	names->unwinder = unwinder;
}

static void stack_entry_free(struct stack_entries *stack_entries)
{
	idmap_release(&stack_entries->by_id);
	for (size_t i = 0; i < stack_entries->stack_count; i++)
		free((void *)(uintptr_t)stack_entries->stacks[i].ips);
	free(stack_entries->stacks);
	free(stack_entries->stack_ids);
	free(stack_entries->samples);
	free(stack_entries);
}

void recording_symbols_free(struct recording_symbols *names)
{
	if (!names)
		return;
	recording_symbols_end(names);
	pthread_mutex_destroy(&names->lock);
	free(names);
}

/* -- Noting ------------------------------------------------------------------------------ */

static struct stack_entries *take_first(struct recording_symbols *names)
{
	struct stack_entries *stack_entries = names->first;

	if (!stack_entries)
		return NULL;
	names->first = stack_entries->next;
	if (!names->first)
		names->last = NULL;
	names->part_count--;
	return stack_entries;
}

void recording_symbols_begin(struct recording_symbols *names)
{
	struct stack_entries *stack_entries = mem_zalloc(1, sizeof(*stack_entries));

	idmap_init(&stack_entries->by_id);
	pthread_mutex_lock(&names->lock);
	if (names->last)
		names->last->next = stack_entries;
	else
		names->first = stack_entries;
	names->last = stack_entries;
	stack_entries = names->part_count++ >= names->parts && names->parts ? take_first(names)
									    : NULL;
	pthread_mutex_unlock(&names->lock);
	if (stack_entries)
		stack_entry_free(stack_entries);
}

static struct stack copy_of(const struct stack *stack)
{
	size_t count = (size_t)stack->kernel_count + stack->user_count;
	uint64_t *ips = mem_alloc((count + !count) * sizeof(*ips));
	struct stack copy = *stack;

	memcpy(ips, stack->ips, count * sizeof(*ips));
	copy.ips = ips;
	return copy;
}

static void note_stack(struct stack_entries *stack_entries, const struct stack *stack, uint32_t id)
{
	if (idmap_get(&stack_entries->by_id, id) || stack_entries->stack_count >= STACKS_MAX)
		return;
	stack_entries->stack_ids = mem_grow(stack_entries->stack_ids, &stack_entries->id_cap,
					    stack_entries->stack_count + 1,
					    sizeof(*stack_entries->stack_ids));
	stack_entries->stack_ids[stack_entries->stack_count] = id;
	stack_entries->stacks = mem_grow(stack_entries->stacks, &stack_entries->stack_cap,
					 stack_entries->stack_count + 1,
					 sizeof(*stack_entries->stacks));
	stack_entries->stacks[stack_entries->stack_count++] = copy_of(stack);
	idmap_put(&stack_entries->by_id, id, (void *)stack_entries->stack_count);
}

static void note_sample(struct stack_entries *stack_entries, const struct stack *stack,
			const struct record *record, size_t max)
{
	enum embedded_stacks_kind kind = embedded_stacks_kind_of(record);

	if (kind == EMBEDDED_STACKS_OTHER || stack_entries->sample_count >= max)
		return;
	stack_entries->samples = mem_grow(stack_entries->samples, &stack_entries->sample_cap,
					  stack_entries->sample_count + 1,
					  sizeof(*stack_entries->samples));
	stack_entries->samples[stack_entries->sample_count++] = (struct embedded_stacks_sample){
		.time_ns = record->time_ns,
		.tid = record->tid,
		.kind = kind,
		.stack = stack->id,
	};
}

void recording_symbols_note(struct recording_symbols *names, const struct stack *stack,
			    const struct record *sample)
{
	pthread_mutex_lock(&names->lock);
	if (names->last) {
		note_stack(names->last, stack, stack->id);
		if (sample)
			note_sample(names->last, stack, sample,
				    names->parts ? SAMPLES_MAX / names->parts : SAMPLES_MAX);
	}
	pthread_mutex_unlock(&names->lock);
}

static struct stack *find_stack(const struct stack_entries *stack_entries, uint32_t id)
{
	size_t index = (size_t)idmap_get(&stack_entries->by_id, id);

	return index ? &stack_entries->stacks[index - 1] : NULL;
}

void recording_symbols_resolve(struct recording_symbols *names, uint32_t id,
			       const struct stack *stack)
{
	pthread_mutex_lock(&names->lock);
	for (struct stack_entries *stack_entries = names->first; stack_entries;
	     stack_entries = stack_entries->next) {
		struct stack *known = find_stack(stack_entries, id);

		if (!known)
			continue;
		free((void *)(uintptr_t)known->ips);
		*known = copy_of(stack);
	}
	pthread_mutex_unlock(&names->lock);
}

/* -- Naming ------------------------------------------------------------------------------ */

bool recording_symbols_ask(struct recording_symbols *names)
{
	struct stack stacks[ASKED_AT_ONCE];
	struct stack_entries *stack_entries;
	size_t count = 0;

	pthread_mutex_lock(&names->lock);
	for (stack_entries = names->first; stack_entries;
	     stack_entries = names->parts ? stack_entries->next : NULL)
		while (count < ASKED_AT_ONCE && stack_entries->asked < stack_entries->stack_count)
			stacks[count++] = copy_of(&stack_entries->stacks[stack_entries->asked++]);
	pthread_mutex_unlock(&names->lock);
	for (size_t i = 0; i < count; i++) {
		symbols_embed(names->symbols, &stacks[i]);
		free((void *)(uintptr_t)stacks[i].ips);
	}
	if (clock_now_ns() - names->again_ns > AGAIN_NS) {
		symbols_embed_again(names->symbols, false);
		names->again_ns = clock_now_ns();
	}
	return count;
}

/* Bounds the wait for pending results: it lasts while results arrive, at most until end_ns. */
struct worker_timeout {
	uint64_t end_ns;
	const atomic_bool *give_up;
	size_t pending; /* lowest number of pending results ... */
	uint64_t since_ns; /* ... since this time */
};

static bool is_over(const struct worker_timeout *worker_timeout)
{
	return atomic_load(worker_timeout->give_up) || clock_now_ns() >= worker_timeout->end_ns;
}

static void begin_waiting(struct worker_timeout *worker_timeout)
{
	worker_timeout->pending = SIZE_MAX;
	worker_timeout->since_ns = clock_now_ns();
}

static bool goes_on(struct worker_timeout *worker_timeout, size_t pending, uint64_t quiet_ns)
{
	uint64_t now_ns = clock_now_ns();

	if (pending < worker_timeout->pending) {
		worker_timeout->pending = pending;
		worker_timeout->since_ns = now_ns;
	}
	return now_ns - worker_timeout->since_ns < quiet_ns && !is_over(worker_timeout);
}

static void await_unwound(struct unwinder *unwinder, struct worker_timeout *worker_timeout)
{
	begin_waiting(worker_timeout);
	while (!unwinder_settle(unwinder, LOOK_MS) &&
	       goes_on(worker_timeout, unwinder_pending(unwinder), UNWOUND_WAIT_NS))
		continue;
}

static void await_names(struct symbols *symbols, struct worker_timeout *worker_timeout)
{
	begin_waiting(worker_timeout);
	while (!symbols_settle(symbols, LOOK_MS) &&
	       goes_on(worker_timeout, symbols_pending(symbols), NAMES_WAIT_NS))
		continue;
}

/* Repeat while results arrive: the first can be a mapping, whose symbols need a second request. */
static void ask_all(struct recording_symbols *names, const struct stack_entries *stack_entries,
		    struct worker_timeout *worker_timeout)
{
	uint64_t version;

	symbols_embed_again(names->symbols, true);
	do {
		version = symbols_version(names->symbols);
		for (size_t i = 0; i < stack_entries->stack_count && !is_over(worker_timeout); i++)
			symbols_embed(names->symbols, &stack_entries->stacks[i]);
		await_names(names->symbols, worker_timeout);
	} while (symbols_version(names->symbols) != version && !is_over(worker_timeout));
}

static void write_names(struct recording_symbols *names, const struct stack_entries *stack_entries,
			struct perfdata_writer *writer, struct worker_timeout *worker_timeout)
{
	struct str bytes = STR_INIT;

	if (worker_timeout)
		ask_all(names, stack_entries, worker_timeout);
	symbols_write_embedded(names->symbols, stack_entries->stacks, stack_entries->stack_count,
			       &bytes);
	perfdata_writer_add_own(writer, PERFDATA_EXT_FEATURE_NAMES, EMBEDDED_NAMES_VERSION, &bytes);
	str_release(&bytes);
}

/* -- Unwound stacks ------------------------------------------------------------------------ */

/* Return the number of a stack in the file; append it if new. */
static uint32_t put_stack(const struct stack *stack, struct idmap *known, struct str *stacks,
			  struct str *ips)
{
	size_t number = (size_t)idmap_get(known, stack->id);
	struct embedded_stacks_stack kept = {
		.first = (uint32_t)(ips->len / sizeof(uint64_t)),
		.count = stack->user_count,
		.flags = stack->flags & ~(uint32_t)(STACK_KERNEL_CUT | STACK_KERNEL_DENIED),
	};

	if (number)
		return (uint32_t)number - 1;
	number = stacks->len / sizeof(kept) + 1;
	str_addn(stacks, (const char *)&kept, sizeof(kept));
	str_addn(ips, (const char *)(stack->ips + stack->kernel_count),
		 stack->user_count * sizeof(uint64_t));
	idmap_put(known, stack->id, (void *)number);
	return (uint32_t)number - 1;
}

static void write_unwound(struct stack_entries *stack_entries, struct perfdata_writer *writer)
{
	struct embedded_stacks_head head = { .samples = 0 };
	struct str stacks = STR_INIT, ips = STR_INIT, bytes = STR_INIT;
	struct idmap known = IDMAP_INIT;
	struct embedded_stacks_sample *samples = stack_entries->samples;

	if (stack_entries->sample_count)
		qsort(samples, stack_entries->sample_count, sizeof(*samples),
		      embedded_stacks_compare);
	for (size_t i = 0; i < stack_entries->sample_count; i++) {
		const struct stack *stack = find_stack(stack_entries, samples[i].stack);
		struct embedded_stacks_sample sample = samples[i];

		/* Omit samples with equal keys: they cannot be distinguished. */
		if (!stack || stack->flags & STACK_USER_PENDING ||
		    (i && !embedded_stacks_compare(&samples[i - 1], &samples[i])) ||
		    (i + 1 < stack_entries->sample_count &&
		     !embedded_stacks_compare(&samples[i], &samples[i + 1])))
			continue;
		sample.stack = put_stack(stack, &known, &stacks, &ips);
		samples[head.samples++] = sample;
	}
	head.stacks = (uint32_t)(stacks.len / sizeof(struct embedded_stacks_stack));
	head.ips = (uint32_t)(ips.len / sizeof(uint64_t));
	str_addn(&bytes, (const char *)&head, sizeof(head));
	if (head.samples)
		str_addn(&bytes, (const char *)samples, head.samples * sizeof(*samples));
	str_addn(&bytes, stacks.data, stacks.len);
	str_addn(&bytes, ips.data, ips.len);
	if (head.samples)
		perfdata_writer_add_own(writer, PERFDATA_EXT_FEATURE_UNWOUND,
					EMBEDDED_STACKS_VERSION, &bytes);
	idmap_release(&known);
	str_release(&stacks);
	str_release(&ips);
	str_release(&bytes);
}

/* -- End of a file --------------------------------------------------------------------------- */

/* Copy all parts into one list; the parts stay, as the collector still adds to them. */
static struct stack_entries *copy_parts(const struct recording_symbols *names)
{
	struct stack_entries *all = mem_zalloc(1, sizeof(*all));

	idmap_init(&all->by_id);
	for (const struct stack_entries *part = names->first; part; part = part->next) {
		for (size_t i = 0; i < part->stack_count; i++)
			note_stack(all, &part->stacks[i], part->stack_ids[i]);
		if (!part->sample_count)
			continue;
		all->samples = mem_grow(all->samples, &all->sample_cap,
					all->sample_count + part->sample_count,
					sizeof(*all->samples));
		memcpy(all->samples + all->sample_count, part->samples,
		       part->sample_count * sizeof(*all->samples));
		all->sample_count += part->sample_count;
	}
	return all;
}

void recording_symbols_finish(struct recording_symbols *names, struct perfdata_writer *writer,
			      bool wait, const atomic_bool *give_up)
{
	struct worker_timeout worker_timeout = {
		.end_ns = clock_now_ns() + RECORDING_SYMBOLS_WAIT_NS, .give_up = give_up
	};
	struct stack_entries *stack_entries;

	if (wait && names->unwinder)
		await_unwound(names->unwinder, &worker_timeout);
	pthread_mutex_lock(&names->lock);
	stack_entries = names->parts ? copy_parts(names) : take_first(names);
	pthread_mutex_unlock(&names->lock);
	/* From now on, only this thread accesses the list. */
	if (!stack_entries)
		return;
	write_names(names, stack_entries, writer, wait ? &worker_timeout : NULL);
	write_unwound(stack_entries, writer);
	stack_entry_free(stack_entries);
}

void recording_symbols_end(struct recording_symbols *names)
{
	struct stack_entries *stack_entries;

	pthread_mutex_lock(&names->lock);
	while ((stack_entries = take_first(names)))
		stack_entry_free(stack_entries);
	pthread_mutex_unlock(&names->lock);
}
