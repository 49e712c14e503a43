"""Numbers: counts equal strace's, durations equal timeouts, enters and exits are paired."""

import collections
import os
import re
import subprocess
import time

import json_contract
from harness import (STXTOP, collector_of, end, folder, long, long_by_perf, need, need_tracing,
                     of_type, program, run, start, stxtop, wait_until, watch_json)


def strace_counts(*argv):
    need("strace")
    path = folder() / "counts"
    run("strace", "-f", "-c", "-U", "name,calls,errors", "-o", path, *argv)
    counts = {}
    for line in path.read_text().splitlines():
        match = re.match(r"^(\w+)\s+(\d+)(?:\s+(\d+))?\s*$", line)
        if match and match.group(1) != "total":
            counts[match.group(1)] = (int(match.group(2)), int(match.group(3) or 0))
    return counts


def summary_counts(summary):
    counts = {}
    for process in summary["processes"]:
        for row in process["syscalls"]:
            calls, errors = counts.get(row["name"], (0, 0))
            counts[row["name"]] = (calls + row["calls"], errors + row["errors"])
    return counts


def compare(ours, theirs, names):
    wrong = {n: (ours.get(n), theirs.get(n)) for n in names if ours.get(n) != theirs.get(n)}
    assert not wrong, f"(stxtop, strace): {wrong}"


# Calls with equal counts in every run: without futex, madvise, mmap, which depend on contention.
STEADY = ["openat", "read", "close", "getppid", "newfstatat", "clone3", "clone", "getuid",
          "wait4", "execve", "arch_prctl", "set_tid_address", "prlimit64"]


@long
def test_counts_equal_strace():
    need_tracing()
    argv = (program("mix"), "8", "200", "100")
    objects, _ = watch_json("-s", "--", *argv)
    summary = objects[-1]
    assert summary["type"] == "summary"
    assert summary["lost"] == 0 and summary["exact"] is True
    ours, theirs = summary_counts(summary), strace_counts(*argv)
    compare(ours, theirs, STEADY)
    assert ours["getppid"] == (800, 0)
    assert ours["getuid"] == (200, 0)
    assert ours["newfstatat"][1] >= 800


def summary_of_a_reader(*arguments):
    """Return the summary of a process that blocks in a read when tracing begins."""
    ours, theirs = os.pipe()
    reader = start("cat", stdin=ours, stdout=subprocess.DEVNULL)
    path = folder() / "summary"
    watcher = start(STXTOP, "-s", "-e", "read", "-p", reader.pid, "-w", path, *arguments)
    wait_until(lambda: collector_of(watcher), what="stxtop watches")
    fed = time.monotonic()

    def ends():
        nonlocal fed
        if time.monotonic() > fed + 0.2:
            os.write(theirs, b"x")
            fed = time.monotonic()
        return watcher.poll() is not None

    wait_until(ends, what="the summary")
    end(reader)
    return path.read_text()


def test_calls_of_unknown_duration_are_in_no_mean():
    need_tracing()

    def first_is_unknown(count):
        text = summary_of_a_reader("--json", "-n", str(count))
        row = json_contract.read(text.encode())[-1]["processes"][0]["syscalls"][0]
        assert row["calls"] == count, row
        return row.get("timed") == count - 1

    # On a busy machine, the call that was in flight can return before it is found.
    wait_until(lambda: first_is_unknown(1), what="a summary without a known duration")
    wait_until(lambda: first_is_unknown(2), what="a summary with one known duration")
    wait_until(lambda: re.search(r"^  read +1 +\? +\? +\? +\?$", summary_of_a_reader(
        "-n", "1", "--summary-columns", "syscall,calls,total,avg,min,max"), re.M), what="? as text")


def strace_errors(*argv):
    """Return {(call, error): count} from the lines of strace."""
    need("strace")
    path = folder() / "lines"
    run("strace", "-f", "-o", path, *argv)
    errors = collections.Counter()
    for line in path.read_text().splitlines():
        match = re.search(r"^\d+ +(?:<\.\.\. )?(\w+).* = -1 (E\w+) ", line)
        if match:
            errors[match.groups()] += 1
    return errors


def errors_of(rows):
    errors = collections.Counter()
    for row in rows:
        assert sum(row["errnos"].values()) <= row["errors"]
        for name, count in row["errnos"].items():
            errors[row["name"], name] += count
    return errors


def test_errors_by_number_equal_strace():
    need_tracing()
    argv = (program("mix"), "4", "20", "50")
    objects, _ = watch_json("-s", "--summary-by", "total", "--", *argv)
    summary = objects[-1]
    ours = errors_of(summary["syscalls"])
    assert ours == errors_of(r for p in summary["processes"] for r in p["syscalls"])
    theirs = strace_errors(*argv)
    # Ignore futex: the number of its waits differs between runs.
    steady = {key for key in ours | theirs if key[0] != "futex"}
    assert ("newfstatat", "ENOENT") in steady
    assert {k: ours[k] for k in steady} == {k: theirs[k] for k in steady}


def test_threads_add_up_to_their_process():
    need_tracing()
    objects, _ = watch_json("-s", "--summary-by", "thread", "--summary-columns", "calls,blocked",
                            "--", program("mix"), "6", "3", "50")
    summary = objects[-1]
    for process in summary["processes"]:
        threads = [t for t in summary["threads"] if t["pid"] == process["pid"]]
        for field in ("calls", "errors", "total", "blocked"):
            assert sum(t[field] for t in threads) == process[field], (field, process["pid"])
        rows = collections.Counter()
        for thread in threads:
            for row in thread["syscalls"]:
                rows[row["name"]] += row["calls"]
        assert rows == {row["name"]: row["calls"] for row in process["syscalls"]}
    mix = next(p for p in summary["processes"] if p["calls"] > 1000)
    assert 7 <= len([t for t in summary["threads"] if t["pid"] == mix["pid"]])
    # The parent waits for its children.
    assert mix["blocked"] > 0


def test_lines_equal_summary():
    need_tracing()
    objects, _ = watch_json("--", program("mix"), "8", "50", "100")
    calls = [c for c in of_type(objects, "call") if c["state"] == "done"]
    counts = {}
    for call in calls:
        n, errors = counts.get(call["name"], (0, 0))
        counts[call["name"]] = (n + 1, errors + (call["errno"] is not None))
    ours = summary_counts(objects[-1])
    for name in STEADY:
        assert counts.get(name) == ours.get(name), name
    assert objects[-1]["calls"] == sum(n for n, _ in ours.values())


def test_all_threads_and_children_by_process():
    need_tracing()
    objects, _ = watch_json("-s", "--", program("mix"), "4", "200", "10")
    processes = objects[-1]["processes"]
    children = [p for p in processes
                if any(s["name"] == "getuid" and s["calls"] == 1 for s in p["syscalls"])]
    assert len(children) == 200, len(children)


def test_durations_equal_the_timeouts():
    need_tracing()
    objects, _ = watch_json("--", program("sleeps"))
    wanted = {"nanosleep": 20e6, "poll": 30e6, "select": 10e6}
    for name, ns in wanted.items():
        durations = [c["dur"] for c in of_type(objects, "call") if c["name"] == name]
        assert len(durations) == 5, (name, durations)
        # No wait is shorter than its timeout; on a busy machine, some are longer.
        assert all(d >= ns for d in durations), (name, durations)
        assert min(durations) < ns + 15e6, (name, durations)


def test_sleeps_are_blocked_time():
    need_tracing()
    objects, _ = watch_json("-g", "fp", "--", program("sleeps"))
    for call in of_type(objects, "call"):
        if call["name"] == "nanosleep":
            assert call["blocked"] > 0.8 * 20e6, call
            assert call["blocked"] + call["runnable"] <= call["dur"]


@long
def test_migrating_threads_never_mix_pairs():
    need_tracing()
    objects, _ = watch_json("--", program("migrate"), "3000")
    calls = of_type(objects, "call")
    closes = [c for c in calls if c["name"] == "close" and int(c["args"][0]["value"], 0) >= 100000]
    seeks = [c for c in calls if c["name"] == "lseek"]
    assert len(closes) == 3000 and len(seeks) == 3000
    for kind in (closes, seeks):
        assert [int(c["args"][0]["value"], 0) for c in kind] == list(range(100000, 103000))
        assert all(c["errno"] == "EBADF" and c["state"] == "done" for c in kind)
    assert len({c["tid"] for c in closes}) == 1 and len({c["tid"] for c in seeks}) == 1
    assert len({c["cpu"] for c in closes}) > 1 or os.cpu_count() == 1
    assert len({c["ret"] for c in calls if c["name"] == "getpgid"}) == 1
    assert not [c for c in calls if c["state"] == "orphan"]


def test_calls_of_a_thread_are_in_order():
    need_tracing()
    objects, _ = watch_json("--", program("mix"), "2", "0", "200")
    last = {}
    for call in of_type(objects, "call"):
        if call["state"] != "done":
            continue
        assert call["ts"] >= last.get(call["tid"], 0), call
        last[call["tid"]] = call["ts"] + call["dur"]


def test_attach_shows_calls_in_flight():
    need_tracing()
    sleeper = start("sleep", "1000")
    wait_until(lambda: "nanosleep" in open(f"/proc/{sleeper.pid}/wchan").read() or
               open(f"/proc/{sleeper.pid}/syscall").read().startswith(("35 ", "230 ")),
               what="sleep in its call")
    objects, _ = watch_json("-p", sleeper.pid, "--for", "0.5")
    calls = [c for c in of_type(objects, "call") if c["tid"] == sleeper.pid]
    assert [c["state"] for c in calls] == ["in_flight"], calls
    assert calls[0]["name"] in ("clock_nanosleep", "nanosleep")
    assert calls[0]["ret"] is None


def test_end_of_collection_leaves_no_half_calls():
    """The enter and exit tracepoints are disabled one after the other. Even so, only the call in
    flight at the start may have an exit without an enter."""
    need_tracing()
    busy = start("dd", "if=/dev/zero", "of=/dev/null", "bs=4k", stderr=subprocess.DEVNULL)
    path = folder() / "lines"
    for _ in range(6):
        result = stxtop("-b", "-w", path, "-p", busy.pid, "-e", "read,write", "--for", "0.1")
        assert result.status == 0, result.err
        lines = [line for line in path.read_text().splitlines() if " dd/" in line]
        assert len(lines) > 100, lines
        assert not [line for line in lines[1:] if "(?)" in line], lines[-10:]


@long
def test_attach_counts_calls_of_busy_threads():
    need_tracing()
    busy = start(program("mix"), "8", "0", "100000000")
    wait_until(lambda: len(os.listdir(f"/proc/{busy.pid}/task")) == 9, what="nine threads")
    objects, _ = watch_json("-s", "-p", busy.pid, "--for", "1")
    processes = objects[-1]["processes"]
    assert [p["pid"] for p in processes] == [busy.pid]
    counts = summary_counts(objects[-1])
    # A round has one getppid and one openat, so the counts differ by at most one per thread.
    assert counts["getppid"][0] > 100
    assert abs(counts["getppid"][0] - counts["openat"][0]) <= 8, counts


@long_by_perf
def test_system_wide_run_ends_with_status_0():
    need_tracing()
    ours = start(STXTOP, "-s", "--json", "-w", folder() / "x", "--for", "2")
    other = start(program("mix"), "1", "5", "50")
    assert other.wait(20) == 0
    assert ours.wait(20) == 0


def test_tid_option_watches_one_thread():
    need_tracing()
    busy = start(program("mix"), "2", "0", "100000000")
    wait_until(lambda: len(os.listdir(f"/proc/{busy.pid}/task")) == 3, what="three threads")
    tid = sorted(int(t) for t in os.listdir(f"/proc/{busy.pid}/task"))[-1]
    objects, _ = watch_json("-t", tid, "-n", "200")
    calls = [c for c in of_type(objects, "call") if c["state"] == "done"]
    assert len(calls) >= 200 and {c["tid"] for c in calls} == {tid}


def test_cpu_option_watches_one_cpu():
    need_tracing()
    busy = start(program("mix"), "4", "0", "100000000")
    objects, _ = watch_json("-C", "0", "-n", "500", "-F", f"pid == {busy.pid}")
    calls = [c for c in of_type(objects, "call") if c["state"] == "done"]
    assert calls and {c["cpu"] for c in calls} == {0}


def test_exit_status_is_the_commands():
    need_tracing()
    assert stxtop("-s", "--", "sh", "-c", "exit 7").status == 7
    assert stxtop("-s", "--", "sh", "-c", "kill -TERM $$").status in (143, -15, 128 + 15)
