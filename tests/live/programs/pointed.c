/*
 * pointed - repeats access() with paths in a constant, on the heap and on the stack until standard
 * input ends; the path on the heap changes each time.
 *
 * "once": one round, then it only waits. "busy": one access() with the path on the stack when
 * there is input, then it computes forever.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	char on_stack[] = "/nowhere/stack";
	char *on_heap = malloc(64);

	if (!on_heap)
		return 1;
	puts("ready");
	fflush(stdout);
	if (argc > 1 && !strcmp(argv[1], "busy")) {
		while (poll(&input, 1, 100) == 0)
			;
		access(on_stack, F_OK);
		for (;;)
			__asm__ volatile("" : : "r"(on_stack) : "memory");
	}
	for (unsigned i = 0; poll(&input, 1, argc > 1 && i ? -1 : 1) == 0; i++) {
		snprintf(on_heap, 64, "/nowhere/heap/%u", i);
		access("/nowhere/constant", F_OK);
		access(on_heap, F_OK);
		access(on_stack, F_OK);
	}
	free(on_heap);
	return 0;
}
