/*
 * online_cpus - the CPUs that run something now. Any thread.
 */
#ifndef SOURCE_ONLINE_CPUS_H
#define SOURCE_ONLINE_CPUS_H

#include "engine/target.h"

/* Adds them to the target, which is of the caller. */
void online_cpus(struct target *cpus);

#endif
