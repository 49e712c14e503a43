#include "engine/filter/target_filters.h"

#include "engine/base/cgroup_path.h"
#include "engine/base/escape.h"
#include "engine/base/users.h"
#include "engine/process/cgroups.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WORD_BYTES CGROUP_PATH_BYTES

/* Append the value of one word of a list. */
typedef int take_word_fn(const char *word, struct str *expression, struct err *err);

static int each_word(const char *list, const char *noun, take_word_fn *take, struct str *expression,
		     struct err *err)
{
	char word[WORD_BYTES];
	size_t len;
	int ret;

	for (const char *at = list;; at += len + 1) {
		len = strcspn(at, ",");
		if (!len)
			return err_set(err, -EINVAL,
				       "a %s is missing: two commas in a row, a comma at an end, "
				       "or an empty list",
				       noun);
		if (len >= sizeof(word))
			return err_set(err, -EINVAL, "a %s is too long", noun);
		memcpy(word, at, len);
		word[len] = '\0';
		if (at != list)
			str_add(expression, ", ");
		ret = take(word, expression, err);
		if (ret || !at[len])
			return ret;
	}
}

/* -- Users ---------------------------------------------------------------------------- */

static int take_user(const char *word, struct str *expression, struct err *err)
{
	const struct passwd *entry;
	uint64_t number = 0;
	char shown[64], near[64], near_shown[64];
	uint32_t uid;

	if (word[strspn(word, "0123456789")] == '\0') {
		for (const char *c = word; *c && number <= UINT32_MAX; c++)
			number = number * 10 + (uint64_t)(*c - '0');
		if (number >= USERS_UNKNOWN)
			return err_set(err, -EINVAL, "\"%s\" is not a uid",
				       escape_name(shown, sizeof(shown), word));
		str_addu(expression, number);
		return 0;
	}
	if (!users_number(word, strlen(word), &uid)) {
		/*
		 * Users of a name service. getpwnam() is not thread-safe, but no other thread looks
		 * up users now.
		 */
		entry = getpwnam(word);
		if (!entry && users_nearest(word, strlen(word), near, sizeof(near)))
			return err_set(err, -EINVAL,
				       "there is no user \"%s\"; did you mean \"%s\"? `getent "
				       "passwd` lists all users",
				       escape_name(shown, sizeof(shown), word),
				       escape_name(near_shown, sizeof(near_shown), near));
		if (!entry)
			return err_set(err, -EINVAL,
				       "there is no user \"%s\"; `getent passwd` lists all users",
				       escape_name(shown, sizeof(shown), word));
		uid = entry->pw_uid;
	}
	str_addu(expression, uid);
	return 0;
}

int target_user_operands(const char *list, struct str *operands, struct err *err)
{
	return each_word(list, "user", take_user, operands, err);
}

int target_users(const char *list, struct str *expression, struct err *err)
{
	int ret;

	str_add(expression, "uid in {");
	ret = target_user_operands(list, expression, err);
	str_addc(expression, '}');
	return ret;
}

/* -- Cgroups ------------------------------------------------------------------------------- */

/* True if the hierarchy mounted at `mount` has a cgroup that the word means. */
static bool is_in_mount(const char *mount, const char *word)
{
	struct cgroups cgroups = { .fd = open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	uint64_t id;
	bool found;

	if (cgroups.fd < 0)
		return false;
	/* Negative: several cgroups match, or the search stopped at its limits. */
	found = cgroups_find(&cgroups, word, &id, 1) != 0;
	cgroups_close(&cgroups);
	return found;
}

/* Convert a path below a mount to one inside the hierarchy; NULL: not below it. */
static const char *without_mount(const char *mount, const char *word)
{
	size_t len = strlen(mount);

	return strncmp(word, mount, len) || (word[len] && word[len] != '/') ? NULL
	       : word[len]                                                  ? word + len
									    : "/";
}

static void add_quoted(struct str *expression, const char *word)
{
	str_addc(expression, '"');
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			str_addc(expression, '\\');
		str_addc(expression, *word);
	}
	str_addc(expression, '"');
}

/* Called for each mounted hierarchy; true: stop. */
typedef bool in_mount_fn(void *ctx, const char *mount);

static bool each_mount(in_mount_fn *look, void *ctx)
{
	char line[4096], mount[CGROUP_PATH_BYTES], type[64];
	FILE *mounts = fopen("/proc/self/mounts", "re");
	bool found = false;

	while (mounts && !found && fgets(line, sizeof(line), mounts))
		if (sscanf(line, "%*s %1023s %63s", mount, type) == 2 &&
		    (!strcmp(type, "cgroup") || !strcmp(type, "cgroup2")))
			found = look(ctx, mount);
	if (mounts)
		fclose(mounts);
	return found;
}

/* A cgroup to find, and its name below the mount that has it. */
struct wanted_group {
	const char *word, *found;
	struct str *folder;
};

static bool look_for_group(void *ctx, const char *mount)
{
	struct wanted_group *wanted = ctx;
	const char *inner = without_mount(mount, wanted->word);

	if (inner && is_in_mount(mount, inner))
		wanted->found = inner;
	else if (is_in_mount(mount, wanted->word))
		wanted->found = wanted->word;
	return wanted->found;
}

static int take_cgroup(const char *word, struct str *expression, struct err *err)
{
	struct wanted_group wanted = { .word = word };
	char shown[128];

	if (!each_mount(look_for_group, &wanted))
		return err_set(err, -ENOENT,
			       "there is no cgroup \"%s\"; `systemd-cgls` or `find /sys/fs/cgroup "
			       "-type d` lists all cgroups",
			       escape_name(shown, sizeof(shown), word));
	add_quoted(expression, wanted.found);
	return 0;
}

static bool look_for_folder(void *ctx, const char *mount)
{
	struct cgroups cgroups = { .fd = open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	const struct wanted_group *wanted = ctx;
	char path[CGROUP_PATH_BYTES];
	uint64_t id;
	bool found;

	if (cgroups.fd < 0)
		return false;
	snprintf(cgroups.mount, sizeof(cgroups.mount), "%s", mount);
	found = cgroups_find(&cgroups, wanted->word, &id, 1) == 1 &&
		cgroups_path(&cgroups, id, path);
	cgroups_close(&cgroups);
	if (found)
		str_addf(wanted->folder, "%s%s", mount, path);
	return found;
}

bool target_cgroup_folder(const char *word, struct str *folder)
{
	struct wanted_group wanted = { .word = word, .folder = folder };

	return each_mount(look_for_folder, &wanted);
}

int target_cgroup_operands(const char *list, struct str *operands, struct err *err)
{
	return each_word(list, "cgroup", take_cgroup, operands, err);
}

int target_cgroups(const char *list, struct str *expression, struct err *err)
{
	int ret;

	str_add(expression, "cgroup in {");
	ret = target_cgroup_operands(list, expression, err);
	str_addc(expression, '}');
	return ret;
}
