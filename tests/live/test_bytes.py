"""What calls point to, without programs in the kernel: exact in constants, late elsewhere."""

import json
import re
import shutil
import signal
import subprocess

from harness import (LIMIT_S, STXTOP, end, folder, long, need_tracing, of_type, program, run, start,
                     wait_until)


def pointed(*arguments):
    """The program, when it runs, and the end of a pipe that keeps it running."""
    process = start(program("pointed"), *arguments, stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE)
    assert process.stdout.readline(), "it did not begin"
    return process


def watch(process, *options):
    path = folder() / "out"
    result = run(STXTOP, "--source", "perf", "-p", str(process.pid), "-w", path, *options)
    assert result.status == 0, result.err
    return path.read_text().splitlines()


def watch_until(text, process, *options):
    """As watch(), for as long as it takes until the text is in a line: a file that a process has
    mapped is read beside the calls, so it takes some time before its constants are known."""
    path = folder() / "out"
    watcher = start(STXTOP, "--source", "perf", "-p", process.pid, "-w", path, *options)
    wait_until(lambda: path.exists() and text in path.read_text(), what=text)
    watcher.send_signal(signal.SIGINT)
    assert watcher.wait(LIMIT_S) == 0
    return path.read_text().splitlines()


def watch_last_call(*options):
    """What is shown of a thread that makes its last call while it is watched."""
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
    """[(text, where it is from)] of the paths of all access()."""
    calls = of_type([json.loads(line) for line in lines], "call")
    # One that was entered before it was watched has no arguments.
    return [(c["args"][0]["text"], c["args"][0]["from"]) for c in calls
            if c["name"] == "access" and c["args"]]


def test_constants_are_exact_and_memory_is_not_read_after_the_call():
    need_tracing()
    process = pointed()
    found = paths(watch_until("/nowhere/constant", process, "--json", "-e", "access"))
    end(process)
    assert ('"/nowhere/constant"', "image") in found, found[:6]
    # A call that was preempted has a copy of its stack, so what lies there is exact too.
    exact = {('"/nowhere/constant"', "image"), ('"/nowhere/stack"', "stack")}
    for text, origin in found:
        # Others on the stack and those on the heap: the thread has gone on.
        assert (text, origin) in exact or (
            text.startswith("0x") and origin == "register"), (text, origin)


def test_lines_have_constants_and_bare_pointers():
    need_tracing()
    process = pointed()
    lines = watch_until('access("/nowhere/constant", F_OK)', process, "-b", "-e", "access")
    end(process)
    # The first may have been entered before it was watched.
    assert not any("access(?)" in line for line in lines[1:]), lines[-6:]
    for line in lines[1:]:
        assert re.search(r'access\("/nowhere/(constant|stack)"|access\(0x', line), line


@long
def test_the_last_call_of_a_thread_is_read_and_marked():
    """It has made no call since: what it pointed to may have changed all the same."""
    need_tracing()

    def is_read():
        found = watch_last_call()
        # A line waits for its reading for some milliseconds only: then it has the pointer.
        assert len(found) == 1 and ('access(~"/nowhere/stack", F_OK)' in found[0] or
                                    "access(0x" in found[0]), found
        return "access(~" in found[0]

    wait_until(is_read, what="a last call that is read in time")


@long
def test_a_filter_hides_calls_and_so_nothing_is_read_after_one():
    need_tracing()
    found = watch_last_call("-F", "syscall in {access, poll}")
    assert len(found) == 1 and "access(0x" in found[0], found


def test_a_program_that_ended_is_not_asked():
    """Its number may be another's: pointers stay bare."""
    need_tracing()
    path = folder() / "out"
    result = run(STXTOP, "--source", "perf", "--json", "-e", "execve", "-w", path, "--",
                 "sh", "-c", "true")
    assert result.status == 0, result.err
    calls = of_type([json.loads(line) for line in path.read_text().splitlines()], "call")
    assert calls, "no execve"
    for call in calls:
        # An execve that succeeded: what it pointed to is no longer mapped.
        assert call["ret"] != 0 or call["args"][0]["text"].startswith("0x"), call["args"]


def test_a_constant_of_a_changed_file_is_not_known():
    """The file was written to since the call: what is there now says nothing of then."""
    need_tracing()
    place = folder()
    copy = place / "pointed"
    shutil.copy(program("pointed"), copy)
    process = start(copy, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline(), "it did not begin"
    toucher = start("python3", "-c", "import os, sys\nwhile True: os.chmod(sys.argv[1], 0o755)",
                    copy)

    def unknown():
        found = paths(watch(process, "--json", "-e", "access", "-n", "30", "--for", "20"))
        return ('"/nowhere/constant"', "image") not in found

    wait_until(unknown, limit=30, what="a constant of a file that was changed")
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


def test_what_is_in_a_sampled_stack_is_exact():
    """poll() waits, and so its stack is taken: its array is in there."""
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
