#include "engine/stack/file_probe.h"

#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/helper/descriptor.h"
#include "engine/helper/live_task.h"
#include "engine/stack/dso.h"
#include "engine/stack/mapped_file.h"
#include "engine/stack/perf_map.h"
#include "engine/stack/space_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Values of request.length for READER_OPEN. */
enum { OPEN_MAPPED, OPEN_PATH, OPEN_BELOW, OPEN_DEBUG };
/* Values of request.length for READER_TEXT; request.address is the offset to continue from. */
enum { TEXT_MAPS, TEXT_PERF_MAP, TEXT_PERF_MAP_LEFT, TEXT_PERF_MAP_HELD };

#define SILENT "its file system does not answer"

/* -- Mappings in requests --------------------------------------------------------------------- */

bool file_probe_take_mapping(const struct reader_request *request, const void *payload,
			     struct mapping *mapping)
{
	const char *path = (const char *)payload + sizeof(*mapping);
	size_t left = request->payload_bytes - sizeof(*mapping);

	if (request->payload_bytes <= sizeof(*mapping) || strnlen(path, left) == left)
		return false;
	memcpy(mapping, payload, sizeof(*mapping));
	mapping->path = path;
	mapping->build_id = NULL;
	mapping->build_id_bytes = 0;
	return true;
}

void *file_probe_put_mapping(const struct mapping *mapping, struct reader_request *request)
{
	size_t path_bytes = strlen(mapping->path) + 1;
	unsigned char *payload = mem_alloc(sizeof(*mapping) + path_bytes);

	memcpy(payload, mapping, sizeof(*mapping));
	memcpy(payload + sizeof(*mapping), mapping->path, path_bytes);
	request->payload_bytes = (uint32_t)(sizeof(*mapping) + path_bytes);
	return payload;
}

/* -- Opening ---------------------------------------------------------------------------------- */

static int reopen(int fd, int flags)
{
	char path[32];
	int opened;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	opened = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	return opened < 0 ? -errno : opened;
}

static int open_named(const struct reader_request *request, const void *payload, const char **note)
{
	const char *path = payload;
	size_t len = request->payload_bytes, root;
	struct mapping mapping;

	if (request->length == OPEN_MAPPED)
		return file_probe_take_mapping(request, payload, &mapping)
			       ? mapped_file_open(request->pid, &mapping, note)
			       : -EINVAL;
	if (!len || path[len - 1])
		return -EINVAL;
	switch (request->length) {
	case OPEN_PATH:
		return mapped_file_open_path(request->pid, path);
	case OPEN_BELOW:
		root = strlen(path) + 1;
		return root < len ? mapped_file_open_below(path, path + root) : -EINVAL;
	default:
		return mapped_file_open_debug(path);
	}
}

int file_probe_handle_open(void **state, const struct reader_request *request, const void *payload,
			   const int *fds, struct reader_result *reply)
{
	const char *note = NULL;
	uint64_t before = 0;
	int fd;

	/*
	 * Without a process, the path comes from the user, a recording or a program: open it with
	 * the rights of the user.
	 */
	if (!request->pid)
		before = privilege_lower();
	fd = open_named(request, payload, &note);
	if (!request->pid)
		privilege_restore(before);
	(void)state;
	(void)fds;
	if (note)
		memcpy(reader_result_take(reply, strlen(note) + 1), note, strlen(note) + 1);
	if (fd < 0)
		return fd;
	reply->fd = reopen(fd, O_PATH);
	close(fd);
	return reply->fd < 0 ? reply->fd : 0;
}

static int ask_open(struct reader *reader, struct reader_request *request, const void *payload,
		    const char **note)
{
	struct reader_result reply;
	int code;

	request->what = READER_OPEN;
	reader_lock(reader);
	code = reader_ask(reader, request, payload, NULL, &reply);
	if (note && (code == -ETIMEDOUT || code == -EHOSTDOWN))
		*note = SILENT;
	else if (note && code)
		*note = mapped_file_note((const char *)reply.bytes, reply.len);
	reader_unlock(reader);
	return code ? code : reply.fd;
}

int file_probe_mapped(struct reader *reader, uint32_t pid, const struct mapping *mapping,
		      const char **note)
{
	struct reader_request request = { .pid = pid, .length = OPEN_MAPPED };
	const char *unused;
	void *payload;
	int fd;

	if (!note)
		note = &unused;
	if (!reader)
		return mapped_file_open(pid, mapping, note);
	payload = file_probe_put_mapping(mapping, &request);
	fd = ask_open(reader, &request, payload, note);
	free(payload);
	return fd;
}

int file_probe_path(struct reader *reader, uint32_t pid, const char *path)
{
	struct reader_request request = { .pid = pid,
					  /* pid 0: maybe the mapped file of a recording */
					  .flags = pid ? READER_ASIDE : 0,
					  .length = OPEN_PATH,
					  .payload_bytes = (uint32_t)strlen(path) + 1 };

	return reader ? ask_open(reader, &request, path, NULL) : mapped_file_open_path(pid, path);
}

int file_probe_below(struct reader *reader, const char *root, const char *path)
{
	struct reader_request request = { .length = OPEN_BELOW };
	struct str both = STR_INIT;
	int fd;

	if (!reader)
		return mapped_file_open_below(root, path);
	str_addn(&both, root, strlen(root) + 1);
	str_addn(&both, path, strlen(path) + 1);
	request.payload_bytes = (uint32_t)both.len;
	fd = ask_open(reader, &request, both.data, NULL);
	str_release(&both);
	return fd;
}

int file_probe_debug(struct reader *reader, const char *path)
{
	struct reader_request request = { .flags = READER_ASIDE,
					  .length = OPEN_DEBUG,
					  .payload_bytes = (uint32_t)strlen(path) + 1 };

	return reader ? ask_open(reader, &request, path, NULL) : mapped_file_open_debug(path);
}

/* -- Open files ------------------------------------------------------------------------------- */

int file_probe_handle_hand_over(void **state, const struct reader_request *request,
				const void *payload, const int *fds, struct reader_result *reply)
{
	int fd = fds[0] < 0 || fds[1] < 0 ? -EBADF : reopen(fds[0], O_RDONLY), code;

	(void)state;
	(void)reply;
	if (fd < 0)
		return fd;
	code = descriptor_send(fds[1], payload, request->payload_bytes, fd);
	close(fd);
	return code;
}

int file_probe_hand_over(struct reader *reader, int fd, int socket_fd, const void *bytes,
			 size_t len)
{
	const struct reader_request request = { .what = READER_HAND_OVER,
						.payload_bytes = (uint32_t)len };
	struct reader_result reply;
	int code;

	if (!reader || fd < 0)
		return descriptor_send(socket_fd, bytes, len, fd);
	reader_lock(reader);
	code = reader_ask(reader, &request, bytes, (const int[]){ fd, socket_fd }, &reply);
	reader_unlock(reader);
	return code;
}

int file_probe_handle_same(void **state, const struct reader_request *request, const void *payload,
			   const int *fds, struct reader_result *reply)
{
	int fd = reopen(fds[0], O_RDONLY), other = reopen(fds[1], O_RDONLY);
	bool same = fd >= 0 && other >= 0 && dso_same_content(fd, other);

	(void)state;
	(void)request;
	(void)payload;
	(void)reply;
	if (fd >= 0)
		close(fd);
	if (other >= 0)
		close(other);
	return same ? 0 : -ENODATA;
}

bool file_probe_same(struct reader *reader, int fd, int other_fd)
{
	const struct reader_request request = { .what = READER_SAME };
	struct reader_result reply;
	bool same;

	if (!reader)
		return dso_same_content(fd, other_fd);
	reader_lock(reader);
	same = !reader_ask(reader, &request, NULL, (const int[]){ fd, other_fd }, &reply);
	reader_unlock(reader);
	return same;
}

/* -- Texts ------------------------------------------------------------------------------------ */

/* State of a READER_TEXT transfer between requests. */
struct text {
	uint32_t pid, kind;
	uint64_t at;
	int fd; /* -1: none */
};

static int open_text(const struct reader_request *request, const int *fds, const char **note)
{
	char path[48];
	int fd;

	if (request->length == TEXT_PERF_MAP)
		return perf_map_open(request->pid, note);
	if (request->length == TEXT_PERF_MAP_LEFT)
		return perf_map_open_left(request->pid, note);
	if (request->length == TEXT_PERF_MAP_HELD)
		return fds[0] < 0 ? -EBADF : reopen(fds[0], O_RDONLY);
	snprintf(path, sizeof(path), "/proc/%u/maps", live_task(request->pid));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int begin_text(struct text *text, const struct reader_request *request, const int *fds,
		      struct reader_result *reply)
{
	const char *note = NULL;

	if (text->fd >= 0)
		close(text->fd);
	*text = (struct text){ .pid = request->pid, .kind = (uint32_t)request->length, .fd = -1 };
	if (request->address)
		return -ESTALE;
	text->fd = open_text(request, fds, &note);
	if (text->fd >= 0 && request->length == TEXT_PERF_MAP)
		reply->fd = reopen(text->fd, O_PATH);
	if (note)
		memcpy(reader_result_take(reply, strlen(note) + 1), note, strlen(note) + 1);
	return text->fd < 0 ? text->fd : 0;
}

int file_probe_handle_text(void **state, const struct reader_request *request, const void *payload,
			   const int *fds, struct reader_result *reply)
{
	struct text *text = *state;
	ssize_t got;
	int code;

	(void)payload;
	if (!text) {
		*state = text = mem_zalloc(1, sizeof(*text));
		text->fd = -1;
	}
	if (!request->address || text->fd < 0 || text->pid != request->pid ||
	    text->kind != request->length || text->at != request->address) {
		code = begin_text(text, request, fds, reply);
		if (code)
			return code;
	}
	do {
		got = read(text->fd, reply->bytes + reply->len, READER_BYTES_MAX - reply->len);
		if (got > 0)
			reply->len += (size_t)got;
	} while ((got > 0 && reply->len < READER_BYTES_MAX) || (got < 0 && errno == EINTR));
	text->at += reply->len;
	reply->more = got > 0;
	if (reply->more)
		return 0;
	code = got < 0 && !reply->len ? -errno : 0;
	close(text->fd);
	text->fd = -1;
	return code;
}

/* *held: descriptor of the map; TEXT_PERF_MAP stores it, TEXT_PERF_MAP_HELD reads from it. */
static int ask_text(struct reader *reader, uint32_t pid, uint32_t kind, size_t max, int *held,
		    struct str *text, const char **note)
{
	struct reader_request request = { .what = READER_TEXT,
					  .flags = kind == TEXT_MAPS ? 0 : READER_ASIDE,
					  .pid = pid,
					  .length = kind };
	const int fds[2] = { held ? *held : -1, -1 };
	struct reader_result reply = { .more = false };
	int code = 0;

	reader_lock(reader);
	do {
		code = reader_ask(reader, &request, NULL, kind == TEXT_PERF_MAP_HELD ? fds : NULL,
				  &reply);
		if (!code)
			str_addn(text, (const char *)reply.bytes, reply.len);
		if (reply.fd >= 0 && held) {
			if (*held >= 0)
				close(*held);
			*held = reply.fd;
		} else if (reply.fd >= 0) {
			close(reply.fd);
		}
		request.address += reply.len;
	} while (!code && reply.more && text->len < max);
	if (note && (code == -ETIMEDOUT || code == -EHOSTDOWN))
		*note = "generated code: " SILENT;
	else if (note && code)
		*note = perf_map_note((const char *)reply.bytes, reply.len);
	reader_unlock(reader);
	return code;
}

/* Read the maps on the calling thread. */
static int read_text(uint32_t pid, size_t max, struct str *text)
{
	const struct reader_request request = { .pid = pid, .length = TEXT_MAPS };
	char chunk[16 << 10];
	ssize_t got;
	int fd = open_text(&request, NULL, NULL), code;

	if (fd < 0)
		return fd;
	do {
		got = read(fd, chunk, sizeof(chunk));
		if (got > 0)
			str_addn(text, chunk, (size_t)got);
	} while ((got > 0 && text->len < max) || (got < 0 && errno == EINTR));
	code = got < 0 ? -errno : 0;
	close(fd);
	return code;
}

int file_probe_maps(struct reader *reader, uint32_t pid, size_t max, struct str *text)
{
	return reader ? ask_text(reader, pid, TEXT_MAPS, max, NULL, text, NULL)
		      : read_text(pid, max, text);
}

struct perf_map *file_probe_perf_map(struct reader *reader, uint32_t pid, int *held,
				     const char **note)
{
	struct str text = STR_INIT;
	size_t len;
	int code;

	if (!reader)
		return held ? perf_map_read(pid, note) : perf_map_read_recorded(pid, note);
	code = ask_text(reader, pid, held ? TEXT_PERF_MAP : TEXT_PERF_MAP_LEFT, PERF_MAP_BYTES_MAX,
			held, &text, note);
	if (code && code != -ETIMEDOUT && code != -EHOSTDOWN && held && *held >= 0) {
		str_clear(&text);
		code = ask_text(reader, pid, TEXT_PERF_MAP_HELD, PERF_MAP_BYTES_MAX, held, &text,
				note);
	}
	if (code) {
		str_release(&text);
		return NULL;
	}
	*note = NULL;
	len = text.len;
	return perf_map_parse(str_steal(&text), len);
}
