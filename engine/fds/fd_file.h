/*
 * fd_file - what is known of an open file, pipe, socket …, for all descriptors that share it.
 *
 * Counted by reference; a table accounts for its memory. Under the lock of fds.h.
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
	bool vague; /* /proc may know better: a path with links in it, no inode's number */
	bool socket;
	uint64_t asked_ms; /* when it was asked; 0: never */
	char *text; /* as strace -yy has it inside <>; NULL: nothing is known */
	size_t len;
	struct fd_file_text *older; /* texts that it had before, newest first */
	uint64_t since_ns; /* of `text` */
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
	char local[FD_ADDRESS_BYTES], remote[FD_ADDRESS_BYTES]; /* "": none, or unknown */
};

/* A file with one reference, which is the caller's. text NULL: unknown. */
struct fd_file *fd_file_new(struct fd_table *table, const char *text, size_t len, bool vague);
void fd_file_drop(struct fd_table *table, struct fd_file *file);
/* Its text from since_ns on; with 0 in place of the one it has. */
void fd_file_set_text(struct fd_table *table, struct fd_file *file, const char *text, size_t len,
		      uint64_t since_ns);
/* It may be called otherwise from since_ns on: what is told later is of then, not of before. */
void fd_file_begin_text(struct fd_table *table, struct fd_file *file, uint64_t since_ns);
/* A copy of `socket` is of it. */
void fd_file_set_socket(struct fd_table *table, struct fd_file *file,
			const struct fd_socket *socket);
/* Its text as of a time; NULL: unknown. Borrowed until the table changes. */
const char *fd_file_text_at(const struct fd_file *file, uint64_t at_ns, size_t *len);

#endif
