/*
 * self_capabilities - capabilities of this process, and what limits them: user namespace,
 * seccomp, lockdown.
 *
 * Used only to explain a refusal; only trying shows whether the kernel refuses. Any thread.
 */
#ifndef PROCESS_SELF_CAPABILITIES_H
#define PROCESS_SELF_CAPABILITIES_H

#include <stdbool.h>
#include <stdint.h>

struct self_capabilities {
	uint64_t effective, permitted; /* capabilities by number, as in linux/capability.h */
	uint64_t bounding; /* upper bound of file capabilities */
	bool no_new_privs; /* file capabilities have no effect */
	bool filtered; /* seccomp filters system calls, as in containers */
	bool user_namespace; /* capabilities do not hold in the initial user namespace */
	bool confidential; /* lockdown=confidentiality: kernel memory must not be read */
};

void self_capabilities_read(struct self_capabilities *rights);

/* True if the calling thread has the capability, or CAP_SYS_ADMIN, from which it was split off. */
bool self_capabilities_has(const struct self_capabilities *rights, int capability);

#endif
