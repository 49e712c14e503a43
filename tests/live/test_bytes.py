"""Pointer arguments without BPF programs: exact for constants, late reads for other memory."""

import json
import re
import shutil
import signal
import subprocess

from harness import (LIMIT_S, STXTOP, end, folder, long, need_tracing, of_type, program, run, start,
                     wait_until)


def pointed(*arguments):
    """Return the running program; it ends when its standard input is closed."""
    process = start(program("pointed"), *arguments, stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE)
    assert process.stdout.readline(), "the program did not start"
    return process


def watch(process, *options):
    path = folder() / "out"
    result = run(STXTOP, "--source", "perf", "-p", str(process.pid), "-w", path, *options)
    assert result.status == 0, result.err
    return path.read_text().splitlines()


def watch_until(text, process, *options):
    """Watch until the text is in a line. A mapped file is read in the background, so the first
    lines can lack its constants."""
    path = folder() / "out"
    watcher = start(STXTOP, "--source", "perf", "-p", process.pid, "-w", path, *options)
    wait_until(lambda: path.exists() and text in path.read_text(), what=text)
    watcher.send_signal(signal.SIGINT)
    assert watcher.wait(LIMIT_S) == 0
    return path.read_text().splitlines()


def watch_last_call(*options):
    """Watch a thread that makes its last call meanwhile; return the lines of its calls."""
    process = pointed("busy")
    path = folder() / "out"
    watcher = start(STXTOP, "--source", "perf", "-p", process.pid, "-b", "-w", path, *options)

    def shows(name):
        return path.exists() and f"{name}(" in path.read_text()

    wait_until(lambda: shows("poll"), what="the calls before")
    process.stdin.write(b"\n")
    process.stdin.flush()
    wait_until(lambda: shows("access"), what="the last call")
    watcher.send_signal(signal.SIGINT)
    assert watcher.wait(LIMIT_S) == 0
    end(process)
    return [line for line in path.read_text().splitlines() if "access(" in line]


def paths(lines):
    """Return [(text, origin)] of the paths of all access() calls."""
    calls = of_type([json.loads(line) for line in lines], "call")
    # A call entered before the start has no arguments.
    return [(c["args"][0]["text"], c["args"][0]["from"]) for c in calls
            if c["name"] == "access" and c["args"]]


def test_constants_are_exact_and_memory_is_not_read_after_the_call():
    need_tracing()
    process = pointed()
    found = paths(watch_until("/nowhere/constant", process, "--json", "-e", "access"))
    end(process)
    assert ('"/nowhere/constant"', "image") in found, found[:6]
    # The record of a preempted call has a copy of the stack, so a path there is exact, too.
    exact = {('"/nowhere/constant"', "image"), ('"/nowhere/stack"', "stack")}
    for text, origin in found:
        # In other calls, the thread has continued, so neither stack nor heap was read.
        assert (text, origin) in exact or (
            text.startswith("0x") and origin == "register"), (text, origin)


def test_lines_have_constants_and_bare_pointers():
    need_tracing()
    process = pointed()
    lines = watch_until('access("/nowhere/constant", F_OK)', process, "-b", "-e", "access")
    end(process)
    # The first call may have been entered before the start.
    assert not any("access(?)" in line for line in lines[1:]), lines[-6:]
    for line in lines[1:]:
        assert re.search(r'access\("/nowhere/(constant|stack)"|access\(0x', line), line


@long
def test_the_last_call_of_a_thread_is_read_and_marked():
    """The thread makes no later call, but its memory may have changed nevertheless."""
    need_tracing()

    def is_read():
        found = watch_last_call()
        # A line waits for the late read for a few milliseconds, then shows the pointer.
        assert len(found) == 1 and ('access(~"/nowhere/stack", F_OK)' in found[0] or
                                    "access(0x" in found[0]), found
        return "access(~" in found[0]

    wait_until(is_read, what="a last call that is read in time")


@long
def test_filtered_calls_have_no_late_reads():
    need_tracing()
    found = watch_last_call("-F", "syscall in {access, poll}")
    assert len(found) == 1 and "access(0x" in found[0], found


def test_memory_of_an_ended_process_is_not_read():
    """The pid of the process may have been reused, so pointers are shown as numbers."""
    need_tracing()
    path = folder() / "out"
    result = run(STXTOP, "--source", "perf", "--json", "-e", "execve", "-w", path, "--",
                 "sh", "-c", "true")
    assert result.status == 0, result.err
    calls = of_type([json.loads(line) for line in path.read_text().splitlines()], "call")
    assert calls, "no execve() was reported"
    for call in calls:
        # After a successful execve the old memory is no longer mapped.
        assert call["ret"] != 0 or call["args"][0]["text"].startswith("0x"), call["args"]


def test_constant_of_a_changed_file_is_unknown():
    """The file was written after the call: its present contents prove nothing."""
    need_tracing()
    place = folder()
    copy = place / "pointed"
    shutil.copy(program("pointed"), copy)
    process = start(copy, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline(), "the program did not start"
    toucher = start("python3", "-c", "import os, sys\nwhile True: os.chmod(sys.argv[1], 0o755)",
                    copy)

    def unknown():
        found = paths(watch(process, "--json", "-e", "access", "-n", "30", "--for", "20"))
        return ('"/nowhere/constant"', "image") not in found

    wait_until(unknown, limit=30, what="an unknown constant of a changed file")
    end(toucher)
    end(process)


def test_a_call_in_flight_is_read_while_it_waits():
    need_tracing()
    process = pointed("once")
    lines = []

    def waits():
        lines[:] = watch(process, "-b", "--for", "0.3")
        return any("poll(~[{fd=0" in line and "<in flight>" in line for line in lines)

    wait_until(waits, what="poll() in flight")
    end(process)


def test_data_in_a_sampled_stack_is_exact():
    """poll() waits, so its stack is sampled: the array is in it."""
    need_tracing()
    process = pointed()
    lines = watch_until('"from":"stack"', process, "--json", "-g", "dwarf", "-e", "poll")
    end(process)
    calls = of_type([json.loads(line) for line in lines], "call")
    polls = [(c["args"][0]["text"], c["args"][0]["from"]) for c in calls
             if c["name"] == "poll" and c["args"]]
    assert ("[{fd=0, events=POLLIN}]", "stack") in polls, polls[:5]
    for text, origin in polls:
        assert text == "[{fd=0, events=POLLIN}]" or text.startswith("0x"), (text, origin)
