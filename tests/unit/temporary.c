#include "tests/unit/temporary.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static void name_path(char path[TEMPORARY_PATH_MAX], const char *name)
{
	const char *folder = getenv("TMPDIR");
	int len = snprintf(path, TEMPORARY_PATH_MAX, "%s/stxtop-%s-XXXXXX",
			   folder && *folder ? folder : "/tmp", name);

	ck_assert_msg(len < TEMPORARY_PATH_MAX, "TMPDIR is too long: %s", folder);
}

int temporary_file(char path[TEMPORARY_PATH_MAX], const char *name)
{
	int fd;

	name_path(path, name);
	fd = mkstemp(path);
	ck_assert_msg(fd >= 0, "cannot create %s", path);
	return fd;
}

void temporary_folder(char path[TEMPORARY_PATH_MAX], const char *name)
{
	name_path(path, name);
	ck_assert_msg(mkdtemp(path) != NULL, "cannot create %s", path);
}
