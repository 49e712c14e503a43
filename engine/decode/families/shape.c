/* Functions that several families share. */
#include "engine/decode/shapes.h"

#include <string.h>

#define REST_BYTES 4096

void print_struct_rest(struct printer *p, uint64_t address, uint64_t known, uint64_t size)
{
	uint8_t bytes[REST_BYTES];
	uint64_t len = size - known;
	bool any = false, cut, hex = p->hex;

	if (size <= known)
		return;
	if (len > sizeof(bytes) ||
	    printer_read_some(p, address + known, bytes, len, false, &cut) < len) {
		PUT(p, ", ???");
		return;
	}
	for (uint64_t i = 0; i < len; i++)
		any |= bytes[i] != 0;
	if (!any)
		return;
	str_addf(p->out, ", /* bytes %llu..%llu */ ", (unsigned long long)known,
		 (unsigned long long)size - 1);
	p->hex = true;
	print_quoted(p, bytes, len < p->string_bytes ? len : p->string_bytes);
	p->hex = hex;
	if (len > p->string_bytes)
		PUT(p, "...");
}

void print_spare(struct printer *p, const char *name, const void *words, size_t bytes, size_t width)
{
	const uint8_t *at = words;
	bool any = false;

	for (size_t i = 0; i < bytes; i++)
		any |= at[i] != 0;
	if (!any)
		return;
	str_addf(p->out, ", %s=[", name);
	for (size_t i = 0; i < bytes; i += width) {
		uint64_t word = 0;

		memcpy(&word, at + i, width);
		if (i)
			PUT(p, ", ");
		str_addx(p->out, word);
	}
	PUT(p, "]");
}

void element_three_ulongs(struct printer *p, const void *element, const void *data)
{
	uint64_t numbers[3];

	(void)data;
	memcpy(numbers, element, sizeof(numbers));
	str_addf(p->out, "[%llu, %llu, %llu]", (unsigned long long)numbers[0],
		 (unsigned long long)numbers[1], (unsigned long long)numbers[2]);
}

void result_address(struct printer *p)
{
	str_addx(p->out, (uint64_t)p->call->ret);
}

void result_octal(struct printer *p)
{
	show_octal(p, (uint64_t)p->call->ret, NULL);
}

void result_fd(struct printer *p)
{
	p->when = BYTES_AT_EXIT;
	show_fd(p, (uint64_t)p->call->ret, NULL);
}

void result_with_flags(struct printer *p, uint64_t value, const struct constants *table)
{
	str_addx(p->out, value);
	if (!value)
		return;
	PUT(p, " (flags ");
	show_flags(p, value, table);
	PUT(p, ")");
}

void result_with_name(struct printer *p, uint64_t value, const struct constants *table)
{
	const char *name = constants_name(table, value);

	str_addd(p->out, (int64_t)value);
	if (!name)
		return;
	PUT(p, " (");
	str_add(p->out, name);
	PUT(p, ")");
}

void result_with_names(struct printer *p, uint64_t value, const struct constants *table)
{
	str_addx(p->out, value);
	if (!value)
		return;
	PUT(p, " (");
	show_flags(p, value, table);
	PUT(p, ")");
}
