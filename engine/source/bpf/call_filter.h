/* call_filter - tests whether the filter and the target want a call. Part of stxtop.bpf.c. */
#ifndef BPF_CALL_FILTER_H
#define BPF_CALL_FILTER_H

#include "engine/source/bpf/owners.h"
#include "engine/source/bpf/results.h"

static __always_inline const volatile struct bpf_bank *bank_of(__u32 change)
{
	return &settings.banks[change % BPF_BANKS];
}

static __always_inline bool wants_nr(const volatile struct bpf_bank *bank, __u32 nr)
{
	return nr >= BPF_SYSCALLS || bank->syscalls[nr / 64] >> (nr % 64) & 1;
}

static __always_inline __u32 family_of(__u32 id)
{
	__u32 *flags = bpf_map_lookup_elem(&family, &id);

	return flags ? *flags : 0;
}

static __always_inline __u32 chosen_of(__u32 id, __u32 change)
{
	__u32 *bits = bpf_map_lookup_elem(&chosen, &id);

	return bits ? *bits >> (change % BPF_BANKS * BPF_CHOSEN_SHIFT) : 0;
}

/*
 * True if target and filter want the current thread by its pid and tid. Evaluated once per thread
 * after each change of target or filter; the result is stored with the thread.
 */
__noinline int judge(__u32 change)
{
	const volatile struct bpf_bank *bank = bank_of(change);
	__u64 ids = bpf_get_current_pid_tgid();
	__u32 pid = ids >> 32, tid = (__u32)ids;
	__u32 of_pid = family_of(pid), of_tid = family_of(tid);

	if ((of_pid | of_tid) & BPF_FAMILY_OWN)
		return false;
	if (settings.by_family && !(of_pid & BPF_FAMILY_PROCESS) && !(of_tid & BPF_FAMILY_THREAD))
		return false;
	if (!bank->by_task && !bank->not_task)
		return true;
	of_pid = chosen_of(pid, change);
	of_tid = chosen_of(tid, change);
	if (of_pid & BPF_CHOSEN_NOT)
		return false;
	return !bank->by_task || of_pid & BPF_CHOSEN_PROCESS || of_tid & BPF_CHOSEN_THREAD;
}

/*
 * Judge a thread again. If it is wanted, its owner is emitted before the call that caused the
 * check. Not static: the verifier checks it once, not on every path to it, which took 400 ms.
 */
__noinline int judge_again(struct thread_state *thread, __u32 change)
{
	if (!thread)
		return 0;
	thread->uid = uid_of(bpf_get_current_task_btf());
	thread->cgroup = bpf_get_current_cgroup_id();
	thread->wanted = judge(change) && is_wanted_owner(thread, change);
	thread->judged = thread->wanted && !emit_owner(thread) ? 0 : change;
	return 0;
}

static __always_inline bool wants_thread(struct thread_state *thread, __u32 change)
{
	if (thread->judged != change || (bank_of(change)->owners && is_owner_new(thread)))
		judge_again(thread, change);
	return thread->wanted;
}

static __always_inline __u64 covered_since(__u32 nr)
{
	return settings.since_ns[nr < BPF_SYSCALLS ? nr : BPF_SYSCALLS];
}

static __always_inline bool is_covered(__u32 nr)
{
	return covered_since(nr) != BPF_UNCOVERED;
}

/* False if the exit of the stored call may have been missed: its number was not covered. */
static __always_inline bool is_in_call(const struct thread_state *thread)
{
	return thread->in_call && thread->enter_ns >= covered_since(thread->nr);
}

/*
 * In an overlap, true if the other program has handled this enter. Otherwise both programs are done
 * with the previous call, so reset `left`.
 */
static __noinline bool entered_before(__u32 nr)
{
	struct thread_state *thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(),
							   NULL, 0);

	if (!thread)
		return false;
	if (is_in_call(thread) && thread->nr == nr)
		return true;
	thread->left = 0;
	return false;
}

#endif
