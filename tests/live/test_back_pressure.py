"""Batch with a filter: whatever it leaves out holds nobody up, and every wait ends when it must."""

import json
import json
import os
import signal
import subprocess

import harness
from harness import (STXTOP, folder, has_bpf, long, long_by_perf, need_tracing, of_type, program,
                     run, skip, start, wait_until)

# What they point to is several times what there is room for.
CALLS = 20000
OPENS = CALLS // 1000
ROOM = ("--history", "1M", "-g", "off")


def check(*arguments, opens=0, command=(program("short_waits"), str(CALLS))):
    """Runs it to its end; so many calls that failed were let through, and no others."""
    need_tracing()
    out = folder() / "out"
    result = run(STXTOP, *ROOM, "--json", "-w", out, *arguments, *command)
    assert result.status == 0, f"{arguments}: exit status {result.status}: {result.err}"
    calls = of_type([json.loads(line) for line in out.read_text().splitlines()], "call")
    # The loader fails once, too.
    calls = [c for c in calls if c["name"] != "access"]
    assert all(c["name"] == "openat" and c["errno"] == "ENOENT" for c in calls), calls
    assert len(calls) == opens, f"{arguments}: {len(calls)} of {opens} opens"
    return calls


@long
def test_a_filter_that_never_matches():
    check("-F", 'path ~ "shadow"')


@long
def test_a_filter_that_never_matches_text():
    need_tracing()
    result = run(STXTOP, *ROOM, "-b", "-F", 'path ~ "shadow"', program("short_waits"), CALLS)
    assert (result.status, result.out, result.err) == (0, "", ""), result.err


@long
def test_a_filter_that_never_matches_stacks():
    need_tracing()
    path = folder() / "folded"
    result = run(STXTOP, "--history", "1M", "-b", "--folded", path, "-F", 'path ~ "shadow"',
                 program("short_waits"), CALLS)
    assert result.status == 0, result.err
    assert path.read_text() == "" and result.out == "", (path.read_text(), result.out)


@long
def test_failed_calls_alone():
    check("-Z", opens=OPENS)


@long
def test_a_filter_that_seldom_matches():
    """What pointers say is known where the kernel copies it."""
    if harness.source == "perf" or not has_bpf():
        skip("paths of calls that are over are not known")
    calls = check("-F", 'path ~ "nowhere"', opens=OPENS)
    paths = [call["args"][1]["text"] for call in calls]
    assert paths == [f'"/nowhere/{number}"' for number in range(1, OPENS + 1)], paths


@long
def test_a_recording():
    need_tracing()
    path = folder() / "recording"
    result = run(STXTOP, "-s", "-g", "off", "-o", path, program("short_waits"), CALLS)
    assert result.status == 0, result.err
    check("-i", path, "-F", 'path ~ "shadow"', command=())
    check("-i", path, "-Z", opens=OPENS, command=())


def watch_without_end(*arguments, **options):
    """stxtop and a program that goes on until it is stopped, seen at work for a while."""
    need_tracing()
    watched = start(program("short_waits"))
    process = start(STXTOP, *ROOM, "-p", watched.pid, *arguments, **options)
    return watched, process


def check_ends(signal_number, *arguments, **options):
    watched, process = watch_without_end(*arguments, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.PIPE, **options)
    wait_until(lambda: switches(watched.pid) > CALLS, what="enough waits")
    process.send_signal(signal_number)
    status = process.wait(60)
    assert status == 0, f"exit status {status}: {process.stderr.read()}"


def switches(pid):
    with open(f"/proc/{pid}/status") as file:
        for line in file:
            if line.startswith("voluntary_ctxt_switches"):
                return int(line.split()[1])
    return 0


@long
def test_interrupt():
    check_ends(signal.SIGINT, "-b", "-F", 'path ~ "shadow"')


@long_by_perf
def test_terminate():
    check_ends(signal.SIGTERM, "--json", "-Z", "-F", 'path ~ "shadow"')


def blocked_on_pipe(pid):
    with open(f"/proc/{pid}/syscall") as file:
        fields = file.read().split()
    return fields[0] == "7" and fields[3] in ("0xffffffff", "0xffffffffffffffff")


@long
def test_a_reader_that_takes_nothing():
    """Its lines are read by nobody: a signal ends it all the same."""
    reader, writer = os.pipe()
    _, process = watch_without_end("-b", stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    # The pipe is full: no more comes out, and it waits.
    wait_until(lambda: blocked_on_pipe(process.pid), what="a full pipe")
    process.send_signal(signal.SIGTERM)
    status, error = process.wait(60), process.stderr.read().decode()
    assert status == 1 and "its reader takes nothing" in error, (status, error)
    os.close(reader)
