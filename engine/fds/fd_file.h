/*
 * fd_file - an open file, pipe or socket, shared by all descriptors that refer to it.
 *
 * Reference-counted; the table accounts for its memory. Under the lock of fds.h.
 */
#ifndef FDS_FD_FILE_H
#define FDS_FD_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FD_TEXT_MAX 4096
#define FD_ADDRESS_BYTES 128

struct fd_table;

struct fd_file {
	uint32_t refs;
	bool vague; /* /proc may know more: path with links, or inode number missing */
	bool socket;
	uint64_t asked_ms; /* time of the last query to /proc; 0: never */
	char *text; /* as strace -yy shows it inside <>; NULL: unknown */
	size_t len;
	struct fd_file_text *older; /* earlier texts, newest first */
	uint64_t since_ns; /* time since which `text` holds */
	struct fd_socket *of_socket; /* NULL: none */
};

struct fd_file_text {
	struct fd_file_text *older;
	uint64_t since_ns;
	size_t len;
	char text[];
};

struct fd_socket {
	char protocol[24]; /* "TCP", "UNIX-STREAM"; "" unknown */
	uint64_t inode; /* 0: unknown */
	char local[FD_ADDRESS_BYTES], remote[FD_ADDRESS_BYTES]; /* "": none or unknown */
};

/* Create a file with one reference, owned by the caller. text NULL: unknown. */
struct fd_file *fd_file_new(struct fd_table *table, const char *text, size_t len, bool vague);
void fd_file_drop(struct fd_table *table, struct fd_file *file);
/* Set the text that holds since since_ns; with 0, replace the current text. */
void fd_file_set_text(struct fd_table *table, struct fd_file *file, const char *text, size_t len,
		      uint64_t since_ns);
/* Note that the name may have changed at since_ns: the next text holds since then, not before. */
void fd_file_begin_text(struct fd_table *table, struct fd_file *file, uint64_t since_ns);
/* Store a copy of `socket` in the file. */
void fd_file_set_socket(struct fd_table *table, struct fd_file *file,
			const struct fd_socket *socket);
/* Return the text at a time; NULL: unknown. Borrowed until the table changes. */
const char *fd_file_text_at(const struct fd_file *file, uint64_t at_ns, size_t *len);

#endif
