#include "engine/fds/fd_probe.h"

#include "engine/base/mem.h"
#include "engine/base/str.h"
#include "engine/fds/fd_sockets.h"
#include "engine/helper/live_task.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PATH_BYTES 64
#define THREADS_MAX 4096 /* maximum number of threads to compare; takes a few ms */
#define PARTED_MAX 16 /* maximum number of groups of threads that share */
#define ALIGNED(bytes) (((bytes) + 7) & ~(size_t)7)
/* Includes room for a device that is appended to a text. */
#define ENTRY_BYTES_MAX (sizeof(struct fd_probe_entry) + FD_TEXT_MAX + 64)

/* State of a reader between two requests. */
struct reading {
	struct fd_sockets *sockets;
	uint32_t pid; /* the process that is listed; 0: none */
	uint32_t tid; /* the thread through which it is read */
	DIR *dir;
	size_t count;
};

/* -- One descriptor --------------------------------------------------------------------------- */

/* Read /proc/PID/fdinfo/FD up to the size of the buffer. */
static bool read_info(uint32_t pid, int fd, char *info, size_t info_bytes)
{
	char path[PATH_BYTES];
	ssize_t got;
	int info_fd;

	snprintf(path, sizeof(path), "/proc/%u/fdinfo/%d", pid, fd);
	info_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (info_fd < 0)
		return false;
	got = read(info_fd, info, info_bytes - 1);
	close(info_fd);
	info[got > 0 ? got : 0] = '\0';
	return got > 0;
}

static const char *field_of(const char *info, const char *name)
{
	const char *at = strstr(info, name);

	return at && (at == info || at[-1] == '\n') ? at + strlen(name) : NULL;
}

/* The kernel appends " (deleted)" to the path. */
static void split_deleted(struct str *text)
{
	static const char suffix[] = " (deleted)";
	size_t len = sizeof(suffix) - 1;

	if (text->len > len && *text->data == '/' && !strcmp(text->data + text->len - len, suffix))
		text->data[text->len - len] = '\0';
}

/* Only files below /dev are examined; stat(2) of other files could block. */
static void add_device(struct str *text, const char *link_path)
{
	struct stat st;

	if (strncmp(text->data, "/dev/", 5) || stat(link_path, &st) ||
	    (!S_ISCHR(st.st_mode) && !S_ISBLK(st.st_mode)))
		return;
	str_addc(text, '\0');
	str_addf(text, "<%s %u:%u>", S_ISCHR(st.st_mode) ? "char" : "block", major(st.st_rdev),
		 minor(st.st_rdev));
}

static void put(struct reader_result *reply, const struct fd_probe_entry *entry, const void *rest)
{
	unsigned char *place = reader_result_take(reply, sizeof(*entry) + ALIGNED(entry->bytes));

	if (!place)
		return;
	memcpy(place, entry, sizeof(*entry));
	memcpy(place + sizeof(*entry), rest, entry->bytes);
}

static void put_socket(struct reading *reading, struct reader_result *reply,
		       struct fd_probe_entry *entry, uint32_t pid, const char *link_path,
		       uint64_t inode)
{
	struct fd_socket socket = { .inode = inode };
	ssize_t len = getxattr(link_path, "system.sockprotoname", socket.protocol,
			       sizeof(socket.protocol) - 1);

	socket.protocol[len > 0 ? len : 0] = '\0';
	if (!reading->sockets)
		reading->sockets = fd_sockets_new();
	fd_sockets_find(reading->sockets, pid, &socket);
	entry->is_socket = true;
	entry->bytes = sizeof(socket);
	put(reply, entry, &socket);
}

static void put_text(struct reader_result *reply, struct fd_probe_entry *entry,
		     const struct str *text)
{
	entry->bytes = (uint32_t)text->len;
	put(reply, entry, text->data);
}

/* Add no entry if the descriptor is closed or unreadable. */
static void read_fd(struct reading *reading, struct reader_result *reply, uint32_t tid, int fd)
{
	char link_path[PATH_BYTES], target[FD_TEXT_MAX + 1], info[512];
	struct fd_probe_entry entry = { .fd = fd, .tid = tid };
	struct str text = STR_INIT;
	const char *field;
	uint64_t inode;
	ssize_t len;

	if (fd == AT_FDCWD)
		snprintf(link_path, sizeof(link_path), "/proc/%u/cwd", tid);
	else
		snprintf(link_path, sizeof(link_path), "/proc/%u/fd/%d", tid, fd);
	len = readlink(link_path, target, sizeof(target) - 1);
	if (len <= 0)
		return;
	target[len] = '\0';
	str_addn(&text, target, (size_t)len);
	if (fd >= 0 && read_info(tid, fd, info, sizeof(info))) {
		field = field_of(info, "flags:");
		entry.cloexec_known = field != NULL;
		entry.cloexec = field && strtoul(field, NULL, 8) & O_CLOEXEC;
		field = strstr(target, "[pidfd]") ? field_of(info, "Pid:") : NULL;
		if (field) {
			str_clear(&text);
			str_addf(&text, "pid:%d", (int)strtol(field, NULL, 10));
		}
	}
	if (sscanf(target, "socket:[%" SCNu64 "]", &inode) == 1) {
		put_socket(reading, reply, &entry, tid, link_path, inode);
	} else {
		split_deleted(&text);
		if (fd >= 0)
			add_device(&text, link_path);
		put_text(reply, &entry, &text);
	}
	str_release(&text);
}

/* -- Threads ---------------------------------------------------------------------------------- */

/* Report the threads that do not share with tid. type: KCMP_FILES or KCMP_FS, see kcmp(2). */
static void compare_threads(struct reader_result *reply, DIR *threads, uint32_t tid, int type)
{
	struct fd_probe_entry entry = { .fd = type == KCMP_FS ? AT_FDCWD : 0, .other = tid };
	uint32_t parted[PARTED_MAX];
	struct dirent *listed;
	size_t count = 0;

	rewinddir(threads);
	for (int i = 0; i < THREADS_MAX && (listed = readdir(threads)); i++) {
		entry.tid = (uint32_t)strtoul(listed->d_name, NULL, 10);
		entry.like = 0;
		/* -1: not permitted, or the thread has ended. */
		if (!entry.tid || entry.tid == tid ||
		    syscall(SYS_kcmp, tid, entry.tid, type, 0, 0) <= 0)
			continue;
		for (size_t at = 0; at < count && !entry.like; at++)
			if (!syscall(SYS_kcmp, parted[at], entry.tid, type, 0, 0))
				entry.like = parted[at];
		if (!entry.like && count < PARTED_MAX)
			parted[count++] = entry.tid;
		put(reply, &entry, "");
	}
}

static void read_threads(struct reader_result *reply, uint32_t pid, uint32_t tid)
{
	char path[PATH_BYTES];
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	threads = opendir(path);
	if (!threads)
		return;
	compare_threads(reply, threads, tid, KCMP_FILES);
	compare_threads(reply, threads, tid, KCMP_FS);
	closedir(threads);
}

/* -- All descriptors -------------------------------------------------------------------------- */

static void close_process(struct reading *reading)
{
	if (reading->dir)
		closedir(reading->dir);
	reading->dir = NULL;
	reading->pid = 0;
	reading->count = 0;
}

static int open_process(struct reading *reading, const struct reader_request *request,
			struct reader_result *reply)
{
	char path[PATH_BYTES];

	if (request->flags & FD_PROBE_ON)
		return reading->pid == request->pid ? 0 : -ESTALE;
	close_process(reading);
	reading->tid = live_task_near(request->pid, request->tid);
	read_threads(reply, request->pid, reading->tid);
	read_fd(reading, reply, reading->tid, AT_FDCWD);
	snprintf(path, sizeof(path), "/proc/%u/fd", reading->tid);
	reading->dir = opendir(path);
	if (!reading->dir)
		return reply->len ? 0 : -errno;
	reading->pid = request->pid;
	return 0;
}

static int read_all(struct reading *reading, const struct reader_request *request,
		    struct reader_result *reply)
{
	int code = open_process(reading, request, reply);

	if (code || !reading->dir)
		return code;
	while (READER_BYTES_MAX - reply->len >= ENTRY_BYTES_MAX) {
		struct dirent *entry = reading->count < FD_PROBE_MAX ? readdir(reading->dir) : NULL;
		char *end;
		long fd;

		if (!entry) {
			close_process(reading);
			return 0;
		}
		fd = strtol(entry->d_name, &end, 10);
		if (*end || end == entry->d_name || fd < 0 || fd > INT32_MAX)
			continue;
		read_fd(reading, reply, reading->tid, (int)fd);
		reading->count++;
	}
	reply->more = true;
	return 0;
}

int fd_probe_handle(void **state, const struct reader_request *request, const void *payload,
		    const int *fds, struct reader_result *reply)
{
	struct reading *reading = *state;

	(void)payload;
	(void)fds;
	if (!reading)
		*state = reading = mem_zalloc(1, sizeof(*reading));
	if (request->flags & FD_PROBE_ALL)
		return read_all(reading, request, reply);
	read_fd(reading, reply, live_task_near(request->pid, request->tid), (int)request->length);
	return 0;
}

const struct fd_probe_entry *fd_probe_next(const struct reader_result *reply, size_t *at,
					   const void **rest)
{
	const struct fd_probe_entry *entry = (const void *)(reply->bytes + *at);
	size_t left = reply->len - *at;

	if (left < sizeof(*entry) || left - sizeof(*entry) < ALIGNED(entry->bytes) ||
	    (entry->is_socket && entry->bytes != sizeof(struct fd_socket)))
		return NULL;
	*rest = entry + 1;
	*at += sizeof(*entry) + ALIGNED(entry->bytes);
	return entry;
}
