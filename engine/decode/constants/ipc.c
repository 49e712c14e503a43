#include "engine/decode/tables.h"

CONSTANTS(ipc_get_flags, "linux/ipc.h", NULL,
	{ "IPC_CREAT", 0x200 },
	{ "IPC_EXCL", 0x400 },
	{ "IPC_NOWAIT", 0x800 });

CONSTANTS(shm_get_flags, "linux/shm.h,linux/ipc.h", NULL,
	{ "IPC_CREAT", 0x200 },
	{ "IPC_EXCL", 0x400 },
	{ "SHM_HUGETLB", 0x800 },
	{ "SHM_NORESERVE", 0x1000 });

CONSTANTS(shm_at_flags, "linux/shm.h", "SHM_???",
	{ "SHM_RDONLY", 0x1000 },
	{ "SHM_RND", 0x2000 },
	{ "SHM_REMAP", 0x4000 },
	{ "SHM_EXEC", 0x8000 });

CONSTANTS(shm_controls, "linux/shm.h,linux/ipc.h", "SHM_???",
	{ "IPC_RMID", 0 },
	{ "IPC_SET", 1 },
	{ "IPC_STAT", 2 },
	{ "IPC_INFO", 3 },
	{ "SHM_LOCK", 11 },
	{ "SHM_UNLOCK", 12 },
	{ "SHM_STAT", 13 },
	{ "SHM_INFO", 14 },
	{ "SHM_STAT_ANY", 15 });

CONSTANTS(sem_controls, "linux/sem.h,linux/ipc.h", "SEM_???",
	{ "IPC_RMID", 0 },
	{ "IPC_SET", 1 },
	{ "IPC_STAT", 2 },
	{ "IPC_INFO", 3 },
	{ "GETPID", 11 },
	{ "GETVAL", 12 },
	{ "GETALL", 13 },
	{ "GETNCNT", 14 },
	{ "GETZCNT", 15 },
	{ "SETVAL", 16 },
	{ "SETALL", 17 },
	{ "SEM_STAT", 18 },
	{ "SEM_INFO", 19 },
	{ "SEM_STAT_ANY", 20 });

CONSTANTS(sem_flags, "linux/sem.h,linux/ipc.h", "SEM_???",
	{ "SEM_UNDO", 0x1000 },
	{ "IPC_NOWAIT", 0x800 });

CONSTANTS(msg_controls, "linux/msg.h,linux/ipc.h", "MSG_???",
	{ "IPC_RMID", 0 },
	{ "IPC_SET", 1 },
	{ "IPC_STAT", 2 },
	{ "IPC_INFO", 3 },
	{ "MSG_STAT", 11 },
	{ "MSG_INFO", 12 },
	{ "MSG_STAT_ANY", 13 });

CONSTANTS(msg_flags, "linux/msg.h,linux/ipc.h", "MSG_???",
	{ "MSG_NOERROR", 0x1000 },
	{ "MSG_EXCEPT", 0x2000 },
	{ "MSG_COPY", 0x4000 },
	{ "IPC_NOWAIT", 0x800 });
