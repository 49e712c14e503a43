/*
 * bench_decode - cost of formatting a call, from registers only and with captured bytes.
 */
#include "engine/base/clock.h"
#include "engine/decode/call_text.h"
#include "engine/decode/captured_bytes.h"
#include "engine/decode/kernel_structs.h"
#include "engine/record/capture.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define TEXTS 1000000u
#define PATH_AT 0x1000
#define STAT_AT 0x2000

struct kept {
	uint64_t words[128];
	size_t len;
};

static void keep(struct kept *kept, uint64_t address, const void *bytes, uint32_t len,
		 uint8_t flags)
{
	struct capture_chunk chunk = { address, len, 1, flags, BYTES_KERNEL, 0 };
	uint8_t *at = (uint8_t *)kept->words + kept->len;

	memcpy(at, &chunk, sizeof(chunk));
	memcpy(at + sizeof(chunk), bytes, len);
	kept->len += CAPTURE_CHUNK_BYTES(len);
}

static void measure(const char *name, const struct syscalls *syscalls, const struct call *call,
		    const struct call_text_options *options)
{
	struct str text = STR_INIT;
	uint64_t began_ns = clock_now_ns();

	for (unsigned i = 0; i < TEXTS; i++) {
		str_clear(&text);
		call_text(&text, syscalls, call, options);
		str_addn(&text, " = ", 3);
		call_text_result(&text, syscalls, call, options);
	}
	printf("  %-34s %7.0f ns   %s\n", name, (double)(clock_now_ns() - began_ns) / TEXTS,
	       text.data);
	str_release(&text);
}

static size_t allocated(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

int main(void)
{
	static const char path[] = "/usr/lib/x86_64-linux-gnu/libc.so.6";
	size_t before = allocated();
	struct syscalls *syscalls = syscalls_load(NULL);
	size_t tables = allocated() - before;
	struct kept kept = { .len = 0 };
	struct stat stat = { .st_mode = S_IFREG | 0644, .st_size = 1922136 };
	struct captured_bytes captured;
	struct call_bytes bytes = { captured_bytes_read, &captured };
	struct call_text_options options = { .bytes = &bytes };
	struct call close = { .state = CALL_DONE, .nr = SYS_close, .args = { 3 } };
	struct call map = { .state = CALL_DONE,
			    .nr = SYS_mmap,
			    .args = { 0, 8192, 3, 0x22, ~0ULL },
			    .ret = 0x7f1234567000 };
	struct call open = { .state = CALL_DONE,
			     .nr = SYS_openat,
			     .args = { (uint32_t)AT_FDCWD, PATH_AT, O_RDONLY | O_CLOEXEC },
			     .ret = 3 };
	struct call state = { .state = CALL_DONE,
			      .nr = SYS_newfstatat,
			      .args = { (uint32_t)AT_FDCWD, PATH_AT, STAT_AT, 0 } };

	keep(&kept, PATH_AT, path, sizeof(path), 0);
	keep(&kept, STAT_AT, &stat, sizeof(stat), CAPTURE_AT_EXIT);
	captured = (struct captured_bytes){ kept.words, kept.len };
	before = allocated();
	kernel_structs_layout(syscalls_kernel_structs(syscalls), 1, true);
	printf("Tables of calls: %zu KiB; layouts from the kernel's types: %zu KiB\n",
	       tables / 1024, (allocated() - before) / 1024);
	printf("The text of a call:\n");
	measure("two numbers", syscalls, &close, NULL);
	measure("flags, registers only", syscalls, &map, NULL);
	measure("a path, registers only", syscalls, &open, NULL);
	measure("a path, captured", syscalls, &open, &options);
	measure("a path and a struct, captured", syscalls, &state, &options);
	syscalls_free(syscalls);
	return 0;
}
