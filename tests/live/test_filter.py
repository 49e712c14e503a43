"""Filters pass exactly the matching calls."""

import time

import harness
from harness import (folder, long, long_by_perf, need_tracing, of_type, program, skip, stxtop,
                     watch_json)


def names(objects):
    return {c["name"] for c in of_type(objects, "call")}


@long_by_perf
def test_syscall_sets_select_calls():
    need_tracing()
    mix = (program("mix"), "2", "3", "50")
    objects, _ = watch_json("-e", "getppid,close", "--", *mix)
    assert names(objects) == {"getppid", "close"}
    objects, _ = watch_json("-e", "!getppid,close,read", "--", *mix)
    assert {"getppid", "close", "read"}.isdisjoint(names(objects))
    assert {"openat", "wait4"} <= names(objects)
    objects, _ = watch_json("-e", "%process", "--", *mix)
    assert "wait4" in names(objects) and "openat" not in names(objects)
    objects, _ = watch_json("-e", "/^getp", "--", *mix)
    assert "getppid" in names(objects)
    assert all(n.startswith("getp") for n in names(objects))


def test_counts_under_a_filter_are_exact():
    need_tracing()
    objects, _ = watch_json("-s", "-e", "getppid", "--", program("mix"), "8", "20", "500")
    assert objects[-1]["calls"] == 4000, objects[-1]["calls"]
    assert objects[-1]["lost"] == 0


def test_duration_and_failure_options_select_calls():
    need_tracing()
    objects, _ = watch_json("-d", "15", "--", program("sleeps"))
    calls = of_type(objects, "call")
    done = [c for c in calls if c["state"] == "done"]
    assert {"nanosleep", "poll"} <= {c["name"] for c in done}
    assert all(c["dur"] >= 15e6 for c in done)
    objects, _ = watch_json("-Z", "--", program("mix"), "1", "0", "20")
    done = [c for c in of_type(objects, "call") if c["state"] == "done"]
    assert len([c for c in done if c["name"] == "newfstatat"]) >= 20
    assert all(c["errno"] for c in done)


def test_expression_selects_calls():
    need_tracing()
    objects, _ = watch_json("-F", "syscall == newfstatat && failed or getuid", "--",
                            program("mix"), "2", "7", "10")
    done = [c for c in of_type(objects, "call") if c["state"] == "done"]
    assert {c["name"] for c in done} == {"newfstatat", "getuid"}
    assert len([c for c in done if c["name"] == "getuid"]) == 7


def test_text_line_equals_strace():
    need_tracing()
    path = folder() / "out"
    assert stxtop("-b", "-w", path, "-e", "close", "--", program("migrate"), "3").status == 0
    lines = path.read_text().splitlines()
    assert any("migrate/" in line and
               line.endswith("close(100000) = -1 EBADF (Bad file descriptor)")
               for line in lines), lines[:5]


@long
def test_stacks_are_named_before_they_are_filtered():
    """Exactly the calls with this frame match, however late its name is resolved."""
    need_tracing()
    program_ = (program("contention"), "1")
    objects, _ = watch_json("-F", "futex and stack ~ '^wait_for_lock$'", "--", *program_)
    calls = of_type(objects, "call")
    assert len(calls) >= 10, len(calls)
    for call in calls:
        frames = [frame["sym"] for frame in call["stack"]]
        assert call["name"] == "futex" and "wait_for_lock" in frames, frames
    # The totals include all these calls, although most names were resolved after the calls ended.
    assert objects[-1]["calls"] == len(calls), objects[-1]["calls"]
    objects, _ = watch_json("-F", "futex and blocked > 1ms and stack !~ 'wait_for_lock'", "--",
                            *program_)
    for call in of_type(objects, "call"):
        assert "wait_for_lock" not in [frame["sym"] for frame in call["stack"]], call


@long
def test_filter_on_wakers_and_waits_selects_lines():
    """The filter needs waits and wakers, although the lines show neither."""
    need_tracing()
    path = folder() / "out"
    result = stxtop("-b", "-w", path, "-F", "futex and blocked > 5ms and waker ~ .", "--",
                    program("contention"), "1")
    assert result.status == 0
    lines = [line for line in path.read_text().splitlines() if "futex(" in line]
    assert len(lines) >= 10, lines


def test_argument_terms_select_calls():
    need_tracing()
    objects, _ = watch_json("-F", "args.flags & O_CREAT or args.filename ~ 'null$'", "--",
                            "sh", "-c", "cat /dev/null; : > /dev/zero")
    names_ = names(objects)
    assert "openat" in names_ and names_ <= {"openat", "open", "newfstatat", "access",
                                             "faccessat2", "execve"}, names_
    objects, _ = watch_json("-F", "args.sig == SIGUSR1", "--", "sh", "-c",
                            "trap : USR1; kill -USR1 $$")
    assert {"kill", "rt_sigaction"} >= names(objects) and "kill" in names(objects), names(objects)


def test_slow_patterns_are_abandoned():
    need_tracing()
    if harness.source == "perf" or not harness.has_bpf():
        skip("pointer arguments need BPF programs")
    began = time.monotonic()
    result = stxtop("-s", "-F", "args.filename ~ '^(a+)+$'", "--", "cat", "a" * 200 + "!")
    assert "took too long on" in result.err, result.err
    assert time.monotonic() - began < 30
