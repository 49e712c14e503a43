/*
 * call_text - formats the arguments and the result of a call in strace notation.
 *
 * Memory that arguments point to is shown as far as `bytes` provides it; otherwise the pointer is
 * shown. Allocates only in the str; any thread.
 */
#ifndef DECODE_CALL_TEXT_H
#define DECODE_CALL_TEXT_H

#include "engine/base/str.h"
#include "engine/decode/call_bytes.h"
#include "engine/decode/syscalls.h"
#include "engine/record/call.h"

struct fd_namer;

/*
 * Mark before an argument or a result that contains a late read: stxtop read the memory after the
 * enter, and the memory can have changed in between.
 */
#define CALL_TEXT_GUESS '~'

/* Position of an argument in a line, and whether its text is certain. */
struct call_text_span {
	uint32_t from, to; /* offsets into the str */
	bool guessed; /* contains a late read: begins with CALL_TEXT_GUESS */
};

struct call_text_spans {
	struct call_text_span args[SYSCALL_ARGS];
	unsigned count;
};

/* All zeros: the defaults of strace, but only registers are shown. */
struct call_text_options {
	bool mark_guess; /* call_text_arg() adds the mark too; JSON has a separate field instead */
	bool arg_names; /* "fd=3, buf=0x…", as strace -N */
	bool wait; /* block until the kernel structs have been read; never on a UI thread */
	bool hex_strings; /* every byte of a string as \x, as strace -xx */
	uint32_t string_bytes; /* limit for a string or buffer; 0: 32 */
	const struct call_bytes *bytes; /* borrowed; NULL: registers only */
	bool bare_cwd; /* AT_FDCWD without its directory, which would lengthen most lines */
	const struct fd_namer *fd_namer; /* printer.h; borrowed; NULL: bare numbers */
};

/* Return the number of arguments of this call: open() without O_CREAT has no mode. */
unsigned call_text_arg_count(const struct syscalls *syscalls, const struct call *call);
/* False if this call ignores the argument, although its index is below that count. */
bool call_text_arg_shown(const struct syscalls *syscalls, const struct call *call, unsigned index);
/*
 * Append the value of one argument: `0x7ffe…`, `3`, `"/etc/hosts"`, `O_RDONLY|O_CLOEXEC`. Return
 * the least certain origin of its bytes.
 */
enum bytes_origin call_text_arg(struct str *out, const struct syscalls *syscalls,
				const struct call *call, unsigned index,
				const struct call_text_options *options);
/* Append "openat(AT_FDCWD, "/etc/hosts", O_RDONLY)", without the result; options can be NULL. */
void call_text(struct str *out, const struct syscalls *syscalls, const struct call *call,
	       const struct call_text_options *options);
/* As call_text(); store the position of each argument in *spans. */
void call_text_spans(struct str *out, const struct syscalls *syscalls, const struct call *call,
		     const struct call_text_options *options, struct call_text_spans *spans);
/*
 * Append the result: "3", "-1 ENOENT (No such file or directory)", "? ERESTARTSYS (…)", "0x7f…", "1
 * ([{fd=3, revents=POLLIN}])", "?".
 */
void call_text_result(struct str *out, const struct syscalls *syscalls, const struct call *call,
		      const struct call_text_options *options);

#endif
