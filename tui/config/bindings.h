/*
 * bindings - the keymap in force: the built-in one, overridden by that of the user.
 *
 * Errors in the user's keymap are reported; the remaining lines apply. If a keymap leaves no key to
 * quit, to confirm or to cancel, the default key of that action is restored. UI thread only.
 */
#ifndef CONFIG_BINDINGS_H
#define CONFIG_BINDINGS_H

#include "engine/base/err.h"
#include "tui/config/actions.h"

struct bindings;

/* Name of the user's keymap below $XDG_CONFIG_HOME/stxtop. */
#define BINDINGS_FILE "keymap"

/*
 * Create the bindings. name: NULL or "default", another built-in keymap ("vi", "emacs"), or a file.
 * -errno with a message if the file cannot be read.
 */
int bindings_new(struct bindings **bindings, const char *name, struct err *err);
/* As bindings_new(); the user's keymap file, if it exists, overrides parts of the keymap. */
int bindings_new_for_user(struct bindings **bindings, const char *name, struct err *err);
void bindings_free(struct bindings *bindings);

/* Return the index-th error as "FILE:LINE: message"; NULL past the last. */
const char *bindings_problem(const struct bindings *bindings, size_t index);

/* Return the action bound to a key sequence, or KEYMAP_NONE. */
int bindings_find(const struct bindings *bindings, enum action_context context,
		  const struct keystrokes *keys);
/* As bindings_find(), for a single key. */
int bindings_action(const struct bindings *bindings, enum action_context context, struct key key);
/* Get the index-th key sequence that begins with `part`, as keymap_follow() does. */
bool bindings_follow(const struct bindings *bindings, enum action_context context,
		     const struct keystrokes *part, size_t index, struct keystrokes *keys,
		     enum action *action);
/* Append the FILE:LINE that bound the keys. False: they are unbound. */
bool bindings_origin(const struct bindings *bindings, enum action_context context,
		     const struct keystrokes *keys, struct str *out);

/* Append the keys of an action, such as "Up k"; nothing if it has none. */
void bindings_list(const struct bindings *bindings, enum action_context context, enum action action,
		   struct str *out);
/* Get the key sequence that help shows first. False: the action has none. */
bool bindings_first(const struct bindings *bindings, enum action_context context,
		    enum action action, struct keystrokes *keys);
/*
 * Format the key for a message: `usual` if it is bound to the action, else the first key sequence
 * of the action, else ":action".
 */
char *bindings_name(char out[KEYSTROKES_BYTES], const struct bindings *bindings, enum action action,
		    struct key usual);
/* Get an unmodified function key F1..F24 of an action, else its first sequence. False: none. */
bool bindings_function_key(const struct bindings *bindings, enum action action,
			   struct keystrokes *keys);

#endif
