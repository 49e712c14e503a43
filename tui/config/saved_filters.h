/*
 * saved_filters - filters under names, in a file that people may edit.
 *
 *	# what hangs on locks
 *	locks = futex && dur > 10ms
 *
 * A line each, NAME = EXPRESSION; empty lines and those that begin with # stay as they are. A
 * name has letters, digits, blanks and -_. in it. Whether an expression is a filter is
 * not looked at here. A file with a line that is none of this is read as far as it can be
 * and never written. UI thread, or another one at a time.
 */
#ifndef CONFIG_SAVED_FILTERS_H
#define CONFIG_SAVED_FILTERS_H

#include "engine/base/err.h"
#include "engine/base/str.h"

#include <stdbool.h>

#define SAVED_FILTERS_FILE "filters" /* for config_file_path() */
#define SAVED_FILTERS_MAX 1000
#define SAVED_FILTERS_BYTES (1u << 20)
#define SAVED_FILTER_NAME_BYTES 64
#define SAVED_FILTER_BYTES 4096 /* of an expression: what a prompt takes */

struct saved_filter {
	char *name, *text;
	unsigned line; /* from 1 */
};

struct saved_filters {
	struct saved_filter *items; /* in the order of the file */
	size_t count, capacity;
};

void saved_filters_init(struct saved_filters *saved);
void saved_filters_release(struct saved_filters *saved);

/*
 * Replaces what is there. -EINVAL with FILE:LINE: and what is wrong with the first such line;
 * the filters on the other lines are there nevertheless.
 */
int saved_filters_read(struct saved_filters *saved, const char *path, struct err *err);

/* 0, or -EINVAL with what is wrong with the name. */
int saved_filters_check_name(const char *name, struct err *err);

/*
 * Reads the file, changes one line of it, or adds one, and writes it. Nothing is written
 * where saved_filters_read() would fail. These wait for the disk.
 */
int saved_filters_put(const char *path, const char *name, const char *text, struct err *err);
/* -ENOENT: there is none of that name. */
int saved_filters_remove(const char *path, const char *name, struct err *err);

#endif
