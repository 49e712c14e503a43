"""Several tracers watch one process at the same time, and each sees all calls."""

import json
import re
import signal
import subprocess

from harness import STXTOP, folder, long, need, need_tracing, of_type, run, start, wait_until
from test_sources import FIRST_MARK, Shell

CALLS = 500
# First number of the calls. It is above the marks, which show that a tracer is ready.
FIRST_CALL = FIRST_MARK + 1_000_000
WORK = (f"i=0; while [ $i -lt {CALLS} ]; do kill -0 $(({FIRST_CALL} + i)); "
        "i=$((i + 1)); done")
EXPECTED = list(range(FIRST_CALL, FIRST_CALL + CALLS))


def numbers_in_json(path):
    with open(path) as lines:
        calls = of_type([json.loads(l) for l in lines if l.endswith("\n")], "call")
    return [int(c["args"][0]["value"], 0) for c in calls if c["name"] == "kill"]


def numbers_in_text(path):
    text = path.read_text(errors="replace")
    return [int(n) for n in re.findall(r"\bkill\((?:pid: )?(\d+)", text)]


def watch(where, name, source, pid, *options):
    path = where / name
    return path, start(STXTOP, "--source", source, "--json", "-w", path, "-p", pid, *options,
                       stderr=subprocess.DEVNULL)


def wait_until_it_tells(shell, path, numbers):
    """Make marks until the output has one: buffered output may wait for more calls."""
    def tells():
        shell.make_mark()
        return path.exists() and any(n >= FIRST_MARK for n in numbers(path))
    wait_until(tells, limit=30, what=f"a mark in {path.name}")


def work_and_end(shell, watchers):
    shell.do(WORK)
    shell.process.stdin.close()
    shell.process.wait(60)
    for watcher in watchers:
        try:
            watcher.wait(5)
        except subprocess.TimeoutExpired:
            watcher.send_signal(signal.SIGINT)
            watcher.wait(20)


def check(path, numbers):
    calls = sorted(n for n in numbers(path) if n >= FIRST_CALL)
    assert calls == EXPECTED, (path.name, len(calls))


def numbers_in_script(path):
    """Parse hexadecimal numbers. Call it after perf record has exited and completed its file."""
    said = run("perf", "script", "-i", path, "-F", "trace", limit=60)
    return [int(n, 16) for n in re.findall(r"\bpid: 0x([0-9a-f]+)", said.out)]


@long
def test_bpf_programs_at_tracepoints_hide_no_events():
    """A BPF program at a tracepoint can hide all perf events there: stxtop's must hide none."""
    need_tracing()
    perf = need("perf")
    where = folder()
    shell = Shell()
    pid = str(shell.process.pid)
    recorded = where / "perf.data"
    # Events at the same tracepoints, opened before and after the BPF program.
    before = start(perf, "record", "-q", "-e", "syscalls:sys_enter_kill", "-o", recorded,
                   "-p", pid, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: recorded.exists() and recorded.stat().st_size, limit=30,
               what="the start of perf record")
    tools = [watch(where, "programs", "auto", pid, "-e", "kill"),
             watch(where, "events", "perf", pid, "-e", "kill"),
             watch(where, "both", "auto", pid)]
    after = start(perf, "trace", "-e", "kill", "-o", where / "trace", "-p", pid,
                  stderr=subprocess.DEVNULL)
    for path, _ in tools:
        wait_until_it_tells(shell, path, numbers_in_json)
    wait_until_it_tells(shell, where / "trace", numbers_in_text)
    # Meanwhile other BPF programs are attached and detached.
    passing = start(STXTOP, "-e", "kill,tkill", "-s", "-w", where / "passing",
                    "-n", str(CALLS // 2), "-p", pid, stderr=subprocess.DEVNULL)
    work_and_end(shell, [before, after, passing, *(process for _, process in tools)])
    for path, _ in tools:
        check(path, numbers_in_json)
    check(where / "trace", numbers_in_text)
    check(recorded, numbers_in_script)


@long
def test_concurrent_tracers_see_all_calls():
    need_tracing()
    strace, perf = need("strace"), need("perf")
    where = folder()
    shell = Shell()
    pid = str(shell.process.pid)
    tools = [(*watch(where, "auto", "auto", pid), numbers_in_json),
             (*watch(where, "one-call", "auto", pid, "-e", "kill"), numbers_in_json),
             (*watch(where, "by-events", "perf", pid), numbers_in_json)]
    for name, argv in (("strace", [strace, "-e", "trace=kill"]),
                       ("perf", [perf, "trace", "-e", "kill"])):
        process = start(*argv, "-o", where / name, "-p", pid, stderr=subprocess.DEVNULL)
        tools.append((where / name, process, numbers_in_text))
    for path, _, numbers in tools:
        wait_until_it_tells(shell, path, numbers)
    work_and_end(shell, [process for _, process, _ in tools])
    for path, _, numbers in tools:
        check(path, numbers)


@long
def test_debugger_causes_no_missing_calls():
    need_tracing()
    gdb = need("gdb")
    where = folder()
    shell = Shell()
    pid = str(shell.process.pid)
    tools = [watch(where, "auto", "auto", pid), watch(where, "by-events", "perf", pid),
             watch(where, "one-call", "auto", pid, "-e", "kill")]
    for path, _ in tools:
        wait_until_it_tells(shell, path, numbers_in_json)
    said = where / "gdb"
    with open(said, "wb") as out:
        debugger = start(gdb, "-q", "-nx", "-batch", "-p", pid, "-ex", "catch syscall kill",
                         "-ex", "continue", "-ex", "continue", "-ex", "detach",
                         stdout=out, stderr=subprocess.DEVNULL)
    wait_until(lambda: "Catchpoint 1 (" in said.read_text(errors="replace"), limit=30,
               what="gdb at its catchpoint")
    work_and_end(shell, [debugger, *(process for _, process in tools)])
    assert "call to syscall kill" in said.read_text(errors="replace")
    for path, _ in tools:
        check(path, numbers_in_json)
