#include "engine/process/cgroups.h"

#include "engine/process/proc_stat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDERS_MAX 20000 /* maximum number of directories per search, about 50 ms */
#define DEPTH_MAX 64 /* one less than BPF_CGROUP_LEVELS of bpf/shared.h */
#define KERNFS_HANDLE 0xfe /* FILEID_KERNFS of linux/exportfs.h: a 64-bit id */

/* Find the first cgroup2 mount: the root of the hierarchy or of stxtop's cgroup namespace. */
static bool find_mount(char *mount, size_t bytes)
{
	FILE *mounts = fopen("/proc/self/mounts", "re");
	char line[4096], at[CGROUP_PATH_BYTES], type[64];
	bool found = false;

	if (!mounts)
		return false;
	while (!found && fgets(line, sizeof(line), mounts)) {
		found = sscanf(line, "%*s %1023s %63s", at, type) == 2 && !strcmp(type, "cgroup2");
		if (found)
			snprintf(mount, bytes, "%s", at);
	}
	fclose(mounts);
	return found;
}

static bool has_version_1(void)
{
	char text[4096];

	return proc_read_at(AT_FDCWD, "/proc/self/cgroup", text, sizeof(text)) > 0 &&
	       strncmp(text, "0::", 3);
}

void cgroups_open(struct cgroups *cgroups)
{
	memset(cgroups, 0, sizeof(*cgroups));
	cgroups->fd = -1;
	cgroups->mixed = has_version_1();
	if (find_mount(cgroups->mount, sizeof(cgroups->mount)))
		cgroups->fd = open(cgroups->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cgroups->fd < 0)
		cgroups->mount[0] = '\0';
}

void cgroups_close(struct cgroups *cgroups)
{
	if (cgroups->fd >= 0)
		close(cgroups->fd);
	cgroups->fd = -1;
}

/* ---- ids by word ------------------------------------------------------------------ */

struct search {
	const char *word;
	uint64_t *ids;
	int count, max;
	unsigned int folders;
	bool cut;
};

static void keep(struct search *search, uint64_t id)
{
	if (search->count == search->max)
		search->cut = true;
	else
		search->ids[search->count++] = id;
}

static void search_folder(struct search *search, int parent_fd, const char *name, int depth)
{
	int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		/* The directory was removed meanwhile, or permission is missing. */
		if (fd >= 0)
			close(fd);
		search->cut = search->cut || errno != ENOENT;
		return;
	}
	if (depth > DEPTH_MAX || ++search->folders > FOLDERS_MAX)
		search->cut = true;
	while (!search->cut && (entry = readdir(dir))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (cgroup_path_part_is(entry->d_name, strlen(entry->d_name), search->word))
			keep(search, entry->d_ino);
		else
			search_folder(search, dirfd(dir), entry->d_name, depth + 1);
	}
	closedir(dir);
}

int cgroups_find(const struct cgroups *cgroups, const char *word, uint64_t *ids, int max)
{
	struct search search = { .word = word, .ids = ids, .max = max };
	struct stat st;

	if (cgroups->fd < 0)
		return -1;
	if (word[0] != '/') {
		search_folder(&search, cgroups->fd, ".", 0);
	} else {
		word += strspn(word, "/");
		/* Reject a path that leads out of the hierarchy. */
		if (strstr(word, ".."))
			return -1;
		if (!fstatat(cgroups->fd, *word ? word : ".", &st, AT_SYMLINK_NOFOLLOW) &&
		    S_ISDIR(st.st_mode))
			keep(&search, st.st_ino);
	}
	return search.cut ? -1 : search.count;
}

/* ---- paths by id ------------------------------------------------------------------- */

bool cgroups_path(const struct cgroups *cgroups, uint64_t id, char path[CGROUP_PATH_BYTES])
{
	struct {
		struct file_handle handle;
		uint64_t id;
	} named = { .handle = { .handle_bytes = sizeof(id), .handle_type = KERNFS_HANDLE } };
	char link[64], target[2 * CGROUP_PATH_BYTES];
	size_t mount_len = strlen(cgroups->mount);
	ssize_t len;
	int fd;

	if (cgroups->fd < 0)
		return false;
	memcpy(named.handle.f_handle, &id, sizeof(id));
	fd = open_by_handle_at(cgroups->fd, &named.handle, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, target, sizeof(target) - 1);
	close(fd);
	if (len < (ssize_t)mount_len || (size_t)len - mount_len >= CGROUP_PATH_BYTES)
		return false;
	target[len] = '\0';
	if (strncmp(target, cgroups->mount, mount_len) ||
	    (target[mount_len] && target[mount_len] != '/'))
		return false;
	snprintf(path, CGROUP_PATH_BYTES, "%s", target[mount_len] ? target + mount_len : "/");
	return true;
}
