/*
 * path_choice - names in a directory, for completing a path while it is typed.
 *
 * A directory is read on the background thread, as it may be far away, and kept until another
 * one is wanted. Names that could not be typed, as they have control characters or are no UTF-8,
 * are left out. UI thread only.
 */
#ifndef DIALOGS_PATH_CHOICE_H
#define DIALOGS_PATH_CHOICE_H

#include "engine/base/background.h"
#include "engine/base/str.h"
#include "widgets/prompt.h"

#include <stdatomic.h>

struct path_choice {
	struct str dir; /* that was read, or is being read */
	bool known;
	/* The background's while `busy`. */
	char **names; /* sorted; directories end with a slash */
	size_t count, capacity;
	atomic_bool busy;
};

void path_choice_init(struct path_choice *choice);
/* Not while it is busy. */
void path_choice_release(struct path_choice *choice);

/* Has the directory read that the text is in, unless it was read already. */
void path_choice_look(struct path_choice *choice, struct background *background, const char *text);
/* A prompt_complete_fn; data is the path_choice. */
void path_choice_complete(void *data, const char *text, size_t cursor,
			  struct prompt_candidates *candidates);

/* "~/x" as $HOME/x, everything else as it is; appended. */
void path_choice_expand(const char *text, struct str *out);

#endif
