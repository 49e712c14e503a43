#include "engine/decode/tables.h"

CONSTANTS(interface_flags, "net/if.h", "IFF_???", { "IFF_UP", 0x1 }, { "IFF_BROADCAST", 0x2 },
	  { "IFF_DEBUG", 0x4 }, { "IFF_LOOPBACK", 0x8 }, { "IFF_POINTOPOINT", 0x10 },
	  { "IFF_NOTRAILERS", 0x20 }, { "IFF_RUNNING", 0x40 }, { "IFF_NOARP", 0x80 },
	  { "IFF_PROMISC", 0x100 }, { "IFF_ALLMULTI", 0x200 }, { "IFF_MASTER", 0x400 },
	  { "IFF_SLAVE", 0x800 }, { "IFF_MULTICAST", 0x1000 }, { "IFF_PORTSEL", 0x2000 },
	  { "IFF_AUTOMEDIA", 0x4000 }, { "IFF_DYNAMIC", 0x8000 }, { "IFF_LOWER_UP", 0x10000 },
	  { "IFF_DORMANT", 0x20000 }, { "IFF_ECHO", 0x40000 });

CONSTANTS(inode_flags, "linux/fs.h", "FS_???_FL", { "FS_SECRM_FL", 0x1 }, { "FS_UNRM_FL", 0x2 },
	  { "FS_COMPR_FL", 0x4 }, { "FS_SYNC_FL", 0x8 }, { "FS_IMMUTABLE_FL", 0x10 },
	  { "FS_APPEND_FL", 0x20 }, { "FS_NODUMP_FL", 0x40 }, { "FS_NOATIME_FL", 0x80 },
	  { "FS_DIRTY_FL", 0x100 }, { "FS_COMPRBLK_FL", 0x200 }, { "FS_NOCOMP_FL", 0x400 },
	  { "FS_ENCRYPT_FL", 0x800 }, { "FS_INDEX_FL", 0x1000 }, { "FS_IMAGIC_FL", 0x2000 },
	  { "FS_JOURNAL_DATA_FL", 0x4000 }, { "FS_NOTAIL_FL", 0x8000 },
	  { "FS_DIRSYNC_FL", 0x10000 }, { "FS_TOPDIR_FL", 0x20000 }, { "FS_HUGE_FILE_FL", 0x40000 },
	  { "FS_EXTENT_FL", 0x80000 }, { "FS_VERITY_FL", 0x100000 }, { "FS_EA_INODE_FL", 0x200000 },
	  { "FS_EOFBLOCKS_FL", 0x400000 }, { "FS_NOCOW_FL", 0x800000 }, { "FS_DAX_FL", 0x2000000 },
	  { "FS_INLINE_DATA_FL", 0x10000000 }, { "FS_PROJINHERIT_FL", 0x20000000 },
	  { "FS_CASEFOLD_FL", 0x40000000 }, { "FS_RESERVED_FL", 0x80000000 });

CONSTANTS(ioctl_directions, "linux/ioctl.h", "_IOC_???", { "_IOC_NONE", 0x0 }, { "_IOC_READ", 0x2 },
	  { "_IOC_WRITE", 0x1 });

CONSTANTS(mq_flags, "fcntl.h", "O_???", { "O_RDONLY", 0x0 }, { "O_WRONLY", 0x1 },
	  { "O_NONBLOCK", 0x800 });

CONSTANTS(fiemap_flags, "linux/fiemap.h", "FIEMAP_FLAG_???", { "FIEMAP_FLAG_SYNC", 0x1 },
	  { "FIEMAP_FLAG_XATTR", 0x2 }, { "FIEMAP_FLAG_CACHE", 0x4 });

CONSTANTS(file_xflags, "linux/fs.h", "FS_XFLAG_???", { "FS_XFLAG_REALTIME", 0x1 },
	  { "FS_XFLAG_PREALLOC", 0x2 }, { "FS_XFLAG_IMMUTABLE", 0x8 }, { "FS_XFLAG_APPEND", 0x10 },
	  { "FS_XFLAG_SYNC", 0x20 }, { "FS_XFLAG_NOATIME", 0x40 }, { "FS_XFLAG_NODUMP", 0x80 },
	  { "FS_XFLAG_RTINHERIT", 0x100 }, { "FS_XFLAG_PROJINHERIT", 0x200 },
	  { "FS_XFLAG_NOSYMLINKS", 0x400 }, { "FS_XFLAG_EXTSIZE", 0x800 },
	  { "FS_XFLAG_EXTSZINHERIT", 0x1000 }, { "FS_XFLAG_NODEFRAG", 0x2000 },
	  { "FS_XFLAG_FILESTREAM", 0x4000 }, { "FS_XFLAG_DAX", 0x8000 },
	  { "FS_XFLAG_COWEXTSIZE", 0x10000 }, { "FS_XFLAG_HASATTR", 0x80000000 });

CONSTANTS(loop_flags, "linux/loop.h", "LO_FLAGS_???", { "LO_FLAGS_READ_ONLY", 0x1 },
	  { "LO_FLAGS_USE_AOPS", 0x2 }, { "LO_FLAGS_AUTOCLEAR", 0x4 }, { "LO_FLAGS_PARTSCAN", 0x8 },
	  { "LO_FLAGS_DIRECT_IO", 0x10 });

CONSTANTS(userfault_features, "linux/userfaultfd.h", "UFFD_FEATURE_???",
	  { "UFFD_FEATURE_PAGEFAULT_FLAG_WP", 0x1 }, { "UFFD_FEATURE_EVENT_FORK", 0x2 },
	  { "UFFD_FEATURE_EVENT_REMAP", 0x4 }, { "UFFD_FEATURE_EVENT_REMOVE", 0x8 },
	  { "UFFD_FEATURE_MISSING_HUGETLBFS", 0x10 }, { "UFFD_FEATURE_MISSING_SHMEM", 0x20 },
	  { "UFFD_FEATURE_EVENT_UNMAP", 0x40 }, { "UFFD_FEATURE_SIGBUS", 0x80 },
	  { "UFFD_FEATURE_THREAD_ID", 0x100 }, { "UFFD_FEATURE_MINOR_HUGETLBFS", 0x200 },
	  { "UFFD_FEATURE_MINOR_SHMEM", 0x400 }, { "UFFD_FEATURE_EXACT_ADDRESS", 0x800 },
	  { "UFFD_FEATURE_WP_HUGETLBFS_SHMEM", 0x1000 });

/* Bits, each at the place of a request's number. */
CONSTANTS(userfault_requests, NULL, NULL, { "1<<_UFFDIO_REGISTER", 0x1 },
	  { "1<<_UFFDIO_UNREGISTER", 0x2 }, { "1<<_UFFDIO_WAKE", 0x4 }, { "1<<_UFFDIO_COPY", 0x8 },
	  { "1<<_UFFDIO_ZEROPAGE", 0x10 }, { "1<<_UFFDIO_WRITEPROTECT", 0x40 },
	  { "1<<_UFFDIO_CONTINUE", 0x80 }, { "1<<_UFFDIO_API", 0x8000000000000000 });
