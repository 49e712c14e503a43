#include "tui/config/config_file.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/users.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHOWN_BYTES 128
#define OWNER_BYTES 132
#define TEMPORARY_TRIES 100

int config_file_path(const char *name, struct str *path, struct err *err)
{
	const char *base = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (base && *base == '/')
		str_addf(path, "%s/stxtop/%s", base, name);
	else if (home && *home == '/')
		str_addf(path, "%s/.config/stxtop/%s", home, name);
	else
		return err_set(err, -ENOENT,
			       "no configuration directory: set HOME or XDG_CONFIG_HOME");
	return 0;
}

static int failed(const char *verb, const char *path, int code, struct err *err)
{
	char shown[SHOWN_BYTES];

	return err_set(err, -code, "cannot %s %s: %s", verb,
		       escape_name(shown, sizeof(shown), path), strerror(code));
}

static int read_all(int fd, const char *path, size_t max, struct str *text, struct err *err)
{
	char bytes[4096], shown[SHOWN_BYTES];
	size_t begin = text->len;
	ssize_t got;

	while ((got = read(fd, bytes, sizeof(bytes))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return failed("read", path, errno, err);
		if (memchr(bytes, 0, (size_t)got))
			return err_set(err, -EINVAL, "%s: not a text file: it has NUL bytes",
				       escape_name(shown, sizeof(shown), path));
		str_addn(text, bytes, (size_t)got);
		if (text->len - begin > max)
			return err_set(err, -EFBIG, "%s: larger than %zu KiB",
				       escape_name(shown, sizeof(shown), path), max / 1024);
	}
	if (text->len > begin && text->data[text->len - 1] != '\n')
		str_addc(text, '\n');
	return 0;
}

int config_file_read(const char *path, size_t max, struct str *text, struct err *err)
{
	/* A FIFO under this name must not block the interface. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char shown[SHOWN_BYTES];
	struct stat st;
	int rc;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0)
		return failed("read", path, errno, err);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		rc = err_set(err, -EINVAL, "%s: not a regular file",
			     escape_name(shown, sizeof(shown), path));
	else
		rc = read_all(fd, path, max, text, err);
	close(fd);
	return rc;
}

static const char *user_shown(char out[OWNER_BYTES], uid_t uid)
{
	char name[OWNER_BYTES / 4];

	if (users_name(uid, name, sizeof(name)))
		return escape_name(out, OWNER_BYTES, name);
	snprintf(out, OWNER_BYTES, "user %u", uid);
	return out;
}

/*
 * Refuse a file or directory of another user. With sudo and a preserved $HOME, root would leave
 * files that the user cannot change. Symlinks of the user could also lead root to write elsewhere.
 */
static int check_owner(const struct stat *st, const char *path, struct err *err)
{
	char shown[SHOWN_BYTES], owner[OWNER_BYTES], self[OWNER_BYTES];

	if (st->st_uid == geteuid())
		return 0;
	return err_set(err, -EPERM,
		       "%s belongs to %s: not written as %s; sudo -H gives root its own home",
		       escape_name(shown, sizeof(shown), path), user_shown(owner, st->st_uid),
		       user_shown(self, geteuid()));
}

/* Create the missing parent directories, with access for the owner only. */
static int make_dirs(const char *path, struct err *err)
{
	char *dir = mem_strdup(path);
	struct stat st;
	int rc = 0;

	for (char *at = strrchr(dir, '/'); at && at > dir; at = strrchr(dir, '/')) {
		*at = '\0';
		if (stat(dir, &st))
			continue;
		rc = check_owner(&st, dir, err);
		break;
	}
	memcpy(dir, path, strlen(path) + 1);
	for (char *at = strchr(dir + 1, '/'); at && !rc; at = strchr(at + 1, '/')) {
		*at = '\0';
		if (mkdir(dir, 0700) && errno != EEXIST && errno != EROFS && errno != EACCES)
			rc = failed("create the directory", dir, errno, err);
		else if (stat(dir, &st))
			rc = failed("create the directory", dir, errno, err);
		*at = '/';
	}
	free(dir);
	return rc;
}

static int write_all(int fd, const struct str *text)
{
	size_t at = 0;

	while (at < text->len) {
		ssize_t wrote = write(fd, text->data + at, text->len - at);

		if (wrote < 0 && errno != EINTR)
			return -errno;
		if (wrote > 0)
			at += (size_t)wrote;
	}
	return fsync(fd) ? -errno : 0;
}

/* Create a new file .tmp-NUMBER in the directory. */
static int open_temporary(int dir_fd, char name[32])
{
	unsigned int number;
	int fd;

	for (int i = 0; i < TEMPORARY_TRIES; i++) {
		if (getrandom(&number, sizeof(number), 0) != sizeof(number))
			number = (unsigned int)getpid() + (unsigned int)i;
		snprintf(name, 32, ".tmp-%08x", number);
		fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			    0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* All accesses use dir_fd, so the directory cannot be swapped meanwhile. */
static int replace(int dir_fd, const char *name, const char *path, const struct str *text,
		   struct err *err)
{
	char temporary[32];
	struct stat old;
	bool is_there = !fstatat(dir_fd, name, &old, AT_SYMLINK_NOFOLLOW);
	int fd, rc = is_there ? check_owner(&old, path, err) : 0;

	if (rc)
		return rc;
	if (is_there && !S_ISREG(old.st_mode))
		return failed("write", path, EEXIST, err);
	fd = open_temporary(dir_fd, temporary);
	if (fd < 0)
		return failed("write", path, errno, err);
	/* The new file has the permissions of the old one. */
	if (is_there)
		fchmod(fd, old.st_mode & 0777);
	rc = write_all(fd, text);
	if (close(fd) && !rc)
		rc = -errno;
	if (!rc && renameat(dir_fd, temporary, dir_fd, name))
		rc = -errno;
	if (rc) {
		failed("write", path, -rc, err);
		unlinkat(dir_fd, temporary, 0);
	} else {
		fsync(dir_fd); /* the file is in place; this only makes the rename durable */
	}
	return rc;
}

/* Return the target of a symlink, or the path itself; the caller frees it. NULL: an error. */
static char *find_real(const char *path, struct err *err)
{
	char *real = realpath(path, NULL);
	struct stat st;

	if (real)
		return real;
	if (errno != ENOENT || !lstat(path, &st)) {
		failed("write", path, errno ? errno : ENOENT, err);
		return NULL;
	}
	return mem_strdup(path);
}

int config_file_write(const char *path, const struct str *text, struct err *err)
{
	int rc = make_dirs(path, err), dir_fd;
	char *real, *name;
	struct stat st;

	if (rc)
		return rc;
	real = find_real(path, err);
	if (!real)
		return -ENOENT;
	name = strrchr(real, '/');
	*name++ = '\0';
	dir_fd = open(*real ? real : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0 || fstat(dir_fd, &st))
		rc = failed("write", path, errno, err);
	else
		rc = check_owner(&st, real, err);
	if (!rc)
		rc = replace(dir_fd, name, path, text, err);
	if (dir_fd >= 0)
		close(dir_fd);
	free(real);
	return rc;
}
