/*
 * frame - one frame of a call stack with its name, as far as it is known.
 *
 * Texts are constants, or borrowed from whoever filled it in: symbols.h, names_file.h. Any thread.
 */
#ifndef STACK_FRAME_H
#define STACK_FRAME_H

#include <stdbool.h>
#include <stdint.h>

enum frame_kind { FRAME_KERNEL, FRAME_USER };

struct frame {
	uint64_t ip;
	enum frame_kind kind;
	const char *symbol; /* escaped and demangled; NULL: not known (yet) */
	uint64_t offset; /* from the symbol's start */
	const char *dso; /* escaped path, "[kernel]", "[module]", "[vdso]"; "" unknown */
	uint64_t dso_offset; /* file offset, for when there is no symbol */
	const char *file; /* source file, NULL unknown */
	uint32_t line; /* 0 unknown */
	bool inlined; /* inlined into the frame that follows */
	bool pending; /* asked for; the answer may still come */
	bool guessed; /* found by a frame pointer that was searched for on the stack */
	const char *note; /* why there is no more, NULL: nothing to say */
};

#endif
