/*
 * script - one screen test: steps in a text file, run against the real program.
 *
 *	size 120x40              columns and rows, before `run`
 *	env NAME=VALUE           before `run`
 *	keep-settings            what a run chose is there in the next ones; otherwise it is not
 *	run ARG...               starts the program; $DATA and $HERE are replaced
 *	start COMMAND ARG...     the same with another program in front
 *	type KEY...              key names (Enter, F4, Ctrl-L, Up) and "quoted text": key_bytes.h
 *	wait TEXT                until TEXT stands on the screen
 *	gone TEXT                until it does not
 *	resize 80x24
 *	expect NAME              the screen becomes what saved/NAME holds
 *	shot FILE                writes the screen as SVG
 *	rest SECONDS             for pictures alone: lets what is watched go on
 *	signal NAME              HUP, TERM, INT, WINCH
 *	hang-up                  takes the terminal away
 *	ends STATUS              the program has ended with this exit status
 *	restored                 the terminal is as it was: no full screen, cursor on
 *	for NAME... in WORD...   the steps until `end`, for each word or group of words; within
 *	                         them $NAME is that word
 *
 * No test sleeps: every other step waits for its condition, with a limit.
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

/* Runs the steps; what went wrong is added to `report`. True if nothing did. */
bool script_run(const char *path, const struct script_options *options, struct str *report);

#endif
