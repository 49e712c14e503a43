/* keymap_private - what the reader of texts (keymap_text.c) knows of a keymap. UI thread only. */
#ifndef TERMINAL_KEYMAP_PRIVATE_H
#define TERMINAL_KEYMAP_PRIVATE_H

#include "widgets/terminal/keymap.h"

struct keymap_binding {
	struct keystrokes keys;
	int context;
	int action;
	int text; /* place in .files: which of the parsed texts it came from */
	unsigned int line;
};

struct keymap {
	const struct keymap_names *names;
	struct keymap_binding *bindings; /* in the order of the texts */
	size_t count, capacity;
	char **files; /* escaped names, of each text parsed so far */
	size_t file_count, file_capacity;
	char **problems;
	size_t problem_count, problem_capacity;
};

/* A text begins: its number, for .text. */
int keymap_begin_text(struct keymap *keymap, const char *file);
void keymap_remove(struct keymap *keymap, struct keymap_binding *binding);
/* Without a look at what it stands against; false: there are too many. */
bool keymap_append(struct keymap *keymap, const struct keymap_binding *binding);

#endif
