#include "tui/dialogs/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* What the interface answers. */
static const int watched[] = {
	SIGWINCH, SIGHUP, SIGTERM, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGUSR1,
};

/*
 * A write to a terminal or a pipe that is gone fails; it does not kill. Nor does a recording
 * that may not grow.
 */
static const int ignored[] = { SIGPIPE, SIGXFSZ };

/* All others end the program, but for these (signal(7)): they stop it, or nothing happens. */
static const int harmless[] = { SIGKILL, SIGSTOP, SIGCHLD, SIGURG, SIGTTIN, SIGTTOU };

/* Handlers get no argument of ours, so what they call has to be found from here. */
static void (*restore_terminal)(void);

/* A stack that overflowed cannot hold its own handler. */
static char crash_stack[64 * 1024];

#define HAS(table, number) has(table, sizeof(table) / sizeof((table)[0]), number)

static bool has(const int *numbers, size_t count, int number)
{
	for (size_t i = 0; i < count; i++)
		if (numbers[i] == number)
			return true;
	return false;
}

static void ended(int number)
{
	restore_terminal();
	/* SA_RESETHAND: this time it ends the program as it would have. */
	raise(number);
}

static bool ends_program(int number)
{
	return !HAS(watched, number) && !HAS(ignored, number) && !HAS(harmless, number);
}

/* The C library keeps some to itself: there sigaction() fails. What was ignored stays so. */
static void catch_ends(struct signals *signals)
{
	stack_t stack = { .ss_sp = crash_stack, .ss_size = sizeof(crash_stack) };
	struct sigaction action = {
		.sa_handler = ended,
		.sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK,
	};

	sigaltstack(&stack, NULL);
	for (int number = 1; number < NSIG; number++) {
		signals->caught[number] = ends_program(number) &&
					  !sigaction(number, NULL, &signals->actions[number]) &&
					  signals->actions[number].sa_handler != SIG_IGN &&
					  !sigaction(number, &action, NULL);
	}
}

int signals_open(struct signals *signals, void (*restore)(void), struct err *err)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); i++)
		sigaddset(&set, watched[i]);
	signals->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (signals->fd < 0)
		return err_set(err, -errno, "signals cannot be received: %s", strerror(errno));
	sigprocmask(SIG_BLOCK, &set, &signals->before);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	restore_terminal = restore;
	catch_ends(signals);
	return 0;
}

void signals_close(struct signals *signals)
{
	/* What came in the last moment has been obeyed: the program is leaving. */
	while (signals_next(signals))
		;
	close(signals->fd);
	for (int number = 1; number < NSIG; number++)
		if (signals->caught[number])
			sigaction(number, &signals->actions[number], NULL);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, &signals->before, NULL);
}

int signals_next(struct signals *signals)
{
	struct signalfd_siginfo info;
	ssize_t got;

	do
		got = read(signals->fd, &info, sizeof(info));
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof(info) ? (int)info.ssi_signo : 0;
}

void signals_stop_here(void)
{
	sigset_t stop, cont;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigemptyset(&cont);
	sigaddset(&cont, SIGCONT);
	/* The whole job, so that make or sudo in front of us stop too. */
	kill(0, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	/* The caller knows that it was continued. */
	sigtimedwait(&cont, NULL, &(struct timespec){ 0, 0 });
}
