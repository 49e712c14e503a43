#include "engine/decode/constants/tables.h"

CONSTANTS(sigmask_hows, "asm/signal.h", "SIG_???",
	{ "SIG_BLOCK", 0 },
	{ "SIG_UNBLOCK", 1 },
	{ "SIG_SETMASK", 2 });

CONSTANTS(sigaction_flags, "asm/signal.h", "SA_???",
	{ "SA_RESTORER", 0x4000000 },
	{ "SA_ONSTACK", 0x8000000 },
	{ "SA_RESTART", 0x10000000 },
	{ "SA_NODEFER", 0x40000000 },
	{ "SA_RESETHAND", 0x80000000 },
	{ "SA_SIGINFO", 0x4 },
	{ "SA_NOCLDSTOP", 0x1 },
	{ "SA_NOCLDWAIT", 0x2 },
	{ "SA_UNSUPPORTED", 0x400 },
	{ "SA_EXPOSE_TAGBITS", 0x800 });

CONSTANTS(sigaltstack_flags, "linux/signal.h", "SS_???",
	{ "SS_ONSTACK", 0x1 },
	{ "SS_DISABLE", 0x2 },
	{ "SS_AUTODISARM", 0x80000000 });

CONSTANTS(signalfd_flags, "linux/signalfd.h", "SFD_???",
	{ "SFD_CLOEXEC", 0x80000 },
	{ "SFD_NONBLOCK", 0x800 });

CONSTANTS(si_codes, "signal.h", "SI_???",
	{ "SI_USER", 0 },
	{ "SI_KERNEL", 128 },
	{ "SI_ASYNCNL", 0xffffffc4 },
	{ "SI_DETHREAD", 0xfffffff9 },
	{ "SI_TKILL", 0xfffffffa },
	{ "SI_SIGIO", 0xfffffffb },
	{ "SI_ASYNCIO", 0xfffffffc },
	{ "SI_MESGQ", 0xfffffffd },
	{ "SI_TIMER", 0xfffffffe },
	{ "SI_QUEUE", 0xffffffff });

CONSTANTS(si_fpe_codes, "asm/siginfo.h", "FPE_???",
	{ "FPE_INTDIV", 1 },
	{ "FPE_INTOVF", 2 },
	{ "FPE_FLTDIV", 3 },
	{ "FPE_FLTOVF", 4 },
	{ "FPE_FLTUND", 5 },
	{ "FPE_FLTRES", 6 },
	{ "FPE_FLTINV", 7 },
	{ "FPE_FLTSUB", 8 });

CONSTANTS(si_ill_codes, "asm/siginfo.h", "ILL_???",
	{ "ILL_ILLOPC", 1 },
	{ "ILL_ILLOPN", 2 },
	{ "ILL_ILLADR", 3 },
	{ "ILL_ILLTRP", 4 },
	{ "ILL_PRVOPC", 5 },
	{ "ILL_PRVREG", 6 },
	{ "ILL_COPROC", 7 },
	{ "ILL_BADSTK", 8 },
	{ "ILL_BADIADDR", 9 });

CONSTANTS(si_segv_codes, "asm/siginfo.h", "SEGV_???",
	{ "SEGV_MAPERR", 1 },
	{ "SEGV_ACCERR", 2 },
	{ "SEGV_BNDERR", 3 },
	{ "SEGV_PKUERR", 4 });

CONSTANTS(si_bus_codes, "asm/siginfo.h", "BUS_???",
	{ "BUS_ADRALN", 1 },
	{ "BUS_ADRERR", 2 },
	{ "BUS_OBJERR", 3 },
	{ "BUS_MCEERR_AR", 4 },
	{ "BUS_MCEERR_AO", 5 });

CONSTANTS(si_trap_codes, "asm/siginfo.h", "TRAP_???",
	{ "TRAP_BRKPT", 1 },
	{ "TRAP_TRACE", 2 },
	{ "TRAP_BRANCH", 3 },
	{ "TRAP_HWBKPT", 4 });

CONSTANTS(si_chld_codes, "asm/siginfo.h", "CLD_???",
	{ "CLD_EXITED", 1 },
	{ "CLD_KILLED", 2 },
	{ "CLD_DUMPED", 3 },
	{ "CLD_TRAPPED", 4 },
	{ "CLD_STOPPED", 5 },
	{ "CLD_CONTINUED", 6 });

CONSTANTS(si_poll_codes, "asm/siginfo.h", "POLL_???",
	{ "POLL_IN", 1 },
	{ "POLL_OUT", 2 },
	{ "POLL_MSG", 3 },
	{ "POLL_ERR", 4 },
	{ "POLL_PRI", 5 },
	{ "POLL_HUP", 6 });

CONSTANTS(si_sys_codes, "asm/siginfo.h", "SYS_???",
	{ "SYS_SECCOMP", 1 },
	{ "SYS_USER_DISPATCH", 2 });

CONSTANTS(sigev_notifies, "asm/siginfo.h", "SIGEV_???",
	{ "SIGEV_SIGNAL", 0 },
	{ "SIGEV_NONE", 1 },
	{ "SIGEV_THREAD", 2 },
	{ "SIGEV_THREAD_ID", 4 });
