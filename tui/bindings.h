/*
 * bindings - the keymap in force: the embedded one and what the user put over it.
 * UI thread only.
 */
#ifndef TUI_BINDINGS_H
#define TUI_BINDINGS_H

#include "engine/base/err.h"
#include "tui/actions.h"

struct bindings;

/*
 * name: NULL or "default", the name of an embedded keymap ("vi", "emacs"), or a file.
 * -errno with a sentence that begins with FILE:LINE: where a line is wrong.
 */
int bindings_new(struct bindings **bindings, const char *name, struct err *err);
void bindings_free(struct bindings *bindings);

/* The action of a key, or KEYMAP_NONE. */
int bindings_action(const struct bindings *bindings, enum action_context context,
		    struct key key);
/* "Up k", appended; nothing where no key is bound. */
void bindings_list(const struct bindings *bindings, enum action_context context,
		   enum action action, struct str *out);
/* The key that help shows; false: there is none. */
bool bindings_first_key(const struct bindings *bindings, enum action_context context,
			enum action action, struct key *key);
/* The function key F1..F12 of an action, or any first key; false: there is none. */
bool bindings_function_key(const struct bindings *bindings, enum action action,
			   struct key *key);

#endif
