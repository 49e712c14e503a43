#include "engine/fds/fd_recorded.h"

#include "engine/base/str.h"
#include "engine/fds/fd_chain.h"
#include "engine/fds/fd_files.h"

#include <string.h>

/*
 * -- Observations and replies ---------------------------------------------------------------------
 */

/* Copy one NUL-terminated text of a sequence, cut to fit; return the next one. */
static const char *copy_text(const char *from, const char *end, char *to, size_t to_bytes)
{
	size_t len = strnlen(from, (size_t)(end - from));
	size_t kept = len < to_bytes ? len : to_bytes - 1;

	memcpy(to, from, kept);
	to[kept] = '\0';
	return from + len < end ? from + len + 1 : end;
}

/* The reply borrows the observation and the socket. */
static struct fd_reply reply_of(const struct observation *observation, struct fd_socket *socket)
{
	const char *text = observation->text, *end = text + observation->len;
	struct fd_reply reply = {
		.fd = observation->fd.fd,
		.text = text,
		.len = observation->len,
		.cloexec = observation->fd.cloexec,
		.cloexec_known = observation->fd.cloexec_known,
	};

	if (observation->fd.socket) {
		memset(socket, 0, sizeof(*socket));
		socket->inode = observation->fd.inode;
		text = copy_text(text, end, socket->protocol, sizeof(socket->protocol));
		text = copy_text(text, end, socket->local, sizeof(socket->local));
		copy_text(text, end, socket->remote, sizeof(socket->remote));
		reply.socket = socket;
	}
	return reply;
}

bool fd_recorded_describe(const struct fd_version *version, uint64_t task, int fd,
			  struct observation *observation, struct str *text)
{
	const struct fd_file *file = version->file;
	const struct fd_socket *socket = file->of_socket;

	if (!file->text)
		return false;
	str_clear(text);
	*observation = (struct observation){ .kind = OBSERVATION_FD,
					     .pid = fd_task_process(task),
					     .tid = (uint32_t)task };
	observation->fd.fd = fd;
	observation->fd.from_ns = version->from_ns;
	observation->fd.asked_ns = observation->fd.reported_ns = version->sure_ns;
	observation->fd.cloexec = version->cloexec;
	observation->fd.cloexec_known = true;
	observation->fd.renamed = file->since_ns != 0;
	observation->fd.socket = socket != NULL;
	if (socket) {
		observation->fd.inode = socket->inode;
		str_addn(text, socket->protocol, strlen(socket->protocol) + 1);
		str_addn(text, socket->local, strlen(socket->local) + 1);
		str_addn(text, socket->remote, strlen(socket->remote) + 1);
	} else {
		str_addn(text, file->text, file->len);
	}
	observation->text = text->data;
	observation->len = text->len;
	return true;
}

/* -- In advance ------------------------------------------------------------------------------- */

/* The original addresses of a renamed socket are unknown: retain only the inode. */
static void drop_addresses(const struct observation *observation, struct fd_socket *socket)
{
	if (observation->fd.renamed)
		socket->local[0] = socket->remote[0] = '\0';
}

/* Set the first version of a descriptor, which begins when its fd_files begin. */
static void put(struct fd_table *table, struct fd_files *files,
		const struct observation *observation)
{
	struct fd_chain *chain = fd_chain_get(table, files, observation->fd.fd);
	struct fd_version *version = chain->count ? &chain->versions[0] : NULL;
	struct fd_socket socket;
	struct fd_reply reply = reply_of(observation, &socket);
	struct fd_file *file;

	if (reply.socket)
		drop_addresses(observation, &socket);
	/*
	 * Another observation of the first version adds to it. If the present version begins
	 * later, the observation is not of that one: leave it.
	 */
	if (version && version->from_ns > files->born_ns)
		return;
	if (!version) {
		file = fd_file_new(table, NULL, 0, true);
		version = fd_chain_add(table, chain, 0, file, files->born_ns, FD_STILL);
		fd_file_drop(table, file);
	}
	if (observation->fd.reported_ns > version->sure_ns)
		version->sure_ns = observation->fd.reported_ns;
	version->cloexec = observation->fd.cloexec;
	fd_reply_name(table, version->file, &reply);
}

/* Return the fd_files that a thread had for itself before the recording: no call shows that. */
static struct fd_files *own_files(struct fd_table *table, const struct observation *observation)
{
	uint64_t task = fd_task(observation->pid, observation->tid);
	struct fd_files *own = fd_files_own(table, task, observation->fd.fd), *like = NULL;

	if (own)
		return own;
	if (!observation->len)
		like = fd_files_own(table,
				    fd_task(observation->pid, (uint32_t)observation->fd.inode),
				    observation->fd.fd);
	return fd_files_add_own(table, task, observation->fd.fd, fd_files_resolve(like),
				like != NULL, 0);
}

static void put_first(struct fd_table *table, const struct observation *observation)
{
	struct fd_files *files = observation->fd.own
					 ? own_files(table, observation)
					 : idmap_get(&table->processes, observation->pid);

	while (files && files->earlier)
		files = files->earlier;
	if (!files)
		files = fd_files_add(table, observation->pid, NULL, 0);
	if (!files->born_ns)
		put(table, fd_files_resolve(files), observation);
}

static void take_unseen(struct fd_table *table, const struct observation *observation)
{
	uint64_t at_ns = observation->unseen.from_ns;

	if (observation->unseen.begins)
		fd_table_set_blind(table, true, at_ns);
	else if (observation->unseen.ends)
		fd_table_set_blind(table, false, at_ns);
	else
		fd_table_lose(table, at_ns, at_ns);
}

/* True if the observation holds when feeding begins. */
static bool is_from_before(const struct fd_recorded *recorded,
			   const struct observation *observation)
{
	if (!recorded->from_ns)
		return !observation->fd.from_ns;
	return observation->fd.from_ns <= recorded->from_ns &&
	       observation->fd.reported_ns >= recorded->from_ns;
}

/* Apply the available observations that hold when feeding begins. */
static void begin(struct fd_recorded *recorded, struct fd_table *table)
{
	const struct observation *observation;

	while ((observation = observations_in_order(recorded->observations, &recorded->begun,
						    UINT64_MAX))) {
		if (observation->kind == OBSERVATION_FD && observation->fd.own)
			own_files(table, observation);
		if (observation->kind == OBSERVATION_FD && observation->fd.own && !observation->len)
			continue;
		if (observation->kind == OBSERVATION_FD && is_from_before(recorded, observation)) {
			put_first(table, observation);
			recorded->changed = true;
		} else if (observation->kind == OBSERVATION_UNSEEN &&
			   !observation->unseen.from_ns) {
			take_unseen(table, observation);
		}
	}
}

void fd_recorded_start_over(struct fd_recorded *recorded, struct fd_table *table, uint64_t from_ns)
{
	recorded->from_ns = from_ns;
	recorded->begun = recorded->cursor = 0;
	if (recorded->observations)
		begin(recorded, table);
}

void fd_recorded_born(struct fd_recorded *recorded, struct fd_table *table, uint32_t pid,
		      uint64_t born_ns)
{
	struct fd_files *files = idmap_get(&table->processes, pid);
	const struct observation *observation;

	if (!recorded->observations || !files || files->born_ns != born_ns || files->same)
		return;
	observation = observations_first(recorded->observations, OBSERVATION_FD, pid, born_ns);
	for (; observation; observation = observations_next(recorded->observations, observation))
		if (observation->pid == pid && observation->fd.from_ns == born_ns)
			put(table, files, observation);
}

void fd_recorded_opened(struct fd_recorded *recorded, struct fd_table *table, uint64_t task, int fd)
{
	struct fd_files *files = fd_files_now(table, task, fd);
	uint32_t pid = fd_task_process(task);
	struct fd_version *version = fd_chain_newest(fd_chain_find(table, files, fd));
	const struct observation *observation;
	struct fd_socket socket;
	struct fd_reply reply;

	if (!recorded->observations || !version)
		return;
	observation = observations_first(recorded->observations, OBSERVATION_FD, pid,
					 version->from_ns);
	for (; observation; observation = observations_next(recorded->observations, observation)) {
		if (observation->pid != pid || observation->fd.from_ns != version->from_ns ||
		    observation->fd.fd != fd)
			continue;
		reply = reply_of(observation, &socket);
		if (reply.socket)
			drop_addresses(observation, &socket);
		fd_reply_name(table, version->file, &reply);
		/* Later calls provide the addresses, or this observation when applied again. */
		version->file->vague = reply.socket && observation->fd.renamed;
	}
}

/*
 * -- At their time ------------------------------------------------------------------------------
 */

void fd_recorded_settle(struct fd_recorded *recorded, struct fd_table *table, uint64_t until_ns)
{
	const struct observation *observation;
	struct fd_socket socket;
	struct fd_reply reply;
	bool news;

	if (!recorded->observations)
		return;
	begin(recorded, table);
	while ((observation = observations_in_order(recorded->observations, &recorded->cursor,
						    until_ns))) {
		if (observation->kind == OBSERVATION_UNSEEN)
			take_unseen(table, observation);
		/* Skip earlier observations: changes between them and from_ns are not fed. */
		if (observation->kind != OBSERVATION_FD || !observation->fd.reported_ns ||
		    observation->fd.reported_ns < recorded->from_ns)
			continue;
		reply = reply_of(observation, &socket);
		fd_reply_take(table, fd_task(observation->pid, observation->tid), &reply,
			      observation->fd.asked_ns, observation->fd.reported_ns, &news);
		recorded->changed = recorded->changed || news;
	}
}
