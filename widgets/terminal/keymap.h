/*
 * keymap - key bindings, read from text.
 *
 * Lines:   ACTION KEY [KEY…]     binds keys; help shows the first one
 *          unbind KEY [KEY…]     removes the bindings of KEY and of sequences that begin with KEY
 *          unbind-all            removes all bindings made so far, in all contexts
 *          include NAME          drops all bindings, then reads text NAME; only before binding keys
 *          [CONTEXT]             context of the following lines (before it: the first context)
 *          # comment             also after blanks at the end of a line; the key # is Hash
 * Keys and sequences are spelled as in keystrokes.h. Several texts can be parsed in turn; a later
 * binding replaces an earlier one. A bound sequence is never the beginning of another one in its
 * context: of two such sequences, the later binding stays.
 *
 * An invalid line is skipped and reported as a problem; the remaining lines apply. Two conflicting
 * lines of one text are a problem too; the later one applies.
 *
 * Actions and contexts are indices into the name lists of the caller, which must outlive the
 * keymap. UI thread only.
 */
#ifndef TERMINAL_KEYMAP_H
#define TERMINAL_KEYMAP_H

#include "engine/base/str.h"
#include "widgets/terminal/keystrokes.h"

#define KEYMAP_NONE (-1)
#define KEYMAP_MAX_BINDINGS 2000 /* maximum number of bindings, more than any keyboard needs */
#define KEYMAP_MAX_LINES 5000
#define KEYMAP_MAX_PROBLEMS 100 /* maximum number of problems; the remaining text is not read */

/* A text that `include` can name. Each include reads .texts[0] first, then the named text. */
struct keymap_text {
	const char *name;
	const char *text;
	const size_t *len;
};

struct keymap_names {
	const char *const *actions;
	int action_count;
	const char *const *contexts; /* [0] applies before the first [CONTEXT] line */
	int context_count;
	const struct keymap_text *texts;
	int text_count;
	/* True if an action has an effect in a context; NULL: every action in every context. */
	bool (*fits)(int context, int action);
};

struct keymap;

struct keymap *keymap_new(const struct keymap_names *names);
void keymap_free(struct keymap *keymap);

/* Add the bindings of text; file is for problems only. Return the number of problems. */
int keymap_parse(struct keymap *keymap, const char *file, const char *text, size_t len);

/* Add a problem with this message. */
void keymap_complain(struct keymap *keymap, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Return the index-th problem of all texts as FILE:LINE: and the reason; NULL past the last. */
const char *keymap_problem(const struct keymap *keymap, size_t index);

/* Return the action of these keys in exactly that context, or KEYMAP_NONE. */
int keymap_find(const struct keymap *keymap, int context, const struct keystrokes *keys);
/* Return the index-th longer sequence that begins with `part`; false past the last. */
bool keymap_follow(const struct keymap *keymap, int context, const struct keystrokes *part,
		   size_t index, struct keystrokes *keys, int *action);
/* Append the origin of a binding as FILE:LINE, or "stxtop" for keymap_add(). False: not bound. */
bool keymap_origin(const struct keymap *keymap, int context, const struct keystrokes *keys,
		   struct str *out);

/* Bind keys that the program requires, as a line of a text does, but without a line number. */
void keymap_add(struct keymap *keymap, int context, const struct keystrokes *keys, int action);

/* Return the index-th keys of an action, in the order of the texts; false past the last. */
bool keymap_keys(const struct keymap *keymap, int context, int action, size_t index,
		 struct keystrokes *keys);
/* Append all keys of an action as "Up k"; nothing if there are none. */
void keymap_list(const struct keymap *keymap, int context, int action, struct str *out);

#endif
