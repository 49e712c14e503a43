/*
 * unwind_code - what machine code says about the frame that it runs in.
 *
 * Where no register tells where a frame begins, its function's first instructions say how
 * much it took from the stack, and a word is a return address only if a call
 * ends there. x86-64; encodings from the Intel manual, volume 2. Pure functions on bytes that
 * an attacker may have written. Worker process only.
 */
#ifndef WORKER_UNWIND_CODE_H
#define WORKER_UNWIND_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many bytes before a return address decide whether a call ends there. */
#define CODE_CALL_BYTES 7u

/*
 * Whether a call ends behind code[0..bytes). Of a call whose target is in it,
 * *distance is how far behind its end the target is; otherwise 0.
 */
bool code_ends_in_call(const unsigned char *code, size_t bytes, int64_t *distance);

/*
 * How many bytes a function that makes a frame of rbp keeps below it before its body
 * begins, as far as its first instructions tell. *complete: they took room for
 * its variables, so what it takes later is by alloca() alone. False: it makes no
 * such frame.
 */
bool code_frame_bytes(const unsigned char *code, size_t bytes, uint64_t *frame_bytes,
		      bool *complete);

/* The code to which a signal handler returns: mov $15, %rax; syscall. */
bool code_is_sigreturn(const unsigned char *code, size_t bytes);

/* The first instruction of a PLT's stub: jmp through the table; push $number; jmp. */
bool code_is_stub(const unsigned char *code, size_t bytes);

#endif
