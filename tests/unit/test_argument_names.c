/* Filters accept every constant that a call line shows for a number. */
#include "engine/decode/argument_names.h"

#include "engine/decode/call_text.h"
#include "tests/unit/runner.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * Exceptions: arguments whose meaning depends on another argument, and macros that encode a part
 * of a number.
 */
static const struct {
	const char *argument, *name; /* NULL: any */
} others[] = {
	{ "arg", NULL },
	{ "val3", NULL },
	{ "arg2", NULL },
	{ "arg3", NULL },
	{ "arg4", NULL },
	{ "data", NULL },
	{ "ioprio", "IOPRIO_PRIO_VALUE" },
	{ "flags", "MFD_HUGE_SHIFT" },
	{ "flags", "MAP_HUGE_SHIFT" },
	{ "shmflg", "SHM_HUGE_SHIFT" },
	{ "cmd", "QCMD" },
	{ "cmd", "GRPQUOTA" },
	{ "cmd", "PRJQUOTA" },
	{ "cmd", "USRQUOTA" },
	{ "cmd", "_IOC_NONE" },
	{ "cmd", "_IOC_READ" },
	{ "cmd", "_IOC_WRITE" },
	{ "cmd", "_IOC" },
	{ NULL, "NULL" },
};

static bool is_other(const char *argument, const char *name)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if ((!others[i].argument || !strcmp(others[i].argument, argument)) &&
		    (!others[i].name || !strcmp(others[i].name, name)))
			return true;
	return false;
}

static bool is_known(const struct syscalls *syscalls, uint32_t nr, unsigned arg, const char *name)
{
	const char *known;
	uint64_t value;

	for (size_t i = 0; argument_constant(syscalls, nr, arg, i, &known, &value); i++)
		if (!strcmp(known, name))
			return true;
	return false;
}

/* Copy to `name` the next word in capitals at *at, outside quotes and comments. */
static bool next_name(const char **at, char name[64])
{
	const char *c = *at;

	for (;;) {
		size_t len = 0;

		if (c[0] == '/' && c[1] == '*')
			c = strstr(c, "*/") ? strstr(c, "*/") + 2 : c + strlen(c);
		while (isupper((unsigned char)c[len]) || c[len] == '_' ||
		       (len && isdigit((unsigned char)c[len])))
			len++;
		if (len > 3 && len < 64 && !islower((unsigned char)c[len])) {
			memcpy(name, c, len);
			name[len] = '\0';
			*at = c + len;
			return true;
		}
		if (!*c)
			return false;
		c += len ? len : 1;
	}
}

static unsigned check_argument(const struct syscalls *syscalls, const struct call *call,
			       unsigned arg)
{
	const char *name = argument_name(syscalls, call->nr, arg), *at;
	struct str text = STR_INIT;
	unsigned checked = 0;
	char shown[64];

	call_text_arg(&text, syscalls, call, arg, &(struct call_text_options){ .bare_cwd = true });
	for (at = text.data; name && at && next_name(&at, shown); checked++)
		ck_assert_msg(is_other(name, shown) || is_known(syscalls, call->nr, arg, shown),
			      "%s, args.%s: %s of %s", syscalls_info(syscalls, call->nr)->name,
			      name, shown, text.data);
	str_release(&text);
	return checked;
}

START_TEST(shown_names_are_known)
{
	struct syscalls *syscalls = syscalls_load(NULL);
	unsigned seed = 7, checked = 0;

	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		for (unsigned round = 0; round < 400 && syscalls_exists(syscalls, nr); round++) {
			struct call call = { .nr = (uint16_t)nr, .state = CALL_DONE };

			for (unsigned i = 0; i < SYSCALL_ARGS; i++)
				call.args[i] = round < 128
						       ? round
						       : (uint64_t)rand_r(&seed)
									 << (rand_r(&seed) % 16) &
								 (uint64_t)rand_r(&seed);
			for (unsigned i = 0; i < call_text_arg_count(syscalls, &call); i++)
				if (call_text_arg_shown(syscalls, &call, i))
					checked += check_argument(syscalls, &call, i);
		}
	}
	ck_assert_uint_gt(checked, 10000);
	syscalls_free(syscalls);
}
END_TEST

Suite *suite_argument_names(void);
Suite *suite_argument_names(void)
{
	Suite *suite = suite_create("argument_names");
	TCase *tests = tcase_create("argument_names");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, shown_names_are_known);
	suite_add_tcase(suite, tests);
	return suite;
}
