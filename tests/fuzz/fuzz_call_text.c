/*
 * fuzz_call_text - any registers and any memory as any call: a text of bounded
 * length that is nothing but printable ASCII.
 */
#include "engine/decode/call_text.h"
#include "engine/decode/captured_bytes.h"
#include "engine/decode/printer.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_MAX (2 << 20)
#define PLACES 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct memory {
	const uint8_t *bytes;
	size_t len;
};

/* Every address is somewhere in the input; what would go beyond it is a fault. */
static void read_memory(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
			struct bytes_answer *answer)
{
	const struct memory *memory = ctx;
	size_t at = ask->address % PLACES;

	(void)call;
	answer->origin = BYTES_LATE;
	answer->cut = ask->address & 1;
	answer->len = 0;
	if (at >= memory->len)
		return;
	answer->len = memory->len - at < ask->len ? (uint32_t)(memory->len - at) : ask->len;
	memcpy(to, memory->bytes + at, answer->len);
}

/* Descriptors are what the input calls them, a netlink socket, or nothing. */
static size_t name_fd(void *ctx, const struct call *call, int fd, bool after, char *out,
		      size_t out_bytes)
{
	static const char netlink[] = "NETLINK:[ROUTE:77]";
	const struct memory *memory = ctx;
	size_t len = memory->len < out_bytes ? memory->len : out_bytes;

	(void)call;
	(void)after;
	switch (fd & 3) {
	case 0:
		return 0;
	case 1:
		memcpy(out, memory->bytes, len);
		return len;
	default:
		memcpy(out, netlink, strlen(netlink));
		return strlen(netlink);
	}
}

static void check(const struct str *text)
{
	if (text->len > TEXT_MAX)
		abort();
	for (size_t i = 0; i < text->len; i++)
		if (text->data[i] < ' ' || text->data[i] > '~')
			abort();
}

static void show(const struct call *call, const struct call_text_options *options)
{
	static struct syscalls *syscalls;
	struct str text = STR_INIT;

	if (!syscalls)
		syscalls = syscalls_load(NULL);
	call_text(&text, syscalls, call, options);
	check(&text);
	for (unsigned i = 0; i < call_text_arg_count(syscalls, call); i++) {
		str_clear(&text);
		if (call_text_arg_shown(syscalls, call, i))
			call_text_arg(&text, syscalls, call, i, options);
		check(&text);
	}
	str_clear(&text);
	call_text_result(&text, syscalls, call, options);
	check(&text);
	str_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct call call = { .state = CALL_DONE };
	struct {
		uint16_t nr;
		uint8_t state, small;
		int32_t ret;
		uint64_t args[SYSCALL_ARGS];
	} head;
	struct memory memory;
	struct captured_bytes captured;
	struct call_bytes bytes = { read_memory, &memory };
	struct fd_namer namer = { name_fd, &memory };
	struct call_text_options options = { .bytes = &bytes, .wait = true };

	if (size < sizeof(head) || size > 1 << 16)
		return 0;
	memcpy(&head, data, sizeof(head));
	call.nr = head.nr % 520;
	call.state = head.state % CALL_GAP;
	call.ret = head.ret;
	for (unsigned i = 0; i < SYSCALL_ARGS; i++)
		call.args[i] = head.small >> i & 1 ? head.args[i] & 0xfff : head.args[i];
	options.string_bytes = head.state >> 4 == 15 ? UINT32_MAX : head.state >> 4;
	options.hex_strings = head.small & 0x80;
	memory = (struct memory){ data + sizeof(head), size - sizeof(head) };
	captured = (struct captured_bytes){ memory.bytes, memory.len };
	show(&call, NULL);
	show(&call, &options);
	options.fd_namer = &namer;
	show(&call, &options);
	bytes = (struct call_bytes){ captured_bytes_read, &captured };
	show(&call, &options);
	return 0;
}
