/*
 * online_cpus - the CPUs that run something now. Any thread.
 */
#ifndef PROCESS_ONLINE_CPUS_H
#define PROCESS_ONLINE_CPUS_H

#include "engine/process/target.h"

/* Adds them to the target, which is of the caller. */
void online_cpus(struct target *cpus);

#endif
