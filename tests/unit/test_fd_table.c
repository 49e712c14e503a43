#include "engine/fds/fd_table.h"

#include "tests/unit/runner.h"

#include <fcntl.h>
#include <string.h>

#define PID 100
#define PLENTY ((size_t)1 << 24)

static void open_as(struct fd_table *table, uint64_t task, int fd, const char *text, bool cloexec,
		    uint64_t enter_ns)
{
	struct fd_file *file = fd_file_new(table, text, strlen(text), false);

	fd_table_open(table, task, fd, file, cloexec, enter_ns);
	fd_file_drop(table, file);
}

/* Return the text of a descriptor; "": not open, "?": unknown, "vague": no text at that time. */
static const char *found(const struct fd_table *table, uint64_t task, int fd, uint64_t at_ns,
			 bool after)
{
	static char text[64];
	struct fd_found found = fd_table_find(table, task, fd, at_ns, after);
	size_t len = 0;
	const char *at;

	if (!found.version)
		return found.closed ? "" : "?";
	at = fd_file_text_at(found.version->file, at_ns, &len);
	if (!at)
		return "vague";
	memcpy(text, at, len);
	text[len] = '\0';
	return text;
}

static const char *was(const struct fd_table *table, uint64_t task, int fd, uint64_t at_ns)
{
	return found(table, task, fd, at_ns, false);
}

static bool is_text(const void *ctx, const struct fd_file *file)
{
	return file->text && !strcmp(file->text, ctx);
}

static struct fd_version *witness(struct fd_table *table, uint64_t task, int fd, const char *text,
				  uint64_t asked_ns, uint64_t reported_ns)
{
	struct fd_version *version = fd_table_witness(table, task, fd, asked_ns, reported_ns,
						      is_text, text);

	if (version && !version->file->text)
		fd_file_set_text(table, version->file, text, strlen(text), 0);
	return version;
}

START_TEST(call_finds_the_file_of_its_time)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, PID, 3, "/first", false, 10);
	fd_table_close(&table, PID, 3, 20);
	open_as(&table, PID, 3, "/second", false, 30);
	fd_table_close(&table, PID, 3, 40);

	ck_assert_str_eq(was(&table, PID, 3, 5), "?");
	ck_assert_str_eq(was(&table, PID, 3, 10), "?"); /* not open yet during the open itself */
	ck_assert_str_eq(found(&table, PID, 3, 12, true), "/first");
	ck_assert_str_eq(was(&table, PID, 3, 15), "/first");
	ck_assert_str_eq(was(&table, PID, 3, 20), "/first"); /* open during the close itself */
	ck_assert_str_eq(was(&table, PID, 3, 25), "");
	ck_assert_str_eq(was(&table, PID, 3, 30), "");
	ck_assert_str_eq(was(&table, PID, 3, 35), "/second");
	ck_assert_str_eq(was(&table, PID, 3, 99), "");
	ck_assert_str_eq(was(&table, PID, 4, 35), "?");
	ck_assert_str_eq(was(&table, PID + 1, 3, 35), "?");
	fd_table_release(&table);
	ck_assert_uint_eq(table.bytes, 0);
}
END_TEST

START_TEST(replaced_descriptor_differs_before_and_after_the_call)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, PID, 3, "/old", false, 10);
	open_as(&table, PID, 3, "/new", false, 20); /* dup2(x, 3) */
	ck_assert_str_eq(was(&table, PID, 3, 20), "/old");
	ck_assert_str_eq(found(&table, PID, 3, 22, true), "/new");
	/* An open that is reported after another thread's close can have been entered before it. */
	open_as(&table, PID, 5, "/a", false, 10);
	fd_table_close(&table, PID, 5, 40);
	open_as(&table, PID, 5, "/b", false, 35);
	ck_assert_str_eq(was(&table, PID, 5, 39), "/a");
	ck_assert_str_eq(was(&table, PID, 5, 45), "/b");
	fd_table_release(&table);
}
END_TEST

START_TEST(child_inherits_open_descriptors)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, PID, 3, "/shared", false, 10);
	fd_table_fork(&table, PID, 200, 20);
	fd_table_close(&table, PID, 3, 30);
	open_as(&table, PID, 3, "/parent", false, 40);
	open_as(&table, PID, 4, "/later", false, 40);
	ck_assert_str_eq(was(&table, 200, 3, 50), "/shared");
	ck_assert_str_eq(was(&table, 200, 4, 50), "?");
	ck_assert_str_eq(was(&table, PID, 3, 50), "/parent");
	fd_table_close(&table, 200, 3, 60);
	ck_assert_str_eq(was(&table, 200, 3, 55), "/shared");
	ck_assert_str_eq(was(&table, 200, 3, 65), "");
	ck_assert_str_eq(was(&table, PID, 3, 65), "/parent");
	/* The child closes a descriptor that it has not used yet. */
	open_as(&table, PID, 9, "/nine", false, 5);
	fd_table_fork(&table, PID, 201, 70);
	fd_table_close_range(&table, 201, 3, UINT32_MAX, false, 80);
	ck_assert_str_eq(was(&table, 201, 9, 75), "/nine");
	ck_assert_str_eq(was(&table, 201, 9, 85), "");
	fd_table_release(&table);
	ck_assert_uint_eq(table.bytes, 0);
}
END_TEST

START_TEST(exec_closes_marked_descriptors)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, PID, 3, "/stays", false, 10);
	open_as(&table, PID, 4, "/goes", true, 10);
	open_as(&table, PID, 5, "/marked later", false, 10);
	open_as(&table, PID, AT_FDCWD, "/tmp", false, 10);
	fd_table_set_cloexec(&table, PID, 5, true, 15);
	fd_table_exec(&table, PID, 20);
	ck_assert_str_eq(was(&table, PID, 3, 30), "/stays");
	ck_assert_str_eq(was(&table, PID, 4, 30), "");
	ck_assert_str_eq(was(&table, PID, 5, 30), "");
	ck_assert_str_eq(was(&table, PID, AT_FDCWD, 30), "/tmp");
	/* Before the exec, all were open. */
	ck_assert_str_eq(was(&table, PID, 4, 18), "/goes");
	/* A child inherits marked descriptors until its own exec. */
	open_as(&table, PID, 6, "/marked", true, 40);
	fd_table_fork(&table, PID, 200, 50);
	fd_table_exec(&table, 200, 60);
	ck_assert_str_eq(was(&table, 200, 6, 55), "/marked");
	ck_assert_str_eq(was(&table, 200, 6, 65), "");
	ck_assert_str_eq(was(&table, 200, 3, 65), "/stays");
	ck_assert_str_eq(was(&table, PID, 6, 65), "/marked");
	fd_table_release(&table);
}
END_TEST

START_TEST(reused_pid_has_new_descriptors)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, PID, 3, "/first", false, 10);
	fd_table_exit(&table, PID, 20);
	open_as(&table, 300, 3, "/parent", false, 10);
	fd_table_fork(&table, 300, PID, 30);
	ck_assert_str_eq(was(&table, PID, 3, 15), "/first");
	ck_assert_str_eq(was(&table, PID, 3, 35), "/parent");
	fd_table_release(&table);
}
END_TEST

START_TEST(processes_can_share_a_table)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, PID, 3, "/before", false, 10);
	fd_table_fork(&table, PID, 200, 20);
	fd_table_share(&table, PID, 200);
	open_as(&table, 200, 4, "/by the child", false, 30);
	fd_table_close(&table, PID, 3, 40);
	ck_assert_str_eq(was(&table, PID, 4, 50), "/by the child");
	ck_assert_str_eq(was(&table, 200, 3, 50), "");
	/* An exec gives the process its own table. */
	fd_table_exec(&table, 200, 60);
	fd_table_close(&table, 200, 4, 70);
	ck_assert_str_eq(was(&table, PID, 4, 80), "/by the child");
	fd_table_release(&table);
	ck_assert_uint_eq(table.bytes, 0);
}
END_TEST

START_TEST(process_can_unshare_its_descriptors)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, PID, 3, "/before", false, 10);
	fd_table_fork(&table, PID, 200, 20);
	fd_table_fork(&table, PID, 201, 20);
	fd_table_share(&table, PID, 200);
	fd_table_share(&table, PID, 201);
	fd_table_unshare(&table, 200, 200, 0, 30);
	fd_table_close(&table, 200, 3, 40);
	ck_assert_str_eq(was(&table, 200, 3, 50), "");
	ck_assert_str_eq(was(&table, 200, 3, 25), "/before");
	ck_assert_str_eq(was(&table, PID, 3, 50), "/before");
	/* The remaining processes still share a table. */
	open_as(&table, 201, 4, "/by the other", false, 60);
	ck_assert_str_eq(was(&table, PID, 4, 70), "/by the other");
	ck_assert_str_eq(was(&table, 200, 4, 70), "?");
	/* The last process keeps the table when its peer unshares. */
	fd_table_unshare(&table, PID, PID, 0, 80);
	fd_table_close(&table, PID, 3, 90);
	ck_assert_str_eq(was(&table, 201, 3, 100), "/before");
	fd_table_release(&table);
	ck_assert_uint_eq(table.bytes, 0);
}
END_TEST

/* Threads of PID; the first one has the tid PID. */
#define FIRST fd_task(PID, PID)
#define SECOND fd_task(PID, 101)
#define THIRD fd_task(PID, 102)

START_TEST(thread_can_unshare_its_descriptors)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, SECOND, 3, "/shared", false, 10);
	ck_assert_str_eq(was(&table, FIRST, 3, 15), "/shared");
	fd_table_unshare(&table, SECOND, SECOND, 0, 20);
	fd_table_close(&table, SECOND, 3, 30);
	open_as(&table, SECOND, 3, "/alone", false, 40);
	ck_assert_str_eq(was(&table, SECOND, 3, 50), "/alone");
	ck_assert_str_eq(was(&table, SECOND, 3, 15), "/shared");
	ck_assert_str_eq(was(&table, FIRST, 3, 50), "/shared");
	/* A thread shares with its creator; a process inherits from the thread that forked it. */
	fd_table_thread(&table, SECOND, THIRD, 60);
	open_as(&table, THIRD, 4, "/by the third", false, 70);
	ck_assert_str_eq(was(&table, SECOND, 4, 80), "/by the third");
	ck_assert_str_eq(was(&table, FIRST, 4, 80), "?");
	fd_table_fork(&table, THIRD, 200, 90);
	ck_assert_str_eq(was(&table, fd_task(200, 200), 4, 95), "/by the third");
	/* The tid is reused by a thread that the first one creates. */
	fd_table_exit(&table, SECOND, 100);
	fd_table_thread(&table, FIRST, SECOND, 110);
	ck_assert_str_eq(was(&table, SECOND, 3, 120), "/shared");
	ck_assert_str_eq(was(&table, SECOND, 3, 95), "/alone");
	/* The thread that executes a program is unknown. */
	fd_table_exec(&table, PID, 130);
	ck_assert_str_eq(was(&table, FIRST, 3, 140), "?");
	fd_table_release(&table);
	ck_assert_uint_eq(table.bytes, 0);
}
END_TEST

START_TEST(first_thread_can_unshare_its_descriptors)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, SECOND, 3, "/shared", false, 10);
	fd_table_unshare(&table, FIRST, FIRST, 0, 20);
	open_as(&table, FIRST, 3, "/alone", false, 30);
	ck_assert_str_eq(was(&table, SECOND, 3, 40), "/shared");
	ck_assert_str_eq(was(&table, FIRST, 3, 40), "/alone");
	/* A directory that changed since then is passed on, too. */
	open_as(&table, SECOND, AT_FDCWD, "/directory", false, 50);
	fd_table_fork(&table, FIRST, 200, 60);
	fd_table_exec(&table, PID, 60);
	ck_assert_str_eq(was(&table, fd_task(200, 200), 3, 70), "/alone");
	ck_assert_str_eq(was(&table, fd_task(200, 200), AT_FDCWD, 70), "/directory");
	ck_assert_str_eq(was(&table, FIRST, 3, 70), "/alone");
	ck_assert_str_eq(was(&table, FIRST, AT_FDCWD, 70), "/directory");
	fd_table_release(&table);
	ck_assert_uint_eq(table.bytes, 0);
}
END_TEST

START_TEST(directory_is_shared_apart_from_descriptors)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, FIRST, AT_FDCWD, "/both", false, 10);
	fd_table_unshare(&table, SECOND, SECOND, AT_FDCWD, 20);
	open_as(&table, SECOND, AT_FDCWD, "/alone", false, 30);
	open_as(&table, SECOND, 3, "/file", false, 30);
	ck_assert_str_eq(was(&table, FIRST, AT_FDCWD, 40), "/both");
	ck_assert_str_eq(was(&table, SECOND, AT_FDCWD, 40), "/alone");
	ck_assert_str_eq(was(&table, FIRST, 3, 40), "/file");
	/* CLONE_FILES without CLONE_FS, and the reverse. */
	fd_table_fork(&table, FIRST, 200, 50);
	fd_table_share(&table, FIRST, 200);
	fd_table_share_directory(&table, FIRST, 200, false);
	fd_table_fork(&table, FIRST, 201, 50);
	fd_table_share_directory(&table, FIRST, 201, true);
	open_as(&table, FIRST, AT_FDCWD, "/later", false, 60);
	open_as(&table, FIRST, 4, "/later file", false, 60);
	ck_assert_str_eq(was(&table, fd_task(200, 200), AT_FDCWD, 70), "/both");
	ck_assert_str_eq(was(&table, fd_task(200, 200), 4, 70), "/later file");
	ck_assert_str_eq(was(&table, fd_task(201, 201), AT_FDCWD, 70), "/later");
	ck_assert_str_eq(was(&table, fd_task(201, 201), 4, 70), "?");
	fd_table_release(&table);
	ck_assert_uint_eq(table.bytes, 0);
}
END_TEST

START_TEST(threads_that_unshared_before_the_start_are_parted)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	ck_assert_ptr_nonnull(witness(&table, FIRST, 3, "/first", 10, 11));
	open_as(&table, SECOND, 4, "/seemingly shared", false, 20);
	ck_assert(fd_table_part(&table, SECOND, FIRST, 0, 0, 30));
	ck_assert(fd_table_part(&table, THIRD, FIRST, SECOND, 0, 30));
	ck_assert(!fd_table_part(&table, THIRD, FIRST, SECOND, 0, 30));
	ck_assert(!fd_table_part(&table, FIRST, SECOND, 0, 0, 30));
	ck_assert_str_eq(was(&table, FIRST, 4, 25), "?");
	ck_assert_str_eq(was(&table, SECOND, 3, 25), "?");
	ck_assert_ptr_nonnull(witness(&table, SECOND, 3, "/second", 40, 41));
	ck_assert_str_eq(was(&table, THIRD, 3, 50), "/second");
	ck_assert_ptr_nonnull(witness(&table, FIRST, 3, "/first", 40, 41));
	ck_assert_str_eq(was(&table, FIRST, 3, 50), "/first");
	fd_table_release(&table);
	ck_assert_uint_eq(table.bytes, 0);
}
END_TEST

START_TEST(proc_replies_apply_to_their_time)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	/* The descriptor was open before the first record. */
	ck_assert_ptr_nonnull(witness(&table, PID, 1, "/dev/tty", 100, 110));
	ck_assert_str_eq(was(&table, PID, 1, 50), "/dev/tty");
	ck_assert_str_eq(was(&table, PID, 1, 200), "/dev/tty");
	/* A close after the /proc read is processed before the reply. */
	fd_table_close(&table, PID, 2, 130);
	ck_assert_ptr_nonnull(witness(&table, PID, 2, "/early", 120, 125));
	ck_assert_str_eq(was(&table, PID, 2, 60), "/early");
	ck_assert_str_eq(was(&table, PID, 2, 140), "");
	/* Opened during the /proc read: the reply can describe either file, so it is dropped. */
	open_as(&table, PID, 7, "/now", false, 145);
	ck_assert_ptr_null(witness(&table, PID, 7, "/other", 140, 150));
	ck_assert_str_eq(was(&table, PID, 7, 160), "/now");
	/* Read during an exec: the reply can describe either program. */
	fd_table_exec(&table, PID, 170);
	ck_assert_ptr_null(witness(&table, PID, 8, "/either", 165, 175));
	fd_table_release(&table);
}
END_TEST

START_TEST(proc_reply_before_an_exec_is_inherited)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	fd_table_exec(&table, PID, 100);

	/* Read from the old program; the reply is processed after the exec. */
	ck_assert_ptr_nonnull(witness(&table, PID, AT_FDCWD, "/here", 80, 90));
	ck_assert_str_eq(was(&table, PID, AT_FDCWD, 150), "/here");
	ck_assert_str_eq(was(&table, PID, AT_FDCWD, 85), "/here");
	/* Read during the exec: the reply can describe either program. */
	ck_assert_ptr_null(witness(&table, PID, 3, "/whose", 95, 105));
	fd_table_release(&table);
}
END_TEST

START_TEST(descriptors_are_unknown_after_a_loss)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, PID, 3, "/a", false, 10);
	open_as(&table, PID, 4, "/b", false, 10);
	fd_table_lose(&table, 50, 50);
	ck_assert_str_eq(was(&table, PID, 3, 40), "/a");
	ck_assert_str_eq(was(&table, PID, 3, 60), "?");
	/* A reply confirms the old file, or names another one, which is unknown before the read. */
	ck_assert_ptr_nonnull(witness(&table, PID, 3, "/a", 70, 75));
	ck_assert_str_eq(was(&table, PID, 3, 60), "/a");
	ck_assert_str_eq(was(&table, PID, 3, 90), "/a");
	ck_assert_ptr_nonnull(witness(&table, PID, 4, "/c", 70, 75));
	ck_assert_str_eq(was(&table, PID, 4, 40), "/b");
	ck_assert_str_eq(was(&table, PID, 4, 60), "?");
	ck_assert_str_eq(was(&table, PID, 4, 90), "/c");
	/* Descriptors opened afterwards are known. */
	open_as(&table, PID, 5, "/d", false, 80);
	ck_assert_str_eq(was(&table, PID, 5, 90), "/d");
	fd_table_release(&table);
}
END_TEST

START_TEST(descriptors_are_known_before_and_after_lost_records)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, PID, 3, "/a", false, 10);
	fd_table_set_blind(&table, true, 100);
	ck_assert_str_eq(was(&table, PID, 3, 90), "/a");
	ck_assert_str_eq(was(&table, PID, 3, 120), "?");
	ck_assert_ptr_nonnull(witness(&table, PID, 3, "/a", 150, 151));
	ck_assert_str_eq(was(&table, PID, 3, 120), "/a");
	ck_assert_str_eq(was(&table, PID, 3, 200), "?");
	ck_assert_ptr_nonnull(witness(&table, PID, 6, "/unseen", 150, 151));
	ck_assert_str_eq(was(&table, PID, 6, 140), "?");
	ck_assert_ptr_nonnull(witness(&table, PID, 6, "/unseen", 250, 251));
	ck_assert_str_eq(was(&table, PID, 6, 200), "/unseen");
	/* No longer blind: descriptors are unknown until a later reply confirms them. */
	fd_table_set_blind(&table, false, 300);
	ck_assert_str_eq(was(&table, PID, 6, 310), "?");
	ck_assert_ptr_nonnull(witness(&table, PID, 6, "/unseen", 320, 321));
	ck_assert_str_eq(was(&table, PID, 6, 310), "/unseen");
	ck_assert_str_eq(was(&table, PID, 6, 400), "/unseen");
	fd_table_release(&table);
}
END_TEST

static bool is_during(const struct fd_table *table, int fd, uint64_t enter_ns, uint64_t end_ns)
{
	return fd_table_find_during(table, PID, fd, enter_ns, end_ns) != NULL;
}

/* A call waits while records are lost: a /proc read during the call applies to it. */
START_TEST(proc_reply_during_a_call_applies_to_it)
{
	struct fd_table table;

	fd_table_init(&table, PLENTY);
	open_as(&table, PID, 9, "/other", false, 5);
	fd_table_lose(&table, 30, 40);
	ck_assert_ptr_nonnull(witness(&table, PID, 3, "/pipe", 50, 60));
	ck_assert_str_eq(was(&table, PID, 3, 20), "?");
	ck_assert_str_eq(was(&table, PID, 3, 55), "/pipe");
	ck_assert(is_during(&table, 3, 20, UINT64_MAX));
	ck_assert(is_during(&table, 3, 20, 50));
	ck_assert(!is_during(&table, 3, 20, 45)); /* the call ended before the read */
	ck_assert(!is_during(&table, 4, 20, UINT64_MAX));
	/* The call begins at 20. Then another call opens 5, and 6 is another file until 25. */
	open_as(&table, PID, 5, "/opened", false, 35);
	ck_assert(!is_during(&table, 5, 20, UINT64_MAX));
	open_as(&table, PID, 6, "/first", false, 10);
	fd_table_close(&table, PID, 6, 25);
	ck_assert_ptr_nonnull(witness(&table, PID, 6, "/second", 50, 60));
	ck_assert(!is_during(&table, 6, 20, UINT64_MAX));
	ck_assert(is_during(&table, 6, 28, UINT64_MAX));
	/* After an exec, another program runs. */
	fd_table_exec(&table, PID, 70);
	ck_assert(!is_during(&table, 3, 20, UINT64_MAX));
	fd_table_release(&table);
}
END_TEST

START_TEST(texts_change_with_time)
{
	struct fd_table table;
	struct fd_file *file;

	fd_table_init(&table, PLENTY);
	file = fd_file_new(&table, "TCP", 3, true);
	fd_table_open(&table, PID, 3, file, false, 10);
	fd_file_set_text(&table, file, "TCP:[a->b]", 10, 50);
	ck_assert_str_eq(was(&table, PID, 3, 40), "TCP");
	ck_assert_str_eq(was(&table, PID, 3, 60), "TCP:[a->b]");
	/* A longer text of the same file replaces the text. */
	fd_file_set_text(&table, file, "TCP:[aa->b]", 11, 0);
	ck_assert_str_eq(was(&table, PID, 3, 60), "TCP:[aa->b]");
	ck_assert_str_eq(was(&table, PID, 3, 40), "TCP");
	fd_file_drop(&table, file);
	fd_table_release(&table);
	ck_assert_uint_eq(table.bytes, 0);
}
END_TEST

/* Two threads opened a descriptor at the same time; the later open is reported first. */
START_TEST(memory_is_bounded_behind_an_unclosed_version)
{
	const size_t max_bytes = 1 << 18;
	struct fd_table table;
	uint64_t now_ns = 200;

	fd_table_init(&table, max_bytes);
	open_as(&table, PID, 3, "/later", false, 100);
	open_as(&table, PID, 3, "/earlier", false, 50);
	for (int i = 0; i < 50000; i++) {
		table.now_ns = now_ns += 10;
		open_as(&table, PID, 3, "/again", false, now_ns);
		fd_table_close(&table, PID, 3, now_ns + 5);
	}
	ck_assert_uint_le(table.bytes, 2 * max_bytes);
	ck_assert_str_eq(was(&table, PID, 3, now_ns + 3), "/again");
	fd_table_release(&table);
}
END_TEST

/* Open one descriptor many times; fork thousands of processes; open thousands of descriptors. */
START_TEST(memory_is_bounded)
{
	const size_t max_bytes = 1 << 18;
	struct fd_table table;
	uint64_t now_ns = 0;

	fd_table_init(&table, max_bytes);
	for (int i = 0; i < 20000; i++) {
		table.now_ns = now_ns += 10;
		open_as(&table, PID, 3, "/again", false, now_ns);
		fd_table_close(&table, PID, 3, now_ns + 5);
	}
	ck_assert_uint_le(table.bytes, 2 * max_bytes);
	ck_assert_str_eq(was(&table, PID, 3, now_ns + 3), "/again");
	for (uint32_t i = 0; i < 5000; i++) {
		table.now_ns = now_ns += 10;
		fd_table_fork(&table, PID + i, PID + i + 1, now_ns);
		open_as(&table, PID + i + 1, 4, "/of one", false, now_ns + 1);
		fd_table_exit(&table, PID + i, now_ns + 5);
	}
	ck_assert_uint_le(table.bytes, 2 * max_bytes);
	ck_assert_str_eq(was(&table, PID + 5000, 4, now_ns + 3), "/of one");
	for (int i = 0; i < 50000; i++) {
		table.now_ns = now_ns += 10;
		open_as(&table, 77, i, "/of many", false, now_ns);
	}
	ck_assert_uint_le(table.bytes, 3 * max_bytes);
	fd_table_release(&table);
	ck_assert_uint_eq(table.bytes, 0);
}
END_TEST

/* Evicted versions are unknown; newer ones are known. */
START_TEST(evicted_versions_are_unknown)
{
	struct fd_table table;
	uint64_t now_ns = 100;

	fd_table_init(&table, 1 << 16);
	open_as(&table, PID, 3, "/parent", false, 10);
	fd_table_fork(&table, PID, 200, 20);
	fd_table_close(&table, 200, 3, 30);
	for (int i = 0; i < 5000; i++) {
		table.now_ns = now_ns += 10;
		open_as(&table, 200, 4, "/churn", false, now_ns);
		fd_table_close(&table, 200, 4, now_ns + 5);
	}
	ck_assert_str_eq(was(&table, 200, 3, now_ns), "");
	ck_assert_str_eq(was(&table, 200, 4, 101), "?");
	fd_table_release(&table);
}
END_TEST

Suite *suite_fd_table(void);
Suite *suite_fd_table(void)
{
	Suite *suite = suite_create("fd_table");
	TCase *tc = tcase_create("fd_table");

	tcase_add_test(tc, call_finds_the_file_of_its_time);
	tcase_add_test(tc, replaced_descriptor_differs_before_and_after_the_call);
	tcase_add_test(tc, child_inherits_open_descriptors);
	tcase_add_test(tc, exec_closes_marked_descriptors);
	tcase_add_test(tc, reused_pid_has_new_descriptors);
	tcase_add_test(tc, processes_can_share_a_table);
	tcase_add_test(tc, process_can_unshare_its_descriptors);
	tcase_add_test(tc, thread_can_unshare_its_descriptors);
	tcase_add_test(tc, first_thread_can_unshare_its_descriptors);
	tcase_add_test(tc, directory_is_shared_apart_from_descriptors);
	tcase_add_test(tc, threads_that_unshared_before_the_start_are_parted);
	tcase_add_test(tc, proc_replies_apply_to_their_time);
	tcase_add_test(tc, proc_reply_before_an_exec_is_inherited);
	tcase_add_test(tc, descriptors_are_unknown_after_a_loss);
	tcase_add_test(tc, descriptors_are_known_before_and_after_lost_records);
	tcase_add_test(tc, proc_reply_during_a_call_applies_to_it);
	tcase_add_test(tc, texts_change_with_time);
	tcase_add_test(tc, memory_is_bounded);
	tcase_add_test(tc, memory_is_bounded_behind_an_unclosed_version);
	tcase_add_test(tc, evicted_versions_are_unknown);
	suite_add_tcase(suite, tc);
	return suite;
}
