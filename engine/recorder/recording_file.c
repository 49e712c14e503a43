#include "engine/recorder/recording_file.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int make(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);

	return fd < 0 ? -errno : fd;
}

static int refuse(struct err *err, int code, const char *path, const char *why)
{
	char shown[160];

	return err_set(err, code, "cannot record to %s: %s",
		       escape_name(shown, sizeof(shown), path), why);
}

/* Return why a recording cannot replace this file. */
static const char *what_it_is(const struct stat *st)
{
	if (S_ISDIR(st->st_mode))
		return "it is a directory; name a file in it";
	if (S_ISFIFO(st->st_mode))
		return "it is a FIFO, and a recording needs a seekable file; name a file, or pipe "
		       "the output of -o -";
	return "it is not a regular file; name another";
}

int recording_file_open(const char *path, bool fresh, struct err *err)
{
	char old[PATH_MAX];
	struct stat st;
	int fd = make(path);

	if (fd >= 0)
		return fd;
	if (fd != -EEXIST)
		return refuse(err, fd, path, strerror(-fd));
	if (stat(path, &st))
		return refuse(err, -errno, path, "it is a dangling symlink");
	if (!S_ISREG(st.st_mode))
		return refuse(err, -EINVAL, path, what_it_is(&st));
	if (fresh)
		return refuse(err, -EEXIST, path, "the file exists; choose another name");
	if ((size_t)snprintf(old, sizeof(old), "%s.old", path) >= sizeof(old))
		return refuse(err, -ENAMETOOLONG, path, strerror(ENAMETOOLONG));
	if (rename(path, old))
		return refuse(err, -errno, path, "the existing file cannot be renamed");
	fd = make(path);
	return fd < 0 ? refuse(err, fd, path, strerror(-fd)) : fd;
}

int recording_file_standard_output(struct err *err)
{
	struct stat st;
	int fd = -1;

	if (isatty(STDOUT_FILENO))
		return err_set(err, -EINVAL,
			       "-o -: standard output is a terminal; redirect it to a program or a "
			       "file, as in stxtop -o - COMMAND | perf script -i -");
	/* Open the pipe again: O_NONBLOCK must not affect processes that share the descriptor. */
	if (!fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode))
		fd = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return fd < 0 ? err_set(err, -errno, "-o -: cannot write to standard output: %s",
				strerror(errno))
		      : fd;
}

bool recording_file_is_same(const char *path, const char *other)
{
	struct stat one, two;

	return !stat(path, &one) && !stat(other, &two) && one.st_dev == two.st_dev &&
	       one.st_ino == two.st_ino;
}

char *recording_file_put_aside(const char *path)
{
	struct str name = STR_INIT;
	struct timespec now;
	struct stat st;
	int failed = EEXIST;
	struct tm tm;
	char date[32];

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(date, sizeof(date), "%Y%m%d%H%M%S", &tm);
	/* The name exists if two files end within 1/100 s: try the next one. */
	for (long part = now.tv_nsec / 10000000; part < 1000; part++) {
		str_clear(&name);
		str_addf(&name, "%s.%s%02ld", path, date, part);
		if (!lstat(name.data, &st))
			continue;
		if (!rename(path, name.data))
			return str_steal(&name);
		failed = errno;
		break;
	}
	str_release(&name);
	errno = failed;
	return NULL;
}
