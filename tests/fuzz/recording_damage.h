/*
 * recording_damage - a mutator of whole records, so that inputs pass the checks of the file format.
 *
 * Records are changed in place, compressed ones too. The header follows inserted and removed
 * records, and compressed sections are compressed again. Handles perf.data files and perf's pipe
 * format.
 */
#ifndef FUZZ_RECORDING_DAMAGE_H
#define FUZZ_RECORDING_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

/* Declared by libFuzzer. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
				 size_t two_size, uint8_t *out, size_t max, unsigned int seed);

/* Return the new size, at most max. */
size_t recording_damage(uint8_t *data, size_t size, size_t max, unsigned int seed);
/* Copy recording `one` to `out` and insert some records of `two`. Return the new size. */
size_t recording_damage_mix(const uint8_t *one, size_t one_size, const uint8_t *two,
			    size_t two_size, uint8_t *out, size_t max, unsigned int seed);

#endif
