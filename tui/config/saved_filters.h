/*
 * saved_filters - named filters, in a file that the user may edit.
 *
 *	# futex contention
 *	locks = futex && dur > 10ms
 *
 * One NAME = EXPRESSION per line. Empty lines and lines that begin with # are preserved. A name
 * consists of letters, digits, blanks and -_. characters. The expressions are not parsed here. A
 * file with an invalid line is read as far as possible and never written. Any
 * thread, one at a time.
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
#define SAVED_FILTER_BYTES 4096 /* bytes of an expression; the limit of a prompt */

struct saved_filter {
	char *name, *text;
	unsigned line; /* line number, from 1 */
};

struct saved_filters {
	struct saved_filter *items; /* in file order */
	size_t count, capacity;
};

void saved_filters_init(struct saved_filters *saved);
void saved_filters_release(struct saved_filters *saved);

/*
 * Replace the list by the content of a file. -EINVAL with FILE:LINE: and the first error; the
 * filters of the valid lines are loaded nevertheless.
 */
int saved_filters_read(struct saved_filters *saved, const char *path, struct err *err);

/* Check a name. -EINVAL with the reason. */
int saved_filters_check_name(const char *name, struct err *err);

/*
 * Read the file, change or add one line, and write the file. If saved_filters_read() fails, nothing
 * is written. This function and the next one block on the disk.
 */
int saved_filters_put(const char *path, const char *name, const char *text, struct err *err);
/* -ENOENT: no filter has this name. */
int saved_filters_remove(const char *path, const char *name, struct err *err);

#endif
