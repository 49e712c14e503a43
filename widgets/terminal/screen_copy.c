/* screen_copy - the clipboard of screen.h. */
#include "widgets/terminal/screen.h"

#include "widgets/terminal/screen_private.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define OSC52_MAX_BYTES 74000
/* Maximum size of a string that GNU screen passes on, minus room for the delimiters. */
#define SCREEN_CHUNK_BYTES 700

/* Terminals without OSC 52, by the beginning of TERM. */
static const char *const deaf[] = { "linux", "vt", "cons25", "sun", "wsvt", "ansi", "pcansi" };

static bool begins(const char *text, const char *with)
{
	return text && !strncmp(text, with, strlen(with));
}

enum screen_copy_way screen_copy_way(const struct screen *screen)
{
	const char *term = getenv("TERM"), *program = getenv("TERM_PROGRAM");

	/* sudo and su preserve TERM, but not the other variables. */
	if (getenv("TMUX") || begins(term, "tmux"))
		return SCREEN_COPY_BY_TMUX;
	if (getenv("STY") || begins(term, "screen"))
		return SCREEN_COPY_BY_SCREEN;
	for (size_t i = 0; i < sizeof(deaf) / sizeof(deaf[0]); i++)
		if (begins(term, deaf[i]))
			return SCREEN_COPY_NO_WAY;
	if (!screen->is_xterm || begins(program, "Apple_Terminal"))
		return SCREEN_COPY_NO_WAY;
	return SCREEN_COPY_DIRECT;
}

static void add_base64(struct str *out, const char *text, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *bytes = (const unsigned char *)text;

	for (size_t i = 0; i < len; i += 3) {
		uint32_t group = (uint32_t)bytes[i] << 16;

		group |= i + 1 < len ? (uint32_t)bytes[i + 1] << 8 : 0;
		group |= i + 2 < len ? bytes[i + 2] : 0;
		str_addc(out, digits[group >> 18]);
		str_addc(out, digits[group >> 12 & 63]);
		str_addc(out, i + 1 < len ? digits[group >> 6 & 63] : '=');
		str_addc(out, i + 2 < len ? digits[group & 63] : '=');
	}
}

/* Wrap in a string that tmux passes on unread (allow-passthrough); each Esc in it is doubled. */
static void add_for_tmux(struct str *out, const struct str *osc)
{
	str_addf(out, "\033Ptmux;\033%s\033\\", osc->data);
}

/* Wrap in short strings that GNU screen passes on unread. */
static void add_for_screen(struct str *out, const struct str *osc)
{
	for (size_t at = 0; at < osc->len; at += SCREEN_CHUNK_BYTES) {
		size_t n = osc->len - at < SCREEN_CHUNK_BYTES ? osc->len - at : SCREEN_CHUNK_BYTES;

		str_add(out, "\033P");
		str_addn(out, osc->data + at, n);
		str_add(out, "\033\\");
	}
}

int screen_copy(struct screen *screen, const char *text, size_t len)
{
	enum screen_copy_way way = screen_copy_way(screen);
	struct str osc = STR_INIT, all = STR_INIT;

	if (way == SCREEN_COPY_NO_WAY)
		return -EOPNOTSUPP;
	if (len > OSC52_MAX_BYTES)
		return -E2BIG;
	if (screen_is_behind(screen))
		return -EAGAIN;
	str_add(&osc, "\033]52;c;");
	add_base64(&osc, text, len);
	str_addc(&osc, '\a');
	if (way == SCREEN_COPY_BY_TMUX)
		add_for_tmux(&all, &osc);
	else if (way == SCREEN_COPY_BY_SCREEN)
		add_for_screen(&all, &osc);
	/*
	 * Send the plain sequence too: tmux also accepts it (set-clipboard on), and under sudo tmux
	 * can appear as "screen". Send it last: if tmux got the strings for screen, they have set
	 * only the beginning of the text.
	 */
	str_addn(&all, osc.data, osc.len);
	terminal_output_add(&screen->output, all.data, all.len);
	terminal_output_send(&screen->output);
	str_release(&osc);
	str_release(&all);
	return 0;
}
