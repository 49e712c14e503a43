#include "engine/source/live/access_place.h"

#include "engine/base/escape.h"
#include "engine/process/proc_stat.h"
#include "engine/source/perf/perf_open.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define FOLDER "/usr/local/bin" /* for a copy that can have capabilities */
#define COPY FOLDER "/stxtop"

/* Return the value of kernel.NAME; `otherwise` if it cannot be read. */
static int kernel_setting(const char *name, int otherwise)
{
	char path[64], text[32];

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	if (proc_read_at(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return otherwise;
	return (int)strtol(text, NULL, 10);
}

/* Quote the path as one word of a shell. False if it has characters that are unsafe to paste. */
static bool quote(const char *path, char *out, size_t out_bytes)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._-+,:@%=";
	char shown[PATH_MAX];
	bool is_plain = path[strspn(path, plain)] == '\0';

	if (strchr(path, '\'') || strcmp(escape_name(shown, sizeof(shown), path), path))
		return false;
	return snprintf(out, out_bytes, is_plain ? "%s" : "'%s'", path) < (int)out_bytes;
}

bool access_program(char *path, size_t bytes)
{
	static const char gone[] = " (deleted)";
	ssize_t len = readlink("/proc/self/exe", path, bytes - 1);

	if (len <= 0)
		return false;
	path[len] = '\0';
	if (access(path, F_OK) && (size_t)len >= sizeof(gone) &&
	    !strcmp(path + len - (sizeof(gone) - 1), gone))
		path[(size_t)len - (sizeof(gone) - 1)] = '\0';
	return !access(path, F_OK);
}

static const char *deaf_place(const char *path)
{
	struct statvfs fs;

	if (!statvfs(path, &fs) && (fs.f_flag & ST_NOSUID))
		return "is mounted nosuid";
	if (lgetxattr(path, "security.capability", NULL, 0) < 0 && errno == ENOTSUP)
		return "does not store capabilities";
	return NULL;
}

static void look_at_program(struct access_place *place)
{
	char path[PATH_MAX];
	const char *deaf;

	if (!access_program(path, sizeof(path)) ||
	    !quote(path, place->program, sizeof(place->program)))
		return;
	deaf = deaf_place(path);
	if (!deaf)
		return;
	if (deaf_place(FOLDER) || !strcmp(path, COPY) ||
	    snprintf(place->copied, sizeof(place->copied), "install -m 755 %s " COPY,
		     place->program) >= (int)sizeof(place->copied)) {
		place->program[0] = place->copied[0] = '\0';
		snprintf(place->note, sizeof(place->note),
			 "file capabilities have no effect here: the file system of stxtop %s; "
			 "install it elsewhere",
			 deaf);
		return;
	}
	snprintf(place->program, sizeof(place->program), COPY);
	snprintf(place->note, sizeof(place->note),
		 "file capabilities have no effect here: the file system of stxtop %s; run the "
		 "copy instead",
		 deaf);
}

void access_place_look(struct access_place *place, int tracefs)
{
	int last = kernel_setting("cap_last_cap", CAP_LAST_CAP);
	struct statfs fs;

	memset(place, 0, sizeof(*place));
	self_capabilities_read(&place->rights);
	place->root = geteuid() == 0;
	place->gid = (unsigned int)getgid();
	place->paranoid = perf_paranoid();
	place->kptr_restrict = kernel_setting("kptr_restrict", 0);
	place->tracefs = tracefs;
	place->mounted = !statfs(ACCESS_TRACEFS_PLACE, &fs) && fs.f_type == TRACEFS_MAGIC;
	place->capabilities_known = last >= 63 ? UINT64_MAX : (1ULL << (last + 1)) - 1;
	if (place->rights.user_namespace)
		snprintf(place->note, sizeof(place->note),
			 "capabilities do not count in this user namespace: run stxtop outside the "
			 "container");
	else if (place->rights.no_new_privs && !place->root)
		snprintf(place->note, sizeof(place->note),
			 "no_new_privs is set, so file capabilities have no effect: run stxtop "
			 "from another shell, or outside the container");
	else if (!place->root)
		look_at_program(place);
}
