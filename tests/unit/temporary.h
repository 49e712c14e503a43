/*
 * temporary - files and folders of tests, in $TMPDIR or /tmp.
 *
 * tests/machine.py gives each run a TMPDIR of its own and fails it if a test leaves a file there.
 * These calls fail the test if nothing can be created. The caller deletes what it got.
 */
#ifndef UNIT_TEMPORARY_H
#define UNIT_TEMPORARY_H

#define TEMPORARY_PATH_MAX 64

/* An empty file stxtop-NAME-XXXXXX of mode 0600; a descriptor, opened to read and write. */
int temporary_file(char path[TEMPORARY_PATH_MAX], const char *name);

/* A folder stxtop-NAME-XXXXXX of mode 0700. */
void temporary_folder(char path[TEMPORARY_PATH_MAX], const char *name);

#endif
