#include "engine/source/live/access.h"

#include "engine/base/privilege.h"
#include "engine/source/live/access_grant.h"
#include "engine/source/live/access_try.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *what;
} texts[ACCESS_COUNT] = {
	[ACCESS_TRACEFS] = { "tracefs", "formats of kernel events (tracefs)" },
	[ACCESS_OWN_CALLS] = { "own-calls", "system calls of your own processes" },
	[ACCESS_ALL_CALLS] = { "all-calls", "system calls of every process" },
	[ACCESS_KERNEL_STACKS] = { "kernel-stacks", "kernel stacks of waits" },
	[ACCESS_USER_STACKS] = { "user-stacks", "user stacks of waits" },
	[ACCESS_WAKERS] = { "wakers", "wakers of waiting threads" },
	[ACCESS_KERNEL_SYMBOLS] = { "kernel-symbols", "names of kernel functions" },
	[ACCESS_MEMORY] = { "memory", "memory of other users' processes" },
	[ACCESS_FILES] = { "files", "open files of other users' processes" },
	[ACCESS_BPF] = { "bpf", "BPF programs in the kernel" },
};

static void grant_by_programs(struct access_row *row)
{
	row->works = true;
	row->why[0] = row->setting[0] = row->program[0] = '\0';
}

void access_check(struct access *access)
{
	struct err errs[ACCESS_COUNT];
	struct access_place place;
	int codes[ACCESS_COUNT];
	uint64_t before = privilege_raise();

	memset(access, 0, sizeof(*access));
	for (int i = 0; i < ACCESS_COUNT; i++) {
		errs[i].text[0] = '\0';
		codes[i] = access_try((enum access_id)i, &errs[i]);
		access->rows[i].id = (enum access_id)i;
		access->rows[i].name = texts[i].name;
		access->rows[i].what = texts[i].what;
		access->rows[i].works = codes[i] == 0;
	}
	access_place_look(&place, codes[ACCESS_TRACEFS]);
	for (int i = 0; i < ACCESS_COUNT; i++)
		if (!access->rows[i].works)
			access_explain(&access->rows[i], &place, codes[i], &errs[i]);
	/* BPF programs report all calls without tracefs formats. */
	if (access->rows[ACCESS_BPF].works) {
		grant_by_programs(&access->rows[ACCESS_OWN_CALLS]);
		grant_by_programs(&access->rows[ACCESS_ALL_CALLS]);
		if (!access->rows[ACCESS_TRACEFS].works)
			snprintf(access->rows[ACCESS_TRACEFS].why,
				 sizeof(access->rows[ACCESS_TRACEFS].why),
				 "needed for stacks of waits, wakers and syscalls:* events; "
				 "not for BPF programs");
	}
	access_explain_all(access, &place);
	privilege_restore(before);
}

static const char *waits_probes(const struct access *access)
{
	if (!access->rows[ACCESS_KERNEL_STACKS].works || !access->rows[ACCESS_TRACEFS].works)
		return NULL;
	return access->rows[ACCESS_WAKERS].works
		       ? "perf events of switches and wakeups, with stacks (-g off: none)"
		       : "perf events of switches, with stacks (-g off: none)";
}

size_t access_plans(const struct access *access, struct access_plan plans[ACCESS_PLANS])
{
	bool events = access->rows[ACCESS_ALL_CALLS].works || access->rows[ACCESS_OWN_CALLS].works;
	bool programs = events && access->rows[ACCESS_BPF].works;
	const char *waits = waits_probes(access);
	size_t count = 0;

	if (!events)
		return 0;
	plans[count++] = (struct access_plan){
		"all calls", programs ? "BPF programs at every call (sys_enter, sys_exit)"
				      : "perf events of every call (raw_syscalls), with a filter"
	};
	plans[count++] = (struct access_plan){
		"16 or fewer", !access->rows[ACCESS_TRACEFS].works ? plans[0].probes
			       : programs ? "BPF programs at these calls only (syscalls:*)"
					  : "perf events of these calls only (syscalls:*)"
	};
	plans[count++] = (struct access_plan){ "no calls", "nothing" };
	if (waits)
		plans[count++] = (struct access_plan){ "what calls wait for", waits };
	return count;
}

bool access_is_enough(const struct access *access)
{
	return access->rows[ACCESS_ALL_CALLS].works;
}
