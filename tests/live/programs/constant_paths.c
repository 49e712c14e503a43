/*
 * constant_paths - uses /etc/hosts in COUNT rounds of four calls; the path is a constant.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char byte;

	if (argc != 2)
		return 2;
	for (int i = atoi(argv[1]); i > 0; i--) {
		int file = open("/etc/hosts", O_RDONLY);

		if (file < 0 || read(file, &byte, 1) != 1 || access("/etc/hosts", F_OK))
			return 2;
		/* Time for stxtop to find the descriptor in /proc. */
		usleep(200000);
		close(file);
	}
	return 0;
}
