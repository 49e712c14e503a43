/*
 * config_copy - a directory of a script's own for XDG_CONFIG_HOME: what tests/screens/config has,
 * and what the program writes there.
 */
#ifndef SCREENS_CONFIG_COPY_H
#define SCREENS_CONFIG_COPY_H

/* Makes it and puts it in the environment. The caller frees the path; NULL: errno says why not. */
char *config_copy_new(const char *from);
/* What one run chose is not there in the next. */
void config_copy_forget(const char *path, const char *from);
/* Removes and frees it. NULL is fine. */
void config_copy_free(char *path);

#endif
