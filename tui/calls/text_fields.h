/*
 * text_fields - the text of a struct with each of its members on a line of its own.
 *
 *	{st_mode=S_IFREG|0644, st_size=3, ...}     {
 *	                                             st_mode=S_IFREG|0644,
 *	                                             st_size=3,
 *	                                             ...
 *	                                           }
 *
 * Takes what the decoder wrote, so what is in quotes is text whatever it looks like. Arrays
 * are taken apart where their elements are structs. Any thread.
 */
#ifndef CALLS_TEXT_FIELDS_H
#define CALLS_TEXT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

/* Lines come in order; `text` is no string but `len` bytes. */
typedef void text_field_fn(void *ctx, const char *text, size_t len, unsigned depth);

/* A text without structs is one line of depth 0. Some hundred lines at most, with all in them. */
void text_fields(const char *text, size_t len, text_field_fn *line, void *ctx);

#endif
