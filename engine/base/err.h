/*
 * err - a message for the user, beside the -errno for the caller.
 *
 * A function that takes a struct err writes the failed operation, the reason and the remedy to it,
 * and returns -errno. The text is one complete line that a caller prints unchanged. Escape bytes
 * of other processes (escape.h) before adding them. Any thread; the caller owns the struct err.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#define ERR_TEXT_BYTES 512

struct err {
	char text[ERR_TEXT_BYTES]; /* NUL-terminated; truncated if too long */
};

/* Format the message into err, unless err is NULL. Return code, a -errno. */
int err_set(struct err *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Prepend a prefix such as "FILE:3: " to the message. err may be NULL. */
void err_prefix(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
