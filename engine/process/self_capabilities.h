/*
 * self_capabilities - what this process has, and what stands above it: capabilities, user
 * namespace, seccomp, lockdown.
 *
 * For saying why something was refused; whether it is refused is found out by trying.
 * Any thread.
 */
#ifndef PROCESS_SELF_CAPABILITIES_H
#define PROCESS_SELF_CAPABILITIES_H

#include <stdbool.h>
#include <stdint.h>

struct self_capabilities {
	uint64_t effective, permitted; /* capabilities by number, as in linux/capability.h */
	uint64_t bounding; /* what a file may give at most */
	bool no_new_privs; /* files give nothing at all */
	bool filtered; /* by seccomp, as containers are */
	bool user_namespace; /* capabilities are none of the kernel's */
	bool confidential; /* the kernel is locked down, its memory is not to be read */
};

void self_capabilities_read(struct self_capabilities *rights);

/* Of the calling thread; CAP_SYS_ADMIN stands for those that were split off it. */
bool self_capabilities_has(const struct self_capabilities *rights, int capability);

#endif
