#include "engine/process/process_memory.h"

#include "engine/helper/live_task.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE_BYTES 4096u
#define PAGES_MAX (READER_BYTES_MAX / PAGE_BYTES + 2)
#define PRESENT (1ULL << 63) /* Documentation/admin-guide/mm/pagemap.rst */

/* Return how many bytes, starting at `address`, are in present pages; or -errno. */
static long present_bytes(uint32_t pid, uint64_t address, size_t len)
{
	uint64_t first = address / PAGE_BYTES, last = (address + len - 1) / PAGE_BYTES, end;
	uint64_t entries[PAGES_MAX];
	size_t pages = (size_t)(last - first) + 1, present = 0;
	char path[48];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/pagemap", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	/*
	 * The kernel may lack pagemap, or CAP_SYS_PTRACE may come without permission to open files
	 * of other users. Then all pages count as present: only the reader's deadline bounds the
	 * read.
	 */
	if (fd < 0 && (errno == EACCES || errno == EPERM))
		return (long)len;
	if (fd < 0)
		return errno == ENOENT && access("/proc/self/pagemap", F_OK) ? (long)len : -errno;
	got = pread(fd, entries, pages * sizeof(entries[0]), (off_t)(first * sizeof(entries[0])));
	close(fd);
	while (present < pages && (ssize_t)((present + 1) * sizeof(entries[0])) <= got &&
	       entries[present] & PRESENT)
		present++;
	end = (first + present) * PAGE_BYTES;
	return end <= address ? 0 : end - address < len ? (long)(end - address) : (long)len;
}

long memory_read(uint32_t pid, uint64_t address, void *to, size_t len)
{
	struct iovec local = { .iov_base = to }, remote[PAGES_MAX];
	unsigned long pieces = 0;
	long present;
	ssize_t count;

	if (len > READER_BYTES_MAX)
		len = READER_BYTES_MAX;
	if (!len || address + len < address)
		return 0;
	pid = live_task(pid);
	present = present_bytes(pid, address, len);
	if (present <= 0)
		return present;
	local.iov_len = len = (size_t)present;
	for (size_t done = 0; done < len; pieces++) {
		size_t part = PAGE_BYTES - (address + done) % PAGE_BYTES;

		if (part > len - done)
			part = len - done;
		remote[pieces] = (struct iovec){ .iov_base = (void *)(uintptr_t)(address + done),
						 .iov_len = part };
		done += part;
	}
	count = process_vm_readv((pid_t)pid, &local, 1, remote, pieces, 0);
	return count < 0 && errno != EFAULT ? -errno : count < 0 ? 0 : count;
}

int memory_handle(void **state, const struct reader_request *request, const void *payload,
		  const int *fds, struct reader_result *answer)
{
	long got = memory_read(request->pid, request->address, answer->bytes,
			       request->length < READER_BYTES_MAX ? (size_t)request->length
								  : READER_BYTES_MAX);

	(void)state;
	(void)payload;
	(void)fds;
	answer->len = got > 0 ? (size_t)got : 0;
	return got < 0 ? (int)got : 0;
}
