#include "engine/source/tracepoint.h"

#include "engine/base/mem.h"
#include "engine/base/str.h"
#include "engine/source/print_format.h"
#include "engine/source/tracefs.h"

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct tracepoint {
	struct tep_handle *tep;
	struct tep_event *event; /* belongs to tep */
	bool prints; /* true: print by the print format; false: field by field */
};

#define NESTING_MAX 64

/*
 * True if the arguments of an untrusted print format read only fields, which tracepoint_holds()
 * checks, and use only operators that cannot fail.
 */
static bool are_plain(const struct tep_print_arg *arg, unsigned int depth)
{
	for (; arg; arg = arg->next) {
		bool plain = false;

		if (depth > NESTING_MAX)
			return false;
		switch (arg->type) {
		case TEP_PRINT_ATOM:
		case TEP_PRINT_FIELD:
		case TEP_PRINT_STRING:
			plain = true;
			break;
		case TEP_PRINT_FLAGS:
			plain = are_plain(arg->flags.field, depth + 1);
			break;
		case TEP_PRINT_SYMBOL:
			plain = are_plain(arg->symbol.field, depth + 1);
			break;
		case TEP_PRINT_TYPE:
			plain = are_plain(arg->typecast.item, depth + 1);
			break;
		case TEP_PRINT_OP:
			plain = arg->op.op && !strpbrk(arg->op.op, "/%[") &&
				are_plain(arg->op.left, depth + 1) &&
				are_plain(arg->op.right, depth + 1);
			break;
		default:
			break;
		}
		if (!plain)
			return false;
	}
	return true;
}

static int parse(struct tracepoint **out, const char *system, const char *text, size_t bytes,
		 struct err *err)
{
	struct tracepoint *tracepoint = mem_zalloc(1, sizeof(*tracepoint));
	enum tep_errno code;

	tracepoint->tep = tep_alloc();
	if (!tracepoint->tep) {
		tracepoint_free(tracepoint);
		return err_set(err, -ENOMEM, "no memory for the tracepoint formats of %s", system);
	}
	/* Silence libtraceevent: engine/ never prints, and print format errors do no harm. */
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tracepoint->tep, (int)sizeof(long));
	code = tep_parse_format(tracepoint->tep, &tracepoint->event, text, bytes, system);
	/* If libtraceevent cannot parse the print format, the fields are still usable. */
	if (!tracepoint->event || !tracepoint->event->name) {
		tracepoint_free(tracepoint);
		return err_set(err, -EINVAL,
			       "cannot parse a tracepoint format of %s (libtraceevent: error %d)",
			       system, (int)code);
	}
	*out = tracepoint;
	return 0;
}

int tracepoint_parse(struct tracepoint **out, const char *system, const char *text, size_t bytes,
		     struct err *err)
{
	struct str fields = STR_INIT;
	int ret;

	str_addn(&fields, text, print_format_at(text, bytes));
	str_add(&fields, "print fmt: \"\"\n");
	ret = parse(out, system, fields.data, fields.len, err);
	str_release(&fields);
	return ret;
}

static bool has_field(void *ctx, const char *name, size_t len)
{
	const struct tracepoint *tracepoint = ctx;
	char whole[64];

	if (len >= sizeof(whole))
		return false;
	memcpy(whole, name, len);
	whole[len] = '\0';
	return tep_find_any_field(tracepoint->event, whole) != NULL;
}

/* Parse the fields. If the print format is harmless, parse again with it. */
static int parse_foreign(struct tracepoint **out, const char *system, const char *text,
			 size_t bytes, struct err *err)
{
	size_t at = print_format_at(text, bytes);
	struct tracepoint *whole;
	int ret;

	if (!format_fields_are_plain(text, bytes))
		return err_set(err, -EINVAL, "a tracepoint format of %s is malformed", system);
	ret = tracepoint_parse(out, system, text, bytes, err);
	if (ret || at == bytes || !print_format_is_plain(text + at, bytes - at, has_field, *out) ||
	    parse(&whole, system, text, bytes, NULL))
		return ret;
	whole->prints = are_plain(whole->event->print_fmt.args, 0);
	tracepoint_free(*out);
	*out = whole;
	return 0;
}

int tracepoint_parse_text(struct tracepoint **out, const char *system, const char *text,
			  size_t bytes, bool foreign, struct err *err)
{
	int ret;

	if (foreign)
		return parse_foreign(out, system, text, bytes, err);
	ret = parse(out, system, text, bytes, err);
	if (!ret)
		(*out)->prints = print_format_at(text, bytes) < bytes;
	return ret;
}

int tracepoint_load(struct tracepoint **tracepoint, const char *tracefs, const char *system,
		    const char *name, struct err *err)
{
	size_t bytes;
	char *text;
	int ret;

	ret = tracefs_read(tracefs, system, name, "format", &text, &bytes, err);
	if (ret)
		return ret;
	ret = tracepoint_parse(tracepoint, system, text, bytes, err);
	free(text);
	return ret;
}

void tracepoint_free(struct tracepoint *tracepoint)
{
	if (!tracepoint)
		return;
	if (tracepoint->tep)
		tep_free(tracepoint->tep);
	free(tracepoint);
}

uint64_t tracepoint_id(const struct tracepoint *tracepoint)
{
	return (uint64_t)tracepoint->event->id;
}

const char *tracepoint_name(const struct tracepoint *tracepoint)
{
	return tracepoint->event->name;
}

int tracepoint_field(const struct tracepoint *tracepoint, const char *name,
		     struct tracepoint_field *field, struct err *err)
{
	struct tep_format_field *found = tep_find_field(tracepoint->event, name);
	int bytes, count = 1;

	if (!found)
		found = tep_find_common_field(tracepoint->event, name);
	memset(field, 0, sizeof(*field));
	if (!found)
		return err_set(err, -ENOENT, "the tracepoint %s:%s of this kernel has no field %s",
			       tracepoint->event->system, tracepoint->event->name, name);
	bytes = found->size;
	if (found->flags & TEP_FIELD_IS_ARRAY && found->arraylen) {
		count = (int)found->arraylen;
		bytes = found->size / count;
	}
	if (found->offset < 0 || bytes < 1 || bytes > 8 || (bytes & (bytes - 1)) ||
	    found->offset + bytes * count > UINT16_MAX)
		return err_set(err, -EINVAL,
			       "the field %s of tracepoint %s:%s has an unsupported layout (%d "
			       "bytes at %d)",
			       name, tracepoint->event->system, tracepoint->event->name,
			       found->size, found->offset);
	field->offset = (uint16_t)found->offset;
	field->bytes = (uint16_t)bytes;
	field->count = (uint16_t)count;
	field->is_signed = found->flags & TEP_FIELD_IS_SIGNED;
	return 0;
}

unsigned tracepoint_words(const struct tracepoint *tracepoint, uint16_t offset, const char **names,
			  unsigned max)
{
	unsigned count = 0;

	for (const struct tep_format_field *field = tracepoint->event->format.fields;
	     field && count < max; field = field->next) {
		if (field->offset != (int)(offset + 8 * count))
			continue;
		if (field->size != 8 || field->flags & TEP_FIELD_IS_DYNAMIC)
			break;
		names[count++] = field->name;
	}
	return count;
}

bool tracepoint_loc(const struct tracepoint *tracepoint, const char *name, uint16_t *offset)
{
	const struct tep_format_field *field = tep_find_field(tracepoint->event, name);

	if (!field || !(field->flags & TEP_FIELD_IS_DYNAMIC) || field->size != 4 ||
	    field->offset < 0 || field->offset > UINT16_MAX - 4)
		return false;
	*offset = (uint16_t)field->offset;
	return true;
}

/* -- As text ----------------------------------------------------------------------- */

/* Location of the bytes of a variable-length field. */
struct place {
	size_t at, len;
};

static struct place place_of(const struct tep_format_field *field, const void *raw)
{
	struct place place;
	uint32_t word;

	memcpy(&word, (const unsigned char *)raw + field->offset, sizeof(word));
	place.at = word & 0xffff;
	place.len = word >> 16;
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		place.at += (size_t)field->offset + (size_t)field->size;
	return place;
}

static bool hold(const struct tep_format_field *field, const void *raw, size_t bytes)
{
	for (; field; field = field->next) {
		struct place place;

		if (field->offset < 0 || field->size < 0 ||
		    (size_t)field->offset + (size_t)field->size > bytes)
			return false;
		if (!(field->flags & TEP_FIELD_IS_DYNAMIC))
			continue;
		if (field->size != sizeof(uint32_t))
			return false;
		place = place_of(field, raw);
		if (place.at + place.len > bytes)
			return false;
	}
	return true;
}

bool tracepoint_holds(const struct tracepoint *tracepoint, const void *raw, size_t bytes)
{
	return hold(tracepoint->event->format.common_fields, raw, bytes) &&
	       hold(tracepoint->event->format.fields, raw, bytes);
}

static void add_number(struct str *out, const struct tep_format_field *field, const void *at,
		       size_t bytes)
{
	bool is_signed = field->flags & TEP_FIELD_IS_SIGNED;
	bool address = !is_signed && field->flags & (TEP_FIELD_IS_POINTER | TEP_FIELD_IS_LONG);
	struct tracepoint_field shape = { .bytes = (uint16_t)bytes,
					  .count = 1,
					  .is_signed = is_signed };
	uint64_t value = tracepoint_value(&shape, at, 0);

	if (address)
		str_addx(out, value);
	else if (is_signed)
		str_addd(out, (int64_t)value);
	else
		str_addu(out, value);
}

#define ELEMENTS_MAX 64

/* Append elements of 2, 4 or 8 bytes; for any other size, single bytes. */
static void add_elements(struct str *out, const struct tep_format_field *field,
			 const unsigned char *at, size_t len)
{
	size_t each = field->elementsize, count;

	if (each != 2 && each != 4 && each != 8)
		each = 1;
	count = len / each;
	str_addc(out, '{');
	for (size_t i = 0; i < count && i < ELEMENTS_MAX; i++) {
		if (i)
			str_addc(out, ',');
		add_number(out, field, at + i * each, each);
	}
	str_add(out, count > ELEMENTS_MAX ? ",...}" : "}");
}

static void add_field(struct str *out, const struct tep_format_field *field, const void *raw)
{
	struct place place = { .at = (size_t)field->offset, .len = (size_t)field->size };
	const unsigned char *at;

	if (field->flags & TEP_FIELD_IS_DYNAMIC)
		place = place_of(field, raw);
	at = (const unsigned char *)raw + place.at;
	if (field->flags & TEP_FIELD_IS_STRING)
		str_addn(out, (const char *)at, strnlen((const char *)at, place.len));
	else if (field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC))
		add_elements(out, field, at, place.len);
	else
		add_number(out, field, at, place.len);
}

void tracepoint_each_field(const struct tracepoint *tracepoint, const void *raw, size_t bytes,
			   tracepoint_field_fn *each, void *ctx)
{
	struct str value = STR_INIT;

	if (!tracepoint_holds(tracepoint, raw, bytes))
		return;
	for (const struct tep_format_field *field = tracepoint->event->format.fields; field;
	     field = field->next) {
		str_clear(&value);
		add_field(&value, field, raw);
		each(ctx, field->name, value.data);
	}
	str_release(&value);
}

static void add_named(void *ctx, const char *name, const char *value)
{
	struct str *out = ctx;

	if (out->len)
		str_addc(out, ' ');
	str_addf(out, "%s=%s", name, value);
}

void tracepoint_add_text(const struct tracepoint *tracepoint, const void *raw, size_t bytes,
			 uint32_t cpu, struct str *out)
{
	struct tep_record record = {
		.size = (int)bytes,
		.record_size = (int)bytes,
		.cpu = (int)cpu,
		.data = (void *)(uintptr_t)raw,
	};
	struct trace_seq text;
	size_t len;

	if (!tracepoint->prints) {
		struct str fields = STR_INIT;

		tracepoint_each_field(tracepoint, raw, bytes, add_named, &fields);
		str_addn(out, fields.data, fields.len);
		str_release(&fields);
		return;
	}
	trace_seq_init(&text);
	tep_print_event(tracepoint->tep, &text, &record, "%s", TEP_PRINT_INFO);
	if (text.state == TRACE_SEQ__GOOD) {
		len = text.len;
		while (len && (text.buffer[len - 1] == '\n' || text.buffer[len - 1] == ' '))
			len--;
		str_addn(out, text.buffer, len);
	}
	trace_seq_destroy(&text);
}
