#include "engine/process/self_capabilities.h"

#include "engine/process/proc_stat.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define INITIAL_USER_NAMESPACE 0xeffffffdu /* PROC_USER_INIT_INO of linux/proc_ns.h */
#define SECCOMP_FILTERED 2 /* SECCOMP_MODE_FILTER */

static uint64_t value_of(const char *status, const char *name, int base)
{
	const char *line = strstr(status, name);

	return line ? strtoull(line + strlen(name), NULL, base) : 0;
}

/* Format: "none [integrity] confidentiality"; brackets mark the active mode. */
static bool is_confidential(void)
{
	char text[128];

	return proc_read_at(AT_FDCWD, "/sys/kernel/security/lockdown", text, sizeof(text)) > 0 &&
	       strstr(text, "[confidentiality]");
}

static bool in_user_namespace(void)
{
	struct stat st;

	return !stat("/proc/self/ns/user", &st) && st.st_ino != INITIAL_USER_NAMESPACE;
}

void self_capabilities_read(struct self_capabilities *rights)
{
	char text[4096];

	memset(rights, 0, sizeof(*rights));
	rights->user_namespace = in_user_namespace();
	rights->confidential = is_confidential();
	/* Read the thread's values: it may have dropped capabilities that the process has. */
	if (proc_read_at(AT_FDCWD, "/proc/thread-self/status", text, sizeof(text)) <= 0)
		return;
	rights->effective = value_of(text, "\nCapEff:", 16);
	rights->permitted = value_of(text, "\nCapPrm:", 16);
	rights->bounding = value_of(text, "\nCapBnd:", 16);
	rights->no_new_privs = value_of(text, "\nNoNewPrivs:", 10) != 0;
	rights->filtered = value_of(text, "\nSeccomp:", 10) == SECCOMP_FILTERED;
}

bool self_capabilities_has(const struct self_capabilities *rights, int capability)
{
	bool was_admin = capability == CAP_PERFMON || capability == CAP_BPF ||
			 capability == CAP_SYSLOG;

	return (rights->effective >> capability & 1) ||
	       (was_admin && (rights->effective >> CAP_SYS_ADMIN & 1));
}
