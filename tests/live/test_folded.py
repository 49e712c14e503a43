"""Folded stacks: readable by flamegraph.pl, and complete."""

import re

import json_contract
from harness import folder, need_tracing, of_type, program, stxtop, watch_json

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
