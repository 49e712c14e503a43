#include "engine/fds/fd_effect.h"

#include "engine/base/str.h"
#include "engine/fds/fd_arrays.h"
#include "engine/fds/fd_socket.h"
#include "engine/record/capture_chunks.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define RECEIVED_MAX 253 /* descriptors per message: SCM_MAX_FD of the kernel */
#define MESSAGES_MAX 32 /* messages per call whose descriptors are read */

static struct fd_file *new_socket(const struct fd_call *change, const char *protocol,
				  const char *local, const char *remote)
{
	struct fd_file *file = fd_file_new(change->table, NULL, 0, true);
	struct fd_socket socket = { .inode = 0 };
	struct str text = STR_INIT;

	snprintf(socket.protocol, sizeof(socket.protocol), "%s", protocol);
	snprintf(socket.local, FD_ADDRESS_BYTES, "%s", local);
	snprintf(socket.remote, FD_ADDRESS_BYTES, "%s", remote);
	fd_file_set_socket(change->table, file, &socket);
	fd_socket_text(&text, &socket);
	fd_file_set_text(change->table, file, text.data, text.len, 0);
	str_release(&text);
	return file;
}

void fd_effect_open_socket(const struct fd_call *change, const struct fd_effect *effect)
{
	const uint64_t *args = change->call->args;
	struct fd_file *file = new_socket(change, fd_socket_protocol((int)args[0], (int)args[1]),
					  fd_socket_bare_address((int)args[0], (int)args[2]), "");

	fd_change_open(change, (int)change->call->ret, file, fd_effect_is_cloexec(change, effect));
}

void fd_effect_open_socketpair(const struct fd_call *change, const struct fd_effect *effect)
{
	const uint64_t *args = change->call->args;
	const char *protocol = fd_socket_protocol((int)args[0], (int)args[1]);
	int ends[2];

	if (!fd_change_read_exit(change, args[3], ends, sizeof(ends)))
		return;
	for (int i = 0; i < 2; i++)
		fd_change_open(change, ends[i], new_socket(change, protocol, "", ""),
			       fd_effect_is_cloexec(change, effect));
}

/* Format the address at the second argument; `length` is its size. */
static void read_address(const struct fd_call *change, bool at_exit, size_t length,
			 char out[FD_ADDRESS_BYTES])
{
	uint64_t address = change->call->args[1];
	struct capture_chunk chunk;
	const uint8_t *bytes;
	bool found = false;
	uint64_t skip;

	out[0] = '\0';
	for (int i = 0; i < 2 && address && !found; i++)
		found = capture_chunks_find(change->pointed[i].bytes, change->pointed[i].len,
					    address, at_exit, &chunk, &bytes);
	if (!found)
		return;
	skip = address - chunk.address;
	fd_socket_address(out, bytes + skip, chunk.len - skip < length ? chunk.len - skip : length);
}

static size_t reported_length(const struct fd_call *change)
{
	int length;

	if (!fd_change_read_exit(change, change->call->args[2], &length, sizeof(length)) ||
	    length < 0)
		return 0;
	return (size_t)length;
}

void fd_effect_open_accepted(const struct fd_call *change, const struct fd_effect *effect)
{
	const struct fd_file *listener = fd_change_file(change, (int)change->call->args[0]);
	const struct fd_socket *from = listener ? listener->of_socket : NULL;
	char remote[FD_ADDRESS_BYTES];
	struct fd_file *file;

	read_address(change, true, reported_length(change), remote);
	file = new_socket(change, from ? from->protocol : "", from ? from->local : "", remote);
	fd_change_open(change, (int)change->call->ret, file, fd_effect_is_cloexec(change, effect));
}

static void set_address(const struct fd_call *change, bool local, const char *address)
{
	int fd = (int)change->call->args[0];
	struct fd_file *file = fd_change_file(change, fd);
	struct str text = STR_INIT;
	char *to;

	if (!file || !file->of_socket ||
	    fd_change_take_facts(change, fd, file, fd_change_end_ns(change)))
		return;
	to = local ? file->of_socket->local : file->of_socket->remote;
	/* The kernel chose the port or the local address: query /proc. */
	if (!*address || (!local && !*file->of_socket->local)) {
		file->vague = true;
		file->asked_ms = 0;
		fd_file_begin_text(change->table, file, fd_change_end_ns(change));
		change->vague(change->ctx, change->call->pid, fd);
	}
	if (!*address || !strcmp(to, address))
		return;
	snprintf(to, FD_ADDRESS_BYTES, "%s", address);
	fd_socket_text(&text, file->of_socket);
	fd_file_set_text(change->table, file, text.data, text.len, fd_change_end_ns(change));
	str_release(&text);
}

/* listen() binds an unbound socket. */
void fd_effect_listen_socket(const struct fd_call *change, const struct fd_effect *effect)
{
	int fd = (int)change->call->args[0];
	struct fd_file *file = fd_change_file(change, fd);

	(void)effect;
	if (file && file->of_socket)
		fd_change_take_facts(change, fd, file, fd_change_end_ns(change));
}

void fd_effect_bind_socket(const struct fd_call *change, const struct fd_effect *effect)
{
	char address[FD_ADDRESS_BYTES];

	(void)effect;
	read_address(change, false, change->call->args[2], address);
	set_address(change, true, address);
}

static bool is_unix(const struct fd_call *change)
{
	const struct fd_file *file = fd_change_file(change, (int)change->call->args[0]);

	return file && file->of_socket && !strncmp(file->of_socket->protocol, "UNIX", 4);
}

void fd_effect_connect_socket(const struct fd_call *change, const struct fd_effect *effect)
{
	char address[FD_ADDRESS_BYTES];

	(void)effect;
	read_address(change, false, change->call->args[2], address);
	/* The peer of a Unix socket is shown by inode, which the address does not contain. */
	set_address(change, false, is_unix(change) ? "" : address);
}

void fd_effect_reported_local(const struct fd_call *change, const struct fd_effect *effect)
{
	char address[FD_ADDRESS_BYTES];

	(void)effect;
	read_address(change, true, reported_length(change), address);
	if (*address)
		set_address(change, true, address);
}

void fd_effect_reported_remote(const struct fd_call *change, const struct fd_effect *effect)
{
	char address[FD_ADDRESS_BYTES];

	(void)effect;
	read_address(change, true, reported_length(change), address);
	if (*address && !is_unix(change))
		set_address(change, false, address);
}

/* Open the descriptors that were received with a message; /proc is queried for their files. */
static void receive(const struct fd_call *change, uint64_t message_at, uint64_t flags)
{
	bool cloexec = flags & MSG_CMSG_CLOEXEC;
	int32_t fds[RECEIVED_MAX];
	size_t count;

	count = fd_arrays_rights(change->pointed, message_at, true, fds, RECEIVED_MAX);
	for (size_t i = 0; i < count; i++)
		fd_change_open(change, fds[i], fd_file_new(change->table, NULL, 0, true), cloexec);
}

void fd_effect_receive(const struct fd_call *change, const struct fd_effect *effect)
{
	(void)effect;
	receive(change, change->call->args[1], change->call->args[2]);
}

void fd_effect_receive_many(const struct fd_call *change, const struct fd_effect *effect)
{
	const struct call *call = change->call;

	(void)effect;
	for (int64_t i = 0; i < call->ret && i < MESSAGES_MAX; i++)
		receive(change, call->args[1] + (uint64_t)i * sizeof(struct mmsghdr),
			call->args[3]);
}
