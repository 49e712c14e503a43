#include "engine/stack/worker/unwind_cfi.h"

#include <string.h>

#define LENGTH_64 0xffffffffU
#define DEBUG_COMMON 0xffffffffU

/* Pointer encodings (DW_EH_PE_*). */
enum {
	FORM_MASK = 0x0f,
	FORM_ABSPTR = 0x00,
	FORM_UDATA2 = 0x02,
	FORM_UDATA4 = 0x03,
	FORM_UDATA8 = 0x04,
	FORM_SDATA2 = 0x0a,
	FORM_SDATA4 = 0x0b,
	FORM_SDATA8 = 0x0c,
	RELATIVE_MASK = 0x70,
	RELATIVE_PC = 0x10,
	INDIRECT = 0x80,
};

struct common {
	uint8_t form; /* of addresses */
	bool has_data; /* FDEs have augmentation data */
	bool is_signal;
	uint64_t code_align, return_register;
	int64_t data_align;
	size_t instructions, end;
};

/* `failed` is set at the first read past the end or of an unknown form; later reads return 0. */
struct cursor {
	const struct cfi *cfi;
	size_t at, end;
	bool failed;
};

static bool take(struct cursor *cursor, void *out, size_t bytes)
{
	if (cursor->failed || cursor->end - cursor->at < bytes) {
		cursor->failed = true;
		memset(out, 0, bytes);
		return false;
	}
	memcpy(out, cursor->cfi->bytes + cursor->at, bytes);
	cursor->at += bytes;
	return true;
}

static uint8_t take_byte(struct cursor *cursor)
{
	uint8_t byte;

	take(cursor, &byte, 1);
	return byte;
}

static uint64_t take_leb(struct cursor *cursor, bool is_signed)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = take_byte(cursor);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && (byte & 0x40) && shift < 64)
		value |= UINT64_MAX << shift;
	return value;
}

static uint64_t take_address(struct cursor *cursor, uint8_t form)
{
	uint64_t from = cursor->cfi->address + cursor->at, value = 0;
	uint16_t two;
	uint32_t four;

	switch (form & FORM_MASK) {
	case FORM_ABSPTR:
	case FORM_UDATA8:
	case FORM_SDATA8:
		take(cursor, &value, 8);
		break;
	case FORM_UDATA4:
	case FORM_SDATA4:
		take(cursor, &four, 4);
		value = (form & FORM_MASK) == FORM_SDATA4 ? (uint64_t)(int64_t)(int32_t)four : four;
		break;
	case FORM_UDATA2:
	case FORM_SDATA2:
		take(cursor, &two, 2);
		value = (form & FORM_MASK) == FORM_SDATA2 ? (uint64_t)(int64_t)(int16_t)two : two;
		break;
	default:
		cursor->failed = true;
	}
	if ((form & RELATIVE_MASK) == RELATIVE_PC)
		value += from;
	else if (form & (RELATIVE_MASK | INDIRECT))
		cursor->failed = true;
	return value;
}

static bool read_entry(const struct cfi *cfi, size_t at, struct cfi_entry *entry, bool *is_wide)
{
	uint32_t length, id;
	uint64_t wide;

	if (at > cfi->len || cfi->len - at < 8)
		return false;
	memcpy(&length, cfi->bytes + at, 4);
	*is_wide = length == LENGTH_64;
	entry->at = at;
	if (*is_wide) {
		if (cfi->len - at < 12)
			return false;
		memcpy(&wide, cfi->bytes + at + 4, 8);
		if (wide > cfi->len - at - 12)
			return false;
		entry->end = at + 12 + (size_t)wide;
		return true;
	}
	if (length < 4 || length > cfi->len - at - 4)
		return false;
	memcpy(&id, cfi->bytes + at + 4, 4);
	entry->end = at + 4 + length;
	entry->body = at + 8;
	entry->is_common = id == (cfi->is_eh ? 0 : DEBUG_COMMON);
	entry->common_at = cfi->is_eh ? at + 4 - id : id;
	return true;
}

bool cfi_next(const struct cfi *cfi, size_t *at, struct cfi_entry *entry)
{
	bool is_wide;

	do {
		uint32_t length;

		/* A length of 0 ends one object's part of .eh_frame; another may follow. */
		while (cfi->is_eh && cfi->bytes && *at + 4 <= cfi->len &&
		       (memcpy(&length, cfi->bytes + *at, 4), !length))
			*at += 4;
		if (!cfi->bytes || !read_entry(cfi, *at, entry, &is_wide))
			return false;
		*at = entry->end;
	} while (is_wide);
	return true;
}

static void read_augmentation(struct cursor *cursor, const char *letters, struct common *common)
{
	for (; *letters && !cursor->failed; letters++) {
		uint8_t form;

		switch (*letters) {
		case 'R':
			common->form = take_byte(cursor);
			break;
		case 'P':
			form = take_byte(cursor);
			take_address(cursor, form & FORM_MASK);
			break;
		case 'L':
			take_byte(cursor);
			break;
		case 'S':
			common->is_signal = true;
			break;
		case 'B':
			break;
		default:
			return; /* skip the unknown data: its end is known */
		}
	}
}

static bool read_common(const struct cfi *cfi, size_t at, struct common *common)
{
	struct cfi_entry entry;
	struct cursor cursor;
	char letters[16];
	size_t count = 0;
	uint64_t bytes;
	uint8_t version;
	bool is_wide;

	memset(common, 0, sizeof(*common));
	if (!read_entry(cfi, at, &entry, &is_wide) || is_wide || !entry.is_common)
		return false;
	cursor = (struct cursor){ .cfi = cfi, .at = entry.body, .end = entry.end };
	version = take_byte(&cursor);
	do {
		letters[count] = (char)take_byte(&cursor);
	} while (letters[count] && ++count < sizeof(letters));
	if (count == sizeof(letters))
		return false;
	if (version == 4 && (take_byte(&cursor) != 8 || take_byte(&cursor) != 0))
		return false; /* address size and segment selector size */
	common->code_align = take_leb(&cursor, false);
	common->data_align = (int64_t)take_leb(&cursor, true);
	common->return_register = version == 1 ? take_byte(&cursor) : take_leb(&cursor, false);
	common->end = entry.end;
	if (letters[0] == 'z') {
		bytes = take_leb(&cursor, false);
		if (cursor.failed || bytes > cursor.end - cursor.at)
			return false;
		common->instructions = cursor.at + (size_t)bytes;
		common->has_data = true;
		cursor.end = common->instructions;
		read_augmentation(&cursor, letters + 1, common);
	} else {
		common->instructions = cursor.at;
		if (letters[0])
			return false;
	}
	return !cursor.failed;
}

static bool read_frame(const struct cfi *cfi, const struct cfi_entry *entry, struct common *common,
		       uint64_t *start, uint64_t *bytes, size_t *instructions)
{
	struct cursor cursor = { .cfi = cfi, .at = entry->body, .end = entry->end };
	uint64_t data = 0;

	if (!read_common(cfi, entry->common_at, common))
		return false;
	*start = take_address(&cursor, common->form);
	*bytes = take_address(&cursor, common->form & FORM_MASK);
	if (common->has_data)
		data = take_leb(&cursor, false);
	if (cursor.failed || data > cursor.end - cursor.at)
		return false;
	*instructions = cursor.at + (size_t)data;
	return true;
}

bool cfi_range(const struct cfi *cfi, const struct cfi_entry *entry, uint64_t *start,
	       uint64_t *bytes)
{
	struct common common;
	size_t instructions;

	return read_frame(cfi, entry, &common, start, bytes, &instructions);
}

/* -- Writing ------------------------------------------------------------------------ */

struct writer {
	unsigned char *out;
	size_t at, max;
	bool full;
};

static void put(struct writer *writer, const void *bytes, size_t len)
{
	if (writer->full || writer->max - writer->at < len) {
		writer->full = true;
		return;
	}
	memcpy(writer->out + writer->at, bytes, len);
	writer->at += len;
}

static void put_u32(struct writer *writer, uint32_t value)
{
	put(writer, &value, sizeof(value));
}

static void put_leb(struct writer *writer, uint64_t value, bool is_signed)
{
	for (;;) {
		uint8_t byte = value & 0x7f;

		value = is_signed ? (uint64_t)((int64_t)value >> 7) : value >> 7;
		if (is_signed ? (value == 0 && !(byte & 0x40)) ||
					(value == UINT64_MAX && (byte & 0x40))
			      : value == 0) {
			put(writer, &byte, 1);
			return;
		}
		byte |= 0x80;
		put(writer, &byte, 1);
	}
}

/* Pads the entry that begins at `from` with DW_CFA_nop and fills in its length. */
static void end_entry(struct writer *writer, size_t from)
{
	uint32_t length;

	while (!writer->full && writer->at % 8)
		put(writer, "", 1);
	length = (uint32_t)(writer->at - from - 4);
	if (!writer->full)
		memcpy(writer->out + from, &length, sizeof(length));
}

size_t cfi_rewrite(const struct cfi *cfi, size_t at, uint64_t bias, unsigned char *out, size_t max,
		   size_t *frame_at)
{
	struct writer writer = { .out = out, .max = max };
	uint8_t form = FORM_ABSPTR;
	struct cfi_entry entry;
	struct common common;
	uint64_t start, bytes;
	size_t instructions;
	bool is_wide;

	if (!read_entry(cfi, at, &entry, &is_wide) || is_wide || entry.is_common ||
	    !read_frame(cfi, &entry, &common, &start, &bytes, &instructions))
		return 0;
	start += bias;
	put_u32(&writer, 0);
	put_u32(&writer, 0);
	/* The version, then the augmentation string with its NUL. */
	put(&writer, common.is_signal ? "\3zRS" : "\3zR", common.is_signal ? 5 : 4);
	put_leb(&writer, common.code_align, false);
	put_leb(&writer, (uint64_t)common.data_align, true);
	put_leb(&writer, common.return_register, false);
	put_leb(&writer, 1, false);
	put(&writer, &form, 1);
	put(&writer, cfi->bytes + common.instructions, common.end - common.instructions);
	end_entry(&writer, 0);
	*frame_at = writer.at;
	put_u32(&writer, 0);
	put_u32(&writer, (uint32_t)writer.at);
	put(&writer, &start, sizeof(start));
	put(&writer, &bytes, sizeof(bytes));
	put_leb(&writer, 0, false);
	put(&writer, cfi->bytes + instructions, entry.end - instructions);
	end_entry(&writer, *frame_at);
	return writer.full ? 0 : writer.at;
}
