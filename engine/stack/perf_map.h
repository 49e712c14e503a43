/*
 * perf_map - names of generated code, as its process writes them to /tmp/perf-PID.map.
 *
 * The format is perf's (tools/perf/Documentation/jit-interface.txt): lines of
 * "START SIZE NAME", both numbers hexadecimal. Anybody may write such a file,
 * so it is bounded and must belong to the process' user or to root. A map is
 * immutable once parsed.
 */
#ifndef STACK_PERF_MAP_H
#define STACK_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_MAP_BYTES_MAX ((size_t)64 << 20)

struct perf_map;

/* Takes the text over (free()). A later line wins over an earlier one of the same address. */
struct perf_map *perf_map_parse(char *take_text, size_t len);
/* Its file, to be closed by the caller; or -errno with *note as below. */
int perf_map_open(uint32_t pid, const char **note);
/* The constant that has this text, with the zero that ends it. */
const char *perf_map_note(const char *text, size_t bytes);
/* The map of a process, or NULL with *note, a constant, saying why there is none. */
struct perf_map *perf_map_read(uint32_t pid, const char **note);
/*
 * The map that a recorded process left in /tmp, if it belongs to this user or to root. As with
 * perf script, it is known by the pid alone.
 */
struct perf_map *perf_map_read_recorded(uint32_t pid, const char **note);
void perf_map_free(struct perf_map *map);

/* The raw name (borrowed, NUL-terminated) of what was generated at address, or NULL. */
const char *perf_map_find(const struct perf_map *map, uint64_t address, uint64_t *start);
size_t perf_map_count(const struct perf_map *map);

#endif
