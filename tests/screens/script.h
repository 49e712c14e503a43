/*
 * script - one screen test: steps in a text file, run against the real program.
 *
 *	size 120x40              columns and rows, before `run`
 *	env NAME=VALUE           before `run`
 *	keep-settings            a run keeps the settings that the run before has changed
 *	run ARG...               start stxtop; replaces $DATA, $OUT (output folder) and $STXTOP
 *	start COMMAND ARG...     start another command, with the same replacements
 *	type KEY...              key names (Enter, F4, Ctrl-L, Up) and "quoted text": key_bytes.h
 *	wait TEXT                wait until the screen shows TEXT
 *	gone TEXT                wait until the screen does not show TEXT
 *	resize 80x24
 *	expect NAME              wait until the screen equals saved/NAME
 *	shot FILE                write the screen as SVG
 *	rest SECONDS             for screenshots only: let the watched workload run
 *	signal NAME              HUP, TERM, INT, WINCH, SEGV
 *	hang-up                  close the terminal
 *	ends STATUS              wait until the program exits with STATUS (128 + N: signal N)
 *	restored                 the terminal is restored: no full screen, cursor visible
 *	for NAME... in WORD...   repeat the steps until `end` for each word or group of words, with
 *	                         $NAME replaced by that word
 *
 * No test sleeps: a step that waits for a condition has a limit.
 */
#ifndef SCREENS_SCRIPT_H
#define SCREENS_SCRIPT_H

#include "engine/base/str.h"

#include <stdbool.h>

struct script_options {
	const char *program; /* stxtop */
	const char *data; /* folder of recordings */
	const char *saved; /* folder of saved screens */
	const char *output; /* folder for shots */
	bool accept; /* rewrite saved screens instead of comparing */
};

/* Run the steps. False on the first failure, which is appended to `report`. */
bool script_run(const char *path, const struct script_options *options, struct str *report);

#endif
