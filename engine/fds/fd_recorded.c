#include "engine/fds/fd_recorded.h"

#include "engine/base/str.h"
#include "engine/fds/fd_files.h"

#include <string.h>

/* -- What a finding says ------------------------------------------------------------------ */

/* One of the texts that each end with a NUL. */
static const char *copy_text(const char *from, const char *end, char *to, size_t to_bytes)
{
	size_t len = strnlen(from, (size_t)(end - from));
	size_t kept = len < to_bytes ? len : to_bytes - 1;

	memcpy(to, from, kept);
	to[kept] = '\0';
	return from + len < end ? from + len + 1 : end;
}

/* Borrows the finding and the socket. */
static struct fd_answer answer_of(const struct finding *finding, struct fd_socket *socket)
{
	const char *text = finding->text, *end = text + finding->len;
	struct fd_answer answer = {
		.fd = finding->fd.fd,
		.text = text,
		.len = finding->len,
		.cloexec = finding->fd.cloexec,
		.cloexec_known = finding->fd.cloexec_known,
	};

	if (finding->fd.socket) {
		memset(socket, 0, sizeof(*socket));
		socket->inode = finding->fd.inode;
		text = copy_text(text, end, socket->protocol, sizeof(socket->protocol));
		text = copy_text(text, end, socket->local, sizeof(socket->local));
		copy_text(text, end, socket->remote, sizeof(socket->remote));
		answer.socket = socket;
	}
	return answer;
}

bool fd_told_describe(const struct fd_version *version, uint32_t pid, int fd,
		      struct finding *finding, struct str *text)
{
	const struct fd_file *file = version->file;
	const struct fd_socket *socket = file->of_socket;

	if (!file->text)
		return false;
	str_clear(text);
	*finding = (struct finding){ .kind = FINDING_FD, .pid = pid, .tid = pid };
	finding->fd.fd = fd;
	finding->fd.from_ns = version->from_ns;
	finding->fd.asked_ns = finding->fd.told_ns = version->sure_ns;
	finding->fd.cloexec = version->cloexec;
	finding->fd.cloexec_known = true;
	finding->fd.renamed = file->since_ns != 0;
	finding->fd.socket = socket != NULL;
	if (socket) {
		finding->fd.inode = socket->inode;
		str_addn(text, socket->protocol, strlen(socket->protocol) + 1);
		str_addn(text, socket->local, strlen(socket->local) + 1);
		str_addn(text, socket->remote, strlen(socket->remote) + 1);
	} else {
		str_addn(text, file->text, file->len);
	}
	finding->text = text->data;
	finding->len = text->len;
	return true;
}

/* -- Before its time ----------------------------------------------------------------------- */

/* What it was called at first is not known: only which one it is. */
static void drop_addresses(const struct finding *finding, struct fd_socket *socket)
{
	if (finding->fd.renamed)
		socket->local[0] = socket->remote[0] = '\0';
}

/* The beginning of a table's number, from the table's own beginning on. */
static void put(struct fd_table *table, struct fd_files *files, const struct finding *finding)
{
	struct fd_chain *chain = fd_chain_get(table, files, finding->fd.fd);
	struct fd_version *version = chain->count ? &chain->versions[0] : NULL;
	struct fd_socket socket;
	struct fd_answer answer = answer_of(finding, &socket);
	struct fd_file *file;

	if (answer.socket)
		drop_addresses(finding, &socket);
	/* Asked twice: what was said later is more. */
	if (version && version->from_ns > files->born_ns)
		return;
	if (!version) {
		file = fd_file_new(table, NULL, 0, true);
		version = fd_chain_add(table, chain, 0, file, files->born_ns, FD_STILL);
		fd_file_drop(table, file);
	}
	if (finding->fd.told_ns > version->sure_ns)
		version->sure_ns = finding->fd.told_ns;
	version->cloexec = finding->fd.cloexec;
	fd_answer_name(table, version->file, &answer);
}

static void put_first(struct fd_table *table, const struct finding *finding)
{
	struct fd_files *files = idmap_get(&table->processes, finding->pid);

	while (files && files->earlier)
		files = files->earlier;
	if (!files)
		files = fd_files_add(table, finding->pid, NULL, 0);
	if (!files->born_ns)
		put(table, fd_files_resolve(files), finding);
}

static void take_unseen(struct fd_table *table, const struct finding *finding)
{
	uint64_t at_ns = finding->unseen.from_ns;

	if (finding->unseen.begins)
		fd_table_set_blind(table, true, at_ns);
	else if (finding->unseen.ends)
		fd_table_set_blind(table, false, at_ns);
	else
		fd_table_lose(table, at_ns, at_ns);
}

/* It holds when what is fed begins. */
static bool is_from_before(const struct fd_told *told, const struct finding *finding)
{
	if (!told->from_ns)
		return !finding->fd.from_ns;
	return finding->fd.from_ns <= told->from_ns && finding->fd.told_ns >= told->from_ns;
}

/* What is known so far of the time before. */
static void begin(struct fd_told *told, struct fd_table *table)
{
	const struct finding *finding;

	while ((finding = findings_in_order(told->findings, &told->begun, UINT64_MAX)))
		if (finding->kind == FINDING_FD && is_from_before(told, finding)) {
			put_first(table, finding);
			told->changed = true;
		} else if (finding->kind == FINDING_UNSEEN && !finding->unseen.from_ns) {
			take_unseen(table, finding);
		}
}

void fd_told_start_over(struct fd_told *told, struct fd_table *table, uint64_t from_ns)
{
	told->from_ns = from_ns;
	told->begun = told->cursor = 0;
	if (told->findings)
		begin(told, table);
}

void fd_told_born(struct fd_told *told, struct fd_table *table, uint32_t pid, uint64_t born_ns)
{
	struct fd_files *files = idmap_get(&table->processes, pid);
	const struct finding *finding;

	if (!told->findings || !files || files->born_ns != born_ns || files->same)
		return;
	finding = findings_first(told->findings, FINDING_FD, pid, born_ns);
	for (; finding; finding = findings_next(told->findings, finding))
		if (finding->pid == pid && finding->fd.from_ns == born_ns)
			put(table, files, finding);
}

void fd_told_opened(struct fd_told *told, struct fd_table *table, uint32_t pid, int fd)
{
	struct fd_files *files = fd_files_now(table, pid);
	struct fd_version *version = fd_chain_newest(fd_chain_find(table, files, fd));
	const struct finding *finding;
	struct fd_socket socket;
	struct fd_answer answer;

	if (!told->findings || !version)
		return;
	finding = findings_first(told->findings, FINDING_FD, pid, version->from_ns);
	for (; finding; finding = findings_next(told->findings, finding)) {
		if (finding->pid != pid || finding->fd.from_ns != version->from_ns ||
		    finding->fd.fd != fd)
			continue;
		answer = answer_of(finding, &socket);
		if (answer.socket)
			drop_addresses(finding, &socket);
		fd_answer_name(table, version->file, &answer);
		/* Its addresses are told by calls, or at their time. */
		version->file->vague = answer.socket && finding->fd.renamed;
	}
}

/* -- At its time --------------------------------------------------------------------------- */

void fd_told_settle(struct fd_told *told, struct fd_table *table, uint64_t until_ns)
{
	const struct finding *finding;
	struct fd_socket socket;
	struct fd_answer answer;
	bool news;

	if (!told->findings)
		return;
	begin(told, table);
	while ((finding = findings_in_order(told->findings, &told->cursor, until_ns))) {
		if (finding->kind == FINDING_UNSEEN)
			take_unseen(table, finding);
		/* What became of it until now was not fed. */
		if (finding->kind != FINDING_FD || !finding->fd.told_ns ||
		    finding->fd.told_ns < told->from_ns)
			continue;
		answer = answer_of(finding, &socket);
		fd_answer_take(table, finding->pid, &answer, finding->fd.asked_ns,
			       finding->fd.told_ns, &news);
		told->changed = told->changed || news;
	}
}
