/*
 * btf - reads the layouts of kernel structs from BTF type information.
 *
 * The kernel describes its own types in /sys/kernel/btf/vmlinux. For the requested structs, this
 * module builds layouts with member names, like those written by hand. Afterwards it frees the BTF
 * data; a few KiB remain. Reading takes about 10 ms.
 *
 * The depth of nested structs, the members and the values of an enumeration are bounded. A layout
 * shows omitted members as "...". Immutable once read; any thread.
 */
#ifndef DECODE_BTF_H
#define DECODE_BTF_H

#include "engine/decode/struct_layout.h"

#define BTF_NAME_BYTES 40 /* maximum size of a struct name, with its NUL */
#define BTF_STRUCT_BYTES 512 /* maximum number of bytes of a struct that are shown */

struct btf_layouts;

/*
 * Read the structs of these names. path: a BTF file; NULL: that of the running kernel. Return NULL
 * if the file is missing or unreadable, and in a build without libbpf.
 */
struct btf_layouts *btf_layouts_read(const char *path, const char (*names)[BTF_NAME_BYTES],
				     size_t count);
void btf_layouts_free(struct btf_layouts *layouts);

/*
 * Return the layout of names[index]; NULL: the kernel has no such struct. Valid as long as
 * `layouts`.
 */
const struct layout *btf_layout_at(const struct btf_layouts *layouts, size_t index);

#endif
