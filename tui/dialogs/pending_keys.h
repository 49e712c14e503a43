/*
 * pending_keys - keys that were pressed and may become a sequence.
 *
 * What is bound is never the beginning of a sequence, so there is nothing to wait for in vain:
 * no clock decides what keys mean. UI thread only.
 */
#ifndef DIALOGS_PENDING_KEYS_H
#define DIALOGS_PENDING_KEYS_H

#include "tui/config/bindings.h"

struct pending_keys {
	struct keystrokes keys; /* none: nothing has begun */
	uint64_t since_ns; /* of the last one */
};

/* Where keys are looked up, in this order: the first that knows them decides. */
struct pending_keys_places {
	enum action_context at[3];
	int count;
};

enum pending_keys_result {
	PENDING_KEYS_ACTION, /* the keys mean *action */
	PENDING_KEYS_NOTHING, /* they mean nothing in any of the places */
	PENDING_KEYS_WAITS, /* there are sequences that begin so */
	PENDING_KEYS_CANCELLED, /* Esc or Ctrl-G ended a sequence that had begun */
};

/*
 * In *pressed is all that was pressed for it, the key included; only PENDING_KEYS_WAITS keeps it.
 */
enum pending_keys_result pending_keys_take(struct pending_keys *pending_keys,
					   const struct bindings *bindings,
					   const struct pending_keys_places *places, struct key key,
					   uint64_t now_ns, struct keystrokes *pressed,
					   enum action *action);
bool pending_keys_waits(const struct pending_keys *pending_keys);
void pending_keys_drop(struct pending_keys *pending_keys);

#endif
