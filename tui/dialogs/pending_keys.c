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

enum pending_keys_result pending_keys_take(struct pending_keys *pending_keys,
					   const struct bindings *bindings,
					   const struct pending_keys_places *places, struct key key,
					   uint64_t now_ns, struct keystrokes *pressed,
					   enum action *action)
{
	bool had_begun = pending_keys_waits(pending_keys);
	bool has_room = keystrokes_add(&pending_keys->keys, key);

	*pressed = pending_keys->keys;
	for (int i = 0; i < places->count && has_room; i++) {
		int found = bindings_find(bindings, places->at[i], pressed);

		if (found != KEYMAP_NONE) {
			pending_keys_drop(pending_keys);
			*action = (enum action)found;
			return PENDING_KEYS_ACTION;
		}
		if (can_go_on(bindings, places->at[i], pressed)) {
			pending_keys->since_ns = now_ns;
			return PENDING_KEYS_WAITS;
		}
	}
	pending_keys_drop(pending_keys);
	return had_begun && is_cancel(key) ? PENDING_KEYS_CANCELLED : PENDING_KEYS_NOTHING;
}

bool pending_keys_waits(const struct pending_keys *pending_keys)
{
	return pending_keys->keys.count > 0;
}

void pending_keys_drop(struct pending_keys *pending_keys)
{
	pending_keys->keys.count = 0;
}
