/*
 * flight_file - the files of the flight recorder: their names, and how many of them are kept.
 *
 * A pattern is what strftime(3) takes, of local time; %N is the number of the file, counted from
 * 1. No file is ever written over: where there is one of that name, the next number is tried,
 * and a pattern without %N gets a dot and a number at its end. With the rights of the user
 * (privilege.h). One thread.
 */
#ifndef RECORDER_FLIGHT_FILE_H
#define RECORDER_FLIGHT_FILE_H

#include "engine/base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define FLIGHT_PATH_BYTES 4096

struct flight_files {
	uint32_t number; /* of the last one */
	char **kept; /* names, oldest first; owned */
	size_t count, cap;
};

/* -EINVAL, -ENAMETOOLONG with a sentence: it makes no name. */
int flight_file_name(const char *pattern, time_t now, uint32_t number, char path[FLIGHT_PATH_BYTES],
		     struct err *err);
/* Whether a file could be made now, without making one. */
int flight_file_check(const char *pattern, struct err *err);

void flight_files_release(struct flight_files *files); /* the files stay */
/* A new file for its owner alone: a descriptor, and its name; or -errno with a sentence. */
int flight_files_open(struct flight_files *files, const char *pattern, time_t now,
		      char path[FLIGHT_PATH_BYTES], struct err *err);
/* It is whole: older ones go until there are `keep`; 0: all stay. */
void flight_files_retain(struct flight_files *files, const char *path, uint32_t keep);

#endif
