#include "engine/stack/spaces.h"

#include "engine/stack/proc_maps.h"
#include "tests/unit/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

Suite *suite_spaces(void);

static void map(struct spaces *spaces, uint32_t pid, uint64_t start, uint64_t bytes,
		const char *path)
{
	struct record record = {
		.kind = RECORD_MAP,
		.pid = pid,
		.tid = pid,
		.map = { .start = start, .bytes = bytes, .path = path, .inode = 7 },
	};

	spaces_feed(spaces, &record);
}

static void map_code(struct spaces *spaces, uint64_t start, uint64_t bytes, uint64_t file_offset,
		     uint64_t inode, const char *path)
{
	struct record record = {
		.kind = RECORD_MAP,
		.pid = 1,
		.tid = 1,
		.map = { .start = start,
			 .bytes = bytes,
			 .file_offset = file_offset,
			 .inode = inode,
			 .path = path,
			 .prot = PROT_READ | PROT_EXEC },
	};

	spaces_feed(spaces, &record);
}

static void fork_to(struct spaces *spaces, uint32_t parent, uint32_t pid, uint32_t tid)
{
	struct record record = {
		.kind = RECORD_FORK,
		.pid = pid,
		.tid = tid,
		.fork = { .parent_pid = parent, .parent_tid = parent },
	};

	spaces_feed(spaces, &record);
}

static void exec(struct spaces *spaces, uint32_t pid)
{
	struct record record = {
		.kind = RECORD_COMM,
		.pid = pid,
		.tid = pid,
		.comm = { .comm = "x", .exec = true },
	};

	spaces_feed(spaces, &record);
}

static void end(struct spaces *spaces, uint32_t pid, uint32_t tid)
{
	struct record record = { .kind = RECORD_TASK_EXIT, .pid = pid, .tid = tid };

	spaces_feed(spaces, &record);
}

/* Return the path at an address, "" for none, and its file offset. */
static const char *at(struct spaces *spaces, uint32_t pid, uint32_t generation, uint64_t ip,
		      uint64_t *offset)
{
	struct mapping mapping;

	if (!spaces_find(spaces, pid, generation, ip, &mapping))
		return "";
	if (offset)
		*offset = ip - mapping.start + mapping.file_offset;
	return mapping.path;
}

START_TEST(a_mapping_replaces_what_it_overlaps)
{
	static const struct {
		const char *name;
		uint64_t start, bytes;
		const char *expected; /* one letter per 0x1000 bytes, beginning at 0x1000 */
	} cases[] = {
		{ "inside", 0x3000, 0x1000, "aabaa--" },
		{ "over the start", 0x1000, 0x2000, "bbaaa--" },
		{ "over the end", 0x4000, 0x3000, "aaabbb-" },
		{ "all of it", 0x1000, 0x5000, "bbbbb--" },
		{ "behind it", 0x6000, 0x1000, "aaaaab-" },
		{ "a gap away", 0x7000, 0x1000, "aaaaa-b" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct spaces *spaces = spaces_new();
		char seen[8] = "";

		map(spaces, 1, 0x1000, 0x5000, "a");
		map(spaces, 1, cases[i].start, cases[i].bytes, "b");
		for (unsigned int k = 0; k < 7; k++) {
			uint64_t ip = 0x1000 + 0x1000 * k + 0x800, offset = 0;
			const char *path = at(spaces, 1, 0, ip, &offset);

			seen[k] = *path ? *path : '-';
			/* The remaining parts of mapping "a" keep their file offsets. */
			if (*path == 'a')
				ck_assert_msg(offset == ip - 0x1000, "%s", cases[i].name);
		}
		ck_assert_msg(!strcmp(seen, cases[i].expected), "%s: %s", cases[i].name, seen);
		spaces_free(spaces);
	}
}
END_TEST

START_TEST(random_mappings_agree_with_a_plain_array)
{
	static const char *const paths[] = { "a", "b", "c", "d", "e" };
	struct spaces *spaces = spaces_new();
	const char *pages[64] = { NULL };
	unsigned int seed = 9;

	for (unsigned int round = 0; round < 4000; round++) {
		unsigned int from = (unsigned int)rand_r(&seed) % 64;
		unsigned int count = 1 + (unsigned int)rand_r(&seed) % (64 - from);
		const char *path = paths[rand_r(&seed) % 5];

		if (count > 16)
			count = 16;
		map(spaces, 1, from * 4096ULL, count * 4096ULL, path);
		for (unsigned int i = from; i < from + count && i < 64; i++)
			pages[i] = path;
		for (unsigned int i = 0; i < 64; i++)
			ck_assert_str_eq(at(spaces, 1, 0, i * 4096ULL + 4095, NULL),
					 pages[i] ? pages[i] : "");
	}
	ck_assert_uint_le(spaces_mappings(spaces), 64);
	spaces_free(spaces);
}
END_TEST

START_TEST(a_fork_shares_its_maps_until_one_changes)
{
	struct spaces *spaces = spaces_new();
	uint32_t child;

	map(spaces, 1, 0x1000, 0x1000, "a");
	fork_to(spaces, 1, 2, 2);
	child = spaces_generation(spaces, 2);
	ck_assert_uint_ne(child, 0);
	ck_assert_str_eq(at(spaces, 2, child, 0x1800, NULL), "a");
	ck_assert_uint_eq(spaces_mappings(spaces), 1);
	map(spaces, 2, 0x3000, 0x1000, "b");
	ck_assert_str_eq(at(spaces, 2, child, 0x3800, NULL), "b");
	ck_assert_str_eq(at(spaces, 1, 0, 0x3800, NULL), "");
	map(spaces, 1, 0x1000, 0x1000, "c");
	ck_assert_str_eq(at(spaces, 2, child, 0x1800, NULL), "a");
	ck_assert_str_eq(at(spaces, 1, 0, 0x1800, NULL), "c");
	ck_assert_uint_eq(spaces_mappings(spaces), 3);
	/* A thread shares the space of its process. */
	fork_to(spaces, 2, 2, 22);
	ck_assert_uint_eq(spaces_generation(spaces, 2), child);
	spaces_free(spaces);
}
END_TEST

START_TEST(exec_begins_a_generation_and_the_old_one_is_kept)
{
	struct spaces *spaces = spaces_new();
	uint32_t second;

	ck_assert_uint_eq(spaces_generation(spaces, 1), 0);
	map(spaces, 1, 0x1000, 0x1000, "old");
	exec(spaces, 1);
	second = spaces_generation(spaces, 1);
	ck_assert_uint_ne(second, 0);
	ck_assert_str_eq(at(spaces, 1, second, 0x1800, NULL), "");
	map(spaces, 1, 0x1000, 0x1000, "new");
	ck_assert_str_eq(at(spaces, 1, second, 0x1800, NULL), "new");
	ck_assert_str_eq(at(spaces, 1, 0, 0x1800, NULL), "old");
	/* The exec of an unknown process begins a generation, too. */
	exec(spaces, 5);
	ck_assert_uint_gt(spaces_generation(spaces, 5), second);
	spaces_free(spaces);
}
END_TEST

START_TEST(other_code_at_its_address_begins_a_generation)
{
	struct record record = {
		.kind = RECORD_MAP,
		.pid = 1,
		.tid = 1,
		.map = { .start = 0x1000, .bytes = 0x4000, .path = "/third", .prot = PROT_READ },
	};
	struct spaces *spaces = spaces_new();
	uint32_t second, third;

	map_code(spaces, 0x1000, 0x3000, 0, 7, "/first");
	/* More code of the same file, data over its memory, code beside it: no new generation. */
	map_code(spaces, 0x2000, 0x1000, 0x1000, 7, "/first");
	map(spaces, 1, 0x3000, 0x1000, "/data");
	map_code(spaces, 0x9000, 0x1000, 0, 0, "//anon");
	map_code(spaces, 0x8000, 0x2000, 0, 0, "//anon");
	ck_assert_uint_eq(spaces_generation(spaces, 1), 0);
	map_code(spaces, 0x1000, 0x2000, 0, 8, "/second");
	second = spaces_generation(spaces, 1);
	ck_assert_uint_ne(second, 0);
	ck_assert_str_eq(at(spaces, 1, 0, 0x1800, NULL), "/first");
	ck_assert_str_eq(at(spaces, 1, second, 0x1800, NULL), "/second");
	ck_assert_str_eq(at(spaces, 1, second, 0x9800, NULL), "//anon");
	/* Code from elsewhere in the same file begins a generation. */
	map_code(spaces, 0x1000, 0x1000, 0x5000, 8, "/second");
	third = spaces_generation(spaces, 1);
	ck_assert_uint_ne(third, second);
	/* A loader first maps the whole file as data: over other code, this begins a generation. */
	record.map.inode = 9;
	spaces_feed(spaces, &record);
	ck_assert_uint_ne(spaces_generation(spaces, 1), third);
	third = spaces_generation(spaces, 1);
	/* Later mappings are not in earlier generations. */
	map(spaces, 1, 0x20000, 0x1000, "/late");
	ck_assert_str_eq(at(spaces, 1, second, 0x20800, NULL), "");
	ck_assert_str_eq(at(spaces, 1, third, 0x20800, NULL), "/late");
	spaces_free(spaces);
}
END_TEST

/* Without an exec, the maps of this process also fill its first generation, which has ended. */
START_TEST(proc_fills_generations_of_one_program)
{
	struct spaces *spaces = spaces_new();
	uint32_t pid = (uint32_t)getpid(), second;
	struct record record = {
		.kind = RECORD_MAP,
		.pid = pid,
		.tid = pid,
		.map = { .start = 0x1000,
			 .bytes = 0x1000,
			 .inode = 7,
			 .path = "/first",
			 .prot = PROT_READ | PROT_EXEC },
	};
	uint64_t here = (uintptr_t)map_code;

	spaces_feed(spaces, &record);
	record.map.inode = 8;
	record.map.path = "/second";
	spaces_feed(spaces, &record);
	second = spaces_generation(spaces, pid);
	ck_assert_uint_ne(second, 0);
	ck_assert(spaces_load_proc(spaces, pid, 0));
	ck_assert_str_ne(at(spaces, pid, 0, here, NULL), "");
	ck_assert_str_eq(at(spaces, pid, 0, 0x1800, NULL), "/first");
	ck_assert_str_eq(at(spaces, pid, second, here, NULL), "");
	ck_assert(spaces_load_proc(spaces, pid, second));
	ck_assert_str_ne(at(spaces, pid, second, here, NULL), "");
	exec(spaces, pid);
	ck_assert(!spaces_load_proc(spaces, pid, second));
	spaces_free(spaces);
}
END_TEST

START_TEST(an_end_keeps_the_space_and_a_reused_pid_gets_another)
{
	struct spaces *spaces = spaces_new();
	uint32_t first, second;

	fork_to(spaces, 1, 2, 2);
	first = spaces_generation(spaces, 2);
	map(spaces, 2, 0x1000, 0x1000, "first");
	end(spaces, 2, 3); /* one of its threads */
	end(spaces, 2, 2);
	end(spaces, 2, 2);
	/* Other threads can outlive the leader. */
	ck_assert_uint_eq(spaces_generation(spaces, 2), first);
	map(spaces, 2, 0x5000, 0x1000, "late");
	ck_assert_str_eq(at(spaces, 2, first, 0x5800, NULL), "late");
	fork_to(spaces, 1, 2, 2);
	second = spaces_generation(spaces, 2);
	ck_assert_uint_ne(second, first);
	ck_assert_str_eq(at(spaces, 2, second, 0x1800, NULL), "");
	ck_assert_str_eq(at(spaces, 2, first, 0x1800, NULL), "first");
	spaces_free(spaces);
}
END_TEST

START_TEST(ended_spaces_are_bounded)
{
	struct spaces *spaces = spaces_new();
	uint32_t early = 0;

	spaces_set_limit(spaces, 4096 * 4 * sizeof(struct mapping));
	for (uint32_t i = 0; i < 20000; i++) {
		uint32_t pid = 100 + i % 30000;

		fork_to(spaces, 1, pid, pid);
		map(spaces, pid, 0x1000, 0x1000, "x");
		if (i == 0)
			early = spaces_generation(spaces, pid);
		end(spaces, pid, pid);
	}
	ck_assert_uint_le(spaces_mappings(spaces), 4097);
	ck_assert_str_eq(at(spaces, 100, early, 0x1800, NULL), "");
	ck_assert_uint_eq(spaces_generation(spaces, 100), 0);
	ck_assert_str_eq(at(spaces, 20099, spaces_generation(spaces, 20099), 0x1800, NULL), "x");
	spaces_free(spaces);
}
END_TEST

static void end_at(struct spaces *spaces, uint32_t pid, uint64_t time_ns)
{
	struct record record = {
		.kind = RECORD_TASK_EXIT,
		.pid = pid,
		.tid = pid,
		.time_ns = time_ns,
	};

	spaces_feed(spaces, &record);
}

/* Spaces that lived long or were looked up are found after thousands of short ones. */
START_TEST(short_lived_spaces_are_evicted_first)
{
	enum { OLD = 1, LONG, SEEN, BRIEF, STORM = 100, STORM_SIZE = 20000 };
	struct spaces *spaces = spaces_new();
	struct {
		uint32_t pid;
		const char *path;
	} cases[] = { { OLD, "old" }, { LONG, "long" }, { SEEN, "seen" }, { BRIEF, "" } };
	uint32_t generations[BRIEF + 1];

	spaces_set_limit(spaces, 4096 * 4 * sizeof(struct mapping));
	map(spaces, OLD, 0x1000, 0x1000, "old");
	for (uint32_t pid = LONG; pid <= BRIEF; pid++) {
		struct record record = {
			.kind = RECORD_FORK,
			.pid = pid,
			.tid = pid,
			.time_ns = 5000000000,
			.fork = { .parent_pid = STORM, .parent_tid = STORM },
		};

		spaces_feed(spaces, &record);
		map(spaces, pid, 0x1000, 0x1000, pid == LONG ? "long" : "seen");
	}
	for (uint32_t pid = OLD; pid <= BRIEF; pid++)
		generations[pid] = spaces_generation(spaces, pid);
	ck_assert_str_eq(at(spaces, SEEN, generations[SEEN], 0x1800, NULL), "seen");
	for (uint32_t pid = OLD; pid <= BRIEF; pid++)
		end_at(spaces, pid, pid == LONG ? 6000000000 : 5999999999);
	for (uint32_t i = 0; i < STORM_SIZE; i++) {
		fork_to(spaces, STORM, STORM + 1 + i, STORM + 1 + i);
		map(spaces, STORM + 1 + i, 0x1000, 0x1000, "x");
		end(spaces, STORM + 1 + i, STORM + 1 + i);
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(
			!strcmp(at(spaces, cases[i].pid, generations[cases[i].pid], 0x1800, NULL),
				cases[i].path),
			"%u", cases[i].pid);
	/* The number of long-lived spaces is bounded, too. */
	for (uint32_t i = 0; i < STORM_SIZE; i++) {
		map(spaces, STORM + 1 + i, 0x1000, 0x1000, "x");
		end_at(spaces, STORM + 1 + i, 9000000000);
	}
	ck_assert_uint_le(spaces_mappings(spaces), 5 * 4097);
	spaces_free(spaces);
}
END_TEST

START_TEST(proc_maps_fill_unknown_addresses)
{
	uint32_t pid = (uint32_t)getpid();
	uint64_t here = (uintptr_t)&suite_spaces;
	struct spaces *spaces = spaces_new();
	struct mapping mapping;

	ck_assert(!spaces_find(spaces, pid, 0, here, &mapping));
	map(spaces, pid, here & ~4095ULL, 4096, "known");
	ck_assert(spaces_load_proc(spaces, pid, 0));
	ck_assert_str_eq(at(spaces, pid, 0, here, NULL), "known");
	ck_assert(spaces_find(spaces, pid, 0, (uintptr_t)&suite_create, &mapping));
	ck_assert_msg(strstr(mapping.path, "/"), "%s", mapping.path);
	ck_assert(mapping.prot & PROT_EXEC);
	ck_assert(!spaces_load_proc(spaces, pid, 0)); /* loaded just before */
	ck_assert(!spaces_load_proc(spaces, pid, 77)); /* no such generation */
	ck_assert(!spaces_load_proc(spaces, 0x7ffffff0, 0));
	spaces_free(spaces);
}
END_TEST

START_TEST(an_exited_child_gets_the_maps_of_its_parent)
{
	uint32_t pid = (uint32_t)getpid();
	struct spaces *spaces = spaces_new();
	pid_t child = fork();
	uint32_t generation;

	if (child == 0)
		_exit(0);
	fork_to(spaces, pid, (uint32_t)child, (uint32_t)child);
	generation = spaces_generation(spaces, (uint32_t)child);
	map(spaces, (uint32_t)child, 0x1000, 0x1000, "own");
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	spaces_load_proc(spaces, (uint32_t)child, generation);
	ck_assert_str_ne(at(spaces, (uint32_t)child, generation, (uintptr_t)&suite_create, NULL),
			 "");
	ck_assert_str_eq(at(spaces, (uint32_t)child, generation, 0x1800, NULL), "own");
	spaces_free(spaces);
}
END_TEST

struct seen {
	unsigned int count;
	struct mapping last;
	char path[4200];
};

static void see(void *arg, const struct mapping *mapping, const char *path, size_t path_len)
{
	struct seen *seen = arg;

	seen->count++;
	seen->last = *mapping;
	memcpy(seen->path, path, path_len);
	seen->path[path_len] = '\0';
}

START_TEST(lines_of_proc_maps_are_read)
{
	static const struct {
		const char *name, *line;
		unsigned int count;
		const char *path;
	} cases[] = {
		{ "plain", "00400000-00401000 r-xp 00002000 08:01 42    /bin/a b\n", 1,
		  "/bin/a b" },
		{ "newline", "400000-401000 r-xp 00002000 08:01 42 /a\\012b\n", 1, "/a\nb" },
		{ "another escape", "400000-401000 r-xp 00002000 08:01 42 /a\\011b\n", 1,
		  "/a\\011b" },
		{ "deleted", "400000-401000 r-xp 00002000 08:01 42 /a (deleted)\n", 1,
		  "/a (deleted)" },
		{ "no path", "400000-401000 r-xp 00002000 08:01 42 \n", 1, "" },
		{ "cut", "400000-401000 r-xp 00002000 08:01 42 /lib/long", 0, "" },
		{ "backwards", "401000-400000 r-xp 00002000 08:01 42 /a\n", 0, "" },
		{ "overflow", "10000000000000000-1 r-xp 00002000 08:01 42 /a\n", 0, "" },
		{ "no device", "400000-401000 r-xp 00002000 42 /a\n", 0, "" },
		{ "empty line", "\n\n", 0, "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct seen seen = { .count = 0 };

		proc_maps_parse(cases[i].line, strlen(cases[i].line), see, &seen);
		ck_assert_msg(seen.count == cases[i].count, "%s: %u", cases[i].name, seen.count);
		ck_assert_msg(!strcmp(seen.path, cases[i].path), "%s: %s", cases[i].name,
			      seen.path);
		if (!seen.count)
			continue;
		ck_assert_uint_eq(seen.last.start, 0x400000);
		ck_assert_uint_eq(seen.last.end, 0x401000);
		ck_assert_uint_eq(seen.last.file_offset, 0x2000);
		ck_assert_uint_eq(seen.last.dev_major, 8);
		ck_assert_uint_eq(seen.last.dev_minor, 1);
		ck_assert_uint_eq(seen.last.inode, 42);
		ck_assert_uint_eq(seen.last.prot, PROT_READ | PROT_EXEC);
	}
}
END_TEST

START_TEST(code_below_an_address_is_found)
{
	static const struct {
		const char *name;
		uint64_t address, start; /* 0: none */
	} cases[] = {
		{ "in the code", 0x10800, 0x10000 },
		{ "in the data", 0x12004, 0x10000 },
		{ "behind the data, where there is nothing", 0x14000, 0x10000 },
		{ "in other code", 0x20000, 0x20000 },
		{ "in front of all code", 0xffff, 0 },
		{ "too many mappings behind it", 0x30000 + 20 * 0x2000, 0 },
	};
	struct spaces *spaces = spaces_new();
	struct mapping found;

	map_code(spaces, 0x10000, 0x1000, 0x1000, 7, "/bin/a");
	map(spaces, 1, 0x12000, 0x1000, "/bin/a");
	map_code(spaces, 0x20000, 0x1000, 0, 8, "/bin/b");
	for (uint64_t i = 0; i < 20; i++)
		map(spaces, 1, 0x30000 + i * 0x2000, 0x1000, "");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		bool is_found = spaces_find_code_below(spaces, 1, 0, cases[i].address, &found);

		ck_assert_msg(is_found == (cases[i].start != 0), "%s", cases[i].name);
		if (is_found)
			ck_assert_msg(found.start == cases[i].start, "%s", cases[i].name);
	}
	ck_assert(!spaces_find_code_below(spaces, 2, 0, 0x10800, &found));
	spaces_free(spaces);
}
END_TEST

Suite *suite_spaces(void)
{
	Suite *suite = suite_create("spaces");
	TCase *tests = tcase_create("spaces");

	tcase_add_test(tests, a_mapping_replaces_what_it_overlaps);
	tcase_add_test(tests, random_mappings_agree_with_a_plain_array);
	tcase_add_test(tests, a_fork_shares_its_maps_until_one_changes);
	tcase_add_test(tests, exec_begins_a_generation_and_the_old_one_is_kept);
	tcase_add_test(tests, other_code_at_its_address_begins_a_generation);
	tcase_add_test(tests, proc_fills_generations_of_one_program);
	tcase_add_test(tests, an_end_keeps_the_space_and_a_reused_pid_gets_another);
	tcase_add_test(tests, ended_spaces_are_bounded);
	tcase_add_test(tests, short_lived_spaces_are_evicted_first);
	tcase_add_test(tests, proc_maps_fill_unknown_addresses);
	tcase_add_test(tests, an_exited_child_gets_the_maps_of_its_parent);
	tcase_add_test(tests, lines_of_proc_maps_are_read);
	tcase_add_test(tests, code_below_an_address_is_found);
	suite_add_tcase(suite, tests);
	return suite;
}
