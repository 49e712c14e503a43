/*
 * pointed - opens paths that are in a constant, on the heap and on the stack, again and again
 * until its standard input ends, and changes the one on the heap each time.
 *
 * With an argument each is used once, then it only waits.
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

	(void)argv;
	if (!on_heap)
		return 1;
	puts("ready");
	fflush(stdout);
	for (unsigned i = 0; poll(&input, 1, argc > 1 && i ? -1 : 1) == 0; i++) {
		snprintf(on_heap, 64, "/nowhere/heap/%u", i);
		access("/nowhere/constant", F_OK);
		access(on_heap, F_OK);
		access(on_stack, F_OK);
	}
	free(on_heap);
	return 0;
}
