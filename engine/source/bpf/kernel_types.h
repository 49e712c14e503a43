/*
 * kernel_types - the fields of kernel structures that the programs read.
 *
 * Declared by hand, so that the build needs no running kernel with BTF. libbpf relocates the
 * offsets when it loads the programs (CO-RE, "compile once, run everywhere"). Names and types are
 * those of include/linux/sched.h, sched/signal.h, cred.h, pid.h, signal_types.h, fdtable.h, fs.h,
 * dcache.h, fs_struct.h, fs/mount.h, net/sock.h, net/af_unix.h, net/netlink/af_netlink.h and
 * arch/x86/include/asm/ptrace.h of the kernel.
 */
#ifndef BPF_KERNEL_TYPES_H
#define BPF_KERNEL_TYPES_H

#include <linux/types.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
	int counter;
} atomic_t;

struct sigaction {
	void *sa_handler; /* a function, or SIG_DFL (0), or SIG_IGN (1) */
};

struct k_sigaction {
	struct sigaction sa;
};

struct signal_struct {
	atomic_t live; /* threads that have not exited */
};

typedef struct {
	unsigned int val;
} kuid_t;

struct cred {
	kuid_t euid;
};

struct upid {
	int nr;
};

struct pid {
	unsigned int level; /* level of its namespace; 0: the initial one */
	struct upid numbers[1]; /* one per level */
};

struct super_block {
	unsigned long s_magic;
};

struct inode {
	unsigned short i_mode;
	unsigned int i_rdev;
	unsigned long i_ino;
	struct super_block *i_sb;
};

struct in6_addr {
	unsigned char bytes[16]; /* the kernel's member has another name; it is read as a whole */
};

struct sock_common {
	unsigned int skc_daddr, skc_rcv_saddr;
	unsigned short skc_dport; /* network byte order, as are the addresses */
	unsigned short skc_num; /* host byte order */
	unsigned short skc_family;
	struct in6_addr skc_v6_daddr, skc_v6_rcv_saddr;
};

struct socket;

struct sock {
	struct sock_common __sk_common;
	struct socket *sk_socket;
	unsigned short sk_type, sk_protocol;
};

struct unix_sock {
	struct sock *peer;
};

struct netlink_sock {
	unsigned int portid;
};

struct socket {
	struct sock *sk;
};

struct socket_alloc {
	struct socket socket;
	struct inode vfs_inode;
};

struct hlist_bl_node {
	struct hlist_bl_node **pprev; /* NULL: not in a list */
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct hlist_bl_node d_hash;
	struct dentry *d_parent; /* itself at the root */
	struct qstr d_name;
	struct inode *d_inode;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct mount {
	struct mount *mnt_parent; /* itself at the root of the mount tree */
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	struct inode *f_inode;
	struct path f_path;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct fs_struct {
	struct path pwd;
};

struct task_struct {
	int pid; /* thread id */
	int tgid; /* process id */
	struct task_struct *group_leader;
	struct pid *thread_pid;
	struct signal_struct *signal;
	const struct cred *cred;
	struct files_struct *files;
	struct fs_struct *fs;
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task; /* NULL after the last one */
};

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx;
	unsigned long r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax; /* system call number */
	unsigned long ip, flags, sp;
};

#pragma clang attribute pop

/* System call registers of x86-64. Other x86-64 code is in list_registers() and enter() only. */
static inline __attribute__((always_inline)) __u32 call_number(const struct pt_regs *regs)
{
	return (__u32)regs->orig_ax;
}

static inline __attribute__((always_inline)) long call_result(const struct pt_regs *regs)
{
	return (long)regs->ax;
}

static inline __attribute__((always_inline)) void call_args(const struct pt_regs *regs, __u64 *args)
{
	args[0] = regs->di;
	args[1] = regs->si;
	args[2] = regs->dx;
	args[3] = regs->r10;
	args[4] = regs->r8;
	args[5] = regs->r9;
}

#endif
