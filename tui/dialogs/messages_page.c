#include "tui/dialogs/messages_page.h"

#include "engine/base/clock.h"

#include <stdio.h>

static void format_age(char *out, size_t size, uint64_t age_ns)
{
	unsigned long long s = age_ns / NS_PER_S;

	if (s < 60)
		snprintf(out, size, "%llu s ago", s);
	else if (s < 60 * 60)
		snprintf(out, size, "%llu min ago", s / 60);
	else
		snprintf(out, size, "%llu h ago", s / (60 * 60));
}

void messages_page_fill(struct help *help, const struct toast *toast, uint64_t now_ns)
{
	const struct toast_message *message;

	for (size_t i = 0; (message = toast_message(toast, i)); i++) {
		struct str text = STR_INIT;
		char age[40];

		format_age(age, sizeof(age), now_ns - message->said_ns);
		str_addf(&text, "%s%s", message->role == ROLE_ERROR ? "error: " : "",
			 message->text.data);
		if (message->times > 1)
			str_addf(&text, " (%u times)", message->times);
		help_add_field(help, age, message->role, text.data);
		str_release(&text);
	}
	if (!toast->count)
		help_add(help, ROLE_DIM, "No messages yet");
}
