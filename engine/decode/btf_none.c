#include "engine/decode/btf.h"

/* A build without libbpf knows only the structs with built-in layouts. */

struct btf_layouts *btf_layouts_read(const char *path, const char (*names)[BTF_NAME_BYTES],
				     size_t count)
{
	(void)path;
	(void)names;
	(void)count;
	return NULL;
}

void btf_layouts_free(struct btf_layouts *layouts)
{
	(void)layouts;
}

const struct layout *btf_layout_at(const struct btf_layouts *layouts, size_t index)
{
	(void)layouts;
	(void)index;
	return NULL;
}
