/*
 * file_probe - opens and reads files of watched processes, where that may hang: in a reader.
 *
 * What is got is a descriptor that stands for the file and does not open it (O_PATH): to close a
 * file that is open may hang too, at the end of the program for one. Only the reader opens it, to
 * hand it to a worker. With reader NULL all is done here. Any thread.
 */
#ifndef STACK_FILE_PROBE_H
#define STACK_FILE_PROBE_H

#include "engine/base/str.h"
#include "engine/helper/reader.h"

struct mapping;
struct perf_map;

/* As the functions of mapped_file.h; note may be NULL. */
int file_probe_mapped(struct reader *reader, uint32_t pid, const struct mapping *mapping,
		      const char **note);
int file_probe_path(struct reader *reader, uint32_t pid, const char *path);
int file_probe_below(struct reader *reader, const char *root, const char *path);
int file_probe_debug(struct reader *reader, const char *path);

/* Sends these bytes and the file, open, over a socket. 0 or -errno: it may have gone out. */
int file_probe_hand_over(struct reader *reader, int fd, int socket_fd, const void *bytes,
			 size_t len);
/* As dso_same_content(). */
bool file_probe_same(struct reader *reader, int fd, int other_fd);

/* The text of /proc/PID/maps, up to max bytes of it: appended. 0 or -errno. */
int file_probe_maps(struct reader *reader, uint32_t pid, size_t max, struct str *text);
/* As perf_map_read(). */
struct perf_map *file_probe_perf_map(struct reader *reader, uint32_t pid, const char **note);

/* -- In the reader ---------------------------------------------------------------------------- */

reader_handle_fn file_probe_handle_open, file_probe_handle_hand_over, file_probe_handle_same,
	file_probe_handle_text;

/* What goes with a request about a mapping: false, it is none. Borrowed from the payload. */
bool file_probe_take_mapping(const struct reader_request *request, const void *payload,
			     struct mapping *mapping);
/* The other side of it: a payload to be freed. */
void *file_probe_put_mapping(const struct mapping *mapping, struct reader_request *request);

#endif
