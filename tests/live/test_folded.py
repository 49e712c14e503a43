"""Folded stacks: readable by flamegraph.pl, and complete."""

import json
import re
import subprocess

import json_contract
from harness import (folder, need_tracing, of_type, program, start, state_of, stxtop, wait_until,
                     watch_json)

LINE = re.compile(r"(.*) (\d+)") # as flamegraph.pl parses a line


def folded(path):
    """Return [(frames, ns)] of the file; every line must be a stack."""
    with open(path) as lines:
        taken = [LINE.fullmatch(line.rstrip("\n")) for line in lines]
    assert taken and all(taken), taken
    return [(line[1].split(";"), int(line[2])) for line in taken]


def test_sum_of_stacks_is_the_blocked_time():
    need_tracing()
    path = folder() / "folded"
    objects, _ = watch_json("--folded", path, "--", program("lock_holder"), "10", "10")
    calls = of_type(objects, "call")
    stacks = folded(path)
    for comm in {c["comm"] for c in calls}:
        blocked = sum(c["blocked"] for c in calls if c["comm"] == comm)
        assert sum(ns for frames, ns in stacks if frames[0] == comm) == blocked, comm
    assert {frames[0] for frames, _ in stacks} == {c["comm"] for c in calls if c["blocked"]}


def test_frames_are_those_of_the_calls():
    """Compares frames of a thread that waits for a lock. With -i, output waits for symbols."""
    need_tracing()
    where = folder()
    result = stxtop("-s", "-g", "fp", "-w", "/dev/null", "-o", where / "data", "--",
                    program("lock_holder"), "10", "10")
    assert result.status == 0, result.err
    objects, _ = watch_json("-i", where / "data", "--folded", where / "folded")
    from_calls, from_file = {}, {}
    for call in of_type(objects, "call"):
        if call["comm"] != "waiter" or not call["blocked"] or not call["stack"]:
            continue
        assert call["tid"] == int(result.out.split()[2]), call
        frames = tuple((f["sym"] or f["ip"]) + ("_[k]" if f["kind"] == "kernel" else "")
                       for f in reversed(call["stack"])
                       if f not in json_contract.scheduler_frames(call["stack"]))
        from_calls[frames] = from_calls.get(frames, 0) + call["blocked"]
    for frames, ns in folded(where / "folded"):
        if frames[0] == "waiter" and len(frames) > 1:
            from_file[tuple(frames[1:])] = from_file.get(tuple(frames[1:]), 0) + ns
    assert from_calls and from_calls == from_file, (from_calls, from_file)
    for frames in from_file:
        assert frames[-1].endswith("_[k]") and not frames[0].endswith("_[k]"), frames
    assert any("__GI___lll_lock_wait" in frames or "pthread_mutex_lock" in frames or
               "___pthread_mutex_lock" in frames for frames in from_file), from_file


HOSTILE = """
import ctypes, threading, time
name = b"a;b 7\\n\\x1b[31m"
def sleep():
    ctypes.CDLL(None).prctl(15, name, 0, 0, 0)
    time.sleep(0.05)
thread = threading.Thread(target=sleep)
thread.start()
thread.join()
"""


def test_names_cannot_break_lines():
    need_tracing()
    path = folder() / "folded"
    objects, _ = watch_json("--folded", path, "--", "python3", "-c", HOSTILE)
    sleeps = [c for c in of_type(objects, "call") if c["name"] == "clock_nanosleep" and
              c["comm"].startswith("a;b 7")]
    assert len(sleeps) == 1, sleeps
    mine = [(frames, ns) for frames, ns in folded(path) if frames[0].startswith("a:b 7")]
    assert sum(ns for _, ns in mine) >= sleeps[0]["blocked"], mine
    assert all(c.isprintable() for frames, _ in mine for c in frames[0]), mine


def cut_and_whole(calls):
    """Return the cut and the whole stacks of the waiting calls. A whole stack has main()."""
    stacks = [c["stack"] for c in calls if c["name"] in ("nanosleep", "clock_nanosleep", "read") and
              any(f["sym"] == "nest" for f in c["stack"])]
    cut = [s for s in stacks if any("cut" in f for f in s)]
    whole = [s for s in stacks if s not in cut]
    for stack in cut:
        assert "cut" in stack[-1] and stack[-1]["sym"] == "nest", stack[-1]
        assert "main" not in {f["sym"] for f in stack}
    assert all("main" in {f["sym"] for f in stack} for stack in whole), whole
    return cut, whole


def test_cut_stacks_say_so():
    """kernel.perf_event_max_stack (127) ends the stacks, kernel frames included."""
    need_tracing()
    where = folder()
    result = stxtop("-g", "fp", "--json", "-w", where / "live", "-o", where / "data", "--folded",
                    where / "folded", "--", program("nested"), "20", "200", "400")
    assert result.status == 0, result.err
    live = of_type([json.loads(line) for line in (where / "live").read_text().splitlines()],
                   "call")
    replayed = of_type(watch_json("-i", where / "data")[0], "call")
    for calls in live, replayed:
        cut, whole = cut_and_whole(calls)
        assert (len(cut), len(whole)) == (2, 1), (len(cut), len(whole))
    stacks = [frames for frames, _ in folded(where / "folded") if "nest" in frames]
    assert stacks and all(("main" in frames) == (frames[1] != "[cut]") for frames in stacks), stacks
    assert any(frames[1] == "[cut]" for frames in stacks), stacks
    lines = stxtop("-i", where / "data", "-b", "-g", "fp").out.splitlines()
    assert sum(line.startswith(" > [cut] (") for line in lines) == 2
    # Functions in the missing part of a cut stack are unknown: neither == nor != matches.
    for test, count in (("stack == main", 1), ("stack != main", 0), ("stack == nest", 3),
                        ("not stack == main", 2)):
        result = stxtop("-i", where / "data", "-b", "-g", "fp", "-F",
                        f"{test} && stack == nest && blocked > 30ms")
        assert sum("nanosleep(" in line for line in result.out.splitlines()) == count, test
        assert ("cut stacks" in result.err) == (count != 3), result.err


def test_stack_of_a_call_in_flight_is_cut():
    """-g fp has only the innermost user frame of a call that began earlier."""
    need_tracing()
    nested = start(program("nested"), "0", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                   text=True)
    assert nested.stdout.readline() == "ready\n"
    wait_until(lambda: state_of(nested.pid) == "S", what="the read")
    for stacks in "fp", "dwarf":
        calls = of_type(watch_json("-g", stacks, "-p", f"{nested.pid}", "--for", "0.3")[0], "call")
        call, = [c for c in calls if c["name"] == "read"]
        assert ("cut" in call["stack"][-1]) != ("main" in {f["sym"] for f in call["stack"]}), call
    nested.stdin.close()
