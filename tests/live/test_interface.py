"""The interface thread stays responsive with thousands of processes, slow disks and slow processes.
Times are compared only with each other."""

import os
import pathlib
import re
import subprocess
import sys
import time

from harness import (ROOT, STXTOP, collector_of, folder, long, need, need_tracing, program, start,
                     wait_until)

sys.path.insert(0, str(ROOT / "tests" / "bench"))

import interface as measured
from screen import Screen
from terminal import Pty

FEW, MANY = 50, 5_000
CALLS_PER_S = 20_000
KEYS = 15
VIEWS = "123456789"
# Maximum ratio of costs with MANY and FEW processes. Measured: 1.7 at most; without jobs, 5.
RATIO_MAX = 3

# Allowed calls: they wait only for keys, the terminal or the lock of the model, or allocate memory.
# pread64, lseek and ftruncate read and empty the memfd to which curses writes.
ALLOWED = {
    "poll", "restart_syscall", "read", "write", "futex", "ioctl", "eventfd2", "pread64", "lseek",
    "ftruncate", "rt_sigaction", "rt_sigprocmask", "brk", "mmap", "munmap", "mremap", "madvise",
    "mprotect", "sched_yield", "getpid", "gettid", "clock_gettime", "exit_group",
    "sysinfo", # qsort() queries the size of memory once
}


def cost_of_a_key(processes, view):
    """Return the CPU seconds of the interface thread for a key and 0.1 s after it, on average."""
    report = measured.Report()
    screen = measured.open_screen(report, processes=processes, calls=CALLS_PER_S,
                                  history=CALLS_PER_S)
    try:
        assert screen.key(view.encode()) is not None
        screen.drain(0.5)
        before = measured.threads_cpu(screen.pid)["ui"]
        for _ in range(KEYS):
            assert screen.key(measured.DOWN) is not None, "no frame after a key"
            screen.drain(0.1)
        return (measured.threads_cpu(screen.pid)["ui"] - before) / KEYS
    finally:
        screen.close()


@long
def test_cost_of_a_key_grows_little_with_processes():
    program("../bench/interface")
    for view in "125":
        few, many = cost_of_a_key(FEW, view), cost_of_a_key(MANY, view)
        # Other load only adds to the times: compare the minimum of several runs.
        for _ in range(2):
            if many < RATIO_MAX * few:
                break
            few = min(few, cost_of_a_key(FEW, view))
            many = min(many, cost_of_a_key(MANY, view))
        assert many < RATIO_MAX * few, (
            f"view {view}: {many * 1e3:.2f} ms with {MANY} processes, {few * 1e3:.2f} ms with "
            f"{FEW}")


def press(screen, key):
    os.write(screen.fd, key)
    screen.drain(0.02)


@long
def test_no_key_waits_for_a_file_or_another_process():
    need_tracing()
    need("strace")
    start(program("mix"), "1", "0", "100000000")
    start(program("many_stuck"), "20", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    trace = folder() / "trace"
    screen = Screen(str(STXTOP))
    try:
        screen.until(b"mix")
        tracer = start("strace", "-q", "-o", trace, "-p", screen.pid)
        wait_until(lambda: f"TracerPid:\t{tracer.pid}" in
                   open(f"/proc/{screen.pid}/status").read(), 10, "strace is attached")
        for view in VIEWS:
            press(screen, view.encode())
            screen.drain(0.3)
            for act in ("scroll", "sort", "search", "detail", "filter"):
                for key in measured.ACTS[act]:
                    press(screen, key)
            press(screen, measured.ESC)
            screen.drain(0.1)
        tracer.send_signal(2)
        tracer.wait()
    finally:
        screen.close()
    lines = trace.read_text(errors="replace").splitlines()
    made = {m[1]: line for line in lines if (m := re.match(r"(\w+)\(", line))}
    assert "poll" in made and "write" in made, "strace saw no calls"
    others = {name: line[:120] for name, line in made.items() if name not in ALLOWED}
    assert not others, f"the interface thread called {others}"


def wake_ups(pid, name=None):
    """Return how often the threads of a process went to sleep, or only its threads of one name."""
    count = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        if not name or (task / "comm").read_text().strip() == name:
            count += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)",
                                   (task / "status").read_text(), re.M)[1])
    return count


# With a sleeping target, the interface and the collector still poll. Measured: 13 wakeups a second;
# 22 when the prober looked for files ten times a second.
WAKE_UPS_PER_S = 16


def test_threads_without_work_sleep():
    need_tracing()
    sleeper = start("sleep", "1000")
    terminal = Pty(STXTOP, "-p", sleeper.pid)
    pid = terminal.process.pid
    wait_until(lambda: collector_of(terminal.process), what="the start")

    def prober_rests():
        before = wake_ups(pid, "prober")
        time.sleep(0.4)
        return wake_ups(pid, "prober") == before

    wait_until(prober_rests, what="the prober rests")
    time.sleep(0.4)
    before, began = wake_ups(pid), time.monotonic()
    time.sleep(1)
    per_s = (wake_ups(pid) - before) / (time.monotonic() - began)
    assert per_s < WAKE_UPS_PER_S, per_s
