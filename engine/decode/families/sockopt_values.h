/*
 * sockopt_values - prints the value of a socket option, by level and option.
 *
 * An unknown option is shown as a number if it has four bytes, else as text. Addresses are not
 * NULL. Any thread.
 */
#ifndef FAMILIES_SOCKOPT_VALUES_H
#define FAMILIES_SOCKOPT_VALUES_H

#include "engine/decode/printer.h"

/* Print the value passed to setsockopt(); `len` as in the call, also if negative. */
void print_option_set(struct printer *p, uint64_t address, int32_t len);
/* Print a value of getsockopt() with `used` bytes. The buffer, of `room` bytes, can be smaller. */
void print_option_got(struct printer *p, uint64_t address, uint32_t room, uint32_t used);

#endif
