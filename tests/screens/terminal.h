/*
 * terminal - a program in a pseudo-terminal whose screen a test can read.
 *
 * libvterm emulates the terminal: bytes in, cells out, independent of how the bytes are chunked.
 * The caller sets TERM and the locale in its own environment. One thread.
 */
#ifndef SCREENS_TERMINAL_H
#define SCREENS_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct terminal;

enum cell_attr {
	CELL_BOLD = 1 << 0,
	CELL_UNDERLINE = 1 << 1,
	CELL_REVERSE = 1 << 2,
	CELL_ITALIC = 1 << 3,
};

#define COLOR_DEFAULT (-1)

struct cell {
	char text[32]; /* UTF-8 with combining characters; "": right half of a wide one */
	int width; /* columns: 1 or 2; 0: right half of a wide character */
	int fg, bg; /* palette index, 0x1000000 | rgb, or COLOR_DEFAULT */
	uint8_t attrs; /* enum cell_attr */
};

/* Start argv[0] with additional "NAME=value" lines, NULL-terminated. NULL with errno set. */
struct terminal *terminal_start(char *const *argv, char *const *environment, int rows, int cols);
void terminal_free(struct terminal *terminal); /* kills the program if it still runs */

/* Wait up to timeout_ms for output and process it. False once the program closed its terminal. */
bool terminal_pump(struct terminal *terminal, int timeout_ms);
void terminal_type(struct terminal *terminal, const char *bytes, size_t len);
void terminal_resize(struct terminal *terminal, int rows, int cols);
void terminal_signal(struct terminal *terminal, int signal);
void terminal_hang_up(struct terminal *terminal); /* closes the terminal under the program */

int terminal_rows(const struct terminal *terminal);
int terminal_cols(const struct terminal *terminal);
void terminal_cell(const struct terminal *terminal, int row, int col, struct cell *cell);
void terminal_cursor(const struct terminal *terminal, int *row, int *col, bool *visible);
bool terminal_alternate(const struct terminal *terminal); /* the alternate screen is active */
uint64_t terminal_changes(const struct terminal *terminal); /* number of chunks read */

/* Wait until the program ends; false after timeout_ms. status as from waitpid(2). */
bool terminal_wait_end(struct terminal *terminal, int timeout_ms, int *status);

#endif
