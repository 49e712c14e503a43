/*
 * text_fields - splits the text of a struct into one line per member.
 *
 *	{st_mode=S_IFREG|0644, st_size=3, ...}     {
 *	                                             st_mode=S_IFREG|0644,
 *	                                             st_size=3,
 *	                                             ...
 *	                                           }
 *
 * The input is the output of the decoder, so quoted parts are always plain text. Arrays are split
 * if their elements are structs. Any thread.
 */
#ifndef CALLS_TEXT_FIELDS_H
#define CALLS_TEXT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

/* Receives the lines in order. `text` has `len` bytes and is not terminated. */
typedef void text_field_fn(void *ctx, const char *text, size_t len, unsigned depth);

/*
 * Split a text into at most a few hundred lines, which together contain it without the spaces
 * between items. A text without structs is one line of depth 0.
 */
void text_fields(const char *text, size_t len, text_field_fn *line, void *ctx);

#endif
