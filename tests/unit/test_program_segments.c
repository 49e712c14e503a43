/* Consistent program headers are used; inconsistent ones are rejected. */
#include "engine/process/program_segments.h"

#include "tests/unit/runner.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGES(count) ((uint64_t)(count) << 12)

/* Segments as linkers make them: constants, code, constants, data. */
static struct program {
	Elf64_Ehdr header;
	Elf64_Phdr segments[70];
} program;
static struct program_segments found;
static int fd;

static void set_segment(size_t index, uint32_t flags, uint64_t vaddr, uint64_t offset,
			uint64_t bytes)
{
	program.segments[index] = (Elf64_Phdr){ .p_type = PT_LOAD,
						.p_flags = flags,
						.p_vaddr = vaddr,
						.p_offset = offset,
						.p_filesz = bytes,
						.p_memsz = bytes };
}

static void setup(void)
{
	memset(&program, 0, sizeof(program));
	memcpy(program.header.e_ident, ELFMAG, SELFMAG);
	program.header.e_ident[EI_CLASS] = ELFCLASS64;
	program.header.e_phentsize = sizeof(Elf64_Phdr);
	program.header.e_phoff = offsetof(struct program, segments);
	program.header.e_phnum = 4;
	set_segment(0, PF_R, 0, 0, 0x800);
	set_segment(1, PF_R | PF_X, PAGES(1), PAGES(1), 0x1200);
	set_segment(2, PF_R, PAGES(3) + 0x10, PAGES(3) + 0x10, 0x100);
	set_segment(3, PF_R | PF_W, PAGES(5) + 0x200, PAGES(4) + 0x200, 0x100);
	fd = memfd_create("program", MFD_CLOEXEC);
	ck_assert_int_ge(fd, 0);
}

static void teardown(void)
{
	close(fd);
}

/* Return the number of segments that are accepted in a file of that size. */
static size_t count_of(uint64_t file_bytes)
{
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(pwrite(fd, &program, sizeof(program), 0), sizeof(program));
	ck_assert_int_eq(ftruncate(fd, (off_t)file_bytes), 0);
	program_segments_read(&found, fd);
	return found.count;
}

START_TEST(constants_are_found_by_the_code_beside_them)
{
	uint64_t bias, offset, bytes;

	ck_assert_uint_eq(count_of(PAGES(5)), 4);
	ck_assert(program_segments_bias(&found, PAGES(0x401), PAGES(1), &bias));
	ck_assert_uint_eq(bias, PAGES(0x400));
	ck_assert(!program_segments_bias(&found, PAGES(0x401), PAGES(3), &bias));
	ck_assert(program_segments_find(&found, PAGES(3) + 0x20, &offset, &bytes));
	ck_assert_uint_eq(offset, PAGES(3) + 0x20);
	ck_assert_uint_eq(bytes, 0xf0);
	ck_assert(!program_segments_find(&found, PAGES(3) + 0x110, &offset, &bytes));
	ck_assert(!program_segments_find(&found, PAGES(3), &offset, &bytes));
	/* A writable segment has no constants. */
	ck_assert(!program_segments_find(&found, PAGES(5) + 0x200, &offset, &bytes));
	ck_assert(!program_segments_find(&found, UINT64_MAX, &offset, &bytes));
}
END_TEST

/* With one wrong value in the headers, all segments are rejected. */
static const struct {
	const char *name;
	void *where;
	uint64_t value;
	size_t bytes;
} lies[] = {
#define LIE(name, member, value) \
	{ \
		name, &program.member, value, sizeof(program.member) \
	}
	LIE("not an ELF file", header.e_ident[0], 'X'),
	LIE("32 bits", header.e_ident[EI_CLASS], ELFCLASS32),
	LIE("headers of another size", header.e_phentsize, 1),
	LIE("too many headers", header.e_phnum, UINT16_MAX),
	LIE("more headers than are read", header.e_phnum, 65),
	LIE("more segments than linkers make", header.e_phnum, 21),
	LIE("headers behind the end", header.e_phoff, PAGES(5) - 8),
	LIE("headers at a negative offset", header.e_phoff, UINT64_MAX - 8),
	LIE("a segment behind the end", segments[2].p_offset, PAGES(9) + 0x10),
	LIE("a segment across the end", segments[3].p_filesz, PAGES(2)),
	LIE("an offset that overflows", segments[2].p_offset, UINT64_MAX - 0xfef),
	LIE("a size that overflows", segments[2].p_filesz, UINT64_MAX),
	LIE("more in the file than in memory", segments[2].p_memsz, 0x10),
	LIE("memory that overflows", segments[3].p_memsz, UINT64_MAX),
	LIE("a kernel address", segments[3].p_vaddr, UINT64_MAX - 0xdff),
	LIE("an offset that cannot be mapped", segments[2].p_offset, PAGES(3)),
	LIE("overlapping segments", segments[2].p_vaddr, PAGES(1) + 0x10),
	LIE("a page shared by two segments", segments[2].p_vaddr, PAGES(2) + 0x10),
	LIE("data over constants", segments[2].p_memsz, PAGES(2)),
#undef LIE
};

START_TEST(inconsistent_headers_are_refused_together)
{
	for (size_t i = 4; i < 70; i++)
		set_segment(i, PF_R, PAGES(i + 4), PAGES(4), 0x10);
	/* The maximum number of headers; most are not PT_LOAD. */
	program.header.e_phnum = 64;
	for (size_t i = 16; i < 64; i++)
		program.segments[i].p_type = PT_NOTE;
	ck_assert_uint_eq(count_of(PAGES(5)), 16);
	for (size_t i = 16; i < 21; i++)
		program.segments[i].p_type = PT_LOAD;
	program.header.e_phnum = 4;
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		struct program before = program;

		ck_assert_uint_eq(count_of(PAGES(5)), 4);
		memcpy(lies[i].where, &lies[i].value, lies[i].bytes);
		ck_assert_msg(count_of(PAGES(5)) == 0, "%s", lies[i].name);
		program = before;
	}
}
END_TEST

START_TEST(a_truncated_file_has_no_segments)
{
	ck_assert_uint_eq(count_of(PAGES(4)), 0);
	ck_assert_uint_eq(count_of(sizeof(program.header) + 10), 0);
	ck_assert_uint_eq(count_of(sizeof(program.header) - 1), 0);
	ck_assert_uint_eq(count_of(0), 0);
}
END_TEST

/* One part of the file is mapped as code twice: the bias is ambiguous. */
START_TEST(code_mapped_twice_has_no_bias)
{
	uint64_t bias;

	set_segment(2, PF_R | PF_X, PAGES(3), PAGES(1), 0x100);
	ck_assert_uint_eq(count_of(PAGES(5)), 4);
	ck_assert(!program_segments_bias(&found, PAGES(0x401), PAGES(1), &bias));
}
END_TEST

Suite *suite_program_segments(void);
Suite *suite_program_segments(void)
{
	Suite *suite = suite_create("program_segments");
	TCase *tc = tcase_create("program_segments");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, constants_are_found_by_the_code_beside_them);
	tcase_add_test(tc, inconsistent_headers_are_refused_together);
	tcase_add_test(tc, a_truncated_file_has_no_segments);
	tcase_add_test(tc, code_mapped_twice_has_no_bias);
	suite_add_tcase(suite, tc);
	return suite;
}
