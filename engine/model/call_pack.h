/*
 * call_pack - packs a call into as few bytes as its values need, for the history.
 *
 * Format: one word with the length of each number (4 bits each), then the numbers without their
 * leading zero bytes, least significant byte first. Numbers that are close to another one are
 * stored as a difference: enter time minus a base that the caller stores, tid minus pid. If the
 * call has waits or stacks, these fields follow, after a word with their lengths. Packing is
 * lossless. Most calls take 30 to 60 bytes, about a third of struct call.
 */
#ifndef MODEL_CALL_PACK_H
#define MODEL_CALL_PACK_H

#include "engine/record/call.h"

#include <stddef.h>

#define CALL_PACK_BYTES_MAX 148 /* upper bound of one packed call */
#define CALL_PACK_SLACK 8 /* unused bytes after a packed call that are read and written */

/*
 * Return the number of bytes used. `to` must have room for CALL_PACK_BYTES_MAX + CALL_PACK_SLACK.
 */
size_t call_pack(unsigned char *to, const struct call *call, uint64_t base_ns);
void call_unpack(struct call *call, const unsigned char *from, uint64_t base_ns);

#endif
