"""Batch mode with a filter: dropped calls never block the run, and every wait ends."""

import json
import os
import signal
import subprocess

import harness
from harness import (STXTOP, folder, has_bpf, long, long_by_perf, need_tracing, of_type, program,
                     run, skip, start, wait_until)

# Number of calls. Their data is several times as large as the history.
CALLS = 20000
OPENS = CALLS // 1000
ROOM = ("--history", "1M", "-g", "off")


def check(*arguments, opens=0, command=(program("short_waits"), str(CALLS))):
    """Run stxtop to its end; assert that its output is exactly `opens` failed calls of openat()."""
    need_tracing()
    out = folder() / "out"
    result = run(STXTOP, *ROOM, "--json", "-w", out, *arguments, *command)
    assert result.status == 0, f"{arguments}: exit status {result.status}: {result.err}"
    calls = of_type([json.loads(line) for line in out.read_text().splitlines()], "call")
    # The loader makes one failing call as well.
    calls = [c for c in calls if c["name"] != "access"]
    assert all(c["name"] == "openat" and c["errno"] == "ENOENT" for c in calls), calls
    assert len(calls) == opens, f"{arguments}: {len(calls)} of {opens} opens"
    return calls


@long
def test_json_run_without_matches_ends():
    check("-F", 'path ~ "shadow"')


@long
def test_text_run_without_matches_is_empty():
    need_tracing()
    result = run(STXTOP, *ROOM, "-b", "-F", 'path ~ "shadow"', program("short_waits"), CALLS)
    assert (result.status, result.out, result.err) == (0, "", ""), result.err


@long
def test_folded_stacks_without_matches_are_empty():
    need_tracing()
    path = folder() / "folded"
    result = run(STXTOP, "--history", "1M", "-b", "--folded", path, "-F", 'path ~ "shadow"',
                 program("short_waits"), CALLS)
    assert result.status == 0, result.err
    assert path.read_text() == "" and result.out == "", (path.read_text(), result.out)


@long
def test_only_failed_calls_are_written():
    check("-Z", opens=OPENS)


@long
def test_rare_matches_are_all_written():
    """The filter needs paths, which only BPF programs copy for calls this short."""
    if harness.source == "perf" or not has_bpf():
        skip("paths of finished calls are unknown")
    calls = check("-F", 'path ~ "nowhere"', opens=OPENS)
    paths = [call["args"][1]["text"] for call in calls]
    assert paths == [f'"/nowhere/{number}"' for number in range(1, OPENS + 1)], paths


@long
def test_filtered_recording_is_read_to_its_end():
    need_tracing()
    path = folder() / "recording"
    result = run(STXTOP, "-s", "-g", "off", "-o", path, program("short_waits"), CALLS)
    assert result.status == 0, result.err
    check("-i", path, "-F", 'path ~ "shadow"', command=())
    check("-i", path, "-Z", opens=OPENS, command=())


def watch_without_end(*arguments, **options):
    """Start an endless program and stxtop on it."""
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
def test_sigint_ends_a_filtered_run():
    check_ends(signal.SIGINT, "-b", "-F", 'path ~ "shadow"')


@long_by_perf
def test_sigterm_ends_a_filtered_run():
    check_ends(signal.SIGTERM, "--json", "-Z", "-F", 'path ~ "shadow"')


def blocked_on_pipe(pid):
    with open(f"/proc/{pid}/syscall") as file:
        fields = file.read().split()
    return fields[0] == "7" and fields[3] in ("0xffffffff", "0xffffffffffffffff")


@long
def test_sigterm_ends_a_run_with_a_full_pipe():
    """stxtop blocks on a pipe that is not read; a signal ends it."""
    reader, writer = os.pipe()
    _, process = watch_without_end("-b", stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    # The pipe is full, so stxtop waits.
    wait_until(lambda: blocked_on_pipe(process.pid), what="a full pipe")
    process.send_signal(signal.SIGTERM)
    status, error = process.wait(60), process.stderr.read().decode()
    assert status == 1 and "the reader does not read" in error, (status, error)
    os.close(reader)
