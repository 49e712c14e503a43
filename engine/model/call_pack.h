/*
 * call_pack - a call in as few bytes as its numbers need: how the history keeps it.
 *
 * A word of lengths, four bits for each number, then the numbers without their leading
 * zero bytes, least significant byte first. Numbers that are near another are kept as what they
 * differ by: the time of the enter from a base that whoever keeps the call remembers, the
 * thread from its process. What only blocked calls have comes behind, with lengths
 * of its own, if there is any of it. Nothing is left out: a call comes back as it was. Most
 * take 30 to 60 bytes, a third of struct call.
 */
#ifndef MODEL_CALL_PACK_H
#define MODEL_CALL_PACK_H

#include "engine/record/call.h"

#include <stddef.h>

#define CALL_PACK_BYTES_MAX 148 /* no call takes more */
#define CALL_PACK_SLACK 8 /* behind a call that are read and written too, and mean nothing */

/* Returns the bytes that it took; there must be room for the most, and the slack. */
size_t call_pack(unsigned char *to, const struct call *call, uint64_t base_ns);
void call_unpack(struct call *call, const unsigned char *from, uint64_t base_ns);

#endif
