/*
 * bindings - the keymap in force: the built-in one and what the user put over it.
 *
 * What is wrong in a user's keymap is told, and the rest of it counts: nobody is kept from a
 * program by a line in a file. Nor by a keymap that leaves no key to leave by: those come
 * back. UI thread only.
 */
#ifndef CONFIG_BINDINGS_H
#define CONFIG_BINDINGS_H

#include "engine/base/err.h"
#include "tui/config/actions.h"

struct bindings;

/* The name of a user's own keymap below $XDG_CONFIG_HOME/stxtop. */
#define BINDINGS_FILE "keymap"

/*
 * name: NULL or "default", the name of another built-in keymap ("vi", "emacs"), or a file.
 * -errno with a sentence where the file cannot be read.
 */
int bindings_new(struct bindings **bindings, const char *name, struct err *err);
/* The same, and over it the user's own file, if there is one. */
int bindings_new_for_user(struct bindings **bindings, const char *name, struct err *err);
void bindings_free(struct bindings *bindings);

/* The index-th thing that is wrong, as FILE:LINE: and a sentence; NULL past the last. */
const char *bindings_problem(const struct bindings *bindings, size_t index);

/* The action of keys, or KEYMAP_NONE. */
int bindings_find(const struct bindings *bindings, enum action_context context,
		  const struct keystrokes *keys);
/* Of a key alone. */
int bindings_action(const struct bindings *bindings, enum action_context context, struct key key);
/* The index-th sequence that begins with `part`, as keymap_follow. */
bool bindings_follow(const struct bindings *bindings, enum action_context context,
		     const struct keystrokes *part, size_t index, struct keystrokes *keys,
		     enum action *action);
/* FILE:LINE where the keys were bound, appended; false: they are not. */
bool bindings_origin(const struct bindings *bindings, enum action_context context,
		     const struct keystrokes *keys, struct str *out);

/* "Up k", appended; nothing where no key is bound. */
void bindings_list(const struct bindings *bindings, enum action_context context, enum action action,
		   struct str *out);
/* What help shows first; false: there is none. */
bool bindings_first(const struct bindings *bindings, enum action_context context,
		    enum action action, struct keystrokes *keys);
/* What a sentence names: the usual key if it does that, or the first, or ":action". */
char *bindings_name(char out[KEYSTROKES_BYTES], const struct bindings *bindings, enum action action,
		    struct key usual);
/* The function key F1..F12 of an action, or what help shows first; false: there is none. */
bool bindings_function_key(const struct bindings *bindings, enum action action,
			   struct keystrokes *keys);

#endif
