#include "engine/source/tracepoint.h"

#include "engine/base/mem.h"
#include "engine/source/tracefs.h"

#include <traceevent/event-parse.h>

#include <errno.h>
#include <stdlib.h>

struct tracepoint {
	struct tep_handle *tep;
	struct tep_event *event; /* belongs to tep */
};

int tracepoint_parse(struct tracepoint **out, const char *system, const char *text, size_t bytes,
		     struct err *err)
{
	struct tracepoint *tracepoint = mem_zalloc(1, sizeof(*tracepoint));
	enum tep_errno code;

	tracepoint->tep = tep_alloc();
	if (!tracepoint->tep) {
		tracepoint_free(tracepoint);
		return err_set(err, -ENOMEM, "no memory for the tracepoint formats of %s", system);
	}
	/* What the print format lacks is no concern of ours, and engine/ never prints. */
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tracepoint->tep, (int)sizeof(long));
	code = tep_parse_format(tracepoint->tep, &tracepoint->event, text, bytes, system);
	/* A print format that libtraceevent cannot parse leaves the fields usable. */
	if (!tracepoint->event) {
		tracepoint_free(tracepoint);
		return err_set(err, -EINVAL, "a tracepoint format of %s cannot be understood "
			       "(libtraceevent: error %d)", system, (int)code);
	}
	*out = tracepoint;
	return 0;
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
			       "the field %s of tracepoint %s:%s has a shape that stxtop cannot "
			       "read (%d bytes at %d)", name, tracepoint->event->system,
			       tracepoint->event->name, found->size, found->offset);
	field->offset = (uint16_t)found->offset;
	field->bytes = (uint16_t)bytes;
	field->count = (uint16_t)count;
	field->is_signed = found->flags & TEP_FIELD_IS_SIGNED;
	return 0;
}

unsigned tracepoint_words(const struct tracepoint *tracepoint, uint16_t offset,
			  const char **names, unsigned max)
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
