/*
 * liar FOLDER TRUTH - makes calls through the same buffers, each with unique data, until standard
 * input ends; then writes the file TRUTH.
 *
 * The number of a call is in a register and determines its data, so that every value shown of a
 * call can be checked. TRUTH has the times before and after each call. Kinds of calls: open of a
 * missing file, write with its own length, read of text that differs by offset, sleep with its own
 * duration, and stat of a file.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CALLS_MAX 4000000
#define PLACES 4096
#define FIRST_FD 1000000 /* not open: ignored for absolute paths, but shown */
#define REST 0x10000000 /* address for the remaining time of a sleep; not mapped */

static struct {
	uint64_t before, after;
} truth[CALLS_MAX];

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void make_call(unsigned number, const char *folder, int null_fd, int text_fd)
{
	static char name[256], text[2048];
	static struct timespec moment;
	static struct stat status;

	switch (number % 5) {
	case 0:
		snprintf(name, sizeof(name), "%s/name%08u", folder, number);
		openat(FIRST_FD + (int)number, name, O_RDONLY);
		break;
	case 1:
		snprintf(text, sizeof(text), "payload %08u", number);
		pwrite(null_fd, text, 20 + number % 1000, number);
		break;
	case 2:
		pread(text_fd, text, 16, (off_t)(number % PLACES * 16));
		break;
	case 3:
		moment = (struct timespec){ 0, 1000 + number };
		syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &moment, REST + number);
		break;
	case 4:
		/* The name determines the size of the file. */
		snprintf(name, sizeof(name), "%s/size%u", folder, number % 64);
		syscall(SYS_newfstatat, FIRST_FD + (int)number, name, &status, 0);
		break;
	}
}

static int open_in(const char *folder, const char *name, int flags)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return open(path, flags, 0644);
}

/* Create files of known sizes, and a file whose text differs at each offset. */
static int prepare(const char *folder)
{
	char name[32], text[32];
	int fd, text_fd = open_in(folder, "text", O_RDWR | O_CREAT);

	for (int i = 0; i < 64; i++) {
		snprintf(name, sizeof(name), "size%d", i);
		fd = open_in(folder, name, O_WRONLY | O_CREAT);
		if (fd < 0 || ftruncate(fd, 100000 + i))
			return -1;
		close(fd);
	}
	for (int i = 0; i < PLACES; i++) {
		snprintf(text, sizeof(text), "place %09d", i);
		if (pwrite(text_fd, text, 16, i * 16) != 16)
			return -1;
	}
	return text_fd;
}

static int tell(const char *path, unsigned count)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return 1;
	for (unsigned i = 0; i < count; i++)
		fprintf(file, "%lu %lu\n", (unsigned long)truth[i].before,
			(unsigned long)truth[i].after);
	return fclose(file) ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	int null_fd = open("/dev/null", O_WRONLY), text_fd;
	unsigned number = 0;

	if (argc < 3 || (text_fd = prepare(argv[1])) < 0)
		return 1;
	puts("ready");
	fflush(stdout);
	do {
		for (int i = 0; i < 1000 && number < CALLS_MAX; i++, number++) {
			truth[number].before = now();
			make_call(number, argv[1], null_fd, text_fd);
			truth[number].after = now();
		}
	} while (number < CALLS_MAX && poll(&input, 1, 0) == 0);
	return tell(argv[2], number);
}
