#include "engine/source/event_list.h"

#include "engine/base/str.h"
#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder with the files of tracefs that event_list_expand() reads. */
struct bench {
	char root[TEMPORARY_PATH_MAX];
	struct event_list list;
	struct err err;
};

static const char *const there[] = { "sched:sched_switch", "sched:sched_process_exec",
				     "sched:sched_process_exit", "signal:signal_generate",
				     "probe_libc:malloc" };
#define THERE (sizeof(there) / sizeof(there[0]))

static void put_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void put_event(const struct bench *bench, const char *name)
{
	int system = (int)(strchr(name, ':') - name);
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/events/%.*s", bench->root, system, name);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/events/%.*s/%s", bench->root, system, name,
		 name + system + 1);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	strncat(path, "/id", sizeof(path) - strlen(path) - 1);
	put_file(path, "1\n");
}

static void bench_init(struct bench *bench)
{
	char path[PATH_MAX];
	struct str available = STR_INIT;

	memset(bench, 0, sizeof(*bench));
	temporary_folder(bench->root, "events");
	snprintf(path, sizeof(path), "%s/events", bench->root);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	for (size_t i = 0; i < THERE; i++) {
		put_event(bench, there[i]);
		str_addf(&available, "%s\n", there[i]);
	}
	/* Add invalid lines, which are skipped. */
	str_add(&available, "no colon\n../../etc:passwd\n\n");
	snprintf(path, sizeof(path), "%s/available_events", bench->root);
	put_file(path, available.data);
	str_release(&available);
}

static void bench_release(struct bench *bench)
{
	char command[128];

	event_list_release(&bench->list);
	snprintf(command, sizeof(command), "rm -r '%s'", bench->root);
	ck_assert_int_eq(system(command), 0);
}

static const char *joined(const struct bench *bench, char out[1024])
{
	out[0] = '\0';
	for (size_t i = 0; i < bench->list.count; i++)
		snprintf(out + strlen(out), 1024 - strlen(out), "%s%s", i ? " " : "",
			 bench->list.names[i]);
	return out;
}

static const struct {
	const char *text;
	const char *list; /* NULL: rejected with `code`; the message contains `says` */
	const char *says;
	int code;
} cases[] = {
	{ "", "", NULL, 0 },
	{ "sched:sched_switch", "sched:sched_switch", NULL, 0 },
	{ " signal:signal_generate ,\tsched:sched_switch",
	  "signal:signal_generate sched:sched_switch", NULL, 0 },
	{ "sched:sched_switch,sched:sched_switch", "sched:sched_switch", NULL, 0 },
	{ "sched:sched_process_*", "sched:sched_process_exec sched:sched_process_exit", NULL, 0 },
	{ "s*:*_switch", "sched:sched_switch", NULL, 0 },
	{ "sched:sched_process_ex[ei][ct],sched:*",
	  "sched:sched_process_exec sched:sched_process_exit sched:sched_switch", NULL, 0 },
	{ "probe_libc:m?lloc", "probe_libc:malloc", NULL, 0 },
	{ "*:*",
	  "probe_libc:malloc sched:sched_process_exec sched:sched_process_exit "
	  "sched:sched_switch signal:signal_generate",
	  NULL, 0 },
	{ "sched:sched_swich", NULL, "did you mean sched:sched_switch?", -ENOENT },
	{ "sched:zzzzzzzzzzzzzzzzz", NULL, "available_events lists them", -ENOENT },
	{ "probe_x:y", NULL, "perf probe creates", -ENOENT },
	{ "sched:q*", NULL, "no tracepoint of this kernel matches 'sched:q*'", -ENOENT },
	{ "sched", NULL, "'sched' is not a tracepoint; write SYSTEM:NAME", -EINVAL },
	{ "sched:", NULL, "'sched:' is not a tracepoint", -EINVAL },
	{ ":sched_switch", NULL, "':sched_switch' is not a tracepoint", -EINVAL },
	{ "..:x", NULL, "'..:x' is not a tracepoint", -EINVAL },
	{ "a/b:c", NULL, "is not a tracepoint", -EINVAL },
	{ "a:../../b", NULL, "is not a tracepoint", -EINVAL },
	{ "a:b\033", NULL, "'a:b\\33' is not a tracepoint", -EINVAL },
	{ "sched:sched_switch,", NULL, "empty tracepoint between two commas", -EINVAL },
	{ ",sched:sched_switch", NULL, "empty tracepoint between two commas", -EINVAL },
	{ " , ", NULL, "empty tracepoint between two commas", -EINVAL },
};

START_TEST(lists_expand_to_tracepoints_of_tracefs)
{
	struct bench bench;
	char out[1024];
	int ret;

	bench_init(&bench);
	ret = event_list_expand(&bench.list, cases[_i].text, bench.root, &bench.err);
	ck_assert_msg(ret == cases[_i].code, "%s: %d %s", cases[_i].text, ret, bench.err.text);
	if (cases[_i].list)
		ck_assert_str_eq(joined(&bench, out), cases[_i].list);
	else
		ck_assert_msg(strstr(bench.err.text, cases[_i].says), "%s: %s", cases[_i].text,
			      bench.err.text);
	ck_assert(!ret || !bench.list.count);
	ck_assert_int_eq(event_list_check(cases[_i].text, NULL) == -EINVAL,
			 cases[_i].code == -EINVAL);
	bench_release(&bench);
}
END_TEST

START_TEST(name_length_is_bounded)
{
	char text[400];
	struct err err;

	memset(text, 'a', sizeof(text));
	text[3] = ':';
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(event_list_check(text, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "too long"));
}
END_TEST

START_TEST(number_of_tracepoints_is_bounded)
{
	struct str available = STR_INIT;
	struct bench bench;
	char path[PATH_MAX];

	bench_init(&bench);
	for (int i = 0; i < EVENT_LIST_MAX; i++)
		str_addf(&available, "many:n%d\n", i);
	snprintf(path, sizeof(path), "%s/available_events", bench.root);
	put_file(path, available.data);
	ck_assert_int_eq(event_list_expand(&bench.list, "many:*", bench.root, &bench.err), 0);
	ck_assert_uint_eq(bench.list.count, EVENT_LIST_MAX);
	event_list_release(&bench.list);
	ck_assert_int_eq(
		event_list_expand(&bench.list, "many:*,sched:sched_switch", bench.root, &bench.err),
		-E2BIG);
	ck_assert_ptr_nonnull(strstr(bench.err.text, "256"));
	str_release(&available);
	bench_release(&bench);
}
END_TEST

START_TEST(missing_list_is_reported)
{
	struct bench bench;
	char path[PATH_MAX];

	bench_init(&bench);
	snprintf(path, sizeof(path), "%s/available_events", bench.root);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(event_list_expand(&bench.list, "a:*", bench.root, &bench.err), -ENOENT);
	ck_assert_ptr_nonnull(strstr(bench.err.text, "cannot list the tracepoints"));
	/* A complete name needs no list. */
	ck_assert_int_eq(
		event_list_expand(&bench.list, "sched:sched_switch", bench.root, &bench.err), 0);
	bench_release(&bench);
}
END_TEST

Suite *suite_event_list(void);
Suite *suite_event_list(void)
{
	Suite *suite = suite_create("event_list");
	TCase *tests = tcase_create("all");

	tcase_add_loop_test(tests, lists_expand_to_tracepoints_of_tracefs, 0,
			    sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tests, name_length_is_bounded);
	tcase_add_test(tests, number_of_tracepoints_is_bounded);
	tcase_add_test(tests, missing_list_is_reported);
	suite_add_tcase(suite, tests);
	return suite;
}
