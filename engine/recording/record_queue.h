/*
 * record_queue - records with all that they point to, on their way to another thread.
 *
 * A ring of bytes of fixed size between one thread that puts and one that takes; neither waits
 * for the other, and a record that there is no room for is refused. Putting copies and does
 * nothing else.
 */
#ifndef RECORDING_RECORD_QUEUE_H
#define RECORDING_RECORD_QUEUE_H

#include "engine/record/record.h"

#include <stdatomic.h>

struct record_queue {
	unsigned char *bytes; /* owned */
	size_t size; /* a power of two */
	/* Positions that only grow; a record is at its position modulo the size, in one piece. */
	_Alignas(64) atomic_uint_least64_t written;
	uint64_t write_at, read_seen; /* who puts */
	_Alignas(64) atomic_uint_least64_t read;
	uint64_t read_at; /* who takes */
};

/* A mark is a word of its own between records. */
enum record_queue_item {
	RECORD_QUEUE_NONE, /* nothing is there */
	RECORD_QUEUE_RECORD,
	RECORD_QUEUE_MARK,
};

/* -ENOMEM if so many bytes are not to be had. */
int record_queue_init(struct record_queue *queue, size_t bytes);
void record_queue_release(struct record_queue *queue);
/* While nobody puts or takes: what was put and not taken is forgotten. */
void record_queue_clear(struct record_queue *queue);

/* False: there is no room. Seen by who takes after record_queue_publish(). */
bool record_queue_put(struct record_queue *queue, const struct record *record);
bool record_queue_put_mark(struct record_queue *queue, uint32_t mark, uint64_t value);
void record_queue_publish(struct record_queue *queue);
/* Bytes that wait to be taken, as far as who puts knows. */
size_t record_queue_waiting(struct record_queue *queue);

/*
 * As a ring of the last that happened: while nobody takes, who puts says what may be overwritten.
 * What was there before `position` may, and what is behind it is kept; it may go back too, as long
 * as nothing was put over that yet.
 */
void record_queue_retain_from(struct record_queue *queue, uint64_t position);
/* Where the oldest byte stands that nothing was put over. */
uint64_t record_queue_oldest(const struct record_queue *queue);
/* Who takes begins there: at the position of an item, which who puts keeps. */
void record_queue_seek(struct record_queue *queue, uint64_t position);

/*
 * The next item; the record's pointers are into the queue, and good until record_queue_free_up().
 */
enum record_queue_item record_queue_take(struct record_queue *queue, struct record *record,
					 uint32_t *mark, uint64_t *value);
/* For who takes: bytes that were published and not taken. */
size_t record_queue_left(struct record_queue *queue);
/* All that was taken makes room. */
void record_queue_free_up(struct record_queue *queue);

#endif
