#include "engine/late/futex_layout.h"

#include <linux/futex.h>
#include <string.h>

/* Waiters write this value into a lock word, except into words that hold a tid. */
#define LOCK_CONTENDED 2u
/* Value of the futexes of a rwlock: bit 0 stands for a writer, bit 1 for waiters. */
#define WRITER_AND_WAITERS 3u

enum mutex_kind {
	KIND_ROBUST = 16,
	KIND_INHERITS = 32,
	KIND_CEILING = 64,
	KIND_MASK = 0x3ff, /* other bits: not a pthread_mutex_t */
};
/* The upper bits of a lock word hold the priority ceiling, if the lock has one. */
#define CEILING_MASK 0xfff80000u

struct mutex {
	uint32_t lock;
	uint32_t count;
	uint32_t owner;
	uint32_t users;
	uint32_t kind;
	uint32_t spins;
	uint64_t list[2]; /* for robust locks */
};

_Static_assert(sizeof(struct mutex) == 40, "pthread_mutex_t of x86-64");

static uint32_t mutex_owner(const struct mutex *mutex)
{
	uint32_t lock = mutex->lock, tid = lock & FUTEX_TID_MASK;

	if (mutex->kind & ~(uint32_t)KIND_MASK || mutex->kind & KIND_INHERITS)
		return 0;
	if (mutex->kind & KIND_ROBUST) {
		bool held = lock & FUTEX_WAITERS && !(lock & FUTEX_OWNER_DIED);

		return held && tid == mutex->owner ? tid : 0;
	}
	if (mutex->kind & KIND_CEILING)
		lock &= ~CEILING_MASK;
	if (lock != LOCK_CONTENDED || !mutex->users || mutex->list[0] || mutex->list[1])
		return 0;
	return mutex->owner;
}

/* End of a pthread_rwlock_t; begins with its second futex, on which writers wait for each other. */
struct rwlock_end {
	uint32_t writers_futex;
	uint32_t padding[2];
	uint32_t writer;
	uint32_t shared;
	uint32_t elision[2];
	uint32_t more_padding[2];
	uint32_t flags;
};

/* Bits of the first word of a rwlock. */
#define RWLOCK_HELD_BY_WRITER 3u
/* PTHREAD_RWLOCK_PREFER_* has three values. */
#define RWLOCK_FLAGS_MAX 2u

static uint32_t rwlock_owner(uint32_t readers, const struct rwlock_end *end,
			     const struct futex_op *op)
{
	static const uint32_t zeros[2];

	if ((readers & RWLOCK_HELD_BY_WRITER) != RWLOCK_HELD_BY_WRITER ||
	    end->writers_futex > WRITER_AND_WAITERS || end->flags > RWLOCK_FLAGS_MAX ||
	    (end->shared != 0) != op->shared || end->shared > 1 ||
	    memcmp(end->padding, zeros, sizeof(zeros)) ||
	    memcmp(end->elision, zeros, sizeof(zeros)) ||
	    memcmp(end->more_padding, zeros, sizeof(zeros)))
		return 0;
	return end->writer;
}

/* Try both futexes: __wrphase_futex of the readers is one word before that of the writers. */
static uint32_t rwlock_owner_at(const struct futex_bytes *bytes, const struct futex_op *op)
{
	const size_t words = sizeof(bytes->before) / sizeof(*bytes->before);
	struct rwlock_end end;
	uint32_t owner = 0;

	if (!bytes->has_before || bytes->after_bytes < 4 + sizeof(end))
		return 0;
	memcpy(&end, &bytes->after[1], sizeof(end));
	owner = rwlock_owner(bytes->before[words - 2], &end, op);
	if (owner)
		return owner;
	memcpy(&end, bytes->after, sizeof(end));
	return rwlock_owner(bytes->before[words - 3], &end, op);
}

uint32_t futex_layout_owner(const struct futex_bytes *bytes, const struct futex_op *op, bool moved)
{
	struct mutex mutex;

	if (bytes->after_bytes < sizeof(mutex.lock))
		return 0;
	if (op->inherits)
		return bytes->after[0] & FUTEX_TID_MASK;
	/* A thread waits for a lock only while the word has the value that its call expects. */
	if (!moved && op->value != bytes->after[0])
		return 0;
	if (bytes->after[0] == WRITER_AND_WAITERS && !moved)
		return rwlock_owner_at(bytes, op);
	if (bytes->after_bytes < sizeof(mutex))
		return 0;
	memcpy(&mutex, bytes->after, sizeof(mutex));
	return mutex_owner(&mutex);
}

bool futex_layout_may_join(const struct futex_bytes *bytes, const struct futex_op *op)
{
	return op->shared && !op->inherits && bytes->after_bytes >= sizeof(bytes->after[0]) &&
	       bytes->after[0] == op->value && op->value > LOCK_CONTENDED &&
	       !(op->value & ~(uint32_t)FUTEX_TID_MASK);
}
