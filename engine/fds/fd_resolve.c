#include "engine/fds/fd_resolve.h"

#include "engine/base/str.h"
#include "engine/fds/fd_socket.h"

#include <string.h>

static void take_socket(struct fd_table *table, struct fd_file *file,
			const struct fd_socket *socket)
{
	struct fd_socket known = { .inode = 0 };
	struct str text = STR_INIT;

	if (file->of_socket)
		known = *file->of_socket;
	if (*socket->protocol)
		memcpy(known.protocol, socket->protocol, sizeof(socket->protocol));
	known.inode = socket->inode;
	if (*socket->local)
		memcpy(known.local, socket->local, FD_ADDRESS_BYTES);
	if (*socket->remote)
		memcpy(known.remote, socket->remote, FD_ADDRESS_BYTES);
	fd_file_set_socket(table, file, &known);
	fd_socket_text(&text, &known);
	/* In place of what it was called: calls told when its addresses changed. */
	fd_file_set_text(table, file, text.data, text.len, 0);
	str_release(&text);
}

/* A socket is known by its inode, all else by what it is called. */
static bool is_same(const void *ctx, const struct fd_file *file)
{
	const struct fd_reply *answer = ctx;

	if (answer->socket)
		return file->of_socket && file->of_socket->inode == answer->socket->inode;
	return file->text && file->len == answer->len &&
	       !memcmp(file->text, answer->text, answer->len);
}

void fd_reply_name(struct fd_table *table, struct fd_file *file, const struct fd_reply *answer)
{
	if (answer->socket)
		take_socket(table, file, answer->socket);
	else
		fd_file_set_text(table, file, answer->text, answer->len, 0);
	file->vague = false;
}

const struct fd_version *fd_reply_take(struct fd_table *table, uint32_t pid,
				       const struct fd_reply *answer, uint64_t asked_ns,
				       uint64_t reported_ns, bool *news)
{
	struct fd_version *version = fd_table_witness(table, pid, answer->fd, asked_ns, reported_ns,
						      is_same, answer);

	*news = false;
	if (!version)
		return NULL;
	if (answer->cloexec_known) {
		*news = version->cloexec != answer->cloexec;
		version->cloexec = answer->cloexec;
	}
	if (version->file->vague) {
		fd_reply_name(table, version->file, answer);
		*news = true;
	}
	return version;
}
