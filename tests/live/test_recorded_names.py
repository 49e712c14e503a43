"""Recorded addresses get symbols only from the same files and the same kernel."""

import json
import os
import struct

from harness import end, folder, long, need, need_tracing, run, skip, start, stxtop

# Waits in a function of its own, with frame pointers.
WAITS_C = """
#include <sys/syscall.h>
#include <time.h>
__attribute__((noinline)) static long wait_here(int ms)
{
	struct timespec time = { 0, ms * 1000000L };
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(SYS_nanosleep), "D"(&time), "S"(0)
			 : "rcx", "r11", "memory");
	return ret;
}
int main(void)
{
	volatile long sum = 0;

	for (;;)
		sum += wait_here(10) + 1;
}
"""


def compile_waits(where, *flags):
    (where / "waits.c").write_text(WAITS_C)
    result = run(need("cc"), "-g", "-fno-omit-frame-pointer", *flags, "-o", where / "new",
                 where / "waits.c")
    assert result.status == 0, result.err
    os.rename(where / "new", where / "waits")  # another inode each time


def record(where):
    """Create a recording with the build-ids of mapped files."""
    need("perf")
    need_tracing()
    compile_waits(where, "-O1")
    waits = start(where / "waits")
    result = run("perf", "record", "-q", "--buildid-mmap", "-o", where / "data", "-g",
                 "-e", "sched:sched_switch", "-e", "raw_syscalls:sys_enter",
                 "-e", "raw_syscalls:sys_exit", "-p", waits.pid, "--", "sleep", "0.3")
    end(waits)
    if not (where / "data").exists():
        skip(f"perf record does not work here: {result.err[:80]}")
    return where / "data"


def names(path, *options):
    """Return the kernel symbols and the user symbols in the stacks of nanosleep."""
    kernel, user = set(), set()
    for line in stxtop("-i", path, "--json", *options).out.splitlines():
        call = json.loads(line)
        if call["type"] == "call" and call["name"] == "nanosleep":
            for frame in call["stack"]:
                (kernel if frame["kind"] == "kernel" else user).add(frame["sym"])
    return kernel, user


def test_a_file_is_known_by_its_build_id():
    where = folder()
    path = record(where)
    assert {"wait_here", "main"} <= names(path)[1]
    # A new inode with the same build-id has names; another build has none.
    compile_waits(where, "-O1")
    assert {"wait_here", "main"} <= names(path)[1]
    compile_waits(where, "-O2")
    user = names(path)[1]
    assert user and not {"wait_here", "main"} & user, user


@long
def test_kernel_is_named_only_at_the_recorded_address():
    path = record(folder())
    with open("/proc/kallsyms") as file:
        if not any(line.split()[2] == "_text" and int(line.split()[0], 16) for line in file):
            skip("kernel addresses are hidden here")
    assert "__x64_sys_nanosleep" in names(path)[0]
    # Pretend that the recorded kernel was at another address.
    data = bytearray(path.read_bytes())
    at = data.index(b"[kernel.kallsyms]_text\0") - 72
    kind, _, _, _, _, start_at, _, text = struct.unpack_from("<IHHiIQQQ", data, at)
    assert kind == 10 and start_at <= text
    struct.pack_into("<Q", data, at + 32, text + 0x200000)
    path.write_bytes(data)
    # perf's cache has symbols of this kernel, but at the old addresses: use an empty cache.
    kernel = names(path, "--buildid-dir", folder())[0]
    assert kernel == {None}, kernel
