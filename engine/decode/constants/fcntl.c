#include "engine/decode/constants/tables.h"

CONSTANTS(fcntl_commands, "linux/fcntl.h", "F_???",
	{ "F_DUPFD", 0 },
	{ "F_GETFD", 1 },
	{ "F_SETFD", 2 },
	{ "F_GETFL", 3 },
	{ "F_SETFL", 4 },
	{ "F_GETLK", 5 },
	{ "F_SETLK", 6 },
	{ "F_SETLKW", 7 },
	{ "F_SETOWN", 8 },
	{ "F_GETOWN", 9 },
	{ "F_SETSIG", 10 },
	{ "F_GETSIG", 11 },
	{ "F_SETOWN_EX", 15 },
	{ "F_GETOWN_EX", 16 },
	{ "F_GETOWNER_UIDS", 17 },
	{ "F_OFD_GETLK", 36 },
	{ "F_OFD_SETLK", 37 },
	{ "F_OFD_SETLKW", 38 },
	{ "F_SETLEASE", 1024 },
	{ "F_GETLEASE", 1025 },
	{ "F_NOTIFY", 1026 },
	{ "F_DUPFD_QUERY", 1027 },
	{ "F_CREATED_QUERY", 1028 },
	{ "F_CANCELLK", 1029 },
	{ "F_DUPFD_CLOEXEC", 1030 },
	{ "F_SETPIPE_SZ", 1031 },
	{ "F_GETPIPE_SZ", 1032 },
	{ "F_ADD_SEALS", 1033 },
	{ "F_GET_SEALS", 1034 },
	{ "F_GET_RW_HINT", 1035 },
	{ "F_SET_RW_HINT", 1036 },
	{ "F_GET_FILE_RW_HINT", 1037 },
	{ "F_SET_FILE_RW_HINT", 1038 },
	{ "F_GETDELEG", 1039 },
	{ "F_SETDELEG", 1040 });

CONSTANTS(fd_flags, "linux/fcntl.h", "FD_???",
	{ "FD_CLOEXEC", 0x1 });

CONSTANTS(lock_types, "linux/fcntl.h", "F_???",
	{ "F_RDLCK", 0 },
	{ "F_WRLCK", 1 },
	{ "F_UNLCK", 2 },
	{ "F_EXLCK", 4 },
	{ "F_SHLCK", 8 });

CONSTANTS(seals, "linux/fcntl.h", "F_SEAL_???",
	{ "F_SEAL_SEAL", 0x1 },
	{ "F_SEAL_SHRINK", 0x2 },
	{ "F_SEAL_GROW", 0x4 },
	{ "F_SEAL_WRITE", 0x8 },
	{ "F_SEAL_FUTURE_WRITE", 0x10 },
	{ "F_SEAL_EXEC", 0x20 });

CONSTANTS(notify_flags, "linux/fcntl.h", "DN_???",
	{ "DN_ACCESS", 0x1 },
	{ "DN_MODIFY", 0x2 },
	{ "DN_CREATE", 0x4 },
	{ "DN_DELETE", 0x8 },
	{ "DN_RENAME", 0x10 },
	{ "DN_ATTRIB", 0x20 },
	{ "DN_MULTISHOT", 0x80000000 });

CONSTANTS(owner_types, "linux/fcntl.h", "F_OWNER_???",
	{ "F_OWNER_TID", 0 },
	{ "F_OWNER_PID", 1 },
	{ "F_OWNER_PGRP", 2 });

CONSTANTS(rw_hints, "linux/fcntl.h", "RWH_WRITE_LIFE_???",
	{ "RWH_WRITE_LIFE_NOT_SET", 0 },
	{ "RWH_WRITE_LIFE_NONE", 1 },
	{ "RWH_WRITE_LIFE_SHORT", 2 },
	{ "RWH_WRITE_LIFE_MEDIUM", 3 },
	{ "RWH_WRITE_LIFE_LONG", 4 },
	{ "RWH_WRITE_LIFE_EXTREME", 5 });
