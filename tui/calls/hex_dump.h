/* hex_dump - formats bytes as lines of offset, hex digits and ASCII. Any thread. */
#ifndef CALLS_HEX_DUMP_H
#define CALLS_HEX_DUMP_H

#include "engine/base/str.h"

#include <stdint.h>

#define HEX_DUMP_ROW 16 /* bytes per line; use half where a line is too wide */
#define HEX_DUMP_ROW_COLS 73 /* columns of a line with HEX_DUMP_ROW bytes */

/*
 * Append one line without its newline: "0010  2f 65 74 63 2f 68 6f 73  74 73 00  /etc/hosts." It
 * shows at most `row` bytes, the first at `offset`.
 */
void hex_dump_line(struct str *out, const uint8_t *bytes, size_t len, size_t offset, size_t row);

#endif
