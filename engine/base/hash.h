/*
 * hash - hashes 64-bit keys and bytes with a secret seed.
 *
 * Watched programs and authors of recordings choose the keys of most tables: futex addresses,
 * descriptors, names, event ids. With a fixed hash function they could choose colliding keys, and
 * each lookup would become a linear search. The secret prevents this. hash_seed_random() draws it
 * once, before threads are created. Without that call the secret is a constant, so that test runs
 * repeat exactly. All bits of a hash are equally good; tables use the lowest ones.
 *
 * Hashes differ between runs. Never show, write or send them, and never let output depend on the
 * order of a table. Any thread.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hash_secret {
	uint64_t start, factor; /* factor is odd */
};

extern struct hash_secret hash_secret; /* constant once there are threads */

/* Draw the secret from getrandom(2). Call it before the first hash. */
void hash_seed_random(void);
/* Derive the secret from a seed: the same hashes in each run. */
void hash_seed(uint64_t seed);

/* Continue a hash with the next word. Mix words one by one; their order matters. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word)
{
	/* Fold both halves, so that high bits of the word also change low bits of the hash. */
	unsigned __int128 product = (unsigned __int128)(hash ^ word) * hash_secret.factor;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_u64(uint64_t key)
{
	return hash_mix(hash_secret.start, key);
}

/*
 * Hash consecutive numbers (threads, descriptors, events) so that groups of 2^bits stay adjacent
 * and share cache lines. Only the group number is hashed, so keys can be chosen to collide only
 * within one group.
 */
static inline uint64_t hash_near(uint64_t key, unsigned int bits)
{
	return hash_u64(key >> bits) << bits | (key & ((1ULL << bits) - 1));
}

/* Continue a hash with bytes and their length. */
uint64_t hash_bytes_mix(uint64_t hash, const void *bytes, size_t len);

static inline uint64_t hash_bytes(const void *bytes, size_t len)
{
	return hash_bytes_mix(hash_secret.start, bytes, len);
}

static inline uint64_t hash_text(const char *text)
{
	return hash_bytes(text, strlen(text));
}

#endif
