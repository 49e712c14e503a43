/*
 * theme_choice - the theme in force: a built-in one or a file of the user.
 *
 * A name without a / is "auto" (light or dark, according to COLORFGBG), a built-in theme, or a file
 * in $XDG_CONFIG_HOME/stxtop/themes. Any other name is the path of a file. UI thread only.
 */
#ifndef CONFIG_THEME_CHOICE_H
#define CONFIG_THEME_CHOICE_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "widgets/canvas/theme.h"

#define THEME_AUTO "auto"
#define THEME_FILE_MAX_BYTES (64 * 1024)

struct theme_choice {
	struct str name;
	const struct theme *theme; /* never NULL after init */
	struct theme *own; /* owned theme from a file, equal to `theme`; NULL: built-in */
};

/* Start with "auto". */
void theme_choice_init(struct theme_choice *choice);
void theme_choice_release(struct theme_choice *choice);

/*
 * Switch to a theme. -EINVAL with FILE:LINE: if a line is invalid; the remaining lines apply.
 * Another -errno: the file is missing or unreadable, and the current theme stays. Frees the
 * previous theme: no screen may refer to it after this call.
 */
int theme_choice_set(struct theme_choice *choice, const char *name, struct err *err);

/* Call `each` with name and description of every theme that can be chosen by name. */
void theme_choice_list(void (*each)(void *ctx, const char *name, const char *help), void *ctx);

#endif
