#include "tests/unit/symbol_fixture.h"

#include "tests/unit/skip.h"

#include <check.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

bool fixture_is_root(void)
{
	unsigned int first, outside, count = 0;
	FILE *map = fopen("/proc/self/uid_map", "r");

	if (!map)
		return geteuid() == 0;
	if (fscanf(map, "%u %u %u", &first, &outside, &count) != 3)
		count = 0;
	fclose(map);
	return geteuid() == 0 && count == UINT32_MAX;
}

void fixture_prepare(struct fixture *fixture)
{
	memset(fixture, 0, sizeof(*fixture));
	temporary_folder(fixture->directory, "symbols");
}

void fixture_begin(struct fixture *fixture, void (*serve)(int socket_fd))
{
	struct err err = { "" };
	int code;

	fixture->spaces = spaces_new();
	fixture->stacks = stacks_new(16 << 20);
	code = serve ? symbols_new_served(&fixture->symbols, fixture->spaces, serve, &err)
		     : symbols_new(&fixture->symbols, fixture->spaces, &err);
	ck_assert_msg(code == 0, "%s", err.text);
}

void fixture_start(struct fixture *fixture)
{
	struct err err = { "" };

	ck_assert_msg(symbols_start(fixture->symbols, &err) == 0, "%s", err.text);
}

void fixture_open(struct fixture *fixture, void (*serve)(int socket_fd))
{
	fixture_prepare(fixture);
	fixture_begin(fixture, serve);
	fixture_start(fixture);
}

void fixture_close(struct fixture *fixture)
{
	symbols_free(fixture->symbols);
	stacks_free(fixture->stacks);
	spaces_free(fixture->spaces);
	fixture_run(fixture, "rm -rf %s", fixture->directory);
}

bool fixture_run(const struct fixture *fixture, const char *format, ...)
{
	char command[1024];
	va_list args;
	int used = snprintf(command, sizeof(command), "cd %s && ", fixture->directory);

	va_start(args, format);
	vsnprintf(command + used, sizeof(command) - (size_t)used, format, args);
	va_end(args);
	return system(command) == 0;
}

void fixture_write(struct fixture *fixture, const char *name, const void *bytes, size_t len)
{
	int fd;

	snprintf(fixture->path, sizeof(fixture->path), "%s/%s", fixture->directory, name);
	fd = open(fixture->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, len), (ssize_t)len);
	close(fd);
}

void fixture_compile(struct fixture *fixture, const char *name, const char *source,
		     const char *flags)
{
	const char *compiler = strstr(name, ".cc") ? "g++" : "gcc";

	if (!fixture_run(fixture, "command -v %s >/dev/null", compiler))
		test_skip("symbols: no %s on this machine", compiler);
	fixture_write(fixture, name, source, strlen(source));
	ck_assert(fixture_run(fixture, "%s %s -o program %s", compiler, flags, name));
	snprintf(fixture->path, sizeof(fixture->path), "%s/program", fixture->directory);
}

void fixture_map(struct fixture *fixture, uint64_t base)
{
	struct record record = { .kind = RECORD_MAP, .pid = (uint32_t)getpid() };
	struct stat st;

	ck_assert_int_eq(stat(fixture->path, &st), 0);
	record.map.start = base;
	record.map.bytes = ((uint64_t)st.st_size + 4095) & ~4095ULL;
	record.map.dev_major = major(st.st_dev);
	record.map.dev_minor = minor(st.st_dev);
	record.map.inode = st.st_ino;
	record.map.inode_generation = base; /* unique: inode numbers are reused */
	record.map.prot = PROT_READ | PROT_EXEC;
	record.map.path = fixture->path;
	spaces_feed(fixture->spaces, &record);
}

size_t fixture_ask(struct fixture *fixture, uint64_t base, uint64_t offset, struct frame *frames,
		   size_t max)
{
	uint64_t ips[] = { PERF_CONTEXT_USER, base, base + offset + 1 };
	struct record_stack chain = { .ips = ips, .count = 3 };
	struct frame all[64];
	struct stack stack;
	size_t count, skip = 0;
	uint32_t id = stacks_add(fixture->stacks, (uint32_t)getpid(), 0, &chain);

	ck_assert(stacks_get(fixture->stacks, id, &stack));
	symbols_frames(fixture->symbols, &stack, all, 64);
	ck_assert_msg(symbols_settle(fixture->symbols, 20000), "no answer in 20 s");
	count = symbols_frames(fixture->symbols, &stack, all, 64);
	while (skip < count && all[skip].ip == base)
		skip++;
	count -= skip;
	ck_assert_uint_gt(count, 0);
	memcpy(frames, all + skip, (count < max ? count : max) * sizeof(*frames));
	return count < max ? count : max;
}
