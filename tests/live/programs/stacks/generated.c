/*
 * generated - waits below code generated at run time, as by a just-in-time compiler: with frame
 * pointers, and symbols in /tmp/perf-PID.map, which is not removed. With an argument, it repeats
 * forever. With the argument "in-memory", the code is in a memfd.
 */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define ROUNDS 30

typedef void waiting_fn(void);

static volatile int sum;

__attribute__((noinline)) static void wait_below(void)
{
	sum += poll(NULL, 0, 2);
}

/* push %rbp; mov %rsp,%rbp; sub $32,%rsp; call; leave; ret. */
static size_t make_function(unsigned char *at, int32_t callee_from_here)
{
	static const unsigned char begin[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x20 };
	static const unsigned char end[] = { 0xc9, 0xc3 };
	int32_t relative = callee_from_here - (int32_t)sizeof(begin) - 5;

	memcpy(at, begin, sizeof(begin));
	if (callee_from_here) {
		at[8] = 0xe8;
		memcpy(at + 9, &relative, 4);
		memcpy(at + 13, end, sizeof(end));
		return 15;
	}
	at[8] = 0xff; /* call *%rdi */
	at[9] = 0xd7;
	memcpy(at + 10, end, sizeof(end));
	return 12;
}

static unsigned char *get_room(int in_memory)
{
	int fd = in_memory ? memfd_create("made", 0) : -1;

	if (in_memory && (fd < 0 || ftruncate(fd, 2 * PAGE) < 0))
		return MAP_FAILED;
	return mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		    in_memory ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, in_memory ? PAGE : 0);
}

int main(int argc, char **argv)
{
	unsigned char *code = get_room(argc > 1 && !strcmp(argv[1], "in-memory"));
	size_t inner, outer;
	char path[64];
	FILE *map;

	if (code == MAP_FAILED)
		return 1;
	inner = make_function(code, 0);
	outer = make_function(code + 64, -64);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	if (!map)
		return 1;
	fprintf(map, "%lx %zx made inner(int)\n%lx %zx made_outer\n", (unsigned long)code, inner,
		(unsigned long)(code + 64), outer);
	fclose(map);
	for (int i = 0; i < ROUNDS || argc > 1; i++)
		((void (*)(waiting_fn *))(void *)(code + 64))(wait_below);
	return 0;
}
