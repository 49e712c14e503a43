#include "engine/decode/btf_values.h"

#include <string.h>

#define ELEMENTS 16 /* maximum number of shown elements of an array in a struct */

void show_signed_byte(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addd(p->out, (int8_t)value);
}

void element_bits(struct printer *p, const void *element, const void *data)
{
	const struct bit_field *field = data;
	uint64_t word = 0;

	memcpy(&word, element, field->bytes);
	word = word >> field->from;
	if (field->bits < 64)
		word &= ((uint64_t)1 << field->bits) - 1;
	if (field->is_signed && field->bits < 64 && word >> (field->bits - 1))
		word |= ~(uint64_t)0 << field->bits;
	if (field->is_signed)
		str_addd(p->out, (int64_t)word);
	else
		str_addu(p->out, word);
}

void element_array(struct printer *p, const void *element, const void *data)
{
	const struct inner_array *array = data;
	const uint8_t *at = element;

	PUT(p, "[");
	for (uint32_t i = 0; i < array->count; i++, at += array->bytes) {
		if (i)
			PUT(p, ", ");
		if (i == ELEMENTS) {
			PUT(p, "...");
			break;
		}
		print_field(p, at, &array->element);
	}
	PUT(p, "]");
}

void element_text(struct printer *p, const void *element, const void *data)
{
	const struct inner_array *array = data;

	print_char_array(p, element, array->count);
}
