#include "tui/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

static const int watched[] = {
	SIGWINCH, SIGHUP, SIGTERM, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGUSR1,
};

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS };

/* Handlers get no argument of ours, so what they call has to be found from here. */
static void (*restore_terminal)(void);

/* A stack that overflowed cannot hold its own handler. */
static char crash_stack[64 * 1024];

static void crashed(int number)
{
	restore_terminal();
	/* SA_RESETHAND: this time it ends the program as it would have. */
	raise(number);
}

static void catch_crashes(void)
{
	stack_t stack = { .ss_sp = crash_stack, .ss_size = sizeof(crash_stack) };
	struct sigaction action = {
		.sa_handler = crashed,
		.sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK,
	};

	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		sigaction(crashes[i], &action, NULL);
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
	/* A write to a terminal or a pipe that is gone fails; it does not kill. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* nor does a recording that may not grow */
	restore_terminal = restore;
	catch_crashes();
	return 0;
}

void signals_close(struct signals *signals)
{
	/* What came in the last moment has been obeyed: the program is leaving. */
	while (signals_next(signals))
		;
	close(signals->fd);
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		signal(crashes[i], SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
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
