/*
 * perf_map - names of generated code that a process writes to /tmp/perf-PID.map.
 *
 * The format is that of perf (tools/perf/Documentation/jit-interface.txt): lines of "START SIZE
 * NAME", both numbers hexadecimal. The file is untrusted: its size is bounded, and it must belong
 * to the user of the process or to root. A map is immutable once parsed.
 */
#ifndef STACK_PERF_MAP_H
#define STACK_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_MAP_BYTES_MAX ((size_t)64 << 20)

struct perf_map;

/* Take ownership of the text (free()). Drop each line that a later line overlaps. */
struct perf_map *perf_map_parse(char *take_text, size_t len);
/*
 * Open the map file of a process; the caller closes it. If the process has exited, same as
 * perf_map_open_left(). -errno with *note as below.
 */
int perf_map_open(uint32_t pid, const char **note);
/*
 * Open the map that a process left in /tmp, if it belongs to the user of stxtop or to root. The pid
 * alone selects it, as in perf script.
 */
int perf_map_open_left(uint32_t pid, const char **note);
/* Return the constant note equal to this text; `bytes` includes the NUL. */
const char *perf_map_note(const char *text, size_t bytes);
/* Return the map of a process, or NULL with the reason in *note, a constant. */
struct perf_map *perf_map_read(uint32_t pid, const char **note);
/* As perf_map_read(), but of perf_map_open_left(). */
struct perf_map *perf_map_read_recorded(uint32_t pid, const char **note);
void perf_map_free(struct perf_map *map);

/* Return the raw name of the code generated at address (borrowed, NUL-terminated), or NULL. */
const char *perf_map_find(const struct perf_map *map, uint64_t address, uint64_t *start);
size_t perf_map_count(const struct perf_map *map);

#endif
