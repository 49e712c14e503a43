/*
 * path_choice - file names of a directory, for completion of a path.
 *
 * The background thread reads the directory, because its file system can be remote. The names stay
 * cached until another directory is needed. Names with control characters or invalid UTF-8 are
 * omitted, because they cannot be typed. UI thread only.
 */
#ifndef DIALOGS_PATH_CHOICE_H
#define DIALOGS_PATH_CHOICE_H

#include "engine/base/background.h"
#include "engine/base/str.h"
#include "widgets/prompt.h"

#include <stdatomic.h>

struct path_choice {
	struct str dir; /* directory that was read or is being read */
	bool known;
	/* Owned by the background thread while `busy`. */
	char **names; /* sorted; directories end with a slash */
	size_t count, capacity;
	atomic_bool busy;
};

void path_choice_init(struct path_choice *choice);
/* Do not call while `busy`. */
void path_choice_release(struct path_choice *choice);

/* Start to read the directory of the path `text`, unless it is already cached. */
void path_choice_look(struct path_choice *choice, struct background *background, const char *text);
/* A prompt_complete_fn; data is the path_choice. */
void path_choice_complete(void *data, const char *text, size_t cursor,
			  struct prompt_candidates *candidates);

/* Append `text`, with "~/x" expanded to $HOME/x. */
void path_choice_expand(const char *text, struct str *out);

#endif
