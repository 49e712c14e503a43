#include "engine/source/tracefs.h"

#include "engine/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT_BYTES_MAX (256 << 10) /* of a format file; the longest has 6 KiB today */

#define REMOUNT_ADVICE "as root, run: mount -o remount,gid=%u,mode=750 %s (or run stxtop as root)"

static const char *const usual_places[] = {
	"/sys/kernel/tracing", "/sys/kernel/debug/tracing", /* where debugfs mounts tracefs */
};

/* Return 0 if events/ below this folder is readable, otherwise -errno. */
static int usable(const char *folder)
{
	char probe[PATH_MAX];
	int fd;

	if (snprintf(probe, sizeof(probe), "%s/events/raw_syscalls/sys_enter/id", folder) >=
	    (int)sizeof(probe))
		return -ENAMETOOLONG;
	/* Open the file: access(2) ignores file capabilities. */
	fd = open(probe, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* Find a tracefs that the administrator mounted elsewhere. */
static bool mounted_place(char *path, size_t path_bytes)
{
	FILE *mounts = setmntent("/proc/mounts", "re");
	char line[PATH_MAX * 2];
	struct mntent entry;
	bool found = false;

	if (!mounts)
		return false;
	while (!found && getmntent_r(mounts, &entry, line, sizeof(line)))
		if (!strcmp(entry.mnt_type, "tracefs") && strlen(entry.mnt_dir) < path_bytes) {
			snprintf(path, path_bytes, "%s", entry.mnt_dir);
			found = true;
		}
	endmntent(mounts);
	return found;
}

int tracefs_find(char *path, size_t path_bytes, struct err *err)
{
	const char *refused = NULL;
	char place[PATH_MAX];
	int ret;

	for (size_t i = 0; i < sizeof(usual_places) / sizeof(usual_places[0]); i++) {
		ret = usable(usual_places[i]);
		if (!ret) {
			snprintf(path, path_bytes, "%s", usual_places[i]);
			return 0;
		}
		if (ret == -EACCES && !refused)
			refused = usual_places[i];
	}
	if (mounted_place(place, sizeof(place))) {
		ret = usable(place);
		if (!ret) {
			snprintf(path, path_bytes, "%s", place);
			return 0;
		}
		if (ret == -ENOENT)
			return err_set(err, ret,
				       "%s has no raw_syscalls tracepoints: this kernel "
				       "was built without CONFIG_FTRACE_SYSCALLS, which stxtop "
				       "needs",
				       place);
		refused = usual_places[0];
		for (size_t i = 0; i < sizeof(usual_places) / sizeof(usual_places[0]); i++)
			if (!strcmp(place, usual_places[i]))
				refused = usual_places[i];
		return err_set(
			err, -EACCES,
			"no permission to read the tracepoint formats in %s; " REMOUNT_ADVICE,
			refused, (unsigned int)getgid(), refused);
	}
	if (refused && geteuid())
		return err_set(
			err, -EACCES,
			"no permission to read the tracepoint formats in %s; " REMOUNT_ADVICE,
			refused, (unsigned int)getgid(), refused);
	return err_set(err, -ENOENT,
		       "tracefs is not mounted, so the kernel's tracepoints cannot "
		       "be read; as root, run: mount -t tracefs tracefs /sys/kernel/tracing");
}

int tracefs_read(const char *tracefs, const char *system, const char *name, const char *file,
		 char **text, size_t *bytes, struct err *err)
{
	size_t len = 0, cap = 0;
	char path[PATH_MAX];
	char *buffer = NULL;
	ssize_t got;
	int fd, ret = 0;

	snprintf(path, sizeof(path), "%s/events/%s/%s/%s", tracefs, system, name, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		ret = -errno;
		if (ret == -EACCES)
			return err_set(err, ret, "no permission to read %s; " REMOUNT_ADVICE, path,
				       (unsigned int)getgid(), tracefs);
		return err_set(err, ret, "cannot open %s: %s", path, strerror(-ret));
	}
	/* tracefs files report size 0: read until end of file. */
	for (;;) {
		buffer = mem_grow(buffer, &cap, len + 4096, 1);
		got = read(fd, buffer + len, cap - len - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		len += (size_t)got;
		if (len > FORMAT_BYTES_MAX) {
			ret = err_set(err, -EFBIG, "%s is not a tracepoint file: too long", path);
			goto out;
		}
	}
	if (got < 0) {
		ret = err_set(err, -errno, "cannot read %s: %s", path, strerror(errno));
		goto out;
	}
	buffer[len] = '\0';
	*text = buffer;
	buffer = NULL;
	if (bytes)
		*bytes = len;
out:
	free(buffer);
	close(fd);
	return ret;
}
