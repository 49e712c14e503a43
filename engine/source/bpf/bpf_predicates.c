#include "engine/source/bpf/bpf_predicates.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(BPF_SYSCALLS == SYSCALL_NR_MAX, "the same numbers are filtered on both sides");
_Static_assert(BPF_UIDS == KERNEL_FILTER_UIDS, "both sides have as many ranges");

void bpf_predicates_init(struct bpf_predicates *predicates, struct bpf_load *load,
			 const struct cgroups *cgroups)
{
	memset(predicates, 0, sizeof(*predicates));
	predicates->load = load;
	predicates->cgroups = cgroups;
}

void bpf_predicates_release(struct bpf_predicates *predicates)
{
	task_list_release(&predicates->named);
	free(predicates->bits);
	predicates->bits = NULL;
	kernel_filter_release(&predicates->filter);
}

static int refuse(int ret, struct err *err)
{
	return err_set(err, ret, "cannot set the target in the kernel: %s", strerror(-ret));
}

static int watch_process(struct bpf_load *load, uint32_t pid)
{
	return bpf_load_set_family(load, pid, BPF_FAMILY_PROCESS | pid << BPF_FAMILY_SHIFT);
}

/* Skip the first thread of a target process: its tid is the key of the process. */
static int watch_thread(struct bpf_load *load, const struct target *target, uint32_t tid)
{
	return target_has_pid(target, tid) || (uint32_t)target->command == tid
		       ? 0
		       : bpf_load_set_family(load, tid, BPF_FAMILY_THREAD);
}

int bpf_predicates_set_target(struct bpf_predicates *predicates, const struct target *target,
			      const uint32_t *own_tids, size_t own_tid_count, struct err *err)
{
	struct bpf_load *load = predicates->load;
	struct bpf_settings *settings = load->settings;
	int ret = bpf_load_set_family(load, (uint32_t)getpid(), BPF_FAMILY_OWN);

	for (size_t i = 0; !ret && i < own_tid_count; i++)
		ret = bpf_load_set_family(load, own_tids[i], BPF_FAMILY_OWN);
	for (size_t i = 0; !ret && i < target->pid_count; i++)
		ret = watch_process(load, target->pids[i]);
	for (size_t i = 0; !ret && i < target->tid_count; i++)
		ret = watch_thread(load, target, target->tids[i]);
	if (!ret && target->command)
		ret = watch_process(load, (uint32_t)target->command);
	if (ret)
		return refuse(ret, err);
	settings->by_family = !target_is_system(target);
	settings->by_cpu = target->cpu_count > 0;
	for (size_t i = 0; i < target->cpu_count; i++)
		if (target->cpus[i] < BPF_CPUS_MAX)
			settings->cpus[target->cpus[i] / 64] |= 1ULL << (target->cpus[i] % 64);
	return 0;
}

int bpf_predicates_change_target(struct bpf_predicates *predicates, const struct target *target,
				 const struct target_change *change,
				 const struct kernel_filter *filter, struct err *err)
{
	struct bpf_load *load = predicates->load;
	int ret = 0;

	for (size_t i = 0; !ret && i < change->new_pids.count; i++)
		ret = watch_process(load, change->new_pids.ids[i]);
	load->settings->by_family = !target_is_system(target);
	for (size_t i = 0; !ret && i < change->old_pids.count; i++)
		ret = bpf_load_drop_family(load, change->old_pids.ids[i]);
	for (size_t i = 0; !ret && i < change->old_tids.count; i++)
		if (!target_has_pid(target, change->old_tids.ids[i]))
			ret = bpf_load_set_family(load, change->old_tids.ids[i], 0);
	/* Set all threads again: removing a process removed the entry of its first thread. */
	for (size_t i = 0; !ret && i < target->tid_count; i++)
		ret = watch_thread(load, target, target->tids[i]);
	return ret ? refuse(ret, err) : bpf_predicates_set_filter(predicates, filter, err);
}

void bpf_predicates_fill_bank(struct bpf_bank *bank, const struct kernel_filter *filter)
{
	memset(bank, 0, sizeof(*bank));
	for (uint32_t nr = 0; nr < BPF_SYSCALLS; nr++)
		if (kernel_filter_allows(filter, nr))
			bank->syscalls[nr / 64] |= 1ULL << (nr % 64);
	bank->by_task = filter->pid_count || filter->tid_count;
	bank->not_task = filter->not_pid_count > 0;
	bank->nothing = filter->nothing;
	bank->min_ns = filter->min_dur_ns;
	bank->failed = filter->failed;
	bank->owners = filter->owners;
	bank->by_uid = filter->by_uid && filter->uid_count <= BPF_UIDS;
	for (size_t i = 0; bank->by_uid && i < filter->uid_count; i++)
		bank->uids[bank->uid_count++] = (struct bpf_uids){ filter->uids[i].lo,
								   filter->uids[i].hi };
}

/* Return the bits of an id, which is added if it is new. */
static uint32_t *bits_of(struct bpf_predicates *predicates, uint32_t id)
{
	struct task_list *named = &predicates->named;

	for (size_t i = 0; i < named->count; i++)
		if (named->ids[i] == id)
			return &predicates->bits[i];
	task_list_add(named, id);
	predicates->bits = mem_grow(predicates->bits, &predicates->bits_capacity, named->count,
				    sizeof(*predicates->bits));
	predicates->bits[named->count - 1] = 0;
	return &predicates->bits[named->count - 1];
}

static void choose(struct bpf_predicates *predicates, const uint32_t *ids, size_t count,
		   uint32_t bits)
{
	for (size_t i = 0; i < count; i++)
		*bits_of(predicates, ids[i]) |= bits;
}

/* Write the entry of a cgroup: one bit for each bank that has it. */
static int put_cgroup(struct bpf_predicates *predicates, uint64_t id)
{
	uint32_t bits = 0;

	for (uint32_t bank = 0; bank < BPF_BANKS; bank++)
		for (int i = 0; i < predicates->id_count[bank]; i++)
			if (predicates->ids[bank][i] == id)
				bits |= 1u << bank;
	return bpf_load_set_cgroup(predicates->load, id, bits);
}

/* Look up the cgroups that the filter matches. If that fails, the programs pass every cgroup. */
static int set_cgroups(struct bpf_predicates *predicates, uint32_t number,
		       const struct kernel_filter *filter)
{
	struct bpf_settings *settings = predicates->load->settings;
	struct bpf_bank *bank = &settings->banks[number];
	uint64_t *ids = predicates->ids[number];
	int found = 0, old = predicates->id_count[number], ret = 0;

	predicates->id_count[number] = 0;
	for (int i = 0; i < old; i++)
		put_cgroup(predicates, ids[i]);
	if (!filter->cgroup_count)
		return 0;
	bank->cgroups_made = *predicates->load->cgroups_made;
	for (size_t i = 0; i < filter->cgroup_count; i++) {
		int more = cgroups_find(predicates->cgroups, filter->cgroups[i], ids + found,
					BPF_CGROUPS - found);

		if (more < 0)
			return 0;
		found += more;
	}
	predicates->id_count[number] = found;
	for (int i = 0; i < found && !ret; i++)
		ret = put_cgroup(predicates, ids[i]);
	bank->cgroup_root = predicates->cgroups->mixed;
	bank->by_cgroup = !ret;
	return ret;
}

static void store_filter(struct bpf_predicates *predicates, const struct kernel_filter *filter)
{
	if (filter == &predicates->filter)
		return;
	kernel_filter_release(&predicates->filter);
	if (filter->cgroup_count)
		kernel_filter_copy(&predicates->filter, filter);
}

int bpf_predicates_set_filter(struct bpf_predicates *predicates, const struct kernel_filter *filter,
			      struct err *err)
{
	struct bpf_settings *settings = predicates->load->settings;
	struct task_list *named = &predicates->named;
	/* Skip 0, which marks threads that were never judged. */
	uint32_t change = predicates->change + 1 ? predicates->change + 1 : BPF_BANKS;
	uint32_t bank = change % BPF_BANKS;
	uint32_t shift = bank * BPF_CHOSEN_SHIFT;
	size_t kept = 0;
	int ret = 0;

	bpf_predicates_fill_bank(&settings->banks[bank], filter);
	for (size_t i = 0; i < named->count; i++)
		predicates->bits[i] &= ~(((1u << BPF_CHOSEN_SHIFT) - 1) << shift);
	choose(predicates, filter->pids, filter->pid_count, BPF_CHOSEN_PROCESS << shift);
	choose(predicates, filter->tids, filter->tid_count, BPF_CHOSEN_THREAD << shift);
	choose(predicates, filter->not_pids, filter->not_pid_count, BPF_CHOSEN_NOT << shift);
	for (size_t i = 0; i < named->count; i++) {
		int rc = bpf_load_set_chosen(predicates->load, named->ids[i], predicates->bits[i]);

		if (rc && !ret)
			ret = rc;
		if (!predicates->bits[i])
			continue;
		named->ids[kept] = named->ids[i];
		predicates->bits[kept++] = predicates->bits[i];
	}
	named->count = kept;
	if (!ret)
		ret = set_cgroups(predicates, bank, filter);
	if (ret)
		return refuse(ret, err);
	store_filter(predicates, filter);
	/* Release: a program that sees the number also sees the new bank. */
	__atomic_store_n(&settings->change, change, __ATOMIC_RELEASE);
	predicates->change = change;
	return 0;
}

int bpf_predicates_refresh(struct bpf_predicates *predicates, struct err *err)
{
	const struct bpf_settings *settings = predicates->load->settings;
	const struct bpf_bank *bank = &settings->banks[predicates->change % BPF_BANKS];

	if (!predicates->filter.cgroup_count ||
	    bank->cgroups_made == *predicates->load->cgroups_made)
		return 0;
	return bpf_predicates_set_filter(predicates, &predicates->filter, err);
}
