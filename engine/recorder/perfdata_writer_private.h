/*
 * perfdata_writer_private - state shared by the parts of perfdata_writer. Included only by these.
 */
#ifndef RECORDER_PERFDATA_WRITER_PRIVATE_H
#define RECORDER_PERFDATA_WRITER_PRIVATE_H

#include "engine/recorder/perfdata_sections.h"
#include "engine/recorder/perfdata_seek_index_writer.h"
#include "engine/recorder/perfdata_writer.h"
#include "engine/recording/perfdata_compress.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/perfdata_header.h"

/* perf supports this size since Linux 4.1; newer fields are absent, which means 0. */
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
	bool begun; /* everything that precedes the records is written */
	bool any; /* at least one record is written */
	int error; /* -errno of the first failed write */
	bool pipe; /* see perfdata_writer_options */
	const struct perfdata_machine *machine;
	struct perf_section_event *events;
	struct perfdata_machine_format *others; /* owned; formats of the other tracepoints */
	char **names; /* owned; names of all events */
	size_t event_count, event_cap, name_cap, other_cap;
	size_t events_written; /* number of events whose attributes are in the file */
	struct perfdata_writer_options options;
	struct perfdata_compress *pack; /* NULL: uncompressed */
	struct str packed;
	struct section sections[PERF_FEATURE_WRITTEN];
	struct str own[PERFDATA_EXT_FEATURES]; /* extension sections, compressed; empty: none */
	const char *build_ids; /* borrowed */
	size_t build_ids_len;
	struct file_header header;
	uint64_t at; /* offset up to which the file is written */
	uint64_t checked_at; /* value of `at` at the last checkpoint */
	uint64_t observations_at; /* offset of the last record of observations; 0: none */
	struct perfdata_seek_index_writer seek_index;
	uint64_t times[2];
};

/* Append at the end of the file. -errno after a failed write, also in later calls. */
int perfdata_writer_append(struct perfdata_writer *writer, const void *bytes, size_t len);
/*
 * Append the section of this feature to `bytes`. False: the section is empty, or its contents are
 * known only at the end of the file.
 */
bool perfdata_writer_feature(const struct perfdata_writer *writer, enum perf_feature feature,
			     struct str *bytes);

/* perfdata_writer_pipe.c: write everything that precedes the records, in the form of records. */
int perfdata_writer_pipe_begin(struct perfdata_writer *writer);
/* perfdata_writer_pipe.c: write an event that was added after the beginning. */
int perfdata_writer_pipe_event(struct perfdata_writer *writer, size_t index);
/* Write all bytes, waiting for room in the pipe until *give_up. 0 or -errno. */
int perfdata_writer_pipe_write(struct perfdata_writer *writer, const void *bytes, size_t len);

#endif
