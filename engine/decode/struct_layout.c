#include "engine/decode/struct_layout.h"

#include <string.h>

static uint64_t number_at(const uint8_t *bytes, size_t len)
{
	uint64_t value = 0;

	switch (len) {
	case 1:
		return bytes[0];
	case 2: {
		uint16_t half;
		memcpy(&half, bytes, 2);
		return half;
	}
	case 4: {
		uint32_t word;
		memcpy(&word, bytes, 4);
		return word;
	}
	default:
		memcpy(&value, bytes, sizeof(value));
		return value;
	}
}

void print_field(struct printer *p, const void *bytes, const struct field *field)
{
	const uint8_t *at = (const uint8_t *)bytes + field->offset;

	if (field->show)
		field->show(p, number_at(at, field->bytes), field->data);
	else
		field->print(p, at, field->data);
}

/* Print the members without braces: a struct can consist of several layouts. */
static void print_fields(struct printer *p, const void *bytes, const struct layout *layout)
{
	for (uint32_t i = 0; i < layout->count; i++) {
		if (i)
			PUT(p, ", ");
		str_add(p->out, layout->fields[i].name);
		PUT(p, "=");
		print_field(p, bytes, &layout->fields[i]);
	}
}

void element_struct(struct printer *p, const void *element, const void *data)
{
	const struct layout *layout = data;

	PUT(p, "{");
	print_fields(p, element, layout);
	if (layout->more)
		PUT(p, ", ...");
	PUT(p, "}");
}

void print_struct_within(struct printer *p, uint64_t address, uint64_t bytes,
			 const struct layout *layout)
{
	uint64_t room[64];
	size_t len = layout->bytes < sizeof(room) ? layout->bytes : sizeof(room);
	struct layout known = *layout;
	bool cut;

	len = printer_read_some(p, address, room, bytes < len ? (size_t)bytes : len, false, &cut);
	known.count = 0;
	while (known.count < layout->count &&
	       layout->fields[known.count].offset + layout->fields[known.count].bytes <= len)
		known.count++;
	known.more |= known.count < layout->count;
	if (known.count)
		element_struct(p, room, &known);
	else
		show_pointer(p, address, NULL);
}

void show_struct(struct printer *p, uint64_t value, const void *data)
{
	const struct layout *layout = data;
	uint64_t bytes[64];

	if (layout->bytes <= sizeof(bytes) && printer_read(p, value, bytes, layout->bytes))
		element_struct(p, bytes, layout);
	else
		show_pointer(p, value, NULL);
}

void show_pointee(struct printer *p, uint64_t value, const void *data)
{
	const struct pointee *pointee = data;
	uint8_t bytes[8];

	if (!printer_read(p, value, bytes, pointee->bytes)) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "[");
	pointee->show(p, number_at(bytes, pointee->bytes), pointee->data);
	PUT(p, "]");
}

const struct pointee int_pointee = { 4, show_int, NULL };
const struct pointee unsigned_pointee = { 4, show_unsigned, NULL };
const struct pointee ulong_pointee = { 8, show_ulong, NULL };
const struct pointee long_pointee = { 8, show_long, NULL };
const struct pointee hex_pointee = { 8, show_hex_long, NULL };
const struct pointee pointer_pointee = { 8, show_pointer, NULL };
const struct pointee id_pointee = { 4, show_id, NULL };
