/*
 * loops - iterates over the lines of a script and unrolls its loops.
 *
 *	for VIEW KEY in overview 1 blocked 5
 *	type $KEY
 *	expect $VIEW
 *	end
 *
 * gives `type 1`, `expect overview`, `type 5`, `expect blocked`. Loops nest. A name consists of
 * upper-case letters; a $NAME that no open loop defines stays as it is.
 */
#ifndef SCREENS_LOOPS_H
#define SCREENS_LOOPS_H

#include "engine/base/str.h"

#include <stdbool.h>

#define LOOPS_DEPTH 4
#define LOOP_WORDS 64

struct loop {
	char *text; /* owns the storage of the words */
	const char *words[LOOP_WORDS]; /* names, then values */
	int names, count, at; /* at: index of this round's first value */
	int line; /* index of its `for` */
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
 * Return the next step, without leading blanks and with its $NAMEs replaced. False at the end, and
 * at a malformed loop, with the reason in *wrong (else NULL).
 */
bool loops_next(struct loops *loops, struct str *line, const char **wrong);

int loops_line(const struct loops *loops); /* number of the last line, from 1 */
/* Append "VIEW=blocked KEY=5: "; nothing outside loops. */
void loops_values(const struct loops *loops, struct str *out);

#endif
