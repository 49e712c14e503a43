"""Formats for other programs: CSV that Python can read, traces that follow their format."""

import csv
import json
import pathlib
import re
import time

import trace_rules
from harness import (STXTOP, folder, long, need, need_tracing, of_type, program, stxtop, wait_until,
                     watch_json)
from terminal import Terminal

RECORDING = pathlib.Path(__file__).parents[1] / "replay" / "contention.data"

COLUMNS = ["ts_ns", "state", "dur_ns", "blocked_ns", "runnable_ns", "pid", "tid", "comm", "cpu",
           "name", "call", "ret", "errno", "waker_tid"]
SUMS = ["pid", "tid", "comm", "nr", "syscall", "calls", "errors", "total_ns", "blocked_ns",
        "min_ns", "p50_ns", "p95_ns", "p99_ns", "max_ns", "stddev_ns", "errnos",
        "ended_processes", "waits_unknown", "timed"]


def rows_of(path, names):
    """Return the rows after the header, which has these names; every line is complete."""
    with open(path, newline="") as file:
        text = file.read()
    assert text.endswith("\r\n"), text[-80:]
    rows = list(csv.reader(text.splitlines(keepends=True), strict=True))
    assert rows[0] == names, rows[0]
    assert all(len(row) == len(names) for row in rows)
    return [dict(zip(names, row)) for row in rows[1:]]


def test_lines_of_csv_are_the_calls():
    need_tracing()
    path = folder() / "calls.csv"
    script = """printf 'a,"b' >/proc/$$/comm; echo hello >/dev/null; exit 3"""
    result = stxtop("--csv", "-w", path, "--", "sh", "-c", script)
    assert result.status == 3, result.err
    rows = rows_of(path, COLUMNS)
    writes = [row for row in rows if row["name"] == "write"]
    assert [row["ret"] for row in writes] == ["4", "6"], rows
    assert writes[1]["comm"] == 'a,"b', writes
    assert all(row["call"].startswith("write(1, ") for row in writes), writes
    failed = [row for row in rows if row["errno"]]
    assert failed and all(int(row["ret"]) < 0 for row in failed)
    assert rows[-1]["name"] == "exit_group" and rows[-1]["ret"] == "", rows[-1]


def test_smallest_history_suffices_for_a_reader():
    """stxtop waits for the reader of its calls, but not for history space that cannot be freed."""
    need_tracing()
    objects, _ = watch_json("--history", "64K", "--", "dd", "if=/dev/zero", "of=/dev/null", "bs=1",
                            "count=3000", limit=30)
    calls = [c for c in of_type(objects, "call") if c["comm"] == "dd"]
    assert len(calls) + sum(o["count"] for o in of_type(objects, "lost")) > 6000, len(calls)


def test_the_summary_as_csv_has_the_numbers_of_json():
    need_tracing()
    path = folder() / "sums.csv"
    assert stxtop("-s", "--csv", "-i", RECORDING, "-w", path).status == 0
    objects, _ = watch_json("-s", "-i", RECORDING)
    processes = of_type(objects, "summary")[0]["processes"]
    wanted = {(p["pid"], s["nr"]): (p["comm"], s) for p in processes for s in p["syscalls"]}
    rows = rows_of(path, SUMS)
    assert len(rows) == len(wanted) > 0
    for row in rows:
        comm, sums = wanted[int(row["pid"]), int(row["nr"])]
        assert (row["comm"], row["syscall"]) == (comm, sums["name"])
        for key in ("calls", "errors"):
            assert int(row[key]) == sums[key], row
        for key in ("total", "min", "p50", "p95", "p99", "max"):
            assert row[key + "_ns"] == ("" if sums[key] is None else str(sums[key])), row


# ---- traces ----

def test_a_trace_has_the_calls_and_wakes_of_json():
    need_tracing()
    path = folder() / "trace.json"
    objects, _ = watch_json("--chrome-trace", path, "--", program("lock_holder"), "10", "10")
    calls = of_type(objects, "call")
    events = trace_rules.read(path.read_bytes())
    slices = trace_rules.calls_of(events)
    by_key = {(s["tid"], s["name"], s["ts"]): s for s in slices}
    assert len(slices) == len(calls)
    for call in calls:
        found = by_key[call["tid"], call["name"], call["ts"]]
        assert found["dur"] == (call["dur"] or call.get("age", 0)), (call, found)
        assert ("failed" in found["cat"]) == (call["errno"] is not None), (call, found)
        assert ("in_flight" in found["args"]) == (call["state"] == "in_flight"), (call, found)
    woken = [c for c in calls if c["waker"] and c["waker"]["kind"] == "thread" and
             c["blocked"] and c["state"] == "done" and c["ret"] is not None]
    assert woken
    assert sorted(c["waker"]["tid"] for c in woken) == \
        sorted(event["tid"] for event in trace_rules.of_phase(events, "s"))
    names = {event["args"]["name"] for event in trace_rules.of_phase(events, "M")}
    assert {c["comm"] for c in calls} <= names


def test_trace_write_error_is_reported():
    result = stxtop("-i", RECORDING, "--chrome-trace", "/nowhere/trace")
    assert result.status == 1 and "cannot write /nowhere/trace: No such file" in result.err
    result = stxtop("-i", RECORDING, "--chrome-trace", "/dev/full")
    assert result.status == 1 and "cannot write /dev/full: No space left" in result.err, result.err


# ---- F7 ----

CALLS = 1_000_000


def answer_ms(terminal, key, text):
    """Return the time from a key to its effect on the screen, in ms."""
    begin = time.monotonic()
    terminal.keys(key)
    while text not in terminal.screen():
        assert time.monotonic() - begin < 10, f"{text} is not on the screen within 10 s"
    return (time.monotonic() - begin) * 1000


def keys_take(terminal):
    """Return the slowest of 16 responses to keys, in ms."""
    return max(max(answer_ms(terminal, "F1", "Esc closes"),
                   answer_ms(terminal, "Escape", "Calls")) for _ in range(8))


@long
def test_a_million_calls_are_written_while_keys_are_answered():
    need_tracing()
    need("dd")
    path = folder() / "calls.jsonl"
    terminal = Terminal(STXTOP, "--history", "256M", "--view", "calls", "--",
                        "dd", "if=/dev/zero", "of=/dev/null", "bs=1", f"count={CALLS // 2}")
    try:
        terminal.wait(r"\(exited, status 0\)", limit=100)
        idle = keys_take(terminal)
        terminal.keys("F7")
        terminal.wait("Write to a file: calls")
        terminal.keys("Down", "Enter")
        terminal.wait("Write to: ")
        terminal.keys("C-u")
        terminal.keys("-l", str(path))
        terminal.keys("Enter")
        terminal.wait("Esc cancels", limit=20)
        busy = keys_take(terminal)
        writing = "Esc cancels" in terminal.screen()
        terminal.wait("Wrote ", limit=120)
        with open(path) as file:
            lines = list(file)
        calls = sum('"comm":"dd"' in line for line in lines)
        # On a busy machine calls can be lost; lines report their number.
        lost = sum(json.loads(line)["count"] for line in lines if '"type":"lost"' in line)
        assert calls + lost >= CALLS and calls > CALLS // 2, (calls, lost)
        # The bound on `busy` is high: other load may exist, and each query captures a whole screen.
        assert writing, "the file was complete before the keys were pressed"
        assert busy < 10 * idle + 100, (busy, idle)
    finally:
        terminal.close()
