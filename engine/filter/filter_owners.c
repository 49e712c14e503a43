#include "engine/filter/filter_owners.h"

#include "engine/base/mem.h"
#include "engine/filter/filter_values.h"
#include "engine/filter/id_ranges.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of users or cgroups that are listed; the remaining ones are counted. */
#define EXPLAINED_MAX 8

static struct id_ranges users_of(const struct kernel_filter *filter)
{
	return (struct id_ranges){ filter->uids, filter->uid_count };
}

/*
 * Takes over `users`. More ranges than KERNEL_FILTER_UIDS are not pushed down: the filter tests
 * them later.
 */
static void set_users(struct filter_pushdown *half, struct id_ranges *users)
{
	if (users->count > KERNEL_FILTER_UIDS) {
		half->exact = false;
		id_ranges_release(users);
		half->kernel.by_uid = false;
	} else {
		half->kernel.by_uid = true;
	}
	half->kernel.uids = users->ranges;
	half->kernel.uid_count = users->count;
}

static void add_cgroup(struct kernel_filter *filter, const char *word)
{
	for (size_t i = 0; i < filter->cgroup_count; i++)
		if (!strcmp(filter->cgroups[i], word))
			return;
	/* Lists are short, so each addition allocates a new array. */
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

void filter_owners_of_test(struct filter_pushdown *half, const struct filter *filter,
			   const struct filter_node *node, bool negate)
{
	struct id_ranges users;

	if (node->field == FIELD_UID) {
		users = id_ranges_from(filter->ranges + node->index, node->count);
		if (negate)
			id_ranges_invert(&users);
		half->kernel.nothing = !users.count;
		set_users(half, &users);
		return;
	}
	half->exact = false;
	if (negate || node->test != TEST_NAMES || node->count > KERNEL_FILTER_CGROUPS)
		return;
	for (uint32_t i = 0; i < node->count; i++)
		add_cgroup(&half->kernel, filter->strings[node->index + i]);
}

bool filter_owners_and(struct filter_pushdown *a, const struct filter_pushdown *b)
{
	struct kernel_filter *left = &a->kernel;
	const struct kernel_filter *right = &b->kernel;
	struct id_ranges users = users_of(left), others = users_of(right);
	bool some;

	/* Either list of cgroups alone passes enough, so the intersection is not computed. */
	if (!left->cgroup_count)
		for (size_t i = 0; i < right->cgroup_count; i++)
			add_cgroup(left, right->cgroups[i]);
	if (!right->by_uid)
		return true;
	if (left->by_uid)
		id_ranges_and(&users, &others);
	else
		id_ranges_or(&users, &others);
	some = users.count > 0;
	set_users(a, &users);
	return some;
}

void filter_owners_or(struct filter_pushdown *a, const struct filter_pushdown *b)
{
	struct kernel_filter *left = &a->kernel;
	const struct kernel_filter *right = &b->kernel;
	struct id_ranges users = users_of(left), others = users_of(right);

	if (left->cgroup_count && right->cgroup_count &&
	    left->cgroup_count + right->cgroup_count <= KERNEL_FILTER_CGROUPS)
		for (size_t i = 0; i < right->cgroup_count; i++)
			add_cgroup(left, right->cgroups[i]);
	else
		drop_cgroups(left);
	if (left->by_uid && right->by_uid) {
		id_ranges_or(&users, &others);
		set_users(a, &users);
	} else if (left->by_uid) {
		free(left->uids);
		left->uids = NULL;
		left->uid_count = 0;
		left->by_uid = false;
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
