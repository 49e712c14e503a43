#include "tui/calls/hex_dump.h"

void hex_dump_line(struct str *out, const uint8_t *bytes, size_t len, size_t offset, size_t row)
{
	size_t count = offset < len ? len - offset : 0;

	if (count > row)
		count = row;
	bytes += offset;
	str_addf(out, "%04zx ", offset);
	for (size_t i = 0; i < row; i++) {
		if (i % 8 == 0)
			str_addc(out, ' ');
		if (i < count)
			str_addf(out, "%02x ", bytes[i]);
		else
			str_add(out, "   ");
	}
	str_addc(out, ' ');
	for (size_t i = 0; i < count; i++)
		str_addc(out, bytes[i] >= ' ' && bytes[i] <= '~' ? (char)bytes[i] : '.');
}
