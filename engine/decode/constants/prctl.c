#include "engine/decode/tables.h"

CONSTANTS(prctl_options, "linux/prctl.h", "PR_???",
	{ "PR_SET_PDEATHSIG", 1 },
	{ "PR_GET_PDEATHSIG", 2 },
	{ "PR_GET_DUMPABLE", 3 },
	{ "PR_SET_DUMPABLE", 4 },
	{ "PR_GET_UNALIGN", 5 },
	{ "PR_SET_UNALIGN", 6 },
	{ "PR_GET_KEEPCAPS", 7 },
	{ "PR_SET_KEEPCAPS", 8 },
	{ "PR_GET_FPEMU", 9 },
	{ "PR_SET_FPEMU", 10 },
	{ "PR_GET_FPEXC", 11 },
	{ "PR_SET_FPEXC", 12 },
	{ "PR_GET_TIMING", 13 },
	{ "PR_SET_TIMING", 14 },
	{ "PR_SET_NAME", 15 },
	{ "PR_GET_NAME", 16 },
	{ "PR_GET_ENDIAN", 19 },
	{ "PR_SET_ENDIAN", 20 },
	{ "PR_GET_SECCOMP", 21 },
	{ "PR_SET_SECCOMP", 22 },
	{ "PR_CAPBSET_READ", 23 },
	{ "PR_CAPBSET_DROP", 24 },
	{ "PR_GET_TSC", 25 },
	{ "PR_SET_TSC", 26 },
	{ "PR_GET_SECUREBITS", 27 },
	{ "PR_SET_SECUREBITS", 28 },
	{ "PR_SET_TIMERSLACK", 29 },
	{ "PR_GET_TIMERSLACK", 30 },
	{ "PR_TASK_PERF_EVENTS_DISABLE", 31 },
	{ "PR_TASK_PERF_EVENTS_ENABLE", 32 },
	{ "PR_MCE_KILL", 33 },
	{ "PR_MCE_KILL_GET", 34 },
	{ "PR_SET_MM", 35 },
	{ "PR_SET_CHILD_SUBREAPER", 36 },
	{ "PR_GET_CHILD_SUBREAPER", 37 },
	{ "PR_SET_NO_NEW_PRIVS", 38 },
	{ "PR_GET_NO_NEW_PRIVS", 39 },
	{ "PR_GET_TID_ADDRESS", 40 },
	{ "PR_SET_THP_DISABLE", 41 },
	{ "PR_GET_THP_DISABLE", 42 },
	{ "PR_MPX_ENABLE_MANAGEMENT", 43 },
	{ "PR_MPX_DISABLE_MANAGEMENT", 44 },
	{ "PR_SET_FP_MODE", 45 },
	{ "PR_GET_FP_MODE", 46 },
	{ "PR_CAP_AMBIENT", 47 },
	{ "PR_SVE_SET_VL", 50 },
	{ "PR_SVE_GET_VL", 51 },
	{ "PR_GET_SPECULATION_CTRL", 52 },
	{ "PR_SET_SPECULATION_CTRL", 53 },
	{ "PR_PAC_RESET_KEYS", 54 },
	{ "PR_SET_TAGGED_ADDR_CTRL", 55 },
	{ "PR_GET_TAGGED_ADDR_CTRL", 56 },
	{ "PR_SET_IO_FLUSHER", 57 },
	{ "PR_GET_IO_FLUSHER", 58 },
	{ "PR_SET_SYSCALL_USER_DISPATCH", 59 },
	{ "PR_PAC_SET_ENABLED_KEYS", 60 },
	{ "PR_PAC_GET_ENABLED_KEYS", 61 },
	{ "PR_SCHED_CORE", 62 },
	{ "PR_SME_SET_VL", 63 },
	{ "PR_SME_GET_VL", 64 },
	{ "PR_SET_MDWE", 65 },
	{ "PR_GET_MDWE", 66 },
	{ "PR_SET_MEMORY_MERGE", 67 },
	{ "PR_GET_MEMORY_MERGE", 68 },
	{ "PR_RISCV_V_SET_CONTROL", 69 },
	{ "PR_RISCV_V_GET_CONTROL", 70 },
	{ "PR_RISCV_SET_ICACHE_FLUSH_CTX", 71 },
	{ "PR_PPC_GET_DEXCR", 72 },
	{ "PR_PPC_SET_DEXCR", 73 },
	{ "PR_GET_SHADOW_STACK_STATUS", 74 },
	{ "PR_SET_SHADOW_STACK_STATUS", 75 },
	{ "PR_LOCK_SHADOW_STACK_STATUS", 76 },
	{ "PR_TIMER_CREATE_RESTORE_IDS", 77 },
	{ "PR_FUTEX_HASH", 78 },
	{ "PR_SET_VMA", 0x53564d41 },
	{ "PR_SET_PTRACER", 0x59616d61 });

CONSTANTS(prctl_mm_options, "linux/prctl.h", "PR_SET_MM_???",
	{ "PR_SET_MM_START_CODE", 1 },
	{ "PR_SET_MM_END_CODE", 2 },
	{ "PR_SET_MM_START_DATA", 3 },
	{ "PR_SET_MM_END_DATA", 4 },
	{ "PR_SET_MM_START_STACK", 5 },
	{ "PR_SET_MM_START_BRK", 6 },
	{ "PR_SET_MM_BRK", 7 },
	{ "PR_SET_MM_ARG_START", 8 },
	{ "PR_SET_MM_ARG_END", 9 },
	{ "PR_SET_MM_ENV_START", 10 },
	{ "PR_SET_MM_ENV_END", 11 },
	{ "PR_SET_MM_AUXV", 12 },
	{ "PR_SET_MM_EXE_FILE", 13 },
	{ "PR_SET_MM_MAP", 14 },
	{ "PR_SET_MM_MAP_SIZE", 15 });

CONSTANTS(prctl_dumpables, NULL, "SUID_DUMP_???",
	{ "SUID_DUMP_DISABLE", 0 },
	{ "SUID_DUMP_USER", 1 },
	{ "SUID_DUMP_ROOT", 2 });

CONSTANTS(prctl_unaligns, "linux/prctl.h", "PR_UNALIGN_???",
	{ "PR_UNALIGN_NOPRINT", 0x1 },
	{ "PR_UNALIGN_SIGBUS", 0x2 });

CONSTANTS(prctl_tscs, "linux/prctl.h", "PR_TSC_???",
	{ "PR_TSC_ENABLE", 1 },
	{ "PR_TSC_SIGSEGV", 2 });

CONSTANTS(prctl_timings, "linux/prctl.h", "PR_TIMING_???",
	{ "PR_TIMING_STATISTICAL", 0 },
	{ "PR_TIMING_TIMESTAMP", 1 });

CONSTANTS(prctl_mce_options, "linux/prctl.h", "PR_MCE_KILL_???",
	{ "PR_MCE_KILL_CLEAR", 0 },
	{ "PR_MCE_KILL_SET", 1 });

CONSTANTS(prctl_mce_policies, "linux/prctl.h", "PR_MCE_KILL_???",
	{ "PR_MCE_KILL_LATE", 0 },
	{ "PR_MCE_KILL_EARLY", 1 },
	{ "PR_MCE_KILL_DEFAULT", 2 });

CONSTANTS(prctl_ambients, "linux/prctl.h", "PR_CAP_AMBIENT_???",
	{ "PR_CAP_AMBIENT_IS_SET", 1 },
	{ "PR_CAP_AMBIENT_RAISE", 2 },
	{ "PR_CAP_AMBIENT_LOWER", 3 },
	{ "PR_CAP_AMBIENT_CLEAR_ALL", 4 });

CONSTANTS(prctl_speculations, "linux/prctl.h", "PR_SPEC_???",
	{ "PR_SPEC_STORE_BYPASS", 0 },
	{ "PR_SPEC_INDIRECT_BRANCH", 1 },
	{ "PR_SPEC_L1D_FLUSH", 2 });

CONSTANTS(prctl_speculation_flags, "linux/prctl.h", "PR_SPEC_???",
	{ "PR_SPEC_PRCTL", 0x1 },
	{ "PR_SPEC_ENABLE", 0x2 },
	{ "PR_SPEC_DISABLE", 0x4 },
	{ "PR_SPEC_FORCE_DISABLE", 0x8 },
	{ "PR_SPEC_DISABLE_NOEXEC", 0x10 });

CONSTANTS(prctl_dispatches, "linux/prctl.h", "PR_SYS_DISPATCH_???",
	{ "PR_SYS_DISPATCH_OFF", 0 },
	{ "PR_SYS_DISPATCH_ON", 1 });

CONSTANTS(prctl_vma_options, "linux/prctl.h", "PR_SET_VMA_???",
	{ "PR_SET_VMA_ANON_NAME", 0 });

CONSTANTS(prctl_core_sched_options, "linux/prctl.h", "PR_SCHED_CORE_???",
	{ "PR_SCHED_CORE_GET", 0 },
	{ "PR_SCHED_CORE_CREATE", 1 },
	{ "PR_SCHED_CORE_SHARE_TO", 2 },
	{ "PR_SCHED_CORE_SHARE_FROM", 3 });

CONSTANTS(securebits, "linux/securebits.h", "SECBIT_???",
	{ "SECBIT_NOROOT", 0x1 },
	{ "SECBIT_NOROOT_LOCKED", 0x2 },
	{ "SECBIT_NO_SETUID_FIXUP", 0x4 },
	{ "SECBIT_NO_SETUID_FIXUP_LOCKED", 0x8 },
	{ "SECBIT_KEEP_CAPS", 0x10 },
	{ "SECBIT_KEEP_CAPS_LOCKED", 0x20 },
	{ "SECBIT_NO_CAP_AMBIENT_RAISE", 0x40 },
	{ "SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED", 0x80 });

CONSTANTS(seccomp_modes, "linux/seccomp.h", "SECCOMP_MODE_???",
	{ "SECCOMP_MODE_DISABLED", 0 },
	{ "SECCOMP_MODE_STRICT", 1 },
	{ "SECCOMP_MODE_FILTER", 2 });

CONSTANTS(seccomp_operations, "linux/seccomp.h", "SECCOMP_SET_MODE_???",
	{ "SECCOMP_SET_MODE_STRICT", 0 },
	{ "SECCOMP_SET_MODE_FILTER", 1 },
	{ "SECCOMP_GET_ACTION_AVAIL", 2 },
	{ "SECCOMP_GET_NOTIF_SIZES", 3 });

CONSTANTS(seccomp_filter_flags, "linux/seccomp.h", "SECCOMP_FILTER_FLAG_???",
	{ "SECCOMP_FILTER_FLAG_TSYNC", 0x1 },
	{ "SECCOMP_FILTER_FLAG_LOG", 0x2 },
	{ "SECCOMP_FILTER_FLAG_SPEC_ALLOW", 0x4 },
	{ "SECCOMP_FILTER_FLAG_NEW_LISTENER", 0x8 },
	{ "SECCOMP_FILTER_FLAG_TSYNC_ESRCH", 0x10 },
	{ "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV", 0x20 });

CONSTANTS(seccomp_actions, "linux/seccomp.h", "SECCOMP_RET_???",
	{ "SECCOMP_RET_KILL_THREAD", 0 },
	{ "SECCOMP_RET_TRAP", 0x30000 },
	{ "SECCOMP_RET_ERRNO", 0x50000 },
	{ "SECCOMP_RET_USER_NOTIF", 0x7fc00000 },
	{ "SECCOMP_RET_TRACE", 0x7ff00000 },
	{ "SECCOMP_RET_LOG", 0x7ffc0000 },
	{ "SECCOMP_RET_ALLOW", 0x7fff0000 },
	{ "SECCOMP_RET_KILL_PROCESS", 0x80000000 });

/* enum pid_type of the kernel: the tasks that receive a cookie. */
CONSTANTS(core_sched_scopes, NULL, "PIDTYPE_???",
	{ "PIDTYPE_PID", 0 },
	{ "PIDTYPE_TGID", 1 },
	{ "PIDTYPE_PGID", 2 },
	{ "PIDTYPE_SID", 3 });
