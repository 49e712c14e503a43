#include "tui/dialogs/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* Signals that the interface handles. */
static const int watched[] = {
	SIGWINCH, SIGHUP, SIGTERM, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGUSR1,
};

/*
 * A write to a closed terminal or pipe must fail with an error instead of ending the program. The
 * same holds for a write to a recording beyond the file size limit.
 */
static const int ignored[] = { SIGPIPE, SIGXFSZ };

/* Signals that do not end the program by default (signal(7)), or cannot be caught. */
static const int harmless[] = { SIGKILL, SIGSTOP, SIGCHLD, SIGURG, SIGTTIN, SIGTTOU };

/* A signal handler has no context argument, so its callback is global. */
static void (*restore_terminal)(void);

/* After a stack overflow, the handler needs a stack of its own. */
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
	/* SA_RESETHAND has restored the default action, so this ends the program. */
	raise(number);
}

static bool ends_program(int number)
{
	return !HAS(watched, number) && !HAS(ignored, number) && !HAS(harmless, number);
}

/* sigaction() fails for signals that the C library reserves. Ignored signals stay ignored. */
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
		return err_set(err, -errno, "cannot receive signals: %s", strerror(errno));
	sigprocmask(SIG_BLOCK, &set, &signals->before);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	restore_terminal = restore;
	catch_ends(signals);
	return 0;
}

void signals_close(struct signals *signals)
{
	/* Discard pending signals: the program is already exiting. */
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
	/* Stop the whole job, so that a make or sudo that runs stxtop stops too. */
	kill(0, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	/* Discard SIGCONT: the caller returns from the stop anyway. */
	sigtimedwait(&cont, NULL, &(struct timespec){ 0, 0 });
}
