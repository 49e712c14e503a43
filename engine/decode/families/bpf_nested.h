/*
 * bpf_nested - commands of bpf(2) whose attributes are a struct inside union bpf_attr.
 */
#ifndef FAMILIES_BPF_NESTED_H
#define FAMILIES_BPF_NESTED_H

#include "engine/decode/printer.h"

union bpf_attr;

/*
 * Print "{query={target_fd=3, ...}". The first `size` bytes of *attr are from the traced program,
 * the remaining bytes are zeros. Return the end offset of the last member that can be shown; 0: the
 * command has no such struct.
 */
size_t print_bpf_nested(struct printer *p, uint32_t command, const union bpf_attr *attr,
			uint32_t size);

#endif
