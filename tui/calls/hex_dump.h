/* hex_dump - bytes as lines of offset, hex digits and ASCII. Any thread. */
#ifndef CALLS_HEX_DUMP_H
#define CALLS_HEX_DUMP_H

#include "engine/base/str.h"

#include <stdint.h>

#define HEX_DUMP_ROW 16 /* bytes of a line, or half of them where that is too wide */
#define HEX_DUMP_ROW_COLS 73 /* columns of a line of so many */

/*
 * Appends one line without its newline: "0010  2f 65 74 63 2f 68 6f 73  74 73 00  /etc/hosts."
 * of the bytes from `offset` on, `row` at most.
 */
void hex_dump_line(struct str *out, const uint8_t *bytes, size_t len, size_t offset, size_t row);

#endif
