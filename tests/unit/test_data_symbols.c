#include "engine/stack/data_symbols.h"

#include "tests/unit/runner.h"
#include "tests/unit/symbol_fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const char source[] =
	"int initialised[4] = { 1, 2, 3 };\n"
	"static long hidden = 5;\n"
	"static char zeros[100000];\n"
	"const int constant = 7;\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	return (int)hidden + zeros[argc] + initialised[argc] + constant + (argv != 0);\n"
	"}\n";

/* Store in *address the address that nm prints for the symbol; false: not found. */
static bool locate(const struct fixture *fixture, const char *name, uint64_t *address)
{
	char command[256];
	bool found;
	FILE *pipe;

	snprintf(command, sizeof(command), "nm %s | grep ' %s$'", fixture->path, name);
	pipe = popen(command, "r");
	ck_assert_ptr_nonnull(pipe);
	found = fscanf(pipe, "%" SCNx64, address) == 1;
	pclose(pipe);
	return found;
}

/* Map only the page of code, as the kernel reports it, at the offset that the linker chose. */
static void map_code(struct fixture *fixture)
{
	struct record record = { .kind = RECORD_MAP, .pid = (uint32_t)getpid() };
	uint64_t address;
	struct stat st;

	ck_assert(locate(fixture, "main", &address));
	ck_assert_int_eq(stat(fixture->path, &st), 0);
	record.map.file_offset = address & ~4095ULL;
	record.map.start = FIXTURE_BASE + record.map.file_offset;
	record.map.bytes = 4096;
	record.map.dev_major = major(st.st_dev);
	record.map.dev_minor = minor(st.st_dev);
	record.map.inode = st.st_ino;
	record.map.prot = PROT_READ | PROT_EXEC;
	record.map.path = fixture->path;
	spaces_feed(fixture->spaces, &record);
}

static bool find(struct fixture *fixture, uint64_t address, struct variable *variable)
{
	uint32_t pid = (uint32_t)getpid();
	bool pending, found;

	do {
		found = variables_find(fixture->symbols, pid,
				       spaces_generation(fixture->spaces, pid),
				       FIXTURE_BASE + address, variable, &pending);
		if (pending)
			symbols_settle(fixture->symbols, 5000);
	} while (pending);
	return found;
}

/* The first and last byte of a variable resolve to it, the byte after it does not. */
START_TEST(variables_are_those_of_nm)
{
	static const struct {
		const char *name;
		uint64_t bytes;
	} cases[] = {
		{ "initialised", 16 },
		{ "hidden", 8 },
		{ "zeros", 100000 },
		{ "constant", 4 },
	};
	struct variable variable;
	struct fixture fixture;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "program.c", source, "-O0");
	map_code(&fixture);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t address;

		ck_assert_msg(locate(&fixture, cases[i].name, &address), "%s", cases[i].name);
		for (int last = 0; last < 2; last++) {
			uint64_t offset = last ? cases[i].bytes - 1 : 0;

			ck_assert_msg(find(&fixture, address + offset, &variable), "%s",
				      cases[i].name);
			ck_assert_str_eq(variable.symbol, cases[i].name);
			ck_assert_uint_eq(variable.offset, offset);
			ck_assert_str_eq(variable.dso, fixture.path);
		}
		if (find(&fixture, address + cases[i].bytes, &variable))
			ck_assert_str_ne(variable.symbol, cases[i].name);
	}
	fixture_close(&fixture);
}
END_TEST

START_TEST(other_addresses_have_no_variable)
{
	struct variable variable;
	struct fixture fixture;
	uint64_t address;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "program.c", source, "-O0");
	map_code(&fixture);
	ck_assert(locate(&fixture, "main", &address));
	ck_assert(!find(&fixture, address, &variable));
	/* Addresses outside the file, for example of a heap. */
	ck_assert(!find(&fixture, 0x100000, &variable));
	ck_assert(!find(&fixture, UINT64_MAX - FIXTURE_BASE, &variable));
	ck_assert(!find(&fixture, 64 - FIXTURE_BASE, &variable));
	fixture_close(&fixture);
}
END_TEST

Suite *suite_data_symbols(void);
Suite *suite_data_symbols(void)
{
	Suite *suite = suite_create("data_symbols");
	TCase *tcase = tcase_create("variables");

	tcase_add_test(tcase, variables_are_those_of_nm);
	tcase_add_test(tcase, other_addresses_have_no_variable);
	suite_add_tcase(suite, tcase);
	return suite;
}
