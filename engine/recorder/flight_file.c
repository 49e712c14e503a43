#include "engine/recorder/flight_file.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/str.h"
#include "engine/recorder/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRIES_MAX 10000

static int refuse(struct err *err, int code, const char *pattern, const char *why)
{
	char shown[160];

	return err_set(err, code, "invalid file name for the flight recorder: %s: %s",
		       escape_name(shown, sizeof(shown), pattern), why);
}

/* Replace %N, which strftime(3) does not define. False: the pattern has no %N. */
static bool put_number(const char *pattern, uint32_t number, struct str *out)
{
	bool found = false;

	for (const char *at = pattern; *at; at++) {
		if (at[0] == '%' && at[1] == 'N') {
			str_addf(out, "%u", number);
			found = true;
			at++;
		} else {
			str_addc(out, *at);
			if (at[0] == '%' && at[1])
				str_addc(out, *++at);
		}
	}
	return found;
}

int flight_file_name(const char *pattern, time_t now, uint32_t number, char path[FLIGHT_PATH_BYTES],
		     struct err *err)
{
	struct str text = STR_INIT;
	size_t len = strlen(pattern);
	struct tm tm;

	if (!len || pattern[len - 1] == '/') {
		return refuse(err, -EINVAL, pattern,
			      "expected a file name, as in /var/tmp/flight-%Y%m%d-%H%M%S.data");
	}
	if (!put_number(pattern, number, &text) && number > 1)
		str_addf(&text, ".%u", number);
	/* strftime() returns 0 if the name does not fit with its NUL, or is empty. */
	len = localtime_r(&now, &tm) ? strftime(path, FLIGHT_PATH_BYTES, text.data, &tm) : 0;
	str_release(&text);
	return len ? 0 : refuse(err, -ENAMETOOLONG, pattern, "the name is too long or empty");
}

int flight_file_check(const char *pattern, struct err *err)
{
	char path[FLIGHT_PATH_BYTES], shown[160], *slash;
	int rc = flight_file_name(pattern, time(NULL), 1, path, err);

	if (rc)
		return rc;
	slash = strrchr(path, '/');
	if (slash)
		slash[slash == path] = '\0';
	else
		memcpy(path, ".", 2);
	if (faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS))
		return err_set(err, -errno, "the flight recorder cannot create files in %s: %s",
			       escape_name(shown, sizeof(shown), path), strerror(errno));
	return 0;
}

void flight_files_release(struct flight_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->kept[i]);
	free(files->kept);
	memset(files, 0, sizeof(*files));
}

int flight_files_open(struct flight_files *files, const char *pattern, time_t now,
		      char path[FLIGHT_PATH_BYTES], struct err *err)
{
	for (int i = 0; i < TRIES_MAX; i++) {
		int fd = flight_file_name(pattern, now, ++files->number, path, err);

		if (!fd)
			fd = recording_file_open(path, true, err);
		if (fd != -EEXIST)
			return fd;
	}
	return -EEXIST;
}

void flight_files_retain(struct flight_files *files, const char *path, uint32_t keep)
{
	files->kept = mem_grow(files->kept, &files->cap, files->count + 1, sizeof(*files->kept));
	files->kept[files->count++] = mem_strdup(path);
	while (keep && files->count > keep) {
		unlink(files->kept[0]);
		free(files->kept[0]);
		files->count--;
		memmove(files->kept, files->kept + 1, files->count * sizeof(*files->kept));
	}
}
