#include "engine/decode/printer.h"

static const char *const names[] = {
	"0",        "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP",   "SIGABRT",
	"SIGBUS",   "SIGFPE",  "SIGKILL",   "SIGUSR1", "SIGSEGV",  "SIGUSR2",   "SIGPIPE",
	"SIGALRM",  "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT",  "SIGSTOP",   "SIGTSTP",
	"SIGTTIN",  "SIGTTOU", "SIGURG",    "SIGXCPU", "SIGXFSZ",  "SIGVTALRM", "SIGPROF",
	"SIGWINCH", "SIGIO",   "SIGPWR",    "SIGSYS",  "SIGRTMIN",
};

/* asm-generic/signal.h; the C library reserves two of the real-time signals. */
void show_signal(struct printer *p, uint64_t value, const void *data)
{
	const int32_t count = sizeof(names) / sizeof(names[0]);
	int32_t number = (int32_t)value;

	(void)data;
	if (number >= 0 && number < count) {
		str_add(p->out, names[number]);
	} else if (number >= count && number <= 64) {
		PUT(p, "SIGRT_");
		str_addd(p->out, number - (count - 1));
	} else {
		str_addd(p->out, number);
	}
}
