/*
 * pending_keys - keys pressed so far that can become a key sequence.
 *
 * A bound key is never the prefix of a longer sequence. So a sequence needs no timeout: its meaning
 * never depends on the clock. UI thread only.
 */
#ifndef DIALOGS_PENDING_KEYS_H
#define DIALOGS_PENDING_KEYS_H

#include "tui/config/bindings.h"

struct pending_keys {
	struct keystrokes keys; /* keys of the pending sequence; empty: none */
	uint64_t since_ns; /* time of the last key */
};

/* Contexts in which keys are looked up, in this order; the first one that binds them decides. */
struct pending_keys_places {
	enum action_context at[3];
	int count;
};

enum pending_keys_result {
	PENDING_KEYS_ACTION, /* *action is bound to the keys */
	PENDING_KEYS_NOTHING, /* the keys are bound in none of the contexts */
	PENDING_KEYS_WAITS, /* the keys are a prefix of a sequence */
	PENDING_KEYS_CANCELLED, /* Esc or Ctrl-G cancelled a sequence */
};

/*
 * Process a key. *pressed receives the keys of the sequence so far, including this one. The
 * sequence continues only after PENDING_KEYS_WAITS.
 */
enum pending_keys_result pending_keys_take(struct pending_keys *pending_keys,
					   const struct bindings *bindings,
					   const struct pending_keys_places *places, struct key key,
					   uint64_t now_ns, struct keystrokes *pressed,
					   enum action *action);
bool pending_keys_waits(const struct pending_keys *pending_keys);
void pending_keys_drop(struct pending_keys *pending_keys);

#endif
