#include "engine/late/late_bytes.h"

#include "engine/base/clock.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"
#include "engine/decode/captured_bytes.h"
#include "engine/late/late_probe.h"
#include "engine/record/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ASK_BYTES_MAX LATE_PROBE_BYTES_MAX
#define CALL_BYTES_MAX (1u << 18) /* maximum bytes per call */
#define REFUSED_MS 1000 /* an unreadable process is not read again within this time */
#define REFUSED_MAX 4096

struct late_bytes {
	const struct syscalls *syscalls;
	struct call_text_options options;
	struct call_bytes provider;
	struct spaces *spaces; /* borrowed; NULL: any file is accepted, no constants */
	struct reader *reader;
	bool has_own_reader; /* `reader` is owned and reads on the calling thread */
	struct idmap refused; /* by pid: time of the refusal, in ms */
	struct str text; /* output of the decoder, discarded */
	unsigned char *buffer;
	/* The call that is being read. */
	struct late_memory memory;
	struct captured_bytes known;
	struct str *chunks;
	size_t from; /* start of this call's chunks in `chunks` */
};

static void answer(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
		   struct bytes_answer *reported);

struct late_bytes *late_bytes_new(const struct syscalls *syscalls, struct spaces *spaces,
				  struct reader *reader, uint32_t string_bytes)
{
	struct late_bytes *late = mem_zalloc(1, sizeof(*late));

	late->syscalls = syscalls;
	late->provider = (struct call_bytes){ .read = answer, .ctx = late };
	late->options = (struct call_text_options){ .string_bytes = string_bytes,
						    .wait = true,
						    .bytes = &late->provider };
	late->spaces = spaces;
	late->reader = reader ? reader : late_probe_new_here();
	late->has_own_reader = !reader;
	late->buffer = mem_alloc(ASK_BYTES_MAX);
	idmap_init(&late->refused);
	str_init(&late->text);
	return late;
}

void late_bytes_free(struct late_bytes *late)
{
	if (!late)
		return;
	if (late->has_own_reader)
		reader_free(late->reader);
	idmap_release(&late->refused);
	str_release(&late->text);
	free(late->buffer);
	free(late);
}

/* -- Memory ---------------------------------------------------------------------------- */

static bool is_refused(const struct late_bytes *late, uint32_t pid)
{
	uint64_t since_ms = (uintptr_t)idmap_get(&late->refused, pid);

	return since_ms && clock_now_ns() / NS_PER_MS < since_ms + REFUSED_MS;
}

static void refuse(struct late_bytes *late, uint32_t pid)
{
	if (late->refused.count >= REFUSED_MAX)
		idmap_clear(&late->refused);
	idmap_put(&late->refused, pid, (void *)(uintptr_t)(clock_now_ns() / NS_PER_MS + 1));
}

/* Append the buffer as a chunk, so that the formatter of the call finds the bytes. */
static void keep(struct late_bytes *late, const struct bytes_ask *ask, size_t len, bool cut,
		 enum bytes_origin origin)
{
	struct capture_chunk chunk = {
		.address = ask->address,
		.len = (uint32_t)len,
		.arg = ask->arg,
		.flags = (uint8_t)((ask->when == BYTES_AT_EXIT ? CAPTURE_AT_EXIT : 0) |
				   (cut ? CAPTURE_CUT : 0)),
		.origin = (uint8_t)origin,
	};
	static const char padding[8];

	str_addn(late->chunks, (const char *)&chunk, sizeof(chunk));
	str_addn(late->chunks, (const char *)late->buffer, len);
	str_addn(late->chunks, padding, CAPTURE_CHUNK_BYTES(len) - sizeof(chunk) - len);
}

/*
 * True if the nearest code below the address is that of this file. A data mapping can be replaced
 * without a record, but all code mappings are known, see late_memory.generation.
 */
static bool is_of_program(const struct late_bytes *late, const struct call *call, uint64_t address,
			  const struct image_file *file)
{
	uint32_t generation = late->memory.generation;
	struct mapping code;

	if (!late->spaces)
		return true;
	if (!spaces_find_code_below(late->spaces, call->pid, generation, address, &code) &&
	    !(spaces_load_proc(late->spaces, call->pid, generation) &&
	      spaces_find_code_below(late->spaces, call->pid, generation, address, &code)))
		return false;
	return code.inode == file->inode && code.dev_major == file->major &&
	       code.dev_minor == file->minor;
}

/* Read into the buffer. Return the number of bytes; *origin: BYTES_IMAGE or BYTES_LATE. */
static size_t read_from_process(struct late_bytes *late, const struct call *call,
				const struct bytes_ask *ask, size_t want, enum bytes_origin *origin)
{
	bool given = ask->when == BYTES_AT_ENTER, image = false;
	struct image_file file;
	long len;

	if (late->memory.gone || is_refused(late, call->pid) ||
	    (late->memory.constants_only && !given))
		return 0;
	/* Output buffers of a call are never in read-only memory: skip that check. */
	len = late_probe_memory(late->reader, call->pid, ask->address, late->buffer, want,
				ask->text, given ? call->enter_ns : 0, &image, &file);
	if (len < 0)
		refuse(late, call->pid);
	if (len <= 0)
		return 0;
	*origin = image && is_of_program(late, call, ask->address, &file) ? BYTES_IMAGE
									  : BYTES_LATE;
	return *origin == BYTES_LATE && late->memory.constants_only ? 0 : (size_t)len;
}

static size_t read_from_files(struct late_bytes *late, const struct call *call,
			      const struct bytes_ask *ask, size_t want, enum bytes_origin *origin)
{
	struct mapping mapping;

	if (!late->spaces || ask->when != BYTES_AT_ENTER)
		return 0;
	/* The constants of a file are above its code and below the code of the next file. */
	if (!spaces_find_code_below(late->spaces, call->pid, late->memory.generation, ask->address,
				    &mapping) ||
	    !mapping.inode)
		return 0;
	*origin = BYTES_IMAGE;
	return late_probe_answering(late->buffer, ask->text, want,
				    late_probe_constant(late->reader, &mapping, ask->address,
							late->buffer, want, call->enter_ns));
}

/* Answer from the known chunks, otherwise from the present memory or from files. */
static void answer(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
		   struct bytes_answer *reported)
{
	struct late_bytes *late = ctx;
	struct captured_bytes own = { .chunks = late->chunks->data + late->from,
				      .len = late->chunks->len - late->from };
	size_t want = ask->len < ASK_BYTES_MAX ? ask->len : ASK_BYTES_MAX, len;
	enum bytes_origin origin;

	captured_bytes_read(&late->known, call, ask, to, reported);
	if (!reported->len)
		captured_bytes_read(&own, call, ask, to, reported);
	if (reported->len || !want || own.len > CALL_BYTES_MAX)
		return;
	len = read_from_process(late, call, ask, want, &origin);
	if (!len)
		len = read_from_files(late, call, ask, want, &origin);
	if (!len)
		return;
	keep(late, ask, len, want < ask->len, origin);
	memcpy(to, late->buffer, len);
	reported->len = (uint32_t)len;
	reported->cut = want < ask->len;
	reported->origin = (uint8_t)origin;
}

static void note_time(struct str *chunks)
{
	const struct capture_chunk chunk = { .address = clock_now_ns(),
					     .flags = CAPTURE_TIME | CAPTURE_NO_MEMORY };

	str_addn(chunks, (const char *)&chunk, sizeof(chunk));
}

void late_bytes_read(struct late_bytes *late, const struct call *call,
		     const struct late_memory *memory, const void *known, size_t known_len,
		     struct str *chunks)
{
	if (!call_was_made(call) || call->state == CALL_ORPHAN || !call->pid)
		return;
	late->memory = *memory;
	late->known = (struct captured_bytes){ .chunks = known, .len = known_len };
	late->chunks = chunks;
	late->from = chunks->len;
	/* Formatting makes the decoder request the memory that it needs; discard the text. */
	str_clear(&late->text);
	call_text(&late->text, late->syscalls, call, &late->options);
	str_clear(&late->text);
	call_text_result(&late->text, late->syscalls, call, &late->options);
	if (chunks->len > late->from)
		note_time(chunks);
}
