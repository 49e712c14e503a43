#include "engine/fds/fd_paths.h"

#include <string.h>

static void go_up(struct str *out)
{
	size_t len = out->len;

	while (len && out->data[len - 1] != '/')
		len--;
	str_cut(out, len ? len - 1 : 0);
}

void fd_paths_join(struct str *out, const char *path, size_t len)
{
	const char *end = path + len;

	if (len && *path == '/')
		str_clear(out);
	if (out->len == 1)
		str_clear(out); /* "/": each component adds its own slash */
	while (path < end) {
		const char *slash = memchr(path, '/', (size_t)(end - path));
		size_t part = (size_t)((slash ? slash : end) - path);

		if (part == 2 && path[0] == '.' && path[1] == '.') {
			go_up(out);
		} else if (part && !(part == 1 && *path == '.')) {
			str_addc(out, '/');
			str_addn(out, path, part);
		}
		path += part + 1;
	}
	if (!out->len)
		str_addc(out, '/');
}

bool fd_paths_of(struct str *out, const struct fd_call *change, int dir_fd, uint64_t address)
{
	const struct call *call = change->call;
	const char *path, *base;
	size_t len, base_len;
	struct fd_found found;

	if (!fd_calls_text(change->pointed, address, &path, &len) || !len)
		return false;
	str_clear(out);
	if (*path == '/') {
		fd_paths_join(out, path, len);
		return true;
	}
	found = fd_table_find(change->table, fd_call_task(change), dir_fd, call->enter_ns, false);
	if (!found.version)
		return false;
	base = fd_file_text_at(found.version->file, call->enter_ns, &base_len);
	if (!base || !base_len || *base != '/')
		return false;
	str_addn(out, base, base_len);
	fd_paths_join(out, path, len);
	return true;
}
