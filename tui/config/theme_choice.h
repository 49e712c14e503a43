/*
 * theme_choice - the theme in force: a built-in one, or a file of the user's.
 *
 * Names without a / are "auto" (light or dark, as COLORFGBG tells), the built-in ones, and files
 * in $XDG_CONFIG_HOME/stxtop/themes; everything else is the path of a file. UI thread only.
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
	const struct theme *theme; /* never NULL once initialised */
	struct theme *own; /* the same, if it is from a file */
};

/* Begins with "auto". */
void theme_choice_init(struct theme_choice *choice);
void theme_choice_release(struct theme_choice *choice);

/*
 * 0. -EINVAL: something on its lines is wrong, which err tells with FILE:LINE:, everything
 * else of it counts. Another -errno: there is no such theme, and nothing has changed. The
 * theme before is freed: no screen may have it any longer once this was called.
 */
int theme_choice_set(struct theme_choice *choice, const char *name, struct err *err);

/* Calls each with the name of every theme that can be chosen so, and what it is. */
void theme_choice_list(void (*each)(void *ctx, const char *name, const char *help), void *ctx);

#endif
