#include "engine/filter/filter_pushdown.h"

#include "engine/base/units.h"
#include "engine/filter/filter_owners.h"

#include <string.h>

/* Maximum number of names or numbers that are listed; the remaining ones are counted. */
#define EXPLAINED_MAX 8

static void add_joint(struct str *out, size_t begin)
{
	if (out->len > begin)
		str_add(out, " && ");
}

static void add_ids(struct str *out, const char *field, const uint32_t *ids, size_t count,
		    bool inverted)
{
	str_add(out, field);
	if (count == 1) {
		str_add(out, inverted ? " != " : " == ");
		str_addu(out, ids[0]);
		return;
	}
	str_add(out, inverted ? " not in {" : " in {");
	for (size_t i = 0; i < count && i < EXPLAINED_MAX; i++) {
		if (i)
			str_add(out, ", ");
		str_addu(out, ids[i]);
	}
	if (count > EXPLAINED_MAX)
		str_addf(out, " and %zu more", count - EXPLAINED_MAX);
	str_addc(out, '}');
}

static void add_syscalls(struct str *out, const struct filter *filter,
			 const struct filter_pushdown *half)
{
	const struct filter_names *names = &filter->names;
	size_t wanted = 0, unwanted = 0, count, shown = 0;
	bool inverted;

	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		if (!names->syscall_name || !names->syscall_name(names->ctx, nr))
			continue;
		wanted += kernel_filter_allows(&half->kernel, nr);
		unwanted += !kernel_filter_allows(&half->kernel, nr);
	}
	inverted = half->rest && wanted > unwanted;
	count = inverted ? unwanted : wanted;
	str_add(out, "syscall ");
	if (count == 1)
		str_add(out, inverted ? "!= " : "== ");
	else
		str_add(out, inverted ? "not in {" : "in {");
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX && shown < EXPLAINED_MAX; nr++) {
		const char *name = names->syscall_name ? names->syscall_name(names->ctx, nr) : NULL;
		if (!name || kernel_filter_allows(&half->kernel, nr) == inverted)
			continue;
		if (shown++)
			str_add(out, ", ");
		str_add(out, name);
	}
	if (count > shown)
		str_addf(out, " and %zu more", count - shown);
	if (count != 1)
		str_addc(out, '}');
}

static void add_half(struct str *out, const struct filter *filter,
		     const struct filter_pushdown *half)
{
	const struct kernel_filter *kernel = &half->kernel;
	bool both = kernel->pid_count && kernel->tid_count;
	char ns[UNITS_TEXT_BYTES];
	size_t begin = out->len;

	if (kernel->nothing) {
		str_add(out, "nothing");
		return;
	}
	if (kernel->by_syscall)
		add_syscalls(out, filter, half);
	if (!filter_pushdown_any_task(kernel)) {
		add_joint(out, begin);
		if (both)
			str_addc(out, '(');
		if (kernel->pid_count)
			add_ids(out, "pid", kernel->pids, kernel->pid_count, false);
		if (both)
			str_add(out, " || ");
		if (kernel->tid_count)
			add_ids(out, "tid", kernel->tids, kernel->tid_count, false);
		if (both)
			str_addc(out, ')');
	}
	if (kernel->not_pid_count) {
		add_joint(out, begin);
		add_ids(out, "pid", kernel->not_pids, kernel->not_pid_count, true);
	}
	if (kernel->by_uid || kernel->cgroup_count) {
		add_joint(out, begin);
		filter_owners_text(out, kernel);
	}
	if (kernel->min_dur_ns) {
		add_joint(out, begin);
		str_addf(out, "dur >= %s", units_format_ns(ns, kernel->min_dur_ns));
	}
	if (kernel->failed) {
		add_joint(out, begin);
		str_add(out, "failed");
	}
}

/* True if all calls that pass `whole` satisfy the term. */
static bool decided(const struct filter_pushdown *whole, const struct filter *filter,
		    uint32_t index)
{
	struct filter_pushdown term, both;
	bool result, open;

	filter_pushdown_split(&term, filter, index, false, whole->by);
	open = term.by_result;
	filter_pushdown_copy(&both, whole);
	both.exact = true;
	filter_pushdown_and(&both, &term);
	result = !open && both.exact && filter_pushdown_same(&both, whole);
	filter_pushdown_release(&both);
	return result;
}

static void add_term(struct str *here, const struct filter_pushdown *whole,
		     const struct filter *filter, uint32_t index)
{
	/* Among other terms an `or` needs parentheses; alone it does not. */
	bool group = filter->nodes[index].kind == NODE_OR && index != filter->root;

	if (decided(whole, filter, index))
		return;
	add_joint(here, 0);
	if (group)
		str_addc(here, '(');
	filter_node_text(here, filter, index);
	if (group)
		str_addc(here, ')');
}

void filter_explain(const struct filter *filter, enum filter_kernel by, struct str *out)
{
	struct str here = STR_INIT;
	struct filter_pushdown whole;
	size_t begin;

	if (filter_is_all(filter)) {
		str_add(out, "everything");
		return;
	}
	filter_pushdown_split(&whole, filter, filter->root, false, by);
	if (filter->nodes[filter->root].kind == NODE_AND) {
		uint32_t at = filter->nodes[filter->root].first;
		for (; at != FILTER_NO_NODE; at = filter->nodes[at].next)
			add_term(&here, &whole, filter, at);
	} else {
		add_term(&here, &whole, filter, filter->root);
	}
	str_add(out, "in kernel: ");
	begin = out->len;
	add_half(out, filter, &whole);
	if (out->len == begin)
		str_cut(out, begin - strlen("in kernel: "));
	else if (here.len)
		str_add(out, " / ");
	if (here.len) {
		str_add(out, "here: ");
		str_add(out, here.data);
	} else if (!out->len) {
		str_add(out, "everything"); /* all calls, as with "not event ~ exec" */
	}
	filter_pushdown_release(&whole);
	str_release(&here);
}
