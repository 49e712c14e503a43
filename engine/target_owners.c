#include "engine/target_owners.h"

#include "engine/base/cgroup_path.h"
#include "engine/base/escape.h"
#include "engine/base/users.h"
#include "engine/source/cgroups.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WORD_BYTES CGROUP_PATH_BYTES

/* Writes the value of one word of a list. */
typedef int take_word_fn(const char *word, struct str *expression, struct err *err);

static int each_word(const char *list, const char *noun, take_word_fn *take,
		     struct str *expression, struct err *err)
{
	char word[WORD_BYTES];
	size_t len;
	int ret;

	for (const char *at = list;; at += len + 1) {
		len = strcspn(at, ",");
		if (!len)
			return err_set(err, -EINVAL, "a %s is missing: there are two commas in a "
				       "row, or one at an end, or nothing", noun);
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
	char shown[64];
	uint32_t uid;

	if (word[strspn(word, "0123456789")] == '\0') {
		for (const char *c = word; *c && number <= UINT32_MAX; c++)
			number = number * 10 + (uint64_t)(*c - '0');
		if (number >= USERS_UNKNOWN)
			return err_set(err, -EINVAL, "\"%s\" is no number of a user",
				       escape_name(shown, sizeof(shown), word));
		str_addu(expression, number);
		return 0;
	}
	if (!users_number(word, strlen(word), &uid)) {
		/* What a name service knows; nobody else asks for users at this time. */
		entry = getpwnam(word);
		if (!entry)
			return err_set(err, -EINVAL, "there is no user \"%s\"; `getent passwd` "
				       "lists those there are",
				       escape_name(shown, sizeof(shown), word));
		uid = entry->pw_uid;
	}
	str_addu(expression, uid);
	return 0;
}

int target_users(const char *list, struct str *expression, struct err *err)
{
	int ret;

	str_add(expression, "uid in {");
	ret = each_word(list, "user", take_user, expression, err);
	str_addc(expression, '}');
	return ret;
}

/* -- Control groups --------------------------------------------------------------------- */

/* Whether the hierarchy that is mounted there has what the word means. */
static bool is_in_mount(const char *mount, const char *word)
{
	struct cgroups cgroups = { .fd = open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	uint64_t id;
	bool found;

	if (cgroups.fd < 0)
		return false;
	/* Negative: more than one, or nobody knows. */
	found = cgroups_find(&cgroups, word, &id, 1) != 0;
	cgroups_close(&cgroups);
	return found;
}

/* A path below a mount becomes one within it. */
static const char *without_mount(const char *mount, const char *word)
{
	size_t len = strlen(mount);

	return strncmp(word, mount, len) || (word[len] && word[len] != '/') ? NULL :
	       word[len] ? word + len : "/";
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

static int take_cgroup(const char *word, struct str *expression, struct err *err)
{
	char line[4096], mount[CGROUP_PATH_BYTES], type[64], shown[128];
	FILE *mounts = fopen("/proc/self/mounts", "re");
	const char *found = NULL;

	while (mounts && !found && fgets(line, sizeof(line), mounts)) {
		const char *inner;

		if (sscanf(line, "%*s %1023s %63s", mount, type) != 2 ||
		    (strcmp(type, "cgroup") && strcmp(type, "cgroup2")))
			continue;
		inner = without_mount(mount, word);
		if (inner && is_in_mount(mount, inner))
			found = inner;
		else if (is_in_mount(mount, word))
			found = word;
	}
	if (mounts)
		fclose(mounts);
	if (!found)
		return err_set(err, -ENOENT, "there is no control group \"%s\"; `systemd-cgls` or "
			       "`find /sys/fs/cgroup -type d` lists those there are",
			       escape_name(shown, sizeof(shown), word));
	add_quoted(expression, found);
	return 0;
}

int target_cgroups(const char *list, struct str *expression, struct err *err)
{
	int ret;

	str_add(expression, "cgroup in {");
	ret = each_word(list, "control group", take_cgroup, expression, err);
	str_addc(expression, '}');
	return ret;
}
