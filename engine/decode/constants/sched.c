#include "engine/decode/tables.h"

CONSTANTS(sched_policies, "linux/sched.h", "SCHED_???",
	{ "SCHED_OTHER", 0 },
	{ "SCHED_FIFO", 1 },
	{ "SCHED_RR", 2 },
	{ "SCHED_BATCH", 3 },
	{ "SCHED_ISO", 4 },
	{ "SCHED_IDLE", 5 },
	{ "SCHED_DEADLINE", 6 },
	{ "SCHED_EXT", 7 });

CONSTANTS(sched_attr_flags, "linux/sched.h", "SCHED_FLAG_???",
	{ "SCHED_FLAG_RESET_ON_FORK", 0x1 },
	{ "SCHED_FLAG_RECLAIM", 0x2 },
	{ "SCHED_FLAG_DL_OVERRUN", 0x4 },
	{ "SCHED_FLAG_KEEP_POLICY", 0x8 },
	{ "SCHED_FLAG_KEEP_PARAMS", 0x10 },
	{ "SCHED_FLAG_UTIL_CLAMP_MIN", 0x20 },
	{ "SCHED_FLAG_UTIL_CLAMP_MAX", 0x40 });

CONSTANTS(ioprio_whos, "linux/ioprio.h", "IOPRIO_WHO_???",
	{ "IOPRIO_WHO_PROCESS", 1 },
	{ "IOPRIO_WHO_PGRP", 2 },
	{ "IOPRIO_WHO_USER", 3 });

CONSTANTS(ioprio_classes, "linux/ioprio.h", "IOPRIO_CLASS_???",
	{ "IOPRIO_CLASS_NONE", 0 },
	{ "IOPRIO_CLASS_RT", 1 },
	{ "IOPRIO_CLASS_BE", 2 },
	{ "IOPRIO_CLASS_IDLE", 3 });
