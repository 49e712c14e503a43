/*
 * fuzz_call_text - any registers and memory, formatted as a call of each machine. The text is
 * printable ASCII of bounded length.
 *
 * Each input is formatted as the call that it names, and as a call chosen by a hash of its bytes,
 * so that memory found for one call is tried with the remaining calls.
 */
#include "engine/decode/call_text.h"
#include "engine/decode/captured_bytes.h"
#include "engine/decode/numbers.h"
#include "engine/decode/printer.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_MAX (2 << 20)
/* Bound of a text with strings of the default length and without descriptor names. */
#define SHORT_TEXT_MAX (256 << 10)
#define PLACES 4096
#define NUMBERS 520 /* above the highest syscall number */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct memory {
	const uint8_t *bytes;
	size_t len;
};

/* Map each address to an offset in the input; bytes after the input are unreadable. */
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

/* The number of the descriptor selects: no name, bytes of the input, or a netlink socket. */
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

static void check(const struct str *text, const struct call_text_options *options)
{
	size_t max = options && (options->string_bytes > STRING_BYTES || options->fd_namer)
			     ? TEXT_MAX
			     : SHORT_TEXT_MAX;

	if (text->len > max)
		abort();
	for (size_t i = 0; i < text->len; i++)
		if (text->data[i] < ' ' || text->data[i] > '~')
			abort();
}

static void show_of(const struct syscalls *syscalls, const struct call *call,
		    const struct call_text_options *options)
{
	struct str text = STR_INIT;

	call_text(&text, syscalls, call, options);
	check(&text, options);
	for (unsigned i = 0; i < call_text_arg_count(syscalls, call); i++) {
		str_clear(&text);
		if (call_text_arg_shown(syscalls, call, i))
			call_text_arg(&text, syscalls, call, i, options);
		check(&text, options);
	}
	str_clear(&text);
	call_text_result(&text, syscalls, call, options);
	check(&text, options);
	str_release(&text);
}

static void show(const struct call *call, const struct call_text_options *options)
{
	static struct syscalls *machines[2];

	if (!machines[0]) {
		machines[0] = syscalls_load_of(&x86_64_numbers, NULL);
		machines[1] = syscalls_load_of(&aarch64_numbers, NULL);
	}
	show_of(machines[0], call, options);
	show_of(machines[1], call, options);
}

/* Format without memory, with late reads, and with bytes captured at the call. */
static void show_all(const struct call *call, struct call_text_options *options,
		     struct memory *memory)
{
	struct captured_bytes captured = { memory->bytes, memory->len };
	struct call_bytes read = { read_memory, memory }, kept = { captured_bytes_read, &captured };
	struct fd_namer namer = { name_fd, memory };

	show(call, NULL);
	options->fd_namer = NULL;
	options->bytes = &read;
	show(call, options);
	options->fd_namer = &namer;
	show(call, options);
	options->bytes = &kept;
	show(call, options);
}

static uint32_t sum_of(const uint8_t *data, size_t size)
{
	uint32_t sum = 2166136261u;

	for (size_t i = 0; i < size; i++)
		sum = (sum ^ data[i]) * 16777619u;
	return sum;
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
	struct call_text_options options = { .wait = true };

	if (size < sizeof(head) || size > 1 << 16)
		return 0;
	memcpy(&head, data, sizeof(head));
	call.state = head.state % CALL_GAP;
	call.ret = head.ret;
	for (unsigned i = 0; i < SYSCALL_ARGS; i++)
		call.args[i] = head.small >> i & 1 ? head.args[i] & 0xfff : head.args[i];
	options.string_bytes = head.state >> 4 == 15 ? UINT32_MAX : head.state >> 4;
	options.hex_strings = head.small & 0x80;
	memory = (struct memory){ data + sizeof(head), size - sizeof(head) };
	call.nr = head.nr % NUMBERS;
	show_all(&call, &options, &memory);
	call.nr = (uint16_t)(sum_of(data, size) % NUMBERS);
	show_all(&call, &options, &memory);
	return 0;
}
