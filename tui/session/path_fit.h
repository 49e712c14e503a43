/*
 * path_fit - paths in so many columns: their end is what tells them apart. Any thread.
 */
#ifndef SESSION_PATH_FIT_H
#define SESSION_PATH_FIT_H

#include "engine/base/str.h"

/*
 * Appends the path, or "…/its/end" where it is too wide: whole names if one fits, else the end
 * of the last. Escaped text; cols at least 1.
 */
void path_fit(struct str *out, const char *path, int cols);

#endif
