#include "engine/filter/filter_owners.h"

#include "engine/base/mem.h"
#include "engine/filter/filter_values.h"
#include "engine/filter/id_ranges.h"

#include <stdlib.h>
#include <string.h>

/* Written out, of however many there are. */
#define EXPLAINED_MAX 8

static struct id_ranges users_of(const struct kernel_filter *filter)
{
	return (struct id_ranges){ filter->uids, filter->uid_count };
}

static void set_users(struct kernel_filter *filter, const struct id_ranges *users)
{
	filter->by_uid = true;
	filter->uids = users->ranges;
	filter->uid_count = users->count;
}

static void add_cgroup(struct kernel_filter *filter, const char *word)
{
	for (size_t i = 0; i < filter->cgroup_count; i++)
		if (!strcmp(filter->cgroups[i], word))
			return;
	/* Some at most, so each one more is its own array: no capacity to be kept. */
	char **more = mem_zalloc(filter->cgroup_count + 1, sizeof(*more));

	if (filter->cgroup_count)
		memcpy(more, filter->cgroups, filter->cgroup_count * sizeof(*more));
	free(filter->cgroups);
	filter->cgroups = more;
	filter->cgroups[filter->cgroup_count++] = mem_strndup(word, strlen(word));
}

static void drop_cgroups(struct kernel_filter *filter)
{
	for (size_t i = 0; i < filter->cgroup_count; i++)
		free(filter->cgroups[i]);
	free(filter->cgroups);
	filter->cgroups = NULL;
	filter->cgroup_count = 0;
}

void filter_owners_of_test(struct filter_half *half, const struct filter *filter,
			   const struct filter_node *node, bool negate)
{
	struct id_ranges users;

	if (node->field == FIELD_UID) {
		users = id_ranges_from(filter->ranges + node->index, node->count);
		if (negate)
			id_ranges_invert(&users);
		set_users(&half->kernel, &users);
		half->kernel.nothing = !users.count;
		return;
	}
	half->exact = false;
	if (negate || node->test != TEST_NAMES || node->count > KERNEL_FILTER_CGROUPS)
		return;
	for (uint32_t i = 0; i < node->count; i++)
		add_cgroup(&half->kernel, filter->strings[node->index + i]);
}

bool filter_owners_and(struct kernel_filter *a, const struct kernel_filter *b)
{
	struct id_ranges users = users_of(a), others = users_of(b);

	/* Either list is large enough: what is in both need not be a list. */
	if (!a->cgroup_count)
		for (size_t i = 0; i < b->cgroup_count; i++)
			add_cgroup(a, b->cgroups[i]);
	if (!b->by_uid)
		return true;
	if (a->by_uid)
		id_ranges_and(&users, &others);
	else
		id_ranges_or(&users, &others);
	set_users(a, &users);
	return users.count > 0;
}

void filter_owners_or(struct kernel_filter *a, const struct kernel_filter *b)
{
	struct id_ranges users = users_of(a), others = users_of(b);

	if (a->cgroup_count && b->cgroup_count &&
	    a->cgroup_count + b->cgroup_count <= KERNEL_FILTER_CGROUPS)
		for (size_t i = 0; i < b->cgroup_count; i++)
			add_cgroup(a, b->cgroups[i]);
	else
		drop_cgroups(a);
	if (a->by_uid && b->by_uid) {
		id_ranges_or(&users, &others);
		set_users(a, &users);
	} else if (a->by_uid) {
		free(a->uids);
		a->uids = NULL;
		a->uid_count = 0;
		a->by_uid = false;
	}
}

bool filter_owners_same(const struct kernel_filter *a, const struct kernel_filter *b)
{
	struct id_ranges left = users_of(a), right = users_of(b);

	return a->by_uid == b->by_uid && id_ranges_equal(&left, &right);
}

static void add_users(struct str *out, const struct kernel_filter *filter)
{
	const struct id_range *first = filter->uids;
	size_t shown = 0;

	if (filter->uid_count == 1 && first->lo == first->hi) {
		str_addf(out, "uid == %u", first->lo);
		return;
	}
	if (filter->uid_count == 1 && (!first->lo || first->hi == UINT32_MAX)) {
		str_addf(out, first->lo ? "uid >= %u" : "uid <= %u",
			 first->lo ? first->lo : first->hi);
		return;
	}
	if (filter->uid_count == 2 && !first->lo && first[1].hi == UINT32_MAX &&
	    first->hi + 2 == first[1].lo) {
		str_addf(out, "uid != %u", first->hi + 1);
		return;
	}
	str_add(out, "uid in {");
	for (; shown < filter->uid_count && shown < EXPLAINED_MAX; shown++) {
		str_addf(out, "%s%u", shown ? ", " : "", first[shown].lo);
		if (first[shown].lo != first[shown].hi)
			str_addf(out, "..%u", first[shown].hi);
	}
	if (filter->uid_count > shown)
		str_addf(out, " and %zu more", filter->uid_count - shown);
	str_addc(out, '}');
}

void filter_owners_text(struct str *out, const struct kernel_filter *filter)
{
	size_t begin = out->len;

	if (filter->by_uid)
		add_users(out, filter);
	if (!filter->cgroup_count)
		return;
	if (out->len > begin)
		str_add(out, " && ");
	str_add(out, filter->cgroup_count == 1 ? "cgroup == " : "cgroup in {");
	for (size_t i = 0; i < filter->cgroup_count && i < EXPLAINED_MAX; i++) {
		if (i)
			str_add(out, ", ");
		filter_quote(out, filter->cgroups[i], strlen(filter->cgroups[i]));
	}
	if (filter->cgroup_count > EXPLAINED_MAX)
		str_addf(out, " and %zu more", filter->cgroup_count - EXPLAINED_MAX);
	if (filter->cgroup_count > 1)
		str_addc(out, '}');
}
