"""User stacks unwound from registers and stack bytes, beside perf script on the same samples."""

import collections
import json
import os

from harness import folder, need, need_tracing, program, run, skip, stxtop

PAGE = 0xfff  # perf prints addresses of files, stxtop of memory: the same within a page


def record():
    """A recording of deep_waits whose switches have registers and stack bytes."""
    need("perf")
    need_tracing()
    path = os.path.join(folder(), "deep.data")
    result = run("perf", "record", "-q", "-o", path, "-e", "sched:sched_switch",
                 "-e", "raw_syscalls:sys_enter", "-e", "raw_syscalls:sys_exit",
                 "--call-graph", "dwarf,4096", program("deep_waits"))
    if not os.path.exists(path):
        skip(f"perf record does not work here: {result.err[:80]}")
    return path


def stacks_of_perf(path):
    """How often each user stack of a switch is there; innermost first."""
    stacks, stack = collections.Counter(), None
    text = run("perf", "script", "-i", path, "--no-inline", "-F", "comm,tid,event,ip,sym,dso").out
    for line in text.splitlines() + [""]:
        if line and not line[0].isspace():
            stack = [] if "sched_switch" in line else None
        elif line.strip() and stack is not None:
            fields = line.split()
            # The trampoline below a handler is no caller, but perf takes one off it too.
            if not fields[0].startswith("ffffffff"):
                stack.append(int(fields[0], 16) & PAGE)
        elif not line.strip():
            if stack is not None:
                stacks[tuple(stack)] += 1
            stack = None
    return stacks


def own_stacks(path):
    """The same of stxtop: [(addresses, names)] for each call that waited."""
    stacks = []
    result = stxtop("-i", path, "-b", "--json")
    for line in result.out.splitlines():
        call = json.loads(line)
        if call["type"] != "call" or not call["stack"]:
            continue
        frames = [f for f in call["stack"] if f["kind"] == "user" and not f["inlined"]]
        stacks.append((tuple((int(f["ip"], 16) - (i > 0)) & PAGE for i, f in enumerate(frames)),
                       tuple(f["sym"] for f in frames)))
    return stacks


def test_stacks_equal_those_of_perf_script():
    path = record()
    perf, own = stacks_of_perf(path), own_stacks(path)
    plain = collections.Counter(ips for ips, names in own if "on_signal" not in names)
    assert sum(plain.values()) > 100, plain
    for ips, count in plain.items():
        assert perf[ips] >= count, ([hex(ip) for ip in ips], count, perf[ips])
    # In a handler all is the same but the trampoline and where the signal came: nothing was
    # called there, but perf takes a byte off both as if something were.
    handled = {ips for ips, names in own if "on_signal" in names}
    assert handled
    for ips in handled:
        assert any(len(other) == len(ips) and
                   sum(a - b for a, b in zip(ips, other) if a != b) == 2 for other in perf), ips


def test_every_depth_reaches_the_start():
    names = {names for _, names in own_stacks(record())}
    for depth in range(1, 8):
        assert any(n.count("go_down") == depth and n[-1] == "_start" for n in names), depth
    for function in ("by_waiting", "on_signal"):
        assert any(function in n and "main" in n for n in names), function
