#include "engine/base/users.h"

#include "engine/base/words.h"

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

bool users_name(uint32_t uid, char *name, size_t name_bytes)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd entry, *found;
	char line[LINE_BYTES];
	bool known = false;

	if (!file)
		return false;
	while (!known && !fgetpwent_r(file, &entry, line, sizeof(line), &found)) {
		known = found->pw_uid == uid;
		if (known)
			snprintf(name, name_bytes, "%s", found->pw_name);
	}
	fclose(file);
	return known;
}

bool users_nearest(const char *name, size_t len, char *nearest, size_t nearest_bytes)
{
	struct words_nearest words = words_nearest_to(name, len);
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd entry, *found;
	char line[LINE_BYTES];

	nearest[0] = '\0';
	if (!file)
		return false;
	while (!fgetpwent_r(file, &entry, line, sizeof(line), &found)) {
		words_nearest_offer(&words, found->pw_name);
		/* Copy the name: the next entry overwrites the line. */
		if (words.found == found->pw_name)
			snprintf(nearest, nearest_bytes, "%s", found->pw_name);
		if (words.found)
			words.found = nearest;
	}
	fclose(file);
	return nearest[0] != '\0';
}
