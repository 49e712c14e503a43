#include "tests/screens/config_copy.h"

#include "engine/base/str.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int shell(const char *format, const char *one, const char *other)
{
	struct str command = STR_INIT;
	int status;

	str_addf(&command, format, one, other);
	status = system(command.data);
	str_release(&command);
	return status;
}

char *config_copy_new(const char *from)
{
	char *path = strdup("/tmp/stxtop-screens-XXXXXX");

	if (!path || !mkdtemp(path) || shell("cp -r '%s/.' '%s'", from, path)) {
		free(path);
		return NULL;
	}
	setenv("XDG_CONFIG_HOME", path, 1);
	return path;
}

void config_copy_forget(const char *path, const char *from)
{
	shell("cp '%s/stxtop/settings' '%s/stxtop/settings'", from, path);
}

void config_copy_free(char *path)
{
	if (path)
		shell("rm -rf '%s'%s", path, "");
	free(path);
}
