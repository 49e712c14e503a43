#include "engine/stack/mapped_file.h"

#include "engine/helper/live_task.h"
#include "engine/stack/space_maps.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define VDSO_BYTES_MAX ((size_t)1 << 20)
/* O_PATH first: opening a device or a FIFO for reading may have side effects. */
#define OPEN_FILE (O_PATH | O_CLOEXEC | O_NOFOLLOW)
#define OPEN_DIRECTORY (O_PATH | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY)

static const char deleted_suffix[] = " (deleted)";

enum note {
	NOTE_DENIED,
	NOTE_NONE,
	NOTE_LINK,
	NOTE_GONE,
	NOTE_OTHER,
	NOTE_LARGE,
	NOTE_SPECIAL,
	NOTE_UNREADABLE,
	NOTE_DELETED,
	NOTE_NO_FILE,
	NOTE_COUNT
};

static const char *const notes[NOTE_COUNT] = {
	[NOTE_DENIED] = "cannot be read: Permission denied",
	[NOTE_NONE] = "cannot be found",
	[NOTE_LINK] = "cannot be read: a symbolic link is in its place",
	[NOTE_GONE] = "the process has exited",
	[NOTE_OTHER] = "another file has taken its place",
	[NOTE_LARGE] = "cannot be read: too large",
	[NOTE_SPECIAL] = "cannot be read: not a regular file",
	[NOTE_UNREADABLE] = "cannot be read",
	[NOTE_DELETED] = "the file was deleted",
	[NOTE_NO_FILE] = "not a file",
};

static const char *note_for(int code)
{
	switch (-code) {
	case EACCES:
	case EPERM:
		return notes[NOTE_DENIED];
	case ENOENT:
	case ENOTDIR:
		return notes[NOTE_NONE];
	case ELOOP:
		return notes[NOTE_LINK];
	case ESRCH:
		return notes[NOTE_GONE];
	case ESTALE:
		return notes[NOTE_OTHER];
	case EFBIG:
		return notes[NOTE_LARGE];
	case EINVAL:
		return notes[NOTE_SPECIAL];
	default:
		return notes[NOTE_UNREADABLE];
	}
}

const char *mapped_file_note(const char *text, size_t bytes)
{
	for (int i = 0; i < NOTE_COUNT; i++)
		if (bytes == strlen(notes[i]) + 1 && !memcmp(text, notes[i], bytes))
			return notes[i];
	return notes[NOTE_UNREADABLE];
}

/* Open the file at path below root_fd without following any link. */
static int open_below(int root_fd, const char *path, size_t len)
{
	int at = fcntl(root_fd, F_DUPFD_CLOEXEC, 0);
	const char *end = path + len;

	while (at >= 0) {
		char name[NAME_MAX + 1];
		const char *slash;
		bool last;
		int next;

		while (path < end && *path == '/')
			path++;
		slash = memchr(path, '/', (size_t)(end - path));
		last = !slash;
		if (last)
			slash = end;
		if (slash == path || slash - path > NAME_MAX ||
		    (slash - path == 2 && path[0] == '.' && path[1] == '.')) {
			close(at);
			return -ENOENT;
		}
		memcpy(name, path, (size_t)(slash - path));
		name[slash - path] = '\0';
		next = openat(at, name, last ? OPEN_FILE : OPEN_DIRECTORY);
		if (next < 0)
			next = -errno;
		close(at);
		if (last || next < 0)
			return next;
		at = next;
		path = slash;
	}
	return -errno;
}

static int check_status(int fd, const struct mapping *mapping, bool check_device)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if ((uint64_t)st.st_size > MAPPED_FILE_BYTES_MAX)
		return -EFBIG;
	if (!mapping)
		return 0;
	if (mapping->inode && st.st_ino != mapping->inode)
		return -ESTALE;
	if (check_device &&
	    (!mapping->inode || st.st_dev != makedev(mapping->dev_major, mapping->dev_minor)))
		return -ESTALE;
	return 0;
}

/* Check the file of an O_PATH descriptor, and replace it with a readable descriptor. */
static int open_checked(int path_fd, const struct mapping *mapping, bool check_device)
{
	char path[32];
	int fd;

	if (path_fd < 0)
		return path_fd;
	fd = check_status(path_fd, mapping, check_device);
	if (!fd) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", path_fd);
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		if (fd < 0)
			fd = -errno;
	}
	close(path_fd);
	return fd;
}

/*
 * Below the root of a process, the device is not compared: file systems with several devices
 * (btrfs, overlayfs) report another device in stat(2) than in a mapping.
 */
static int open_under(const char *root, const char *path, size_t path_len,
		      const struct mapping *mapping, bool check_device)
{
	int root_fd = open(root, O_PATH | O_CLOEXEC | O_DIRECTORY), fd;

	if (root_fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	fd = open_checked(open_below(root_fd, path, path_len), mapping, check_device);
	close(root_fd);
	return fd;
}

static int open_map_file(uint32_t pid, const struct mapping *mapping)
{
	char path[96];
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", live_task(pid),
		 (unsigned long long)mapping->start, (unsigned long long)mapping->end);
	/* A magic link opens the mapped file itself, even if the file was renamed or deleted. */
	fd = open(path, O_PATH | O_CLOEXEC);
	return open_checked(fd < 0 ? -errno : fd, mapping, false);
}

/* Try the program itself, if it is the mapped file: this needs fewer privileges than map_files. */
static int open_executable(uint32_t pid, const struct mapping *mapping)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/exe", live_task(pid));
	fd = open(path, O_PATH | O_CLOEXEC);
	return open_checked(fd < 0 ? -errno : fd, mapping, true);
}

static void name_root(char *root, size_t root_bytes, uint32_t pid)
{
	if (pid)
		snprintf(root, root_bytes, "/proc/%u/root", live_task(pid));
	else
		snprintf(root, root_bytes, "/");
}

int mapped_file_open(uint32_t pid, const struct mapping *mapping, const char **note)
{
	const char *path = mapping->path;
	size_t len = strlen(path), suffix = sizeof(deleted_suffix) - 1;
	bool deleted = len > suffix && !strcmp(path + len - suffix, deleted_suffix);
	char root[32];
	int fd, code;

	if (*path != '/') {
		*note = notes[NOTE_NO_FILE];
		return -ENOENT;
	}
	name_root(root, sizeof(root), pid);
	fd = code = open_under(root, path, len, mapping, !pid);
	if (fd < 0 && pid)
		fd = open_map_file(pid, mapping);
	if (fd < 0 && pid)
		fd = open_executable(pid, mapping);
	if (fd < 0 && deleted)
		fd = open_under(root, path, len - suffix, mapping, true);
	/* The process has exited or has another root: try the same path in stxtop's root. */
	if (fd < 0 && pid)
		fd = open_under("/", path, len, mapping, true);
	if (fd < 0) {
		*note = deleted ? notes[NOTE_DELETED] : note_for(code);
		return code;
	}
	return fd;
}

int mapped_file_open_path(uint32_t pid, const char *path)
{
	char root[32];

	name_root(root, sizeof(root), pid);
	return open_under(root, path, strlen(path), NULL, false);
}

int mapped_file_open_below(const char *root, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	int root_fd = open(root, O_PATH | O_CLOEXEC | O_DIRECTORY), fd;

	if (root_fd < 0)
		return -errno;
	fd = (int)syscall(SYS_openat2, root_fd, path, &how, sizeof(how));
	if (fd < 0)
		fd = -errno;
	/* Without openat2() (before Linux 5.6), or if it is forbidden, do not follow links. */
	if (fd == -ENOSYS || fd == -EPERM)
		fd = open_below(root_fd, path, strlen(path));
	close(root_fd);
	return open_checked(fd, NULL, false);
}

int mapped_file_open_debug(const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC);

	return open_checked(fd < 0 ? -errno : fd, NULL, false);
}

int mapped_file_open_vdso(void)
{
	const unsigned char *image = (const unsigned char *)getauxval(AT_SYSINFO_EHDR);
	Elf64_Ehdr header;
	size_t bytes;
	int fd;

	if (!image)
		return -ENOENT;
	memcpy(&header, image, sizeof(header));
	bytes = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
	if (bytes < sizeof(header) || bytes > VDSO_BYTES_MAX)
		return -EINVAL;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, image, bytes) != (ssize_t)bytes) {
		close(fd);
		return -EIO;
	}
	return fd;
}
