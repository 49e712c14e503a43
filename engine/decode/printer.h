/*
 * printer - writes the arguments of one call in strace notation.
 *
 * A show_fn shows the value of an argument or a struct member, an element_fn an array element or an
 * inner struct. `data` is the parameter of such a function: a table of constants, a layout. These
 * functions read the memory of the call only through printer_read() and its variants.
 *
 * Allocates only in the str. A printer belongs to its caller; any thread.
 */
#ifndef DECODE_PRINTER_H
#define DECODE_PRINTER_H

#include "engine/base/str.h"
#include "engine/decode/call_bytes.h"
#include "engine/decode/constants.h"

#define STRING_BYTES 32 /* default number of shown bytes of a string, as in strace */
#define TEXT_BYTES 65536 /* maximum size of all strings of one argument together */
#define ARRAY_ITEMS 32 /* maximum number of array elements; string_bytes, if that is smaller */

struct call_form;
struct kernel_structs;
struct printer;

/*
 * Describe a descriptor, as strace -yy. Writes raw bytes of a path or "TCP:[…]". A NUL separates a
 * suffix that is not part of the path: "<char 1:3>", "(deleted)". `after`: describe the state at
 * the exit, else at the enter. Return the number of bytes; 0: unknown. Called on any formatting
 * thread.
 */
struct fd_namer {
	size_t (*name)(void *ctx, const struct call *call, int fd, bool after, char *out,
		       size_t out_bytes);
	void *ctx;
};

struct printer {
	struct str *out;
	const struct call *call;
	const struct call_form *form; /* NULL: unknown call */
	const struct call_bytes *bytes; /* NULL: registers only */
	const struct fd_namer *fd_namer; /* NULL: bare numbers */
	uint32_t string_bytes;
	uint32_t text_left; /* remaining string bytes of this argument */
	uint8_t arg; /* argument whose bytes are requested */
	uint8_t when; /* enum bytes_when of the value that is printed */
	uint8_t origin; /* least certain origin of the bytes read since this was reset */
	bool guessed; /* some bytes are late reads, which can have changed */
	bool alone; /* a single argument, outside a line */
	bool bare_cwd; /* show AT_FDCWD without its directory */
	bool hex; /* strings only as \x (-xx) */
	bool wait; /* wait until the kernel structs have been read */
	struct kernel_structs *structs;
};

typedef void show_fn(struct printer *p, uint64_t value, const void *data);

/* True if the call returned without an error: its output arguments can be read. */
bool printer_succeeded(const struct printer *p);

/* Read exactly `len` bytes, or return false. */
bool printer_read(struct printer *p, uint64_t address, void *to, size_t len);
/* Read as many bytes as are known. *cut: the capture was truncated. */
size_t printer_read_some(struct printer *p, uint64_t address, void *to, size_t len, bool text,
			 bool *cut);

/* As printer_read_some(), from a buffer of `whole` bytes, of which `len` are shown. */
size_t printer_read_part(struct printer *p, uint64_t address, void *to, size_t len, uint64_t whole,
			 bool *cut);

/* As printer_read(), but read the bytes of the enter, also while results are printed. */
bool printer_read_enter(struct printer *p, uint64_t address, void *to, size_t len);

#define PUT(p, literal) str_addk((p)->out, "" literal, sizeof(literal) - 1)

/* Print text as a C comment, as strace annotates a value. */
void print_comment(struct printer *p, const char *text);

/* Numbers. A register is wider than most types: each function uses only the bits of its type. */
show_fn show_int, show_long, show_unsigned, show_ulong, show_hex, show_hex_long, show_short;
show_fn show_octal, show_octal_int, show_mode_bits; /* 000, 0644; 8, 4 and 2 bytes wide */
show_fn show_pointer; /* NULL, 0x7ffe… */
show_fn show_address; /* as show_pointer, but 0 is 0 */
show_fn show_fd, show_dir_fd;
show_fn show_id; /* uid_t, gid_t: -1 when all ones */
show_fn show_signal; /* SIGINT, SIGRT_3 */
show_fn show_device; /* makedev(0x8, 0x1) */

/* Constants; data is a struct constants. */
show_fn show_enum, show_enum_long, show_flags, show_flags_long;
/*
 * Print the flags that are set in `value`, in table order, then the remaining bits in hex. False,
 * and nothing printed, if no bit has a name.
 */
bool print_flags_of(struct printer *p, uint64_t value, const struct constants *table);
/* Print the remaining flags after names that the caller printed: "|O_CLOEXEC|0x40". */
void print_more_flags(struct printer *p, uint64_t value, const struct constants *table);
/*
 * Print an enumeration in the bits of `mask` combined with flags: "SOCK_STREAM|SOCK_CLOEXEC". If
 * the enumeration value has no name, print all bits as flags.
 */
void print_kind_and_flags(struct printer *p, uint64_t value, uint64_t mask,
			  const struct constants *kinds, const struct constants *flags);
/* Print "SEEK_SET"; for an unnamed value the number in hex and `unknown` of the table. */
void print_enum(struct printer *p, uint64_t value, const struct constants *table);

/* Text. The output contains only printable ASCII. */
void print_quoted(struct printer *p, const void *bytes, size_t len); /* with quotes */
void print_between(struct printer *p, const void *bytes, size_t len); /* without quotes, in <> */
/* Print a char array of a struct, up to a NUL or len. */
void print_char_array(struct printer *p, const void *bytes, size_t len);
show_fn show_path; /* the whole path */
show_fn show_string; /* up to string_bytes */
/* Print len bytes at address, at most string_bytes of them. */
void print_buffer(struct printer *p, uint64_t address, uint64_t len);
/* As print_buffer(), always as \x. */
void print_hex_buffer(struct printer *p, uint64_t address, uint64_t len);

/* Return the number of array elements to show: string_bytes (as strace), at most ARRAY_ITEMS. */
uint64_t printer_items(const struct printer *p);
/*
 * Print an array in memory: "[1, 2]", "[]". An unknown array is shown as its address. "..."
 * replaces the elements beyond printer_items(). `element` gets the bytes of one element.
 */
typedef void element_fn(struct printer *p, const void *element, const void *data);
void print_array(struct printer *p, uint64_t address, uint64_t count, size_t element_bytes,
		 element_fn *element, const void *data);
element_fn element_int, element_unsigned, element_ulong, element_hex; /* 4, 4, 8 and 8 bytes */

#endif
