#include "widgets/theme.h"

#include <string.h>

#define B STYLE_BOLD
#define U STYLE_UNDERLINE
#define R STYLE_REVERSE
#define D STYLE_DIM
#define I STYLE_ITALIC
#define DEF THEME_DEFAULT

/* The eight colours every colour terminal has. */
enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE };

struct look {
	struct style many; /* 256 colours */
	struct style few;  /* 8 or 16: only 0..7, bright by bold */
	uint8_t none;      /* attributes that stand for the role without colour */
};

struct theme {
	const char *name;
	struct look looks[ROLE_COUNT];
};

static const struct theme themes[] = {
	{ .name = "dark", .looks = {
		[ROLE_TEXT]        = { { DEF, DEF, 0 }, { DEF, DEF, 0 }, 0 },
		[ROLE_DIM]         = { { 245, DEF, 0 }, { DEF, DEF, D }, D },
		[ROLE_STRONG]      = { { DEF, DEF, B }, { DEF, DEF, B }, B },
		[ROLE_TOP]         = { { 252, 236, 0 }, { WHITE, BLUE, 0 }, R },
		[ROLE_TOP_VALUE]   = { { 231, 236, B }, { WHITE, BLUE, B }, R | B },
		[ROLE_HEADER]      = { { 16, 72, 0 }, { BLACK, GREEN, 0 }, R },
		[ROLE_HEADER_SORT] = { { 16, 80, B }, { BLACK, CYAN, 0 }, R | B },
		[ROLE_TITLE]       = { { 250, DEF, 0 }, { DEF, DEF, 0 }, 0 },
		[ROLE_BORDER]      = { { 240, DEF, 0 }, { DEF, DEF, D }, D },
		[ROLE_FOCUS]       = { { 80, DEF, B }, { CYAN, DEF, B }, B },
		[ROLE_SELECTED]    = { { 16, 80, 0 }, { BLACK, CYAN, 0 }, R },
		[ROLE_SELECTED_UNFOCUSED] = { { DEF, 238, 0 }, { DEF, DEF, U }, U },
		[ROLE_KEY]         = { { DEF, DEF, B }, { DEF, DEF, B }, B },
		[ROLE_KEY_LABEL]   = { { 16, 80, 0 }, { BLACK, CYAN, 0 }, R },
		[ROLE_PROMPT]      = { { 80, DEF, B }, { CYAN, DEF, B }, B },
		[ROLE_INPUT]       = { { DEF, DEF, 0 }, { DEF, DEF, 0 }, 0 },
		[ROLE_POPUP]       = { { 252, 237, 0 }, { WHITE, BLUE, 0 }, 0 },
		[ROLE_ERROR]       = { { 203, DEF, 0 }, { RED, DEF, B }, B },
		[ROLE_SLOW]        = { { 215, DEF, B }, { YELLOW, DEF, B }, B | U },
		[ROLE_IN_FLIGHT]   = { { 117, DEF, 0 }, { CYAN, DEF, 0 }, U },
		[ROLE_LATE]        = { { 180, DEF, I }, { YELLOW, DEF, U }, U | D },
		[ROLE_EVENT]       = { { 141, DEF, 0 }, { MAGENTA, DEF, 0 }, I },
		[ROLE_GAP]         = { { 231, 124, B }, { WHITE, RED, B }, R | B },
		[ROLE_KERNEL]      = { { 179, DEF, 0 }, { YELLOW, DEF, 0 }, 0 },
		[ROLE_USER]        = { { 114, DEF, 0 }, { GREEN, DEF, 0 }, B },
		[ROLE_INLINED]     = { { 108, DEF, I }, { GREEN, DEF, D }, D },
		[ROLE_MATCH]       = { { 16, 221, 0 }, { BLACK, YELLOW, 0 }, R | U },
		[ROLE_BAR]         = { { 74, DEF, 0 }, { CYAN, DEF, 0 }, 0 },
		[ROLE_BAR_OTHER]   = { { 203, DEF, 0 }, { RED, DEF, 0 }, B },
		[ROLE_BAR_THIRD]   = { { 221, DEF, 0 }, { YELLOW, DEF, 0 }, D },
		[ROLE_HEAT_1]      = { { 24, DEF, 0 }, { BLUE, DEF, 0 }, D },
		[ROLE_HEAT_2]      = { { 31, DEF, 0 }, { CYAN, DEF, 0 }, 0 },
		[ROLE_HEAT_3]      = { { 35, DEF, 0 }, { GREEN, DEF, 0 }, 0 },
		[ROLE_HEAT_4]      = { { 142, DEF, 0 }, { YELLOW, DEF, 0 }, 0 },
		[ROLE_HEAT_5]      = { { 208, DEF, 0 }, { RED, DEF, 0 }, B },
		[ROLE_HEAT_6]      = { { 226, DEF, 0 }, { WHITE, DEF, B }, B },
		[ROLE_NUMBER]      = { { DEF, DEF, 0 }, { DEF, DEF, 0 }, 0 },
		[ROLE_NAME]        = { { 153, DEF, 0 }, { DEF, DEF, B }, B },
		[ROLE_STRING]      = { { 150, DEF, 0 }, { GREEN, DEF, 0 }, 0 },
		[ROLE_GOOD]        = { { 114, DEF, B }, { GREEN, DEF, B }, B },
		[ROLE_WARN]        = { { 221, DEF, B }, { YELLOW, DEF, B }, B | R },
	} },
	{ .name = "light", .looks = {
		[ROLE_TEXT]        = { { DEF, DEF, 0 }, { DEF, DEF, 0 }, 0 },
		[ROLE_DIM]         = { { 242, DEF, 0 }, { DEF, DEF, D }, D },
		[ROLE_STRONG]      = { { DEF, DEF, B }, { DEF, DEF, B }, B },
		[ROLE_TOP]         = { { 235, 253, 0 }, { WHITE, BLUE, 0 }, R },
		[ROLE_TOP_VALUE]   = { { 16, 253, B }, { WHITE, BLUE, B }, R | B },
		[ROLE_HEADER]      = { { 231, 29, 0 }, { WHITE, GREEN, 0 }, R },
		[ROLE_HEADER_SORT] = { { 231, 25, B }, { WHITE, BLUE, B }, R | B },
		[ROLE_TITLE]       = { { 238, DEF, 0 }, { DEF, DEF, 0 }, 0 },
		[ROLE_BORDER]      = { { 248, DEF, 0 }, { DEF, DEF, D }, D },
		[ROLE_FOCUS]       = { { 25, DEF, B }, { BLUE, DEF, B }, B },
		[ROLE_SELECTED]    = { { 231, 25, 0 }, { WHITE, BLUE, 0 }, R },
		[ROLE_SELECTED_UNFOCUSED] = { { DEF, 253, 0 }, { DEF, DEF, U }, U },
		[ROLE_KEY]         = { { DEF, DEF, B }, { DEF, DEF, B }, B },
		[ROLE_KEY_LABEL]   = { { 231, 25, 0 }, { WHITE, BLUE, 0 }, R },
		[ROLE_PROMPT]      = { { 25, DEF, B }, { BLUE, DEF, B }, B },
		[ROLE_INPUT]       = { { DEF, DEF, 0 }, { DEF, DEF, 0 }, 0 },
		[ROLE_POPUP]       = { { 16, 254, 0 }, { BLACK, WHITE, 0 }, 0 },
		[ROLE_ERROR]       = { { 160, DEF, 0 }, { RED, DEF, 0 }, B },
		[ROLE_SLOW]        = { { 130, DEF, B }, { MAGENTA, DEF, B }, B | U },
		[ROLE_IN_FLIGHT]   = { { 25, DEF, 0 }, { BLUE, DEF, 0 }, U },
		[ROLE_LATE]        = { { 94, DEF, I }, { MAGENTA, DEF, U }, U | D },
		[ROLE_EVENT]       = { { 91, DEF, 0 }, { MAGENTA, DEF, 0 }, I },
		[ROLE_GAP]         = { { 231, 160, B }, { WHITE, RED, B }, R | B },
		[ROLE_KERNEL]      = { { 94, DEF, 0 }, { MAGENTA, DEF, 0 }, 0 },
		[ROLE_USER]        = { { 28, DEF, 0 }, { GREEN, DEF, 0 }, B },
		[ROLE_INLINED]     = { { 65, DEF, I }, { GREEN, DEF, D }, D },
		[ROLE_MATCH]       = { { 16, 221, 0 }, { BLACK, YELLOW, 0 }, R | U },
		[ROLE_BAR]         = { { 31, DEF, 0 }, { BLUE, DEF, 0 }, 0 },
		[ROLE_BAR_OTHER]   = { { 160, DEF, 0 }, { RED, DEF, 0 }, B },
		[ROLE_BAR_THIRD]   = { { 136, DEF, 0 }, { YELLOW, DEF, 0 }, D },
		[ROLE_HEAT_1]      = { { 153, DEF, 0 }, { CYAN, DEF, 0 }, D },
		[ROLE_HEAT_2]      = { { 74, DEF, 0 }, { BLUE, DEF, 0 }, 0 },
		[ROLE_HEAT_3]      = { { 31, DEF, 0 }, { GREEN, DEF, 0 }, 0 },
		[ROLE_HEAT_4]      = { { 97, DEF, 0 }, { MAGENTA, DEF, 0 }, 0 },
		[ROLE_HEAT_5]      = { { 125, DEF, 0 }, { RED, DEF, 0 }, B },
		[ROLE_HEAT_6]      = { { 52, DEF, 0 }, { BLACK, DEF, B }, B },
		[ROLE_NUMBER]      = { { DEF, DEF, 0 }, { DEF, DEF, 0 }, 0 },
		[ROLE_NAME]        = { { 18, DEF, 0 }, { DEF, DEF, B }, B },
		[ROLE_STRING]      = { { 22, DEF, 0 }, { GREEN, DEF, 0 }, 0 },
		[ROLE_GOOD]        = { { 28, DEF, B }, { GREEN, DEF, B }, B },
		[ROLE_WARN]        = { { 130, DEF, B }, { MAGENTA, DEF, B }, B | R },
	} },
};

#define THEME_COUNT (sizeof(themes) / sizeof(themes[0]))

const struct theme *theme_default(void)
{
	return &themes[0];
}

const struct theme *theme_at(size_t index)
{
	return index < THEME_COUNT ? &themes[index] : NULL;
}

const struct theme *theme_find(const char *name)
{
	for (size_t i = 0; i < THEME_COUNT; i++)
		if (!strcmp(themes[i].name, name))
			return &themes[i];
	return NULL;
}

const char *theme_name(const struct theme *theme)
{
	return theme->name;
}

struct style theme_style(const struct theme *theme, enum role role, int colors)
{
	const struct look *look = &theme->looks[(unsigned int)role < ROLE_COUNT ? role : ROLE_TEXT];

	if (colors >= 256)
		return look->many;
	if (colors >= 8)
		return look->few;
	return (struct style){ THEME_DEFAULT, THEME_DEFAULT, look->none };
}
