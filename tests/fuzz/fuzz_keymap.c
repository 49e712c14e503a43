/*
 * fuzz_keymap - any text as a keymap that extends another one. Each bound key sequence is found,
 * and its name parses to the same sequence. No bound sequence is a prefix of another. Each invalid
 * line gives a message with FILE:LINE:, up to a limit.
 */
#include "widgets/terminal/keymap.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const actions[] = { "move-up", "move-down", "quit", "search" };
static const char *const contexts[] = { "global", "prompt", "menu" };
static const char first[] = "move-up Up k gg\nquit q F10 \"Ctrl-X Ctrl-C\" ZZ\n"
			    "[prompt]\nsearch Ctrl-R Enter\n";
static const size_t first_len = sizeof(first) - 1;
static const struct keymap_text texts[] = { { "vi", first, &first_len } };

static bool fits(int context, int action)
{
	return context || action != 3;
}

static void check_spelling(const struct keystrokes *keys)
{
	char name[KEYSTROKES_BYTES];
	struct keystrokes again;

	keystrokes_format(name, keys);
	if (keystrokes_parse(name, &again) || !keystrokes_equal(keys, &again))
		abort();
	keystrokes_format_short(name, keys);
}

/* Each sequence that help lists under an action triggers that action. */
static void check_keys(const struct keymap *keymap)
{
	size_t total = 0;

	for (int context = 0; context < COUNT(contexts); context++)
		for (int action = 0; action < COUNT(actions); action++) {
			struct keystrokes keys, whole;
			int other;

			for (size_t i = 0; keymap_keys(keymap, context, action, i, &keys); i++) {
				if (keymap_find(keymap, context, &keys) != action ||
				    keymap_follow(keymap, context, &keys, 0, &whole, &other) ||
				    !fits(context, action) || ++total > KEYMAP_MAX_BINDINGS)
					abort();
				check_spelling(&keys);
				for (keys.count--; keys.count; keys.count--)
					if (!keymap_follow(keymap, context, &keys, 0, &whole,
							   &other))
						abort();
			}
		}
}

static void check_problems(const struct keymap *keymap, int reported)
{
	const char *problem;
	int count = 0;

	for (; (problem = keymap_problem(keymap, (size_t)count)); count++)
		if (strncmp(problem, "second:", 7) || strpbrk(problem, "\n\033"))
			abort();
	/* Parsing stops at the limit, possibly in the middle of a line. */
	if (count != reported || count > KEYMAP_MAX_PROBLEMS + 2)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct keymap_names names = {
		.actions = actions,
		.action_count = COUNT(actions),
		.contexts = contexts,
		.context_count = COUNT(contexts),
		.texts = texts,
		.text_count = COUNT(texts),
		.fits = fits,
	};
	struct keymap *keymap = keymap_new(&names);

	if (keymap_parse(keymap, "first", first, first_len))
		abort();
	check_problems(keymap, keymap_parse(keymap, "second", (const char *)data, size));
	check_keys(keymap);
	keymap_free(keymap);
	return 0;
}
