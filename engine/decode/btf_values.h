/*
 * btf_values - members that a layout from type information has and others have not:
 * bits of a word, arrays of anything, bytes that are text. Constant functions.
 */
#ifndef DECODE_BTF_VALUES_H
#define DECODE_BTF_VALUES_H

#include "engine/decode/struct_layout.h"

/* A number of any width, extended as its type says. */
show_fn show_signed_byte;

/* Some bits of a word; data is a struct bit_field. */
struct bit_field {
	uint8_t bytes; /* of the word, 1 to 8 */
	uint8_t from; /* the lowest bit's place in it */
	uint8_t bits;
	bool is_signed;
};
element_fn element_bits;

/* Elements one behind the other; data is a struct inner_array. */
struct inner_array {
	uint32_t count;
	uint32_t bytes; /* of one */
	struct field element; /* how one is shown; its offset is 0 */
};
element_fn element_array;

/* An array of char: text up to its NUL; data is a struct inner_array. */
element_fn element_text;

#endif
