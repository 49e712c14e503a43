/*
 * sockopt_values - what the value of a socket's option is, by level and option.
 *
 * A number of four bytes where nothing else is known, any other length as text. Addresses are
 * not NULL. Any thread.
 */
#ifndef FAMILIES_SOCKOPT_VALUES_H
#define FAMILIES_SOCKOPT_VALUES_H

#include "engine/decode/printer.h"

/* As setsockopt() was given it: `len` as it stands in the call, negative ones too. */
void print_option_set(struct printer *p, uint64_t address, int32_t len);
/* As getsockopt() filled it in: `used` of `room` bytes, of which there may be fewer. */
void print_option_got(struct printer *p, uint64_t address, uint32_t room, uint32_t used);

#endif
