/*
 * keymap - which key does what, read from text.
 *
 * Lines:   ACTION KEY [KEY…]     binds keys; the first is the one that help shows
 *          unbind KEY [KEY…]     takes what an earlier text bound
 *          unbind-all            forgets everything that earlier texts bound, all contexts
 *          [CONTEXT]             the following lines belong to this context (first: the first)
 *          # comment             also after blanks at the end of a line; the key # is Hash
 * Keys are spelled as in keys.h. Several texts may be parsed one after the other; a later one
 * binds over an earlier one, but within one text a key has one action: a second is an error.
 *
 * Actions and contexts are numbers into the name lists given by the caller, which must
 * outlive the keymap. UI thread only.
 */
#ifndef WIDGETS_KEYMAP_H
#define WIDGETS_KEYMAP_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "widgets/keys.h"

#define KEYMAP_NONE (-1)

struct keymap_names {
	const char *const *actions;
	int action_count;
	const char *const *contexts; /* [0] is meant before the first [CONTEXT] line */
	int context_count;
};

struct keymap;

struct keymap *keymap_new(const struct keymap_names *names);
void keymap_free(struct keymap *keymap);

/*
 * Adds the bindings of text. file is for messages only. 0, or -EINVAL with
 * FILE:LINE: and what is wrong (the nearest name where one is unknown); then the keymap is as
 * it was before.
 */
int keymap_parse(struct keymap *keymap, const char *file, const char *text, size_t len,
		 struct err *err);

/* The action of key in that context alone, or KEYMAP_NONE. */
int keymap_find(const struct keymap *keymap, int context, struct key key);

/* The keys of an action in the order of the texts: the index-th, false past the last. */
bool keymap_key(const struct keymap *keymap, int context, int action, size_t index,
		struct key *key);
/* All of them as "Up k", appended; nothing when there are none. */
void keymap_list(const struct keymap *keymap, int context, int action, struct str *out);

#endif
