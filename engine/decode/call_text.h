/*
 * call_text - the arguments and the result of a call, in strace's notation.
 *
 * What the arguments point to is shown as far as `bytes` knows it; pointers
 * stay bare where it does not. No allocation besides the str; any thread.
 */
#ifndef DECODE_CALL_TEXT_H
#define DECODE_CALL_TEXT_H

#include "engine/base/str.h"
#include "engine/decode/call_bytes.h"
#include "engine/decode/syscalls.h"
#include "engine/record/call.h"

struct fd_namer;

/*
 * In front of each argument of a line, and of a result, that was made of memory that this program
 * read when the call had been entered long ago: it may have changed since.
 */
#define CALL_TEXT_GUESS '~'

/* Where in a line an argument stands, and how sure its text is. */
struct call_text_span {
	uint32_t from, to; /* offsets into the str */
	bool guessed; /* made of memory that was read later: it begins with the sign */
};

struct call_text_spans {
	struct call_text_span args[SYSCALL_ARGS];
	unsigned count;
};

/* All zeros is what strace does by default, from registers alone. */
struct call_text_options {
	bool mark_guess; /* call_text_arg() has the sign, too; JSON says it beside */
	bool arg_names; /* "fd=3, buf=0x…" as strace -N does */
	bool wait; /* for what takes a while to be read once; never on a thread that draws */
	bool hex_strings; /* every byte of a string as \x, as strace -xx does */
	uint32_t string_bytes; /* of a string or buffer shown at most; 0: 32 */
	const struct call_bytes *bytes; /* borrowed; NULL: registers only */
	bool bare_cwd; /* AT_FDCWD without the directory, which is longer than most lines */
	const struct fd_namer *fd_namer; /* printer.h; borrowed; NULL: bare numbers */
};

/* One past the last argument that this call has: open() without O_CREAT has no mode. */
unsigned call_text_arg_count(const struct syscalls *syscalls, const struct call *call);
/* Some in between mean nothing in this call and are not shown. */
bool call_text_arg_shown(const struct syscalls *syscalls, const struct call *call, unsigned index);
/*
 * One argument's value: `0x7ffe…`, `3`, `"/etc/hosts"`, `O_RDONLY|O_CLOEXEC`.
 * Returns the least certain of what it was made from.
 */
enum bytes_origin call_text_arg(struct str *out, const struct syscalls *syscalls,
				const struct call *call, unsigned index,
				const struct call_text_options *options);
/* "openat(AT_FDCWD, "/etc/hosts", O_RDONLY)" without the result; options may be NULL. */
void call_text(struct str *out, const struct syscalls *syscalls, const struct call *call,
	       const struct call_text_options *options);
/* The same, and where each argument of it stands. */
void call_text_spans(struct str *out, const struct syscalls *syscalls, const struct call *call,
		     const struct call_text_options *options, struct call_text_spans *spans);
/*
 * "3", "-1 ENOENT (No such file or directory)", "? ERESTARTSYS (…)", "0x7f…",
 * "1 ([{fd=3, revents=POLLIN}])", "?"
 */
void call_text_result(struct str *out, const struct syscalls *syscalls, const struct call *call,
		      const struct call_text_options *options);

#endif
