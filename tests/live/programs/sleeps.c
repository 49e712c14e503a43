/* sleeps - known timeouts: nanosleep 20 ms, poll 30 ms, select 10 ms, five times. */
#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 5; i++) {
		struct timespec nap = { .tv_nsec = 20000000 };
		struct timeval wait = { .tv_usec = 10000 };
		syscall(SYS_nanosleep, &nap, NULL);
		syscall(SYS_poll, NULL, 0, 30);
		syscall(SYS_select, 0, NULL, NULL, NULL, &wait);
	}
	return 0;
}
