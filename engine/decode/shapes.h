/*
 * shapes - values that several families of calls show: times, signal sets, socket addresses,
 * vectors, process states. Constant data and show functions.
 */
#ifndef DECODE_SHAPES_H
#define DECODE_SHAPES_H

#include "engine/decode/form.h"

/* families/time.c */
extern const struct layout timespec_layout, timeval_layout, itimerspec_layout, itimerval_layout;
/* A pointer to two times, shown in brackets: utimes(), utimensat(). */
show_fn show_two_timespecs, show_two_timevals;
show_fn show_clock; /* CLOCK_MONOTONIC */
show_fn show_ticks; /* times(2): followed by the seconds as a comment */

/* families/signal.c */
struct sigset_arg {
	uint8_t size_arg; /* argument that holds the size of the set */
};
/*
 * Offset from the stack pointer to the saved signal mask at rt_sigreturn(): its offset in struct
 * rt_sigframe of the kernel (arch/.../include/asm/sigframe.h), minus the part that is already
 * popped.
 */
#if defined(__aarch64__)
#define SIGNAL_FRAME_MASK 168
#else
#define SIGNAL_FRAME_MASK 296
#endif
show_fn show_sigset; /* a pointer; data: struct sigset_arg */
void print_sigset(struct printer *p, uint64_t bits);
show_fn show_siginfo; /* a pointer */
element_fn element_siginfo;
show_fn show_sigevent;

/* families/message.c: vectors of buffers */
#define VECTOR_ADDRESSES (-2)
#define VECTOR_TEXT (-1)
/*
 * holds: VECTOR_ADDRESSES, VECTOR_TEXT, or the protocol of the netlink messages in the buffers.
 * limit: transferred bytes; UINT64_MAX: the whole vector.
 */
void print_vector(struct printer *p, uint64_t address, uint64_t count, int holds, uint64_t limit);

/* families/sockaddr.c */
void print_interface(struct printer *p, uint32_t index); /* if_nametoindex("lo") */
struct in_addr;
struct in6_addr;
void print_inet_address(struct printer *p, const struct in_addr *address);
/* Print inet_pton(AF_INET6, "::1", &name). */
void print_inet6_address(struct printer *p, const struct in6_addr *address, const char *name);
/*
 * Print the members after the family, of a struct sockaddr_in or of a sockaddr_in6 of `len` bytes.
 */
void print_inet_members(struct printer *p, const uint8_t *bytes);
void print_inet6_members(struct printer *p, const uint8_t *bytes, size_t len);
void print_sockaddr(struct printer *p, uint64_t address, uint64_t len);
void print_sockaddr_bytes(struct printer *p, const void *bytes, size_t len);

/* families/netlink.c */
/*
 * Return the protocol of a netlink socket, from the name of the descriptor. 255: the name
 * or the peer address shows a netlink socket, but not its protocol. -1: another socket, or unknown.
 * `peer`: destination or origin, a struct sockaddr of `peer_len` bytes.
 */
int netlink_protocol(struct printer *p, int fd, uint64_t peer, uint64_t peer_len);
/* Print netlink messages; if `protocol` is -1, the buffer as text. */
void print_netlink(struct printer *p, uint64_t address, uint64_t len, int protocol);

/* families/stat.c */
show_fn show_mode; /* S_IFREG|0644 */

/* families/shape.c */
/*
 * Print the bytes after the first `known` of a struct that the caller passed as `size` bytes. Print
 * nothing if they are all zeros, else the bytes with their offsets.
 */
void print_struct_rest(struct printer *p, uint64_t address, uint64_t known, uint64_t size);
/* Print ", name=[0x1, 0]" for reserved members; nothing if they are zeros. */
void print_spare(struct printer *p, const char *name, const void *words, size_t bytes,
		 size_t width);
element_fn element_three_ulongs; /* [1, 2, 3] */

/* families/prctl.c */
show_fn show_filter_program; /* a struct sock_fprog: {len=4, filter=0x…} */

/* families/file.c */
show_fn show_open_flags;

/* families/sched.c */
/* Print the CPUs in a mask of `bytes` bytes: [0 1 7]. */
void print_cpus(struct printer *p, uint64_t address, uint64_t bytes);

/* families/uring_register.c */
show_fn show_uring_register_arg;

/* families/wait.c */
extern const struct layout rusage_layout;

#endif
