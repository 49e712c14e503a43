#include "tui/options_private.h"

#include "engine/base/escape.h"
#include "tui/actions.h"

#include <string.h>

bool options_take_view(struct parse *parse, const char *name)
{
	static const char prefix[] = "view-";
	struct str known = STR_INIT;
	bool found = false;
	char shown[64];

	for (int i = 0; i < ACTION_COUNT && !found; i++) {
		const char *action = action_name((enum action)i);

		if (strncmp(action, prefix, sizeof(prefix) - 1))
			continue;
		action += sizeof(prefix) - 1;
		str_addf(&known, "%s%s", known.len ? ", " : "", action);
		found = !strcmp(action, name);
		if (found)
			parse->options->view = i;
	}
	if (!found)
		options_refuse(parse, "--view: '%s' is none of %s",
			       escape_name(shown, sizeof(shown), name), known.data);
	str_release(&known);
	return found;
}
