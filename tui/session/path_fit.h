/* path_fit - shortens paths to a width; the end of a path identifies it. Any thread. */
#ifndef SESSION_PATH_FIT_H
#define SESSION_PATH_FIT_H

#include "engine/base/str.h"

/*
 * Append the path, or "…/its/end" if it is too wide. The end consists of whole names, or of the end
 * of the last name if that does not fit. Escaped text; cols at least 1.
 */
void path_fit(struct str *out, const char *path, int cols);

#endif
