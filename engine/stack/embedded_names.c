#include "engine/stack/embedded_names.h"

#include "engine/base/mem.h"
#include "engine/base/utf8.h"
#include "engine/helper/worker_wire.h"
#include "engine/stack/space_maps.h"

#include <stdlib.h>
#include <string.h>

#define FILES_MAX (1u << 16)
#define PATH_BYTES_MAX 4352 /* PATH_MAX, plus " (deleted)" */
/* Longest name of a worker reply, with every byte escaped. */
#define TEXT_BYTES_MAX (4 * WIRE_NAME_MAX)

struct embedded_names {
	char *bytes;
	const struct embedded_head *head;
	const struct embedded_file *files;
	const struct embedded_reply *replies;
	const struct embedded_frame *frames;
	char *texts;
	const char *paths;
	const struct embedded_file **by_file; /* sorted */
};

_Static_assert(sizeof(struct embedded_head) == 24 && sizeof(struct embedded_file) == 48 &&
		       sizeof(struct embedded_reply) == 16 && sizeof(struct embedded_frame) == 24,
	       "they lie in the file one behind the other");

/* -- Validation -------------------------------------------------------------------------- */

static bool lay_out(struct embedded_names *kept, size_t len)
{
	const struct embedded_head *head = (const void *)kept->bytes;
	uint64_t bytes;

	if (len < sizeof(*head) || head->files > FILES_MAX)
		return false;
	bytes = sizeof(*head) + head->files * (uint64_t)sizeof(*kept->files) +
		head->replies * (uint64_t)sizeof(*kept->replies) +
		head->frames * (uint64_t)sizeof(*kept->frames) + head->text_bytes +
		head->path_bytes;
	if (bytes != len || !head->text_bytes || !head->path_bytes)
		return false;
	kept->head = head;
	kept->files = (const void *)(head + 1);
	kept->replies = (const void *)(kept->files + head->files);
	kept->frames = (const void *)(kept->replies + head->replies);
	kept->texts = kept->bytes + (len - head->text_bytes - head->path_bytes);
	kept->paths = kept->texts + head->text_bytes;
	return !kept->texts[0] && !kept->texts[head->text_bytes - 1] &&
	       !kept->paths[head->path_bytes - 1];
}

static bool are_ascending(const struct embedded_reply *replies, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (replies[i].offset <= replies[i - 1].offset)
			return false;
	return true;
}

static bool is_sound(const struct embedded_names *kept)
{
	const struct embedded_head *head = kept->head;
	uint64_t listed = 0;

	for (size_t i = 0; i < head->files; i++) {
		const struct embedded_file *file = &kept->files[i];

		if (file->kind >= EMBEDDED_KIND_COUNT || file->path >= head->path_bytes ||
		    strnlen(kept->paths + file->path, PATH_BYTES_MAX) == PATH_BYTES_MAX ||
		    file->first > head->replies || file->count > head->replies - file->first)
			return false;
		/*
		 * Files may share replies, but a crafted block could list all replies for each
		 * file: bound the checks to 16 passes over all replies.
		 */
		listed += file->count;
		if (listed > 16 * (uint64_t)head->replies ||
		    !are_ascending(kept->replies + file->first, file->count))
			return false;
	}
	for (size_t i = 0; i < head->replies; i++) {
		const struct embedded_reply *reply = &kept->replies[i];

		if (reply->first > head->frames || !reply->count ||
		    reply->count > head->frames - reply->first || reply->count > WIRE_FRAMES_MAX)
			return false;
	}
	for (size_t i = 0; i < head->frames; i++)
		if (kept->frames[i].symbol >= head->text_bytes ||
		    kept->frames[i].file >= head->text_bytes)
			return false;
	return true;
}

/*
 * Names were escaped when they were recorded, so remaining control characters were added later:
 * replace them. False: a text is longer than the limit.
 */
static bool make_safe(char *texts, size_t bytes)
{
	size_t begin = 0;

	for (size_t at = 0; at < bytes;) {
		uint32_t code;
		size_t n = 1;

		if (!texts[at]) {
			begin = at + 1;
		} else {
			n = utf8_decode(texts + at, bytes - at, &code);
			if (!n || utf8_width(code) < 0)
				memset(texts + at, '?', n ? n : 1);
			n = n ? n : 1;
		}
		at += n;
		if (at - begin > TEXT_BYTES_MAX)
			return false;
	}
	return true;
}

/* -- Files --------------------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Sort and search key of a file. */
struct key {
	uint32_t kind, pid;
	uint64_t device, inode, inode_generation;
	const char *path;
};

static struct key key_of_file(const struct embedded_file *file, const char *paths)
{
	struct key key = { .kind = file->kind, .path = "" };

	if (file->kind == EMBEDDED_GENERATED)
		key.pid = file->pid;
	if (file->kind == EMBEDDED_GENERATED || file->kind == EMBEDDED_KERNEL)
		return key;
	key.device = (uint64_t)file->dev_major << 32 | file->dev_minor;
	key.inode = file->inode;
	key.inode_generation = file->inode_generation;
	key.path = paths + file->path;
	return key;
}

static int compare_keys(const struct key *a, const struct key *b)
{
	int order = compare_numbers(a->kind, b->kind);

	if (!order)
		order = compare_numbers(a->pid, b->pid);
	if (!order)
		order = compare_numbers(a->inode, b->inode);
	if (!order)
		order = compare_numbers(a->device, b->device);
	if (!order)
		order = compare_numbers(a->inode_generation, b->inode_generation);
	return order ? order : strcmp(a->path, b->path);
}

static int compare_files(const void *a, const void *b, void *paths)
{
	struct key x = key_of_file(*(const struct embedded_file *const *)a, paths);
	struct key y = key_of_file(*(const struct embedded_file *const *)b, paths);

	return compare_keys(&x, &y);
}

static const struct embedded_file *find_file(const struct embedded_names *kept,
					     const struct key *key)
{
	size_t low = 0, high = kept ? kept->head->files : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct key other = key_of_file(kept->by_file[middle], kept->paths);
		int order = compare_keys(&other, key);

		if (!order)
			return kept->by_file[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct embedded_file *embedded_names_file(const struct embedded_names *kept,
						enum embedded_kind kind,
						const struct mapping *mapping)
{
	const struct key key = {
		.kind = kind,
		.device = (uint64_t)mapping->dev_major << 32 | mapping->dev_minor,
		.inode = mapping->inode,
		.inode_generation = mapping->inode_generation,
		.path = mapping->path,
	};

	return find_file(kept, &key);
}

const struct embedded_file *embedded_names_generated(const struct embedded_names *kept,
						     uint32_t pid)
{
	const struct key key = { .kind = EMBEDDED_GENERATED, .pid = pid, .path = "" };

	return find_file(kept, &key);
}

const struct embedded_file *embedded_names_kernel(const struct embedded_names *kept)
{
	const struct key key = { .kind = EMBEDDED_KERNEL, .path = "" };

	return find_file(kept, &key);
}

/* -- Public interface -------------------------------------------------------------------- */

struct embedded_names *embedded_names_new(char *take_bytes, size_t len)
{
	struct embedded_names *kept = mem_zalloc(1, sizeof(*kept));

	kept->bytes = take_bytes;
	if (!lay_out(kept, len) || !is_sound(kept) ||
	    !make_safe(kept->texts, kept->head->text_bytes)) {
		embedded_names_free(kept);
		return NULL;
	}
	kept->by_file = mem_zalloc((size_t)kept->head->files + 1, sizeof(*kept->by_file));
	for (size_t i = 0; i < kept->head->files; i++)
		kept->by_file[i] = &kept->files[i];
	qsort_r(kept->by_file, kept->head->files, sizeof(*kept->by_file), compare_files,
		(void *)(uintptr_t)kept->paths);
	return kept;
}

void embedded_names_free(struct embedded_names *kept)
{
	if (!kept)
		return;
	free(kept->by_file);
	free(kept->bytes);
	free(kept);
}

const struct embedded_reply *embedded_names_find(const struct embedded_names *kept,
						 const struct embedded_file *file, uint64_t offset)
{
	size_t low = file->first, high = (size_t)file->first + file->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (kept->replies[middle].offset == offset)
			return &kept->replies[middle];
		if (kept->replies[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct embedded_frame *embedded_names_frames(const struct embedded_names *kept,
						   const struct embedded_reply *reply)
{
	return &kept->frames[reply->first];
}

const char *embedded_names_text(const struct embedded_names *kept, uint32_t text)
{
	return text ? kept->texts + text : NULL;
}
