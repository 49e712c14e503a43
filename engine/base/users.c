#include "engine/base/users.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

#define LINE_BYTES 4096 /* a longer line ends the search */

bool users_number(const char *name, size_t len, uint32_t *uid)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd entry, *found;
	char line[LINE_BYTES];
	bool known = false;

	if (!file)
		return false;
	while (!known && !fgetpwent_r(file, &entry, line, sizeof(line), &found)) {
		known = strlen(found->pw_name) == len && !memcmp(found->pw_name, name, len);
		if (known)
			*uid = found->pw_uid;
	}
	fclose(file);
	return known;
}
