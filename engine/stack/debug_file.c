#include "engine/stack/debug_file.h"

#include "engine/base/str.h"
#include "engine/stack/mapped_file.h"

#include <errno.h>
#include <string.h>

#define DEBUG_ROOT "/usr/lib/debug"

int debug_file_open_by_id(const uint8_t *build_id, uint32_t bytes)
{
	struct str path = STR_INIT;
	int fd;

	if (bytes < 2 || bytes > WIRE_ID_MAX)
		return -ENOENT;
	str_add(&path, DEBUG_ROOT "/.build-id/");
	for (uint32_t i = 0; i < bytes; i++)
		str_addf(&path, i == 0 ? "%02x/" : "%02x", build_id[i]);
	str_add(&path, ".debug");
	fd = mapped_file_open_debug(path.data);
	str_release(&path);
	return fd;
}

int debug_file_open(uint32_t pid, const char *mapped_path, const struct wire_file *file,
		    unsigned int choice)
{
	const char *slash = strrchr(mapped_path, '/');
	struct str path = STR_INIT;
	int fd;

	if (choice == 0)
		return debug_file_open_by_id(file->build_id, file->build_id_bytes);
	/* The name comes from the file: it must not lead anywhere else. */
	if (!slash || !file->debuglink[0] || strchr(file->debuglink, '/') ||
	    strstr(mapped_path, "/../"))
		return -ENOENT;
	if (choice == 1)
		str_add(&path, DEBUG_ROOT);
	str_addn(&path, mapped_path, (size_t)(slash + 1 - mapped_path));
	if (choice == 2)
		str_add(&path, ".debug/");
	str_add(&path, file->debuglink);
	fd = choice == 1 ? mapped_file_open_debug(path.data)
		: mapped_file_open_path(pid, path.data);
	str_release(&path);
	return fd;
}
