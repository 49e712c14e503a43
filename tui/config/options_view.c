#include "tui/config/options_private.h"

#include "engine/base/escape.h"
#include "tui/config/actions.h"

#include <string.h>

#define PREFIX "view-"

const char *options_view_name(int index, int *action)
{
	for (int i = 0; i < ACTION_COUNT; i++) {
		const char *name = action_name((enum action)i);

		if (strncmp(name, PREFIX, sizeof(PREFIX) - 1) || index--)
			continue;
		*action = i;
		return name + sizeof(PREFIX) - 1;
	}
	return NULL;
}

int options_find_view(const char *name)
{
	const char *view;
	int action;

	for (int i = 0; (view = options_view_name(i, &action)); i++)
		if (!strcmp(view, name))
			return action;
	return -1;
}

bool options_take_view(struct parse *parse, const char *name)
{
	int action = options_find_view(name);
	struct str known = STR_INIT;
	bool found = action >= 0;
	const char *view;
	char shown[64];

	if (found)
		parse->options->view = action;
	for (int i = 0; (view = options_view_name(i, &action)); i++)
		str_addf(&known, "%s%s", i ? ", " : "", view);
	if (!found)
		options_refuse(parse, "--view: '%s' is not one of %s",
			       escape_name(shown, sizeof(shown), name), known.data);
	str_release(&known);
	return found;
}
