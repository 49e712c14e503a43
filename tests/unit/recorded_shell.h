/*
 * recorded_shell - the interface on a completely read recording, without a terminal: takes keys
 * and clicks, shows rows of text. At most one is open at a time.
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

/* Return an engine that has read the recording; fail the test on an error. */
struct engine *recorded_engine(const char *recording);
/* Copy all calls and their sequence numbers, oldest first; fail the test beyond `max` calls. */
size_t recorded_calls(struct engine *engine, struct call *calls, uint64_t *seqs, size_t max);

/* Open the interface on 120 columns and 40 rows; it has not queried the engine yet. */
void recorded_shell_begin(struct recorded_shell *on, const char *recording);
/* Open the interface in the same way, then run all its queries and draw it. */
void recorded_shell_open(struct recorded_shell *on, const char *recording);
void recorded_shell_close(struct recorded_shell *on);

/* Send a key by its name, or text letter by letter, then settle. */
void recorded_shell_press(struct recorded_shell *on, const char *key);
void recorded_shell_type(struct recorded_shell *on, const char *text);
void recorded_shell_click(struct recorded_shell *on, int row, int col);
/* Refresh and work until no work is left; then draw. */
void recorded_shell_settle(struct recorded_shell *on);
/* Draw, and return the first screen row that contains the text; -1: none. */
int recorded_shell_row(struct recorded_shell *on, const char *text);

#endif
