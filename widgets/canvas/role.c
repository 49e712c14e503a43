#include "widgets/canvas/role.h"

#include <string.h>

static const struct {
	const char *name;
	const char *help;
} roles[ROLE_COUNT] = {
#define ROLE_ENTRY(id, name, help) [ROLE_##id] = { name, help },
	ROLE_LIST(ROLE_ENTRY)
#undef ROLE_ENTRY
};

const char *role_name(enum role role)
{
	return (unsigned int)role < ROLE_COUNT ? roles[role].name : "?";
}

const char *role_help(enum role role)
{
	return (unsigned int)role < ROLE_COUNT ? roles[role].help : "";
}

int role_find(const char *name)
{
	for (int i = 0; i < ROLE_COUNT; i++)
		if (!strcmp(roles[i].name, name))
			return i;
	return -1;
}
