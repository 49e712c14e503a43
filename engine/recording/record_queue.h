/*
 * record_queue - passes records, with all that they point to, to another thread.
 *
 * A ring buffer of fixed size between one producer and one consumer thread. Neither blocks: a
 * record for which there is no room is refused. Putting a record only copies it.
 */
#ifndef RECORDING_RECORD_QUEUE_H
#define RECORDING_RECORD_QUEUE_H

#include "engine/record/record.h"

#include <stdatomic.h>

struct record_queue {
	unsigned char *bytes; /* owned */
	size_t size; /* a power of two */
	/* Positions only grow. An item is in one piece, at its position modulo the size. */
	_Alignas(64) atomic_uint_least64_t written;
	uint64_t write_at, read_seen; /* used by the producer */
	_Alignas(64) atomic_uint_least64_t read;
	uint64_t read_at; /* used by the consumer */
};

/* A mark is a number with a value, which the producer puts between records. */
enum record_queue_item {
	RECORD_QUEUE_NONE, /* queue is empty */
	RECORD_QUEUE_RECORD,
	RECORD_QUEUE_MARK,
};

/* bytes: a power of two. -ENOMEM: no memory. */
int record_queue_init(struct record_queue *queue, size_t bytes);
void record_queue_release(struct record_queue *queue);
/* Discard the contents. Call while neither thread uses the queue. */
void record_queue_clear(struct record_queue *queue);

/*
 * False: no room. An item is visible to the consumer after record_queue_publish(). An item larger
 * than half of the queue never fits. mark: 1 to UINT32_MAX - 1.
 */
bool record_queue_put(struct record_queue *queue, const struct record *record);
bool record_queue_put_mark(struct record_queue *queue, uint32_t mark, uint64_t value);
void record_queue_publish(struct record_queue *queue);
/* Producer: upper bound of the bytes that the consumer has not freed. */
size_t record_queue_waiting(struct record_queue *queue);

/*
 * For use as a ring of recent items, without a consumer: let the producer overwrite items before
 * `position` and retain later ones. `position` is allowed to move back to an item that is not
 * overwritten yet.
 */
void record_queue_retain_from(struct record_queue *queue, uint64_t position);
/* Return the position of the oldest byte that is not overwritten. */
uint64_t record_queue_oldest(const struct record_queue *queue);
/* Set the position of the consumer to that of an item that the producer retains. */
void record_queue_seek(struct record_queue *queue, uint64_t position);

/*
 * Take the next item. Pointers of the record refer to memory of the queue, borrowed until
 * record_queue_free_up().
 */
enum record_queue_item record_queue_take(struct record_queue *queue, struct record *record,
					 uint32_t *mark, uint64_t *value);
/* Consumer: published bytes that are not taken yet. */
size_t record_queue_left(struct record_queue *queue);
/* Consumer: free the room of all items taken. */
void record_queue_free_up(struct record_queue *queue);

#endif
