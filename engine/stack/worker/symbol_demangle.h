/*
 * symbol_demangle - C++ and Rust names as in the source (libiberty).
 *
 * Worker process only: a crafted mangled name can cost much time and memory.
 */
#ifndef WORKER_SYMBOL_DEMANGLE_H
#define WORKER_SYMBOL_DEMANGLE_H

#include <stddef.h>

/* Demangle into out, truncated to fit. A plain name loses only its version suffix. Return out. */
char *symbol_demangle(const char *name, char *out, size_t out_bytes);

#endif
