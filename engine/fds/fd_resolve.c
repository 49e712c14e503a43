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
	/* Replace the current text: calls have already set the time of each address change. */
	fd_file_set_text(table, file, text.data, text.len, 0);
	str_release(&text);
}

/* Sockets are compared by inode, other files by text. */
static bool is_same(const void *ctx, const struct fd_file *file)
{
	const struct fd_reply *reply = ctx;

	if (reply->socket)
		return file->of_socket && file->of_socket->inode == reply->socket->inode;
	return file->text && file->len == reply->len &&
	       !memcmp(file->text, reply->text, reply->len);
}

void fd_reply_name(struct fd_table *table, struct fd_file *file, const struct fd_reply *reply)
{
	if (reply->socket)
		take_socket(table, file, reply->socket);
	else
		fd_file_set_text(table, file, reply->text, reply->len, 0);
	file->vague = false;
}

const struct fd_version *fd_reply_take(struct fd_table *table, uint64_t task,
				       const struct fd_reply *reply, uint64_t asked_ns,
				       uint64_t reported_ns, bool *news)
{
	struct fd_version *version = fd_table_witness(table, task, reply->fd, asked_ns, reported_ns,
						      is_same, reply);

	*news = false;
	if (!version)
		return NULL;
	if (reply->cloexec_known) {
		*news = version->cloexec != reply->cloexec;
		version->cloexec = reply->cloexec;
	}
	if (version->file->vague) {
		fd_reply_name(table, version->file, reply);
		*news = true;
	}
	return version;
}
