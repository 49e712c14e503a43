/* The clipboard of screen.h. */
#include "widgets/screen.h"

#include "widgets/screen_private.h"

#include <errno.h>
#include <stdint.h>

#define OSC52_MAX_BYTES 74000

int screen_copy(struct screen *screen, const char *text, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *bytes = (const unsigned char *)text;
	struct str out = STR_INIT;

	if (len > OSC52_MAX_BYTES)
		return -E2BIG;
	str_add(&out, "\033]52;c;");
	for (size_t i = 0; i < len; i += 3) {
		uint32_t group = (uint32_t)bytes[i] << 16;

		group |= i + 1 < len ? (uint32_t)bytes[i + 1] << 8 : 0;
		group |= i + 2 < len ? bytes[i + 2] : 0;
		str_addc(&out, digits[group >> 18]);
		str_addc(&out, digits[group >> 12 & 63]);
		str_addc(&out, i + 1 < len ? digits[group >> 6 & 63] : '=');
		str_addc(&out, i + 2 < len ? digits[group & 63] : '=');
	}
	str_addc(&out, '\a');
	screen_write(screen->out_fd, out.data, out.len);
	str_release(&out);
	return 0;
}
