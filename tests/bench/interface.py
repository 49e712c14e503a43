"""The interface with 5,000 processes, a million calls in the history and 500,000 more per second.
"""

import mmap
import os
import random
import re
import select
import shutil
import struct
import subprocess
import tempfile
import time

from measure import BUILD, STXTOP
from screen import Screen

PROGRAM = str(BUILD / "bench" / "interface")
PROCESSES, CALLS_PER_S, HISTORY_CALLS = 5_000, 500_000, 1_000_000
LINE_BYTES_PER_S = 100_000
REST_S = float(os.environ.get("REST", "2"))
WANTED = os.environ.get("VIEWS", "123456789")
MARK = re.compile(rb"\x1b\]M(\d+);(\d+)\x07")
ESC = b"\x1b"
# struct report of tests/bench/interface/report.h.
FIELDS = ("calls", "made_ps", "behind", "frames", "cells", "turns", "turn_ns", "turn_max_ns",
          "holds", "hold_ns", "hold_max_ns", "holds_over_1ms", "lock_wait_ns",
          "lock_wait_max_ns", "other_hold_max_ns", "other_holds_over_1ms")

VIEWS = ("1 overview", "2 processes", "3 syscalls", "4 calls", "5 blocked", "6 futexes", "7 files",
         "8 stacks", "9 latency")


class Report:
    """The counters that the measured program writes."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile(prefix="stxtop-report-")
        self.file.truncate(mmap.PAGESIZE)
        self.map = mmap.mmap(self.file.fileno(), mmap.PAGESIZE)

    def read(self):
        return dict(zip(FIELDS, struct.unpack_from(f"{len(FIELDS)}Q", self.map)))

    def forget_longest(self):
        for at, name in enumerate(FIELDS):
            if "max" in name or "over" in name:
                struct.pack_into("Q", self.map, 8 * at, 0)


class MarkedScreen(Screen):
    """Reads at most `line` bytes per second (None: no limit), and parses the marks of frames."""

    def __init__(self, *argv, line=None, size=(40, 120)):
        super().__init__(*argv, size=size)
        self.line, self.credit, self.read_at = line, 0.0, time.monotonic()
        self.tail = b""
        self.sent = self.seen = self.frames = self.bytes = 0

    def wait_credit(self):
        """Return the number of bytes that the line may transfer now; wait for at least 64."""
        if self.line is None:
            return 65536
        while True:
            now = time.monotonic()
            self.credit = min(self.credit + (now - self.read_at) * self.line, self.line / 50)
            self.read_at = now
            if self.credit >= 64:
                return int(self.credit)
            time.sleep(0.0005)

    def read(self, limit):
        ready, _, _ = select.select([self.fd], [], [], limit)
        if not ready:
            return b""
        try:
            data = os.read(self.fd, self.wait_credit())
        except OSError:
            return b""
        self.credit -= len(data)
        self.bytes += len(data)
        whole = self.tail + data
        end = 0
        for mark in MARK.finditer(whole):
            self.seen, self.frames = int(mark[1]), int(mark[2])
            self.bytes -= len(mark[0])
            end = mark.end()
        self.tail = whole[max(end, len(whole) - 64):]
        return data

    def key(self, key, limit=10):
        """Press a key; return the seconds until its frame has arrived completely, or None."""
        self.sent += 1
        began = time.monotonic()
        os.write(self.fd, key)
        while self.seen < self.sent:
            if time.monotonic() > began + limit:
                self.seen = self.sent
                return None
            self.read(0.05)
        return time.monotonic() - began

    def pause(self):
        """Wait a random time, so that keys arrive at any moment between two refreshes."""
        self.drain(random.uniform(0.02, 0.06))


def threads_cpu(pid):
    """Return {thread name: CPU seconds}; the UI thread is "ui"."""
    used = {}
    for tid in os.listdir(f"/proc/{pid}/task"):
        try:
            name = open(f"/proc/{pid}/task/{tid}/comm").read().strip()
            ns = int(open(f"/proc/{pid}/task/{tid}/schedstat").read().split()[0])
        except OSError:
            continue
        name = "ui" if int(tid) == pid else name
        used[name] = used.get(name, 0) + ns / 1e9
    return used


def keys(text):
    return [bytes([c]) for c in text.encode()]


DOWN, UP, PGDN, PGUP = ESC + b"OB", ESC + b"OA", ESC + b"[6~", ESC + b"[5~"
ACTS = {
    "scroll": [DOWN] * 6 + [PGDN] * 4 + [UP] * 4 + [PGUP] * 4,
    "sort": [b">", b"I", b">", b"I", b"<", b"<"],
    "search": [b"/", *keys("read"), b"\r", b"n", b"N", b"n"],
    "filter": [b"\\", *keys("dur > 1ms and comm ~ \"n\""), b"\x03"],
    "detail": [b"d", DOWN, ESC, b"d", ESC],
}
LETTER = {name: name[0].encode() for name in VIEWS}


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def say_times(name, times):
    good = [t for t in times if t is not None]
    late = f", {len(times) - len(good)} without a frame" if len(good) < len(times) else ""
    print(f"  {name:12} {len(times):4} keys   p50 {percentile(good, 0.5) * 1e3:6.1f}   "
          f"p99 {percentile(good, 0.99) * 1e3:6.1f}   longest {max(good) * 1e3:6.1f} ms{late}")


def press_all(screen, acts, times):
    for act in acts:
        for key in ACTS[act]:
            times.setdefault(act, []).append(screen.key(key))
            screen.pause()


def rest(screen, report):
    """Measure the program while no key is pressed."""
    before, cpu = report.read(), threads_cpu(screen.pid)
    began, sent, frames = time.monotonic(), screen.bytes, screen.frames
    screen.drain(REST_S)
    took = time.monotonic() - began
    after, cpu_after = report.read(), threads_cpu(screen.pid)
    return {
        "frames": (screen.frames - frames) / took,
        "kb": (screen.bytes - sent) / took / 1e3,
        "ui": (cpu_after["ui"] - cpu["ui"]) / took * 100,
        "collector": (cpu_after.get("collector", 0) - cpu.get("collector", 0)) / took * 100,
        "calls": (after["calls"] - before["calls"]) / took,
    }


def open_screen(report, *options, line=None, calls=CALLS_PER_S, processes=PROCESSES,
                history=HISTORY_CALLS, size=(40, 120)):
    os.environ.update(BENCH_REPORT=report.file.name, BENCH_PROCESSES=str(processes),
                      BENCH_CALLS_PER_S=str(calls))
    screen = MarkedScreen(PROGRAM, *options, line=line, size=size)
    end = time.monotonic() + 20
    while report.read()["calls"] < history and time.monotonic() < end:
        screen.read(0.05)
    return screen


def say_report(report):
    now = report.read()
    most = {name: now[name] / 1e6 for name in FIELDS if name.endswith("max_ns")}
    print(f"  model lock: held by the UI thread {now['holds']} times, at most "
          f"{most['hold_max_ns']:.2f} ms, {now['holds_over_1ms']} times over 1 ms; waited for at "
          f"most {most['lock_wait_max_ns']:.2f} ms;\n              held by other threads at most "
          f"{most['other_hold_max_ns']:.2f} ms, {now['other_holds_over_1ms']} times over 1 ms")
    if now["behind"]:
        print(f"  the collector was late {now['behind']} times and skipped calls")


def part_interface(_):
    report = Report()
    screen = open_screen(report)
    by_act = {}
    print(f"\nThe interface: {PROCESSES} processes, at least {HISTORY_CALLS} calls in the history, "
          f"{CALLS_PER_S} more per second")
    print("  at rest          frames/s   kB/s   CPU: interface   collector   calls/s     "
          "longest turn")
    for view in [v for v in VIEWS if v[0] in WANTED]:
        by_act.setdefault("views", []).append(screen.key(LETTER[view]))
        screen.drain(1)
        report.forget_longest()
        row = rest(screen, report)
        print(f"  {view:16} {row['frames']:8.1f} {row['kb']:6.1f} {row['ui']:14.1f} % "
              f"{row['collector']:9.1f} % {row['calls']:9.0f} "
              f"{report.read()['turn_max_ns'] / 1e6:12.1f} ms")
    report.forget_longest()
    print("  from a key to its frame, by view, then by action")
    for view in [v for v in VIEWS if v[0] in WANTED]:
        times = {}
        by_act.setdefault("views", []).append(screen.key(LETTER[view]))
        screen.pause()
        press_all(screen, ACTS, times)
        say_times(view, [t for act in times.values() for t in act])
        for act, values in times.items():
            by_act.setdefault(act, []).extend(values)
    for act, values in by_act.items():
        say_times(act, values)
    print(f"  longest turn of the UI loop: {report.read()['turn_max_ns'] / 1e6:.1f} ms")
    say_report(report)
    screen.close()


def part_line(_):
    """Measure the interface on a line of 100 kB/s."""
    report = Report()
    for name, size in (("120x40", (40, 120)), ("400x120", (120, 400))):
        screen = open_screen(report, line=LINE_BYTES_PER_S, size=size)
        print(f"\nOn a line of {LINE_BYTES_PER_S // 1000} kB/s, {name}")
        for view in [v for v in VIEWS if v[0] in WANTED]:
            times = {}
            screen.key(LETTER[view])
            row = rest(screen, report)
            press_all(screen, ("scroll",), times)
            print(f"  {row['frames']:5.1f} frames/s, {row['kb']:6.1f} kB/s")
            say_times(view, [t for act in times.values() for t in act])
        screen.close()


def memory_mib(pid):
    with open(f"/proc/{pid}/smaps_rollup") as lines:
        sizes = {line.split()[0]: line.split()[1] for line in lines if line.endswith("kB\n")}
    return int(sizes["Pss:"]) / 1024


def beside_row(name, argv, text):
    """Print the time until the first frame with `text`, and CPU, output and memory after it."""
    if not shutil.which(argv[0]):
        print(f"  ({argv[0]} is not installed)")
        return
    firsts = []
    for _ in range(3):
        screen = MarkedScreen(*[shutil.which(argv[0]), *argv[1:]])
        firsts.append(screen.until(text))
        if len(firsts) < 3:
            screen.close()
    screen.drain(3)
    began, used, sent = time.monotonic(), screen.cpu(), screen.bytes
    screen.drain(5)
    took = time.monotonic() - began
    print(f"  {name:24} first frame {min(firsts) * 1e3:7.1f} ms   "
          f"{(screen.cpu() - used) / took * 100:5.1f} % of a core   "
          f"{(screen.bytes - sent) / took / 1e3:5.1f} kB/s   {memory_mib(screen.pid):6.0f} MiB")
    screen.close()


def part_beside(_):
    """Compare stxtop, htop and perf top on a machine with 5,000 processes."""
    crowd = subprocess.Popen([str(BUILD / "live" / "crowd"), str(PROCESSES), "1", "0", "1000000"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    crowd.stdout.readline()
    for doing in ("that sleep", "that make eight calls a second each"):
        print(f"\n{PROCESSES} processes {doing}")
        beside_row("stxtop", [STXTOP], b"stxtop")
        beside_row("htop", ["htop"], b"CPU")
        beside_row("perf top", ["perf", "top", "-e", "raw_syscalls:sys_enter"], b"Samples")
        if not crowd.stdin.closed and doing == "that sleep":
            crowd.stdin.write("\n")
            crowd.stdin.flush()
    crowd.stdin.close()
    crowd.wait()
