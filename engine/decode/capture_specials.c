#include "engine/decode/capture_specials.h"

#include "engine/decode/shapes.h"

#include <asm/prctl.h>
#include <limits.h>
#include <linux/aio_abi.h>
#include <linux/blkpg.h>
#include <linux/bpf.h>
#include <linux/fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <linux/kexec.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <linux/msg.h>
#include <linux/openat2.h>
#include <linux/perf_event.h>
#include <linux/prctl.h>
#include <linux/ptrace.h>
#include <linux/reboot.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/sem.h>
#include <linux/shm.h>
#include <linux/stat.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#define REGISTER_BYTES 512 /* the largest register set of ptrace() requests without an iovec */
#define SOCKADDR_BYTES 128 /* struct sockaddr_storage of the kernel */
#define LIST_BYTES 1024 /* array of small elements: more than is ever shown */
#define STRUCT_BYTES 512 /* extensible struct: larger than every known version */
#define MASK_BYTES 1024 /* CPU mask */
#define LOCK_BYTES 32 /* struct flock */
#define TIME_BYTES 16
#define TIMEX_BYTES 208
#define QUOTA_BYTES 72 /* struct if_dqblk */
#define URING_PROBE_BYTES (16 + 8 * 32) /* struct io_uring_probe with the operations shown */
#define URING_STRUCT_BYTES 40 /* struct io_uring_buf_reg, the largest of io_uring_register() */
#define WAIT_BYTES 24 /* struct io_uring_getevents_arg */
#define HANDLE_BYTES 136 /* struct file_handle with the longest handle */
#define CLONE_ARG(member) offsetof(struct clone_args, member)

/* Input and output. */
/* clang-format off */
#define GIVEN(name, arg_, ...) \
	{ name, false, { .arg = (arg_), .kind = CAPTURE_BYTES, __VA_ARGS__ } }
#define FILLED(name, arg_, ...) \
	{ name, true, { .arg = (arg_), .kind = CAPTURE_BYTES, __VA_ARGS__ } }
#define TEXT(name, arg_, ...) \
	{ name, false, { .arg = (arg_), .kind = CAPTURE_TEXT, __VA_ARGS__ } }
#define GOT_TEXT(name, arg_, ...) \
	{ name, true, { .arg = (arg_), .kind = CAPTURE_TEXT, __VA_ARGS__ } }
#define FOLLOWED(name, arg_, ...) \
	{ name, false, { .arg = (arg_), __VA_ARGS__ } }
#define GOT_FOLLOWED(name, arg_, ...) \
	{ name, true, { .arg = (arg_), __VA_ARGS__ } }
/* clang-format on */

/* Sizes. */
#define ALL(bytes) .size = CAPTURE_ALL, .max = (bytes)
#define SHOWN_BY(number) .size = CAPTURE_BY_ARG, .size_arg = (number)
#define SHOWN_BY_RESULT .size = CAPTURE_BY_RESULT
#define UP_TO(bytes, number) SHOWN_BY(number), .max = (bytes)
#define EACH(bytes, number) SHOWN_BY(number), .unit = (bytes), .max = LIST_BYTES
#define EACH_OF_RESULT(bytes) SHOWN_BY_RESULT, .unit = (bytes), .max = LIST_BYTES
#define BY_LENGTH(bytes, number) .size = CAPTURE_BY_INT, .size_arg = (number), .max = (bytes)
#define BITS(number) SHOWN_BY(number), .shift = 6, .unit = 8, .max = 264
#define COUNT(number) SHOWN_BY(number), .max = LIST_BYTES

/* Conditions. */
#define IS(number, value) .flags = CAPTURE_ONLY_IS, .only_arg = (number), .only = (uint32_t)(value)
#define ONE_OF(number, values) .flags = CAPTURE_ONLY_ONE_OF, .only_arg = (number), .only = (values)
#define WITH(number, bits) .flags = CAPTURE_ONLY_WITH, .only_arg = (number), .only = (bits)
#define V(value) (1ULL << ((value)&63))
#define CHANGING .flags = CAPTURE_CHANGES
#define IF_ANY .flags = CAPTURE_IF_ANY

#define KEY_CIPHERS \
	(V(KEYCTL_PKEY_ENCRYPT) | V(KEYCTL_PKEY_DECRYPT) | V(KEYCTL_PKEY_SIGN) | \
	 V(KEYCTL_PKEY_VERIFY))

/* Array to which a struct of io_uring_register() points; the struct contains the count. */
#define RESOURCES(struct_, member, unit_, operations) \
	GIVEN("io_uring_register", 2, .size = CAPTURE_BY_INT, .size_arg = 2, \
	      .size_at = offsetof(struct io_uring_##struct_, nr), .unit = (unit_), \
	      .max = LIST_BYTES, .at = offsetof(struct io_uring_##struct_, member), .only_arg = 1, \
	      .only = (operations), .flags = CAPTURE_ONLY_ONE_OF | CAPTURE_INDIRECT)

/* Rules that copy at the enter and at the exit. */
#define BOTH(name, arg, bytes) GIVEN(name, arg, ALL(bytes), CHANGING), FILLED(name, arg, ALL(bytes))
#define GIVEN_ADDRESS(name, arg) GIVEN(name, arg, UP_TO(SOCKADDR_BYTES, (arg) + 1))
#define FILLED_ADDRESS(name, arg) \
	BOTH(name, (arg) + 1, 4), FILLED(name, arg, BY_LENGTH(SOCKADDR_BYTES, (arg) + 1))
#define GIVEN_VECTOR(name, arg, count) \
	FOLLOWED(name, arg, .kind = CAPTURE_VECTOR, COUNT(count), .flags = CAPTURE_BUFFERS)
#define VECTOR_ALONE(name, arg, count) FOLLOWED(name, arg, .kind = CAPTURE_VECTOR, COUNT(count))
#define FILLED_VECTOR(name, arg, count) \
	VECTOR_ALONE(name, arg, count), GOT_FOLLOWED(name, arg, .kind = CAPTURE_VECTOR, \
						     COUNT(count), .flags = CAPTURE_BUFFERS)
#define SET(name, arg) \
	GIVEN(name, arg, SHOWN_BY(0), .shift = 6, .unit = 8, .max = 128, CHANGING), \
		FILLED(name, arg, SHOWN_BY(0), .shift = 6, .unit = 8, .max = 128, IF_ANY)

/* clang-format off */
static const struct capture_special specials[] = {
	/* io.c */
	FILLED("read", 1, SHOWN_BY_RESULT), FILLED("pread64", 1, SHOWN_BY_RESULT),
	GIVEN("write", 1, SHOWN_BY(2)), GIVEN("pwrite64", 1, SHOWN_BY(2)),
	FILLED_VECTOR("readv", 1, 2), FILLED_VECTOR("preadv", 1, 2),
	FILLED_VECTOR("preadv2", 1, 2), GIVEN_VECTOR("writev", 1, 2),
	GIVEN_VECTOR("pwritev", 1, 2), GIVEN_VECTOR("pwritev2", 1, 2),
	GIVEN_VECTOR("vmsplice", 1, 2),
	GIVEN("splice", 1, ALL(8), CHANGING), GIVEN("splice", 3, ALL(8), CHANGING),
	GIVEN("copy_file_range", 1, ALL(8), CHANGING),
	GIVEN("copy_file_range", 3, ALL(8), CHANGING),
	BOTH("sendfile", 2, 8),
	FILLED("pipe", 0, ALL(8)), FILLED("pipe2", 0, ALL(8)),

	/* file.c, stat.c, xattr.c, fcntl.c */
	GIVEN("openat2", 2, UP_TO(STRUCT_BYTES, 3)),
	FILLED("readlink", 1, SHOWN_BY_RESULT), FILLED("readlinkat", 2, SHOWN_BY_RESULT),
	GOT_TEXT("getcwd", 0, ALL(PATH_MAX)),
	GIVEN("name_to_handle_at", 2, ALL(8), CHANGING),
	FILLED("name_to_handle_at", 2, ALL(HANDLE_BYTES), .flags = CAPTURE_FAILED),
	GIVEN("open_by_handle_at", 1, ALL(HANDLE_BYTES)),
	FILLED("stat", 1, ALL(sizeof(struct stat))), FILLED("lstat", 1, ALL(sizeof(struct stat))),
	FILLED("fstat", 1, ALL(sizeof(struct stat))),
	FILLED("newfstatat", 2, ALL(sizeof(struct stat))),
	FILLED("statx", 4, ALL(sizeof(struct statx))),
	GIVEN("statmount", 0, ALL(32)), GIVEN("listmount", 0, ALL(32)),
	FILLED("listmount", 1, EACH_OF_RESULT(8)),
	FILLED("getdents64", 1, SHOWN_BY_RESULT, .max = UINT16_MAX),
	FILLED("getdents", 1, SHOWN_BY_RESULT, .max = UINT16_MAX),
	TEXT("sysfs", 1, IS(0, 1)), GOT_TEXT("sysfs", 2, IS(0, 2)),
	GIVEN("setxattr", 2, SHOWN_BY(3)), GIVEN("lsetxattr", 2, SHOWN_BY(3)),
	GIVEN("fsetxattr", 2, SHOWN_BY(3)), FILLED("getxattr", 2, SHOWN_BY_RESULT),
	FILLED("lgetxattr", 2, SHOWN_BY_RESULT), FILLED("fgetxattr", 2, SHOWN_BY_RESULT),
	FILLED("listxattr", 1, SHOWN_BY_RESULT), FILLED("llistxattr", 1, SHOWN_BY_RESULT),
	FILLED("flistxattr", 1, SHOWN_BY_RESULT),
	GIVEN("fcntl", 2, ALL(LOCK_BYTES), ONE_OF(1, V(F_SETLK) | V(F_SETLKW) | V(F_GETLK) |
		V(F_OFD_SETLK) | V(F_OFD_SETLKW) | V(F_OFD_GETLK))),
	GIVEN("fcntl", 2, ALL(8), ONE_OF(1, V(F_SETOWN_EX) | V(F_SET_RW_HINT) |
		V(F_SET_FILE_RW_HINT))),
	FILLED("fcntl", 2, ALL(LOCK_BYTES), ONE_OF(1, V(F_GETLK) | V(F_OFD_GETLK))),
	FILLED("fcntl", 2, ALL(8), ONE_OF(1, V(F_GETOWN_EX) | V(F_GETOWNER_UIDS) |
		V(F_GET_RW_HINT) | V(F_GET_FILE_RW_HINT))),

	/* ioctl.c; the list of SIOCGIFCONF is a separate rule. */
	FOLLOWED("ioctl", 2, .kind = CAPTURE_REQUEST, CHANGING),
	GOT_FOLLOWED("ioctl", 2, .kind = CAPTURE_REQUEST),
	GIVEN("ioctl", 2, ALL(sizeof(struct blkpg_partition)),
	      .at = offsetof(struct blkpg_ioctl_arg, data), .only_arg = 1, .only = BLKPG,
	      .flags = CAPTURE_ONLY_IS | CAPTURE_INDIRECT),
	TEXT("ioctl", 2, IS(1, PERF_EVENT_IOC_SET_FILTER)),
	FILLED("ioctl", 2, BY_LENGTH(40 * 33, 2), .at = 8, .only = 0x8912, .only_arg = 1,
	       .flags = CAPTURE_ONLY_IS | CAPTURE_INDIRECT),

	/* socket.c, sockopt.c, message.c */
	FILLED("socketpair", 3, ALL(8)),
	GIVEN_ADDRESS("bind", 1), GIVEN_ADDRESS("connect", 1),
	FILLED_ADDRESS("accept", 1), FILLED_ADDRESS("accept4", 1),
	FILLED_ADDRESS("getsockname", 1), FILLED_ADDRESS("getpeername", 1),
	GIVEN("sendto", 1, SHOWN_BY(2)), GIVEN_ADDRESS("sendto", 4),
	FILLED("recvfrom", 1, SHOWN_BY_RESULT), FILLED_ADDRESS("recvfrom", 4),
	GIVEN("setsockopt", 3, UP_TO(LIST_BYTES, 4)),
	BOTH("getsockopt", 4, 4), FILLED("getsockopt", 3, BY_LENGTH(LIST_BYTES, 4)),
	FOLLOWED("sendmsg", 1, .kind = CAPTURE_MESSAGE, .flags = CAPTURE_BUFFERS),
	FOLLOWED("recvmsg", 1, .kind = CAPTURE_MESSAGE, CHANGING),
	GOT_FOLLOWED("recvmsg", 1, .kind = CAPTURE_MESSAGE, .flags = CAPTURE_BUFFERS),
	FOLLOWED("sendmmsg", 1, .kind = CAPTURE_MESSAGES, COUNT(2), .flags = CAPTURE_BUFFERS),
	FILLED("sendmmsg", 1, SHOWN_BY_RESULT, .unit = 64, .max = 64 * CAPTURE_ITEMS),
	FOLLOWED("recvmmsg", 1, .kind = CAPTURE_MESSAGES, COUNT(2), CHANGING),
	GOT_FOLLOWED("recvmmsg", 1, .kind = CAPTURE_MESSAGES, SHOWN_BY_RESULT, .max = LIST_BYTES,
		     .flags = CAPTURE_BUFFERS),
	BOTH("recvmmsg", 4, TIME_BYTES),

	/* poll.c */
	GIVEN("poll", 0, EACH(sizeof(struct pollfd), 1), CHANGING),
	FILLED("poll", 0, SHOWN_BY(1), .unit = sizeof(struct pollfd), .max = UINT16_MAX, IF_ANY),
	GIVEN("ppoll", 0, EACH(sizeof(struct pollfd), 1), CHANGING),
	FILLED("ppoll", 0, SHOWN_BY(1), .unit = sizeof(struct pollfd), .max = UINT16_MAX, IF_ANY),
	BOTH("ppoll", 2, TIME_BYTES),
	SET("select", 1), SET("select", 2), SET("select", 3), BOTH("select", 4, TIME_BYTES),
	SET("pselect6", 1), SET("pselect6", 2), SET("pselect6", 3),
	BOTH("pselect6", 4, TIME_BYTES),
	GIVEN("pselect6", 5, ALL(16)), GIVEN("pselect6", 5, ALL(8), .flags = CAPTURE_INDIRECT),
	GIVEN("epoll_ctl", 3, ALL(sizeof(struct epoll_event))),
	FILLED("epoll_wait", 1, EACH_OF_RESULT(sizeof(struct epoll_event))),
	FILLED("epoll_pwait", 1, EACH_OF_RESULT(sizeof(struct epoll_event))),
	FILLED("epoll_pwait2", 1, EACH_OF_RESULT(sizeof(struct epoll_event))),

	/* process.c, wait.c, sched.c, ptrace.c */
	/* After the call, the memory of the arguments no longer exists. */
	TEXT("execve", 0, ALL(PATH_MAX), CHANGING),
	FOLLOWED("execve", 1, .kind = CAPTURE_STRINGS, CHANGING),
	FOLLOWED("execve", 2, .kind = CAPTURE_COUNTED, CHANGING),
	TEXT("execveat", 1, ALL(PATH_MAX), CHANGING),
	FOLLOWED("execveat", 2, .kind = CAPTURE_STRINGS, CHANGING),
	FOLLOWED("execveat", 3, .kind = CAPTURE_COUNTED, CHANGING),
	FILLED("clone", 2, ALL(4), WITH(0, CLONE_PARENT_SETTID | CLONE_PIDFD)),
	GIVEN("clone3", 0, UP_TO(STRUCT_BYTES, 1)),
	GIVEN("clone3", 0, .at = CLONE_ARG(set_tid), .size = CAPTURE_BY_LONG, .unit = 4,
	      .size_at = CLONE_ARG(set_tid_size), .max = 128, .flags = CAPTURE_INDIRECT),
	FILLED("clone3", 0, ALL(4), .at = CLONE_ARG(pidfd), .flags = CAPTURE_INDIRECT),
	FILLED("clone3", 0, ALL(4), .at = CLONE_ARG(parent_tid), .flags = CAPTURE_INDIRECT),
	GIVEN("kcmp", 4, ALL(12), IS(2, 7)),
	GIVEN("setgroups", 1, EACH(4, 0)), FILLED("getgroups", 1, EACH_OF_RESULT(4)),
	FILLED("wait4", 1, ALL(4), IF_ANY), FILLED("wait4", 3, ALL(sizeof(struct rusage)), IF_ANY),
	GIVEN("sched_setattr", 1, ALL(128)),
	FILLED("sched_setattr", 1, ALL(4), .flags = CAPTURE_FAILED),
	FILLED("sched_getattr", 1, ALL(128)),
	GIVEN("sched_setaffinity", 2, UP_TO(MASK_BYTES, 1)),
	FILLED("sched_getaffinity", 2, SHOWN_BY_RESULT, .max = MASK_BYTES),
	FILLED("ptrace", 3, ALL(8), ONE_OF(0, V(1) | V(2) | V(3) | V(PTRACE_GETSIGMASK))),
	FILLED("ptrace", 3, ALL(128), IS(0, PTRACE_GETSIGINFO)),
	GIVEN("ptrace", 3, ALL(128), IS(0, PTRACE_SETSIGINFO)),
	GIVEN("ptrace", 3, ALL(REGISTER_BYTES),
	      ONE_OF(0, V(13) | V(15))),
	FILLED("ptrace", 3, ALL(REGISTER_BYTES),
	       ONE_OF(0, V(12) | V(14))),
	GIVEN("ptrace", 2, ALL(16), IS(0, PTRACE_PEEKSIGINFO)),
	/* ONE_OF() tests only low bits: the rule applies to PTRACE_POKETEXT and POKEDATA too. */
	GIVEN("ptrace", 3, ALL(16), ONE_OF(0, V(PTRACE_GETREGSET) | V(PTRACE_SETREGSET))),
	GIVEN("ptrace", 3, ALL(REGISTER_BYTES), .only_arg = 0, .only = PTRACE_SETREGSET,
	      .flags = CAPTURE_ONLY_IS | CAPTURE_INDIRECT),
	FILLED("ptrace", 3, ALL(16), IS(0, PTRACE_GETREGSET)),
	FILLED("ptrace", 3, ALL(REGISTER_BYTES), .only_arg = 0, .only = PTRACE_GETREGSET,
	       .flags = CAPTURE_ONLY_IS | CAPTURE_INDIRECT),
	GIVEN("ptrace", 3, ALL(8), IS(0, PTRACE_SETSIGMASK)),

	/* signal.c, time.c */
	GIVEN("rt_sigreturn", 0, ALL(8), .at = SIGNAL_FRAME_MASK),
	GIVEN("rt_sigaction", 1, ALL(32)), FILLED("rt_sigaction", 2, ALL(32)),
	GIVEN("sigaltstack", 0, ALL(24)), FILLED("sigaltstack", 1, ALL(24)),
	FILLED("nanosleep", 1, ALL(TIME_BYTES), .flags = CAPTURE_FAILED),
	FILLED("clock_nanosleep", 3, ALL(TIME_BYTES), .flags = CAPTURE_FAILED),
	FILLED("adjtimex", 0, ALL(TIMEX_BYTES)), FILLED("clock_adjtime", 1, ALL(TIMEX_BYTES)),
	FILLED("time", 0, ALL(8)), GIVEN("utime", 1, ALL(16)),

	GIVEN("modify_ldt", 1, ALL(16)), GIVEN("set_thread_area", 0, ALL(16)),
	FILLED("get_thread_area", 0, ALL(16)),

	/* futex.c, memory.c, ipc.c */
	GIVEN("futex", 3, ALL(TIME_BYTES), ONE_OF(1, V(FUTEX_WAIT) | V(FUTEX_WAIT_BITSET) |
		V(FUTEX_LOCK_PI) | V(FUTEX_LOCK_PI2) | V(FUTEX_WAIT_REQUEUE_PI))),
	GIVEN("futex_waitv", 0, EACH(sizeof(struct futex_waitv), 1)),
	GIVEN("futex_requeue", 0, ALL(2 * sizeof(struct futex_waitv))),
	FILLED("mincore", 2, SHOWN_BY(1), .shift = 12, .max = 64),
	GIVEN("mbind", 3, BITS(4)), GIVEN("set_mempolicy", 1, BITS(2)),
	FILLED("get_mempolicy", 1, BITS(2)),
	GIVEN("migrate_pages", 2, BITS(1)), GIVEN("migrate_pages", 3, BITS(1)),
	GIVEN("move_pages", 2, EACH(8, 1)), GIVEN("move_pages", 3, EACH(4, 1)),
	FILLED("move_pages", 4, EACH(4, 1)),
	VECTOR_ALONE("process_madvise", 1, 2),
	FILLED_VECTOR("process_vm_readv", 1, 2), VECTOR_ALONE("process_vm_readv", 3, 4),
	GIVEN_VECTOR("process_vm_writev", 1, 2), VECTOR_ALONE("process_vm_writev", 3, 4),
	GIVEN("semop", 1, EACH(sizeof(struct sembuf), 2)),
	GIVEN("semtimedop", 1, EACH(sizeof(struct sembuf), 2)),
	GIVEN("shmctl", 2, ALL(sizeof(struct shmid64_ds)), ONE_OF(1, V(IPC_SET))),
	FILLED("shmctl", 2, ALL(sizeof(struct shmid64_ds)),
	       ONE_OF(1, V(IPC_STAT) | V(IPC_INFO) | V(SHM_STAT) | V(SHM_STAT_ANY) | V(SHM_INFO))),
	GIVEN("msgctl", 2, ALL(sizeof(struct msqid64_ds)), ONE_OF(1, V(IPC_SET))),
	FILLED("msgctl", 2, ALL(sizeof(struct msqid64_ds)),
	       ONE_OF(1, V(IPC_STAT) | V(IPC_INFO) | V(MSG_STAT) | V(MSG_STAT_ANY) | V(MSG_INFO))),
	GIVEN("semctl", 3, ALL(sizeof(struct semid64_ds)), ONE_OF(2, V(IPC_SET))),
	FILLED("semctl", 3, ALL(sizeof(struct semid64_ds)),
	       ONE_OF(2, V(IPC_STAT) | V(IPC_INFO) | V(SEM_STAT) | V(SEM_STAT_ANY) | V(SEM_INFO))),
	GIVEN("msgsnd", 1, ALL(8)), GIVEN("msgsnd", 1, SHOWN_BY(2), .at = 8),
	FILLED("msgrcv", 1, ALL(8)), FILLED("msgrcv", 1, SHOWN_BY_RESULT, .at = 8),
	GIVEN("mq_open", 3, ALL(64), WITH(1, O_CREAT)),
	GIVEN("mq_timedsend", 1, SHOWN_BY(2)), FILLED("mq_timedreceive", 1, SHOWN_BY_RESULT),
	GIVEN("mq_getsetattr", 1, ALL(64)), FILLED("mq_getsetattr", 2, ALL(64)),

	/* aio.c, bpf.c, perf.c */
	FOLLOWED("io_submit", 2, .kind = CAPTURE_IOCBS, COUNT(1)),
	GIVEN("io_cancel", 1, ALL(sizeof(struct iocb))),
	FILLED("io_getevents", 3, EACH_OF_RESULT(sizeof(struct io_event))),
	FILLED("io_pgetevents", 3, EACH_OF_RESULT(sizeof(struct io_event))),
	GIVEN("io_pgetevents", 5, ALL(16)),
	GIVEN("io_pgetevents", 5, ALL(8), .flags = CAPTURE_INDIRECT),
	BOTH("io_uring_setup", 1, sizeof(struct io_uring_params)),
	GIVEN("io_uring_enter", 4, UP_TO(WAIT_BYTES, 5)),
	/* With IORING_ENTER_EXT_ARG, also copy the memory that the wait argument points to. */
	GIVEN("io_uring_enter", 4, ALL(8), .only_arg = 3, .only = IORING_ENTER_EXT_ARG,
	      .flags = CAPTURE_ONLY_WITH | CAPTURE_INDIRECT),
	GIVEN("io_uring_enter", 4, ALL(TIME_BYTES), .at = 16, .only_arg = 3,
	      .only = IORING_ENTER_EXT_ARG, .flags = CAPTURE_ONLY_WITH | CAPTURE_INDIRECT),
	FOLLOWED("io_uring_register", 2, .kind = CAPTURE_VECTOR, COUNT(3),
		 ONE_OF(1, V(IORING_REGISTER_BUFFERS))),
	GIVEN("io_uring_register", 2, EACH(4, 3),
	      ONE_OF(1, V(IORING_REGISTER_FILES) | V(IORING_REGISTER_EVENTFD) |
		     V(IORING_REGISTER_EVENTFD_ASYNC) | V(IORING_REGISTER_IOWQ_MAX_WORKERS))),
	FILLED("io_uring_register", 2, EACH(4, 3),
	       ONE_OF(1, V(IORING_REGISTER_IOWQ_MAX_WORKERS))),
	GIVEN("io_uring_register", 2, UP_TO(MASK_BYTES, 3),
	      ONE_OF(1, V(IORING_REGISTER_IOWQ_AFF))),
	GIVEN("io_uring_register", 2, ALL(URING_STRUCT_BYTES),
	      ONE_OF(1, V(IORING_REGISTER_FILES_UPDATE) | V(IORING_REGISTER_FILES2) |
		     V(IORING_REGISTER_FILES_UPDATE2) | V(IORING_REGISTER_BUFFERS2) |
		     V(IORING_REGISTER_BUFFERS_UPDATE) | V(IORING_REGISTER_PBUF_RING) |
		     V(IORING_UNREGISTER_PBUF_RING))),
	GIVEN("io_uring_register", 2, SHOWN_BY(3), .unit = 4, .max = LIST_BYTES,
	      .at = offsetof(struct io_uring_files_update, fds), .only_arg = 1,
	      .only = V(IORING_REGISTER_FILES_UPDATE),
	      .flags = CAPTURE_ONLY_ONE_OF | CAPTURE_INDIRECT),
	/* Copy the arrays of descriptors or iovecs (16 bytes, the larger size), and of tags. */
	RESOURCES(rsrc_register, data, 16, V(IORING_REGISTER_FILES2) | V(IORING_REGISTER_BUFFERS2)),
	RESOURCES(rsrc_register, tags, 8, V(IORING_REGISTER_FILES2) | V(IORING_REGISTER_BUFFERS2)),
	RESOURCES(rsrc_update2, data, 16, V(IORING_REGISTER_FILES_UPDATE2) |
		  V(IORING_REGISTER_BUFFERS_UPDATE)),
	RESOURCES(rsrc_update2, tags, 8, V(IORING_REGISTER_FILES_UPDATE2) |
		  V(IORING_REGISTER_BUFFERS_UPDATE)),
	/* The structs of these three operations have the same size. */
	GIVEN("io_uring_register", 2, EACH(sizeof(struct io_uring_restriction), 3),
	      ONE_OF(1, V(IORING_REGISTER_RESTRICTIONS) | V(IORING_REGISTER_RING_FDS) |
		     V(IORING_UNREGISTER_RING_FDS))),
	GIVEN("io_uring_register", 2, ALL(URING_PROBE_BYTES), .only_arg = 1,
	      .only = V(IORING_REGISTER_PROBE), .flags = CAPTURE_ONLY_ONE_OF | CAPTURE_CHANGES),
	FILLED("io_uring_register", 2, ALL(URING_PROBE_BYTES),
	       ONE_OF(1, V(IORING_REGISTER_PROBE))),
	GIVEN("bpf", 1, UP_TO(CAPTURE_BYTES_MAX, 2)),
	TEXT("bpf", 1, .at = offsetof(union bpf_attr, license), .only = V(BPF_PROG_LOAD),
	     .flags = CAPTURE_ONLY_ONE_OF | CAPTURE_INDIRECT),
	TEXT("bpf", 1, ALL(PATH_MAX), .at = offsetof(union bpf_attr, pathname),
	     .only = V(BPF_OBJ_PIN) | V(BPF_OBJ_GET),
	     .flags = CAPTURE_ONLY_ONE_OF | CAPTURE_INDIRECT),
	TEXT("bpf", 1, .at = offsetof(union bpf_attr, raw_tracepoint.name),
	     .only = V(BPF_RAW_TRACEPOINT_OPEN),
	     .flags = CAPTURE_ONLY_ONE_OF | CAPTURE_INDIRECT),
	TEXT("bpf", 1, .at = offsetof(union bpf_attr, log_buf), .only = V(BPF_PROG_LOAD),
	     .flags = CAPTURE_ONLY_ONE_OF | CAPTURE_INDIRECT),
	GIVEN("bpf", 1, .size = CAPTURE_BY_INT, .size_arg = 1,
	      .size_at = offsetof(union bpf_attr, btf_size), .at = offsetof(union bpf_attr, btf),
	      .only = V(BPF_BTF_LOAD), .flags = CAPTURE_ONLY_ONE_OF | CAPTURE_INDIRECT),
	GIVEN("perf_event_open", 0, ALL(sizeof(struct perf_event_attr))),

	/* prctl.c, key.c, mount.c, system.c */
	GIVEN("prctl", 1, ALL(16), IS(0, PR_SET_NAME)),
	FILLED("prctl", 1, ALL(16),
	       ONE_OF(0, V(PR_GET_NAME) | V(PR_GET_PDEATHSIG) | V(PR_GET_TSC) |
		      V(PR_GET_UNALIGN) | V(PR_GET_CHILD_SUBREAPER) | V(PR_GET_TID_ADDRESS))),
	GIVEN("prctl", 2, ALL(16), IS(0, PR_SET_SECCOMP)),
	TEXT("prctl", 4, IS(0, PR_SET_VMA)),
	FILLED("arch_prctl", 1, ALL(8), ONE_OF(0, V(ARCH_GET_FS) | V(ARCH_GET_GS))),
	GIVEN("seccomp", 2, ALL(16), IS(0, SECCOMP_SET_MODE_FILTER)),
	GIVEN("seccomp", 2, ALL(4), IS(0, SECCOMP_GET_ACTION_AVAIL)),
	FILLED("seccomp", 2, ALL(6), IS(0, SECCOMP_GET_NOTIF_SIZES)),
	GIVEN("capget", 0, ALL(8)), FILLED("capget", 1, ALL(24)),
	GIVEN("capset", 0, ALL(8)), GIVEN("capset", 1, ALL(24)),
	GIVEN("add_key", 2, SHOWN_BY(3)),
	TEXT("keyctl", 1, ONE_OF(0, V(KEYCTL_JOIN_SESSION_KEYRING))),
	GIVEN("keyctl", 1, ALL(sizeof(struct keyctl_pkey_params)),
	      ONE_OF(0, V(KEYCTL_DH_COMPUTE) | KEY_CIPHERS)),
	TEXT("keyctl", 2, ONE_OF(0, V(KEYCTL_SEARCH) | V(KEYCTL_RESTRICT_KEYRING) | KEY_CIPHERS)),
	TEXT("keyctl", 3, ONE_OF(0, V(KEYCTL_SEARCH) | V(KEYCTL_RESTRICT_KEYRING) |
		V(KEYCTL_PKEY_QUERY))),
	GIVEN("keyctl", 3, .size = CAPTURE_BY_INT, .size_arg = 1,
	      .size_at = offsetof(struct keyctl_pkey_params, in_len), ONE_OF(0, KEY_CIPHERS)),
	GIVEN("keyctl", 4, .size = CAPTURE_BY_INT, .size_arg = 1,
	      .size_at = offsetof(struct keyctl_pkey_params, in2_len),
	      ONE_OF(0, V(KEYCTL_PKEY_VERIFY))),
	GIVEN("keyctl", 4, ALL(sizeof(struct keyctl_kdf_params)), ONE_OF(0, V(KEYCTL_DH_COMPUTE))),
	TEXT("keyctl", 4, .at = offsetof(struct keyctl_kdf_params, hashname),
	     .only = V(KEYCTL_DH_COMPUTE), .flags = CAPTURE_ONLY_ONE_OF | CAPTURE_INDIRECT),
	GIVEN("keyctl", 4, .size = CAPTURE_BY_INT, .size_arg = 4,
	      .size_at = offsetof(struct keyctl_kdf_params, otherinfolen),
	      .at = offsetof(struct keyctl_kdf_params, otherinfo), .only = V(KEYCTL_DH_COMPUTE),
	      .flags = CAPTURE_ONLY_ONE_OF | CAPTURE_INDIRECT),
	FILLED("keyctl", 4, .size = CAPTURE_BY_INT, .size_arg = 1,
	       .size_at = offsetof(struct keyctl_pkey_params, out_len), ONE_OF(0, KEY_CIPHERS)),
	FILLED("keyctl", 4, ALL(sizeof(struct keyctl_pkey_query)),
	       ONE_OF(0, V(KEYCTL_PKEY_QUERY))),
	FILLED("keyctl", 1, SHOWN_BY_RESULT, ONE_OF(0, V(KEYCTL_CAPABILITIES))),
	GIVEN("keyctl", 2, SHOWN_BY(3), ONE_OF(0, V(KEYCTL_UPDATE) | V(KEYCTL_INSTANTIATE))),
	FOLLOWED("keyctl", 2, .kind = CAPTURE_VECTOR, COUNT(3), .only = V(KEYCTL_INSTANTIATE_IOV),
		 .flags = CAPTURE_ONLY_ONE_OF | CAPTURE_BUFFERS),
	GOT_TEXT("keyctl", 2, ONE_OF(0, V(KEYCTL_DESCRIBE) | V(KEYCTL_GET_SECURITY))),
	FILLED("keyctl", 2, SHOWN_BY_RESULT, ONE_OF(0, V(KEYCTL_READ) | V(KEYCTL_DH_COMPUTE))),
	TEXT("mount", 0, ALL(PATH_MAX)), TEXT("mount", 2), TEXT("mount", 4),
	TEXT("fsconfig", 2), TEXT("fsconfig", 3, ONE_OF(1, V(FSCONFIG_SET_STRING))),
	TEXT("fsconfig", 3, ALL(PATH_MAX),
	     ONE_OF(1, V(FSCONFIG_SET_PATH) | V(FSCONFIG_SET_PATH_EMPTY))),
	GIVEN("fsconfig", 3, SHOWN_BY(4), ONE_OF(1, V(FSCONFIG_SET_BINARY))),
	GIVEN("mount_setattr", 3, UP_TO(STRUCT_BYTES, 4)),
	GIVEN("open_tree_attr", 3, UP_TO(STRUCT_BYTES, 4)),
	/*
	 * The conditions test bits of the command above the quota type: 0x200 selects Q_QUOTAON,
	 * 0x400 the commands that read, 0xc00 Q_SETQUOTA and Q_SETINFO.
	 */
	TEXT("quotactl", 3, ALL(PATH_MAX), WITH(0, 0x200)),
	FILLED("quotactl", 3, ALL(QUOTA_BYTES), WITH(0, 0x400)),
	GIVEN("quotactl", 3, ALL(QUOTA_BYTES), WITH(0, 0xc00)),
	TEXT("quotactl_fd", 3, ALL(PATH_MAX), WITH(1, 0x200)),
	FILLED("quotactl_fd", 3, ALL(QUOTA_BYTES), WITH(1, 0x400)),
	GIVEN("quotactl_fd", 3, ALL(QUOTA_BYTES), WITH(1, 0xc00)),
	GIVEN("landlock_create_ruleset", 0, UP_TO(STRUCT_BYTES, 1)),
	GIVEN("landlock_add_rule", 2, ALL(sizeof(struct landlock_path_beneath_attr)),
	      IS(1, LANDLOCK_RULE_PATH_BENEATH)),
	GIVEN("landlock_add_rule", 2, ALL(16), IS(1, 2)), /* LANDLOCK_RULE_NET_PORT */
	FILLED("uname", 0, ALL(sizeof(struct utsname))),
	FILLED("syslog", 1, SHOWN_BY_RESULT, ONE_OF(0, V(2) | V(3) | V(4))),
	GIVEN("sethostname", 0, SHOWN_BY(1)), GIVEN("setdomainname", 0, SHOWN_BY(1)),
	TEXT("reboot", 3, IS(2, LINUX_REBOOT_CMD_RESTART2)),
	GIVEN("kexec_load", 2, EACH(sizeof(struct kexec_segment), 1)),
	GIVEN("kexec_file_load", 3, SHOWN_BY(2)),
	FILLED("getrandom", 0, SHOWN_BY_RESULT),
};
/* clang-format on */

const struct capture_special *capture_special_at(size_t index)
{
	return index < sizeof(specials) / sizeof(specials[0]) ? &specials[index] : NULL;
}
