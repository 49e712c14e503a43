/*
 * copy_nested - copies nested pointers: vectors, messages, arrays of pointers. Part of
 * stxtop.bpf.c.
 *
 * Only the first elements of an array are followed, however long it is. If another thread writes to
 * the array meanwhile, the copied pointers and the followed ones can differ. Then no chunk has the
 * address that the copy contains.
 */
#ifndef BPF_COPY_NESTED_H
#define BPF_COPY_NESTED_H

#include "engine/source/bpf/copy_args.h"

#define ADDRESS_BYTES 128 /* as the kernel's struct sockaddr_storage */

/* Layouts of the UAPI (linux/uio.h, linux/socket.h, linux/aio_abi.h); the names are our own. */
struct user_vector {
	__u64 base, len;
};

struct user_message {
	__u64 name;
	__u32 name_len, unused;
	__u64 vector, vector_len;
	__u64 control, control_len;
	__u32 flags, unused_either;
};

struct user_message_of_many {
	struct user_message message;
	__u32 len, unused;
};

struct user_iocb {
	__u64 data;
	__u32 key, rw_flags;
	__u16 opcode, priority;
	__u32 fd;
	__u64 buffer, bytes;
	__u64 offset, unused;
	__u32 flags, event_fd;
};

#define IOCB_PWRITE 1
#define IOCB_PREADV 7
#define IOCB_PWRITEV 8

static __always_inline __u64 smaller(__u64 a, __u64 b)
{
	return a < b ? a : b;
}

static __always_inline bool read_user(void *to, __u32 bytes, __u64 address)
{
	return !bpf_probe_read_user(to, bytes, (const void *)address);
}

/* Copy one buffer of a vector. Return how many of `left` bytes remain. */
__noinline __u64 copy_buffer(struct thread_state *thread, __u64 address, __u64 left, __u32 how)
{
	struct user_vector vector;
	__u64 len;

	if (!read_user(&vector, sizeof(vector), address))
		return 0;
	len = smaller(vector.len, left);
	copy_range(thread, vector.base, smaller(len, rules.text_bytes), how);
	return left - len;
}

/* At an enter, copy the vector itself. Copy at most `left` bytes in total of its buffers. */
__noinline int copy_vector(struct thread_state *thread, __u64 address, __u64 count, __u64 left,
			   __u32 how)
{
	count = smaller(count, CAPTURE_ITEMS);
	if (!(how & COPY_FLAGS(CAPTURE_AT_EXIT)))
		copy_range(thread, address, count * sizeof(struct user_vector), how);
	if (!(how & COPY_BUFFERS))
		return 0;
	for (__u32 i = 0; i < CAPTURE_ITEMS; i++) {
		if (i >= count || !left)
			break;
		left = copy_buffer(thread, address + i * sizeof(struct user_vector), left, how);
	}
	return 0;
}

/*
 * Copy what a message points to. Before a receive, only the vector has contents. A message of
 * CAPTURE_MESSAGES is followed by the received length.
 */
__noinline int copy_message(struct thread_state *thread, __u64 address, __u64 left, __u32 how)
{
	struct user_message message;
	__u32 received;

	if (!read_user(&message, sizeof(message), address))
		return 0;
	if (how & COPY_ONE_OF_MANY && how & COPY_FLAGS(CAPTURE_AT_EXIT)) {
		if (!read_user(&received, sizeof(received),
			       address + offsetof(struct user_message_of_many, len)))
			return 0;
		left = received;
	}
	copy_vector(thread, message.vector, message.vector_len, left, how);
	if (!(how & COPY_BUFFERS))
		return 0;
	copy_range(thread, message.name, smaller(message.name_len, ADDRESS_BYTES), how);
	copy_range(thread, message.control, smaller(message.control_len, CAPTURE_BYTES_MAX), how);
	return 0;
}

__noinline int copy_messages(struct thread_state *thread, __u64 address, __u64 count, __u32 how)
{
	count = smaller(count, CAPTURE_ITEMS);
	copy_range(thread, address, count * sizeof(struct user_message_of_many), how);
	for (__u32 i = 0; i < CAPTURE_ITEMS; i++) {
		if (i >= count)
			break;
		copy_message(thread, address + i * sizeof(struct user_message_of_many), ~0ULL,
			     how | COPY_ONE_OF_MANY);
	}
	return 0;
}

/* Copy a range that may exceed one chunk. */
__noinline int copy_long(struct thread_state *thread, __u64 address, __u64 bytes, __u32 how)
{
	for (__u32 i = 0; i < BPF_RECORD_BYTES_MAX / CAPTURE_BYTES_MAX; i++) {
		copy_range(thread, address, smaller(bytes, CAPTURE_BYTES_MAX), how);
		if (bytes <= CAPTURE_BYTES_MAX)
			break;
		address += CAPTURE_BYTES_MAX;
		bytes -= CAPTURE_BYTES_MAX;
	}
	return 0;
}

#define POINTERS_AT_ONCE 32

/* Count the pointers up to the end of the array; POINTERS_AT_ONCE if the array continues. */
__noinline int count_pointers(__u64 address)
{
	__u64 pointer;

	for (__u32 i = 0; i < POINTERS_AT_ONCE; i++)
		if (!read_user(&pointer, sizeof(pointer), address + i * 8) || !pointer)
			return i;
	return POINTERS_AT_ONCE;
}

__noinline int copy_string(struct thread_state *thread, __u64 address, __u32 max, __u32 how)
{
	__u64 pointer;

	if (read_user(&pointer, sizeof(pointer), address))
		copy_range(thread, pointer, max, how | COPY_TEXT);
	return 0;
}

__noinline int copy_strings(struct thread_state *thread, __u64 address, __u32 max, __u32 how)
{
	__u32 count = count_pointers(address);

	/* Include the pointer that ends the array, or the one that shows that it continues. */
	copy_range(thread, address, (count + 1) * 8ULL, how);
	for (__u32 i = 0; i < POINTERS_AT_ONCE; i++) {
		if (i >= count)
			break;
		copy_string(thread, address + i * 8, max, how);
	}
	return 0;
}

__noinline int copy_counted(struct thread_state *thread, __u64 address, __u32 how)
{
	__u64 count = 0;

	for (__u32 i = 0; i < CAPTURE_POINTERS / POINTERS_AT_ONCE; i++) {
		__u32 some = count_pointers(address + i * POINTERS_AT_ONCE * 8);

		count += some;
		if (some < POINTERS_AT_ONCE)
			break;
	}
	copy_long(thread, address, (count + 1) * 8, how);
	return 0;
}

__noinline int copy_iocb(struct thread_state *thread, __u64 address, __u32 how)
{
	struct user_iocb iocb;

	if (!read_user(&address, sizeof(address), address) ||
	    !read_user(&iocb, sizeof(iocb), address))
		return 0;
	copy_range(thread, address, sizeof(iocb), how);
	if (iocb.opcode == IOCB_PWRITE)
		copy_range(thread, iocb.buffer, smaller(iocb.bytes, rules.text_bytes), how);
	else if (iocb.opcode == IOCB_PWRITEV)
		copy_vector(thread, iocb.buffer, iocb.bytes, ~0ULL, how | COPY_BUFFERS);
	else if (iocb.opcode == IOCB_PREADV)
		copy_vector(thread, iocb.buffer, iocb.bytes, 0, how);
	return 0;
}

__noinline int copy_iocbs(struct thread_state *thread, __u64 address, __u64 count, __u32 how)
{
	count = smaller(count, CAPTURE_ITEMS);
	copy_range(thread, address, count * 8, how);
	for (__u32 i = 0; i < CAPTURE_ITEMS; i++) {
		if (i >= count)
			break;
		copy_iocb(thread, address + i * 8, how);
	}
	return 0;
}

#endif
