#include "tests/unit/random_filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	"args.op == FUTEX_WAIT",
	"args.op != FUTEX_WAIT",
	"args.op in {FUTEX_WAKE, FUTEX_REQUEUE}",
	"args.op & FUTEX_PRIVATE_FLAG",
	"args.flags & O_CREAT|O_EXCL",
	"args.flags & O_ACCMODE == O_WRONLY",
	"args.flags == 0x2",
	"args.fd == 3",
	"args.fd < 2",
	"args.fd != 1",
	"args.dfd == AT_FDCWD",
	"args.count > 2Ki",
	"args.filename ~ '^/etc'",
	"args.filename !~ '^/etc'",
	"args.filename == ''",
	"args.buf ~ a",
	"arg1 & 6",
	"ret & 3 == 2",
	"waker == alpha",
	"waker !~ '^a'",
	"ppid == 1",
	"ppid in {2..3}",
	"descendant of 1",
	"descendant of 3",
	"stack ~ wait",
	"stack !~ wait",
	"waker_stack == main",
	"began > 50us",
	"event ~ exec",
	"path ~ '/etc'",
	"path !~ a",
	"fd == 2",
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
	static const uint16_t numbers[] = { 0,   1,   2,   3,    4,    202,  202,
					    257, 257, 500, 1023, 1024, 60000 };
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
		.waker_tid = below(seed, 4),
		.stack_id = below(seed, 4),
		.waker_stack_id = below(seed, 4),
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

static const char *waker_comm(void *ctx, const struct call *call)
{
	static const char *const names[] = { NULL, "alpha", "beta" };

	(void)ctx;
	return call->waker_tid < COUNT(names) ? names[call->waker_tid] : NULL;
}

/* Includes a cycle: 5 and 6 are parents of each other. */
static uint32_t parent(void *ctx, uint32_t pid)
{
	(void)ctx;
	return pid == 5 ? 6 : pid == 6 ? 5 : pid / 2;
}

static bool bytes(void *ctx, const struct call *call, unsigned arg, const char **bytes, size_t *len,
		  bool *pending)
{
	static const char *const texts[] = { "/etc/hosts", "", "a\nb\xff" };

	(void)pending;
	(void)ctx;
	if (call->args[arg] >= COUNT(texts))
		return false;
	*bytes = texts[call->args[arg]];
	*len = strlen(*bytes);
	return true;
}

static size_t fds(void *ctx, const struct call *call, int32_t *out, bool *pending)
{
	(void)pending;
	(void)ctx;
	out[0] = (int32_t)call->args[0];
	out[1] = (int32_t)call->args[1];
	return call->args[2] % 3;
}

static bool path(void *ctx, const struct call *call, unsigned index, char *out, bool *pending)
{
	static const char *const paths[] = { "/etc/a", "", "/tmp" };

	(void)pending;
	(void)ctx;
	if (index >= call->args[1] % 4)
		return false;
	snprintf(out, FILTER_PATH_BYTES, "%s", paths[(index + call->args[0]) % COUNT(paths)]);
	return true;
}

static bool symbols(void *ctx, uint32_t stack_id, bool (*each)(void *to, const char *name),
		    void *to, bool *pending, bool *cut)
{
	static const char *const names[] = { "main", "futex_wait", "do_poll" };

	(void)ctx;
	*pending = *cut = false;
	return each(to, names[stack_id % COUNT(names)]);
}

struct filter_reader random_reader(void)
{
	return (struct filter_reader){
		.comm = random_comm,
		.uid = random_uid,
		.cgroup = random_cgroup,
		.waker_comm = waker_comm,
		.parent = parent,
		.bytes = bytes,
		.fds = fds,
		.path = path,
		.symbols = symbols,
		.start_ns = 1000000,
		.now_ns = 1050000,
	};
}
