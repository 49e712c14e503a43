#include "tui/session/key_name.h"

#include "tui/config/bindings.h"

#include <stdio.h>

char *key_name(char out[KEY_NAME_TEXT_BYTES], const struct session *session, enum action action)
{
	char name[KEYSTROKES_BYTES];
	struct keystrokes keys;

	if (session->bindings && bindings_first(session->bindings, CONTEXT_GLOBAL, action, &keys))
		snprintf(out, KEY_NAME_TEXT_BYTES, "%s", keystrokes_format(name, &keys));
	else
		snprintf(out, KEY_NAME_TEXT_BYTES, ":%s", action_name(action));
	return out;
}
