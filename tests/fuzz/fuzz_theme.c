/*
 * fuzz_theme - any text as a theme. Each role has colours that terminals with 8, 16 and 256 colours
 * can show. An error begins with FILE:LINE:. The theme written as text parses to the same theme.
 */
#include "widgets/canvas/theme_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_styles(const struct theme *theme)
{
	static const int depths[] = { 8, 16, 256 };

	for (size_t d = 0; d < sizeof(depths) / sizeof(depths[0]); d++)
		for (int role = 0; role < ROLE_COUNT; role++) {
			struct style style = theme_style(theme, (enum role)role, depths[d]);

			if (style.fg < COLOR_DEFAULT || style.fg >= depths[d] ||
			    style.bg < COLOR_DEFAULT || style.bg >= depths[d])
				abort();
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = STR_INIT, again = STR_INIT;
	struct theme *theme, *copy;
	struct err err = { "" };

	if (theme_parse(&theme, "mine", "file", (const char *)data, size, &err)
		    ? strncmp(err.text, "file:", 5) != 0
		    : err.text[0] != '\0')
		abort();
	check_styles(theme);
	theme_format(theme, &text);
	if (theme_parse(&copy, "copy", "text", text.data, text.len, &err))
		abort();
	theme_format(copy, &again);
	if (strcmp(text.data, again.data))
		abort();
	theme_free(theme);
	theme_free(copy);
	str_release(&text);
	str_release(&again);
	return 0;
}
