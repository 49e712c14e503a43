#include "engine/base/privilege.h"

#include <linux/capability.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SETS 2 /* 32-bit halves of a capability set */

struct sets {
	struct __user_cap_data_struct data[SETS];
};

static bool read_sets(struct sets *sets)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return syscall(SYS_capget, &header, sets->data) == 0;
}

/* Cannot fail: the new sets are subsets of the permitted one. */
static void write_sets(const struct sets *sets)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

	syscall(SYS_capset, &header, sets->data);
}

static bool is_root(void)
{
	return getuid() == 0 || geteuid() == 0;
}

static uint64_t effective_of(const struct sets *sets)
{
	return sets->data[0].effective | (uint64_t)sets->data[1].effective << 32;
}

static void set_effective(struct sets *sets, uint64_t effective)
{
	if (effective_of(sets) == effective)
		return;
	sets->data[0].effective = (uint32_t)effective;
	sets->data[1].effective = (uint32_t)(effective >> 32);
	write_sets(sets);
}

void privilege_restore(uint64_t before)
{
	struct sets sets;

	if (!is_root() && read_sets(&sets))
		set_effective(&sets, before);
}

uint64_t privilege_lower(void)
{
	uint64_t before;
	struct sets sets;

	if (is_root() || !read_sets(&sets))
		return 0;
	before = effective_of(&sets);
	set_effective(&sets, 0);
	return before;
}

uint64_t privilege_raise(void)
{
	uint64_t before;
	struct sets sets;

	if (is_root() || !read_sets(&sets))
		return 0;
	before = effective_of(&sets);
	set_effective(&sets, sets.data[0].permitted | (uint64_t)sets.data[1].permitted << 32);
	return before;
}

void privilege_drop(void)
{
	static const struct sets none;

	if (!is_root())
		write_sets(&none);
}
