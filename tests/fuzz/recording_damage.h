/*
 * recording_damage - changes to recordings as such, so that they get behind what frames them.
 *
 * Records are changed where they stand, also those that are compressed; what is put in or left
 * out is told in the header, and sections that are packed are packed again. For fuzzers of what
 * reads perf.data files and perf's pipe format.
 */
#ifndef FUZZ_RECORDING_DAMAGE_H
#define FUZZ_RECORDING_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
				 size_t two_size, uint8_t *out, size_t max, unsigned int seed);

/* The new size, at most max. */
size_t recording_damage(uint8_t *data, size_t size, size_t max, unsigned int seed);
/* The first one with some records of the second one between its own; the size of it. */
size_t recording_damage_mix(const uint8_t *one, size_t one_size, const uint8_t *two,
			    size_t two_size, uint8_t *out, size_t max, unsigned int seed);

#endif
