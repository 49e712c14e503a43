/*
 * flight_file - names and retention of flight recorder files.
 *
 * A pattern is a format of strftime(3), in local time. %N is the number of the file, counted from
 * 1. Existing files are never overwritten: the next number is tried instead. Without %N in the
 * pattern, names of file 2 and later end with ".NUMBER". Files are created with the privileges of
 * the user (privilege.h). One thread.
 */
#ifndef RECORDER_FLIGHT_FILE_H
#define RECORDER_FLIGHT_FILE_H

#include "engine/base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define FLIGHT_PATH_BYTES 4096

struct flight_files {
	uint32_t number; /* number of the last file */
	char **kept; /* names of retained files, oldest first; owned */
	size_t count, cap;
};

/* Format a file name. -EINVAL or -ENAMETOOLONG with a message: the pattern gives no valid name. */
int flight_file_name(const char *pattern, time_t now, uint32_t number, char path[FLIGHT_PATH_BYTES],
		     struct err *err);
/* Check that a file could be created now, without creating one. -errno with a message. */
int flight_file_check(const char *pattern, struct err *err);

void flight_files_release(struct flight_files *files); /* does not remove files */
/*
 * Create a file with mode 0600. Return its descriptor, with its name in path, or -errno with a
 * message.
 */
int flight_files_open(struct flight_files *files, const char *pattern, time_t now,
		      char path[FLIGHT_PATH_BYTES], struct err *err);
/* Add a complete file; remove the oldest ones beyond `keep`. 0: remove none. */
void flight_files_retain(struct flight_files *files, const char *path, uint32_t keep);

#endif
