"""Recordings of -o have everything that was shown, and perf reads the same calls."""

import json
import os
import re
import signal
import subprocess

from harness import (STXTOP, end, folder, has_bpf, long, need, need_tracing, run, skip, start,
                     stxtop, wait_until)

# Makes calls one after the other; some block and some fail.
SCRIPT = "for i in 1 2 3; do cat /etc/hostname; sleep 0.02; done; ls /nonexistent; true"
CALL = re.compile(r"\s(\d+) \[\d+\]\s+(\d+\.\d{9}):\s+raw_syscalls:sys_(enter|exit): "
                  r"NR (\d+) (?:\(([^)]*)\)|= (-?\d+))")


def record(where, *options):
    """Run SCRIPT; return the live output as JSON, and the recording."""
    live = where / "live.json"
    result = stxtop("-S", "--json", "-w", live, "-o", where / "a.data", *options, "--",
                    "sh", "-c", SCRIPT)
    assert result.status in (0, 2), result.err
    return objects(live.read_text()), where / "a.data"


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


def replayed(path, *options):
    result = stxtop("-i", path, "-S", "--json", *options)
    assert result.status == 0, result.err
    return objects(result.out)


def calls_of(lines):
    """Return the fields of finished calls, without late reads and names of functions."""
    return [(call["ts"], call["dur"], call["tid"], call["comm"], call["nr"], call["ret"],
             call["state"], call["blocked"], call["runnable"], [frame["ip"] for frame in
                                                                call["stack"] or []],
             [(arg["value"], arg["text"]) for arg in call["args"]
              if arg["from"] in ("register", "kernel")])
            for call in lines if call["type"] == "call" and call["state"] == "done"]


def sums_of(lines):
    summary = lines[-1]
    assert summary["type"] == "summary"
    return {key: summary[key] for key in ("calls", "lost", "exact", "processes")}


def same_calls(live, again):
    """Assert that the calls are equal, but for a few stacks that were unwound too late."""
    live, again = calls_of(live), calls_of(again)
    assert len(live) == len(again)
    stacks = 0
    for one, other in zip(live, again):
        assert one[:9] == other[:9], (one, other)
        stacks += one[9] != other[9]
    assert stacks <= len(live) / 50, stacks


def check_same(*options):
    need_tracing()
    where = folder()
    live, path = record(where, *options)
    again = replayed(path)
    assert sums_of(live) == sums_of(again)
    same_calls(live, again)


def test_bpf_recording_equals_live_output():
    if not has_bpf():
        skip("BPF programs cannot run here")
    check_same("--source", "bpf")


def test_perf_recording_equals_live_output():
    check_same("--source", "perf")


def test_compressed_recording_equals_live_output():
    check_same("-z", "3")


def test_copied_recording_equals_the_original():
    need_tracing()
    where = folder()
    _, path = record(where)
    first = replayed(path, "-o", where / "b.data")
    again = replayed(where / "b.data")
    assert sums_of(first) == sums_of(again)
    same_calls(first, again)


def by_perf(path):
    """Return enters and exits of perf script: (tid, ns, which, nr, args or result)."""
    found = []
    for line in run("perf", "script", "-i", path, "--ns").out.splitlines():
        match = CALL.search(line)
        if match:
            seconds, nanoseconds = match[2].split(".")
            found.append((int(match[1]), int(seconds) * 10**9 + int(nanoseconds), match[3],
                          int(match[4]), match[5] or match[6]))
    return found


def check_perf_agrees(*options):
    need("perf")
    need_tracing()
    live, path = record(folder(), *options)
    enters, exits = {}, {}
    for tid, ns, which, nr, rest in by_perf(path):
        (enters if which == "enter" else exits)[tid, ns] = (nr, rest)
    done = [call for call in live if call["type"] == "call" and call["state"] == "done"
            and call["dur"] is not None and call["ret"] is not None]
    assert len(done) > 100
    for call in done:
        if call["name"] == "rt_sigreturn":
            continue  # its exit has the number of the interrupted call
        key = call["tid"], call["ts"]
        assert enters[key][0] == call["nr"], call
        values = [int(value, 16) for value in enters[key][1].split(", ")]
        ours = [int(arg["value"], 16) for arg in call["args"]]
        assert values[:len(ours)] == ours, call
        assert exits[call["tid"], call["ts"] + call["dur"]] == (call["nr"], str(call["ret"])), call


def test_perf_script_has_the_same_calls():
    check_perf_agrees()


def test_perf_script_has_the_same_calls_of_a_compressed_recording():
    check_perf_agrees("-z", "1")


def test_perf_trace_has_the_same_number_of_calls():
    need("perf")
    need_tracing()
    live, path = record(folder())
    done = [call for call in live if call["type"] == "call" and call["state"] == "done"]
    # Count results: perf trace prints a call in two lines if another thread calls meanwhile.
    lines = [line for line in run("perf", "trace", "-i", path).err.splitlines()
             if re.search(r"\)\s+= ", line)]
    # For perf, a call that is restarted after a signal is a second call.
    assert 0 <= len(lines) - len(done) <= len(done) / 50, (len(lines), len(done))


def converted(path, form):
    """Return the output of perf data convert, and the number of samples it reports."""
    target = path.with_suffix(f".{form}")
    result = run("perf", "data", "convert", "-i", path, f"--to-{form}", target)
    told = re.search(r"\((\d+) samples", result.err + result.out)
    if not told and "--to" in result.err:
        skip(f"this perf does not convert to {form}")
    assert result.status == 0 and told, result.err
    return target, int(told[1])


def test_perf_data_convert_has_the_same_calls():
    need_tracing()
    need("perf")
    live, path = record(folder())
    target, told = converted(path, "json")
    data = json.loads(target.read_text())
    assert len(data["samples"]) == told
    assert data["headers"]["hostname"] == os.uname().nodename
    times = {(sample["tid"], sample["timestamp"]) for sample in data["samples"]}
    done = [call for call in live if call["type"] == "call" and call["state"] == "done"]
    assert len(done) > 100
    for call in done:
        assert (call["tid"], call["ts"]) in times, call
        if call["ret"] is not None:
            assert (call["tid"], call["ts"] + call["dur"]) in times, call


def test_perf_data_convert_writes_all_samples_to_ctf():
    need_tracing()
    need("perf")
    _, path = record(folder())
    _, told = converted(path, "ctf")
    script = run("perf", "script", "-i", path, "-F", "time,event", "-G")
    assert script.status == 0, script.err
    assert told == len([line for line in script.out.splitlines() if line.strip()])


def test_perf_report_shows_waiting_tasks():
    need("perf")
    need_tracing()
    _, path = record(folder())
    text = run("perf", "report", "-i", path, "--stdio", "--no-children", "-g", "none", "-s",
               "comm,dso").out
    assert re.search(r"sleep\s+\[kernel", text), text[-800:]


@long
def test_killed_recorder_leaves_its_records():
    need("perf")
    need_tracing()
    path = folder() / "k.data"
    busy = start("sh", "-c", "while :; do cat /etc/hostname; done",
                 stdout=subprocess.DEVNULL)
    recorder = start(STXTOP, "-s", "-p", str(busy.pid), "-o", path,
                     stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: path.exists() and path.stat().st_size > 200000,
                   what="the first records")
        recorder.send_signal(signal.SIGKILL)
        recorder.wait()
    finally:
        end(busy)
    assert len(by_perf(path)) > 100
    assert sums_of(replayed(path))["calls"] > 100


def test_unsuitable_output_paths_are_rejected():
    where = folder()
    os.mkfifo(where / "fifo")
    for path, part in ((where, "it is a directory"), (where / "fifo", "it is a FIFO"),
                       (where / "none" / "x", "No such file")):
        result = stxtop("-s", "-o", path, "--for", "0.1")
        assert result.status == 1 and part in result.err, (path, result.err)


@long
def test_previous_recording_is_renamed():
    need_tracing()
    where = folder()
    record(where)
    record(where)
    assert sums_of(replayed(where / "a.data.old"))["calls"] > 100


@long
def test_rotation_limits_the_number_of_files():
    need_tracing()
    where = folder()
    busy = start("sh", "-c", "while :; do cat /etc/hostname; done",
                 stdout=subprocess.DEVNULL)
    recorder = start(STXTOP, "-s", "-p", str(busy.pid), "-o",
                     where / "r.data", "--rotate", "1M,2", stdout=subprocess.DEVNULL)
    seen = set()

    def has_rotated():
        seen.update(name for name in os.listdir(where) if name != "r.data")
        return len(seen) >= 4
    try:
        wait_until(has_rotated, limit=60, what="the fourth file")
        recorder.send_signal(signal.SIGINT)
        recorder.wait()
    finally:
        end(busy)
    names = sorted(os.listdir(where))
    assert len(names) == 3, names
    for name in names:
        lines = replayed(where / name)
        assert any(call["type"] == "call" and call["comm"] for call in lines), name


@long
def test_recording_prints_one_line():
    """As with perf record, only the command writes to standard output; the report is one line."""
    need_tracing()
    path = folder() / "quiet.data"
    for how in (["--", "sh", "-c", "echo of the command"], ["-p", str(os.getpid()), "--for",
                                                             "0.2"]):
        result = stxtop("-o", path, *how)
        assert result.status == 0, result.err
        assert result.out == ("of the command\n" if how[0] == "--" else ""), result.out
        lines = [line for line in result.err.splitlines() if "waiting for symbols" not in line]
        assert len(lines) == 1 and lines[0].startswith("stxtop: captured and wrote ") \
            and str(path) in lines[0], result.err
        assert stxtop("-i", path, "-s").status == 0
        assert "captured" not in stxtop("-q", "-o", path, *how).err
