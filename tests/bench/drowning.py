"""The interface while processes start and calls are made as fast as the machine can."""

import ctypes
import os
import re
import signal
import statistics
import subprocess
import sys
import time

from measure import STXTOP
from screen import Screen

# Six shells that start ten processes at a time forever, and two dd that only make calls.
SHELL = "while :; do for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true & done; wait; done"
DD = "exec dd if=/dev/zero of=/dev/null bs=1 status=none"
VIEWS = ("overview", "processes", "syscalls", "calls", "blocked", "futexes", "files", "stacks",
         "latency")
F1 = b"\x1bOP"
# Texts at the top of help pages. One is not enough, as ncurses does not rewrite equal cells.
HELP = (b"closes", b"Moving", b"first row", b"half a page", b"next pane")
PRESSES = 30
QUITS = 10
# Seconds per view. DROWN=900 continues for 15 minutes, with the memory printed at MEMORY_AT_S.
VIEW_S = float(os.environ.get("VIEW_S", "5"))
SECONDS = float(os.environ.get("DROWN", "0"))
MEMORY_AT_S = (60, 300, 900, 3600)
MOVE = re.compile(rb"\x1b\[(\d+)(?:;\d+H|d)")
TABLE_ROWS = range(4, 38)


PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def end_with_us():
    """Kill the load when this process ends."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def storm():
    return [subprocess.Popen(["nice", "-n", str(-os.nice(0)), "bash", "-c", line],
                             start_new_session=True, preexec_fn=end_with_us)
            for line in [SHELL] * 6 + [DD] * 2]


def calm(running):
    for process in running:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def memory_mb(pid):
    with open(f"/proc/{pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000


def changes_table(text):
    return any(int(row) in TABLE_ROWS for row in MOVE.findall(text))


def ages(screen, seconds):
    """Return the seconds between changes below the header."""
    end = last = time.monotonic()
    end += seconds
    stood = []
    while time.monotonic() < end:
        if changes_table(screen.read(0.05)):
            stood.append(time.monotonic() - last)
            last = time.monotonic()
    return stood + [time.monotonic() - last]


def key_times(screen):
    took = []
    for _ in range(PRESSES):
        took.append(screen.press(F1, HELP, 5))
        screen.drain(0.02)
        # Close the page and wait: ncurses writes only the text that changes on the screen.
        os.write(screen.fd, b"\x1b")
        screen.drain(0.2)
    return sorted(took)


def at_most(took, share):
    return took[min(len(took) - 1, int(len(took) * share))]


def look_at(screen, number, name):
    os.write(screen.fd, str(number).encode())
    screen.drain(1)
    used, began = screen.cpu(), time.monotonic()
    stood = ages(screen, VIEW_S)
    share = (screen.cpu() - used) / (time.monotonic() - began)
    keys = key_times(screen)
    print(f"  {number} {name:12} {statistics.mean(stood):6.2f} {max(stood):8.2f} "
          f"{at_most(keys, 0.5) * 1e3:9.1f} {at_most(keys, 0.99) * 1e3:8.1f} {share * 100:8.1f} "
          f"{memory_mb(screen.pid):8.0f} {os.getloadavg()[0]:6.0f}", flush=True)


def descendants(pid):
    """Return the pids of all descendants; any thread can have forked them."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children") as children:
            for child in children.read().split():
                found += [int(child)] + descendants(int(child))
    return found


def quit_time(stops):
    """Return the seconds from q to the exit. stops: stop all helper processes before q."""
    screen = Screen("/usr/bin/nice", "-n", str(-os.nice(0)), STXTOP)
    screen.until(b"stxtop")
    screen.drain(1.5)
    helpers = descendants(screen.pid) if stops else []
    for helper in helpers:
        os.kill(helper, signal.SIGSTOP)
    began = time.monotonic()
    os.write(screen.fd, b"q")
    while not screen.ended() and time.monotonic() - began < 20:
        screen.read(0.002)
    took = time.monotonic() - began
    for helper in helpers:
        try:
            os.kill(helper, signal.SIGCONT)
        except ProcessLookupError:
            pass
    os.close(screen.fd)
    return took


def quits():
    for stops, what in (False, "q to the end"), (True, "all helpers stopped"):
        took = sorted(quit_time(stops) for _ in range(QUITS))
        print(f"  {what:20} p50 {at_most(took, 0.5) * 1e3:5.0f} ms, longest of {QUITS}: "
              f"{took[-1] * 1e3:5.0f} ms", flush=True)


def part_drowning(_):
    """Measure with a high priority: otherwise this process waits for a CPU itself."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        os.nice(-19)
    except PermissionError:
        print("\nNot root: the times include delays of this measurement itself")
    screen = Screen("/usr/bin/nice", "-n", str(-os.nice(0)), STXTOP)
    screen.until(b"stxtop")
    screen.drain(2)
    running = storm()
    began = time.monotonic()
    try:
        print("\nSix shells that start ten processes at a time, two dd bs=1; s, ms, % of a CPU, MB")
        print(f"  {'view':14} {'stale':>6} {'longest':>8} {'key p50':>9} {'p99':>8} "
              f"{'CPU':>8} {'memory':>8} {'load':>6}")
        for number, name in enumerate(VIEWS, 1):
            look_at(screen, number, name)
        for at in MEMORY_AT_S:
            if at > SECONDS:
                break
            screen.drain(max(0.0, began + at - time.monotonic()))
            print(f"  {'memory after':14} {at:6} s {memory_mb(screen.pid):8.0f} MB", flush=True)
        quits()
    finally:
        calm(running)
        screen.close()
        os.setpriority(os.PRIO_PROCESS, 0, 0)
