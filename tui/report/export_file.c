#include "tui/report/export_file.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHOWN_BYTES 128

static int failed(const char *path, int code, struct err *err)
{
	char shown[SHOWN_BYTES];
	const char *why = strerror(code);

	if (code == ENOENT || code == ENOTDIR)
		why = "no such directory; create it or choose another";
	else if (code == EACCES || code == EPERM)
		why = "no permission to write to that directory; choose another";
	else if (code == EROFS)
		why = "read-only file system; choose another directory";
	else if (code == ENOSPC || code == EDQUOT)
		why = "the disk is full; no partial file was kept";
	return err_set(err, -code, "cannot write %s: %s", escape_name(shown, sizeof(shown), path),
		       why);
}

/* Return 1 for a regular file, 0 if no file has this path, else -errno. */
static int look(const char *path, struct err *err)
{
	char shown[SHOWN_BYTES];
	struct stat st;

	escape_name(shown, sizeof(shown), path);
	if (stat(path, &st)) {
		if (errno != ENOENT)
			return failed(path, errno, err);
		return lstat(path, &st)
			       ? 0
			       : err_set(err, -EINVAL,
					 "%s is a dangling symlink; choose another name", shown);
	}
	if (S_ISDIR(st.st_mode))
		return err_set(err, -EISDIR, "%s is a directory; add a file name", shown);
	if (!S_ISREG(st.st_mode))
		return err_set(err, -EINVAL, "%s is not a regular file; choose another name",
			       shown);
	return 1;
}

int export_file_open(struct export_file *file, const char *path, bool replace, struct err *err)
{
	int there = look(path, err);
	char shown[SHOWN_BYTES];

	*file = (struct export_file){ .fd = -1, .replace = replace };
	if (there < 0)
		return there;
	if (there && !replace)
		return err_set(err, -EEXIST, "%s already exists",
			       escape_name(shown, sizeof(shown), path));
	file->path = there ? realpath(path, NULL) : mem_strdup(path);
	if (!file->path)
		return failed(path, errno, err);
	if (asprintf(&file->temporary, "%s.XXXXXX", file->path) < 0) {
		file->temporary = NULL;
		export_file_drop(file);
		return failed(path, ENOMEM, err);
	}
	file->fd = mkostemp(file->temporary, O_CLOEXEC);
	if (file->fd < 0) {
		int code = errno;

		free(file->temporary);
		file->temporary = NULL;
		export_file_drop(file);
		return failed(path, code, err);
	}
	return 0;
}

int export_file_write(struct export_file *file, const char *bytes, size_t count, struct err *err)
{
	while (count) {
		ssize_t wrote = write(file->fd, bytes, count);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return failed(file->path, errno, err);
		bytes += wrote;
		count -= (size_t)wrote;
		file->written += (uint64_t)wrote;
	}
	return 0;
}

/* Rename the file. -EEXIST: another program has created a file of this name meanwhile. */
static int take_name(const struct export_file *file)
{
	if (file->replace)
		return rename(file->temporary, file->path) ? -errno : 0;
	if (!renameat2(AT_FDCWD, file->temporary, AT_FDCWD, file->path, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	/* Some file systems lack RENAME_NOREPLACE. */
	if (link(file->temporary, file->path))
		return -errno;
	unlink(file->temporary);
	return 0;
}

static void forget(struct export_file *file)
{
	free(file->path);
	free(file->temporary);
	file->path = file->temporary = NULL;
}

int export_file_close(struct export_file *file, struct err *err)
{
	int rc = close(file->fd) ? -errno : 0;
	char shown[SHOWN_BYTES];

	file->fd = -1;
	if (!rc)
		rc = take_name(file);
	if (!rc) {
		forget(file);
		return 0;
	}
	if (rc == -EEXIST)
		err_set(err, rc, "%s was created by another program meanwhile; not overwritten",
			escape_name(shown, sizeof(shown), file->path));
	else
		failed(file->path, -rc, err);
	export_file_drop(file);
	return rc;
}

void export_file_drop(struct export_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
	if (file->temporary)
		unlink(file->temporary);
	forget(file);
}
