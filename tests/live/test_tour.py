"""Opens every view by its key while a program with known system calls runs.

Views are opened in several orders, system-wide and with -p, with BPF programs and with perf
events. Each must show the program's calls within SHOWN_S, and again after a filter, a pause, `0`,
a resize, and after opening a recording. On a busy machine the limit is multiplied.
"""

import functools
import os
import re
import subprocess
import time

from harness import (STXTOP, folder, has_bpf, long, need_tracing, program, skip, start, stxtop,
                     wait_until)
from terminal import Terminal

SHOWN_S = 3
PATIENCE_MAX = 20
# Screen sizes. Most processes and threads of a machine fit; a search finds rows below.
SIZE, OTHER_SIZE = (150, 500), (180, 400)
SOURCES = ("bpf", "perf")
SCOPES = ("all", "pid")
ORDERS = {"upward": "123456789UM", "downward": "MU987654321", "mixed": "6M3815U9274"}
# Rows of --access that must be permitted.
NEEDED = {"all": "system calls of every process", "pid": "system calls of your own processes"}


def patience():
    """Return the factor for SHOWN_S, 1 to PATIENCE_MAX: runnable threads per CPU, now or over the
    last minute, whichever is more. With sanitizers, return three times as much."""
    load, _, _, running, _ = open("/proc/loadavg").read().split()
    wanted = max(float(load), int(running.split("/")[0])) / os.cpu_count()
    return min(max(wanted, 1), PATIENCE_MAX) * (3 if os.environ.get("SAN") else 1)


@functools.cache
def access():
    return stxtop("--access").out


def need(source, scope):
    need_tracing()
    if source == "bpf" and not has_bpf():
        skip("BPF programs cannot be loaded here")
    if f"yes  {NEEDED[scope]}" not in access():
        skip(f"no {NEEDED[scope]}: no permission for perf_event_open()")


class Known:
    """The program, and the patterns that match it in each view."""

    def __init__(self):
        # The table of files shows this path, which no other program uses.
        self.file = folder() / "tour.data"
        process = start(program("tour"), self.file, stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"ready\n", "the program did not start"
        self.pid = process.pid

    def of(self, view, scope, stands, against):
        """Return patterns that must all be on the screen."""
        # System-wide, a paused display has the last calls of any process.
        calls = r"^ *\d+\.\d{6} +\S+ \S+/\d+ +\w+\(" if (scope, stands) == ("all", True) else \
            r"^ *\d+\.\d{6} +\S+ tour\w+/\d+ +\w+\("
        # System-wide, the heaviest stacks may be those of other programs.
        frames = r"\[kernel\]$" if scope == "all" else r"(hold|wait_for)_tour_lock"
        return {
            "1": (r"^ Processes [1-9].*Calls", rf"^ *{self.pid} tour "),
            "2": (r"^ Processes [1-9].*tree, by", rf"^ *{self.pid} .* tour "),
            "3": (r"^ System calls [1-9]", r"^getppid +\d", r"^futex +\d", r"^openat +\d"),
            "4": (r"^ Calls( and \d+ tracepoints?)? ─", calls),
            "5": (r"^ In flight [1-9]", r"^.* toursleeper/\d+ .* clock_nanosleep\("),
            "6": (r"^ Futexes [1-9]", rf"^tour/{self.pid} +tour_lock "),
            "7": (r"^ Files [1-9]", rf"^\S*{self.file.name} ", r"^pipe:\[\d+\] "),
            "8": (r"^ Stacks [1-9]\d*: blocked", frames),
            "9": (r"^ Latency, .* at most \S+ calls in a cell",),
            "U": (r"^ Changes of [1-9]", r"^getppid +\S") if against else
                 (r"^ Changes", r"nothing to compare with"),
            "M": (r"^ Access", r"^ *yes +"),
        }[view]

    def sought(self, view):
        """Return a search text for a row that may be out of sight in a long table."""
        return {"1": str(self.pid), "2": str(self.pid), "5": "toursleeper", "6": "tour_lock",
                "7": self.file.name}.get(view)


class Tour:
    """A terminal that runs one session, or several in sequence."""

    def __init__(self, known, source, scope, *lines):
        """lines: arguments of each session; default: one session."""
        self.known, self.scope = known, scope
        self.options = f"--source {source}" + (f" -p {known.pid}" if scope == "pid" else "")
        lines = lines or ("{}",)
        sessions = "; ".join(f"{STXTOP} {line.format(self.options)}" for line in lines)
        self.terminal = Terminal("sh", "-c", sessions, size=SIZE)
        self.where = ""

    def __enter__(self):
        self.wait("start", r"\A.* LIVE")
        return self

    def __exit__(self, *_unused):
        self.terminal.close()

    def missing(self, patterns):
        """Return the missing patterns, plus the age of the data if too old, and the screen."""
        screen = self.terminal.screen()
        gone = [p for p in patterns if not re.search(p, screen, re.MULTILINE)]
        age = re.search(r"\A.* (\d+) s old", screen)
        if age and int(age[1]) > SHOWN_S * patience():
            gone.append(age[0].split("  ")[-1])
        return gone, screen

    def wait(self, what, *patterns, sought=None):
        began, limit = time.monotonic(), SHOWN_S
        search_at = began + 1
        while True:
            gone, screen = self.missing(patterns)
            if not gone:
                return
            limit = max(limit, SHOWN_S * patience())
            if sought and patterns[0] not in gone and time.monotonic() > search_at:
                self.terminal.keys("-l", "/" + sought)
                self.terminal.keys("Enter")
                search_at = time.monotonic() + 1
            if time.monotonic() - began > limit:
                head = "\n".join(screen.splitlines()[:20])
                raise AssertionError(f"{self.where}{what}: {gone} not within {limit:.0f} s in\n"
                                     f"{head}")
            time.sleep(0.02)

    def visit(self, when, views, scope=None, stands=False, against=False):
        for view in views:
            self.where = f"{when}, "
            self.terminal.keys("-l", view)
            self.wait(f"view {view}", *self.known.of(view, scope or self.scope, stands, against),
                      sought=self.known.sought(view))

    def press(self, when, key, *patterns):
        self.where = ""
        self.terminal.keys(*key)
        self.wait(when, *patterns)

    def pause(self):
        self.press("pause", ["Space"], r"\A.* PAUSED")

    def resume(self):
        self.press("end of the pause", ["Space"], r"\A.* LIVE")

    def filter(self):
        self.terminal.keys("\\")
        self.terminal.keys("-l", f"pid == {self.known.pid}")
        self.press("filter", ["Enter"], rf"^ ?Filter .*pid == {self.known.pid}")

    def drop_filter(self):
        self.terminal.keys("DC")
        wait_until(lambda: not re.search(r"^ ?Filter ", self.terminal.screen(), re.MULTILINE),
                   what="the filter is removed")

    def resize(self, size):
        self.terminal.tmux("resize-window", "-x", str(size[0]), "-y", str(size[1]))
        # The last row shows the keys, in the new size.
        wait_until(lambda: "Help" in (self.terminal.screen().splitlines() or [""])[-1] and
                   self.terminal.format("#{pane_width}") == str(size[0]), what="the new size")

    def leave(self):
        self.terminal.keys("q")


def tour(source, scope, order):
    need(source, scope)
    with Tour(Known(), source, scope) as session:
        session.visit("at first", ORDERS[order])


def again(source, scope, order):
    """Visit all views after each change of the display, each time in another order."""
    need(source, scope)
    orders = list(ORDERS.values())
    at = list(ORDERS).index(order)
    orders = orders[at:] + orders[:at]
    with Tour(Known(), source, scope) as session:
        session.filter()
        session.visit("with a filter", orders[0], scope="pid")
        session.drop_filter()
        session.visit("after a filter", orders[0])
        session.pause()
        session.visit("in a pause", orders[1], stands=True)
        session.resume()
        session.visit("after a pause", orders[2])
        session.press("zero", ["0"], r"Totals set to zero")
        session.visit("after 0", orders[0])
        session.resize(OTHER_SIZE)
        session.visit("in another size", orders[1])
        session.resize(SIZE)
        session.visit("in the first size", orders[2])


def paused(source, scope, order):
    """Only the first view was open before the pause; a filter then rebuilds all views."""
    need(source, scope)
    with Tour(Known(), source, scope) as session:
        session.visit("at first", "1")
        session.pause()
        session.visit("first opened in a pause", ORDERS[order], stands=True)
        session.filter()
        session.visit("with a filter in a pause", ORDERS[order], scope="pid", stands=True)
        session.resume()
        session.visit("after the pause", ORDERS[order], scope="pid")


def recorded(source):
    """Three sessions: one records, one shows the recording, one compares live calls with it."""
    need(source, "pid")
    path = folder() / "tour.stxtop"
    with Tour(Known(), source, "pid", "{} -o " + str(path), f"-i {path}",
              "{} --against " + str(path)) as session:
        session.visit("while it is recorded", ORDERS["upward"])
        session.leave()
        session.wait("recording", r"\A.*tour\.stxtop")
        session.visit("in a recording", "3461278495", stands=True)
        session.leave()
        session.wait("session after the recording", r"\A.* LIVE")
        session.visit("after a recording", ORDERS["mixed"], against=True)


def add(name, function, *arguments):
    def test():
        function(*arguments)
    test.__name__ = f"test_{name}"
    globals()[test.__name__] = test
    return test


for _source in SOURCES:
    for _scope in SCOPES:
        for _order in ORDERS:
            add(f"{_order}_{_scope}_by_{_source}", tour, _source, _scope, _order)
for _number, (_source, _scope) in enumerate((s, t) for s in SOURCES for t in SCOPES):
    _order = list(ORDERS)[_number % len(ORDERS)]
    long(add(f"again_{_scope}_by_{_source}", again, _source, _scope, _order))
    add(f"paused_{_scope}_by_{_source}", paused, _source, _scope, _order)
for _name in ("paused_pid_by_bpf", "paused_all_by_perf"):
    long(globals()[f"test_{_name}"])
for _source in SOURCES:
    add(f"after_a_recording_by_{_source}", recorded, _source)
