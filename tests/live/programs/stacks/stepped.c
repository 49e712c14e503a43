/*
 * stepped - waits in a signal handler after every instruction of a function, of the PLT stubs that
 * it calls, and of the vDSO. Single stepping makes all runs equal. With "own", the handler has its
 * own stack. With "forever", it repeats forever.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define STEP 0x100 /* trap flag: SIGTRAP after each instruction */
#define VDSO_BYTES 8192
#define SEEN_MAX 65536

extern char __executable_start, etext;

static unsigned char seen[2][SEEN_MAX];
static volatile bool stepping;
static volatile int sum;

__attribute__((noinline)) static void wait_in_handler(void)
{
	struct timespec little = { .tv_nsec = 20000 };

	nanosleep(&little, NULL);
	sum++;
}

static bool is_new(uintptr_t ip)
{
	uintptr_t code = ip - (uintptr_t)&__executable_start;
	uintptr_t vdso = ip - getauxval(AT_SYSINFO_EHDR);
	unsigned char *flag = NULL;

	if (code < (uintptr_t)(&etext - &__executable_start) && code < SEEN_MAX)
		flag = &seen[0][code];
	else if (vdso < VDSO_BYTES)
		flag = &seen[1][vdso];
	return flag && !(*flag)++;
}

static void on_step(int number, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)number;
	(void)info;
	if (!stepping)
		regs[REG_EFL] &= ~STEP;
	else if (is_new((uintptr_t)regs[REG_RIP]))
		wait_in_handler();
}

static void on_start(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	stepping = true;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= STEP;
}

/* Save registers, move the stack pointer, and have several exits. */
__attribute__((noinline, noclone)) static long through(long a, long b, volatile long *c)
{
	struct timespec now;
	char room[1 + a % 3 * 16];

	if (a == 2)
		return b;
	*c += getpgid(0) + getppid();
	for (long i = 0; i < a; i++)
		room[i] = (char)(b ^ *c);
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_nsec * a + b * *c + room[0];
}

int main(int argc, char **argv)
{
	static _Alignas(16) char other_stack[65536];
	stack_t other = { .ss_sp = other_stack, .ss_size = sizeof(other_stack) };
	struct sigaction action = { .sa_flags = SA_SIGINFO };
	const char *how = argc > 1 ? argv[1] : "";
	volatile long c = (long)(intptr_t)argv & 7;

	if (!strcmp(how, "own") && sigaltstack(&other, NULL) == 0)
		action.sa_flags |= SA_ONSTACK;
	action.sa_sigaction = on_start;
	sigaction(SIGUSR1, &action, NULL);
	action.sa_sigaction = on_step;
	sigaction(SIGTRAP, &action, NULL);
	do {
		memset(seen, 0, sizeof(seen));
		raise(SIGUSR1);
		sum += (int)through(1, 2, &c);
		sum += (int)through(2, 3, &c);
		stepping = false;
	} while (!strcmp(how, "forever"));
	_exit(0);
}
