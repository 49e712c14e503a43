#include "tui/dialogs/pending_keys.h"

static bool can_go_on(const struct bindings *bindings, enum action_context context,
		      const struct keystrokes *keys)
{
	struct keystrokes whole;
	enum action action;

	return bindings_follow(bindings, context, keys, 0, &whole, &action);
}

static bool is_cancel(struct key key)
{
	return key_equal(key, (struct key){ KEYS_ESC, 0 }) ||
	       key_equal(key, (struct key){ 'g', KEY_MOD_CTRL });
}

enum prefix_result prefix_take(struct prefix *prefix, const struct bindings *bindings,
			       const struct prefix_places *places, struct key key, uint64_t now_ns,
			       struct keystrokes *pressed, enum action *action)
{
	bool had_begun = prefix_waits(prefix);
	bool has_room = keystrokes_add(&prefix->keys, key);

	*pressed = prefix->keys;
	for (int i = 0; i < places->count && has_room; i++) {
		int found = bindings_find(bindings, places->at[i], pressed);

		if (found != KEYMAP_NONE) {
			prefix_drop(prefix);
			*action = (enum action)found;
			return PREFIX_ACTION;
		}
		if (can_go_on(bindings, places->at[i], pressed)) {
			prefix->since_ns = now_ns;
			return PREFIX_WAITS;
		}
	}
	prefix_drop(prefix);
	return had_begun && is_cancel(key) ? PREFIX_CANCELLED : PREFIX_NOTHING;
}

bool prefix_waits(const struct prefix *prefix)
{
	return prefix->keys.count > 0;
}

void prefix_drop(struct prefix *prefix)
{
	prefix->keys.count = 0;
}
