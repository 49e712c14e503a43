"""Recordings of perf in files, compressed and in pipes: calls equal those of perf script."""

import collections
import json
import os
import re
import signal
import subprocess

from harness import STXTOP, folder, long, need, need_tracing, program, run, skip, start, wait_until

CALLS = ("-e", "raw_syscalls:sys_enter", "-e", "raw_syscalls:sys_exit", "-e", "sched:sched_switch")
# The rings hold all records: lost records would differ between runs.
RECORD = ("perf", "record", "-q", "-m", "8M", *CALLS)


def workload():
    return (program("mix"), "4", "20", "300")


def stxtop_of(path, stdin=None):
    """Return the summary of a recording."""
    result = subprocess.run([STXTOP, "--json", "-s", "-i", str(path)], stdin=stdin,
                            capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


def exits_of(summary):
    """Return {system call number: number of finished calls}."""
    counts = collections.Counter()
    for process in summary["processes"]:
        for row in process["syscalls"]:
            counts[row["nr"]] += row["calls"]
    return counts


def exits_of_perf(path):
    """Return the same from perf script: an exit counts if it follows an enter of its thread."""
    counts = collections.Counter()
    inside = {}
    text = run("perf", "script", "--ns", "-F", "tid,time,event,trace", "-i", path).out
    for line in text.splitlines():
        match = re.match(r"\s*(\d+)\s+[\d.]+:\s+raw_syscalls:sys_(enter|exit): NR (-?\d+)", line)
        if not match:
            continue
        tid, half, number = match.group(1), match.group(2), int(match.group(3))
        if half == "enter":
            inside[tid] = number
        elif inside.pop(tid, None) == number:
            counts[number] += 1
    return counts


def check_equal(path, summary):
    ours, theirs = exits_of(summary), exits_of_perf(path)
    # Ignore execve, exit_group and rt_sigreturn: their exits are missing or have other numbers.
    assert sum(theirs.values()) > 5000
    wrong = {n: (ours[n], theirs[n]) for n in ours | theirs
             if ours[n] != theirs[n] and n not in (59, 231, 15)}
    assert not wrong, f"(stxtop, perf script): {wrong}"


def record(*options):
    need("perf")
    need_tracing()
    path = folder() / "data"
    result = run(*RECORD, *options, "-o", path, "--", *workload())
    if not path.exists():
        skip(f"perf record does not work here: {result.err[:80]}")
    return path


@long
def test_counts_of_a_file_equal_perf_script():
    path = record("-g")
    check_equal(path, stxtop_of(path))


@long
def test_counts_of_a_compressed_file_equal_perf_script():
    if "zstd: [ on" not in run(need("perf"), "version", "--build-options").out:
        skip("this perf does not compress")
    path = record("-g", "-z")
    assert stxtop_of(path)["calls"] > 5000
    check_equal(path, stxtop_of(path))


def pipe_into(path, *more):
    need("perf")
    need_tracing()
    with open(path, "wb") as out:
        result = subprocess.run([*RECORD, *more, "-o", "-", "--", *map(str, workload())],
                                stdout=out, stderr=subprocess.PIPE, check=False)
    if not os.path.getsize(path):
        skip(f"perf record does not work here: {result.stderr[:80]}")


def test_counts_of_a_pipe_equal_perf_script():
    """Read the output of perf to a pipe: from a file, on standard input, and from a FIFO."""
    path = folder() / "piped"
    pipe_into(path, "-g")
    kept = stxtop_of(path)
    check_equal(path, kept)
    with open(path, "rb") as file:
        assert stxtop_of("-", file) == kept
    cat = subprocess.Popen(["cat", path], stdout=subprocess.PIPE)
    assert stxtop_of("-", cat.stdout) == kept
    cat.wait()
    fifo = folder() / "fifo"
    os.mkfifo(fifo)
    cat = subprocess.Popen(["sh", "-c", f"cat {path} >{fifo}"])
    assert stxtop_of(fifo) == kept
    cat.wait()


def test_signal_ends_the_wait_for_a_silent_pipe():
    out, into = os.pipe()
    waiting = start(STXTOP, "-s", "-i", "-", stdin=out, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL)
    os.close(out)
    wait_until(lambda: "SigQ" in open(f"/proc/{waiting.pid}/status").read(), 10, "/proc of stxtop")
    wait_until(lambda: int(re.search(r"SigBlk:\s*(\w+)",
                                     open(f"/proc/{waiting.pid}/status").read()).group(1), 16),
               10, "blocked signals")
    waiting.send_signal(signal.SIGTERM)
    assert waiting.wait(20) == 1
    os.close(into)


def test_files_that_are_not_recordings_are_rejected():
    empty = folder() / "empty"
    empty.write_bytes(b"")
    for path, says in ((empty, "it is empty"), (folder(), "is a directory"),
                       ("/dev/null", "neither a regular file nor a pipe"),
                       ("/nonexistent", "No such file")):
        result = run(STXTOP, "-s", "-i", path)
        assert result.status == 1 and says in result.err, (path, result.err)
    nothing = subprocess.run([STXTOP, "-s", "-i", "-"], input=b"",
                             capture_output=True, check=False)
    assert nothing.returncode == 1 and b"the pipe is empty" in nothing.stderr
    end_of = subprocess.run([STXTOP, "-s", "-i", "-"], input=b"PERFILE2\x10\0\0\0\0\0\0\0",
                            capture_output=True, check=False)
    assert end_of.returncode == 1 and b"no events, or too many" in end_of.stderr, end_of.stderr


@long
def test_against_option_reports_changes():
    """The second program is slower, has failing calls, and makes new calls."""
    quick, slow = folder() / "quick", folder() / "slow"
    need("perf")
    need_tracing()
    script = ("import os, sys, time\n"
              "for _ in range(200):\n"
              "    os.getppid()\n"
              "    time.sleep(float(sys.argv[1]))\n"
              "    if sys.argv[2] == 'fails':\n"
              "        try:\n"
              "            os.rmdir('/')\n"
              "        except OSError:\n"
              "            pass\n")
    for path, arguments in ((quick, ("0.001", "works")), (slow, ("0.02", "fails"))):
        run(*RECORD, "-o", path, "--", need("python3"), "-c", script, *arguments)
        if not path.exists():
            skip("perf record does not work here")
    result = run(STXTOP, "-i", quick, "--against", slow, "--json")
    assert result.status == 0, result.err
    objects = [json.loads(line) for line in result.out.splitlines()]
    assert objects[-1]["type"] == "comparison" and objects[-1]["a"]["calls"] > 400
    rows = {r["name"]: r for r in objects[:-1] if r["comm"] == "python3"}
    assert "slower" in rows["clock_nanosleep"]["changes"], rows["clock_nanosleep"]
    assert rows["rmdir"]["changes"] == ["new", "newly failing"], rows["rmdir"]
    assert rows["rmdir"]["new_errnos"] == {"EBUSY": 200}
    text = run(STXTOP, "-i", quick, "--against", slow).out
    assert "newly failing EBUSY 200" in text and "\npython3\n" in text
    same = run(STXTOP, "-i", slow, "--against", slow).out
    assert "No changes by process name." in same
