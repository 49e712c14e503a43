/*
 * sockaddr_rare - addresses of sockets whose families few programs use.
 */
#ifndef FAMILIES_SOCKADDR_RARE_H
#define FAMILIES_SOCKADDR_RARE_H

#include "engine/decode/printer.h"

#define SOCKADDR_BYTES 128 /* struct sockaddr_storage */

/*
 * The members behind sa_family of SOCKADDR_BYTES, of which `len` were given and the others are
 * zeros; false, and nothing printed: not one of these families, or too short for it.
 */
bool print_rare_sockaddr(struct printer *p, unsigned family, const uint8_t *bytes, size_t len);

#endif
