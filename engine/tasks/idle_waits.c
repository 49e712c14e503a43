#include "engine/tasks/idle_waits.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#define LOCKED_WITH_WAITERS 2

bool idle_is_kind(uint32_t nr)
{
	switch (nr) {
	case SYS_poll:
	case SYS_ppoll:
	case SYS_select:
	case SYS_pselect6:
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_pause:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait:
		return true;
	default:
		return false;
	}
}

bool idle_futex_is_lock(const struct futex_op *op)
{
	return op->verb == FUTEX_VERB_LOCK || op->inherits || op->value == LOCKED_WITH_WAITERS ||
	       op->value & FUTEX_WAITERS;
}
