#include "engine/late/futex_owner.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/helper/reader.h"
#include "engine/late/futex_layout.h"
#include "engine/process/process_memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Maximum number of threads to compare in a process of another pid namespace. */
#define THREADS_MAX 4096
#define STATUS_BYTES 4096
#define MEMO_NS NS_PER_S
/* Flag of a request: query whether a thread waits, not the owner of a lock. */
#define ASK_WAITS 1u

/* Property of a process that applies to all its locks; cached for MEMO_NS. */
struct memo {
	uint32_t pid;
	bool nested; /* it has a pid namespace of its own */
	uint64_t until_ns;
};

/* -- In the reader process ---------------------------------------------------------- */

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

/* Return a thread's tid in its own pid namespace; 0: unknown. *nested: not that of stxtop. */
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

static bool is_nested(struct memo *memo, uint32_t pid)
{
	uint64_t now_ns = clock_now_ns();
	bool nested;

	if (memo->pid == pid && now_ns < memo->until_ns)
		return memo->nested;
	if (!own_number(pid, pid, &nested))
		return false;
	*memo = (struct memo){ .pid = pid, .nested = nested, .until_ns = now_ns + MEMO_NS };
	return nested;
}

/* EPERM: the thread exists, but stxtop has no permission to signal it. */
static bool is_there(long ret)
{
	return ret == 0 || errno == EPERM;
}

/*
 * Return the live thread that the process knows as `number`, as a tid in stxtop's pid namespace; 0:
 * none.
 */
static uint32_t living(struct memo *memo, uint32_t pid, uint32_t number, bool shared)
{
	if (!number || number > INT32_MAX)
		return 0;
	if (is_nested(memo, pid))
		return from_namespace(pid, number);
	/* Signal 0 only checks for existence. */
	if (is_there(syscall(SYS_tgkill, pid, number, 0)))
		return number;
	/* The owner of a process-shared lock can be in any process. */
	return shared && is_there(syscall(SYS_tkill, number, 0)) ? number : 0;
}

/* -- Locks ------------------------------------------------------------------------- */

static size_t read_memory(uint32_t pid, uint64_t address, void *to, size_t len)
{
	long got = memory_read(pid, address, to, len);

	return got > 0 ? (size_t)got : 0;
}

static void read_bytes(uint32_t pid, uint64_t uaddr, struct futex_bytes *bytes)
{
	unsigned char all[FUTEX_LAYOUT_BEFORE + FUTEX_LAYOUT_AFTER];
	size_t count = 0;

	if (uaddr > FUTEX_LAYOUT_BEFORE)
		count = read_memory(pid, uaddr - FUTEX_LAYOUT_BEFORE, all, sizeof(all));
	bytes->has_before = count > FUTEX_LAYOUT_BEFORE;
	if (bytes->has_before) {
		bytes->after_bytes = count - FUTEX_LAYOUT_BEFORE;
		memcpy(bytes->before, all, FUTEX_LAYOUT_BEFORE);
		memcpy(bytes->after, all + FUTEX_LAYOUT_BEFORE, bytes->after_bytes);
	} else {
		/* If the futex begins a page, the bytes before it can be unreadable. */
		bytes->after_bytes = read_memory(pid, uaddr, bytes->after, FUTEX_LAYOUT_AFTER);
	}
}

static bool is_in_thread(uint32_t pid, uint64_t uaddr)
{
	const uint64_t thread = uaddr - FUTEX_LAYOUT_THREAD;
	uint64_t words[FUTEX_LAYOUT_SELF / 8 + 1];

	return uaddr > FUTEX_LAYOUT_THREAD &&
	       read_memory(pid, thread, words, sizeof(words)) == sizeof(words) &&
	       words[0] == thread && words[FUTEX_LAYOUT_SELF / 8] == thread;
}

static uint32_t find_owner(struct memo *memo, uint32_t pid, uint64_t uaddr,
			   const struct futex_op *op)
{
	bool moved = uaddr != op->uaddr;
	struct futex_bytes bytes;
	uint32_t owner;

	read_bytes(pid, uaddr, &bytes);
	owner = futex_layout_owner(&bytes, op, moved);
	if (owner)
		return living(memo, pid, owner, op->shared);
	if (!moved && futex_layout_may_join(&bytes, op) && is_in_thread(pid, uaddr))
		return living(memo, pid, op->value, false);
	return 0;
}

static bool is_waiting(uint32_t pid, uint32_t tid, uint64_t uaddr)
{
	char path[64], text[256], *end;
	unsigned long nr;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/syscall", pid, tid);
	if (!read_text(path, text, sizeof(text)))
		return false;
	nr = strtoul(text, &end, 10);
	return end != text && futex_op_is((uint32_t)nr) && strtoull(end, NULL, 16) == uaddr;
}

int futex_owner_handle(void **state, const struct reader_request *request, const void *payload,
		       const int *fds, struct reader_result *answer)
{
	struct futex_op op;
	uint32_t found;

	(void)fds;
	if (!*state)
		*state = mem_zalloc(1, sizeof(struct memo));
	if (request->flags & ASK_WAITS) {
		found = is_waiting(request->pid, request->tid, request->address);
	} else {
		if (request->payload_bytes != sizeof(op))
			return -EINVAL;
		memcpy(&op, payload, sizeof(op));
		found = find_owner(*state, request->pid, request->address, &op);
	}
	memcpy(reader_result_take(answer, sizeof(found)), &found, sizeof(found));
	return 0;
}

/* -- In stxtop ---------------------------------------------------------------------- */

static uint32_t ask(struct reader *reader, const struct reader_request *request,
		    const void *payload)
{
	struct reader_result answer;
	uint32_t found = 0;

	reader_lock(reader);
	if (!reader_ask(reader, request, payload, NULL, &answer) && answer.len == sizeof(found))
		memcpy(&found, answer.bytes, sizeof(found));
	reader_unlock(reader);
	return found;
}

uint32_t futex_owner(struct reader *reader, uint32_t pid, uint64_t uaddr, const struct futex_op *op)
{
	const struct reader_request request = { .what = READER_FUTEX_OWNER,
						.pid = pid,
						.address = uaddr,
						.payload_bytes = sizeof(*op) };

	return uaddr ? ask(reader, &request, op) : 0;
}

bool futex_owner_waits(struct reader *reader, uint32_t pid, uint32_t tid, uint64_t uaddr)
{
	const struct reader_request request = { .what = READER_FUTEX_OWNER,
						.flags = ASK_WAITS,
						.pid = pid,
						.tid = tid,
						.address = uaddr };

	return ask(reader, &request, NULL);
}
