/* memory_owner - the parts of the program whose memory is counted separately. Constants. */
#ifndef ENGINE_MEMORY_OWNER_H
#define ENGINE_MEMORY_OWNER_H

/* OWNER(ID, "name") */
#define MEMORY_OWNER_LIST(OWNER) \
	OWNER(ROWS, "history: calls") \
	OWNER(BYTES, "history: argument data") \
	OWNER(RINGS, "rings shared with the kernel") \
	OWNER(STACKS, "stacks") \
	OWNER(TASKS, "threads and processes") \
	OWNER(NAMES, "names of threads, users, cgroups") \
	OWNER(TOTALS, "totals") \
	OWNER(LATENCY_HEATMAP, "latencies over time") \
	OWNER(FUTEXES, "futexes") \
	OWNER(DESCRIPTORS, "descriptors") \
	OWNER(MAPPINGS, "mappings") \
	OWNER(PATHS, "paths of mappings") \
	OWNER(SYMBOLS, "symbols") \
	OWNER(UNWINDER, "unwinder") \
	OWNER(LATE, "late reads") \
	OWNER(TABLES, "rows of tables")

enum memory_owner {
#define MEMORY_OWNER_ENUM(id, name) MEMORY_##id,
	MEMORY_OWNER_LIST(MEMORY_OWNER_ENUM)
#undef MEMORY_OWNER_ENUM
		MEMORY_OWNER_COUNT
};

#endif
