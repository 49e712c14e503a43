/*
 * owners - the task owner: effective uid, cgroup and pid namespace of a thread. Part of
 * stxtop.bpf.c.
 *
 * The cgroup is that of the unified hierarchy. Uid and cgroup can change at any time. If a filter
 * tests them, they are read at every enter of the thread.
 */
#ifndef BPF_OWNERS_H
#define BPF_OWNERS_H

#include "engine/source/bpf/emit.h"

#include <bpf/bpf_core_read.h>

#define ROOT_LEVEL 0

static __always_inline __u32 uid_of(struct task_struct *task)
{
	/* Use a helper: verifying a direct pointer access takes the kernel 2 ms. */
	return BPF_CORE_READ(task, cred, euid.val);
}

static __always_inline bool is_owner_new(const struct thread_state *thread)
{
	return thread->uid != uid_of(bpf_get_current_task_btf()) ||
	       thread->cgroup != bpf_get_current_cgroup_id();
}

/* Return the pid of the process in its pid namespace; 0 in the initial one. */
static __always_inline __u32 inner_pid(struct task_struct *task)
{
	struct pid *pid = BPF_CORE_READ(task, group_leader, thread_pid);
	__u32 level = BPF_CORE_READ(pid, level), nr = 0;

	if (level)
		bpf_probe_read_kernel(&nr, sizeof(nr),
				      (void *)pid + bpf_core_field_offset(pid->numbers) +
					      level * bpf_core_type_size(struct upid));
	return nr;
}

/* Emit the owner of the current thread. False if the ring has no room: retry at the next call. */
static __noinline bool emit_owner(struct thread_state *thread)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct bpf_record *emit;
	struct place place;

	if (!thread || !find_place(&place, cpu, true))
		return false;
	emit = reserve(&place, BPF_CAPTURED_NONE);
	emit->time_ns = bpf_ktime_get_ns();
	emit->enter_ns = 0;
	emit->kind = BPF_RECORD_OWNER;
	emit->ret = thread->uid;
	emit->args[0] = thread->cgroup;
	bpf_get_current_comm(&emit->args[1], 16);
	emit->args[3] = inner_pid(bpf_get_current_task_btf());
	emit->args[4] = emit->args[5] = 0;
	emit->nr = 0;
	emit->cpu = cpu;
	fill_task(emit);
	commit(emit, &place);
	return true;
}

/* Not static, like is_wanted_cgroup(): the verifier checks each once, not on every path to it. */
__noinline int is_wanted_user(__u32 uid, __u32 change)
{
	const volatile struct bpf_bank *bank = &settings.banks[change % BPF_BANKS];

	for (__u32 i = 0; i < BPF_UIDS; i++)
		if (i < bank->uid_count && uid >= bank->uids[i].lo && uid <= bank->uids[i].hi)
			return true;
	return false;
}

/* True if the map has the cgroup of this thread or an ancestor of that cgroup. */
__noinline int is_wanted_cgroup(__u32 change)
{
	const volatile struct bpf_bank *bank = &settings.banks[change % BPF_BANKS];
	__u32 *bits;
	__u64 id;

	/* A cgroup created since the lookup may match too. */
	if (cgroups_made != bank->cgroups_made)
		return true;
	for (int level = ROOT_LEVEL; level < BPF_CGROUP_LEVELS; level++) {
		id = bpf_get_current_ancestor_cgroup_id(level);
		if (!id)
			return level == ROOT_LEVEL + 1 && bank->cgroup_root;
		bits = bpf_map_lookup_elem(&cgroups, &id);
		if (bits && *bits >> (change % BPF_BANKS) & 1)
			return true;
	}
	return false;
}

/* Test the part of the filter in force that concerns owners. */
static __noinline bool is_wanted_owner(const struct thread_state *thread, __u32 change)
{
	const volatile struct bpf_bank *bank = &settings.banks[change % BPF_BANKS];

	if (!thread)
		return false;
	return (!bank->by_uid || is_wanted_user(thread->uid, change)) &&
	       (!bank->by_cgroup || is_wanted_cgroup(change));
}

#endif
