/*
 * btf - how structs of the kernel's interface are laid out, from type information.
 *
 * The kernel describes its own types (BTF, /sys/kernel/btf/vmlinux). Of those that
 * are asked for it makes the layouts that are otherwise written by hand, with the
 * members' names, so that nothing else tells the two apart. The description itself
 * is let go: what stays is a few KiB. Reading takes some 10 ms.
 *
 * Bounded: nested structs to a depth, members, values of an enumeration. What a
 * layout leaves out is "..." in it. Immutable once read; any thread.
 */
#ifndef DECODE_BTF_H
#define DECODE_BTF_H

#include "engine/decode/struct_layout.h"

#define BTF_NAME_BYTES 40 /* of a struct's name, with its NUL */
#define BTF_STRUCT_BYTES 512 /* what lies beyond is not shown */

struct btf_layouts;

/*
 * The structs of these names. path: a file of BTF; NULL: that of the running kernel.
 * NULL where there is none that can be read, or in a build without libbpf.
 */
struct btf_layouts *btf_layouts_read(const char *path, const char (*names)[BTF_NAME_BYTES],
				     size_t count);
void btf_layouts_free(struct btf_layouts *layouts);

/* Of the name at `index`; NULL: the kernel has no such struct. Lives as long as `layouts`. */
const struct layout *btf_layout_at(const struct btf_layouts *layouts, size_t index);

#endif
