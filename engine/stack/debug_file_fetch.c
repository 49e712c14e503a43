#include "engine/stack/debug_file_fetch.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/base/str.h"
#include "engine/helper/descriptor.h"
#include "engine/helper/sandbox.h"
#include "engine/helper/worker_wire.h"
#include "engine/stack/mapped_file.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PROGRAM "debuginfod-find"
#define FETCH_NS (180 * NS_PER_S)
#define NOBODY 65534

struct debug_file_fetch {
	struct fork_server *fork_server;
	char own_cache[64]; /* created for this run; "": none */
};

/* Message to the child. */
struct request {
	char build_id[2 * WIRE_ID_MAX + 1];
	char cache[64]; /* "": the default cache */
};

static bool is_in_path(const char *program)
{
	const char *path = getenv("PATH");
	struct str file = STR_INIT;
	bool found = false;

	for (const char *at = path ? path : "/usr/bin:/bin"; at && !found;) {
		const char *colon = strchrnul(at, ':');

		str_clear(&file);
		str_addn(&file, at, (size_t)(colon - at));
		str_addf(&file, "/%s", program);
		found = access(file.data, X_OK) == 0;
		at = *colon ? colon + 1 : NULL;
	}
	str_release(&file);
	return found;
}

int debug_file_fetch_new(struct debug_file_fetch **fetch, struct fork_server *fork_server,
			 struct err *err)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct debug_file_fetch *f;

	if (!is_in_path(PROGRAM))
		return err_set(err, -ENOENT,
			       "--debuginfod: there is no " PROGRAM " in PATH: "
			       "install it (apt-get install debuginfod)");
	if (!urls || !*urls)
		return err_set(err, -EINVAL,
			       "--debuginfod: DEBUGINFOD_URLS is not set: name the "
			       "servers in it, as in "
			       "DEBUGINFOD_URLS=https://debuginfod.debian.net");
	f = mem_zalloc(1, sizeof(*f));
	f->fork_server = fork_server;
	/* The unprivileged user has no home directory for the cache. */
	if (geteuid() == 0 && !getenv("DEBUGINFOD_CACHE_PATH")) {
		snprintf(f->own_cache, sizeof(f->own_cache), "/tmp/stxtop-debug-XXXXXX");
		if (!mkdtemp(f->own_cache) || chown(f->own_cache, NOBODY, NOBODY) < 0) {
			int code = -errno;

			rmdir(f->own_cache); /* fails harmlessly if it does not exist */
			free(f);
			return err_set(
				err, code,
				"--debuginfod: cannot create a directory for fetched files: %s",
				strerror(-code));
		}
	}
	*fetch = f;
	return 0;
}

/*
 * Let this thread access files as the user of workers (on), or as root again. Processes of that
 * user can replace files and directories of the cache at any time. If stxtop is not root: no-op.
 */
static void act_unprivileged(bool on)
{
	if (geteuid())
		return;
	/* Raw system calls affect one thread only. setfsuid(2) also changes its capabilities. */
	syscall(SYS_setfsgid, on ? NOBODY : getegid());
	syscall(SYS_setfsuid, on ? NOBODY : 0);
}

static void remove_below(const char *directory)
{
	char *const paths[] = { (char *)(uintptr_t)directory, NULL };
	/* Physical: do not follow links. */
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	FTSENT *entry;

	while (tree && (entry = fts_read(tree))) {
		if (entry->fts_info == FTS_DP)
			rmdir(entry->fts_accpath);
		else if (entry->fts_info != FTS_D)
			unlink(entry->fts_accpath);
	}
	if (tree)
		fts_close(tree);
}

void debug_file_fetch_free(struct debug_file_fetch *fetch)
{
	if (!fetch)
		return;
	if (fetch->own_cache[0]) {
		act_unprivileged(true);
		remove_below(fetch->own_cache);
		act_unprivileged(false);
	}
	free(fetch);
}

/* Main function of the child; debuginfod-find writes the path to the socket. */
static void serve(int socket_fd)
{
	static const char *const unwanted[] = { "DEBUGINFOD_PROGRESS", "DEBUGINFOD_VERBOSE" };
	struct rlimit most = { MAPPED_FILE_BYTES_MAX, MAPPED_FILE_BYTES_MAX };
	struct request request;

	if (descriptor_receive(socket_fd, &request, sizeof(request), NULL) != sizeof(request))
		return;
	for (size_t i = 0; i < sizeof(unwanted) / sizeof(unwanted[0]); i++)
		unsetenv(unwanted[i]);
	if (request.cache[0])
		setenv("DEBUGINFOD_CACHE_PATH", request.cache, 1);
	setrlimit(RLIMIT_FSIZE, &most);
	if (sandbox_drop_privileges() || dup2(socket_fd, STDOUT_FILENO) < 0)
		return;
	execlp(PROGRAM, PROGRAM, "debuginfo", request.build_id, (char *)NULL);
}

/* Read the path that the child wrote, without the newline. */
static int read_path(int socket_fd, char path[PATH_MAX])
{
	uint64_t end_ns = clock_now_ns() + FETCH_NS;
	size_t len = 0;

	for (;;) {
		struct pollfd poll_fd = { .fd = socket_fd, .events = POLLIN };
		uint64_t now = clock_now_ns();
		ssize_t got;
		int ready;

		if (now >= end_ns)
			return -ETIMEDOUT;
		ready = poll(&poll_fd, 1, (int)((end_ns - now) / NS_PER_MS) + 1);
		if (ready == 0 || (ready < 0 && errno == EINTR))
			continue;
		if (ready < 0)
			return -errno;
		got = descriptor_receive(socket_fd, path + len, PATH_MAX - 1 - len, NULL);
		if (got <= 0)
			break;
		len += (size_t)got;
	}
	while (len && path[len - 1] == '\n')
		len--;
	path[len] = '\0';
	return len && *path == '/' && !memchr(path, '\n', len) ? 0 : -ENOENT;
}

int debug_file_fetch_open(struct debug_file_fetch *fetch, const uint8_t *build_id, uint32_t bytes)
{
	struct request request;
	char path[PATH_MAX];
	uint64_t before;
	int code, socket_fd;
	pid_t pid;

	if (!bytes || bytes > WIRE_ID_MAX)
		return -EINVAL;
	memset(&request, 0, sizeof(request));
	for (uint32_t i = 0; i < bytes; i++)
		snprintf(request.build_id + 2 * i, 3, "%02x", build_id[i]);
	memcpy(request.cache, fetch->own_cache, sizeof(request.cache));
	code = fork_server_fork_as(fetch->fork_server, serve, &pid, &socket_fd);
	if (code)
		return code;
	code = descriptor_send(socket_fd, &request, sizeof(request), -1);
	if (!code)
		code = read_path(socket_fd, path);
	close(socket_fd);
	fork_server_reap(fetch->fork_server, pid);
	if (code)
		return code;
	before = privilege_lower();
	act_unprivileged(true);
	code = mapped_file_open_debug(path);
	act_unprivileged(false);
	privilege_restore(before);
	return code;
}
