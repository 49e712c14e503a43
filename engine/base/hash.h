/*
 * hash - 64-bit keys and bytes to numbers that nobody outside can predict.
 *
 * Keys of most tables are chosen by the watched programs or by the author of a recording:
 * addresses of futexes, descriptors, names, ids of events. With a fixed hash they can be chosen
 * to collide, which makes each look-up a walk through all of them. Here all depends on a secret
 * that hash_seed_random() draws once, before there are threads; without that call the secret is
 * a constant, and runs repeat exactly, which is what tests want. All bits of a result are
 * equally good: a table uses the lowest ones.
 *
 * Results differ from run to run: they are never shown, written or sent, and nothing that is
 * shown may depend on the order of a table. Any thread.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hash_secret {
	uint64_t start, factor; /* the factor is odd */
};

extern struct hash_secret hash_secret; /* constant once there are threads */

/* From getrandom(2); before anything was hashed. */
void hash_seed_random(void);
/* The same numbers each time. */
void hash_seed(uint64_t seed);

/* Goes on from the hash of what stands in front: each word must be mixed in, in order. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word)
{
	/* Both halves of the product: low bits of a word reach the upper half, high bits stay. */
	unsigned __int128 product = (unsigned __int128)(hash ^ word) * hash_secret.factor;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_u64(uint64_t key)
{
	return hash_mix(hash_secret.start, key);
}

/*
 * Numbers that follow each other (threads, descriptors, events) stay beside each other in groups
 * of 2^bits, which share cache lines: the groups alone are mixed, and no more keys than a group
 * has can be chosen to meet.
 */
static inline uint64_t hash_near(uint64_t key, unsigned int bits)
{
	return hash_u64(key >> bits) << bits | (key & ((1ULL << bits) - 1));
}

/* The length is part of it. */
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
