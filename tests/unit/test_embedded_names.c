#include "engine/stack/embedded_names.h"

#include "tests/unit/runner.h"
#include "tests/unit/symbol_fixture.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char source[] =
	"static inline __attribute__((always_inline)) int tiny(volatile int *x)"
	" { return *x * 3; }\n"
	"__attribute__((noinline)) int inner(volatile int *x) { return tiny(x) + 1; }\n"
	"int main(int argc, char **argv) { (void)argv; return inner(&argc); }\n";

/* Make a section: a file with one reply of two frames; the kernel with one reply of one frame. */
static char *make_section(size_t *len)
{
	static const char texts[] = "\0tiny\0inner\0a.c\0k\033f\0[kernel]";
	static const char paths[] = "\0/bin/a";
	const struct embedded_head head = {
		.files = 2,
		.replies = 2,
		.frames = 3,
		.text_bytes = sizeof(texts),
		.path_bytes = sizeof(paths),
	};
	const struct embedded_file files[2] = {
		{ .inode = 7,
		  .dev_major = 8,
		  .dev_minor = 1,
		  .kind = EMBEDDED_FILE,
		  .path = 1,
		  .count = 1 },
		{ .kind = EMBEDDED_KERNEL, .first = 1, .count = 1 },
	};
	const struct embedded_reply replies[2] = {
		{ .offset = 0x10, .count = 2 },
		{ .offset = 0x20, .first = 2, .count = 1 },
	};
	const struct embedded_frame frames[3] = {
		{ .line = 3, .symbol = 1, .file = 12, .inlined = 1 },
		{ .offset = 4, .line = 5, .symbol = 6, .file = 12 },
		{ .offset = 0x20, .symbol = 16, .file = 20 },
	};
	char *bytes = malloc(4096), *at = bytes;

	at = mempcpy(at, &head, sizeof(head));
	at = mempcpy(at, files, sizeof(files));
	at = mempcpy(at, replies, sizeof(replies));
	at = mempcpy(at, frames, sizeof(frames));
	at = mempcpy(at, texts, sizeof(texts));
	at = mempcpy(at, paths, sizeof(paths));
	*len = (size_t)(at - bytes);
	return bytes;
}

START_TEST(names_are_found_by_file_and_offset)
{
	struct mapping mapping = { .inode = 7, .dev_major = 8, .dev_minor = 1, .path = "/bin/a" };
	const struct embedded_reply *answer;
	const struct embedded_file *file;
	struct embedded_names *kept;
	size_t len;
	char *bytes = make_section(&len);

	kept = embedded_names_new(bytes, len);
	ck_assert_ptr_nonnull(kept);
	file = embedded_names_file(kept, EMBEDDED_FILE, &mapping);
	ck_assert_ptr_nonnull(file);
	answer = embedded_names_find(kept, file, 0x10);
	ck_assert_ptr_nonnull(answer);
	ck_assert_uint_eq(answer->count, 2);
	ck_assert_str_eq(embedded_names_text(kept, embedded_names_frames(kept, answer)[0].symbol),
			 "tiny");
	ck_assert_str_eq(embedded_names_text(kept, embedded_names_frames(kept, answer)[1].symbol),
			 "inner");
	ck_assert_ptr_null(embedded_names_find(kept, file, 0x11));
	ck_assert_ptr_null(embedded_names_file(kept, EMBEDDED_VDSO, &mapping));
	mapping.inode = 8;
	ck_assert_ptr_null(embedded_names_file(kept, EMBEDDED_FILE, &mapping));
	mapping.inode = 7;
	mapping.path = "/bin/b";
	ck_assert_ptr_null(embedded_names_file(kept, EMBEDDED_FILE, &mapping));
	ck_assert_ptr_null(embedded_names_generated(kept, 7));
	/* Control characters in a name are replaced. */
	answer = embedded_names_find(kept, embedded_names_kernel(kept), 0x20);
	ck_assert_str_eq(embedded_names_text(kept, embedded_names_frames(kept, answer)[0].symbol),
			 "k?f");
	ck_assert_ptr_null(embedded_names_text(kept, 0));
	embedded_names_free(kept);
	ck_assert_ptr_null(embedded_names_kernel(NULL));
}
END_TEST

/* Look everything up: no read leaves the section, whatever it contains. */
static void look_everywhere(const struct embedded_names *kept)
{
	const struct mapping mapping = {
		.inode = 7, .dev_major = 8, .dev_minor = 1, .path = "/bin/a"
	};
	const struct embedded_file *files[3] = {
		embedded_names_file(kept, EMBEDDED_FILE, &mapping),
		embedded_names_kernel(kept),
		embedded_names_generated(kept, 0),
	};

	for (size_t i = 0; i < 3; i++) {
		const struct embedded_reply *answer =
			files[i] ? embedded_names_find(kept, files[i], i ? 0x20 : 0x10) : NULL;

		for (uint32_t j = 0; answer && j < answer->count; j++) {
			const struct embedded_frame *frame = &embedded_names_frames(kept,
										    answer)[j];
			const char *symbol = embedded_names_text(kept, frame->symbol);

			ck_assert(!symbol || strlen(symbol) < 4096);
		}
	}
}

START_TEST(inconsistent_section_is_rejected)
{
	size_t len, refused = 0;
	char *bytes = make_section(&len);

	for (size_t cut = 0; cut < len; cut++) {
		char *copy = malloc(cut + 1);

		memcpy(copy, bytes, cut);
		ck_assert_msg(!embedded_names_new(copy, cut), "cut to %zu bytes", cut);
	}
	for (size_t at = 0; at < len; at++)
		for (int change = 0; change < 4; change++) {
			char *copy = malloc(len);
			struct embedded_names *kept;

			memcpy(copy, bytes, len);
			copy[at] = (char)(change == 0   ? 0xff
					  : change == 1 ? 0x80
					  : change == 2 ? 0
							: copy[at] + 1);
			kept = embedded_names_new(copy, len);
			if (kept)
				look_everywhere(kept);
			refused += !kept;
			embedded_names_free(kept);
		}
	ck_assert_uint_gt(refused, 100);
	free(bytes);
}
END_TEST

/* Start symbols as for a recording: files of this machine are used only if identical. */
static void begin_recorded(struct fixture *fixture, const struct str *kept)
{
	char *copy = malloc(kept->len);

	memcpy(copy, kept->data, kept->len);
	fixture->spaces = spaces_new();
	fixture->stacks = stacks_new(1 << 20);
	ck_assert_int_eq(symbols_new(&fixture->symbols, fixture->spaces, NULL), 0);
	symbols_set_recorded(fixture->symbols);
	ck_assert_int_eq(symbols_start(fixture->symbols, NULL), 0);
	ck_assert(symbols_set_embedded(fixture->symbols, copy, kept->len));
}

static void end_symbols(struct fixture *fixture)
{
	symbols_free(fixture->symbols);
	stacks_free(fixture->stacks);
	spaces_free(fixture->spaces);
}

START_TEST(recording_resolves_embedded_names)
{
	uint64_t ips[] = { PERF_CONTEXT_USER, 0, 0 };
	struct record_stack chain = { .ips = ips, .count = 3 };
	struct frame live[8], read[8];
	unsigned long long inner = 0;
	struct str kept = STR_INIT;
	struct fixture fixture;
	struct stack stack;
	struct stat st;
	size_t count;
	FILE *file;
	char path[160];

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "program.c", source,
			"-O1 -g -no-pie -Wl,-Ttext-segment=0x400000");
	ck_assert(fixture_run(&fixture, "nm program | sed -n 's/ T inner$//p' > address"));
	snprintf(path, sizeof(path), "%s/address", fixture.directory);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%llx", &inner), 1);
	fclose(file);
	inner -= 0x400000;
	fixture_map(&fixture, FIXTURE_BASE);
	count = fixture_ask(&fixture, FIXTURE_BASE, inner + 1, live, 8);
	ck_assert_uint_eq(count, 2);
	ck_assert_str_eq(live[0].symbol, "tiny");
	ck_assert_str_eq(live[1].symbol, "inner");
	ck_assert_uint_eq(live[0].line, 1);
	ips[1] = FIXTURE_BASE;
	ips[2] = FIXTURE_BASE + inner + 2;
	ck_assert(stacks_get(fixture.stacks,
			     stacks_add(fixture.stacks, (uint32_t)getpid(), 0, &chain), &stack));
	symbols_write_embedded(fixture.symbols, &stack, 1, &kept);
	ck_assert_uint_gt(kept.len, 100);
	ck_assert_int_eq(stat(fixture.path, &st), 0);

	struct fixture other = fixture;
	begin_recorded(&other, &kept);
	fixture_map(&other, FIXTURE_BASE);
	ck_assert(fixture_run(&fixture, "rm program"));
	count = fixture_ask(&other, FIXTURE_BASE, inner + 1, read, 8);
	ck_assert_uint_eq(count, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_str_eq(read[i].symbol, live[i].symbol);
		ck_assert_str_eq(read[i].file, live[i].file);
		ck_assert_uint_eq(read[i].line, live[i].line);
		ck_assert_uint_eq(read[i].offset, live[i].offset);
		ck_assert(read[i].inlined == live[i].inlined);
	}
	/* The symbol at this offset was not embedded, and the file is gone. */
	fixture_ask(&other, FIXTURE_BASE, inner + 0x1000, read, 8);
	ck_assert_ptr_null(read[0].symbol);
	ck_assert_str_eq(read[0].note, "cannot be found");
	end_symbols(&other);
	str_clear(&kept);
	/* Written replies are forgotten: the next recording embeds its own. */
	symbols_write_embedded(fixture.symbols, NULL, 0, &kept);
	ck_assert_uint_eq(((const struct embedded_head *)(const void *)kept.data)->replies, 0);
	str_release(&kept);
	fixture_close(&fixture);
}
END_TEST

Suite *suite_embedded_names(void);
Suite *suite_embedded_names(void)
{
	Suite *suite = suite_create("embedded_names");
	TCase *tcase = tcase_create("kept_names");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, names_are_found_by_file_and_offset);
	tcase_add_test(tcase, inconsistent_section_is_rejected);
	tcase_add_test(tcase, recording_resolves_embedded_names);
	suite_add_tcase(suite, tcase);
	return suite;
}
