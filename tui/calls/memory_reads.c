#include "tui/calls/memory_reads.h"

#include <string.h>

void memory_reads_init(struct memory_reads *seen)
{
	memset(seen, 0, sizeof(*seen));
	str_init(&seen->bytes);
}

void memory_reads_release(struct memory_reads *seen)
{
	str_release(&seen->bytes);
}

/*
 * To detect a longer string, the decoder reads one byte more than a row shows. Drop that byte, so
 * that the dump shows the same bytes as the row.
 */
static uint32_t text_bytes(const struct bytes_ask *ask, const void *bytes, uint32_t len)
{
	return ask->text && len > 1 && !memchr(bytes, '\0', len) ? len - 1 : len;
}

/* The length of a string is known only if its NUL was read. */
static void note_length(struct memory_area *area, const struct bytes_ask *ask, const char *bytes)
{
	const char *end = ask->text ? memchr(bytes, '\0', area->known) : NULL;

	if (end)
		area->known = (uint32_t)(end - bytes) + 1;
	if (ask->text)
		area->whole = end ? area->known : 0;
	else
		area->whole = ask->whole ? ask->whole : area->known;
}

static void note(struct memory_reads *seen, const struct bytes_ask *ask, const void *bytes,
		 const struct bytes_answer *answer)
{
	struct memory_area *area;

	if (seen->count == MEMORY_READS_AREAS ||
	    seen->bytes.len + answer->len > MEMORY_READS_BYTES) {
		seen->overflowed = true;
		return;
	}
	area = &seen->areas[seen->count++];
	*area = (struct memory_area){
		.address = ask->address,
		.known = text_bytes(ask, bytes, answer->len),
		.at = seen->bytes.len,
		.origin = answer->origin,
		.when = ask->when,
	};
	note_length(area, ask, bytes);
	str_addn(&seen->bytes, bytes, area->known);
}

static void read_bytes(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
		       struct bytes_answer *answer)
{
	struct memory_reads *seen = ctx;

	*answer = (struct bytes_answer){ .len = 0 };
	if (seen->from)
		seen->from->read(seen->from->ctx, call, ask, to, answer);
	if (ask->len)
		note(seen, ask, to, answer);
	/* Set .cut to show the known part of a buffer; a row would show only the address. */
	if (answer->len && answer->len < ask->len) {
		answer->len = text_bytes(ask, to, answer->len);
		answer->cut = true;
	}
}

void memory_reads_begin(struct memory_reads *seen, const struct call_bytes *from)
{
	seen->from = from;
	seen->count = 0;
	seen->overflowed = false;
	str_clear(&seen->bytes);
	seen->provider = (struct call_bytes){ read_bytes, seen };
}

static uint64_t end_of(const struct memory_area *area)
{
	return area->address + area->known;
}

/*
 * True if b starts in a or at its end, and both have the same .when and the same origin. Origins
 * are not compared if a and b start at the same address, or if b has no known bytes.
 */
static bool are_one(const struct memory_area *a, const struct memory_area *b)
{
	if (a->when != b->when)
		return false;
	if (a->address == b->address)
		return true;
	return a->known && b->address > a->address && b->address <= end_of(a) &&
	       (!b->known || a->origin == b->origin);
}

/* Extend a by the bytes of b, which starts in a or at its end. */
static void join(struct memory_reads *seen, struct memory_area *a, const struct memory_area *b,
		 struct str *bytes)
{
	uint64_t skip = b->address - a->address, whole = skip + b->whole;

	str_clear(bytes);
	str_addn(bytes, seen->bytes.data + a->at, a->known);
	if (skip + b->known > a->known)
		str_addn(bytes, seen->bytes.data + b->at + (a->known - skip),
			 (size_t)(skip + b->known - a->known));
	/* If the end of one part is unknown, the end of the whole is unknown. */
	if (b->known || b->whole)
		a->whole = a->whole && b->whole ? (whole > a->whole ? whole : a->whole) : 0;
	if (b->known && (!a->known || b->origin < a->origin))
		a->origin = b->origin;
	/* Append the joined bytes, so that the bytes of other areas stay in place. */
	a->known = (uint32_t)bytes->len;
	a->at = seen->bytes.len;
	str_addn(&seen->bytes, bytes->data, bytes->len);
}

static void drop(struct memory_reads *seen, size_t index)
{
	seen->count--;
	memmove(&seen->areas[index], &seen->areas[index + 1],
		(seen->count - index) * sizeof(seen->areas[0]));
}

/* Join the area with an adjacent one; false: there is none. */
static bool join_any(struct memory_reads *seen, size_t index, struct str *bytes)
{
	struct memory_area *area = &seen->areas[index];

	for (size_t i = 0; i < seen->count; i++) {
		if (i == index || !are_one(area, &seen->areas[i]))
			continue;
		join(seen, area, &seen->areas[i], bytes);
		if (i < index) /* the other area was requested first */
			seen->areas[i] = *area;
		drop(seen, i < index ? index : i);
		return true;
	}
	return false;
}

void memory_reads_end(struct memory_reads *seen)
{
	struct str bytes = STR_INIT;

	for (size_t i = 0; i < seen->count;) {
		if (join_any(seen, i, &bytes))
			i = 0;
		else
			i++;
	}
	str_release(&bytes);
}
