#include "engine/decode/families.h"

#include <string.h>

/* clang-format off */
static const struct call_family *const families[] = {
	&aio_family,
	&bpf_family,
	&capability_family,
	&fcntl_family,
	&file_family,
	&futex_family,
	&io_family,
	&ioctl_family,
	&ipc_family,
	&key_family,
	&landlock_family,
	&memory_family,
	&message_family,
	&mount_family,
	&notify_family,
	&perf_family,
	&poll_family,
	&prctl_family,
	&process_family,
	&ptrace_family,
	&sched_family,
	&signal_family,
	&socket_family,
	&sockopt_family,
	&stat_family,
	&system_family,
	&time_family,
	&uring_family,
	&wait_family,
	&xattr_family,
};
/* clang-format on */

#define FAMILIES (sizeof(families) / sizeof(families[0]))

const struct call_family *call_family_at(size_t index)
{
	return index < FAMILIES ? families[index] : NULL;
}

const struct call_form *call_form_find(const char *name)
{
	for (size_t i = 0; i < FAMILIES; i++)
		for (size_t k = 0; k < families[i]->count; k++)
			if (!strcmp(families[i]->forms[k].name, name))
				return &families[i]->forms[k];
	return NULL;
}
