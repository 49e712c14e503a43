"""Several tools watch one process at once, and each sees all that it does."""

import json
import re
import signal
import subprocess

from harness import STXTOP, folder, need, need_tracing, of_type, start, wait_until
from test_sources import FIRST_MARK, Shell

CALLS = 500
# Beyond the marks that show that a tool is ready.
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


def watch(where, name, source, pid):
    path = where / name
    return path, start(STXTOP, "--source", source, "--json", "-w", path, "-p", pid,
                       stderr=subprocess.DEVNULL)


def wait_until_it_tells(shell, path, numbers):
    """Marks are made until one is there: what is written may wait for more of it."""
    def tells():
        shell.make_mark()
        return path.exists() and any(n >= FIRST_MARK for n in numbers(path))
    wait_until(tells, limit=30, what=f"{path.name} to tell of a mark")


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


def test_all_tools_see_all():
    need_tracing()
    strace, perf = need("strace"), need("perf")
    where = folder()
    shell = Shell()
    pid = str(shell.process.pid)
    tools = [(*watch(where, "auto", "auto", pid), numbers_in_json),
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


def test_a_debugger_stops_it_and_nothing_is_missed():
    need_tracing()
    gdb = need("gdb")
    where = folder()
    shell = Shell()
    pid = str(shell.process.pid)
    tools = [watch(where, "auto", "auto", pid), watch(where, "by-events", "perf", pid)]
    for path, _ in tools:
        wait_until_it_tells(shell, path, numbers_in_json)
    said = where / "gdb"
    with open(said, "wb") as out:
        debugger = start(gdb, "-q", "-nx", "-batch", "-p", pid, "-ex", "catch syscall kill",
                         "-ex", "continue", "-ex", "continue", "-ex", "detach",
                         stdout=out, stderr=subprocess.DEVNULL)
    wait_until(lambda: "Catchpoint 1 (" in said.read_text(errors="replace"), limit=30,
               what="gdb to catch kill")
    work_and_end(shell, [debugger, *(process for _, process in tools)])
    assert "call to syscall kill" in said.read_text(errors="replace")
    for path, _ in tools:
        check(path, numbers_in_json)
