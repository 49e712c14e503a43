#include "engine/fd_reader.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/str.h"
#include "engine/fd_sockets.h"
#include "engine/late_probe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define QUESTIONS_AT_ONCE 64
#define FDS_OF_PROCESS 512 /* those of larger ones are asked for one by one */
#define SHARE 5		   /* of the time, at most one part of so many is spent reading */
#define PATH_BYTES 64

struct fd_reader {
	struct fds *fds;
	struct fd_sockets *sockets;
	struct reader *reader;
	pthread_t thread;
};

/* What was read of one process. */
struct reading {
	struct fd_answer *answers;
	size_t count, room;
	struct str texts; /* of answers, by offset until all are there */
	struct fd_socket *sockets;
	size_t socket_count, socket_room;
	uint64_t asked_ns, told_ns;
};

static void reading_release(struct reading *reading)
{
	free(reading->answers);
	free(reading->sockets);
	str_release(&reading->texts);
}

/* -- One descriptor ---------------------------------------------------------------------------- */

/* A field of /proc/PID/fdinfo/FD. */
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

/* " (deleted)" is the kernel's word, behind the path. */
static void add_deleted(struct str *text)
{
	static const char suffix[] = " (deleted)";
	size_t len = sizeof(suffix) - 1;

	if (text->len > len && *text->data == '/' &&
	    !strcmp(text->data + text->len - len, suffix))
		text->data[text->len - len] = '\0';
}

/* Other files may be on what does not answer; devices are where they belong, but who knows. */
static void add_device(struct fd_reader *reader, struct str *text, uint32_t pid, int fd)
{
	uint64_t device;
	uint32_t mode;

	if (fd < 0 || strncmp(text->data, "/dev/", 5) ||
	    !late_probe_device(reader->reader, pid, fd, &mode, &device) ||
	    (!S_ISCHR(mode) && !S_ISBLK(mode)))
		return;
	str_addc(text, '\0');
	str_addf(text, "<%s %u:%u>", S_ISCHR(mode) ? "char" : "block", major(device),
		 minor(device));
}

static void read_socket(struct fd_reader *reader, struct reading *reading,
			struct fd_answer *answer, uint32_t pid, const char *link_path,
			uint64_t inode)
{
	struct fd_socket *socket;
	ssize_t len;

	reading->sockets = mem_grow(reading->sockets, &reading->socket_room,
				    reading->socket_count + 1, sizeof(*reading->sockets));
	socket = &reading->sockets[reading->socket_count++];
	memset(socket, 0, sizeof(*socket));
	socket->inode = inode;
	len = getxattr(link_path, "system.sockprotoname", socket->protocol,
		       sizeof(socket->protocol) - 1);
	socket->protocol[len > 0 ? len : 0] = '\0';
	fd_sockets_find(reader->sockets, pid, socket);
	/* Its place moves while others come: which it is, until all are there. */
	answer->socket = NULL;
	answer->len = reading->socket_count;
}

/* False: it is not open, or nothing may be known of it. */
static bool read_fd(struct fd_reader *reader, struct reading *reading, uint32_t pid, int fd)
{
	char link_path[PATH_BYTES], target[FD_TEXT_MAX + 1], info[512];
	struct str text = STR_INIT;
	struct fd_answer *answer;
	const char *field;
	uint64_t inode;
	ssize_t len;

	if (fd == AT_FDCWD)
		snprintf(link_path, sizeof(link_path), "/proc/%u/cwd", pid);
	else
		snprintf(link_path, sizeof(link_path), "/proc/%u/fd/%d", pid, fd);
	len = readlink(link_path, target, sizeof(target) - 1);
	if (len <= 0)
		return false;
	target[len] = '\0';
	reading->answers = mem_grow(reading->answers, &reading->room, reading->count + 1,
				    sizeof(*reading->answers));
	answer = &reading->answers[reading->count++];
	*answer = (struct fd_answer){ .fd = fd };
	str_addn(&text, target, (size_t)len);
	if (fd >= 0 && read_info(pid, fd, info, sizeof(info))) {
		field = field_of(info, "flags:");
		answer->cloexec_known = field != NULL;
		answer->cloexec = field && strtoul(field, NULL, 8) & O_CLOEXEC;
		field = strstr(target, "[pidfd]") ? field_of(info, "Pid:") : NULL;
		if (field) {
			str_clear(&text);
			str_addf(&text, "pid:%d", (int)strtol(field, NULL, 10));
		}
	}
	if (sscanf(target, "socket:[%" SCNu64 "]", &inode) == 1) {
		read_socket(reader, reading, answer, pid, link_path, inode);
	} else {
		add_deleted(&text);
		add_device(reader, &text, pid, fd);
		answer->text = ""; /* some; which one is known when all are there */
		answer->len = text.len;
		str_addn(&reading->texts, text.data, text.len);
	}
	str_release(&text);
	return true;
}

static void read_all(struct fd_reader *reader, struct reading *reading, uint32_t pid)
{
	char path[PATH_BYTES];
	struct dirent *entry;
	size_t count = 0;
	DIR *dir;

	read_fd(reader, reading, pid, AT_FDCWD);
	snprintf(path, sizeof(path), "/proc/%u/fd", pid);
	dir = opendir(path);
	if (!dir)
		return;
	while (count < FDS_OF_PROCESS && (entry = readdir(dir))) {
		char *end;
		long fd = strtol(entry->d_name, &end, 10);

		if (*end || end == entry->d_name || fd < 0 || fd > INT32_MAX)
			continue;
		read_fd(reader, reading, pid, (int)fd);
		count++;
	}
	closedir(dir);
}

/* Pointers instead of places. */
static void settle_reading(struct reading *reading)
{
	size_t at = 0;

	for (size_t i = 0; i < reading->count; i++) {
		struct fd_answer *answer = &reading->answers[i];

		if (!answer->text) {
			answer->socket = &reading->sockets[answer->len - 1];
			continue;
		}
		answer->text = reading->texts.data + at;
		at += answer->len;
	}
}

/* -- The thread ----------------------------------------------------------------------- */

/* How long the reading took. */
static uint64_t answer_some(struct fd_reader *reader, const struct fd_question *questions,
			    size_t count)
{
	struct reading readings[QUESTIONS_AT_ONCE];
	uint64_t since_ns = clock_now_ns(), read_ns;

	for (size_t i = 0; i < count; i++) {
		readings[i] = (struct reading){ .texts = STR_INIT,
						.asked_ns = clock_now_ns() };
		if (questions[i].fd == FDS_ALL)
			read_all(reader, &readings[i], questions[i].pid);
		else
			read_fd(reader, &readings[i], questions[i].pid, questions[i].fd);
		readings[i].told_ns = clock_now_ns();
		settle_reading(&readings[i]);
	}
	read_ns = clock_now_ns() - since_ns;
	for (size_t i = 0; i < count; i++) {
		fds_answer(reader->fds, questions[i].pid, readings[i].answers, readings[i].count,
			   readings[i].asked_ns, readings[i].told_ns);
		reading_release(&readings[i]);
	}
	return read_ns;
}

static void *reader_main(void *arg)
{
	struct fd_question questions[QUESTIONS_AT_ONCE];
	struct fd_reader *reader = arg;
	uint64_t pause_ns;
	size_t count;

	pthread_setname_np(pthread_self(), "descriptors");
	while ((count = fds_next_questions(reader->fds, questions, QUESTIONS_AT_ONCE))) {
		uint64_t read_ns = answer_some(reader, questions, count);

		/* Few questions are answered at once; who asks without end has to wait. */
		if (count < QUESTIONS_AT_ONCE)
			continue;
		pause_ns = read_ns * (SHARE - 1);
		if (pause_ns >= NS_PER_S)
			pause_ns = NS_PER_S - 1;
		nanosleep(&(struct timespec){ .tv_nsec = (long)pause_ns }, NULL);
	}
	return NULL;
}

int fd_reader_new(struct fd_reader **reader, struct fds *fds, struct reader *asked,
		  struct err *err)
{
	struct fd_reader *made = mem_zalloc(1, sizeof(*made));
	sigset_t all, old;
	int rc;

	made->fds = fds;
	made->reader = asked;
	made->sockets = fd_sockets_new();
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&made->thread, NULL, reader_main, made);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		fd_sockets_free(made->sockets);
		free(made);
		return err_set(err, -rc, "cannot start the thread that names descriptors: %s",
			       strerror(rc));
	}
	*reader = made;
	return 0;
}

void fd_reader_free(struct fd_reader *reader)
{
	if (!reader)
		return;
	pthread_join(reader->thread, NULL);
	fd_sockets_free(reader->sockets);
	free(reader);
}
