/*
 * perfdata_writer_private - what the parts of perfdata_writer share. Nobody else includes it.
 */
#ifndef RECORDER_PERFDATA_WRITER_PRIVATE_H
#define RECORDER_PERFDATA_WRITER_PRIVATE_H

#include "engine/recorder/perfdata_sections.h"
#include "engine/recorder/perfdata_seek_index_writer.h"
#include "engine/recorder/perfdata_writer.h"
#include "engine/recording/perfdata_compress.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/perfdata_header.h"

/* What every perf since Linux 4.1 knows; newer fields are zero. */
#define PERFDATA_WRITER_ATTR_BYTES PERF_ATTR_SIZE_VER5

struct section {
	uint64_t offset, size;
};

struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4];
};

struct perfdata_writer {
	int fd;
	bool begun; /* what is in front of the records is there */
	bool any; /* records are, too */
	int error; /* -errno of the first write that failed */
	bool pipe; /* nothing is gone back to */
	const struct perfdata_machine *machine;
	struct perf_section_event *events;
	struct perfdata_machine_format *others; /* owned: those from PERFDATA_EXT_EVENT_OTHERS on */
	char **names; /* owned: of all events */
	size_t event_count, event_cap, name_cap, other_cap;
	size_t events_written; /* are in the file already */
	struct perfdata_writer_options options;
	struct perfdata_compress *pack; /* NULL: records go in as they are */
	struct str packed;
	struct section sections[PERF_FEATURE_WRITTEN];
	struct str own[PERFDATA_EXT_FEATURES]; /* packed; empty: there is none */
	const char *build_ids; /* borrowed */
	size_t build_ids_len;
	struct file_header header;
	uint64_t at; /* everything below was written */
	uint64_t checked_at; /* of the last checkpoint */
	uint64_t observations_at; /* the last record of these; 0: there is none */
	struct perfdata_seek_index_writer seek_index;
	uint64_t times[2];
};

/* Behind all that was written. -errno, now and from now on. */
int perfdata_writer_append(struct perfdata_writer *writer, const void *bytes, size_t len);
/*
 * Appends the contents of one feature's section; false: it has none. Of those that are of what
 * is known in front of the records, and have no place of their own in a pipe.
 */
bool perfdata_writer_feature(const struct perfdata_writer *writer, enum perf_feature feature,
			     struct str *bytes);

/* perfdata_writer_pipe.c: what stands in front of the records, as records. */
int perfdata_writer_pipe_begin(struct perfdata_writer *writer);
/* The same: an event that came later. */
int perfdata_writer_pipe_event(struct perfdata_writer *writer, size_t index);
/* As pwrite() at the end, until all is written or nobody wants it any more. -errno. */
int perfdata_writer_pipe_write(struct perfdata_writer *writer, const void *bytes, size_t len);

#endif
