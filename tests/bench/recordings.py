"""Recordings: speed of reading, compared with perf on the same file, and cost of writing."""

import os
import pathlib
import shutil
import subprocess
import time

from measure import ROUNDS, STXTOP, timed_alone

EVENTS = ["-e", "raw_syscalls:sys_enter,raw_syscalls:sys_exit"]
# Number of reads of each dd; two run at the same time. The default gives a file of about 1 GB.
DD_READS = int(os.environ.get("READS", "900")) * 1000
WRITE_READS = 500_000
LIMIT_S = 90


def dd(count):
    return ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", f"count={count}", "status=none"]


def pair(count):
    command = " ".join(dd(count))
    return ["sh", "-c", f"{command} & {command}; wait"]


def used(argv):
    """Return elapsed and CPU seconds and MB of memory; None on failure or timeout."""
    with open(os.devnull, "r+b") as null:
        began = time.monotonic()
        child = subprocess.Popen(["timeout", str(LIMIT_S), *argv], stdin=null, stdout=null,
                                 stderr=null)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    elapsed = time.monotonic() - began
    if status:
        return None
    return elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best(argv, rounds):
    runs = [run for run in (used(argv) for _ in range(rounds)) if run]
    return min(runs, default=None)


def size(path):
    return pathlib.Path(path).stat().st_size


def events_in(path):
    """Return the number of enters and exits: twice the number of calls in the summary."""
    done = subprocess.run([STXTOP, "-s", "--json", "-i", path], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    last = done.stdout.decode(errors="replace").strip().splitlines()[-1]
    calls = last.split('"calls":', 1)[1].split(",", 1)[0]
    return 2 * int(calls)


def read_rows(path, slow):
    """Return the rows. Each compares summaries with summaries, or lines with lines."""
    rows = [("-s", "stxtop -s -i", [STXTOP, "-s", "-i", path], ROUNDS),
            ("-s", "perf trace -s -i", ["perf", "trace", "-s", "-i", path], 2),
            ("lines", "stxtop -b -i", [STXTOP, "-b", "-i", path], ROUNDS),
            ("lines", "perf script -i", ["perf", "script", "-i", path], 1)]
    if slow:
        rows += [("lines", "perf trace -i", ["perf", "trace", "-o", os.devnull, "-i", path], 1),
                 ("json", "stxtop --json -i", [STXTOP, "--json", "-i", path], 1)]
    return rows


def read_table(title, path, slow=True):
    events = events_in(path)
    print(f"\nReading {title}: {size(path) / 1e6:.0f} MB, {events / 1e6:.1f} million events")
    ours = {}
    for kind, name, argv, rounds in read_rows(path, slow):
        done = best(argv, rounds)
        if not done:
            print(f"  {name:20} failed or took more than {LIMIT_S} s")
            continue
        ours.setdefault(kind, done[0])
        ratio = "" if argv[0] == STXTOP else f"   stxtop is {done[0] / ours[kind]:.1f} x as fast"
        print(f"  {name:20} {done[0]:6.2f} s {events / done[0] / 1e6:7.2f} M events/s "
              f"{done[1]:6.2f} s of CPU {done[2]:6.0f} MB{ratio}")


def record(argv, path):
    subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    return os.path.exists(path) and size(path) > 0


def read_recorded(title, argv, reads, folder, slow=False):
    path = f"{folder}/read.data"
    if record([*argv, "-o", path, "--", *pair(reads)], path):
        read_table(title, path, slow)
        os.unlink(path)
    else:
        print(f"  ({argv[0]} recorded nothing)")


PERF = ["perf", "record", "-q", "-N", "-m", "4M", "-a"]
OURS = [STXTOP, "-s", "-g", "off", "-w", os.devnull]


def reading_large(folder):
    read_recorded("a recording of perf", [*PERF, *EVENTS], DD_READS, folder, slow=True)


def reading_others(folder):
    read_recorded("with callchains", [*PERF, "-g", *EVENTS], DD_READS // 8, folder)
    read_recorded("compressed", [*PERF, "-z", *EVENTS], DD_READS // 4, folder)
    read_recorded("a recording of stxtop", OURS, DD_READS // 2, folder)
    read_recorded("the same, compressed", [*OURS, "--compress", "1"], DD_READS // 2, folder)


def writing(folder):
    command = dd(WRITE_READS)
    calls = 2 * WRITE_READS
    path = f"{folder}/write.data"
    rows = [("stxtop -s", [STXTOP, "-s", "-g", "off", "-w", os.devnull], False),
            ("stxtop -s -o FILE", [STXTOP, "-s", "-g", "off", "-w", os.devnull, "-o", path], True),
            ("stxtop -s -o FILE --compress 1",
             [STXTOP, "-s", "-g", "off", "-w", os.devnull, "-o", path, "--compress", "1"], True),
            ("perf record", ["perf", "record", "-q", "-N", *EVENTS, "-o", path], True),
            ("perf record -z", ["perf", "record", "-q", "-N", "-z", *EVENTS, "-o", path], True),
            ("perf trace record", ["perf", "trace", "record", "-o", path], True)]
    untraced = min(timed_alone(command) for _ in range(ROUNDS))
    print(f"\nWriting, dd of {calls / 1e6:.0f} million calls: untraced {untraced:.2f} s")
    for name, argv, writes in rows:
        times = []
        for _ in range(ROUNDS):
            for old in pathlib.Path(folder).glob("write.data*"):
                old.unlink()
            times.append(timed_alone([*argv, "--", *command]))
        times = [took for took in times if took]
        if not times:
            print(f"  {name:32} failed")
            continue
        each = f" {size(path) / calls:6.1f} bytes a call" if writes else ""
        print(f"  {name:32} {min(times) / untraced:5.1f} x{each}")


def part_recordings(folder):
    if not shutil.which("perf"):
        print("  (perf is not installed)")
        return
    writing(folder)
    reading_large(folder)
    reading_others(folder)
