#include "engine/stack/perf_map.h"

#include "engine/base/mem.h"
#include "engine/stack/mapped_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRIES_MAX ((size_t)2 << 20)

struct map_entry {
	uint64_t start, end;
	uint64_t line_start, line_end; /* of the whole line, before drop_overlapped() */
	uint32_t name; /* offset in text */
	uint32_t order; /* line number: the later line wins */
};

struct perf_map {
	char *text;
	struct map_entry *entries; /* sorted, without overlaps */
	size_t count, capacity;
};

void perf_map_free(struct perf_map *map)
{
	if (!map)
		return;
	free(map->text);
	free(map->entries);
	free(map);
}

static bool read_hex(char **at, const char *end, uint64_t *value)
{
	char *c = *at;
	uint64_t sum = 0;

	if (end - c > 2 && c[0] == '0' && c[1] == 'x')
		c += 2;
	*at = c;
	for (; c < end; c++) {
		unsigned int digit, byte = (unsigned char)*c | 0x20;

		if (byte - '0' < 10)
			digit = byte - '0';
		else if (byte - 'a' < 6)
			digit = byte - 'a' + 10;
		else
			break;
		if (sum >> 60)
			return false;
		sum = sum << 4 | digit;
	}
	*value = sum;
	if (c == *at || c == end || *c != ' ')
		return false;
	*at = c + 1;
	return true;
}

static int compare_entries(const void *a, const void *b)
{
	const struct map_entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void parse_line(struct perf_map *map, char *at, char *end)
{
	struct map_entry entry;
	uint64_t bytes;

	if (!read_hex(&at, end, &entry.start) || !read_hex(&at, end, &bytes) || at == end ||
	    !bytes || entry.start > UINT64_MAX - bytes)
		return;
	entry.end = entry.start + bytes;
	entry.line_start = entry.start;
	entry.line_end = entry.end;
	entry.name = (uint32_t)(at - map->text);
	entry.order = (uint32_t)map->count;
	*end = '\0';
	map->entries = mem_grow(map->entries, &map->capacity, map->count + 1,
				sizeof(*map->entries));
	map->entries[map->count++] = entry;
}

/* Move the entry at `at` down to its place in the heap, which has the latest line first. */
static void sift_down(const struct map_entry **heap, size_t count, size_t at)
{
	for (;;) {
		size_t latest = at;
		const struct map_entry *swapped = heap[at];

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
			if (heap[child]->order > heap[latest]->order)
				latest = child;
		if (latest == at)
			return;
		heap[at] = heap[latest];
		heap[latest] = swapped;
		at = latest;
	}
}

static void sift_up(const struct map_entry **heap, size_t at)
{
	for (; at && heap[(at - 1) / 2]->order < heap[at]->order; at = (at - 1) / 2) {
		const struct map_entry *swapped = heap[at];

		heap[at] = heap[(at - 1) / 2];
		heap[(at - 1) / 2] = swapped;
	}
}

/* Append the part of a line from `start` to `end`, or extend the last part. */
static void put_part(struct perf_map *map, const struct map_entry *line, uint64_t start,
		     uint64_t end)
{
	if (start >= end)
		return;
	if (map->count && map->entries[map->count - 1].order == line->order &&
	    map->entries[map->count - 1].end == start) {
		map->entries[map->count - 1].end = end;
		return;
	}
	map->entries = mem_grow(map->entries, &map->capacity, map->count + 1,
				sizeof(*map->entries));
	map->entries[map->count] = *line;
	map->entries[map->count].start = start;
	map->entries[map->count++].end = end;
}

/*
 * Drop the lines that a later line overlaps: a compiler reuses the memory of discarded code, so the
 * code of the earlier line is gone. Sweep the sorted lines; the heap has the lines that contain the
 * current address. Then drop each line that lacks a part.
 */
static void drop_overlapped(struct perf_map *map)
{
	struct map_entry *lines = map->entries;
	size_t count = map->count, next = 0, open = 0, kept = 0;
	const struct map_entry **heap = mem_alloc((count + 1) * sizeof(*heap));
	uint64_t at = 0;

	qsort(lines, count, sizeof(*lines), compare_entries);
	map->entries = NULL;
	map->count = map->capacity = 0;
	while (open || next < count) {
		uint64_t until = next < count ? lines[next].start : UINT64_MAX;

		/* Up to the next start, the addresses belong to the latest line in the heap. */
		while (open && at < until) {
			const struct map_entry *line = heap[0];
			uint64_t end = line->end < until ? line->end : until;

			put_part(map, line, at, end);
			if (at < end)
				at = end;
			if (line->end > at)
				break;
			heap[0] = heap[--open];
			if (open)
				sift_down(heap, open, 0);
		}
		if (next == count)
			break;
		at = until;
		heap[open] = &lines[next++];
		sift_up(heap, open++);
	}
	for (size_t i = 0; i < map->count; i++)
		if (map->entries[i].start == map->entries[i].line_start &&
		    map->entries[i].end == map->entries[i].line_end)
			map->entries[kept++] = map->entries[i];
	map->count = kept;
	free(heap);
	free(lines);
}

struct perf_map *perf_map_parse(char *take_text, size_t len)
{
	struct perf_map *map = mem_zalloc(1, sizeof(*map));

	map->text = take_text;
	if (len > PERF_MAP_BYTES_MAX)
		len = PERF_MAP_BYTES_MAX;
	for (char *at = take_text, *end = at + len; at < end && map->count < ENTRIES_MAX;) {
		char *newline = memchr(at, '\n', (size_t)(end - at));

		if (!newline)
			break; /* incomplete line: it is being written */
		parse_line(map, at, newline);
		at = newline + 1;
	}
	if (map->count)
		drop_overlapped(map);
	return map;
}

const char *perf_map_find(const struct perf_map *map, uint64_t address, uint64_t *start)
{
	size_t low = 0, high = map->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->entries[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address >= map->entries[low - 1].end)
		return NULL;
	*start = map->entries[low - 1].start;
	return map->text + map->entries[low - 1].name;
}

size_t perf_map_count(const struct perf_map *map)
{
	return map->count;
}

/* Get the pid in the process's own namespace, and its uid, from /proc/PID/status. */
static bool read_identity(uint32_t pid, uint32_t *own_pid, uint32_t *uid)
{
	char path[32], line[256];
	bool has_uid = false;
	FILE *file;

	*own_pid = pid;
	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		const char *last = strrchr(line, '\t');

		if (sscanf(line, "Uid:\t%*u\t%u", uid) == 1)
			has_uid = true;
		else if (!strncmp(line, "NSpid:", 6) && last) /* the innermost namespace is last */
			*own_pid = (uint32_t)strtoul(last + 1, NULL, 10);
	}
	fclose(file);
	return has_uid;
}

/* Open a map file in the root of process pid, and check its owner and size. */
static int open_map(uint32_t pid, const char *path, uint32_t uid)
{
	int fd = mapped_file_open_path(pid, path);
	struct stat st;
	int code = 0;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		code = -errno;
	else if (st.st_uid != uid && st.st_uid != 0)
		code = -EPERM;
	else if ((uint64_t)st.st_size > PERF_MAP_BYTES_MAX)
		code = -EFBIG;
	if (!code)
		return fd;
	close(fd);
	return code;
}

enum note { NOTE_OTHERS, NOTE_LARGE, NOTE_DENIED, NOTE_NONE, NOTE_GONE, NOTE_COUNT };

static const char *const notes[NOTE_COUNT] = {
	[NOTE_OTHERS] = "generated code: its perf map belongs to another user",
	[NOTE_LARGE] = "generated code: its perf map is too large",
	[NOTE_DENIED] = "generated code: its perf map cannot be read: Permission denied",
	[NOTE_NONE] = "generated code, no perf map",
	[NOTE_GONE] = "generated code, and the process has exited",
};

static const char *note_for(int code)
{
	switch (-code) {
	case EPERM:
		return notes[NOTE_OTHERS];
	case EFBIG:
		return notes[NOTE_LARGE];
	case EACCES:
		return notes[NOTE_DENIED];
	default:
		return notes[NOTE_NONE];
	}
}

const char *perf_map_note(const char *text, size_t bytes)
{
	for (int i = 0; i < NOTE_COUNT; i++)
		if (bytes == strlen(notes[i]) + 1 && !memcmp(text, notes[i], bytes))
			return notes[i];
	return notes[NOTE_NONE];
}

/* Take ownership of fd. A map that is still being written ends at its last complete line. */
static struct perf_map *read_map(int take_fd)
{
	size_t len = 0, capacity = 0;
	char *text = NULL;
	ssize_t got;

	do {
		text = mem_grow(text, &capacity, len + (64 << 10), 1);
		got = read(take_fd, text + len, capacity - len);
		if (got > 0)
			len += (size_t)got;
	} while (got > 0 && len < PERF_MAP_BYTES_MAX);
	close(take_fd);
	return perf_map_parse(text, len);
}

int perf_map_open_left(uint32_t pid, const char **note)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid);
	fd = open_map(0, path, (uint32_t)geteuid());
	if (fd < 0)
		*note = note_for(fd);
	return fd;
}

int perf_map_open(uint32_t pid, const char **note)
{
	uint32_t own_pid, uid;
	char path[64];
	int fd;

	if (!read_identity(pid, &own_pid, &uid)) {
		fd = perf_map_open_left(pid, note);
		if (fd == -ENOENT)
			*note = notes[NOTE_GONE];
		return fd;
	}
	snprintf(path, sizeof(path), "/tmp/perf-%u.map", own_pid);
	fd = open_map(pid, path, uid);
	if (fd < 0) { /* a process outside the container can have written the map */
		int outside;

		snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid);
		outside = open_map((uint32_t)getpid(), path, uid);
		fd = outside >= 0 ? outside : fd;
	}
	if (fd < 0)
		*note = note_for(fd);
	return fd;
}

struct perf_map *perf_map_read(uint32_t pid, const char **note)
{
	int fd = perf_map_open(pid, note);

	return fd < 0 ? NULL : read_map(fd);
}

struct perf_map *perf_map_read_recorded(uint32_t pid, const char **note)
{
	int fd = perf_map_open_left(pid, note);

	return fd < 0 ? NULL : read_map(fd);
}
