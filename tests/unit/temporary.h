/*
 * temporary - files and folders of tests, in $TMPDIR or /tmp.
 *
 * tests/machine.py gives each run a TMPDIR of its own and fails it if a test leaves a file there.
 * Both functions fail the test on an error. The caller deletes the file or folder.
 */
#ifndef UNIT_TEMPORARY_H
#define UNIT_TEMPORARY_H

#define TEMPORARY_PATH_MAX 64

/* Create an empty file stxtop-NAME-XXXXXX of mode 0600; return a read-write descriptor. */
int temporary_file(char path[TEMPORARY_PATH_MAX], const char *name);

/* Create a folder stxtop-NAME-XXXXXX of mode 0700. */
void temporary_folder(char path[TEMPORARY_PATH_MAX], const char *name);

#endif
