/*
 * call_text - the arguments and the result of a call, in strace's notation.
 *
 * No allocation besides the str; any thread.
 */
#ifndef DECODE_CALL_TEXT_H
#define DECODE_CALL_TEXT_H

#include "engine/base/str.h"
#include "engine/decode/syscalls.h"
#include "engine/model/call.h"

struct call_text_options {
	bool arg_names; /* "fd=3, buf=0x…" as strace -N does */
};

/* The arguments that this call has: open() without O_CREAT has no mode. */
unsigned call_text_arg_count(const struct syscalls *syscalls, const struct call *call);
/* One argument's value: `0x7ffe…`, `3`, `AT_FDCWD`, `-1`. */
void call_text_arg(struct str *out, const struct syscalls *syscalls, const struct call *call,
		   unsigned index);
/* "openat(AT_FDCWD, 0x55…, 0x80000)" without the result. */
void call_text(struct str *out, const struct syscalls *syscalls, const struct call *call,
	       const struct call_text_options *options);
/* "3", "-1 ENOENT (No such file or directory)", "? ERESTARTSYS (…)", "0x7f…", "?" */
void call_text_result(struct str *out, const struct syscalls *syscalls, const struct call *call);

#endif
