/*
 * bpf_nested - commands of bpf(2) whose attributes are a struct within the union.
 */
#ifndef FAMILIES_BPF_NESTED_H
#define FAMILIES_BPF_NESTED_H

#include "engine/decode/printer.h"

union bpf_attr;

/*
 * "{query={target_fd=3, ...}" of `size` bytes that were given, the others being zeros; how many
 * of them are behind the last member that was shown at the latest; 0: not one of these.
 */
size_t print_bpf_nested(struct printer *p, uint32_t command, const union bpf_attr *attr,
			uint32_t size);

#endif
