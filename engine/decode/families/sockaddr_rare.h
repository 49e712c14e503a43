/*
 * sockaddr_rare - prints socket addresses of rarely used families.
 */
#ifndef FAMILIES_SOCKADDR_RARE_H
#define FAMILIES_SOCKADDR_RARE_H

#include "engine/decode/printer.h"

#define SOCKADDR_BYTES 128 /* struct sockaddr_storage */

/*
 * Print the members after sa_family. `bytes` has SOCKADDR_BYTES bytes: the first `len` are from the
 * traced program, the remaining bytes are zeros. False, and nothing printed: the family is not one
 * of these, or the address is too short for it.
 */
bool print_rare_sockaddr(struct printer *p, unsigned family, const uint8_t *bytes, size_t len);

#endif
