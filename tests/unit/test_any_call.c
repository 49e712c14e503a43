#include "engine/base/str.h"
#include "engine/decode/call_text.h"
#include "engine/decode/kernel_structs.h"
#include "tests/unit/runner.h"

#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS 500
#define EACH 40
#define MEMORY 4096
#define TEXT_MAX (2 << 20)

/* Every address is mapped into these bytes. */
struct memory {
	uint8_t bytes[2 * MEMORY];
};

static uint64_t next(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void read_memory(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
			struct bytes_answer *answer)
{
	const struct memory *memory = ctx;

	(void)call;
	answer->origin = BYTES_LATE;
	answer->cut = ask->len > MEMORY;
	answer->len = answer->cut ? MEMORY : ask->len;
	memcpy(to, memory->bytes + ask->address % MEMORY, answer->len);
}

/* Return small numbers as often as wide ones, as lengths, counts and enums are small. */
static uint64_t any(uint64_t *seed)
{
	uint64_t value = next(seed);

	switch (next(seed) % 4) {
	case 0:
		return value % 8;
	case 1:
		return value % 4096;
	case 2:
		return (uint32_t)value;
	default:
		return value;
	}
}

static bool is_printable(const struct str *text)
{
	for (size_t i = 0; i < text->len; i++)
		if (text->data[i] < ' ' || text->data[i] > '~')
			return false;
	return text->len <= TEXT_MAX;
}

static bool shows_all(const struct syscalls *syscalls, struct str *text, uint64_t seed)
{
	static struct memory memory;
	struct call_bytes bytes = { read_memory, &memory };
	struct call_text_options options = { .bytes = &bytes };
	static struct call call;

	for (unsigned nr = 0; nr < CALLS; nr++) {
		for (unsigned i = 0; i < EACH; i++) {
			for (size_t at = 0; at < sizeof(memory.bytes); at += 8) {
				uint64_t word = any(&seed);

				memcpy(memory.bytes + at, &word, 8);
			}
			memset(&call, 0, sizeof(call));
			call.nr = (uint16_t)nr;
			call.state = i & 3 ? CALL_DONE : CALL_IN_FLIGHT;
			call.ret = i & 4 ? -(int64_t)(next(&seed) % 600) : (int64_t)any(&seed);
			for (unsigned arg = 0; arg < SYSCALL_ARGS; arg++)
				call.args[arg] = any(&seed);
			options.string_bytes = i & 8 ? 32 : (uint32_t)any(&seed);
			str_clear(text);
			call_text(text, syscalls, &call, &options);
			str_add(text, " = ");
			call_text_result(text, syscalls, &call, &options);
			if (!is_printable(text))
				return false;
		}
	}
	return true;
}

/* The child runs in seccomp strict mode: a system call kills it. */
START_TEST(any_call_is_bounded_text_made_without_a_system_call)
{
	struct syscalls *syscalls = syscalls_load(NULL);
	struct str text = STR_INIT;
	int status;
	pid_t child;

	/* Read the layouts that are loaded at first use, and reserve room for every text. */
	kernel_structs_layout(syscalls_kernel_structs(syscalls), 1, true);
	str_reserve(&text, TEXT_MAX + 1);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		long good;

		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
		good = shows_all(syscalls, &text, 88172645463325252u + (uint64_t)_i);
		syscall(SYS_exit, good ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(WIFEXITED(status) && !WEXITSTATUS(status), "status %#x", status);
	str_release(&text);
	syscalls_free(syscalls);
}
END_TEST

Suite *suite_any_call(void);
Suite *suite_any_call(void)
{
	Suite *suite = suite_create("any_call");
	TCase *tests = tcase_create("any_call");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, any_call_is_bounded_text_made_without_a_system_call, 0, 3);
	suite_add_tcase(suite, tests);
	return suite;
}
