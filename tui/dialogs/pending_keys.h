/*
 * pending_keys - keys that were pressed and may become a sequence.
 *
 * What is bound is never the beginning of a sequence, so there is nothing to wait for in vain:
 * no clock decides what keys mean. UI thread only.
 */
#ifndef DIALOGS_PENDING_KEYS_H
#define DIALOGS_PENDING_KEYS_H

#include "tui/config/bindings.h"

struct prefix {
	struct keystrokes keys; /* none: nothing has begun */
	uint64_t since_ns; /* of the last one */
};

/* Where keys are looked up, in this order: the first that knows them decides. */
struct prefix_places {
	enum action_context at[3];
	int count;
};

enum prefix_result {
	PREFIX_ACTION, /* the keys mean *action */
	PREFIX_NOTHING, /* they mean nothing in any of the places */
	PREFIX_WAITS, /* there are sequences that begin so */
	PREFIX_CANCELLED, /* Esc or Ctrl-G ended a sequence that had begun */
};

/* In *pressed is all that was pressed for it, the key included; only PREFIX_WAITS keeps it. */
enum prefix_result prefix_take(struct prefix *prefix, const struct bindings *bindings,
			       const struct prefix_places *places, struct key key, uint64_t now_ns,
			       struct keystrokes *pressed, enum action *action);
bool prefix_waits(const struct prefix *prefix);
void prefix_drop(struct prefix *prefix);

#endif
