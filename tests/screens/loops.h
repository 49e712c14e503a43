/*
 * loops - the lines of a script one after the other, those of a loop as often as it says.
 *
 *	for VIEW KEY in overview 1 blocked 5
 *	type $KEY
 *	expect $VIEW
 *	end
 *
 * gives `type 1`, `expect overview`, `type 5`, `expect blocked`. Loops may stand in loops.
 * Names are upper-case letters; a $NAME that no loop has stays as it is.
 */
#ifndef SCREENS_LOOPS_H
#define SCREENS_LOOPS_H

#include "engine/base/str.h"

#include <stdbool.h>

#define LOOPS_DEPTH 4
#define LOOP_WORDS 64

struct loop {
	char *text; /* what the words point into */
	const char *words[LOOP_WORDS]; /* names, then values */
	int names, count, at; /* at: the first value of this round */
	int line; /* of its `for` */
};

struct loops {
	char **lines;
	int line_count, next;
	struct loop open[LOOPS_DEPTH];
	int depth;
};

void loops_init(struct loops *loops, const char *text); /* the text is copied */
void loops_release(struct loops *loops);

/*
 * The next line that is a step, without the blanks in front and with its variables filled in.
 * False at the end, and where a loop is wrong: then *wrong says how, else it is NULL.
 */
bool loops_next(struct loops *loops, struct str *line, const char **wrong);

int loops_line(const struct loops *loops); /* number of the last line */
/* "VIEW=blocked KEY=5: ", or nothing outside of loops. */
void loops_values(const struct loops *loops, struct str *out);

#endif
