#include "engine/decode/syscalls.h"

#include "engine/base/str.h"
#include "engine/decode/syscall_args.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TRACEFS "/sys/kernel/tracing"

static int number(const struct syscalls *syscalls, const char *name)
{
	return syscalls_number(syscalls, name, strlen(name));
}

START_TEST(numbers_are_those_of_the_headers)
{
	static const char *const paths[] = { "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
					     "/usr/include/asm/unistd_64.h" };
	struct syscalls *syscalls;
	unsigned compared = 0;
	char line[256];
	FILE *file = NULL;

	for (size_t i = 0; i < COUNT(paths) && !file; i++)
		file = fopen(paths[i], "re");
	if (!file)
		test_skip("numbers_are_those_of_the_headers: asm/unistd_64.h is not installed");
	syscalls = syscalls_load(NULL);
	while (fgets(line, sizeof(line), file)) {
		char name[128];
		unsigned nr;
		if (sscanf(line, "#define __NR_%127s %u", name, &nr) != 2)
			continue;
		ck_assert_msg(number(syscalls, name) == (int)nr, "%s is %u, not %d", name, nr,
			      number(syscalls, name));
		ck_assert_str_eq(syscalls_info(syscalls, nr)->name, name);
		compared++;
	}
	fclose(file);
	ck_assert_uint_gt(compared, 350);
	syscalls_free(syscalls);
}
END_TEST

/* Print the calls of a kernel that is newer than the table; stxtop shows them as in tracefs. */
static void list_events_without_a_call(DIR *events, const struct syscalls *plain)
{
	static const char prefix[] = "sys_enter_";
	/* Kernel functions whose names differ from those of their calls. */
	static const char *const renamed[] = { "newstat",  "newlstat",   "newfstat",
					       "newuname", "sendfile64", "umount" };
	const struct dirent *entry;

	while ((entry = readdir(events))) {
		const char *name = entry->d_name + strlen(prefix);
		bool known = strncmp(entry->d_name, prefix, strlen(prefix)) != 0;

		for (size_t i = 0; !known && i < sizeof(renamed) / sizeof(renamed[0]); i++)
			known = !strcmp(name, renamed[i]);
		if (!known && syscalls_number(plain, name, strlen(name)) < 0)
			printf("note: no description of %s, which this kernel has\n", name);
	}
}

START_TEST(every_event_of_this_kernel_belongs_to_a_call)
{
	struct syscalls *plain = syscalls_load(NULL), *syscalls;
	DIR *events = opendir(TRACEFS "/events/syscalls");
	unsigned known = 0;

	if (!events)
		test_skip("every_event_of_this_kernel_belongs_to_a_call: no tracefs");
	syscalls = syscalls_load(TRACEFS);
	for (uint32_t nr = 0; nr < syscalls_count(syscalls); nr++) {
		const struct syscall_info *info = syscalls_info(syscalls, nr);
		const struct syscall_info *built_in = syscalls_info(plain, nr);
		char path[128];

		snprintf(path, sizeof(path), TRACEFS "/events/syscalls/sys_enter_%s", info->name);
		if (access(path, F_OK))
			continue;
		known++;
		ck_assert_msg(info->known_args, "%s", info->name);
		ck_assert_msg(info->form, "%s has no form in any family", info->name);
		/* A kernel can rename arguments; the number of arguments never changes. */
		ck_assert_msg(info->arg_count == built_in->arg_count, "%s", info->name);
	}
	/* Nearly all calls have an event of their name; a few have that of their function. */
	ck_assert_uint_gt(known, 300);
	list_events_without_a_call(events, plain);
	closedir(events);
	syscalls_free(syscalls);
	syscalls_free(plain);
}
END_TEST

/* Arguments in the running kernel and in the built-in table. */
static const struct {
	const char *syscall;
	unsigned index;
	const char *name;
	enum arg_kind kind;
	unsigned bytes;
} args[] = {
	{ "read", 0, "fd", ARG_FD, 4 },
	{ "read", 1, "buf", ARG_POINTER, 8 },
	{ "read", 2, "count", ARG_SIZE, 8 },
	{ "write", 1, "buf", ARG_POINTER, 8 },
	{ "openat", 0, "dfd", ARG_DIR_FD, 4 },
	{ "openat", 1, "filename", ARG_PATH, 8 },
	{ "openat", 2, "flags", ARG_HEX, 4 },
	{ "openat", 3, "mode", ARG_MODE, 2 },
	{ "stat", 0, "filename", ARG_PATH, 8 },
	{ "fstat", 0, "fd", ARG_FD, 4 },
	{ "uname", 0, "name", ARG_POINTER, 8 },
	{ "sendfile", 0, "out_fd", ARG_FD, 4 },
	{ "mmap", 0, "addr", ARG_POINTER, 8 },
	{ "mmap", 1, "len", ARG_UNSIGNED, 8 },
	{ "mmap", 3, "flags", ARG_HEX, 8 },
	{ "mmap", 4, "fd", ARG_FD, 4 },
	{ "brk", 0, "brk", ARG_POINTER, 8 },
	{ "kill", 0, "pid", ARG_PID, 4 },
	{ "kill", 1, "sig", ARG_SIGNAL, 4 },
	{ "lseek", 1, "offset", ARG_INT, 8 },
	{ "poll", 2, "timeout_msecs", ARG_INT, 4 },
	{ "chown", 1, "user", ARG_ID, 4 },
	{ "umask", 0, "mask", ARG_MODE, 4 },
	{ "newfstatat", 3, "flag", ARG_HEX, 4 },
	{ "wait4", 2, "options", ARG_HEX, 4 },
	{ "socket", 1, "type", ARG_HEX, 4 },
	{ "socket", 2, "protocol", ARG_INT, 4 },
	{ "futex", 2, "val", ARG_UNSIGNED, 4 },
	{ "clone", 0, "clone_flags", ARG_HEX, 8 },
	{ "mount", 2, "type", ARG_POINTER, 8 },
	{ "getxattr", 1, "name", ARG_STRING, 8 },
	{ "exit_group", 0, "error_code", ARG_INT, 4 },
};

static void check_args(const struct syscalls *syscalls)
{
	for (size_t i = 0; i < COUNT(args); i++) {
		int nr = number(syscalls, args[i].syscall);
		const struct syscall_info *info = syscalls_info(syscalls, (uint32_t)nr);
		const struct syscall_arg *arg = &info->args[args[i].index];

		ck_assert_uint_gt(info->arg_count, args[i].index);
		ck_assert_msg(!strcmp(arg->name, args[i].name) && arg->kind == args[i].kind &&
				      arg->bytes == args[i].bytes,
			      "%s %u: %s %s kind %u bytes %u", args[i].syscall, args[i].index,
			      arg->type, arg->name, arg->kind, arg->bytes);
	}
}

START_TEST(arguments_of_the_built_in_table)
{
	struct syscalls *syscalls = syscalls_load(NULL);
	unsigned known = 0;

	check_args(syscalls);
	for (uint32_t nr = 0; nr < syscalls_count(syscalls); nr++)
		known += syscalls_exists(syscalls, nr) && syscalls_info(syscalls, nr)->known_args;
	ck_assert_uint_gt(known, 350);
	syscalls_free(syscalls);
	/* An empty folder has the same effect as none. */
	syscalls = syscalls_load("/proc/self/fdinfo");
	check_args(syscalls);
	syscalls_free(syscalls);
}
END_TEST

START_TEST(arguments_of_this_kernel)
{
	struct syscalls *syscalls;

	if (access(TRACEFS "/events/syscalls/sys_enter_read/format", R_OK))
		test_skip("arguments_of_this_kernel: tracefs cannot be read");
	syscalls = syscalls_load(TRACEFS);
	check_args(syscalls);
	syscalls_free(syscalls);
}
END_TEST

START_TEST(unused_syscall_numbers_have_no_name)
{
	struct syscalls *syscalls = syscalls_load(NULL);
	const struct syscall_info *unknown = syscalls_info(syscalls, 400);

	ck_assert_str_eq(unknown->name, "syscall_0x190");
	ck_assert(!unknown->known_args && !syscalls_exists(syscalls, 400));
	ck_assert_uint_eq(unknown->arg_count, SYSCALL_ARGS);
	ck_assert_str_eq(unknown->args[5].name, "arg5");
	ck_assert_str_eq(syscalls_info(syscalls, 1023)->name, "syscall_0x3ff");
	ck_assert_str_eq(syscalls_info(syscalls, 1024)->name, "syscall_other");
	ck_assert_str_eq(syscalls_info(syscalls, UINT32_MAX)->name, "syscall_other");
	ck_assert_int_eq(number(syscalls, "syscall_0x190"), -1);
	ck_assert_int_eq(number(syscalls, ""), -1);
	ck_assert_int_eq(syscalls_number(syscalls, "read\0", 5), -1);
	ck_assert_int_eq(syscalls_number(syscalls, "reading", 4), 0);
	syscalls_free(syscalls);
}
END_TEST

START_TEST(misspelt_names_have_a_nearest)
{
	static const struct {
		const char *word, *nearest;
	} cases[] = {
		{ "raed", "read" },
		{ "opne", "open" },
		{ "epoll_wiat", "epoll_wait" },
		{ "futexx", "futex" },
		{ "clock_getime", "clock_gettime" },
		{ "zzzzzzzzzzzzzz", NULL },
	};
	struct syscalls *syscalls = syscalls_load(NULL);
	struct str long_word = STR_INIT;

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *nearest = syscalls_nearest(syscalls, cases[i].word,
						       strlen(cases[i].word));
		ck_assert_msg(cases[i].nearest ? nearest && !strcmp(nearest, cases[i].nearest)
					       : !nearest,
			      "%s: %s", cases[i].word, nearest ? nearest : "none");
	}
	str_repeat(&long_word, 'a', 100000);
	ck_assert_ptr_null(syscalls_nearest(syscalls, long_word.data, long_word.len));
	str_release(&long_word);
	syscalls_free(syscalls);
}
END_TEST

START_TEST(classes_are_those_of_strace)
{
	/* Number of calls up to 450 in each class of strace 6.1, measured by tracing every call. */
	static const struct {
		const char *class, *in, *out;
		unsigned count;
	} cases[] = {
		{ "file", "openat", "read", 67 },      { "desc", "read", "open_by_handle", 123 },
		{ "network", "sendfile", "read", 21 }, { "net", "accept4", "read", 21 },
		{ "process", "execve", "read", 16 },   { "signal", "kill", "read", 17 },
		{ "memory", "mmap", "read", 26 },      { "ipc", "semop", "read", 12 },
		{ "stat", "stat", "lstat", 1 },        { "lstat", "lstat", "stat", 1 },
		{ "fstat", "newfstatat", "stat", 3 },  { "%stat", "statx", "statfs", 5 },
		{ "statfs", "statfs", "fstatfs", 1 },  { "fstatfs", "fstatfs", "statfs", 1 },
		{ "%statfs", "ustat", "stat", 3 },     { "creds", "prctl", "getpid", 19 },
		{ "clock", "time", "nanosleep", 8 },   { "pure", "getpid", "umask", 8 },
	};
	struct syscalls *syscalls = syscalls_load(NULL);
	struct kernel_filter all = { .by_syscall = true };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct kernel_filter set = { .by_syscall = true };
		int out = number(syscalls, cases[i].out), in = number(syscalls, cases[i].in);
		unsigned count = 0;

		ck_assert(syscalls_class(syscalls, cases[i].class, strlen(cases[i].class), &set));
		for (uint32_t nr = 0; nr <= 450; nr++)
			count += kernel_filter_allows(&set, nr);
		ck_assert_msg(count == cases[i].count, "%%%s has %u", cases[i].class, count);
		ck_assert_msg(kernel_filter_allows(&set, (uint32_t)in), "%s", cases[i].in);
		ck_assert_msg(out < 0 || !kernel_filter_allows(&set, (uint32_t)out), "%s",
			      cases[i].out);
	}
	ck_assert(!syscalls_class(syscalls, "nosuch", 6, &all));
	ck_assert(!syscalls_class(syscalls, "fil", 3, &all));
	for (size_t i = 0; syscall_class_name(i); i++)
		ck_assert(syscalls_class(syscalls, syscall_class_name(i),
					 strlen(syscall_class_name(i)), &all));
	syscalls_free(syscalls);
}
END_TEST

static const char openat_format[] =
	"name: sys_enter_openat\nID: 782\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:int flags;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:umode_t mode;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] __filename_val;\toffset:48;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"dfd: 0x%08lx\", ((unsigned long)(REC->dfd))\n";

START_TEST(formats_are_read)
{
	static const struct {
		const char *text;
		int count;
	} bad[] = {
		{ "", -1 },
		{ "field:int a;", -1 },
		{ "\tfield:int __syscall_nr;", 0 },
		{ "\tfield:int __syscall_nr\n", -1 },
		{ "\tfield:int __syscall_nr;\n\tfield:int;\n\tfield:;\n", 0 },
		{ "\tfield:int __syscall_nr;\n\tfield:in\033t a;\n", 0 },
		{ "\tfield:int __syscall_nr;\n\tfield:int a;", 1 },
		{ "\tfield:int __syscall_nr;\n\tfield:__data_loc int a;", 0 },
		{ "\tfield:int __syscall_nr;\nfield:int a;\nfield:int b;\nfield:int c;\n"
		  "field:int d;\nfield:int e;\nfield:int f;\nfield:int g;\n",
		  -1 },
	};
	struct syscall_arg found[SYSCALL_ARGS];
	struct str text = STR_INIT;

	ck_assert_int_eq(syscall_args_from_format(openat_format, sizeof(openat_format) - 1, found),
			 4);
	ck_assert_str_eq(found[1].name, "filename");
	ck_assert_str_eq(found[1].type, "const char *");
	for (size_t i = 0; i < COUNT(bad); i++)
		ck_assert_msg(syscall_args_from_format(bad[i].text, strlen(bad[i].text), found) ==
				      bad[i].count,
			      "%s", bad[i].text);
	/* Too long names are truncated. */
	str_add(&text, "field:int __syscall_nr;\nfield:struct ");
	str_repeat(&text, 'x', 5000);
	str_add(&text, " * ");
	str_repeat(&text, 'y', 5000);
	str_addc(&text, ';');
	ck_assert_int_eq(syscall_args_from_format(text.data, text.len, found), 1);
	ck_assert_uint_eq(strlen(found[0].name), sizeof(found[0].name) - 1);
	ck_assert_uint_eq(strlen(found[0].type), sizeof(found[0].type) - 1);
	str_release(&text);
}
END_TEST

Suite *suite_syscalls(void);
Suite *suite_syscalls(void)
{
	Suite *suite = suite_create("syscalls");
	TCase *tests = tcase_create("syscalls");

	tcase_add_test(tests, numbers_are_those_of_the_headers);
	tcase_add_test(tests, every_event_of_this_kernel_belongs_to_a_call);
	tcase_add_test(tests, arguments_of_the_built_in_table);
	tcase_add_test(tests, arguments_of_this_kernel);
	tcase_add_test(tests, unused_syscall_numbers_have_no_name);
	tcase_add_test(tests, misspelt_names_have_a_nearest);
	tcase_add_test(tests, classes_are_those_of_strace);
	tcase_add_test(tests, formats_are_read);
	suite_add_tcase(suite, tests);
	return suite;
}
