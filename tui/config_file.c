#include "tui/config_file.h"

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

int config_file_path(const char *name, struct str *path, struct err *err)
{
	const char *base = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (base && *base == '/')
		str_addf(path, "%s/stxtop/%s", base, name);
	else if (home && *home == '/')
		str_addf(path, "%s/.config/stxtop/%s", home, name);
	else
		return err_set(err, -ENOENT, "there is no place for files of yours: set HOME or "
			       "XDG_CONFIG_HOME");
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
			return err_set(err, -EINVAL, "%s: it has NUL bytes: it is no text file",
				       escape_name(shown, sizeof(shown), path));
		str_addn(text, bytes, (size_t)got);
		if (text->len - begin > max)
			return err_set(err, -EFBIG, "%s: it is larger than %zu KiB",
				       escape_name(shown, sizeof(shown), path), max / 1024);
	}
	if (text->len > begin && text->data[text->len - 1] != '\n')
		str_addc(text, '\n');
	return 0;
}

int config_file_read(const char *path, size_t max, struct str *text, struct err *err)
{
	/* A pipe in its place must not hold up the interface. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char shown[SHOWN_BYTES];
	struct stat st;
	int rc;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0)
		return failed("read", path, errno, err);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		rc = err_set(err, -EINVAL, "%s: it is no file",
			     escape_name(shown, sizeof(shown), path));
	else
		rc = read_all(fd, path, max, text, err);
	close(fd);
	return rc;
}

/* All directories above the file. Nobody else has any business in what is new. */
static int make_dirs(const char *path, struct err *err)
{
	char *dir = mem_strdup(path);
	int rc = 0;

	for (char *at = strchr(dir + 1, '/'); at && !rc; at = strchr(at + 1, '/')) {
		*at = '\0';
		if (mkdir(dir, 0700) && errno != EEXIST)
			rc = failed("make the directory", dir, errno, err);
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

/* Those who could read the old one can read the new one, and nobody else. */
static void take_mode(int fd, const char *path)
{
	struct stat st;

	if (!stat(path, &st))
		fchmod(fd, st.st_mode & 0777);
}

int config_file_write(const char *path, const struct str *text, struct err *err)
{
	int rc = make_dirs(path, err), fd;
	char *real, *temporary;

	if (rc)
		return rc;
	real = realpath(path, NULL);
	if (asprintf(&temporary, "%s.XXXXXX", real ? real : path) < 0) {
		free(real);
		return err_set(err, -ENOMEM, "cannot write %s: out of memory", path);
	}
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		rc = failed("write", temporary, errno, err);
		goto out;
	}
	take_mode(fd, path);
	rc = write_all(fd, text);
	if (close(fd) && !rc)
		rc = -errno;
	if (!rc && rename(temporary, real ? real : path))
		rc = -errno;
	if (rc) {
		failed("write", path, -rc, err);
		unlink(temporary);
	}
out:
	free(temporary);
	free(real);
	return rc;
}
