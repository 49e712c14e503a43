#include "tests/unit/random_filter.h"

#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static unsigned below(unsigned *seed, unsigned limit)
{
	return (unsigned)rand_r(seed) % limit;
}

static const char *const tests[] = {
	"pid == 1",
	"pid != 2",
	"pid in {1, 3}",
	"pid in {2..4}",
	"pid not in {1, 2}",
	"pid < 3",
	"pid >= 2",
	"tid == 1",
	"tid != 3",
	"tid in {2, 4, 5}",
	"tid > 2",
	"3",
	"5",
	"syscall == read",
	"syscall != write",
	"syscall in {read, write, open}",
	"syscall not in {close, %file}",
	"syscall ~ \"^[rw]\"",
	"syscall !~ \"e$\"",
	"syscall in {}",
	"%desc",
	"close",
	"failed",
	"in_flight",
	"errno == ENOENT",
	"errno != EAGAIN",
	"errno in {1..5}",
	"ret > 0",
	"ret == -11",
	"ret <= -1",
	"dur > 10us",
	"dur < 1 ms",
	"dur in {1us..20us, 1s}",
	"blocked >= 5us",
	"runnable == 0",
	"on_cpu > 1us",
	"cpu == 1",
	"arg0 == 0x3",
	"arg2 > 100k",
	"waker == 0",
	"uid == 1",
	"uid != 1",
	"uid == root",
	"uid in {1, 3..4}",
	"uid not in {0, 2}",
	"uid >= 2",
	"uid < 1",
	"uid > -1",
	"cgroup == \"/a\"",
	"cgroup != '/a/b'",
	"cgroup in {'/a/b', c}",
	"cgroup ~ \"^/a\"",
	"cgroup == 'nginx.service'",
	"cgroup !~ b",
	"comm == \"alpha\"",
	"comm ~ \"^al\"",
	"comm !~ 'a$'",
	"comm in {beta, \"g\\x61mma\"}",
	"comm != \"quote\\\"d\"",
	"alp",
	"\"et\"",
};

void random_filter(struct str *out, unsigned *seed, unsigned depth)
{
	static const char *const joints[] = { " && ", " and ", " || ", " or " };
	unsigned terms;

	if (!depth || below(seed, 3) == 0) {
		str_add(out, tests[below(seed, COUNT(tests))]);
		return;
	}
	switch (below(seed, 4)) {
	case 0:
		str_add(out, below(seed, 2) ? "!" : "not ");
		if (below(seed, 2)) {
			str_add(out, tests[below(seed, COUNT(tests))]);
			return;
		}
		str_addc(out, '(');
		random_filter(out, seed, depth - 1);
		str_addc(out, ')');
		return;
	case 1:
		str_addc(out, '(');
		random_filter(out, seed, depth - 1);
		str_addc(out, ')');
		return;
	default:
		terms = 2 + below(seed, 3);
		for (unsigned i = 0; i < terms; i++) {
			if (i)
				str_add(out, joints[below(seed, COUNT(joints))]);
			random_filter(out, seed, depth - 1);
		}
		return;
	}
}

struct call random_call(unsigned *seed)
{
	static const uint16_t numbers[] = { 0, 1, 2, 3, 4, 202, 257, 500, 1023, 1024, 60000 };
	static const int64_t results[] = { 0, 1, 42, -1, -2, -11, -4095, -4096, INT64_MIN };
	struct call call = {
		.enter_ns = 1000000 + below(seed, 100000),
		.dur_ns = below(seed, 40000),
		.args = { below(seed, 5), below(seed, 5), below(seed, 200000) },
		.ret = results[below(seed, COUNT(results))],
		.blocked_ns = below(seed, 10000),
		.runnable_ns = below(seed, 3),
		.pid = below(seed, 6),
		.tid = below(seed, 6),
		.waker_tid = below(seed, 2),
		.nr = numbers[below(seed, COUNT(numbers))],
		.cpu = (uint16_t)below(seed, 3),
		.state = (uint8_t)below(seed, CALL_GAP),
	};

	if (call.state == CALL_IN_FLIGHT || call.state == CALL_ORPHAN)
		call.dur_ns = -1;
	return call;
}

const char *random_comm(void *ctx, const struct call *call)
{
	static const char *const names[] = { "alpha", "beta", "gamma", "quote\"d", "", "a\nb" };

	(void)ctx;
	return names[call->tid % COUNT(names)];
}

bool random_uid(void *ctx, const struct call *call, uint32_t *uid)
{
	(void)ctx;
	*uid = call->tid % 5;
	return true;
}

const char *random_cgroup(void *ctx, const struct call *call)
{
	static const char *const paths[] = {
		"/", "/a", "/a/b", "/ab/c", "/system.slice/nginx.service",
	};

	(void)ctx;
	return paths[(call->pid + call->cpu) % COUNT(paths)];
}

struct filter_reader random_reader(void)
{
	return (struct filter_reader){ .comm = random_comm, .uid = random_uid,
				       .cgroup = random_cgroup, .now_ns = 1050000 };
}
