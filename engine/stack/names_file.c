#include "engine/stack/names_file.h"

#include "engine/base/mem.h"
#include "engine/base/names.h"
#include "engine/base/str.h"

#include <stdlib.h>
#include <string.h>

#define LINES_MAX (1u << 20)
#define TEXTS_MAX ((size_t)64 << 20)

enum { PID, IP, KIND, OFFSET, LINE, INLINED, SYMBOL, DSO, FILE_NAME, FIELDS };

struct reported {
	uint32_t pid, order; /* order: line number, as qsort() is not stable */
	struct frame frame;
};

struct names_file {
	struct reported *all; /* sorted by pid, ip, order */
	size_t count, capacity;
	struct names *names;
};

static int compare(const void *a, const void *b)
{
	const struct reported *one = a, *other = b;

	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	if (one->frame.ip != other->frame.ip)
		return one->frame.ip < other->frame.ip ? -1 : 1;
	return (one->order > other->order) - (one->order < other->order);
}

/* Split a line into fields. False: wrong number of fields. */
static bool split(const char *line, size_t len, const char *at[FIELDS], size_t lens[FIELDS])
{
	const char *end = line + len;

	for (int i = 0; i < FIELDS; i++) {
		const char *tab = memchr(line, '\t', (size_t)(end - line));

		if (!tab != (i == FIELDS - 1))
			return false;
		at[i] = line;
		lens[i] = (size_t)((tab ? tab : end) - line);
		line = tab ? tab + 1 : end;
	}
	return true;
}

static uint64_t number(const char *at, size_t len, int base)
{
	char digits[24] = "";

	if (len >= sizeof(digits))
		return 0;
	memcpy(digits, at, len);
	return strtoull(digits, NULL, base);
}

/* Return NULL if empty. */
static const char *keep(struct names_file *reported, const char *at, size_t len)
{
	return len ? names_add(reported->names, at, len) : NULL;
}

static void add_line(struct names_file *reported, const char *line, size_t len)
{
	const char *at[FIELDS];
	size_t lens[FIELDS];
	struct reported *added;

	if (reported->count == LINES_MAX || !split(line, len, at, lens))
		return;
	reported->all = mem_grow(reported->all, &reported->capacity, reported->count + 1,
				 sizeof(*reported->all));
	added = &reported->all[reported->count];
	memset(added, 0, sizeof(*added));
	added->pid = (uint32_t)number(at[PID], lens[PID], 10);
	added->order = (uint32_t)reported->count++;
	added->frame = (struct frame){
		.ip = number(at[IP], lens[IP], 16),
		.kind = added->pid ? FRAME_USER : FRAME_KERNEL,
		.offset = number(at[OFFSET], lens[OFFSET], 10),
		.line = (uint32_t)number(at[LINE], lens[LINE], 10),
		.inlined = lens[INLINED] == 1 && *at[INLINED] == '1',
		.symbol = keep(reported, at[SYMBOL], lens[SYMBOL]),
		.file = keep(reported, at[FILE_NAME], lens[FILE_NAME]),
		.dso = keep(reported, at[DSO], lens[DSO]),
	};
	if (!added->frame.dso)
		added->frame.dso = "";
}

struct names_file *names_file_new(const char *text, size_t len)
{
	struct names_file *reported = mem_zalloc(1, sizeof(*reported));
	const char *end = text + len;

	reported->names = names_new(TEXTS_MAX);
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *next = newline ? newline : end;

		add_line(reported, text, (size_t)(next - text));
		text = next + 1;
	}
	if (reported->count)
		qsort(reported->all, reported->count, sizeof(*reported->all), compare);
	return reported;
}

void names_file_free(struct names_file *reported)
{
	if (!reported)
		return;
	names_free(reported->names);
	free(reported->all);
	free(reported);
}

size_t names_file_find(const struct names_file *reported, uint32_t pid, uint64_t ip,
		       struct frame *frames, size_t max)
{
	const struct reported key = { .pid = pid, .frame = { .ip = ip } };
	size_t low = 0, high = reported->count, count = 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&reported->all[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < reported->count && count < max; low++) {
		if (reported->all[low].pid != pid || reported->all[low].frame.ip != ip)
			break;
		frames[count++] = reported->all[low].frame;
	}
	return count;
}
