/* fuzz_kallsyms - any text as /proc/kallsyms and as a perf map: names stay inside the text. */
#include "engine/process/kallsyms.h"

#include "engine/base/mem.h"
#include "engine/stack/perf_map.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *copy(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size);

	memcpy(text, data, size);
	return text;
}

static void check_harmless(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name <= ' ' || (unsigned char)*name >= 0x7f)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t addresses[] = {
		0,          1, 0x1000, 0xffffffff81000000, 0xffffffff81000110, 0xffffffffc0001000,
		UINT64_MAX,
	};
	struct perf_map *map = perf_map_parse(copy(data, size), size);
	struct kallsyms *kallsyms = NULL;
	const char *symbol, *module;
	uint64_t start;

	if (kallsyms_parse(&kallsyms, copy(data, size), size, NULL))
		kallsyms = NULL;
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		const char *name = perf_map_find(map, addresses[i], &start);

		if (name && (start > addresses[i] || strlen(name) >= size))
			abort();
		if (!kallsyms || !kallsyms_find(kallsyms, addresses[i], &symbol, &start, &module))
			continue;
		if (start > addresses[i])
			abort();
		check_harmless(symbol);
		check_harmless(module);
	}
	perf_map_free(map);
	kallsyms_free(kallsyms);
	return 0;
}
