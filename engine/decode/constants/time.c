#include "engine/decode/tables.h"

CONSTANTS(clocks, "linux/time.h", "CLOCK_???",
	{ "CLOCK_REALTIME", 0 },
	{ "CLOCK_MONOTONIC", 1 },
	{ "CLOCK_PROCESS_CPUTIME_ID", 2 },
	{ "CLOCK_THREAD_CPUTIME_ID", 3 },
	{ "CLOCK_MONOTONIC_RAW", 4 },
	{ "CLOCK_REALTIME_COARSE", 5 },
	{ "CLOCK_MONOTONIC_COARSE", 6 },
	{ "CLOCK_BOOTTIME", 7 },
	{ "CLOCK_REALTIME_ALARM", 8 },
	{ "CLOCK_BOOTTIME_ALARM", 9 },
	{ "CLOCK_SGI_CYCLE", 10 },
	{ "CLOCK_TAI", 11 });

CONSTANTS(timer_flags, "linux/time.h", "TIMER_???",
	{ "TIMER_ABSTIME", 0x1 });

CONSTANTS(timerfd_flags, "linux/timerfd.h", "TFD_???",
	{ "TFD_TIMER_ABSTIME", 0x1 },
	{ "TFD_TIMER_CANCEL_ON_SET", 0x2 },
	{ "TFD_CLOEXEC", 0x80000 },
	{ "TFD_NONBLOCK", 0x800 });

CONSTANTS(itimers, "linux/time.h", "ITIMER_???",
	{ "ITIMER_REAL", 0 },
	{ "ITIMER_VIRTUAL", 1 },
	{ "ITIMER_PROF", 2 });

CONSTANTS(adjtimex_modes, "linux/timex.h", "ADJ_???",
	{ "ADJ_OFFSET", 0x1 },
	{ "ADJ_FREQUENCY", 0x2 },
	{ "ADJ_MAXERROR", 0x4 },
	{ "ADJ_ESTERROR", 0x8 },
	{ "ADJ_STATUS", 0x10 },
	{ "ADJ_TIMECONST", 0x20 },
	{ "ADJ_TAI", 0x80 },
	{ "ADJ_SETOFFSET", 0x100 },
	{ "ADJ_MICRO", 0x1000 },
	{ "ADJ_NANO", 0x2000 },
	{ "ADJ_TICK", 0x4000 },
	{ "ADJ_OFFSET_SINGLESHOT", 0x8001 },
	{ "ADJ_OFFSET_SS_READ", 0xa001 });

CONSTANTS(adjtimex_statuses, "linux/timex.h", "STA_???",
	{ "STA_PLL", 0x1 },
	{ "STA_PPSFREQ", 0x2 },
	{ "STA_PPSTIME", 0x4 },
	{ "STA_FLL", 0x8 },
	{ "STA_INS", 0x10 },
	{ "STA_DEL", 0x20 },
	{ "STA_UNSYNC", 0x40 },
	{ "STA_FREQHOLD", 0x80 },
	{ "STA_PPSSIGNAL", 0x100 },
	{ "STA_PPSJITTER", 0x200 },
	{ "STA_PPSWANDER", 0x400 },
	{ "STA_PPSERROR", 0x800 },
	{ "STA_CLOCKERR", 0x1000 },
	{ "STA_NANO", 0x2000 },
	{ "STA_MODE", 0x4000 },
	{ "STA_CLK", 0x8000 });

CONSTANTS(adjtimex_states, "linux/timex.h", "TIME_???",
	{ "TIME_OK", 0 },
	{ "TIME_INS", 1 },
	{ "TIME_DEL", 2 },
	{ "TIME_OOP", 3 },
	{ "TIME_WAIT", 4 },
	{ "TIME_ERROR", 5 });
