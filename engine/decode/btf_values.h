/*
 * btf_values - shows members that only layouts from BTF have: bit fields, arrays of any type, text.
 * Constant functions.
 */
#ifndef DECODE_BTF_VALUES_H
#define DECODE_BTF_VALUES_H

#include "engine/decode/struct_layout.h"

/* A signed number of one byte. */
show_fn show_signed_byte;

/* A bit field in a word; data is a struct bit_field. */
struct bit_field {
	uint8_t bytes; /* size of the word, 1 to 8 */
	uint8_t from; /* lowest bit */
	uint8_t bits;
	bool is_signed;
};
element_fn element_bits;

/* Consecutive elements; data is a struct inner_array. */
struct inner_array {
	uint32_t count;
	uint32_t bytes; /* size of one element */
	struct field element; /* how an element is shown; its offset is 0 */
};
element_fn element_array;

/* An array of char: text up to the NUL; data is a struct inner_array. */
element_fn element_text;

#endif
