/*
 * file_probe - opens and reads files of watched processes in a reader, as the file system may hang.
 *
 * The results are O_PATH descriptors, which do not open the file: closing an open file may hang
 * too, for example at exit. Only the reader opens the file, to hand it to a worker. With reader
 * NULL, the calling thread does the work. Any thread.
 */
#ifndef STACK_FILE_PROBE_H
#define STACK_FILE_PROBE_H

#include "engine/base/str.h"
#include "engine/helper/reader.h"

struct mapping;
struct perf_map;

/* Same as the functions of mapped_file.h; note may be NULL. */
int file_probe_mapped(struct reader *reader, uint32_t pid, const struct mapping *mapping,
		      const char **note);
int file_probe_path(struct reader *reader, uint32_t pid, const char *path);
int file_probe_below(struct reader *reader, const char *root, const char *path);
int file_probe_debug(struct reader *reader, const char *path);

/*
 * Send these bytes and the opened file over a socket. 0 or -errno; even after an error, the message
 * can have been sent.
 */
int file_probe_hand_over(struct reader *reader, int fd, int socket_fd, const void *bytes,
			 size_t len);
/* See dso_same_content(). */
bool file_probe_same(struct reader *reader, int fd, int other_fd);

/* Append the text of /proc/PID/maps, at most about max bytes. 0 or -errno. */
int file_probe_maps(struct reader *reader, uint32_t pid, size_t max, struct str *text);
/*
 * See perf_map_read(). *held: descriptor of the map, owned by the caller, initially -1. Through it,
 * the map is readable after the process has ended, even if its mount namespace is gone. held NULL:
 * the process was recorded, see perf_map_read_recorded().
 */
struct perf_map *file_probe_perf_map(struct reader *reader, uint32_t pid, int *held,
				     const char **note);

/* -- In the reader ---------------------------------------------------------------------------- */

reader_handle_fn file_probe_handle_open, file_probe_handle_hand_over, file_probe_handle_same,
	file_probe_handle_text;

/* Decode the payload of a request about a mapping; *mapping borrows it. False: malformed. */
bool file_probe_take_mapping(const struct reader_request *request, const void *payload,
			     struct mapping *mapping);
/* Encode such a payload and set request->payload_bytes; the caller frees the result. */
void *file_probe_put_mapping(const struct mapping *mapping, struct reader_request *request);

#endif
