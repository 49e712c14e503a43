/*
 * symbol_demangle - a symbol as its programmer wrote it: C++ and Rust (libiberty).
 *
 * Worker process only: a mangled name can be made to cost much time and memory.
 */
#ifndef WORKER_SYMBOL_DEMANGLE_H
#define WORKER_SYMBOL_DEMANGLE_H

#include <stddef.h>

/* Into out, cut at its end; a name that is not mangled loses its version at most. Returns out. */
char *symbol_demangle(const char *name, char *out, size_t out_bytes);

#endif
