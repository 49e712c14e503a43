/*
 * frame - one frame of a call stack and its name, if known.
 *
 * Texts are constants or borrowed from the module that filled them in (symbols.h, names_file.h).
 * Any thread.
 */
#ifndef STACK_FRAME_H
#define STACK_FRAME_H

#include <stdbool.h>
#include <stdint.h>

enum frame_kind { FRAME_KERNEL, FRAME_USER };

struct frame {
	uint64_t ip;
	enum frame_kind kind;
	const char *symbol; /* escaped and demangled; NULL: unknown, or pending */
	uint64_t offset; /* from the start of the symbol */
	const char *dso; /* escaped path, "[kernel]", "[module]", "[vdso]"; "": unknown */
	uint64_t dso_offset; /* file offset, shown if there is no symbol */
	const char *file; /* source file; NULL: unknown */
	uint32_t line; /* 0: unknown */
	bool inlined; /* inlined into the next frame */
	bool pending; /* requested; the reply is outstanding */
	bool cut; /* its callers in this half of the stack are unknown; `note` has the reason */
	bool guessed; /* found with a frame pointer that was searched for on the stack */
	const char *note; /* why details are missing; NULL: no remark */
};

#endif
