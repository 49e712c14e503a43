#include "engine/recording/record_queue.h"

#include "engine/base/histogram.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define TEXT_BYTES_MAX 4096 /* maximum size of one text, with its NUL */

/* Head of each item. */
struct item {
	uint32_t bytes; /* size of the whole item, a multiple of 8 */
	uint32_t mark; /* 0: a record; SKIP: unused bytes at the end of the ring */
	uint64_t value; /* value of the mark */
};

#define SKIP UINT32_MAX

int record_queue_init(struct record_queue *queue, size_t bytes)
{
	void *at;

	memset(queue, 0, sizeof(*queue));
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return -ENOMEM;
	queue->bytes = at;
	queue->size = bytes;
	return 0;
}

void record_queue_release(struct record_queue *queue)
{
	if (queue->bytes)
		munmap(queue->bytes, queue->size);
	queue->bytes = NULL;
}

void record_queue_clear(struct record_queue *queue)
{
	queue->write_at = queue->read_seen = queue->read_at = 0;
	atomic_store(&queue->written, 0);
	atomic_store(&queue->read, 0);
}

/* -- Memory that a record points to --------------------------------------------------- */

struct blob {
	const void **at;
	size_t len;
	bool text; /* NUL-terminated; len is unused */
};

#define BLOBS_MAX 4

static size_t list_stack(struct record_stack *stack, struct blob *blobs)
{
	blobs[0] = (struct blob){ (const void **)(void *)&stack->ips,
				  stack->count * sizeof(*stack->ips), false };
	blobs[1] = (struct blob){ (const void **)(void *)&stack->user_regs,
				  sizeof(*stack->user_regs) *
					  (size_t)__builtin_popcountll(stack->user_regs_mask),
				  false };
	blobs[2] = (struct blob){ &stack->user_stack, stack->user_stack_bytes, false };
	return 3;
}

static struct blob text_blob(const char **text)
{
	return (struct blob){ (const void **)(void *)text, 0, true };
}

static struct blob bytes_blob(struct record_bytes *bytes)
{
	return (struct blob){ &bytes->chunks, bytes->len, false };
}

/* List the memory that a record points to. See put_pointing() for what inflight.stack points to. */
static size_t list_blobs(struct record *record, struct blob blobs[BLOBS_MAX])
{
	size_t count = 0;

	switch (record->kind) {
	case RECORD_ENTER:
		blobs[count++] = bytes_blob(&record->enter.bytes);
		break;
	case RECORD_CALL:
		blobs[count++] = bytes_blob(&record->call.bytes);
		break;
	case RECORD_AGGREGATE:
		blobs[count++] = (struct blob){ (const void **)(void *)&record->aggregate.steps,
						HISTOGRAM_STEPS * sizeof(uint32_t), false };
		break;
	case RECORD_INFLIGHT:
		blobs[count++] = (struct blob){ (const void **)(void *)&record->inflight.stack,
						sizeof(*record->inflight.stack), false };
		break;
	case RECORD_SWITCH_OUT:
		count = list_stack(&record->switch_out.stack, blobs);
		break;
	case RECORD_RUNNING:
		count = list_stack(&record->running.stack, blobs);
		break;
	case RECORD_WAKING:
		count = list_stack(&record->waking.stack, blobs);
		blobs[count++] = bytes_blob(&record->waking.raw);
		break;
	case RECORD_TASK:
		blobs[count++] = text_blob(&record->task.comm);
		break;
	case RECORD_OWNER:
		blobs[count++] = text_blob(&record->owner.cgroup);
		blobs[count++] = text_blob(&record->owner.comm);
		break;
	case RECORD_COMM:
		blobs[count++] = text_blob(&record->comm.comm);
		break;
	case RECORD_MAP:
		blobs[count++] = text_blob(&record->map.path);
		blobs[count++] = (struct blob){ (const void **)(void *)&record->map.build_id,
						record->map.build_id_bytes, false };
		break;
	case RECORD_EVENT:
		blobs[count++] = bytes_blob(&record->event.bytes);
		break;
	default:
		break;
	}
	return count;
}

static size_t record_bytes(enum record_kind kind)
{
	switch (kind) {
	case RECORD_ENTER:
		return offsetof(struct record, enter) + sizeof(((struct record *)0)->enter);
	case RECORD_EXIT:
		return offsetof(struct record, exit) + sizeof(((struct record *)0)->exit);
	case RECORD_CALL:
		return offsetof(struct record, call) + sizeof(((struct record *)0)->call);
	case RECORD_SWITCH_IN:
		return offsetof(struct record, enter);
	default:
		return sizeof(struct record);
	}
}

static size_t padded(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

static size_t blob_bytes(const struct blob *blob)
{
	if (!*blob->at)
		return 0;
	return blob->text ? strnlen(*blob->at, TEXT_BYTES_MAX - 1) + 1 : blob->len;
}

/* -- Producer ------------------------------------------------------------------------- */

static unsigned char *place(const struct record_queue *queue, uint64_t position)
{
	return queue->bytes + (position & (queue->size - 1));
}

/* Return room for an item, in one piece; NULL: none. */
static unsigned char *reserve(struct record_queue *queue, size_t bytes)
{
	uint64_t to_end = queue->size - (queue->write_at & (queue->size - 1));
	uint64_t need = bytes > to_end ? to_end + bytes : bytes;
	struct item skip = { .bytes = (uint32_t)to_end, .mark = SKIP };

	if (bytes > queue->size / 2)
		return NULL;
	if (queue->write_at + need - queue->read_seen > queue->size) {
		queue->read_seen = atomic_load_explicit(&queue->read, memory_order_acquire);
		if (queue->write_at + need - queue->read_seen > queue->size)
			return NULL;
	}
	if (bytes > to_end) {
		memcpy(place(queue, queue->write_at), &skip, offsetof(struct item, value));
		queue->write_at += to_end;
	}
	return place(queue, queue->write_at);
}

static unsigned char *put_blobs(unsigned char *at, const struct blob *blobs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t bytes = blob_bytes(&blobs[i]);

		if (!bytes)
			continue;
		memcpy(at, *blobs[i].at, bytes);
		/* A truncated text lacks its NUL. */
		if (blobs[i].text)
			at[bytes - 1] = '\0';
		at += padded(bytes);
	}
	return at;
}

static size_t sum_blobs(const struct blob *blobs, size_t count)
{
	size_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += padded(blob_bytes(&blobs[i]));
	return bytes;
}

/* Fast path: nearly all records point to no memory. */
static bool points_to_nothing(const struct record *record)
{
	switch (record->kind) {
	case RECORD_ENTER:
		return !record->enter.bytes.len;
	case RECORD_CALL:
		return !record->call.bytes.len;
	case RECORD_EXIT:
	case RECORD_SWITCH_IN:
		return true;
	default:
		return false;
	}
}

/* A size known at compile time lets the compiler copy the record with a few moves. */
static void copy_plain(void *to, const void *from, enum record_kind kind)
{
	switch (kind) {
	case RECORD_ENTER:
		memcpy(to, from,
		       offsetof(struct record, enter) + sizeof(((struct record *)0)->enter));
		break;
	case RECORD_EXIT:
		memcpy(to, from,
		       offsetof(struct record, exit) + sizeof(((struct record *)0)->exit));
		break;
	default:
		memcpy(to, from, record_bytes(kind));
		break;
	}
}

static bool put_plain(struct record_queue *queue, const struct record *record)
{
	size_t bytes = sizeof(struct item) + padded(record_bytes(record->kind));
	struct item item = { .bytes = (uint32_t)bytes };
	unsigned char *at = reserve(queue, bytes);

	if (!at)
		return false;
	memcpy(at, &item, sizeof(item));
	copy_plain(at + sizeof(item), record, record->kind);
	queue->write_at += bytes;
	return true;
}

static bool put_pointing(struct record_queue *queue, const struct record *record)
{
	/* list_blobs() only takes addresses: the record is not modified */
	struct record *given = (struct record *)(uintptr_t)record;
	size_t head = sizeof(struct item), fixed = padded(record_bytes(record->kind)), bytes;
	const bool seed = record->kind == RECORD_INFLIGHT && record->inflight.stack;
	struct blob blobs[BLOBS_MAX], inner[BLOBS_MAX];
	size_t count = list_blobs(given, blobs), inner_count = 0;
	struct record_stack stack;
	struct item item;
	unsigned char *at;

	if (seed) {
		stack = *record->inflight.stack;
		inner_count = list_stack(&stack, inner);
	}
	bytes = head + fixed + sum_blobs(blobs, count) + sum_blobs(inner, inner_count);
	at = reserve(queue, bytes);
	if (!at)
		return false;
	item = (struct item){ .bytes = (uint32_t)bytes };
	memcpy(at, &item, head);
	memcpy(at + head, record, record_bytes(record->kind));
	put_blobs(put_blobs(at + head + fixed, blobs, count), inner, inner_count);
	queue->write_at += bytes;
	return true;
}

bool record_queue_put(struct record_queue *queue, const struct record *record)
{
	return points_to_nothing(record) ? put_plain(queue, record) : put_pointing(queue, record);
}

bool record_queue_put_mark(struct record_queue *queue, uint32_t mark, uint64_t value)
{
	struct item item = { .bytes = sizeof(item), .mark = mark, .value = value };
	unsigned char *at = reserve(queue, sizeof(item));

	if (!at)
		return false;
	memcpy(at, &item, sizeof(item));
	queue->write_at += sizeof(item);
	return true;
}

void record_queue_publish(struct record_queue *queue)
{
	atomic_store_explicit(&queue->written, queue->write_at, memory_order_release);
}

size_t record_queue_waiting(struct record_queue *queue)
{
	return (size_t)(queue->write_at - atomic_load_explicit(&queue->read, memory_order_relaxed));
}

void record_queue_retain_from(struct record_queue *queue, uint64_t position)
{
	queue->read_seen = position;
	atomic_store_explicit(&queue->read, position, memory_order_relaxed);
}

uint64_t record_queue_oldest(const struct record_queue *queue)
{
	return queue->write_at > queue->size ? queue->write_at - queue->size : 0;
}

/* -- Consumer ------------------------------------------------------------------------- */

static const unsigned char *take_blobs(const unsigned char *at, struct blob *blobs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t bytes = blobs[i].len;

		if (!*blobs[i].at)
			continue;
		if (blobs[i].text)
			bytes = strlen((const char *)at) + 1;
		*blobs[i].at = at;
		at += padded(bytes);
	}
	return at;
}

static void take_record(const unsigned char *at, struct record *record)
{
	struct blob blobs[BLOBS_MAX];
	struct record_stack *stack;
	enum record_kind kind;
	size_t count;

	memcpy(&kind, at + offsetof(struct record, kind), sizeof(kind));
	copy_plain(record, at, kind);
	if (points_to_nothing(record))
		return;
	at += padded(record_bytes(record->kind));
	count = list_blobs(record, blobs);
	at = take_blobs(at, blobs, count);
	if (record->kind != RECORD_INFLIGHT || !record->inflight.stack)
		return;
	stack = (struct record_stack *)(uintptr_t)record->inflight.stack;
	count = list_stack(stack, blobs);
	take_blobs(at, blobs, count);
}

enum record_queue_item record_queue_take(struct record_queue *queue, struct record *record,
					 uint32_t *mark, uint64_t *value)
{
	uint64_t written = atomic_load_explicit(&queue->written, memory_order_acquire);
	struct item item;
	const unsigned char *at;

	for (;;) {
		if (queue->read_at == written)
			return RECORD_QUEUE_NONE;
		at = place(queue, queue->read_at);
		memcpy(&item, at, offsetof(struct item, value));
		queue->read_at += item.bytes;
		if (item.mark != SKIP)
			break;
	}
	if (item.mark) {
		memcpy(value, at + offsetof(struct item, value), sizeof(*value));
		*mark = item.mark;
		return RECORD_QUEUE_MARK;
	}
	take_record(at + sizeof(item), record);
	return RECORD_QUEUE_RECORD;
}

size_t record_queue_left(struct record_queue *queue)
{
	return (size_t)(atomic_load_explicit(&queue->written, memory_order_acquire) -
			queue->read_at);
}

void record_queue_free_up(struct record_queue *queue)
{
	atomic_store_explicit(&queue->read, queue->read_at, memory_order_release);
}

void record_queue_seek(struct record_queue *queue, uint64_t position)
{
	queue->read_at = position;
}
