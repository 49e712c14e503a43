"""A recording has everything that was shown, including facts from /proc and memory."""

import os
import signal
import subprocess
import sys

import likeness
from harness import (STXTOP, end, folder, long, long_by_perf, need, need_tracing, of_type, program,
                     run, skip, start, stxtop, wait_until)
from test_futex import blocked_cycle, cycle_of

# Uses descriptors of all kinds that were opened before the start.
OPEN_BEFORE = """
import os, socket, sys, time
file = open("/etc/hostname")
pair = socket.socketpair()
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
client = socket.create_connection(listener.getsockname())
server, _ = listener.accept()
reader, writer = os.pipe()
print(listener.getsockname()[1], flush=True)
while True:
    os.lseek(file.fileno(), 0, 0)
    os.read(file.fileno(), 10)
    pair[0].send(b"x")
    pair[1].recv(10)
    client.send(b"hello")
    server.recv(10)
    os.write(writer, b"a")
    os.read(reader, 1)
    with open("/etc/passwd") as other:
        other.read(5)
    os.stat("/etc/group")
    if not os.fork():
        os.read(file.fileno(), 1)
        os._exit(0)
    os.wait()
    time.sleep(0.02)
"""

# Runs many programs, some of which fail.
STORM = "for i in 1 2 3 4 5 6 7 8 9 10; do cat /etc/hostname & ls /none & done; wait; true"

def opened_before():
    process = start(sys.executable, "-c", OPEN_BEFORE, stdout=subprocess.PIPE, text=True)
    return process, int(process.stdout.readline())


@long_by_perf
def test_descriptors_from_before_the_start_are_named():
    need_tracing()
    process, port = opened_before()
    live, again = likeness.both(folder(), "-p", str(process.pid), "--for", "1")
    end(process)
    likeness.check(live, again)
    texts = {arg["text"] for call in of_type(again, "call") for arg in call["args"]}
    assert any(text.endswith("</etc/hostname>") for text in texts), texts
    assert any(f"127.0.0.1:{port}]>" in text for text in texts), texts
    assert any("<pipe:[" in text for text in texts), texts
    # In the recording, the descriptor has its name even in the first call (with a known comm).
    first = next(call for call in of_type(again, "call") if call["name"] == "lseek" and
                 call["comm"])
    assert first["args"][0]["text"].endswith("</etc/hostname>"), first


@long
def test_a_filter_finds_paths_that_were_open_before():
    need_tracing()
    process, _ = opened_before()
    where = folder()
    result = stxtop("-s", "-p", str(process.pid), "--for", "1", "-o", where / "a.data")
    end(process)
    assert result.status == 0, result.err
    found = likeness.objects(stxtop("-i", where / "a.data", "-S", "--json", "-F",
                                    'path == "/etc/hostname" && syscall == read').out)
    assert len(of_type(found, "call")) > 10, found[-1]


@long
def test_rotated_files_begin_with_known_descriptors():
    """Each file of a rotation begins with all observations so far."""
    need_tracing()
    process, _ = opened_before()
    where = folder()
    recorder = start(STXTOP, "-s", "-p", str(process.pid), "-o", where / "r.data",
                     "--rotate", "1s,3", stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: len(os.listdir(where)) >= 4, limit=30, what="the fourth file")
        recorder.send_signal(signal.SIGINT)
        recorder.wait()
    finally:
        end(process)
    for name in os.listdir(where):
        calls = of_type(likeness.objects(stxtop("-i", where / name, "-b", "--json",
                                                "-y").out), "call")
        unnamed = [call for call in calls if call["name"] in ("lseek", "sendto") and
                   "<" not in call["args"][0]["text"]]
        # Descriptors in calls before the first read of /proc have no names.
        assert len(calls) < 30 or len(unnamed) * 2 < len(calls), (name, unnamed[:3])
        assert len(calls) < 30 or any("</etc/hostname>" in call["args"][0]["text"]
                                      for call in calls if call["args"]), name


@long_by_perf
def test_recording_of_many_programs_equals_live_output():
    need_tracing()
    live, again = likeness.both(folder(), command=("sh", "-c", STORM))
    likeness.check(live, again)


def check_program(name, *options):
    need_tracing()
    live, again = likeness.both(folder(), *options, "--for", "3", command=(program(name),))
    likeness.check(live, again)


def test_recording_of_descriptor_kinds_equals_live_output():
    check_program("descriptor_kinds")


def test_recording_of_shared_futexes_equals_live_output():
    check_program("shared_futex")


@long_by_perf
def test_recording_of_unwound_stacks_equals_live_output():
    check_program("mix", "-g", "dwarf")


def test_recording_of_late_reads_equals_live_output():
    """Without BPF programs, strings come from late reads."""
    need_tracing()
    live, again = likeness.both(folder(), "--source", "perf", command=("sh", "-c", STORM))
    likeness.check(live, again)
    late = [arg for call in of_type(again, "call") for arg in call["args"]
            if arg["from"] in ("late", "image")]
    # How many late reads succeed depends on the machine; all were compared above.
    assert late


def check_deadlock(name, threads, *arguments):
    need_tracing()
    process, cycle = blocked_cycle(name, threads, *arguments)
    pids = [str(process.pid)] if name != "abba_processes" else [str(tid) for _, tid, _, _ in cycle]
    live, again = likeness.both(folder(), "-p", ",".join(pids), "--for", "1")
    end(process)
    likeness.check(live, again)
    assert [cycle_of(found) for found in of_type(again, "deadlock")] == [cycle], again


@long
def test_a_deadlock_is_in_the_recording():
    check_deadlock("abba", 2)


@long
def test_a_deadlock_of_processes_is_in_the_recording():
    check_deadlock("abba_processes", 2)


def same_output(one, other, *options):
    results = [stxtop("-i", path, *options) for path in (one, other)]
    assert all(result.status == 0 for result in results), results
    assert results[0].out == results[1].out, options


def check_round_trip(path, *options):
    """A recording that is read, written and read again gives the same output."""
    copy = path.parent / "copy.data"
    result = stxtop("-i", path, "-s", "-o", copy, *options)
    assert result.status == 0, result.err
    for shown in (("-S", "--json", "-y"), ("-s",), ("-b",)):
        same_output(path, copy, *shown)
    folded = []
    for name in (path, copy):
        out = path.parent / "folded"
        assert stxtop("-i", name, "-s", "--folded", out).status == 0
        folded.append(out.read_text())
    assert folded[0] == folded[1]


@long
def test_a_round_trip_changes_nothing():
    need_tracing()
    where = folder()
    likeness.both(where, "-E", "sched:sched_process_exec", command=("sh", "-c", STORM))
    check_round_trip(where / "a.data")


@long
def test_a_round_trip_of_observations_changes_nothing():
    need_tracing()
    where = folder()
    process, _ = blocked_cycle("abba", 2)
    likeness.both(where, "-p", str(process.pid), "--for", "1")
    end(process)
    check_round_trip(where / "a.data", "-z", "3")


@long
def test_a_round_trip_of_a_recording_by_perf_changes_nothing():
    need("perf")
    need_tracing()
    where = folder()
    made = run("perf", "record", "-q", "-e", "raw_syscalls:*,sched:sched_switch,"
               "sched:sched_waking", "--call-graph", "dwarf", "-o", where / "p.data", "--",
               "sh", "-c", "for i in 1 2 3; do cat /etc/hostname; sleep 0.01; done")
    if made.status:
        skip("perf record: " + made.err.strip()[:100])
    check_round_trip(where / "p.data")


@long
def test_perf_skips_observations():
    need("perf")
    need_tracing()
    where = folder()
    process, _ = opened_before()
    likeness.both(where, "-p", str(process.pid), "--for", "0.5", "-z", "1")
    end(process)
    for tool in (("script",), ("report", "--stdio"), ("trace",), ("buildid-list",)):
        result = run("perf", *tool, "-i", where / "a.data")
        assert result.status == 0, (tool, result.err[-400:])
        assert "unknown" not in result.err.lower(), (tool, result.err[-400:])


@long
def test_killed_recorder_leaves_its_observations():
    need_tracing()
    where = folder()
    process, _ = opened_before()
    path = where / "k.data"
    recorder = start(STXTOP, "-s", "-p", str(process.pid), "-o", path,
                     stdout=subprocess.DEVNULL)

    def calls():
        if not path.exists():
            return []
        return of_type(likeness.objects(stxtop("-i", path, "-b", "--json", "-y").out), "call")
    try:
        wait_until(lambda: len(calls()) > 200, limit=30, what="200 calls")
        recorder.send_signal(signal.SIGKILL)
        recorder.wait()
    finally:
        end(process)
    first = next(call for call in calls() if call["name"] == "lseek")
    assert first["args"][0]["text"].endswith("</etc/hostname>"), first


def check_cut(path, *narrowed):
    """Check that -i with -o and a filter or span writes exactly the matching calls."""
    part = path.parent / "part.data"
    result = stxtop("-i", path, "-s", "-o", part, *narrowed)
    assert result.status == 0, result.err
    shown = ("-b", "--json", "-y")
    whole, cut = (likeness.objects(stxtop("-i", name, *shown, *more).out)
                  for name, more in ((path, narrowed), (part, ())))
    assert len(of_type(whole, "call")) > 10, len(whole)
    whole, cut = (of_type(lines, "call") for lines in (whole, cut))
    # Ignore wakers: an inferred one depends on calls that the part lacks.
    for call in whole + cut:
        call.pop("waker")
    assert not likeness.differences(whole, cut), likeness.differences(whole, cut)[:3]
    assert part.stat().st_size < path.stat().st_size
    if subprocess.run(["sh", "-c", "command -v perf"], stdout=subprocess.DEVNULL,
                      check=False).returncode == 0:
        enters = sum("raw_syscalls:sys_enter" in line for line in
                     run("perf", "script", "-i", part).out.splitlines())
        done = [c for c in of_type(cut, "call") if c["state"] == "done" and c["dur"] is not None]
        assert enters >= len(done), (enters, len(done))


def recorded_descriptors():
    need_tracing()
    where = folder()
    process, _ = opened_before()
    likeness.both(where, "-p", str(process.pid), "--for", "1.5")
    end(process)
    return where / "a.data"


@long
def test_a_filter_cuts_a_recording():
    path = recorded_descriptors()
    check_cut(path, "-F", "syscall == read")
    check_cut(path, "-F", "openat or close")
    check_cut(path, "-F", "failed")


@long
def test_a_span_cuts_a_recording():
    """The span has the middle half of the calls: other load changes the length of the recording."""
    path = recorded_descriptors()
    lines = likeness.objects(stxtop("-i", path, "-S", "--json").out)
    calls, started = of_type(lines, "call"), lines[-1]["started"]
    span = [f"{(calls[len(calls) * part // 4]['ts'] - started) / 1e9:.6f}" for part in (1, 3)]
    check_cut(path, "--from", span[0], "--until", span[1])
    check_cut(path, "--from", span[0], "--until", span[1], "-F", "read or write")


@long
def test_a_recording_by_perf_can_be_cut():
    need("perf")
    need_tracing()
    where = folder()
    made = run("perf", "trace", "record", "-o", where / "p.data", "--", "sh", "-c",
               "for i in 1 2 3; do cat /etc/hostname; sleep 0.01; done")
    if made.status:
        skip("perf trace record: " + made.err.strip()[:100])
    check_cut(where / "p.data", "-F", 'comm == "cat"')


def test_piped_input_cannot_be_cut():
    need("perf")
    need_tracing()
    where = folder()
    result = run("sh", "-c", "perf record -q -e 'raw_syscalls:*' -o - -- cat /etc/hostname | "
                 f"{STXTOP} -i - -s -F read -o {where / 'b.data'}")
    assert result.status == 1 and "as a whole" in result.err, result.err
    assert not (where / "b.data").exists()
