/*
 * fuzz_keymap - any text as a keymap: refused with FILE:LINE: and nothing
 * changed, or every key that it bound can be found and spelled again.
 */
#include "widgets/keymap.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const actions[] = { "move-up", "move-down", "quit", "search" };
static const char *const contexts[] = { "global", "prompt", "menu" };
static const char first[] = "move-up Up k\nquit q F10\n[prompt]\nsearch Ctrl-R Enter\n";

/* All that the map says, as one text. */
static void describe(const struct keymap *keymap, struct str *out)
{
	for (int context = 0; context < COUNT(contexts); context++)
		for (int action = 0; action < COUNT(actions); action++) {
			str_addf(out, "%d %d ", context, action);
			keymap_list(keymap, context, action, out);
			str_addc(out, '\n');
		}
}

/* What help shows can be pressed: each key does what it is listed under. */
static void check_keys(const struct keymap *keymap)
{
	for (int context = 0; context < COUNT(contexts); context++)
		for (int action = 0; action < COUNT(actions); action++) {
			struct key key;

			for (size_t i = 0; keymap_key(keymap, context, action, i, &key); i++)
				if (keymap_find(keymap, context, key) != action)
					abort();
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct keymap_names names = {
		.actions = actions, .action_count = COUNT(actions),
		.contexts = contexts, .context_count = COUNT(contexts),
	};
	struct keymap *keymap = keymap_new(&names);
	struct str before = STR_INIT, after = STR_INIT;
	struct err err = { "" };

	if (keymap_parse(keymap, "first", first, sizeof(first) - 1, &err))
		abort();
	describe(keymap, &before);
	if (keymap_parse(keymap, "second", (const char *)data, size, &err)) {
		describe(keymap, &after);
		if (strncmp(err.text, "second:", 7) || strcmp(before.data, after.data))
			abort();
	}
	check_keys(keymap);
	str_release(&before);
	str_release(&after);
	keymap_free(keymap);
	return 0;
}
