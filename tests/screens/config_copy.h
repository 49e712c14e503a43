/*
 * config_copy - a private XDG_CONFIG_HOME for one script: a writable copy of tests/screens/config.
 */
#ifndef SCREENS_CONFIG_COPY_H
#define SCREENS_CONFIG_COPY_H

/* Create the copy and set XDG_CONFIG_HOME. Free with config_copy_free(). NULL with errno set. */
char *config_copy_new(const char *from);
/* Restore the settings file, so that a run does not see the settings of the run before. */
void config_copy_forget(const char *path, const char *from);
/* Remove the directory and free the path. NULL is allowed. */
void config_copy_free(char *path);

#endif
