/* Check that man/stxtop.1 lists every action with its default keys, and every view. */
#include "tests/unit/runner.h"
#include "tui/config/bindings.h"

#include "engine/base/str.h"

#include <stdio.h>
#include <string.h>

#define MANUAL "man/stxtop.1"

static struct str manual;
static struct bindings *bindings;

static void setup(void)
{
	FILE *file = fopen(MANUAL, "r");
	char bytes[4096];
	struct err err;
	size_t count;

	ck_assert_ptr_nonnull(file);
	str_init(&manual);
	while ((count = fread(bytes, 1, sizeof(bytes), file)))
		str_addn(&manual, bytes, count);
	fclose(file);
	ck_assert_msg(!bindings_new(&bindings, NULL, &err), "%s", err.text);
}

static void teardown(void)
{
	bindings_free(bindings);
	str_release(&manual);
}

/* Append a key for mdoc. Escape a lone punctuation character, which mdoc treats as a delimiter. */
static void add_key(struct str *out, const char *key, size_t len)
{
	str_addc(out, ' ');
	if (len == 1 && !strchr("+/", *key) && !(*key >= '0' && *key <= '9') &&
	    !((*key | 32) >= 'a' && (*key | 32) <= 'z'))
		str_add(out, "\\&");
	for (size_t i = 0; i < len; i++)
		str_add(out, key[i] == '\\'  ? "\\e"
			     : key[i] == '-' ? "\\-"
					     : (char[]){ key[i], '\0' });
}

static void add_entry(struct str *out, enum action action, enum action_context context)
{
	struct str keys = STR_INIT;

	bindings_list(bindings, context, action, &keys);
	str_add(out, ".It Ic");
	if (!keys.len)
		str_addf(out, " :%s", action_name(action));
	for (const char *at = keys.data; *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");

		add_key(out, at, len);
		at += len;
	}
	str_addf(out, "\n%s\n", action_help(action));
	str_release(&keys);
}

START_TEST(manual_lists_the_keys_of_every_action)
{
	struct str wanted = STR_INIT;

	for (int group = 0; group < ACTION_GROUP_COUNT; group++) {
		enum action_context context = action_group_context((enum action_group)group);
		struct str part = STR_INIT;

		str_addf(&part, ".Ss %s\n.Bl -tag -width Ds -compact\n",
			 action_group_title((enum action_group)group));
		for (int i = 0; i < ACTION_COUNT; i++)
			if (action_group((enum action)i) == (enum action_group)group)
				add_entry(&part, (enum action)i, context);
		str_add(&part, ".El\n");
		/* Report the first wrong group: a message has room for one. */
		if (!wanted.len && !strstr(manual.data, part.data))
			str_add(&wanted, part.data);
		str_release(&part);
	}
	ck_assert_msg(!wanted.len, "the KEYS section of " MANUAL " lacks this group:\n%s",
		      wanted.data);
	str_release(&wanted);
}
END_TEST

START_TEST(manual_lists_all_views)
{
	static const char prefix[] = "view-";

	for (int i = 0; i < ACTION_COUNT; i++) {
		const char *name = action_name((enum action)i);
		struct str item = STR_INIT;

		if (strncmp(name, prefix, strlen(prefix)))
			continue;
		str_addf(&item, "\n.Cm %s", name + strlen(prefix));
		ck_assert_msg(strstr(manual.data, item.data), "--view lacks %s",
			      name + strlen(prefix));
		str_clear(&item);
		str_addf(&item, "\n.It Cm %s", name + strlen(prefix));
		ck_assert_msg(strstr(manual.data, item.data), "VIEWS lacks %s",
			      name + strlen(prefix));
		str_release(&item);
	}
}
END_TEST

Suite *suite_manual(void);

Suite *suite_manual(void)
{
	Suite *suite = suite_create("manual");
	TCase *tcase = tcase_create("manual");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, manual_lists_the_keys_of_every_action);
	tcase_add_test(tcase, manual_lists_all_views);
	suite_add_tcase(suite, tcase);
	return suite;
}
