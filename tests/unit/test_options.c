#include "engine/base/mem.h"
#include "engine/decode/syscalls.h"
#include "engine/filter/filter_names.h"
#include "tests/unit/runner.h"
#include "tui/config/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 32

/* A parsed command line, given as one text without quotes. */
struct fixture {
	struct syscalls *syscalls;
	struct filter_names names;
	struct options options;
	struct str message;
	char *line;
	char *argv[WORDS_MAX + 1];
	enum options_result result;
};

/* '_' stands for a space inside a word. */
static void fixture_init(struct fixture *f, const char *line)
{
	int argc = 0;
	char *save = NULL;

	memset(f, 0, sizeof(*f));
	str_init(&f->message);
	f->syscalls = syscalls_load(NULL);
	filter_names_init(&f->names, f->syscalls);
	f->line = mem_strdup(line);
	for (char *word = strtok_r(f->line, " ", &save); word && argc < WORDS_MAX;
	     word = strtok_r(NULL, " ", &save)) {
		for (char *c = word; *c; c++)
			if (*c == '_')
				*c = ' ';
		f->argv[argc++] = word;
	}
	f->result = options_parse(&f->options, argc, f->argv, &f->names, &f->message);
}

static void fixture_release(struct fixture *f)
{
	options_release(&f->options);
	str_release(&f->message);
	syscalls_free(f->syscalls);
	free(f->line);
}

struct mode_case {
	const char *line;
	bool batch, json, lines, summary;
	enum stack_mode stacks;
};

static const struct mode_case mode_cases[] = {
	{ "stxtop", false, false, false, false, STACKS_AUTO },
	{ "stxtop ls", false, false, false, false, STACKS_AUTO },
	{ "stxtop -b", true, false, true, false, STACKS_OFF },
	{ "stxtop -b -g fp", true, false, true, false, STACKS_FP },
	{ "stxtop -s", true, false, false, true, STACKS_OFF },
	{ "stxtop -b -s", true, false, false, true, STACKS_OFF },
	{ "stxtop -S", true, false, true, true, STACKS_OFF },
	{ "stxtop -s -S", true, false, true, true, STACKS_OFF },
	{ "stxtop --json", true, true, true, true, STACKS_AUTO },
	{ "stxtop --json -g off", true, true, true, true, STACKS_OFF },
	{ "stxtop --json -s", true, true, false, true, STACKS_OFF },
	{ "stxtop --csv", true, false, true, false, STACKS_OFF },
	{ "stxtop -s --csv", true, false, false, true, STACKS_OFF },
	{ "stxtop -w out", true, false, true, false, STACKS_OFF },
	{ "stxtop -n 5", true, false, true, false, STACKS_OFF },
	{ "stxtop -b -i file", true, false, true, false, STACKS_OFF },
	{ "stxtop --summary-by thread", true, false, false, true, STACKS_OFF },
	{ "stxtop -S --summary-sort p99", true, false, true, true, STACKS_OFF },
	{ "stxtop --json --summary-by total", true, true, true, true, STACKS_AUTO },
	{ "stxtop --summary-columns calls,blocked", true, false, false, true, STACKS_AUTO },
	{ "stxtop -i a --against b -s", true, false, false, true, STACKS_OFF },
	{ "stxtop --for 0.5", true, false, true, false, STACKS_OFF },
	{ "stxtop -s -o file", true, false, false, true, STACKS_AUTO },
	{ "stxtop -o file --for 1", true, false, false, false, STACKS_AUTO },
	{ "stxtop -b -o file --for 1", true, false, true, false, STACKS_AUTO },
};

START_TEST(options_select_the_mode)
{
	const struct mode_case *c = &mode_cases[_i];
	struct fixture f;

	fixture_init(&f, c->line);
	ck_assert_msg(f.result == OPTIONS_RUN, "%s: %s", c->line, f.message.data);
	ck_assert_msg(f.options.batch == c->batch, "%s: batch", c->line);
	ck_assert_msg(f.options.json == c->json, "%s: json", c->line);
	ck_assert_msg(f.options.lines == c->lines, "%s: lines", c->line);
	ck_assert_msg(f.options.summary == c->summary, "%s: summary", c->line);
	ck_assert_msg(f.options.engine.stacks == c->stacks, "%s: stacks", c->line);
	ck_assert_msg(f.options.engine.interactive == !c->batch, "%s: interactive", c->line);
	ck_assert_msg(f.options.engine.lossless_reader == c->lines, "%s: lossless", c->line);
	fixture_release(&f);
}
END_TEST

START_TEST(without_a_terminal_a_recording_needs_no_interface)
{
	struct fixture f;

	ck_assert(freopen("/dev/null", "re", stdin) != NULL);
	fixture_init(&f, "stxtop -o file ls");
	ck_assert_int_eq(f.result, OPTIONS_RUN);
	ck_assert(f.options.batch && !f.options.lines && !f.options.summary);
	fixture_release(&f);
	fixture_init(&f, "stxtop ls");
	ck_assert(!f.options.batch);
	fixture_release(&f);
}
END_TEST

START_TEST(dwarf_takes_a_stack_size)
{
	struct fixture f;

	fixture_init(&f, "stxtop -g dwarf");
	ck_assert_int_eq(f.options.engine.stacks, STACKS_DWARF);
	ck_assert_uint_eq(f.options.engine.dwarf_bytes, 0);
	fixture_release(&f);
	fixture_init(&f, "stxtop -g dwarf,65528");
	ck_assert_int_eq(f.options.engine.stacks, STACKS_DWARF);
	ck_assert_uint_eq(f.options.engine.dwarf_bytes, 65528);
	fixture_release(&f);
}
END_TEST

/* The test names only the user root, which exists on every system. */
START_TEST(owners_become_a_filter)
{
	struct fixture f;

	fixture_init(&f, "stxtop -u root,7 -Z");
	ck_assert_int_eq(f.result, OPTIONS_RUN);
	ck_assert_str_eq(filter_text(f.options.engine.filter), "uid in {0, 7} && failed");
	fixture_release(&f);
}
END_TEST

START_TEST(values_are_parsed)
{
	struct fixture f;

	fixture_init(&f, "stxtop -b -p 3,4 -t 7 -C 0-1 -m 8M --history 128M -n 12 --for 50ms "
			 "-w file --arg-names");
	ck_assert_int_eq(f.result, OPTIONS_RUN);
	ck_assert_uint_eq(f.options.engine.target.pid_count, 2);
	ck_assert_uint_eq(f.options.engine.target.pids[1], 4);
	ck_assert_uint_eq(f.options.engine.target.tid_count, 1);
	ck_assert_uint_eq(f.options.engine.target.tids[0], 7);
	ck_assert_uint_eq(f.options.engine.target.cpu_count, 2);
	ck_assert_uint_eq(f.options.engine.ring_bytes, 8u << 20);
	ck_assert_uint_eq(f.options.engine.history_bytes, 128u << 20);
	ck_assert_uint_eq(f.options.engine.max_calls, 12);
	ck_assert_uint_eq(f.options.for_ns, 50000000);
	ck_assert_str_eq(f.options.write_path, "file");
	ck_assert(f.options.arg_names);
	ck_assert_ptr_null(f.options.engine.filter);
	ck_assert_ptr_null(f.options.command);
	fixture_release(&f);
}
END_TEST

START_TEST(seconds_are_the_unit_of_for)
{
	struct fixture f;

	fixture_init(&f, "stxtop --for 0.5");
	ck_assert_uint_eq(f.options.for_ns, 500000000);
	fixture_release(&f);
}
END_TEST

START_TEST(options_of_the_command_are_its_own)
{
	struct fixture f;

	fixture_init(&f, "stxtop -b ls -l --json");
	ck_assert_int_eq(f.result, OPTIONS_RUN);
	ck_assert(!f.options.json);
	ck_assert_str_eq(f.options.command[0], "ls");
	ck_assert_str_eq(f.options.command[2], "--json");
	ck_assert_ptr_null(f.options.command[3]);
	fixture_release(&f);

	fixture_init(&f, "stxtop -b -- -odd -s");
	ck_assert_int_eq(f.result, OPTIONS_RUN);
	ck_assert(!f.options.summary);
	ck_assert_str_eq(f.options.command[0], "-odd");
	fixture_release(&f);
}
END_TEST

struct filter_case {
	const char *line;
	uint32_t nr;
	int64_t dur_ns, ret;
	bool matches;
};

/* `nr` is unused: the number of read() differs by machine, so the test looks it up. */
static const struct filter_case filter_cases[] = {
	{ "stxtop -b -e read,write", 0, 1, 0, true },
	{ "stxtop -b -e !read", 0, 1, 0, false },
	{ "stxtop -b -e trace=read", 0, 1, 0, true },
	{ "stxtop -b -e t=!read,write", 0, 1, 0, false },
	{ "stxtop -b -e write", 0, 1, 0, false },
	{ "stxtop -b -d 1", 0, 999999, 0, false },
	{ "stxtop -b -d 1", 0, 1000000, 0, true },
	{ "stxtop -b -d 0.5", 0, 500000, 0, true },
	{ "stxtop -b -Z", 0, 1, 0, false },
	{ "stxtop -b -Z", 0, 1, -2, true },
	{ "stxtop -b -Z -d 1", 0, 1, -2, false },
	{ "stxtop -b -Z -d 1 -e read", 0, 2000000, -2, true },
	{ "stxtop -b -F dur_>_1ms", 0, 2000000, 0, true },
	{ "stxtop -b -F dur_>_1ms -Z", 0, 2000000, 0, false },
};

static const char *no_comm(void *ctx, const struct call *call)
{
	(void)ctx;
	(void)call;
	return "";
}

START_TEST(filter_options_become_a_filter)
{
	const struct filter_case *c = &filter_cases[_i];
	const struct filter_reader reader = { .comm = no_comm };
	struct call call = { .state = CALL_DONE, .dur_ns = c->dur_ns, .ret = c->ret };
	struct fixture f;

	fixture_init(&f, c->line);
	ck_assert_msg(f.result == OPTIONS_RUN, "%s: %s", c->line, f.message.data);
	call.nr = (uint16_t)syscalls_number(f.syscalls, "read", 4);
	ck_assert_msg(filter_match(f.options.engine.filter, &call, &reader) == c->matches, "%s: %s",
		      c->line, filter_text(f.options.engine.filter));
	fixture_release(&f);
}
END_TEST

START_TEST(paths_are_alternatives)
{
	struct fixture f;

	fixture_init(&f, "stxtop -s -P /nowhere/a -P /nowhere/b -Z");
	ck_assert_msg(f.result == OPTIONS_RUN, "%s", f.message.data);
	ck_assert_str_eq(filter_text(f.options.engine.filter),
			 "failed && path in {\"/nowhere/a\", \"/nowhere/b\"}");
	/* The filter needs paths although the summary does not show them. */
	ck_assert(f.options.engine.capture);
	ck_assert(f.options.engine.descriptors);
	fixture_release(&f);
}
END_TEST

START_TEST(descriptors_are_named_where_they_are_shown)
{
	static const struct {
		const char *line;
		bool named;
	} cases[] = {
		{ "stxtop", true },     { "stxtop -b", false },    { "stxtop -b -y", true },
		{ "stxtop -s", false }, { "stxtop -s -y", false }, { "stxtop -s -F fd==3", true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;

		fixture_init(&f, cases[i].line);
		ck_assert_msg(f.options.engine.descriptors == cases[i].named, "%s", cases[i].line);
		fixture_release(&f);
	}
}
END_TEST

struct usage_case {
	const char *line;
	const char *part; /* expected in the message */
};

static const struct usage_case usage_cases[] = {
	{ "stxtop --nonsense", "unknown option '--nonsense'" },
	{ "stxtop -Y", "unknown option '-Y'" },
	{ "stxtop --json=3", "--json takes no value" },
	{ "stxtop -p", "-p needs a value: PID,..." },
	{ "stxtop --for", "--for needs a value: SECS" },
	{ "stxtop -p x", "-p: " },
	{ "stxtop -t 5,", "-t: " },
	{ "stxtop -C 5-", "-C: " },
	{ "stxtop --read-only --catch stop:futex", "with --read-only no process is stopped" },
	{ "stxtop -b --catch stop:futex --read-only", "with --read-only no process is stopped" },
	{ "stxtop -e opne", "open" },
	{ "stxtop --trace-path=", "-P: the path is empty" },
	{ "stxtop -e open -e close", "-e open,close" },
	{ "stxtop -e %nosuch", "-e: " },
	{ "stxtop -F pid_==", "^" },
	{ "stxtop -F pid_==_bash", "           ^" },
	{ "stxtop -d fast", "-d: " },
	{ "stxtop -g sideways", "not one of auto, fp, dwarf, off" },
	{ "stxtop -g dwarfish", "not one of auto, fp, dwarf, off" },
	{ "stxtop -g dwarf,", "-g dwarf: " },
	{ "stxtop -g dwarf,100", "-g dwarf: 100 is not a multiple of 8" },
	{ "stxtop -g dwarf,65536", "-g dwarf: " },
	{ "stxtop -m 1", "-m: 1 is not between" },
	{ "stxtop --history 1K", "--history: 1K is not between" },
	{ "stxtop --source ebpf", "not one of auto, bpf, perf" },
	{ "stxtop -n 0", "-n: " },
	{ "stxtop -n many", "-n: " },
	{ "stxtop --for 0", "--for: 0" },
	{ "stxtop --for 3lightyears", "--for: " },
	{ "stxtop -p 1 ls", "COMMAND and -p" },
	{ "stxtop --against b -s", "name the first with -i" },
	{ "stxtop -i a --against b -S", "a report of its own" },
	{ "stxtop -b --command-output x ls", "--command-output: only" },
	{ "stxtop -G /no/such/group", "-G: there is no cgroup \"/no/such/group\"" },
	{ "stxtop -G ,/", "-G: a cgroup is missing" },
	{ "stxtop -u no-such-user", "-u: there is no user \"no-such-user\"" },
	{ "stxtop -u root,", "-u: a user is missing" },
	{ "stxtop -u 4294967295", "-u: \"4294967295\" is not a uid" },
	{ "stxtop -u 0 -i file", "-i: -u and -G select live threads" },
	{ "stxtop -E switch", "-E: 'switch' is not a tracepoint; write SYSTEM:NAME, as in "
			      "sched:sched_process_exec, or sched:* for a whole system" },
	{ "stxtop -E sched:switch,", "-E: empty tracepoint between two commas; write "
				     "SYSTEM:NAME,... as in sched:sched_process_exec" },
	{ "stxtop -E ../x:y", "-E: '../x:y' is not a tracepoint; write SYSTEM:NAME, as in "
			      "sched:sched_process_exec, or sched:* for a whole system" },
	{ "stxtop -E a:b:c", "-E: 'a:b:c' is not a tracepoint; write SYSTEM:NAME, as in "
			     "sched:sched_process_exec, or sched:* for a whole system" },
	{ "stxtop -i f -E sched:switch", "-i: a recording has only the tracepoints "
					 "recorded in it; drop -E" },
	{ "stxtop --no-syscalls -E sched:switch -Z", "--no-syscalls: drop -e, -P, -d "
						     "and -Z, which select system calls" },
	{ "stxtop --no-syscalls -E sched:switch --folded f", "--folded: no blocked time without "
							     "system calls" },
	{ "stxtop --record= -b", "-o: expected a file name" },
	{ "stxtop -i file -p 1", "-i: a recording has no target" },
	{ "stxtop -i file ls", "-i: a recording has no target" },
	{ "stxtop --demo -i x", "--demo is a recording" },
	{ "stxtop --demo ls", "--demo is a recording" },
	{ "stxtop --csv -S", "--csv with -S: CSV output is one table" },
	{ "stxtop --csv --json", "--csv and --json: choose one" },
	{ "stxtop --chrome-trace=", "--chrome-trace: expected a file name" },
	{ "stxtop --folded x -g off", "--folded: no stacks to write" },
	{ "stxtop -F stack~x -g off", "stack and waker_stack are unknown with -g off" },
	{ "stxtop --view nonsense",
	  "--view: 'nonsense' is not one of overview, processes, syscalls" },
	{ "stxtop --no-syscalls", "--no-syscalls: nothing is left to watch; name tracepoints "
				  "with -E" },
};

START_TEST(wrong_command_lines_are_rejected)
{
	const struct usage_case *c = &usage_cases[_i];
	struct fixture f;

	fixture_init(&f, c->line);
	ck_assert_msg(f.result == OPTIONS_USAGE, "%s: accepted", c->line);
	ck_assert_msg(strstr(f.message.data, c->part) != NULL, "%s: '%s' lacks '%s'", c->line,
		      f.message.data, c->part);
	ck_assert_msg(f.message.len && f.message.data[f.message.len - 1] == '\n',
		      "%s: '%s' does not end with a newline", c->line, f.message.data);
	fixture_release(&f);
}
END_TEST

START_TEST(no_color_comes_from_the_environment)
{
	struct fixture f;

	setenv("NO_COLOR", "1", 1);
	fixture_init(&f, "stxtop");
	ck_assert(f.options.no_color);
	fixture_release(&f);
	setenv("NO_COLOR", "", 1);
	fixture_init(&f, "stxtop");
	ck_assert(!f.options.no_color);
	fixture_release(&f);
}
END_TEST

START_TEST(options_have_unique_names)
{
	for (size_t i = 0; i < options_table_count; i++) {
		ck_assert_ptr_nonnull(options_table[i].name);
		ck_assert(options_table[i].help[0] != '\0');
		for (size_t j = 0; j < i; j++) {
			ck_assert_int_ne(options_table[i].key, options_table[j].key);
			ck_assert_str_ne(options_table[i].name, options_table[j].name);
		}
	}
}
END_TEST

START_TEST(help_lists_every_option)
{
	struct str help = STR_INIT;

	options_help(&help);
	for (size_t i = 0; i < options_table_count; i++) {
		char name[64];

		snprintf(name, sizeof(name), "--%s", options_table[i].name);
		ck_assert_msg(strstr(help.data, name) != NULL, "%s", name);
	}
	str_release(&help);
}
END_TEST

/* The tests run in the root of the source tree. */
START_TEST(manual_has_every_option)
{
	static char text[128 << 10];
	FILE *file = fopen("man/stxtop.1", "re");
	size_t got;

	ck_assert_msg(file != NULL, "man/stxtop.1 cannot be read");
	got = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[got] = '\0';
	for (size_t i = 0; i < options_table_count; i++) {
		const struct option_def *def = &options_table[i];
		char item[96];

		if (def->key < 256)
			snprintf(item, sizeof(item), ".It Fl %c , Fl -%s", def->key, def->name);
		else
			snprintf(item, sizeof(item), ".It Fl -%s", def->name);
		ck_assert_msg(strstr(text, item) != NULL, "%s", item);
	}
}
END_TEST

#define COUNT(cases) ((int)(sizeof(cases) / sizeof((cases)[0])))

Suite *suite_options(void);
Suite *suite_options(void)
{
	Suite *suite = suite_create("options");
	TCase *tc = tcase_create("options");

	tcase_add_loop_test(tc, options_select_the_mode, 0, COUNT(mode_cases));
	tcase_add_test(tc, without_a_terminal_a_recording_needs_no_interface);
	tcase_add_test(tc, dwarf_takes_a_stack_size);
	tcase_add_test(tc, owners_become_a_filter);
	tcase_add_test(tc, values_are_parsed);
	tcase_add_test(tc, seconds_are_the_unit_of_for);
	tcase_add_test(tc, options_of_the_command_are_its_own);
	tcase_add_loop_test(tc, filter_options_become_a_filter, 0, COUNT(filter_cases));
	tcase_add_test(tc, paths_are_alternatives);
	tcase_add_test(tc, descriptors_are_named_where_they_are_shown);
	tcase_add_loop_test(tc, wrong_command_lines_are_rejected, 0, COUNT(usage_cases));
	tcase_add_test(tc, no_color_comes_from_the_environment);
	tcase_add_test(tc, options_have_unique_names);
	tcase_add_test(tc, help_lists_every_option);
	tcase_add_test(tc, manual_has_every_option);
	suite_add_tcase(suite, tc);
	return suite;
}
