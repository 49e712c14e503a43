/*
 * err - a sentence for a person, beside the -errno that a program reads.
 *
 * A function that takes a struct err says in it what was tried, what is wrong
 * and what to do, and returns the code. The text is one line without a full
 * stop's worth of context missing: a caller prints it as it is. Bytes that
 * came from another process must be escaped (escape.h) before they go in.
 * Any thread; a struct err belongs to its caller.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#define ERR_TEXT_BYTES 512

struct err {
	char text[ERR_TEXT_BYTES]; /* NUL-terminated, cut at the end if too long */
};

/* Fills err (NULL: nobody reads it) and returns code, which is a -errno. */
int err_set(struct err *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts a few words before what err says already: "FILE:3: " and the like. */
void err_prefix(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
