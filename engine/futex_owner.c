#include "engine/futex_owner.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* pthread_mutex_t as far as it is of use; the futex is its first word. */
struct mutex {
	uint32_t lock;
	uint32_t count;
	uint32_t owner;
	uint32_t users;
	uint32_t kind;
};

#define LOCK_CONTENDED 2
/* Bits of __kind that mean something: more is no pthread_mutex_t. */
#define KIND_MASK 0x3ffu
/* How many threads of a process in another pid namespace are compared. */
#define THREADS_MAX 4096
#define STATUS_BYTES 4096

static size_t read_memory(uint32_t pid, uint64_t address, void *out, size_t bytes)
{
	struct iovec local = { .iov_base = out, .iov_len = bytes };
	struct iovec remote = { .iov_base = (void *)(uintptr_t)address, .iov_len = bytes };
	ssize_t count = process_vm_readv((pid_t)pid, &local, 1, &remote, 1, 0);

	return count < 0 ? 0 : (size_t)count;
}

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

/* The thread that the process knows by that number, if it lives; ours. */
static uint32_t living(uint32_t pid, uint32_t number, bool shared)
{
	char path[64];
	bool nested;

	if (!number || !own_number(pid, pid, &nested))
		return 0;
	if (nested)
		return from_namespace(pid, number);
	snprintf(path, sizeof(path), "/proc/%u/task/%u", pid, number);
	if (access(path, F_OK) == 0)
		return number;
	/* A lock between processes may be held by any of them. */
	snprintf(path, sizeof(path), "/proc/%u", number);
	return shared && access(path, F_OK) == 0 ? number : 0;
}

/* -- Locks ------------------------------------------------------------------------- */

static uint32_t owner_in(const struct mutex *mutex, size_t bytes, const struct futex_op *op)
{
	if (bytes < sizeof(mutex->lock))
		return 0;
	if (op->inherits)
		return mutex->lock & FUTEX_TID_MASK;
	if (mutex->lock & FUTEX_OWNER_DIED)
		return 0;
	if (mutex->lock & FUTEX_WAITERS)
		return mutex->lock & FUTEX_TID_MASK;
	/* The word that the kernel clears when a thread is gone holds its tid until then. */
	if (op->shared && mutex->lock == op->value && mutex->lock > LOCK_CONTENDED)
		return mutex->lock;
	if (bytes < sizeof(*mutex) || mutex->lock != LOCK_CONTENDED ||
	    mutex->kind & ~KIND_MASK)
		return 0;
	return mutex->owner;
}

uint32_t futex_owner(uint32_t pid, uint64_t uaddr, const struct futex_op *op)
{
	struct mutex mutex;
	size_t bytes;

	if (!uaddr)
		return 0;
	bytes = read_memory(pid, uaddr, &mutex, sizeof(mutex));
	/* The last words of a page. */
	if (bytes < sizeof(mutex.lock))
		bytes = read_memory(pid, uaddr, &mutex, sizeof(mutex.lock));
	return living(pid, owner_in(&mutex, bytes, op), op->shared);
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
