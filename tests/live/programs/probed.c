/* probed COUNT - calls a cheap system call and the function probed_here() COUNT times. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noipa)) long probed_here(long number, const char *text)
{
	return number + text[0];
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
	long sum = 0;

	for (long i = 0; i < count; i++) {
		syscall(SYS_getppid);
		sum += probed_here(i, i % 2 ? "odd" : "even\tand a tab");
	}
	return sum < 0;
}
