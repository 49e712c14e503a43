/*
 * file_names - describes a descriptor: the names of its path, or its socket, from kernel
 * structures. Part of stxtop.bpf.c.
 *
 * Everything is read without locks when the call returns. A name that changes meanwhile can be cut
 * or belong to another file. Failed reads are harmless.
 */
#ifndef BPF_FILE_NAMES_H
#define BPF_FILE_NAMES_H

#include "engine/source/bpf/copy_args.h"

#include <bpf/bpf_core_read.h>
#include <linux/magic.h>

#define CURRENT_DIRECTORY ((__u32)-100) /* AT_FDCWD of linux/fcntl.h */
#define NAME_BYTES 256 /* one name with its NUL */
#define STEPS_MAX 40 /* maximum number of names and mounts of a path */

/* Read a kernel variable; 0 if it is not readable. */
#define READ_KERNEL(to, from) bpf_probe_read_kernel(&(to), sizeof(to), (from))

/* Append a name to the chunk that is being written. */
__noinline int copy_name(__u64 name)
{
	struct chunks chunks;
	__u32 at;
	long len;

	if (!find_chunks(&chunks, NULL, COPY_REPORTED))
		return 0;
	at = *chunks.filled;
	if (at > chunks.last + CAPTURE_BYTES_MAX - NAME_BYTES)
		return 0;
	len = bpf_probe_read_kernel_str(chunks.base + at, NAME_BYTES, (const void *)name);
	if (len > 0)
		*chunks.filled = at + (len & (2 * NAME_BYTES - 1));
	return 0;
}

static __always_inline struct mount *mount_of(struct vfsmount *mnt)
{
	struct mount *none = NULL;

	/* Hide the value from the compiler, so that libbpf relocates the offset of the member. */
	asm volatile("" : "+r"(none));
	return (struct mount *)((__u64)mnt - (__u64)&none->mnt);
}

/* State of a walk from a file to the root. */
struct walk {
	struct dentry *dentry;
	struct vfsmount *mnt;
	struct dentry *root; /* root of that mount */
	__u32 flags; /* enum capture_file_flag */
};

/*
 * Take one step; 0 if there are no more. Not static: verified once, not per step. As a loop body it
 * takes the verifier 50 ms.
 */
__noinline int take_step(struct walk *walk)
{
	struct mount *mount, *above;
	const unsigned char *name;
	struct dentry *parent;

	if (!walk)
		return 0;
	if (walk->dentry == walk->root) {
		mount = mount_of(walk->mnt);
		READ_KERNEL(above, &mount->mnt_parent);
		if (above == mount) {
			walk->flags |= CAPTURE_FILE_WHOLE;
			return 0;
		}
		READ_KERNEL(walk->dentry, &mount->mnt_mountpoint);
		walk->mnt = &above->mnt;
		READ_KERNEL(walk->root, &walk->mnt->mnt_root);
		return 1;
	}
	READ_KERNEL(name, &walk->dentry->d_name.name);
	copy_name((__u64)name);
	READ_KERNEL(parent, &walk->dentry->d_parent);
	/* The file has no path: it is a pipe, an eventfd or the like. */
	if (parent == walk->dentry)
		return 0;
	walk->dentry = parent;
	return 1;
}

/* Append the names from a file to the root. Return flags of enum capture_file_flag. */
__noinline int copy_names(__u64 mnt, __u64 dentry)
{
	struct walk walk = { .dentry = (struct dentry *)dentry, .mnt = (struct vfsmount *)mnt };
	struct hlist_bl_node **hashed;
	struct dentry *parent;

	READ_KERNEL(hashed, &walk.dentry->d_hash.pprev);
	READ_KERNEL(parent, &walk.dentry->d_parent);
	READ_KERNEL(walk.root, &walk.mnt->mnt_root);
	if (!hashed && parent != walk.dentry)
		walk.flags |= CAPTURE_FILE_DELETED;
	for (__u32 i = 0; i < STEPS_MAX; i++)
		if (!take_step(&walk))
			break;
	return walk.flags;
}

static __always_inline bool find_file(__u32 fd, struct path *path, struct inode **inode)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	struct files_struct *files;
	struct fs_struct *fs;
	struct fdtable *table;
	struct file **all, *file;
	__u32 max;

	if (fd == CURRENT_DIRECTORY) {
		READ_KERNEL(fs, &task->fs);
		READ_KERNEL(path->mnt, &fs->pwd.mnt);
		READ_KERNEL(path->dentry, &fs->pwd.dentry);
		READ_KERNEL(*inode, &path->dentry->d_inode);
		return *inode;
	}
	READ_KERNEL(files, &task->files);
	READ_KERNEL(table, &files->fdt);
	READ_KERNEL(max, &table->max_fds);
	if (fd >= max)
		return false;
	READ_KERNEL(all, &table->fd);
	READ_KERNEL(file, all + fd);
	READ_KERNEL(path->mnt, &file->f_path.mnt);
	READ_KERNEL(path->dentry, &file->f_path.dentry);
	READ_KERNEL(*inode, &file->f_inode);
	return *inode;
}

#define FAMILY_UNIX 1 /* AF_UNIX etc. of the kernel's linux/socket.h */
#define FAMILY_INET 2
#define FAMILY_INET6 10
#define FAMILY_NETLINK 16

static __always_inline struct sock *sock_of(struct inode *inode)
{
	struct socket_alloc *none = NULL, *both;
	struct sock *sock;

	asm volatile("" : "+r"(none)); /* as in mount_of() */
	both = (struct socket_alloc *)((__u64)inode - (__u64)&none->vfs_inode);
	READ_KERNEL(sock, &both->socket.sk);
	return sock;
}

static __always_inline void read_inet(struct capture_socket *socket, struct sock *sock)
{
	const struct sock_common *common = &sock->__sk_common;
	__u16 port;

	READ_KERNEL(port, &common->skc_dport);
	socket->remote_port = __builtin_bswap16(port);
	READ_KERNEL(socket->local_port, &common->skc_num);
	if (socket->family == FAMILY_INET) {
		bpf_probe_read_kernel(socket->local, 4, &common->skc_rcv_saddr);
		bpf_probe_read_kernel(socket->remote, 4, &common->skc_daddr);
	} else if (bpf_core_field_exists(common->skc_v6_daddr)) {
		READ_KERNEL(socket->local, &common->skc_v6_rcv_saddr);
		READ_KERNEL(socket->remote, &common->skc_v6_daddr);
	}
}

/* Return the inode of the peer; 0 if there is no peer, or the connection is not accepted yet. */
static __always_inline __u64 peer_of(struct sock *sock)
{
	struct socket_alloc *both;
	struct socket *socket;
	struct sock *peer;
	__u64 inode;

	READ_KERNEL(peer, &((struct unix_sock *)sock)->peer);
	READ_KERNEL(socket, &peer->sk_socket);
	if (!peer || !socket)
		return 0;
	both = (struct socket_alloc *)socket; /* `socket` is its first member */
	READ_KERNEL(inode, &both->vfs_inode.i_ino);
	return inode;
}

/* Append a struct capture_socket to the chunk that is being written. */
__noinline int copy_socket(__u64 inode)
{
	struct sock *sock = sock_of((struct inode *)inode);
	struct capture_socket *socket;
	struct chunks chunks;
	__u32 at;

	if (!sock || !find_chunks(&chunks, NULL, COPY_REPORTED))
		return 0;
	at = *chunks.filled;
	if (at > chunks.last + CAPTURE_BYTES_MAX - sizeof(*socket))
		return 0;
	socket = chunks.base + at;
	__builtin_memset(socket, 0, sizeof(*socket));
	READ_KERNEL(socket->family, &sock->__sk_common.skc_family);
	READ_KERNEL(socket->type, &sock->sk_type);
	READ_KERNEL(socket->protocol, &sock->sk_protocol);
	if (socket->family == FAMILY_INET || socket->family == FAMILY_INET6)
		read_inet(socket, sock);
	else if (socket->family == FAMILY_NETLINK && bpf_core_type_exists(struct netlink_sock))
		READ_KERNEL(socket->id, &((struct netlink_sock *)sock)->portid);
	else if (socket->family == FAMILY_UNIX && bpf_core_type_exists(struct unix_sock))
		socket->peer = peer_of(sock);
	*chunks.filled = at + sizeof(*socket);
	return 0;
}

/* Describe a descriptor of this task in the record that is being written. */
__noinline int copy_file(__u32 fd, __u32 how)
{
	struct super_block *super;
	struct capture_chunk *chunk;
	struct capture_file *file;
	struct chunks chunks;
	struct inode *inode;
	struct path path;
	__u32 at, end;

	if (!find_file(fd, &path, &inode) || !find_chunks(&chunks, NULL, COPY_REPORTED))
		return 0;
	at = *chunks.filled;
	if (at > chunks.last)
		return 0;
	chunk = chunks.base + at;
	file = (struct capture_file *)(chunk + 1);
	READ_KERNEL(file->inode, &inode->i_ino);
	READ_KERNEL(file->mode, &inode->i_mode);
	READ_KERNEL(file->device, &inode->i_rdev);
	READ_KERNEL(super, &inode->i_sb);
	READ_KERNEL(file->magic, (const __u32 *)&super->s_magic);
	*chunks.filled = at + sizeof(*chunk) + sizeof(*file);
	file->flags = 0;
	if (file->magic == SOCKFS_MAGIC)
		copy_socket((__u64)inode);
	else
		file->flags = copy_names((__u64)path.mnt, (__u64)path.dentry);
	end = *chunks.filled;
	chunk->address = fd;
	chunk->len = end - at - sizeof(*chunk);
	chunk->arg = how & COPY_ARG;
	chunk->flags = CAPTURE_NO_MEMORY | CAPTURE_AT_EXIT;
	chunk->origin = rules.origin;
	chunk->unused = 0;
	*chunks.filled = (end + 7) & 0x7ff8;
	return 0;
}

#define RIGHTS_MAX 8 /* maximum number of reported descriptors per message */
#define CONTROLS_MAX 4 /* maximum number of control messages searched for them */

/* linux/socket.h */
struct user_control {
	__u64 len;
	__u32 level, type;
};

#define LEVEL_SOCKET 1
#define TYPE_RIGHTS 1

/* Describe the descriptors received with a message. One function, as BPF limits the call depth. */
__noinline int copy_rights(__u64 control, __u64 left, __u32 how)
{
	struct user_control header;
	__u64 numbers = 0;
	__u32 fd;

	for (__u32 i = 0; i < CONTROLS_MAX && !numbers; i++) {
		if (left < sizeof(header) ||
		    bpf_probe_read_user(&header, sizeof(header), (const void *)control) ||
		    header.len < sizeof(header) || header.len > left)
			return 0;
		if (header.level == LEVEL_SOCKET && header.type == TYPE_RIGHTS)
			numbers = control + sizeof(header);
		left -= header.len;
		control += (header.len + 7) & ~7ULL;
	}
	for (__u32 i = 0; i < RIGHTS_MAX && numbers; i++) {
		if (sizeof(header) + (i + 1) * sizeof(fd) > header.len ||
		    bpf_probe_read_user(&fd, sizeof(fd), (const void *)(numbers + i * sizeof(fd))))
			break;
		copy_file(fd, how);
	}
	return 0;
}

#endif
