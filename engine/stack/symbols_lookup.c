/*
 * symbols_lookup - maps an address of a process to a file, and requests its name.
 */
#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/base/mem.h"
#include "engine/stack/symbols_private.h"

#include <stdlib.h>
#include <string.h>

#define SPACE_RETRY_NS NS_PER_S /* delay after the first reply; each further one doubles it */
#define SPACE_RETRIES_RARE 6u
#define HOMES_MAX 8u /* maximum number of other processes through whose root a file is tried */
#define JIT_RETRY_NS NS_PER_S
#define LOOKUPS_MAX 16384u /* maximum number of addresses that wait for a space */

static const char no_mapping[] = "no known mapping here";
static const char too_many_files[] = "not looked up: too many files";

/* Return the process through whose root files are opened; 0: stxtop's root. */
static uint32_t home_of(const struct symbols *symbols, const struct stack *stack)
{
	return symbols->recorded ? 0 : stack->pid;
}

static uint64_t dso_key(uint32_t pid, uint32_t generation, const struct mapping *mapping,
			enum dso_kind kind)
{
	uint64_t key = hash_u64(kind);

	if (kind == DSO_JIT)
		return hash_mix(key, (uint64_t)generation << 32 | pid);
	return mapping_hash(key, mapping);
}

/* Find the embedded replies of the file. */
static void find_embedded(struct symbols *symbols, struct dso *dso, uint32_t pid)
{
	if (dso->kind == DSO_JIT)
		dso->kept = embedded_names_generated(symbols->kept, pid);
	else if (dso->kind == DSO_FILE || dso->kind == DSO_VDSO)
		dso->kept = embedded_names_file(
			symbols->kept, dso->kind == DSO_VDSO ? EMBEDDED_VDSO : EMBEDDED_FILE,
			&dso->mapping);
	/* True if the recorder found that the memfd holds generated code. */
	dso->generated = dso->kind == DSO_FILE && !dso->kept && dso_may_be_generated(dso) &&
			 embedded_names_generated(symbols->kept, pid);
}

static struct dso *find_dso(struct symbols *symbols, const struct stack *stack,
			    const struct mapping *mapping, enum dso_kind kind)
{
	uint64_t key = dso_key(stack->pid, stack->generation, mapping, kind);
	struct dso *dso = idmap_get(&symbols->dso_by_key, key);

	if (dso || symbols->dsos_len >= SYMBOLS_FILES_MAX)
		return dso;
	dso = dso_new((uint32_t)symbols->dsos_len + 1, home_of(symbols, stack), mapping, kind);
	if (dso->kind == DSO_JIT)
		dso->pid = stack->pid; /* the perf map has this pid in its name, even after exit */
	if (symbols->recorded && dso->kind == DSO_VDSO && !mapping->build_id)
		dso->note = "not in a recording";
	if (symbols->no_worker && (dso->kind == DSO_FILE || dso->kind == DSO_VDSO))
		dso->note = "not read: no stack worker";
	find_embedded(symbols, dso, stack->pid);
	symbols->dsos = mem_grow(symbols->dsos, &symbols->dsos_cap, symbols->dsos_len + 1,
				 sizeof(*symbols->dsos));
	symbols->dsos[symbols->dsos_len++] = dso;
	dso->shown = *mapping->path ? symbols_name(symbols, mapping->path, strlen(mapping->path))
				    : "[anon]";
	if (!dso->shown)
		dso->shown = "";
	idmap_put(&symbols->dso_by_key, key, dso);
	return dso;
}

/* Drop requests that are not pending; they can be made again, with the same result. */
static void forget_questions(struct symbols *symbols)
{
	struct idmap waiting = IDMAP_INIT;
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&symbols->spaces_asked, &cursor))) {
		struct space_request *request = slot->value;

		if (request->pending) {
			idmap_put(&waiting, slot->key, request);
			continue;
		}
		free(request->lookups);
		free(request);
	}
	idmap_release(&symbols->spaces_asked);
	symbols->spaces_asked = waiting;
}

static struct space_request *get_question(struct symbols *symbols, const struct stack *stack)
{
	uint64_t key = (uint64_t)stack->generation << 32 | stack->pid;
	struct space_request *request = idmap_get(&symbols->spaces_asked, key);

	if (request)
		return request;
	if (symbols->spaces_asked.count >= SYMBOLS_SPACES_MAX)
		forget_questions(symbols);
	request = mem_zalloc(1, sizeof(*request));
	request->pid = stack->pid;
	request->generation = stack->generation;
	idmap_put(&symbols->spaces_asked, key, request);
	return request;
}

static bool may_ask_again(const struct space_request *request)
{
	unsigned int rare = request->replies < SPACE_RETRIES_RARE ? request->replies
								  : SPACE_RETRIES_RARE;

	return !request->replies || clock_now_ns() - request->asked_ns >= SPACE_RETRY_NS
										  << (rare - 1);
}

/*
 * Request a read of /proc for a space, then the name of the address. Return the note to show, a
 * constant; NULL until the first reply.
 */
static const char *ask_space(struct symbols *symbols, const struct stack *stack, uint64_t lookup)
{
	struct space_request *request = get_question(symbols, stack);

	if (request->note)
		return request->note;
	if (!request->pending) {
		if (!may_ask_again(request))
			return no_mapping;
		request->pending = true;
		request->next = NULL;
		if (symbols->last_space)
			symbols->last_space->next = request;
		else
			symbols->first_space = request;
		symbols->last_space = request;
		symbols->pending++;
		pthread_cond_broadcast(&symbols->work);
	}
	if (request->count < LOOKUPS_MAX) {
		request->lookups = mem_grow(request->lookups, &request->capacity,
					    request->count + 1, sizeof(*request->lookups));
		request->lookups[request->count++] = lookup;
	}
	return request->replies ? no_mapping : NULL;
}

struct dso *symbols_locate(struct symbols *symbols, const struct stack *stack, uint64_t lookup,
			   uint64_t *offset, const char **note)
{
	struct mapping mapping;
	struct dso *dso;

	if (!spaces_find(symbols->spaces, stack->pid, stack->generation, lookup, &mapping)) {
		*note = symbols->recorded ? no_mapping : ask_space(symbols, stack, lookup);
		return NULL;
	}
	dso = find_dso(symbols, stack, &mapping, dso_kind_of(&mapping));
	if (dso && dso->generated)
		dso = find_dso(symbols, stack, &mapping, DSO_JIT);
	if (!dso) {
		*note = too_many_files;
		return NULL;
	}
	*offset = lookup - mapping.start;
	if (dso->kind == DSO_JIT)
		*offset = lookup; /* perf maps contain absolute addresses */
	else if (dso->kind != DSO_VDSO)
		*offset += mapping.file_offset;
	return dso;
}

struct reply *symbols_ask(struct symbols *symbols, struct dso *dso, const struct stack *stack,
			  uint64_t offset)
{
	size_t room = symbols->replies < symbols->replies_max &&
		      symbols->pending < SYMBOLS_PENDING_MAX;
	uint32_t pid = home_of(symbols, stack);
	struct reply *reply;
	size_t known;

	reply = symbols_query_embedded(symbols, dso, offset);
	if (reply)
		return reply;
	if (dso->same_file)
		dso = dso->same_file;
	known = dso->replies.count;
	if (dso->open_failed && dso->pid != pid && dso->homes < HOMES_MAX) {
		/* Another process may still reach the file. */
		dso->homes++;
		dso->open_failed = false;
		dso->note = NULL;
		dso->pid = pid;
	}
	if (dso->note && dso->kind != DSO_JIT)
		room = 0; /* a request would fail */
	reply = dso_ask(dso, offset, room);
	if (dso->replies.count > known) {
		symbols->replies++;
		symbols->pending++;
		symbols_push_asked(symbols, dso);
	} else if (reply && reply->state == REPLY_DONE && !reply->frames && room &&
		   dso->kind == DSO_JIT && !symbols->recorded &&
		   clock_now_ns() - reply->done_ns > JIT_RETRY_NS) {
		symbols_ask_reply(symbols, dso, reply);
	}
	return reply;
}

void symbols_ask_reply(struct symbols *symbols, struct dso *dso, struct reply *reply)
{
	reply->state = REPLY_ASKED;
	reply->again = true;
	reply_queue_push(&dso->asked, reply);
	symbols->pending++;
	symbols_push_asked(symbols, dso);
}

void symbols_ask_lookups(struct symbols *symbols, struct space_request *request)
{
	const struct stack stack = { .pid = request->pid, .generation = request->generation };

	for (size_t i = 0; i < request->count; i++) {
		struct mapping mapping;
		struct dso *dso;
		uint64_t offset;
		const char *note;

		/* Still no mapping: skip it; the next lookup returns the note. */
		if (!spaces_find(symbols->spaces, stack.pid, stack.generation, request->lookups[i],
				 &mapping))
			continue;
		dso = symbols_locate(symbols, &stack, request->lookups[i], &offset, &note);
		if (dso)
			symbols_ask(symbols, dso, &stack, offset);
	}
	request->count = 0;
}

void symbols_ask_generated(struct symbols *symbols, struct dso *dso, uint64_t offset)
{
	const struct mapping *mapping = &dso->mapping;
	const struct stack stack = {
		.pid = dso->pid,
		.generation = spaces_generation(symbols->spaces, dso->pid),
	};
	uint64_t lookup = mapping->start + (offset - mapping->file_offset), placed;
	const char *note;

	/*
	 * Request again only for this mapping. Lookups in other mappings or processes make their
	 * own requests.
	 */
	if (offset < mapping->file_offset || lookup >= mapping->end)
		return;
	dso = symbols_locate(symbols, &stack, lookup, &placed, &note);
	if (dso)
		symbols_ask(symbols, dso, &stack, placed);
}
