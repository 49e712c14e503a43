/*
 * symbols_embed - names written to a recording, and names read from one.
 */
#include "engine/base/mem.h"
#include "engine/stack/symbols_private.h"

#include <stdlib.h>
#include <string.h>

#define EMBEDDED_BYTES_MAX ((size_t)48 << 20) /* limit per recording */

/* -- From a recording -------------------------------------------------------------------- */

/* If the reply has no source lines, a local debug file may have them. */
static void ask_for_lines(struct symbols *symbols, struct dso *dso, struct reply *reply)
{
	if (dso->kind != DSO_FILE || dso->note || reply->frames[reply->count - 1].line ||
	    symbols->pending >= SYMBOLS_PENDING_MAX)
		return;
	symbols_ask_reply(symbols, dso, reply);
}

static void copy_frames(struct symbols *symbols, const struct embedded_reply *kept,
			struct reply *reply)
{
	const struct embedded_frame *from = embedded_names_frames(symbols->kept, kept);

	reply->frames = mem_zalloc(kept->count, sizeof(*reply->frames));
	reply->count = (uint16_t)kept->count;
	for (uint32_t i = 0; i < kept->count; i++)
		reply->frames[i] = (struct reply_frame){
			.symbol = embedded_names_text(symbols->kept, from[i].symbol),
			.file = embedded_names_text(symbols->kept, from[i].file),
			.offset = from[i].offset,
			.line = from[i].line,
			.inlined = from[i].inlined && i + 1 < kept->count,
		};
}

struct reply *symbols_query_embedded(struct symbols *symbols, struct dso *dso, uint64_t offset)
{
	const struct embedded_reply *kept;
	struct reply *reply;

	if (!dso->kept)
		return NULL;
	reply = idmap_get(&dso->replies, offset);
	if (reply)
		return reply;
	kept = embedded_names_find(symbols->kept, dso->kept, offset);
	if (!kept || symbols->replies >= SYMBOLS_REPLIES_MAX)
		return NULL;
	reply = mem_zalloc(1, sizeof(*reply));
	reply->offset = offset;
	reply->state = REPLY_DONE;
	copy_frames(symbols, kept, reply);
	idmap_put(&dso->replies, offset, reply);
	symbols->replies++;
	ask_for_lines(symbols, dso, reply);
	return reply;
}

/* -- To a recording ------------------------------------------------------------------------ */

static void embed_user(struct symbols *symbols, const struct stack *stack, uint64_t lookup)
{
	const char *note;
	uint64_t offset;
	struct dso *dso = symbols_locate(symbols, stack, lookup, &offset, &note);
	struct reply *reply = dso ? symbols_ask(symbols, dso, stack, offset) : NULL;

	if (!reply)
		return;
	dso->keep = true;
	reply->keep = true;
}

void symbols_embed(struct symbols *symbols, const struct stack *stack)
{
	struct frame frame;

	/* Request the kernel symbols, if not requested yet. */
	if (stack->kernel_count) {
		const struct stack first = { .kernel_count = 1, .ips = stack->ips };

		symbols_frames(symbols, &first, &frame, 1);
	}
	pthread_mutex_lock(&symbols->lock);
	for (size_t i = 0; i < stack->kernel_count; i++)
		idmap_put(&symbols->embed_kernel, stack->ips[i] - (i > 0), symbols);
	for (size_t i = 0; i < stack->user_count; i++)
		embed_user(symbols, stack, stack->ips[stack->kernel_count + i] - (i > 0));
	pthread_mutex_unlock(&symbols->lock);
}

void symbols_embed_again(struct symbols *symbols, bool last)
{
	pthread_mutex_lock(&symbols->lock);
	for (size_t i = 0; i < symbols->dsos_len; i++) {
		struct dso *dso = symbols->dsos[i];
		struct idmap_slot *slot;
		size_t cursor = 0;

		if (dso->kind != DSO_JIT || !dso->keep || symbols->recorded)
			continue;
		if (last)
			dso->perf_map_ns = 0;
		while ((slot = idmap_next(&dso->replies, &cursor))) {
			struct reply *reply = slot->value;

			if (reply->keep && reply->state == REPLY_DONE && !reply->frames)
				symbols_ask_reply(symbols, dso, reply);
		}
	}
	pthread_mutex_unlock(&symbols->lock);
}

/* Sections of the block being written. */
struct embedding {
	struct str files, replies, frames, texts, paths;
	struct idmap by_text; /* interned text to its offset in `texts` */
};

static uint32_t put_text(struct embedding *embedding, const char *text)
{
	uint64_t key = (uintptr_t)text;
	uintptr_t at;

	if (!text)
		return 0;
	at = (uintptr_t)idmap_get(&embedding->by_text, key);
	if (at)
		return (uint32_t)at;
	at = embedding->texts.len;
	str_addn(&embedding->texts, text, strlen(text) + 1);
	idmap_put(&embedding->by_text, key, (void *)at);
	return (uint32_t)at;
}

static uint32_t put_path(struct embedding *embedding, const char *path)
{
	uint32_t at = (uint32_t)embedding->paths.len;

	str_addn(&embedding->paths, path, strlen(path) + 1);
	return at;
}

static bool has_room(const struct embedding *embedding)
{
	return embedding->files.len + embedding->replies.len + embedding->frames.len +
		       embedding->texts.len + embedding->paths.len <
	       EMBEDDED_BYTES_MAX;
}

static uint32_t count_of(const struct str *all, size_t each)
{
	return (uint32_t)(all->len / each);
}

static void put_frame(struct embedding *embedding, const struct embedded_frame *frame)
{
	str_addn(&embedding->frames, (const char *)frame, sizeof(*frame));
}

static void put_reply(struct embedding *embedding, uint64_t offset, uint32_t frames)
{
	const struct embedded_reply reply = {
		.offset = offset,
		.first = count_of(&embedding->frames, sizeof(struct embedded_frame)) - frames,
		.count = frames,
	};

	str_addn(&embedding->replies, (const char *)&reply, sizeof(reply));
}

static void put_file(struct embedding *embedding, struct embedded_file *file, uint32_t first)
{
	file->first = first;
	file->count = count_of(&embedding->replies, sizeof(struct embedded_reply)) - first;
	if (file->count)
		str_addn(&embedding->files, (const char *)file, sizeof(*file));
}

static int compare_offsets(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Return the sorted keys of a map (replies: only those to embed); the caller frees them. */
static uint64_t *wanted_offsets(struct idmap *map, bool replies, size_t *count)
{
	uint64_t *offsets = mem_alloc((map->count + 1) * sizeof(*offsets));
	struct idmap_slot *slot;
	size_t cursor = 0;

	*count = 0;
	while ((slot = idmap_next(map, &cursor))) {
		const struct reply *reply = replies ? slot->value : NULL;

		if (!reply || (reply->keep && reply->frames))
			offsets[(*count)++] = slot->key;
	}
	qsort(offsets, *count, sizeof(*offsets), compare_offsets);
	return offsets;
}

static void put_kernel(struct symbols *symbols, struct embedding *embedding)
{
	struct embedded_file file = { .kind = EMBEDDED_KERNEL };
	size_t count;
	uint64_t *addresses = wanted_offsets(&symbols->embed_kernel, false, &count);

	for (size_t i = 0; i < count && has_room(embedding); i++) {
		struct kernel_name name;

		if (!symbols_kernel_find(symbols, addresses[i], &name))
			continue;
		put_frame(embedding, &(struct embedded_frame){
					     .offset = addresses[i] - name.start,
					     .symbol = put_text(embedding, name.symbol),
					     .file = put_text(embedding, name.module),
				     });
		put_reply(embedding, addresses[i], 1);
	}
	free(addresses);
	put_file(embedding, &file, 0);
}

static void put_replies(struct embedding *embedding, struct dso *dso)
{
	size_t count;
	uint64_t *offsets = wanted_offsets(&dso->replies, true, &count);

	for (size_t i = 0; i < count && has_room(embedding); i++) {
		const struct reply *reply = idmap_get(&dso->replies, offsets[i]);

		for (uint16_t j = 0; j < reply->count; j++) {
			const struct reply_frame *frame = &reply->frames[j];

			put_frame(embedding, &(struct embedded_frame){
						     .offset = frame->offset,
						     .line = frame->line,
						     .symbol = put_text(embedding, frame->symbol),
						     .file = put_text(embedding, frame->file),
						     .inlined = frame->inlined,
					     });
		}
		put_reply(embedding, offsets[i], reply->count);
	}
	free(offsets);
}

static bool has_names(const struct dso *dso)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&dso->replies, &cursor))) {
		const struct reply *reply = slot->value;

		if (reply->keep && reply->frames)
			return true;
	}
	return false;
}

/* Two programs of one process may have had different code at the same address. */
static bool is_ambiguous(const struct symbols *symbols, const struct dso *dso)
{
	for (size_t i = 0; dso->kind == DSO_JIT && i < symbols->dsos_len; i++) {
		const struct dso *other = symbols->dsos[i];

		if (other != dso && other->keep && other->kind == DSO_JIT &&
		    other->pid == dso->pid && has_names(other))
			return true;
	}
	return false;
}

static void put_dso(struct symbols *symbols, struct embedding *embedding, struct dso *dso)
{
	const struct mapping *mapping = &dso->mapping;
	struct embedded_file file = {
		.inode = mapping->inode,
		.inode_generation = mapping->inode_generation,
		.dev_major = mapping->dev_major,
		.dev_minor = mapping->dev_minor,
		.kind = dso->kind == DSO_JIT    ? EMBEDDED_GENERATED
			: dso->kind == DSO_VDSO ? EMBEDDED_VDSO
						: EMBEDDED_FILE,
		.pid = dso->kind == DSO_JIT ? dso->pid : 0,
	};
	uint32_t first = count_of(&embedding->replies, sizeof(struct embedded_reply));

	if (dso->kind == DSO_OTHER || is_ambiguous(symbols, dso))
		return;
	file.path = dso->kind == DSO_JIT ? 0 : put_path(embedding, mapping->path);
	/* Each path gets its own replies, so that files never share them by mistake. */
	put_replies(embedding, dso->same_file && !dso->kept ? dso->same_file : dso);
	put_file(embedding, &file, first);
}

static void forget_wanted(struct symbols *symbols)
{
	idmap_clear(&symbols->embed_kernel);
	for (size_t i = 0; i < symbols->dsos_len; i++) {
		struct idmap_slot *slot;
		size_t cursor = 0;

		symbols->dsos[i]->keep = false;
		while ((slot = idmap_next(&symbols->dsos[i]->replies, &cursor)))
			((struct reply *)slot->value)->keep = false;
	}
}

void symbols_write_embedded(struct symbols *symbols, const struct stack *stacks, size_t count,
			    struct str *out)
{
	struct embedding embedding = {
		STR_INIT, STR_INIT, STR_INIT, STR_INIT, STR_INIT, IDMAP_INIT,
	};
	struct embedded_head head = { .files = 0 };

	str_addc(&embedding.texts, '\0');
	str_addc(&embedding.paths, '\0');
	pthread_mutex_lock(&symbols->embed_lock);
	for (size_t i = 0; i < count; i++)
		symbols_embed(symbols, &stacks[i]);
	pthread_mutex_lock(&symbols->lock);
	put_kernel(symbols, &embedding);
	for (size_t i = 0; i < symbols->dsos_len; i++)
		if (symbols->dsos[i]->keep && has_room(&embedding))
			put_dso(symbols, &embedding, symbols->dsos[i]);
	forget_wanted(symbols);
	pthread_mutex_unlock(&symbols->lock);
	pthread_mutex_unlock(&symbols->embed_lock);
	head.files = count_of(&embedding.files, sizeof(struct embedded_file));
	head.replies = count_of(&embedding.replies, sizeof(struct embedded_reply));
	head.frames = count_of(&embedding.frames, sizeof(struct embedded_frame));
	head.text_bytes = (uint32_t)embedding.texts.len;
	head.path_bytes = (uint32_t)embedding.paths.len;
	str_addn(out, (const char *)&head, sizeof(head));
	str_addn(out, embedding.files.data, embedding.files.len);
	str_addn(out, embedding.replies.data, embedding.replies.len);
	str_addn(out, embedding.frames.data, embedding.frames.len);
	str_addn(out, embedding.texts.data, embedding.texts.len);
	str_addn(out, embedding.paths.data, embedding.paths.len);
	str_release(&embedding.files);
	str_release(&embedding.replies);
	str_release(&embedding.frames);
	str_release(&embedding.texts);
	str_release(&embedding.paths);
	idmap_release(&embedding.by_text);
}
