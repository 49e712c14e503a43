#include "engine/process/command.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN_MAX 16

struct command {
	char *name; /* argv[0] */
	pid_t pid;
	int go_fd; /* a byte written here lets the child exec; closing it ends the child */
	int exec_fd; /* yields the child's errno if execve fails; a successful execve closes it */
	int pidfd;
	int code; /* errno of a failure in the child's set-up */
	bool went;
	bool ended;
	int status; /* exit status as in a shell, valid if `ended` */
	pid_t before[CHILDREN_MAX]; /* children of stxtop when the command begins */
	size_t before_count;
};

/* Return 0, or -errno if the file cannot be executed. */
static int runnable(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || access(path, X_OK))
		return -EACCES;
	return 0;
}

/*
 * Find the program that execvp(3) would run, so that a wrong name is detected before the fork. The
 * caller frees *path.
 */
static int find_program(const char *name, char **path)
{
	const char *dirs = getenv("PATH");
	struct str candidate = STR_INIT;
	struct stat st;
	int ret = -ENOENT, found;

	if (!*name)
		return -ENOENT;
	if (strchr(name, '/')) {
		ret = runnable(name);
		if (!ret)
			*path = mem_strdup(name);
		return ret;
	}
	if (!dirs)
		dirs = "/usr/local/bin:/usr/bin:/bin";
	for (;;) {
		size_t len = strcspn(dirs, ":");

		str_clear(&candidate);
		str_addn(&candidate, dirs, len);
		str_add(&candidate, len ? "/" : "./");
		str_add(&candidate, name);
		found = runnable(candidate.data);
		if (!found) {
			*path = str_steal(&candidate);
			return 0;
		}
		/*
		 * As execvp: remember a file without execute permission, and continue the search.
		 * As a shell: skip a directory without search permission.
		 */
		if (found == -EACCES && !stat(candidate.data, &st))
			ret = -EACCES;
		dirs += len;
		if (!*dirs++)
			break;
	}
	str_release(&candidate);
	return ret;
}

static int program_error(const char *name, int code, struct err *err)
{
	char shown[256];

	escape_name(shown, sizeof(shown), name);
	switch (code) {
	case -ENOENT:
		return err_set(err, code,
			       strchr(name, '/')
				       ? "cannot run %s: there is no such file"
				       : "cannot run %s: not found in PATH; give its full path",
			       shown);
	case -EACCES:
		return err_set(err, code,
			       "cannot run %s: it is not an executable file, or execute permission "
			       "is missing (see chmod +x)",
			       shown);
	case -ENOEXEC:
		return err_set(err, code,
			       "cannot run %s: unknown executable format; the first line of a "
			       "script must be #!INTERPRETER",
			       shown);
	default:
		return err_set(err, code, "cannot run %s: %s", shown, strerror(-code));
	}
}

/*
 * Restore the signal state that a program expects: no signal blocked, no handlers of ours, and the
 * default action for SIGPIPE and SIGXFSZ. A signal that the caller ignores (nohup) remains ignored.
 */
static void reset_signals(void)
{
	struct sigaction action;
	sigset_t none;

	for (int signal = 1; signal < NSIG; signal++) {
		if (sigaction(signal, NULL, &action) ||
		    (action.sa_handler == SIG_IGN && signal != SIGPIPE && signal != SIGXFSZ))
			continue;
		memset(&action, 0, sizeof(action));
		action.sa_handler = SIG_DFL;
		sigaction(signal, &action, NULL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void __attribute__((noreturn))
run_child(const struct command_options *options, const char *path, int go_fd, int exec_fd)
{
	char byte;
	ssize_t got;
	int code;

	if (options->input_fd >= 0 && dup2(options->input_fd, STDIN_FILENO) < 0)
		goto failed;
	if (options->output_fd >= 0 && (dup2(options->output_fd, STDOUT_FILENO) < 0 ||
					dup2(options->output_fd, STDERR_FILENO) < 0))
		goto failed;
	/* The program inherits the descriptors as they are now. Report the set-up as done. */
	code = 0;
	if (write(exec_fd, &code, sizeof(code)) != sizeof(code))
		_exit(126);
	do {
		got = read(go_fd, &byte, 1);
	} while (got < 0 && errno == EINTR);
	if (got != 1)
		_exit(0); /* the parent gave up before the execve */
	/* Reset only now: a SIGINT during the wait is handled by the parent. */
	reset_signals();
	execv(path, options->argv);
failed:
	code = errno;
	if (write(exec_fd, &code, sizeof(code)) != sizeof(code))
		_exit(126);
	_exit(127);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Add the children of this thread: workers, guards and possibly the command. */
static void note_children(struct command *command)
{
	FILE *file = fopen("/proc/thread-self/children", "re");
	int pid;

	if (!file)
		return;
	while (command->before_count < CHILDREN_MAX && fscanf(file, "%d", &pid) == 1)
		command->before[command->before_count++] = pid;
	fclose(file);
}

int command_new(struct command **out, const struct command_options *options, struct err *err)
{
	int go[2] = { -1, -1 }, failure[2] = { -1, -1 };
	struct command *command;
	sigset_t all, before;
	char *path = NULL;
	ssize_t got;
	int ret;

	ret = find_program(options->argv[0], &path);
	if (ret)
		return program_error(options->argv[0], ret, err);
	command = mem_zalloc(1, sizeof(*command));
	command->name = mem_strdup(options->argv[0]);
	command->go_fd = command->exec_fd = command->pidfd = -1;
	if (pipe2(go, O_CLOEXEC) || pipe2(failure, O_CLOEXEC)) {
		ret = err_set(err, -errno, "cannot make a pipe to start %s: %s", options->argv[0],
			      strerror(errno));
		goto out;
	}
	note_children(command);
	/* The parent's handlers must not run in the child between fork() and reset_signals(). */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	command->pid = fork();
	if (command->pid == 0) {
		close(go[1]);
		close(failure[0]);
		run_child(options, path, go[0], failure[1]);
	}
	ret = command->pid < 0 ? -errno : 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret) {
		err_set(err, ret, "cannot fork to start %s: %s", options->argv[0], strerror(-ret));
		goto out;
	}
	close_fd(&failure[1]);
	do {
		got = read(failure[0], &command->code, sizeof(command->code));
	} while (got < 0 && errno == EINTR);
	command->go_fd = go[1];
	command->exec_fd = failure[0];
	go[1] = failure[0] = -1;
	*out = command;
	command = NULL;
out:
	close_fd(&go[0]);
	close_fd(&go[1]);
	close_fd(&failure[0]);
	close_fd(&failure[1]);
	free(path);
	if (command)
		free(command->name);
	free(command);
	return ret;
}

pid_t command_pid(const struct command *command)
{
	return command->pid;
}

static int shell_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Read the child's status; blocks unless `flags` contains WNOHANG. */
static void reap(struct command *command, int flags)
{
	pid_t got;
	int status;

	if (command->ended)
		return;
	do {
		got = waitpid(command->pid, &status, flags);
	} while (got < 0 && errno == EINTR);
	if (got == command->pid) {
		command->ended = true;
		command->status = shell_status(status);
	} else if (got < 0) {
		/* The status is gone (SIGCHLD ignored): only the exit itself is known. */
		command->ended = true;
		command->status = 1;
	}
}

static bool was_before(const struct command *command, pid_t pid)
{
	for (size_t i = 0; i < command->before_count; i++)
		if (command->before[i] == pid)
			return true;
	return false;
}

/*
 * Processes that the command creates with CLONE_PARENT are children of this thread, and no other
 * code waits for them. waitid() reports one exited child at a time. An exited child of another
 * module hides later exits until that module has reaped it.
 */
static void reap_siblings(const struct command *command)
{
	siginfo_t info = { .si_pid = 0 };

	while (!waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WNOTHREAD | __WALL) &&
	       info.si_pid && info.si_pid != command->pid && !was_before(command, info.si_pid)) {
		waitpid(info.si_pid, NULL, WNOHANG | __WALL);
		info.si_pid = 0;
	}
}

int command_go(struct command *command, struct err *err)
{
	ssize_t done;
	int code;

	command->pidfd = (int)syscall(SYS_pidfd_open, command->pid, 0);
	if (command->pidfd < 0)
		return err_set(err, -errno, "cannot watch the command (pidfd_open): %s",
			       strerror(errno));
	/* Guards may have been forked since. The command waits: it has no siblings yet. */
	note_children(command);
	command->went = true;
	do {
		done = write(command->go_fd, "", 1);
	} while (done < 0 && errno == EINTR);
	close_fd(&command->go_fd);
	/* read() returns 0 when execve closes the other end, or when the child dies. */
	do {
		done = read(command->exec_fd, &code, sizeof(code));
	} while (done < 0 && errno == EINTR);
	close_fd(&command->exec_fd);
	if (command->code)
		code = command->code;
	else if (done != sizeof(code))
		return 0;
	reap(command, 0);
	return program_error(command->name, -code, err);
}

int command_fd(const struct command *command)
{
	return command->went ? command->pidfd : -1;
}

bool command_ended(struct command *command, int *status)
{
	if (command->went)
		reap_siblings(command);
	reap(command, WNOHANG);
	if (command->ended)
		*status = command->status;
	return command->ended;
}

void command_signal(struct command *command, int signal)
{
	reap(command, WNOHANG);
	if (!command->ended)
		kill(command->pid, signal);
}

void command_free(struct command *command)
{
	if (!command)
		return;
	close_fd(&command->go_fd);
	close_fd(&command->exec_fd);
	if (!command->went)
		reap(command, 0); /* the closed pipe makes the child exit */
	close_fd(&command->pidfd);
	free(command->name);
	free(command);
}
