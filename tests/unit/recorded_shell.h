/*
 * recorded_shell - the interface on a recording that was read to its end, without a terminal:
 * keys and clicks go in, rows of text come out. One at a time.
 */
#ifndef UNIT_RECORDED_SHELL_H
#define UNIT_RECORDED_SHELL_H

#include "tui/shell/shell.h"

struct recorded_shell {
	struct engine *engine;
	struct bindings *bindings;
	struct options options;
	struct command_output output;
	struct shell shell;
	struct canvas canvas;
};

/* An engine that has read the recording; a test fails if it cannot. */
struct engine *recorded_engine(const char *recording);
/* Its calls with their sequence numbers, oldest first; a test fails if there are more than max. */
size_t recorded_calls(struct engine *engine, struct call *calls, uint64_t *seqs, size_t max);

/* On 120 columns and 40 rows, before anything was asked of the engine. */
void recorded_shell_begin(struct recorded_shell *on, const char *recording);
/* The same, with all that it shows. */
void recorded_shell_open(struct recorded_shell *on, const char *recording);
void recorded_shell_close(struct recorded_shell *on);

/* A key by its name, or text letter by letter; both are followed by what the loop does. */
void recorded_shell_press(struct recorded_shell *on, const char *key);
void recorded_shell_type(struct recorded_shell *on, const char *text);
void recorded_shell_click(struct recorded_shell *on, int row, int col);
/* Ticks and works until nothing has more to do. */
void recorded_shell_settle(struct recorded_shell *on);
/* Draws; the row of the screen in which the text stands, -1: in none. */
int recorded_shell_row(struct recorded_shell *on, const char *text);

#endif
