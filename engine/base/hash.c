#include "engine/base/hash.h"

#include <sys/random.h>
#include <time.h>

struct hash_secret hash_secret = { 0x243f6a8885a308d3, 0x9e3779b97f4a7c15 };

/* splitmix64, by Sebastiano Vigna: expands one seed into many well-distributed numbers. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

void hash_seed(uint64_t seed)
{
	hash_secret.start = next(&seed);
	hash_secret.factor = next(&seed) | 1;
}

void hash_seed_random(void)
{
	uint64_t words[2];
	struct timespec now;

	if (getrandom(words, sizeof(words), GRND_NONBLOCK) == sizeof(words)) {
		hash_secret.start = words[0];
		hash_secret.factor = words[1] | 1;
		return;
	}
	/* Soon after boot the kernel has no entropy yet; the stack address is random even then. */
	clock_gettime(CLOCK_REALTIME, &now);
	hash_seed((uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^ (uintptr_t)&now);
}

uint64_t hash_bytes_mix(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	uint64_t word;

	hash = hash_mix(hash, len);
	for (; len >= sizeof(word); at += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = hash_mix(hash, word);
	}
	if (!len)
		return hash;
	word = 0;
	memcpy(&word, at, len);
	return hash_mix(hash, word);
}
