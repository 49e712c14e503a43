#include "engine/decode/tables.h"

CONSTANTS(mmap_protections, "linux/mman.h", "PROT_???",
	{ "PROT_NONE", 0x0 },
	{ "PROT_READ", 0x1 },
	{ "PROT_WRITE", 0x2 },
	{ "PROT_EXEC", 0x4 },
	{ "PROT_SEM", 0x8 },
	{ "PROT_GROWSDOWN", 0x1000000 },
	{ "PROT_GROWSUP", 0x2000000 });

CONSTANTS(mmap_types, "linux/mman.h", "MAP_???",
	{ "MAP_FILE", 0 },
	{ "MAP_SHARED", 1 },
	{ "MAP_PRIVATE", 2 },
	{ "MAP_SHARED_VALIDATE", 3 },
	{ "MAP_DROPPABLE", 8 });

CONSTANTS(mmap_flags, "linux/mman.h", NULL,
	{ "MAP_FIXED", 0x10 },
	{ "MAP_ANONYMOUS", 0x20 },
	{ "MAP_32BIT", 0x40 },
	{ "MAP_NORESERVE", 0x4000 },
	{ "MAP_POPULATE", 0x8000 },
	{ "MAP_NONBLOCK", 0x10000 },
	{ "MAP_GROWSDOWN", 0x100 },
	{ "MAP_DENYWRITE", 0x800 },
	{ "MAP_EXECUTABLE", 0x1000 },
	{ "MAP_LOCKED", 0x2000 },
	{ "MAP_STACK", 0x20000 },
	{ "MAP_HUGETLB", 0x40000 },
	{ "MAP_SYNC", 0x80000 },
	{ "MAP_FIXED_NOREPLACE", 0x100000 });

CONSTANTS(mremap_flags, "linux/mman.h", "MREMAP_???",
	{ "MREMAP_MAYMOVE", 0x1 },
	{ "MREMAP_FIXED", 0x2 },
	{ "MREMAP_DONTUNMAP", 0x4 });

CONSTANTS(msync_flags, "asm/mman.h", "MS_???",
	{ "MS_SYNC", 0x4 },
	{ "MS_ASYNC", 0x1 },
	{ "MS_INVALIDATE", 0x2 });

CONSTANTS(madvises, "asm/mman.h", "MADV_???",
	{ "MADV_NORMAL", 0 },
	{ "MADV_RANDOM", 1 },
	{ "MADV_SEQUENTIAL", 2 },
	{ "MADV_WILLNEED", 3 },
	{ "MADV_DONTNEED", 4 },
	{ "MADV_FREE", 8 },
	{ "MADV_REMOVE", 9 },
	{ "MADV_DONTFORK", 10 },
	{ "MADV_DOFORK", 11 },
	{ "MADV_MERGEABLE", 12 },
	{ "MADV_UNMERGEABLE", 13 },
	{ "MADV_HUGEPAGE", 14 },
	{ "MADV_NOHUGEPAGE", 15 },
	{ "MADV_DONTDUMP", 16 },
	{ "MADV_DODUMP", 17 },
	{ "MADV_WIPEONFORK", 18 },
	{ "MADV_KEEPONFORK", 19 },
	{ "MADV_COLD", 20 },
	{ "MADV_PAGEOUT", 21 },
	{ "MADV_POPULATE_READ", 22 },
	{ "MADV_POPULATE_WRITE", 23 },
	{ "MADV_DONTNEED_LOCKED", 24 },
	{ "MADV_COLLAPSE", 25 },
	{ "MADV_HWPOISON", 100 },
	{ "MADV_SOFT_OFFLINE", 101 },
	{ "MADV_GUARD_INSTALL", 102 },
	{ "MADV_GUARD_REMOVE", 103 });

CONSTANTS(mlockall_flags, "asm/mman.h", "MCL_???",
	{ "MCL_CURRENT", 0x1 },
	{ "MCL_FUTURE", 0x2 },
	{ "MCL_ONFAULT", 0x4 });

CONSTANTS(mlock_flags, "asm/mman.h", "MLOCK_???",
	{ "MLOCK_ONFAULT", 0x1 });

CONSTANTS(pkey_rights, "asm/mman.h", "PKEY_???",
	{ "PKEY_DISABLE_ACCESS", 0x1 },
	{ "PKEY_DISABLE_WRITE", 0x2 },
	{ "PKEY_DISABLE_EXECUTE", 0x4 });

CONSTANTS(mempolicy_modes, "linux/mempolicy.h", "MPOL_???",
	{ "MPOL_DEFAULT", 0 },
	{ "MPOL_PREFERRED", 1 },
	{ "MPOL_BIND", 2 },
	{ "MPOL_INTERLEAVE", 3 },
	{ "MPOL_LOCAL", 4 },
	{ "MPOL_PREFERRED_MANY", 5 },
	{ "MPOL_WEIGHTED_INTERLEAVE", 6 });

CONSTANTS(mempolicy_mode_flags, "linux/mempolicy.h", "MPOL_???",
	{ "MPOL_F_STATIC_NODES", 0x8000 },
	{ "MPOL_F_RELATIVE_NODES", 0x4000 },
	{ "MPOL_F_NUMA_BALANCING", 0x2000 });

CONSTANTS(mempolicy_flags, "linux/mempolicy.h", "MPOL_???",
	{ "MPOL_F_NODE", 0x1 },
	{ "MPOL_F_ADDR", 0x2 },
	{ "MPOL_F_MEMS_ALLOWED", 0x4 });

CONSTANTS(move_pages_flags, "linux/mempolicy.h", "MPOL_???",
	{ "MPOL_MF_MOVE", 0x2 },
	{ "MPOL_MF_MOVE_ALL", 0x4 });

CONSTANTS(mbind_flags, "linux/mempolicy.h", "MPOL_???",
	{ "MPOL_MF_STRICT", 0x1 },
	{ "MPOL_MF_MOVE", 0x2 },
	{ "MPOL_MF_MOVE_ALL", 0x4 });

CONSTANTS(membarrier_commands, "linux/membarrier.h", "MEMBARRIER_CMD_???",
	{ "MEMBARRIER_CMD_QUERY", 0x0 },
	{ "MEMBARRIER_CMD_GLOBAL", 0x1 },
	{ "MEMBARRIER_CMD_GLOBAL_EXPEDITED", 0x2 },
	{ "MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED", 0x4 },
	{ "MEMBARRIER_CMD_PRIVATE_EXPEDITED", 0x8 },
	{ "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED", 0x10 },
	{ "MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE", 0x20 },
	{ "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE", 0x40 },
	{ "MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ", 0x80 },
	{ "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ", 0x100 },
	{ "MEMBARRIER_CMD_GET_REGISTRATIONS", 0x200 });

CONSTANTS(membarrier_flags, "linux/membarrier.h", "MEMBARRIER_CMD_FLAG_???",
	{ "MEMBARRIER_CMD_FLAG_CPU", 0x1 });

CONSTANTS(userfaultfd_flags, "linux/userfaultfd.h,linux/fcntl.h", "UFFD_???",
	{ "UFFD_USER_MODE_ONLY", 0x1 },
	{ "O_NONBLOCK", 0x800 },
	{ "O_CLOEXEC", 0x80000 });

CONSTANTS(rseq_flags, "linux/rseq.h", "RSEQ_FLAG_???",
	{ "RSEQ_FLAG_UNREGISTER", 0x1 });

CONSTANTS(map_shadow_stack_flags, "asm/mman.h", "SHADOW_STACK_???",
	{ "SHADOW_STACK_SET_TOKEN", 0x1 },
	{ "SHADOW_STACK_SET_MARKER", 0x2 });
