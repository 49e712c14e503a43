/*
 * online_cpus - the CPUs that are online. Any thread.
 */
#ifndef PROCESS_ONLINE_CPUS_H
#define PROCESS_ONLINE_CPUS_H

#include "engine/process/target.h"

/* Add the online CPUs to a target, which the caller owns. */
void online_cpus(struct target *cpus);

#endif
