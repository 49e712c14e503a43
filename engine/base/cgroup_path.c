#include "engine/base/cgroup_path.h"

#include <string.h>

#define CONTAINER_ID_MIN 32 /* hex digits; docker, podman, containerd and cri-o use 64 */
#define ID_PREFIX_MIN 4

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static bool is_id_prefix(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_hex(word[i]))
			return false;
	return len >= ID_PREFIX_MIN;
}

/* True if an id-sized run of hex digits in the component begins with the word. */
static bool has_id(const char *part, size_t part_len, const char *word, size_t len)
{
	size_t run = 0;

	for (size_t i = 0; i <= part_len; i++) {
		if (i < part_len && is_hex(part[i])) {
			run++;
			continue;
		}
		if (run >= CONTAINER_ID_MIN && run >= len && !memcmp(part + i - run, word, len))
			return true;
		run = 0;
	}
	return false;
}

bool cgroup_path_part_is(const char *part, size_t part_len, const char *word)
{
	size_t len = strlen(word);

	if (part_len == len && !memcmp(part, word, len))
		return true;
	return is_id_prefix(word, len) && has_id(part, part_len, word, len);
}

bool cgroup_path_in(const char *path, const char *word)
{
	size_t len = strlen(word);

	if (word[0] == '/') {
		while (len && word[len - 1] == '/')
			len--;
		return !strncmp(path, word, len) && (!path[len] || path[len] == '/');
	}
	while (*path == '/') {
		size_t part_len = strcspn(++path, "/");

		if (part_len && cgroup_path_part_is(path, part_len, word))
			return true;
		path += part_len;
	}
	return false;
}
