#include "engine/fds/fd_filter.h"

#include "engine/fds/fds.h"

void fd_filter_widen(struct kernel_filter *half)
{
	if (half->nothing)
		return;
	for (uint32_t nr = 0; half->by_syscall && nr < FD_CALLS_NR_MAX; nr++)
		if (fds_changed_by(nr))
			kernel_filter_allow(half, nr);
	half->totals_exact = half->totals_exact && !half->by_syscall && !half->min_dur_ns &&
			     !half->failed;
	half->min_dur_ns = 0;
	half->failed = false;
	half->exact = half->exact && !half->by_syscall;
}

bool fd_filter_is_blind(const struct kernel_filter *half)
{
	bool sees = !half->nothing && !half->min_dur_ns && !half->failed;

	for (uint32_t nr = 0; sees && nr < FD_CALLS_NR_MAX; nr++)
		sees = !fds_changed_by(nr) || kernel_filter_allows(half, nr);
	return !sees;
}
