/*
 * printer - writes the arguments of one call in strace's notation.
 *
 * What a value looks like is said by functions of one shape, show_fn, so that
 * arguments, members of structs and elements of arrays share them; `data` is
 * what the function needs to know: a table of constants, a layout. They read
 * what the call points to through printer_read() only.
 *
 * No allocation besides the str. A printer belongs to its caller; any thread.
 */
#ifndef DECODE_PRINTER_H
#define DECODE_PRINTER_H

#include "engine/base/str.h"
#include "engine/decode/call_bytes.h"
#include "engine/decode/constants.h"

#define STRING_BYTES 32 /* strace's default: what of a string is shown */
#define TEXT_BYTES 65536 /* of all strings of an argument, however many there are */
#define ARRAY_ITEMS 32 /* of an array, at most; as many as bytes of a string, if these are fewer */

struct call_form;
struct kernel_structs;
struct printer;

/*
 * What a descriptor is, strace's -yy: raw bytes, of a path or "TCP:[…]", and behind a NUL what is
 * no part of a path: "<char 1:3>", "(deleted)". As it was when the call entered, or had
 * returned (`after`). How many bytes; 0: not known. Any thread that formats.
 */
struct fd_namer {
	size_t (*name)(void *ctx, const struct call *call, int fd, bool after, char *out,
		       size_t out_bytes);
	void *ctx;
};

struct printer {
	struct str *out;
	const struct call *call;
	const struct call_form *form; /* NULL: nothing is known of the call */
	const struct call_bytes *bytes; /* NULL: registers only */
	const struct fd_namer *fd_namer; /* NULL: bare numbers */
	uint32_t string_bytes;
	uint32_t text_left; /* bytes of strings that may still be shown of this argument */
	uint8_t arg; /* whose bytes are asked for */
	uint8_t when; /* enum bytes_when of what is being printed */
	uint8_t origin; /* the least certain of what was read since it was set */
	bool guessed; /* some of it by this program, from memory that may have changed */
	bool alone; /* an argument by itself, not in its line */
	bool bare_cwd; /* AT_FDCWD is not named */
	bool hex; /* strings as \x only, on request */
	bool wait; /* until what is read once has been read */
	struct kernel_structs *structs;
};

typedef void show_fn(struct printer *p, uint64_t value, const void *data);

/* The call returned without an error: what it filled in may be read. */
bool printer_succeeded(const struct printer *p);

/* All of `len` bytes, or false. */
bool printer_read(struct printer *p, uint64_t address, void *to, size_t len);
/* As many as are known; *cut where only so many were kept. */
size_t printer_read_some(struct printer *p, uint64_t address, void *to, size_t len, bool text,
			 bool *cut);

/* The same of a buffer that has more bytes, `whole`, than are shown of it. */
size_t printer_read_part(struct printer *p, uint64_t address, void *to, size_t len, uint64_t whole,
			 bool *cut);

/* The same for what the call was given, also while its results are printed. */
bool printer_read_enter(struct printer *p, uint64_t address, void *to, size_t len);

#define PUT(p, literal) str_addk((p)->out, "" literal, sizeof(literal) - 1)

/* text as a C comment: what strace says of a value. */
void print_comment(struct printer *p, const char *text);

/* Numbers. A register is wider than most: each takes the bits that are its own. */
show_fn show_int, show_long, show_unsigned, show_ulong, show_hex, show_hex_long, show_short;
show_fn show_octal, show_octal_int, show_mode_bits; /* 000, 0644; of 8, 4 and 2 bytes */
show_fn show_pointer; /* NULL, 0x7ffe… */
show_fn show_address; /* the same, but 0 is 0 */
show_fn show_fd, show_dir_fd;
show_fn show_id; /* uid_t, gid_t: -1 when all ones */
show_fn show_signal; /* SIGINT, SIGRT_3 */
show_fn show_device; /* makedev(0x8, 0x1) */

/* Constants; data is a struct constants. */
show_fn show_enum, show_enum_long, show_flags, show_flags_long;
/*
 * Flags that are set in `value`, in the table's order, then what is left in hex;
 * false and nothing printed when none has a name.
 */
bool print_flags_of(struct printer *p, uint64_t value, const struct constants *table);
/* show_flags() of a value that begins with names printed by the caller: "|O_CLOEXEC|0x40". */
void print_more_flags(struct printer *p, uint64_t value, const struct constants *table);
/*
 * A choice in the bits of `mask` with flags beside it: "SOCK_STREAM|SOCK_CLOEXEC".
 * Where the choice has no name all bits are shown as flags.
 */
void print_kind_and_flags(struct printer *p, uint64_t value, uint64_t mask,
			  const struct constants *kinds, const struct constants *flags);
/* "SEEK_SET"; without a name the number in hex and the table's remark. */
void print_enum(struct printer *p, uint64_t value, const struct constants *table);

/* Text. Nothing printed contains a control byte or a byte beyond ASCII. */
void print_quoted(struct printer *p, const void *bytes, size_t len); /* with quotes */
void print_between(struct printer *p, const void *bytes, size_t len); /* without, for <> */
/* An array of char as structs have it: up to a NUL or len. */
void print_char_array(struct printer *p, const void *bytes, size_t len);
show_fn show_path; /* the whole of it */
show_fn show_string; /* up to string_bytes */
/* Exactly len bytes from address on, up to string_bytes of them. */
void print_buffer(struct printer *p, uint64_t address, uint64_t len);
/* … and always as \x. */
void print_hex_buffer(struct printer *p, uint64_t address, uint64_t len);

/* How many elements of an array are shown: strace has one limit for these and for strings. */
uint64_t printer_items(const struct printer *p);
/*
 * An array in memory: "[1, 2]", "[]", its address where it is not known; after
 * printer_items() elements "...". `element` gets the bytes of one.
 */
typedef void element_fn(struct printer *p, const void *element, const void *data);
void print_array(struct printer *p, uint64_t address, uint64_t count, size_t element_bytes,
		 element_fn *element, const void *data);
element_fn element_int, element_unsigned, element_ulong, element_hex; /* 4, 4, 8 and 8 bytes */

#endif
