"""The summary, compared with perf trace, with strace and with the lines of its calls."""

import collections
import json
import math
import pathlib
import re

from harness import STXTOP, folder, long, need, need_tracing, program, run, skip

CONTENTION = pathlib.Path(__file__).parents[1] / "replay" / "contention.data"

GROUP = re.compile(r"^ (.*) \((\d+)\), (\d+) events, ")
ROW = re.compile(r"^   (\w+)\s+(\d+)\s+(\d+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)"
                 r"\s+([\d.]+)%")
Row = collections.namedtuple("Row", "calls errors total min avg max stddev")


def recorded():
    need("perf")
    need_tracing()
    path = folder() / "data"
    run("perf", "record", "-q", "-m", "8M", "-e", "raw_syscalls:sys_enter", "-e",
        "raw_syscalls:sys_exit", "-o", path, program("mix"), "4", "20", "300")
    if not path.exists():
        skip("perf record does not work here")
    return path


def summary_of(path, *more):
    lines = run(STXTOP, "-i", path, "--json", *more).out.splitlines()
    return json.loads(lines[-1]), [json.loads(line) for line in lines[:-1]]


def of_perf(path):
    """Return {(tid, syscall): Row} of perf trace, times in milliseconds."""
    found, tid = {}, None
    for line in run("perf", "trace", "-s", "-i", path).err.splitlines():
        group, row = GROUP.match(line), ROW.match(line)
        if group:
            tid = int(group[2])
        elif row:
            found[tid, row[1]] = Row(int(row[2]), int(row[3]), *map(float, row.groups()[3:]))
    return found


def near(ours_ns, theirs_ms):
    return abs(ours_ns / 1e6 - theirs_ms) <= 0.00051


@long
def test_summary_equals_perf_trace():
    path = recorded()
    summary, _ = summary_of(path, "-s", "--summary-by", "thread")
    ours = {(thread["tid"], row["name"]): row for thread in summary["threads"]
            for row in thread["syscalls"]}
    theirs = of_perf(path)
    compared = 0
    for key, row in theirs.items():
        mine = ours.get(key)
        # Skip execve, whose first enter is missing, and clone, which also returns in the child.
        if key[1] in ("execve", "clone3", "clone"):
            continue
        assert mine, (key, row)
        assert (mine["calls"], mine["errors"]) == (row.calls, row.errors), (key, row, mine)
        mean = mine["total"] / mine["calls"]
        assert near(mine["total"], row.total), (key, row, mine)
        assert near(mine["min"], row.min) and near(mine["max"], row.max), (key, row, mine)
        assert near(mean, row.avg), (key, row, mine)
        if row.stddev > 0.5:
            percent = 100 * mine["stddev"] / math.sqrt(mine["calls"]) / mean
            assert abs(percent - row.stddev) <= row.stddev / 20 + 0.05, (key, row, percent)
        compared += 1
    assert compared > 30, compared


@long
def test_quantiles_equal_those_of_the_lines():
    summary, lines = summary_of(recorded(), "-S")
    took = collections.defaultdict(list)
    for call in lines:
        if call["type"] == "call" and call["dur"] is not None and call["ret"] is not None:
            took[call["pid"], call["name"]].append(call["dur"])
    compared = 0
    for process in summary["processes"]:
        for row in process["syscalls"]:
            exact = sorted(took[process["pid"], row["name"]])
            if len(exact) != row["calls"]:
                continue # some calls never returned
            assert exact[0] == row["min"] and exact[-1] == row["max"], (row, exact)
            assert sum(exact) == row["total"], row
            for name, share in (("p50", 0.50), ("p95", 0.95), ("p99", 0.99)):
                value = exact[max(0, math.ceil(share * len(exact)) - 1)]
                wrong = abs(row[name] - value)
                assert wrong <= value / 64 + 1 and (len(exact) > 8 or not wrong), (name, row, value)
                compared += 1
    assert compared > 100, compared


def test_counts_equal_those_of_strace():
    """Calls and errors equal those of strace -c -w. Times are not compared: they differ by run."""
    need("strace")
    need_tracing()
    where = folder()
    run("strace", "-f", "-c", "-w", "-o", where / "strace", program("mix"), "2", "5", "50")
    theirs = {}
    for line in (where / "strace").read_text().splitlines():
        match = re.match(r"\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)(?:\s+(\d+))?\s+(\w+)$", line)
        if match and match[3] != "total":
            theirs[match[3]] = (int(match[1]), int(match[2] or 0))
    result = run(STXTOP, "-s", "--json", "-w", where / "ours", "--",
                 program("mix"), "2", "5", "50")
    assert result.status == 0, result.err
    summary = json.loads((where / "ours").read_text().splitlines()[-1])
    ours = collections.Counter()
    for process in summary["processes"]:
        for row in process["syscalls"]:
            ours[row["name"], "calls"] += row["calls"]
            ours[row["name"], "errors"] += row["errors"]
    # Compare only these: contention differs between runs, and with it the calls of allocators.
    for name in ("open", "openat", "read", "close", "getppid", "getuid", "newfstatat"):
        if name in theirs:
            mine = ours[name, "calls"], ours[name, "errors"]
            assert mine == theirs[name], (name, mine, theirs[name])
    assert "getppid" in theirs, theirs


@long
def test_tables_fit_the_width():
    path = recorded()
    for columns in (20, 40, 80, 100, 120, 300):
        for by in ("process", "thread", "total"):
            text = run("env", f"COLUMNS={columns}", STXTOP, "-i", path, "-s", "--summary-by",
                       by).out
            for line in text.split("\nfutexes, ")[0].splitlines():
                # Check only rows. Below 40 columns, they do not fit: names and calls stay.
                if line.startswith("  ") and columns >= 40:
                    assert len(line) <= columns, (columns, line)


@long
def test_every_column_sorts():
    for column in ("calls", "errors", "share", "total", "blocked", "avg", "min", "p50", "p95",
                   "p99", "max", "stddev"):
        for turned in ("", "-"):
            # CONTENTION has waits and failing calls, so that all columns have figures.
            text = run(STXTOP, "-i", CONTENTION, "-s", "--summary-by", "total", "--summary-columns",
                       column, "--summary-sort", turned + column).out
            figures = [float(line.split()[1]) for line in text.splitlines()[3:]
                       if line.startswith("  ") and len(line.split()) == 2]
            assert len(figures) > 10, text
            assert figures == sorted(figures, reverse=not turned), (column, turned, figures)
