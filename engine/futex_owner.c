#include "engine/futex_owner.h"

#include "engine/futex_layout.h"
#include "engine/process/reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* How many threads of a process in another pid namespace are compared. */
#define THREADS_MAX 4096
#define STATUS_BYTES 4096

static bool read_text(const char *path, char *out, size_t out_bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count;

	if (fd < 0)
		return false;
	count = read(fd, out, out_bytes - 1);
	close(fd);
	if (count <= 0)
		return false;
	out[count] = '\0';
	return true;
}

/* -- Tids of other namespaces ------------------------------------------------------ */

/* A thread's number in its own pid namespace; *nested: that is not ours. */
static uint32_t own_number(uint32_t pid, uint32_t tid, bool *nested)
{
	char path[64], text[STATUS_BYTES], *at, *end;
	unsigned long number = 0;
	unsigned columns = 0;

	*nested = false;
	snprintf(path, sizeof(path), "/proc/%u/task/%u/status", pid, tid);
	if (!read_text(path, text, sizeof(text)))
		return 0;
	at = strstr(text, "\nNSpid:");
	if (!at)
		return tid;
	for (at += strlen("\nNSpid:"); *at == '\t' || *at == ' '; at = end, columns++) {
		number = strtoul(at, &end, 10);
		if (end == at)
			break;
	}
	*nested = columns > 1;
	return (uint32_t)number;
}

static uint32_t from_namespace(uint32_t pid, uint32_t number)
{
	char path[64];
	struct dirent *entry;
	uint32_t found = 0;
	int looked = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!found && looked++ < THREADS_MAX && (entry = readdir(dir))) {
		uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
		bool nested;

		if (tid && own_number(pid, tid, &nested) == number)
			found = tid;
	}
	closedir(dir);
	return found;
}

static bool is_nested(struct futex_owner_memo *memo, uint32_t pid)
{
	bool nested;

	if (memo && memo->pid == pid)
		return memo->nested;
	if (!own_number(pid, pid, &nested))
		return false;
	if (memo)
		*memo = (struct futex_owner_memo){ .pid = pid, .nested = nested };
	return nested;
}

/* Who may not be signalled is there all the same. */
static bool is_there(long ret)
{
	return ret == 0 || errno == EPERM;
}

/* The thread that the process knows by that number, if it lives; ours. */
static uint32_t living(struct futex_owner_memo *memo, uint32_t pid, uint32_t number, bool shared)
{
	if (!number || number > INT32_MAX)
		return 0;
	if (is_nested(memo, pid))
		return from_namespace(pid, number);
	/* Signal 0 only asks. */
	if (is_there(syscall(SYS_tgkill, pid, number, 0)))
		return number;
	/* A lock between processes may be held by any of them. */
	return shared && is_there(syscall(SYS_tkill, number, 0)) ? number : 0;
}

/* -- Locks ------------------------------------------------------------------------- */

static void read_bytes(struct reader *reader, uint32_t pid, uint64_t uaddr,
		       struct futex_bytes *bytes)
{
	unsigned char all[FUTEX_LAYOUT_BEFORE + FUTEX_LAYOUT_AFTER];
	size_t count = 0;

	if (uaddr > FUTEX_LAYOUT_BEFORE)
		count = reader_memory(reader, pid, uaddr - FUTEX_LAYOUT_BEFORE, all, sizeof(all));
	bytes->has_before = count > FUTEX_LAYOUT_BEFORE;
	if (bytes->has_before) {
		bytes->after_bytes = count - FUTEX_LAYOUT_BEFORE;
		memcpy(bytes->before, all, FUTEX_LAYOUT_BEFORE);
		memcpy(bytes->after, all + FUTEX_LAYOUT_BEFORE, bytes->after_bytes);
	} else {
		/* The first words of a page. */
		bytes->after_bytes = reader_memory(reader, pid, uaddr, bytes->after,
						   FUTEX_LAYOUT_AFTER);
	}
}

static bool is_in_thread(struct reader *reader, uint32_t pid, uint64_t uaddr)
{
	const uint64_t thread = uaddr - FUTEX_LAYOUT_THREAD;
	uint64_t words[FUTEX_LAYOUT_SELF / 8 + 1];

	return uaddr > FUTEX_LAYOUT_THREAD &&
	       reader_memory(reader, pid, thread, words, sizeof(words)) == sizeof(words) &&
	       words[0] == thread && words[FUTEX_LAYOUT_SELF / 8] == thread;
}

uint32_t futex_owner(struct reader *reader, struct futex_owner_memo *memo, uint32_t pid,
		     uint64_t uaddr, const struct futex_op *op)
{
	bool moved = uaddr != op->uaddr;
	struct futex_bytes bytes;
	uint32_t owner;

	if (!uaddr)
		return 0;
	read_bytes(reader, pid, uaddr, &bytes);
	owner = futex_layout_owner(&bytes, op, moved);
	if (owner)
		return living(memo, pid, owner, op->shared);
	if (!moved && futex_layout_may_join(&bytes, op) && is_in_thread(reader, pid, uaddr))
		return living(memo, pid, op->value, false);
	return 0;
}

bool futex_owner_waits(uint32_t pid, uint32_t tid, uint64_t uaddr)
{
	char path[64], text[256], *end;
	unsigned long nr;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/syscall", pid, tid);
	if (!read_text(path, text, sizeof(text)))
		return false;
	nr = strtoul(text, &end, 10);
	return end != text && futex_op_is((uint32_t)nr) && strtoull(end, NULL, 16) == uaddr;
}
