/* theme_private - what theme.c and the tables of built-in themes share; not for others. */
#ifndef CANVAS_THEME_PRIVATE_H
#define CANVAS_THEME_PRIVATE_H

#include "widgets/canvas/theme.h"

/* The looks of a theme that has its own, by role. */
extern const struct look theme_dark_looks[ROLE_COUNT];
extern const struct look theme_light_looks[ROLE_COUNT];
extern const struct look theme_high_contrast_looks[ROLE_COUNT];

#endif
