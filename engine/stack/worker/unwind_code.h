/*
 * unwind_code - facts about a frame from the machine code of its function.
 *
 * If no register locates a frame, the prologue of its function shows its size. A word can be a
 * return address only if a call ends at that address. x86-64; encodings from the Intel manual,
 * volume 2. Pure functions on untrusted bytes. Worker process only.
 */
#ifndef WORKER_UNWIND_CODE_H
#define WORKER_UNWIND_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes before a return address that show whether a call ends there. */
#define CODE_CALL_BYTES 7u

/*
 * True if code[0..bytes) ends with a call. *distance: offset of a direct call's target from the end
 * of the call; 0: indirect.
 */
bool code_ends_in_call(const unsigned char *code, size_t bytes, int64_t *distance);

/*
 * Get the bytes that a function with an rbp frame reserves below rbp in its prologue. *complete:
 * this includes all variables, so that only alloca() reserves more. False: no such frame.
 */
bool code_frame_bytes(const unsigned char *code, size_t bytes, uint64_t *frame_bytes,
		      bool *complete);

/* True for the return trampoline of a signal handler: mov $15, %rax; syscall. */
bool code_is_sigreturn(const unsigned char *code, size_t bytes);

/* True for the start of a PLT stub: jmp through the table; push $number; jmp. */
bool code_is_stub(const unsigned char *code, size_t bytes);

#endif
