#include "engine/decode/tables.h"

CONSTANTS(poll_events, "linux/poll.h", "POLL???",
	{ "POLLIN", 0x1 },
	{ "POLLPRI", 0x2 },
	{ "POLLOUT", 0x4 },
	{ "POLLERR", 0x8 },
	{ "POLLHUP", 0x10 },
	{ "POLLNVAL", 0x20 },
	{ "POLLRDNORM", 0x40 },
	{ "POLLRDBAND", 0x80 },
	{ "POLLWRNORM", 0x100 },
	{ "POLLWRBAND", 0x200 },
	{ "POLLMSG", 0x400 },
	{ "POLLREMOVE", 0x1000 },
	{ "POLLRDHUP", 0x2000 },
	{ "POLL_BUSY_LOOP", 0x8000 });

CONSTANTS(epoll_controls, "linux/eventpoll.h", "EPOLL_CTL_???",
	{ "EPOLL_CTL_ADD", 1 },
	{ "EPOLL_CTL_DEL", 2 },
	{ "EPOLL_CTL_MOD", 3 });

CONSTANTS(epoll_events, "linux/eventpoll.h", "EPOLL???",
	{ "EPOLLIN", 0x1 },
	{ "EPOLLPRI", 0x2 },
	{ "EPOLLOUT", 0x4 },
	{ "EPOLLERR", 0x8 },
	{ "EPOLLHUP", 0x10 },
	{ "EPOLLNVAL", 0x20 },
	{ "EPOLLRDNORM", 0x40 },
	{ "EPOLLRDBAND", 0x80 },
	{ "EPOLLWRNORM", 0x100 },
	{ "EPOLLWRBAND", 0x200 },
	{ "EPOLLMSG", 0x400 },
	{ "EPOLLRDHUP", 0x2000 },
	{ "EPOLLEXCLUSIVE", 0x10000000 },
	{ "EPOLLWAKEUP", 0x20000000 },
	{ "EPOLLONESHOT", 0x40000000 },
	{ "EPOLLET", 0x80000000 });

CONSTANTS(epoll_flags, "linux/eventpoll.h", "EPOLL_???",
	{ "EPOLL_CLOEXEC", 0x80000 });

CONSTANTS(eventfd_flags, "sys/eventfd.h", "EFD_???",
	{ "EFD_SEMAPHORE", 0x1 },
	{ "EFD_CLOEXEC", 0x80000 },
	{ "EFD_NONBLOCK", 0x800 });

CONSTANTS(futex_operations, "linux/futex.h", "FUTEX_???",
	{ "FUTEX_WAIT", 0 },
	{ "FUTEX_WAKE", 1 },
	{ "FUTEX_FD", 2 },
	{ "FUTEX_REQUEUE", 3 },
	{ "FUTEX_CMP_REQUEUE", 4 },
	{ "FUTEX_WAKE_OP", 5 },
	{ "FUTEX_LOCK_PI", 6 },
	{ "FUTEX_UNLOCK_PI", 7 },
	{ "FUTEX_TRYLOCK_PI", 8 },
	{ "FUTEX_WAIT_BITSET", 9 },
	{ "FUTEX_WAKE_BITSET", 10 },
	{ "FUTEX_WAIT_REQUEUE_PI", 11 },
	{ "FUTEX_CMP_REQUEUE_PI", 12 },
	{ "FUTEX_LOCK_PI2", 13 });

CONSTANTS(futex_wake_operations, "linux/futex.h", "FUTEX_OP_???",
	{ "FUTEX_OP_SET", 0 },
	{ "FUTEX_OP_ADD", 1 },
	{ "FUTEX_OP_OR", 2 },
	{ "FUTEX_OP_ANDN", 3 },
	{ "FUTEX_OP_XOR", 4 });

CONSTANTS(futex_wake_comparisons, "linux/futex.h", "FUTEX_OP_CMP_???",
	{ "FUTEX_OP_CMP_EQ", 0 },
	{ "FUTEX_OP_CMP_NE", 1 },
	{ "FUTEX_OP_CMP_LT", 2 },
	{ "FUTEX_OP_CMP_LE", 3 },
	{ "FUTEX_OP_CMP_GT", 4 },
	{ "FUTEX_OP_CMP_GE", 5 });

CONSTANTS(futex_waiter_flags, "linux/futex.h", "FUTEX_???",
	{ "FUTEX_32", 0x2 },
	{ "FUTEX_PRIVATE_FLAG", 0x80 });

CONSTANTS(futex2_flags, "linux/futex.h", "FUTEX2_???",
	{ "FUTEX2_NUMA", 0x4 },
	{ "FUTEX2_MPOL", 0x8 },
	{ "FUTEX2_PRIVATE", 0x80 });

CONSTANTS(futex2_sizes, "linux/futex.h", "FUTEX2_SIZE_???",
	{ "FUTEX2_SIZE_U8", 0 },
	{ "FUTEX2_SIZE_U16", 1 },
	{ "FUTEX2_SIZE_U32", 2 },
	{ "FUTEX2_SIZE_U64", 3 });

CONSTANTS(aio_commands, "linux/aio_abi.h", "IOCB_CMD_???",
	{ "IOCB_CMD_PREAD", 0 },
	{ "IOCB_CMD_PWRITE", 1 },
	{ "IOCB_CMD_FSYNC", 2 },
	{ "IOCB_CMD_FDSYNC", 3 },
	{ "IOCB_CMD_PREADX", 4 },
	{ "IOCB_CMD_POLL", 5 },
	{ "IOCB_CMD_NOOP", 6 },
	{ "IOCB_CMD_PREADV", 7 },
	{ "IOCB_CMD_PWRITEV", 8 });
