/*
 * pointed - opens paths that are in a constant, on the heap and on the stack, again and again
 * until its standard input ends, and changes the one on the heap each time.
 *
 * With "once" each is used once, then it only waits; with "busy" the one on the stack is used
 * when there is input, and then it computes for ever.
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
