#include "tui/calls/call_texts.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Maximum size of all texts: paths and vectors can be long, but few calls are visible. */
#define TEXT_BYTES_MAX (4u << 20)

/* Identifies a call; changes when the call returns. */
struct call_text_key {
	uint64_t enter_ns, bytes_at;
	uint32_t tid;
	uint16_t nr;
	uint8_t state;
};

struct call_text {
	struct call_text_key key;
	uint64_t version; /* engine_bytes_version() when the text was formatted */
	size_t known; /* number of available bytes that the call points to */
	struct call_line line;
};

void call_texts_init(struct call_texts *texts)
{
	memset(texts, 0, sizeof(*texts));
	idmap_init(&texts->by_call);
}

void call_texts_release(struct call_texts *texts)
{
	for (size_t i = 0; texts->slots && i < CALL_TEXTS_MAX; i++)
		str_release(&texts->slots[i].line.text);
	free(texts->slots);
	free(texts->wanted);
	idmap_release(&texts->by_call);
	engine_bytes_release(&texts->pointed);
}

struct call_text_options call_texts_options(const struct session *session,
					    const struct call_bytes *bytes)
{
	return (struct call_text_options){
		.arg_names = session->options->arg_names,
		.string_bytes = session->string_bytes,
		.hex_strings = session->options->hex_strings,
		.fd_namer = engine_fd_namer(session->engine),
		.bytes = bytes,
	};
}

static struct call_text_key key_of(const struct call *call)
{
	return (struct call_text_key){ call->enter_ns, call->bytes_at, call->tid, call->nr,
				       call->state };
}

static bool is_key(const struct call_text_key *a, const struct call_text_key *b)
{
	return a->enter_ns == b->enter_ns && a->bytes_at == b->bytes_at && a->tid == b->tid &&
	       a->nr == b->nr && a->state == b->state;
}

/* Two calls can share a hash; the map then refers to the later one. */
static uint64_t hash_of(const struct call_text_key *key)
{
	uint64_t hash = hash_mix(hash_u64(key->enter_ns), (uint64_t)key->nr << 32 | key->tid);

	return hash_mix(hash_mix(hash, key->bytes_at), key->state);
}

static struct call_text *find(const struct call_texts *texts, const struct call *call)
{
	struct call_text_key key = key_of(call);
	struct call_text *text = idmap_get(&texts->by_call, hash_of(&key));

	return text && is_key(&text->key, &key) ? text : NULL;
}

static void drop_oldest(struct call_texts *texts)
{
	struct call_text *text = &texts->slots[texts->head];
	uint64_t hash = hash_of(&text->key);

	if (idmap_get(&texts->by_call, hash) == text)
		idmap_remove(&texts->by_call, hash);
	texts->bytes -= text->line.text.cap;
	str_release(&text->line.text);
	texts->head = (texts->head + 1) % CALL_TEXTS_MAX;
	texts->count--;
}

static void write_event(struct str *out, const struct session *session, const struct call *call,
			const struct call_bytes *bytes)
{
	size_t before;

	str_add(out, engine_event_name(session->engine, call));
	str_add(out, "  ");
	before = out->len;
	if (!engine_event_text(session->engine, call, bytes, out))
		str_addc(out, '?');
	else if (out->len == before)
		str_cut(out, before - 2);
}

void call_texts_write(struct str *out, const struct session *session, const struct call *call,
		      const struct call_text_options *options, struct call_text_spans *spans)
{
	const struct syscalls *syscalls = engine_syscalls(session->engine);

	if (call->state == CALL_EVENT)
		write_event(out, session, call, options->bytes);
	else if (spans)
		call_text_spans(out, syscalls, call, options, spans);
	else
		call_text(out, syscalls, call, options);
}

static void make_text(struct call_texts *texts, const struct session *session,
		      const struct call *call, const struct call_bytes *bytes,
		      struct call_text *text)
{
	struct call_text_options options = call_texts_options(session, bytes);
	struct call_line *line = &text->line;

	/*
	 * Show AT_FDCWD without its directory: the path argument matters more, and the detail page
	 * shows both.
	 */
	options.bare_cwd = true;
	texts->bytes -= line->text.cap;
	str_clear(&line->text);
	line->spans.count = 0;
	call_texts_write(&line->text, session, call, &options, &line->spans);
	texts->bytes += line->text.cap;
}

static struct call_text *new_text(struct call_texts *texts, const struct call *call)
{
	struct call_text *text;

	if (!texts->slots)
		texts->slots = mem_zalloc(CALL_TEXTS_MAX, sizeof(*texts->slots));
	while (texts->count == CALL_TEXTS_MAX || (texts->count && texts->bytes > TEXT_BYTES_MAX))
		drop_oldest(texts);
	text = &texts->slots[(texts->head + texts->count++) % CALL_TEXTS_MAX];
	*text = (struct call_text){ .key = key_of(call) };
	str_init(&text->line.text);
	idmap_put(&texts->by_call, hash_of(&text->key), text);
	return text;
}

const struct call_line *call_texts_add(struct call_texts *texts, const struct session *session,
				       const struct call *call, const struct call_bytes *bytes,
				       size_t known)
{
	struct call_text *text = find(texts, call);
	/* Retain a text made from more bytes: the history can have evicted some of them since. */
	bool less = text && known < text->known;

	if (!text)
		text = new_text(texts, call);
	text->version = texts->version;
	if (!less) {
		text->known = known;
		make_text(texts, session, call, bytes, text);
	}
	return &text->line;
}

/* Collect the calls that have no text, or one from an earlier version of the bytes. */
static size_t take_wanted(struct call_texts *texts, const struct call *const *calls, size_t count)
{
	size_t wanted = 0;

	if (count > texts->wanted_room) {
		texts->wanted = mem_realloc(texts->wanted, count, sizeof(*texts->wanted));
		texts->wanted_room = count;
	}
	for (size_t i = 0; i < count; i++) {
		const struct call_text *text = find(texts, calls[i]);

		if (calls[i]->state != CALL_GAP && (!text || text->version != texts->version))
			texts->wanted[wanted++] = *calls[i];
	}
	return wanted;
}

static void copy(struct call_texts *texts, const struct session *session, const struct call *calls,
		 size_t count)
{
	struct engine_bytes *pointed = &texts->pointed;

	texts->version = engine_bytes_version(session->engine);
	engine_bytes_copy(session->engine, calls, count, pointed);
	for (size_t i = 0; i < count; i++)
		call_texts_add(texts, session, &calls[i], engine_bytes_of(pointed, i),
			       pointed->captured.len);
	engine_bytes_look(session->engine, calls, count, pointed);
}

void call_texts_prepare(struct call_texts *texts, struct session *session,
			const struct call *const *calls, size_t count)
{
	if (count > CALL_TEXTS_MAX / 2)
		count = CALL_TEXTS_MAX / 2;
	texts->version = engine_bytes_version(session->engine);
	while (texts->count && texts->string_bytes != session->string_bytes)
		drop_oldest(texts);
	texts->string_bytes = session->string_bytes;
	count = take_wanted(texts, calls, count);
	if (count)
		copy(texts, session, texts->wanted, count);
}

const struct call_line *call_texts_line(struct call_texts *texts, struct session *session,
					const struct call *call)
{
	if (!find(texts, call))
		copy(texts, session, call, 1);
	return &find(texts, call)->line;
}
