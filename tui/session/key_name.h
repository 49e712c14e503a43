/* key_name - the key that is bound to an action, for use in a sentence. UI thread only. */
#ifndef SESSION_KEY_NAME_H
#define SESSION_KEY_NAME_H

#include "tui/session/session.h"

#define KEY_NAME_TEXT_BYTES 64

/* Write "Del", or ":clear-filter" if no key is bound; returns out. */
char *key_name(char out[KEY_NAME_TEXT_BYTES], const struct session *session, enum action action);

#endif
