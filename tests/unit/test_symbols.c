#include "engine/stack/symbols.h"

#include "engine/process/kallsyms.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"
#include "tests/unit/symbol_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char c_source[] =
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"static inline __attribute__((always_inline)) int inner(int x)\n"
	"{\n"
	"	int y = rand();\n"
	"	return x * y + rand();\n"
	"}\n"
	"static inline __attribute__((always_inline)) int middle(int x)\n"
	"{\n"
	"	if (x > 3)\n"
	"		return inner(x + 1) ^ 5;\n"
	"	return x + rand();\n"
	"}\n"
	"__attribute__((noinline)) int outer(int x)\n"
	"{\n"
	"	int sum = middle(x);\n"
	"	sum += puts(\"x\");\n"
	"	return sum + inner(sum);\n"
	"}\n"
	"__attribute__((noinline, weak)) int weakling(int x) { return outer(x) + 1; }\n"
	"static __attribute__((noinline)) int hidden(int x) { return weakling(x) * 3; }\n"
	"__asm__(\".text\\n.globl bare\\nbare: nop\\n nop\\n ret\\n\");\n"
	"int main(int argc, char **argv) { (void)argv; return hidden(argc); }\n";

static const char cc_source[] =
	"#include <stdexcept>\n"
	"#include <string>\n"
	"#include <vector>\n"
	"namespace shop {\n"
	"template <typename T> struct shelf {\n"
	"	std::vector<T> all;\n"
	"	__attribute__((noinline)) void put(const T &one) { all.push_back(one); }\n"
	"};\n"
	"struct closed : std::runtime_error { using runtime_error::runtime_error; };\n"
	"__attribute__((noinline)) int sell(int n) {\n"
	"	if (n < 0) throw closed(\"no\");\n"
	"	shelf<std::string> s;\n"
	"	s.put(\"tea\");\n"
	"	return (int)s.all.size() + n;\n"
	"}\n"
	"}\n"
	"int main(int argc, char **) {\n"
	"	auto twice = [](int x) { return shop::sell(x) * 2; };\n"
	"	try { return twice(argc); } catch (const shop::closed &) { return 1; }\n"
	"}\n";

/* Check every function that nm lists, at its first and its last byte. */
static void check_against_nm(struct fixture *fixture, const char *file, unsigned int least)
{
	char command[256], line[4096];
	unsigned int checked = 0;
	FILE *nm;

	snprintf(command, sizeof(command), "nm -S --defined-only %s | sort | c++filt", file);
	nm = popen(command, "r");
	ck_assert_ptr_nonnull(nm);
	while (fgets(line, sizeof(line), nm)) {
		uint64_t address, bytes;
		struct frame frames[32];
		const char *name;
		int used;
		char type;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%" SCNx64 " %" SCNx64 " %c %n", &address, &bytes, &type, &used) <
			    3 ||
		    !strchr("tTwW", type))
			continue;
		name = line + used;
		for (int last = 0; last < 2; last++) {
			uint64_t offset = last ? bytes - 1 : 0;
			size_t count = fixture_ask(fixture, FIXTURE_BASE, address + offset, frames,
						   32);
			const struct frame *frame = &frames[count - 1];

			ck_assert_msg(frame->symbol != NULL, "%s: no symbol (%s)", name,
				      frame->note);
			/* Two names of one address (constructors) are both correct. */
			ck_assert_msg(!strcmp(frame->symbol, name) ||
					      !strncmp(frame->symbol, name, strcspn(name, "(")),
				      "%" PRIx64 ": %s, not %s", address, frame->symbol, name);
			ck_assert_uint_eq(frame->offset, offset + 1);
			ck_assert_str_eq(frame->dso, fixture->path);
			ck_assert_uint_eq(frame->dso_offset, address + offset + 1);
		}
		checked++;
	}
	ck_assert_int_eq(pclose(nm), 0);
	ck_assert_msg(checked >= least, "nm lists %u functions", checked);
}

START_TEST(functions_are_those_of_nm)
{
	struct fixture fixture;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "program.c", c_source, "-O2 -g");
	fixture_map(&fixture, FIXTURE_BASE);
	check_against_nm(&fixture, fixture.path, 5);
	fixture_close(&fixture);
}
END_TEST

START_TEST(a_label_without_a_size_is_a_function)
{
	struct frame frames[8];
	struct fixture fixture;
	char command[256];
	uint64_t address;
	FILE *pipe;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "program.c", c_source, "-O2");
	fixture_map(&fixture, FIXTURE_BASE);
	snprintf(command, sizeof(command), "nm %s | grep ' T bare$'", fixture.path);
	pipe = popen(command, "r");
	ck_assert_int_eq(fscanf(pipe, "%" SCNx64, &address), 1);
	pclose(pipe);
	fixture_ask(&fixture, FIXTURE_BASE, address + 1, frames, 8);
	ck_assert_str_eq(frames[0].symbol, "bare");
	ck_assert_uint_eq(frames[0].offset, 2);
	fixture_close(&fixture);
}
END_TEST

START_TEST(names_of_cxx_are_demangled)
{
	struct fixture fixture;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "program.cc", cc_source, "-O1 -g");
	fixture_map(&fixture, FIXTURE_BASE);
	check_against_nm(&fixture, fixture.path, 8);
	fixture_close(&fixture);
}
END_TEST

/* addr2line prints a function and a place for each frame, the innermost first. */
static unsigned int check_line(struct fixture *fixture, uint64_t address, const char *text)
{
	struct frame frames[32];
	size_t count = fixture_ask(fixture, FIXTURE_BASE, address, frames, 32), at = 0;
	char function[2048], place[2048];
	int used;

	for (; sscanf(text, "%2047[^\n]\n%2047[^\n]\n%n", function, place, &used) == 2;
	     text += used, at++) {
		char own[2048];
		const char *frame_file = frames[at].file ? frames[at].file : "??";

		if (!strcmp(function, "??"))
			return 0;
		place[strcspn(place, " ")] = '\0'; /* " (discriminator 2)" */
		ck_assert_msg(at < count, "%" PRIx64 ": %zu frames, without %s", address, count,
			      function);
		ck_assert_msg(frames[at].symbol &&
				      !strncmp(frames[at].symbol, function, strcspn(function, "(")),
			      "%" PRIx64 " frame %zu: %s, not %s", address, at, frames[at].symbol,
			      function);
		snprintf(own, sizeof(own), "%s:%u", frame_file, frames[at].line);
		if (!strchr(place, '?'))
			ck_assert_msg(!strcmp(strrchr(own, '/') ? strrchr(own, '/') : own,
					      strrchr(place, '/') ? strrchr(place, '/') : place),
				      "%" PRIx64 " frame %zu: %s, not %s", address, at, own, place);
	}
	ck_assert_msg(at == count, "%" PRIx64 ": %zu frames, not %zu", address, count, at);
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(frames[i].inlined == (i + 1 < count), "%" PRIx64 " frame %zu",
			      address, i);
	return (unsigned int)count;
}

static void check_against_addr2line(struct fixture *fixture, const char *function)
{
	unsigned int deepest = 0, checked = 0;
	char command[256], text[16384];
	uint64_t address, bytes;
	FILE *pipe;

	snprintf(command, sizeof(command), "nm -S -C %s | grep -F ' %s'", fixture->path, function);
	pipe = popen(command, "r");
	ck_assert_int_eq(fscanf(pipe, "%" SCNx64 " %" SCNx64, &address, &bytes), 2);
	pclose(pipe);
	for (uint64_t at = address; at < address + bytes; at += 3) {
		unsigned int frames;
		size_t len;

		snprintf(command, sizeof(command), "addr2line -i -f -C -e %s %" PRIx64,
			 fixture->path, at);
		pipe = popen(command, "r");
		len = fread(text, 1, sizeof(text) - 1, pipe);
		text[len] = '\0';
		pclose(pipe);
		frames = check_line(fixture, at, text);
		if (frames > deepest)
			deepest = frames;
		checked++;
	}
	ck_assert_uint_ge(checked, 10);
	ck_assert_msg(deepest >= 3, "no more than %u frames at one address", deepest);
}

START_TEST(inlined_frames_are_those_of_addr2line)
{
	struct fixture fixture;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "program.c", c_source, "-O2 -g");
	fixture_map(&fixture, FIXTURE_BASE);
	check_against_addr2line(&fixture, "T outer");
	fixture_close(&fixture);
}
END_TEST

START_TEST(inlined_frames_of_cxx_are_those_of_addr2line)
{
	struct fixture fixture;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "program.cc", cc_source, "-O2 -g -gz");
	fixture_map(&fixture, FIXTURE_BASE);
	check_against_addr2line(&fixture, "T shop::sell");
	fixture_close(&fixture);
}
END_TEST

START_TEST(a_debug_file_is_found_by_its_link)
{
	struct frame frames[8];
	struct fixture fixture;
	char stripped[128];

	fixture_open(&fixture, NULL);
	/* Without a build-id, the checksum must match. */
	fixture_compile(&fixture, "program.c", c_source, "-O2 -g -Wl,--build-id=none");
	ck_assert(fixture_run(&fixture,
			      "mkdir .debug && "
			      "objcopy --only-keep-debug program .debug/program.debug && "
			      "cp program whole && strip program && "
			      "objcopy --add-gnu-debuglink=.debug/program.debug program"));
	fixture_map(&fixture, FIXTURE_BASE);
	snprintf(stripped, sizeof(stripped), "%s/whole", fixture.directory);
	check_against_nm(&fixture, stripped, 5);
	/* A debug file with another checksum is not used. */
	ck_assert(fixture_run(&fixture, "cp program other && printf x >>.debug/program.debug"));
	snprintf(fixture.path, sizeof(fixture.path), "%s/other", fixture.directory);
	fixture_map(&fixture, 2 * FIXTURE_BASE);
	fixture_ask(&fixture, 2 * FIXTURE_BASE, 0x1180, frames, 8);
	ck_assert_ptr_null(frames[0].symbol);
	ck_assert_ptr_nonnull(frames[0].note);
	fixture_close(&fixture);
}
END_TEST

START_TEST(plt_stubs_are_named_after_their_function)
{
	char command[256], name[64];
	struct frame frames[8];
	struct fixture fixture;
	unsigned int checked = 0;
	uint64_t address;
	FILE *pipe;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "program.c", c_source, "-O2 -fcf-protection=full");
	fixture_map(&fixture, FIXTURE_BASE);
	snprintf(command, sizeof(command),
		 "objdump -d %s | "
		 "sed -n 's/^\\([0-9a-f]*\\) <\\(.*@plt\\)>:$/\\1 \\2/p'",
		 fixture.path);
	pipe = popen(command, "r");
	while (fscanf(pipe, "%" SCNx64 " %63s", &address, name) == 2) {
		fixture_ask(&fixture, FIXTURE_BASE, address + 2, frames, 8);
		ck_assert_msg(frames[0].symbol && !strcmp(frames[0].symbol, name),
			      "%" PRIx64 ": %s, not %s", address, frames[0].symbol, name);
		checked++;
	}
	pclose(pipe);
	ck_assert_uint_ge(checked, 2);
	fixture_close(&fixture);
}
END_TEST

START_TEST(frames_without_a_name_have_a_reason)
{
	static const char not_elf[] = "#!/bin/sh\nexit 0\n";
	struct frame frames[8];
	struct fixture fixture;

	fixture_open(&fixture, NULL);
	fixture_write(&fixture, "script", not_elf, sizeof(not_elf));
	fixture_map(&fixture, FIXTURE_BASE);
	fixture_ask(&fixture, FIXTURE_BASE, 5, frames, 8);
	ck_assert_str_eq(frames[0].note, "not an ELF file, or a broken one");

	fixture_compile(&fixture, "program.c", c_source, "-O2 -static -s");
	fixture_map(&fixture, 2 * FIXTURE_BASE);
	fixture_ask(&fixture, 2 * FIXTURE_BASE, 0x2000, frames, 8);
	ck_assert_str_eq(frames[0].note, "no symbol table");

	fixture_compile(&fixture, "gone.c", c_source, "-O2");
	fixture_map(&fixture, 4 * FIXTURE_BASE);
	ck_assert_int_eq(unlink(fixture.path), 0);
	fixture_ask(&fixture, 4 * FIXTURE_BASE, 0x1080, frames, 8);
	ck_assert_str_eq(frames[0].note, "cannot be found");

	fixture_compile(&fixture, "other.c", c_source, "-O2");
	fixture_map(&fixture, 8 * FIXTURE_BASE);
	ck_assert(fixture_run(&fixture, "cp program new && mv new program"));
	fixture_ask(&fixture, 8 * FIXTURE_BASE, 0x1080, frames, 8);
	ck_assert_str_eq(frames[0].note, "another file has taken its place");

	fixture_compile(&fixture, "link.c", c_source, "-O2");
	fixture_map(&fixture, 16 * FIXTURE_BASE);
	ck_assert(fixture_run(&fixture, "mv program real && ln -s real program"));
	fixture_ask(&fixture, 16 * FIXTURE_BASE, 0x1080, frames, 8);
	ck_assert_ptr_null(frames[0].symbol);

	fixture_ask(&fixture, 0x1000, 0, frames, 8); /* below mmap_min_addr, so not mapped */
	ck_assert_str_eq(frames[0].note, "no known mapping here");
	ck_assert_str_eq(frames[0].dso, "");
	fixture_close(&fixture);
}
END_TEST

/* Check that the note stays the same, also after another lookup. */
static void check_steady(struct fixture *fixture, const struct stack *stack, const char *note)
{
	struct frame frame;

	for (int round = 0; round < 14; round++) {
		ck_assert_uint_eq(symbols_frames(fixture->symbols, stack, &frame, 1), 1);
		ck_assert(!frame.pending);
		ck_assert_str_eq(frame.note, note);
		usleep(100000);
	}
}

START_TEST(the_note_of_an_ended_process_is_stable)
{
	static const char ended[] = "exited before its memory map was read";
	uint64_t ip = 0x10001000;
	struct stack stack = { .user_count = 1, .ips = &ip };
	struct fixture fixture;
	struct frame frame;
	pid_t child;

	fixture_open(&fixture, NULL);
	child = fork();
	if (child == 0)
		_exit(0);
	/* Not reaped, so /proc still lists it. */
	ck_assert_int_eq(waitid(P_PID, (id_t)child, NULL, WEXITED | WNOWAIT), 0);
	stack.pid = (uint32_t)child;
	symbols_frames(fixture.symbols, &stack, &frame, 1);
	ck_assert(frame.pending);
	ck_assert(symbols_settle(fixture.symbols, 10000));
	check_steady(&fixture, &stack, ended);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	check_steady(&fixture, &stack, ended);

	/* A live process can still map a file there. */
	stack.pid = (uint32_t)getpid();
	ip = 0x1001;
	symbols_frames(fixture.symbols, &stack, &frame, 1);
	ck_assert(symbols_settle(fixture.symbols, 10000));
	check_steady(&fixture, &stack, "no known mapping here");
	fixture_close(&fixture);
}
END_TEST

/* False: this requires CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE, which this user lacks. */
static bool may_open_mapping(uint64_t base, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t end = base + (bytes + page - 1) / page * page;
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/map_files/%" PRIx64 "-%" PRIx64, base, end);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		ck_assert_msg(errno == EPERM || errno == EACCES, "%s: %s", path, strerror(errno));
		return false;
	}
	close(fd);
	return true;
}

START_TEST(a_deleted_file_is_read_where_it_is_mapped)
{
	struct frame frames[8];
	struct fixture fixture;
	uint64_t base, address;
	char command[256];
	struct stat st;
	FILE *pipe;
	int fd;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "program.c", c_source, "-O2 -g");
	snprintf(command, sizeof(command), "nm %s | grep ' T outer$'", fixture.path);
	pipe = popen(command, "r");
	ck_assert_int_eq(fscanf(pipe, "%" SCNx64, &address), 1);
	pclose(pipe);
	fd = open(fixture.path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(fstat(fd, &st), 0);
	base = (uintptr_t)mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	close(fd);
	if (!may_open_mapping(base, (size_t)st.st_size)) {
		fixture_close(&fixture);
		test_skip("a_deleted_file_is_read_where_it_is_mapped: may not open files in "
			  "/proc/PID/map_files");
	}
	/* A file with the name that /proc shows is not mistaken for the deleted one. */
	ck_assert(fixture_run(&fixture, "rm program && cp /bin/true 'program (deleted)'"));
	fixture_ask(&fixture, base, address + 4, frames, 8);
	ck_assert_msg(frames[0].symbol != NULL, "%s", frames[0].note);
	ck_assert_str_eq(frames[0].symbol, "outer");
	ck_assert_ptr_nonnull(strstr(frames[0].dso, "program (deleted)"));
	ck_assert_ptr_nonnull(strstr(frames[0].file, "program.c"));
	fixture_close(&fixture);
}
END_TEST

START_TEST(hostile_names_are_escaped)
{
	struct frame frames[8];
	struct fixture fixture;

	fixture_open(&fixture, NULL);
	fixture_compile(&fixture, "program.c", c_source, "-O2");
	ck_assert(fixture_run(&fixture, "objcopy --redefine-sym outer=\"$(printf 'a\\033[2Jb')\" "
					"program && mv program \"$(printf 'x\\ny')\""));
	snprintf(fixture.path, sizeof(fixture.path), "%s/x\ny", fixture.directory);
	fixture_map(&fixture, FIXTURE_BASE);
	for (uint64_t at = 0x1000; at < 0x1400; at += 16) {
		fixture_ask(&fixture, FIXTURE_BASE, at, frames, 8);
		ck_assert_ptr_nonnull(strstr(frames[0].dso, "/x\\ny"));
		if (frames[0].symbol && !strcmp(frames[0].symbol, "a\\33[2Jb"))
			break;
		ck_assert_msg(at + 16 < 0x1400, "the renamed function was not found");
	}
	fixture_close(&fixture);
}
END_TEST

START_TEST(this_process_is_named_from_proc)
{
	uint64_t ips[] = { PERF_CONTEXT_USER, (uintptr_t)&suite_create };
	struct record_stack chain = { .ips = ips, .count = 2 };
	struct fixture fixture;
	struct frame frame;
	struct stack stack;

	fixture_open(&fixture, NULL);
	ck_assert(stacks_get(fixture.stacks,
			     stacks_add(fixture.stacks, (uint32_t)getpid(), 0, &chain), &stack));
	ck_assert_uint_eq(symbols_frames(fixture.symbols, &stack, &frame, 1), 1);
	ck_assert(frame.pending);
	/* One request resolves the mapping, the name and the line. */
	ck_assert(symbols_settle(fixture.symbols, 10000));
	symbols_frames(fixture.symbols, &stack, &frame, 1);
	ck_assert_str_eq(frame.symbol, "suite_create");
	ck_assert_uint_eq(frame.offset, 0);
	ck_assert(!frame.pending);
	fixture_close(&fixture);
}
END_TEST

/* A return address at the very start of the next function belongs to the calling function. */
START_TEST(kernel_frames_are_named)
{
	uint64_t first = 0, second = 0;
	const char *symbol, *module;
	struct kallsyms *kallsyms;
	struct fixture fixture;
	struct frame frames[2];
	struct stack stack;
	struct err err = { "" };
	char note[ERR_TEXT_BYTES];

	if (kallsyms_read(&kallsyms, &err))
		test_skip("kernel_frames_are_named: %s", err.text);
	fixture_open(&fixture, NULL);
	for (uint64_t at = UINT64_MAX << 31; !second; at += 4096)
		if (kallsyms_find(kallsyms, at, &symbol, first ? &second : &first, &module))
			second = second == first ? 0 : second;
	{
		uint64_t ips[] = { PERF_CONTEXT_KERNEL, second, second };
		struct record_stack chain = { .ips = ips, .count = 3 };

		ck_assert(stacks_get(fixture.stacks, stacks_add(fixture.stacks, 1, 0, &chain),
				     &stack));
	}
	ck_assert_uint_eq(symbols_frames(fixture.symbols, &stack, frames, 2), 2);
	ck_assert(frames[0].pending && !frames[0].symbol);
	ck_assert(symbols_settle(fixture.symbols, 10000));
	ck_assert_uint_eq(symbols_frames(fixture.symbols, &stack, frames, 2), 2);
	ck_assert(!frames[0].pending);
	ck_assert_int_eq(frames[0].kind, FRAME_KERNEL);
	ck_assert(kallsyms_find(kallsyms, second, &symbol, &first, &module));
	ck_assert_str_eq(frames[0].symbol, symbol);
	ck_assert_str_eq(frames[0].dso, module);
	ck_assert_uint_eq(frames[0].offset, 0);
	ck_assert(kallsyms_find(kallsyms, second - 1, &symbol, &first, &module));
	ck_assert_str_eq(frames[1].symbol, symbol);
	ck_assert_uint_eq(frames[1].offset, second - first);
	symbols_kernel_note(fixture.symbols, note, sizeof(note));
	ck_assert_str_eq(note, "");
	kallsyms_free(kallsyms);
	fixture_close(&fixture);
}
END_TEST

/* Frames of tracing are omitted; the last frame of a cut half has `cut` (+). */
START_TEST(frames_are_those_of_the_program)
{
	static const char names[] = "0\tffff0001\tkernel\t0\t0\t0\t__traceiter_sched_switch\t\t\n"
				    "0\tffff0002\tkernel\t0\t0\t0\t__schedule\t\t\n"
				    "7\t1000\tuser\t0\t0\t0\t__traceiter_f\t\t\n"
				    "7\t2000\tuser\t0\t0\t0\tmain\t\t\n";
	static const uint64_t ips[] = { 0xffff0001, 0xffff0002, 0x1000, 0x2000 };
	static const struct {
		uint16_t kernel, user;
		uint32_t flags;
		const char *expected;
		size_t max;
	} cases[] = {
		{ 2, 2, 0, "__schedule __traceiter_f main", 9 },
		{ 0, 2, STACK_USER_CUT, "__traceiter_f main+", 9 },
		{ 0, 2, STACK_USER_STOPPED, "__traceiter_f main+", 9 },
		{ 0, 2, STACK_USER_FP | STACK_USER_FILE_FAILED, "__traceiter_f main", 9 },
		{ 0, 2, STACK_USER_DWARF | STACK_USER_FILE_FAILED, "__traceiter_f main+", 9 },
		{ 2, 2, STACK_KERNEL_CUT, "__schedule+ __traceiter_f main", 9 },
		{ 2, 0, STACK_KERNEL_CUT | STACK_USER_CUT, "__schedule+", 9 },
		{ 2, 2, 0, "__schedule __traceiter_f+", 3 },
	};
	struct fixture fixture;
	struct frame frames[9];

	fixture_prepare(&fixture);
	fixture_begin(&fixture, NULL);
	symbols_set_names_file(fixture.symbols, names, strlen(names));
	fixture_start(&fixture);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct stack stack = {
			.pid = 7,
			.kernel_count = cases[i].kernel,
			.user_count = cases[i].user,
			.flags = cases[i].flags,
			.ips = ips + (cases[i].kernel ? 0 : 2),
		};
		size_t count = symbols_frames(fixture.symbols, &stack, frames, cases[i].max);
		struct str out = STR_INIT;

		for (size_t j = 0; j < count; j++) {
			str_addf(&out, "%s%s%s", j ? " " : "", frames[j].symbol,
				 frames[j].cut ? "+" : "");
			ck_assert(!frames[j].cut || frames[j].note);
		}
		ck_assert_str_eq(out.data, cases[i].expected);
		str_release(&out);
	}
	fixture_close(&fixture);
}
END_TEST

START_TEST(generated_code_is_named_by_its_perf_map)
{
	char path[64], line[128];
	struct frame frames[4];
	struct fixture fixture;
	struct record record = {
		.kind = RECORD_MAP,
		.pid = (uint32_t)getpid(),
		.map = { .start = FIXTURE_BASE, .bytes = 0x10000, .path = "//anon" },
	};
	int fd;

	fixture_open(&fixture, NULL);
	spaces_feed(fixture.spaces, &record);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	unlink(path);
	fixture_ask(&fixture, FIXTURE_BASE, 0x120, frames, 4);
	ck_assert_str_eq(frames[0].note, "generated code, no perf map");
	snprintf(line, sizeof(line), "%llx 40 Method\033 of jit\n", FIXTURE_BASE + 0x100);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	ck_assert_int_eq(write(fd, line, strlen(line)), (ssize_t)strlen(line));
	close(fd);
	sleep(1); /* the perf map is read at most once a second */
	usleep(100000);
	fixture_ask(&fixture, FIXTURE_BASE, 0x120, frames, 4);
	unlink(path);
	ck_assert_str_eq(frames[0].symbol, "Method\\33 of jit");
	ck_assert_uint_eq(frames[0].offset, 0x21);
	ck_assert_str_eq(frames[0].dso, "//anon");
	fixture_close(&fixture);
}
END_TEST

START_TEST(the_vdso_is_named)
{
	struct frame frames[4];
	struct fixture fixture;
	struct record record = {
		.kind = RECORD_MAP,
		.pid = (uint32_t)getpid(),
		.map = { .start = FIXTURE_BASE, .bytes = 0x2000, .path = "[vdso]" },
	};
	unsigned int named = 0;

	fixture_open(&fixture, NULL);
	spaces_feed(fixture.spaces, &record);
	for (uint64_t at = 0x400; at < 0x2000; at += 64) {
		fixture_ask(&fixture, FIXTURE_BASE, at, frames, 4);
		named += frames[0].symbol && strstr(frames[0].symbol, "clock_gettime");
	}
	ck_assert_uint_gt(named, 0);
	fixture_close(&fixture);
}
END_TEST

Suite *suite_symbols(void);
Suite *suite_symbols(void)
{
	Suite *suite = suite_create("symbols");
	TCase *tests = tcase_create("symbols");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, functions_are_those_of_nm);
	tcase_add_test(tests, a_label_without_a_size_is_a_function);
	tcase_add_test(tests, names_of_cxx_are_demangled);
	tcase_add_test(tests, inlined_frames_are_those_of_addr2line);
	tcase_add_test(tests, inlined_frames_of_cxx_are_those_of_addr2line);
	tcase_add_test(tests, a_debug_file_is_found_by_its_link);
	tcase_add_test(tests, plt_stubs_are_named_after_their_function);
	tcase_add_test(tests, frames_without_a_name_have_a_reason);
	tcase_add_test(tests, the_note_of_an_ended_process_is_stable);
	tcase_add_test(tests, a_deleted_file_is_read_where_it_is_mapped);
	tcase_add_test(tests, hostile_names_are_escaped);
	tcase_add_test(tests, this_process_is_named_from_proc);
	tcase_add_test(tests, kernel_frames_are_named);
	tcase_add_test(tests, frames_are_those_of_the_program);
	tcase_add_test(tests, generated_code_is_named_by_its_perf_map);
	tcase_add_test(tests, the_vdso_is_named);
	suite_add_tcase(suite, tests);
	return suite;
}
