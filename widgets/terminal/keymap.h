/*
 * keymap - which keys do what, read from text.
 *
 * Lines:   ACTION KEY [KEY…]     binds keys; the first is the one that help shows
 *          unbind KEY [KEY…]     takes what was bound, with all sequences that begin so
 *          unbind-all            forgets everything that earlier texts bound, all contexts
 *          include NAME          begins with another text; before anything is bound
 *          [CONTEXT]             the following lines belong to this context (first: the first)
 *          # comment             also after blanks at the end of a line; the key # is Hash
 * Keys and sequences of keys are spelled as in keystrokes.h. Several texts may be parsed one
 * after the other; a later one binds over an earlier one. What is bound is never the beginning
 * of another sequence of its context: of two such, what was bound later stays.
 *
 * A line that is wrong is left out and told of as a problem; the others count. So are two
 * lines of one text that cannot both hold, of which the later counts.
 *
 * Actions and contexts are numbers into the name lists given by the caller, which must
 * outlive the keymap. UI thread only.
 */
#ifndef TERMINAL_KEYMAP_H
#define TERMINAL_KEYMAP_H

#include "engine/base/str.h"
#include "widgets/terminal/keystrokes.h"

#define KEYMAP_NONE (-1)
#define KEYMAP_MAX_BINDINGS 2000 /* a keymap may come from anywhere; nobody has more keys */
#define KEYMAP_MAX_LINES 5000
#define KEYMAP_MAX_PROBLEMS 100 /* with so many it is no keymap: the rest is not read */

/* What `include` may name. The first of them is read before any other one. */
struct keymap_text {
	const char *name;
	const char *text;
	const size_t *len;
};

struct keymap_names {
	const char *const *actions;
	int action_count;
	const char *const *contexts; /* [0] is meant before the first [CONTEXT] line */
	int context_count;
	const struct keymap_text *texts;
	int text_count;
	/* Whether an action can do anything there; NULL: any of them anywhere. */
	bool (*fits)(int context, int action);
};

struct keymap;

struct keymap *keymap_new(const struct keymap_names *names);
void keymap_free(struct keymap *keymap);

/* Adds the bindings of text; file is for problems only. Returns how many problems it has. */
int keymap_parse(struct keymap *keymap, const char *file, const char *text, size_t len);

/* One more problem, a sentence. */
void keymap_complain(struct keymap *keymap, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The index-th of all texts, as FILE:LINE: and what is wrong; NULL past the last. */
const char *keymap_problem(const struct keymap *keymap, size_t index);

/* The action of these keys in that context alone, or KEYMAP_NONE. */
int keymap_find(const struct keymap *keymap, int context, const struct keystrokes *keys);
/* The index-th sequence that begins with `part` and goes on; false past the last. */
bool keymap_follow(const struct keymap *keymap, int context, const struct keystrokes *part,
		   size_t index, struct keystrokes *keys, int *action);
/* Where keys were bound, as FILE:LINE, appended; false: they are not. */
bool keymap_origin(const struct keymap *keymap, int context, const struct keystrokes *keys,
		   struct str *out);

/* Binds keys as a line would whose place has no name: what a program must not be without. */
void keymap_add(struct keymap *keymap, int context, const struct keystrokes *keys, int action);

/* The keys of an action in the order of the texts: the index-th, false past the last. */
bool keymap_keys(const struct keymap *keymap, int context, int action, size_t index,
		 struct keystrokes *keys);
/* All of them as "Up k", appended; nothing when there are none. */
void keymap_list(const struct keymap *keymap, int context, int action, struct str *out);

#endif
