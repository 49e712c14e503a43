#include "engine/process/command.h"

#include "tests/unit/runner.h"
#include "tests/unit/skip.h"
#include "tests/unit/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int wait_status(struct command *command)
{
	struct pollfd fd = { .fd = command_fd(command), .events = POLLIN };
	int status = -1;

	ck_assert_int_eq(poll(&fd, 1, 3000), 1);
	ck_assert(command_ended(command, &status));
	return status;
}

static struct command *new_shell(const char *script, int output_fd)
{
	static char shell[] = "sh", flag[] = "-c";
	char *copy = strdup(script);
	char *argv[] = { shell, flag, copy, NULL };
	struct command_options options = { .argv = argv, .input_fd = -1, .output_fd = output_fd };
	struct command *command;
	struct err err;

	ck_assert_msg(!command_new(&command, &options, &err), "%s", err.text);
	free(copy);
	return command;
}

START_TEST(statuses_are_those_of_a_shell)
{
	static const struct {
		const char *script;
		int status;
	} cases[] = {
		{ "exit 0", 0 },
		{ "exit 7", 7 },
		{ "kill -TERM $$", 128 + SIGTERM },
		{ "kill -KILL $$", 128 + SIGKILL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct command *command = new_shell(cases[i].script, -1);
		int status;

		ck_assert_int_eq(command_fd(command), -1);
		ck_assert(!command_ended(command, &status));
		ck_assert_int_eq(command_go(command, NULL), 0);
		status = wait_status(command);
		ck_assert_msg(status == cases[i].status, "%s: %d", cases[i].script, status);
		command_signal(command, SIGTERM); /* no effect after its end */
		command_free(command);
	}
}
END_TEST

START_TEST(nothing_runs_before_go)
{
	char path[TEMPORARY_PATH_MAX], script[sizeof(path) + 8];
	struct command *command;
	struct stat st;

	close(temporary_file(path, "command"));
	unlink(path);
	snprintf(script, sizeof(script), ": > %s", path);
	command = new_shell(script, -1);
	usleep(50000);
	ck_assert_int_ne(stat(path, &st), 0);
	command_free(command); /* kills the child */
	ck_assert_int_ne(stat(path, &st), 0);

	command = new_shell(script, -1);
	ck_assert_int_eq(command_go(command, NULL), 0);
	ck_assert_int_eq(wait_status(command), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	command_free(command);
	unlink(path);
}
END_TEST

START_TEST(output_goes_where_it_is_sent)
{
	struct command *command;
	char text[32] = "";
	ssize_t got, len = 0;
	int fds[2];

	ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
	command = new_shell("echo out; echo err >&2", fds[1]);
	close(fds[1]);
	ck_assert_int_eq(command_go(command, NULL), 0);
	while ((got = read(fds[0], text + len, sizeof(text) - 1 - (size_t)len)) > 0)
		len += got;
	ck_assert_str_eq(text, "out\nerr\n");
	ck_assert_int_eq(wait_status(command), 0);
	command_free(command);
	close(fds[0]);
}
END_TEST

START_TEST(missing_program_is_reported_before_the_fork)
{
	static const struct {
		const char *name;
		int code;
		const char *says;
	} cases[] = {
		{ "no-such-program-anywhere", -ENOENT, "not found in PATH" },
		{ "/nowhere/at/all", -ENOENT, "no such file" },
		{ "/etc/passwd", -EACCES, "not an executable file" },
		{ "/tmp", -EACCES, "not an executable file" },
		{ "", -ENOENT, "cannot run" },
		{ "./\x1b[31m", -ENOENT, "\\33[31m" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *name = strdup(cases[i].name);
		char *argv[] = { name, NULL };
		struct command_options options = { .argv = argv, .input_fd = -1, .output_fd = -1 };
		struct command *command = NULL;
		struct err err = { "" };
		int ret = command_new(&command, &options, &err);

		ck_assert_msg(ret == cases[i].code, "%s: %d", cases[i].name, ret);
		ck_assert_ptr_null(command);
		ck_assert_msg(strstr(err.text, cases[i].says), "%s: %s", cases[i].name, err.text);
		free(name);
	}
}
END_TEST

/* An unsearchable folder neither ends the search nor appears in the message. */
START_TEST(unsearchable_folders_of_path_have_no_program)
{
	static char missing[] = "no-such-program-anywhere", there[] = "sh";
	char folder[TEMPORARY_PATH_MAX], path[sizeof(folder) + 32];
	char *argv[] = { missing, NULL };
	struct command_options options = { .argv = argv, .input_fd = -1, .output_fd = -1 };
	struct command *command = NULL;
	struct err err;

	temporary_folder(folder, "command");
	chmod(folder, 0);
	/* Root can search every folder. */
	if (geteuid() == 0 && seteuid(65534)) {
		rmdir(folder);
		test_skip("unsearchable_folders_of_path_have_no_program: "
			  "root cannot become another user");
	}
	snprintf(path, sizeof(path), "%s:/usr/bin:/bin", folder);
	setenv("PATH", path, 1);
	ck_assert_int_eq(command_new(&command, &options, &err), -ENOENT);
	ck_assert_msg(strstr(err.text, "not found in PATH"), "%s", err.text);
	argv[0] = there;
	ck_assert_int_eq(command_new(&command, &options, &err), 0);
	command_free(command);
	ck_assert_int_eq(seteuid(getuid()), 0);
	rmdir(folder);
}
END_TEST

START_TEST(execve_error_is_returned)
{
	char path[TEMPORARY_PATH_MAX];
	char *argv[] = { path, NULL };
	struct command_options options = { .argv = argv, .input_fd = -1, .output_fd = -1 };
	struct command *command;
	int fd = temporary_file(path, "command"), status;
	struct err err;

	ck_assert_int_eq(write(fd, "junk", 4), 4);
	fchmod(fd, 0700);
	close(fd);
	ck_assert_int_eq(command_new(&command, &options, &err), 0);
	ck_assert_int_eq(command_go(command, &err), -ENOEXEC);
	ck_assert_msg(strstr(err.text, "unknown executable format"), "%s", err.text);
	ck_assert(command_ended(command, &status));
	command_free(command);
	unlink(path);
}
END_TEST

static void on_signal(int signal)
{
	(void)signal;
}

START_TEST(the_program_gets_signals_as_from_a_shell)
{
	struct command *command;
	sigset_t blocked;

	/* The parent of the tests can ignore some signals: reset all signals. */
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, on_signal);
	signal(SIGHUP, SIG_IGN); /* as under nohup: stays ignored */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	/*
	 * The shell itself sometimes blocks signals while it forks, so awk checks the masks. It
	 * checks 28 signals, as posix_spawn leaves glibc's own signals 32 and 33 ignored.
	 */
	command = new_shell("exec awk '/^Sig(Blk|Ign)/ { masks = masks substr($2, 10) } "
			    "END { exit masks != \"00000000000001\" }' /proc/self/status",
			    -1);
	ck_assert_int_eq(command_go(command, NULL), 0);
	ck_assert_int_eq(wait_status(command), 0);
	command_free(command);
}
END_TEST

/* A process made with CLONE_PARENT is a child of stxtop, which must reap it. */
START_TEST(a_sibling_of_the_program_does_not_stay_a_zombie)
{
	char script[160], text[32] = "";
	struct command *command;
	int out[2], status;
	pid_t pid;

	snprintf(script, sizeof(script),
		 "exec perl -e '$| = 1; my $p = syscall(%d, %d, 0, 0, 0, 0);"
		 " exit 3 unless $p; print $p; sleep 9'",
		 SYS_clone, CLONE_PARENT | SIGCHLD);
	ck_assert(!pipe(out));
	command = new_shell(script, out[1]);
	close(out[1]);
	ck_assert_int_eq(command_go(command, NULL), 0);
	ck_assert_int_gt(read(out[0], text, sizeof(text) - 1), 0);
	pid = (pid_t)atoi(text);
	ck_assert_int_gt(pid, 0);
	/* The test timeout ends this loop on failure. */
	while (!kill(pid, 0)) {
		ck_assert(!command_ended(command, &status));
		poll(NULL, 0, 1);
	}
	ck_assert_int_eq(errno, ESRCH);
	command_signal(command, SIGTERM);
	ck_assert_int_eq(wait_status(command), 128 + SIGTERM);
	command_free(command);
	close(out[0]);
}
END_TEST

START_TEST(signal_reaches_the_command)
{
	struct command *command = new_shell("exec sleep 60", -1);

	ck_assert_int_eq(command_go(command, NULL), 0);
	command_signal(command, SIGTERM);
	ck_assert_int_eq(wait_status(command), 128 + SIGTERM);
	command_free(command);
}
END_TEST

Suite *suite_command(void);
Suite *suite_command(void)
{
	Suite *suite = suite_create("command");
	TCase *tc = tcase_create("command");

	tcase_add_test(tc, statuses_are_those_of_a_shell);
	tcase_add_test(tc, nothing_runs_before_go);
	tcase_add_test(tc, output_goes_where_it_is_sent);
	tcase_add_test(tc, missing_program_is_reported_before_the_fork);
	tcase_add_test(tc, unsearchable_folders_of_path_have_no_program);
	tcase_add_test(tc, execve_error_is_returned);
	tcase_add_test(tc, the_program_gets_signals_as_from_a_shell);
	tcase_add_test(tc, a_sibling_of_the_program_does_not_stay_a_zombie);
	tcase_add_test(tc, signal_reaches_the_command);
	suite_add_tcase(suite, tc);
	return suite;
}
