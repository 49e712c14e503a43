/* numbered - calls lseek(-1, NUMBER, 77) once per millisecond, NUMBER from 1. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	for (long number = 1;; number++) {
		syscall(SYS_lseek, -1L, number, 77L);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
}
