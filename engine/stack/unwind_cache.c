#include "engine/stack/unwind_cache.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NODES_MAX ((size_t)256 << 10)
#define IPS_MAX ((size_t)512 << 10)

enum node_kind {
	NODE_NEW,
	NODE_READ,
	NODE_REPLY,
};

struct node {
	uint32_t kind;
	struct wire_read read;
	uint32_t flags; /* NODE_REPLY: flags of the stack; its frames are ips[first..first+count) */
	uint32_t first, count;
};

/* Kind of the value on an edge. */
enum value_kind {
	VALUE_PROCESS, /* first edge: process and generation */
	VALUE_VERSION, /* second edge: version of the space */
	VALUE_PLAIN,
	VALUE_STACK, /* value is relative to the stack pointer */
	VALUE_ABSENT,
};

struct edge {
	uint32_t from, to; /* node indexes; `to` is 0: free slot */
	uint32_t kind;
	uint64_t value;
};

struct unwind_cache {
	struct node *nodes; /* the first is the root */
	size_t nodes_len, nodes_cap;
	struct edge *edges;
	size_t edges_cap; /* a power of two */
	uint64_t *ips;
	size_t ips_len, ips_cap;
};

#define EDGES_FIRST 4096u

static void empty(struct unwind_cache *memo)
{
	free(memo->edges);
	memo->edges_cap = EDGES_FIRST;
	memo->edges = mem_zalloc(memo->edges_cap, sizeof(*memo->edges));
	memo->nodes = mem_grow(memo->nodes, &memo->nodes_cap, 1, sizeof(*memo->nodes));
	memset(memo->nodes, 0, sizeof(*memo->nodes));
	memo->nodes_len = 1;
	memo->ips_len = 0;
}

struct unwind_cache *unwind_cache_new(void)
{
	struct unwind_cache *memo = mem_zalloc(1, sizeof(*memo));

	empty(memo);
	return memo;
}

void unwind_cache_free(struct unwind_cache *memo)
{
	if (!memo)
		return;
	free(memo->nodes);
	free(memo->edges);
	free(memo->ips);
	free(memo);
}

static size_t edge_index(const struct unwind_cache *memo, const struct edge *edge)
{
	uint64_t hash = hash_mix(hash_u64(edge->value), (uint64_t)edge->from << 32 | edge->kind);

	return (size_t)hash & (memo->edges_cap - 1);
}

/* Return the slot of an edge, or the free slot for it. */
static struct edge *find_edge(const struct unwind_cache *memo, const struct edge *wanted)
{
	size_t at = edge_index(memo, wanted);

	for (; memo->edges[at].to; at = (at + 1) & (memo->edges_cap - 1)) {
		const struct edge *edge = &memo->edges[at];

		if (edge->from == wanted->from && edge->kind == wanted->kind &&
		    edge->value == wanted->value)
			break;
	}
	return &memo->edges[at];
}

static void grow_edges(struct unwind_cache *memo)
{
	struct edge *old = memo->edges;
	size_t old_cap = memo->edges_cap;

	memo->edges_cap *= 2;
	memo->edges = mem_zalloc(memo->edges_cap, sizeof(*memo->edges));
	for (size_t i = 0; i < old_cap; i++)
		if (old[i].to)
			*find_edge(memo, &old[i]) = old[i];
	free(old);
}

static struct edge value_of(const struct wire_read *read, const struct wire_sample *sample,
			    const unsigned char *stack)
{
	struct edge edge = { .kind = VALUE_PLAIN };
	uint64_t from_sp;

	if (read->is_register) {
		if (read->at < 0 || read->at >= WIRE_REGS || !(sample->known >> read->at & 1)) {
			edge.kind = VALUE_ABSENT;
			return edge;
		}
		edge.value = sample->regs[read->at];
	} else if (read->at < 0 || (uint32_t)read->at >= sample->bytes ||
		   sample->bytes - (uint32_t)read->at < sizeof(edge.value)) {
		edge.kind = VALUE_ABSENT;
		return edge;
	} else {
		memcpy(&edge.value, stack + read->at, sizeof(edge.value));
	}
	from_sp = edge.value - sample->regs[WIRE_REG_SP];
	if (from_sp < sample->bytes) {
		edge.kind = VALUE_STACK;
		edge.value = from_sp;
	}
	return edge;
}

/* The first two edges identify the address space. */
static void space_edges(const struct unwind_space *space, struct edge edges[2])
{
	edges[0] = (struct edge){
		.kind = VALUE_PROCESS,
		.value = (uint64_t)space->generation << 32 | space->pid,
	};
	edges[1] = (struct edge){ .kind = VALUE_VERSION, .value = space->version };
}

bool unwind_cache_find(const struct unwind_cache *memo, const struct unwind_space *space,
		       const struct wire_sample *sample, const unsigned char *stack,
		       struct unwound *unwound)
{
	struct edge edge, first[2];
	uint32_t at = 0;

	space_edges(space, first);
	for (size_t i = 0; i < 2; i++) {
		first[i].from = at;
		at = find_edge(memo, &first[i])->to;
		if (!at)
			return false;
	}
	while (memo->nodes[at].kind == NODE_READ) {
		edge = value_of(&memo->nodes[at].read, sample, stack);
		edge.from = at;
		at = find_edge(memo, &edge)->to;
		if (!at)
			return false;
	}
	if (memo->nodes[at].kind != NODE_REPLY)
		return false;
	unwound->ips = memo->ips + memo->nodes[at].first;
	unwound->count = (uint16_t)memo->nodes[at].count;
	unwound->flags = memo->nodes[at].flags;
	return true;
}

/* Return the node at the end of an edge, created if missing. */
static uint32_t step(struct unwind_cache *memo, struct edge edge, uint32_t from)
{
	struct edge *slot;

	edge.from = from;
	slot = find_edge(memo, &edge);
	if (slot->to)
		return slot->to;
	memo->nodes = mem_grow(memo->nodes, &memo->nodes_cap, memo->nodes_len + 1,
			       sizeof(*memo->nodes));
	memset(&memo->nodes[memo->nodes_len], 0, sizeof(*memo->nodes));
	edge.to = (uint32_t)memo->nodes_len++;
	*slot = edge;
	if (memo->nodes_len * 2 > memo->edges_cap)
		grow_edges(memo);
	return edge.to;
}

void unwind_cache_add(struct unwind_cache *memo, const struct unwind_space *space,
		      const struct wire_sample *sample, const unsigned char *stack,
		      const struct wire_read *reads, uint16_t reads_count,
		      const struct unwound *unwound)
{
	struct edge first[2];
	uint32_t at = 0;

	if (memo->nodes_len + reads_count + 3 > NODES_MAX ||
	    memo->ips_len + unwound->count > IPS_MAX)
		empty(memo);
	space_edges(space, first);
	for (size_t i = 0; i < 2; i++)
		at = step(memo, first[i], at);
	for (size_t i = 0; i < reads_count; i++) {
		struct node *node = &memo->nodes[at];

		if (node->kind == NODE_NEW) {
			node->kind = NODE_READ;
			node->read = reads[i];
		}
		/* Earlier, the same words led to another read: not cacheable. */
		if (node->kind != NODE_READ || memcmp(&node->read, &reads[i], sizeof(reads[i])))
			return;
		at = step(memo, value_of(&reads[i], sample, stack), at);
	}
	if (memo->nodes[at].kind != NODE_NEW)
		return;
	memo->ips = mem_grow(memo->ips, &memo->ips_cap, memo->ips_len + unwound->count,
			     sizeof(*memo->ips));
	memcpy(memo->ips + memo->ips_len, unwound->ips, unwound->count * sizeof(*memo->ips));
	memo->nodes[at] = (struct node){
		.kind = NODE_REPLY,
		.flags = unwound->flags,
		.first = (uint32_t)memo->ips_len,
		.count = unwound->count,
	};
	memo->ips_len += unwound->count;
}

size_t unwind_cache_bytes(const struct unwind_cache *memo)
{
	return memo->nodes_cap * sizeof(*memo->nodes) + memo->edges_cap * sizeof(*memo->edges) +
	       memo->ips_cap * sizeof(*memo->ips);
}
