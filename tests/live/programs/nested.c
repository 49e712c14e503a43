/*
 * nested DEPTH... - sleeps for 50 ms below that many calls of nest(), once for each DEPTH. DEPTH 0
 * waits for the end of standard input below 300 calls. Prints "ready" before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void wait_for_end(void)
{
	char byte;

	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
}

__attribute__((noipa)) static int nest(int depth, int left)
{
	volatile int padding = left; /* read after the call: the frame stays */

	if (left)
		nest(depth, left - 1);
	else if (depth)
		nanosleep(&(struct timespec){ 0, 50 * 1000 * 1000 }, NULL);
	else
		wait_for_end();
	return padding;
}

int main(int argc, char **argv)
{
	puts("ready");
	fflush(stdout);
	for (int i = 1; i < argc; i++) {
		int depth = atoi(argv[i]);

		nest(depth, depth ? depth : 300);
	}
	return 0;
}
