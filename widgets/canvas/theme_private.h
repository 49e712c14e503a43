/* theme_private - shared by theme.c and the tables of built-in themes. */
#ifndef CANVAS_THEME_PRIVATE_H
#define CANVAS_THEME_PRIVATE_H

#include "widgets/canvas/theme.h"

/* Look of each role in the built-in themes that have a table. */
extern const struct look theme_dark_looks[ROLE_COUNT];
extern const struct look theme_light_looks[ROLE_COUNT];
extern const struct look theme_high_contrast_looks[ROLE_COUNT];

#endif
