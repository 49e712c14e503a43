/*
 * fuzz_format - any bytes as a tracefs format file and as a prototype: at most six arguments, with
 * printable names and types and a valid kind and size.
 */
#include "engine/base/mem.h"
#include "engine/decode/syscall_args.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_plain(const char *text, size_t bytes)
{
	if (!memchr(text, '\0', bytes))
		abort();
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			abort();
}

static void check_args(struct syscall_arg *args, int count)
{
	if (count < -1 || count > SYSCALL_ARGS)
		abort();
	for (int i = 0; i < count; i++) {
		check_plain(args[i].name, sizeof(args[i].name));
		check_plain(args[i].type, sizeof(args[i].type));
		if (!args[i].name[0] || !args[i].type[0])
			abort();
		syscall_arg_classify(&args[i], "ioctl", (unsigned)i);
		if (args[i].kind >= ARG_NONE ||
		    (args[i].bytes != 2 && args[i].bytes != 4 && args[i].bytes != 8))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct syscall_arg args[SYSCALL_ARGS];
	char *exact, *text;

	if (size > 1 << 16)
		return 0;
	/* Allocate the exact size, so that the address sanitizer detects reads beyond the end. */
	exact = mem_alloc(size ? size : 1);
	memcpy(exact, data, size);
	check_args(args, syscall_args_from_format(exact, size, args));
	free(exact);
	text = mem_strndup((const char *)data, size);
	check_args(args, syscall_args_from_prototype(text, args));
	free(text);
	return 0;
}
