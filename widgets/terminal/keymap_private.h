/* keymap_private - the keymap as keymap_text.c uses it. UI thread only. */
#ifndef TERMINAL_KEYMAP_PRIVATE_H
#define TERMINAL_KEYMAP_PRIVATE_H

#include "widgets/terminal/keymap.h"

struct keymap_binding {
	struct keystrokes keys;
	int context;
	int action;
	int text; /* index into .files: the parsed text that contains the binding */
	unsigned int line;
};

struct keymap {
	const struct keymap_names *names;
	struct keymap_binding *bindings; /* in the order of the texts */
	size_t count, capacity;
	char **files; /* escaped names of the texts parsed so far */
	size_t file_count, file_capacity;
	char **problems;
	size_t problem_count, problem_capacity;
};

/* Register a text; return its index, for .text. */
int keymap_begin_text(struct keymap *keymap, const char *file);
void keymap_remove(struct keymap *keymap, struct keymap_binding *binding);
/* Append without a check for conflicts. False: there are too many bindings. */
bool keymap_append(struct keymap *keymap, const struct keymap_binding *binding);

#endif
