#!/usr/bin/env python3
"""Run test suites and print a summary.

    BUILD=build tests/check.py [--long] SUITE...

A suite is tests/NAME/run, tests/NAME.sh or the program $BUILD/NAME, the first that exists. It
prints a line per finished test,

    passed: NAME (1.2 s)      failed: NAME: WHY      skipped: NAME: WHY

the details after each failure, and "N passed, N failed, N skipped" last. Arguments select tests
whose name contains one of them; --list prints the names. The suites in LONG run their long tests
with --long, and the short ones without.

All output goes to $BUILD/check.log. A terminal shows one line of progress, a pipe one line per
suite. TEST=TEXT runs the tests whose name contains it, of all suites, short and long.

A live or screen test that fails runs again, alone, after its suite. If it passes then, it is
listed as flaky and counts as passed; more than FLAKY_MAX flaky tests fail the run.
"""

import collections
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True

from machine import Machine, reap_orphans  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = os.environ.get("BUILD", "build")
SAN = os.environ.get("SAN", "")
# Limits for a suite that hangs: at least twice its time on a slow or busy machine.
LIMITS_S = {"lint": 300, "unit": 600, "replay": 120, "screens": 300, "live": 1500,
            "sandbox": 1200}
LONG_LIMITS_S = {"live": 5400}
LIMIT_S = 3600
LONG = ("live",)
RERUN = ("live", "screens")
FLAKY_MAX = 5
GRACE_S = 10
DETAIL_LINES = 40
NAMES_MAX = 20
WHY_CHARS = 300
LINE = re.compile(r"(passed|failed|skipped): (\S+?)(?:: (.*)| \(([\d.]+) s\))?$")
SUM = re.compile(r"\d+ passed, \d+ failed, \d+ skipped$")

Outcome = collections.namedtuple("Outcome", "kind why details", defaults=("", ()))


class Stopped(Exception):
    """Raised by Ctrl-C or a signal that ends the run."""


def stop(*_unused):
    raise Stopped


def settle_environment():
    """Make locale, terminal and settings of other programs the same for every user."""
    os.environ.update(BUILD=BUILD, SAN=SAN, LC_ALL="C.UTF-8")
    for name in ("LANGUAGE", "COLORFGBG", "COLORTERM", "NO_COLOR", "COLUMNS", "LINES", "TMUX",
                 "STY", "TERM_PROGRAM", "SUDO_USER", "DEBUGINFOD_URLS", "DEBUGINFOD_CACHE_PATH",
                 "PERF_CONFIG", "TEST", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        os.environ.pop(name, None)
    os.environ.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
    os.environ.setdefault("TSAN_OPTIONS", "exitcode=66:second_deadlock_stack=1")
    # Limits of unit tests are for tests that hang, not for a slow or busy machine.
    os.environ["CK_TIMEOUT_MULTIPLIER"] = "16" if SAN else "8"


class Display:
    """Prints a line of progress, only on a terminal, and permanent lines."""

    def __init__(self):
        self.live = sys.stdout.isatty()

    def progress(self, text):
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\033[K{text[:width]}", end="", flush=True)

    def say(self, text):
        if self.live:
            print("\r\033[K", end="")
        print(text, flush=True)


class Suite:
    """One suite, and the results of its tests."""

    def __init__(self, name, log, display, long=False):
        self.name, self.log, self.display = name, log, display
        self.command = self.find_command()
        self.half = ["--long"] if long and name in LONG else []
        self.selected = []  # names; empty: all tests of `half`
        self.outcomes = {}  # by name
        self.flaky = {}     # name: reason of the first failure
        self.took_s = 0.0

    @property
    def limit_s(self):
        limits = LONG_LIMITS_S if self.half else LIMITS_S
        return int(os.environ.get("SUITE_SECONDS", limits.get(self.name, LIMIT_S)))

    def find_command(self):
        launcher = ["setarch", "-R"] if SAN == "thread" else []
        for path in (f"tests/{self.name}/run", f"tests/{self.name}.sh", f"{BUILD}/{self.name}"):
            if os.access(ROOT / path, os.X_OK):
                return launcher + [str(ROOT / path)]
        return None

    def full(self, name):
        return f"{self.name}/{name}"

    def names(self, half):
        result = subprocess.run(self.command + half + ["--list"], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=self.log, text=True, cwd=ROOT,
                                timeout=self.limit_s, check=False)
        return result.stdout.split()

    def select(self, text):
        """Select the tests whose name contains the text; false if there are none."""
        self.half = ["--all"] if self.name in LONG else []
        self.selected = [n for n in self.names(self.half) if text in self.full(n)]
        return bool(self.selected)

    def run(self):
        began = time.monotonic()
        wanted = self.selected or self.names(self.half)
        status = self.follow(self.half + self.selected, wanted)
        left = [n for n in wanted if n not in self.outcomes]
        if status is None:
            for name in left:
                self.outcomes[name] = Outcome("failed", f"not finished after {self.limit_s} s")
        elif status != 0 and not self.failed():
            self.outcomes["run"] = Outcome("failed", f"exit status {status}, no test failed")
        elif not self.outcomes:
            self.outcomes["run"] = Outcome("failed", f"no test ran (exit status {status})")
        if self.name in RERUN and status is not None:
            self.run_again()
        self.took_s = time.monotonic() - began

    def run_again(self):
        """Run each failed test once more, alone."""
        half = ["--all"] if self.name in LONG else []
        for name in self.failed():
            first = self.outcomes.pop(name)
            self.write(f"again: {self.full(name)}")
            self.follow([*half, name], [name], only=name)
            again = self.outcomes.get(name)
            if again and again.kind == "passed":
                self.flaky[name] = first.why
            else:
                self.outcomes[name] = first

    def write(self, text):
        self.log.write(text + "\n")
        self.log.flush()

    def follow(self, arguments, wanted, only=None):
        """Run the command and store the outcomes. Return the exit status, or None on timeout."""
        began = time.monotonic()
        until = began + self.limit_s
        reader = open(self.log.name, errors="replace")
        reader.seek(0, os.SEEK_END)
        # Background jobs of a shell without job control ignore these signals; a suite must not.
        process = subprocess.Popen(
            self.command + arguments, stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=subprocess.STDOUT, cwd=ROOT, start_new_session=True,
            preexec_fn=lambda: [signal.signal(s, signal.SIG_DFL)
                                for s in (signal.SIGINT, signal.SIGQUIT)])
        parse = Parser(self.outcomes, only)
        try:
            while process.poll() is None and time.monotonic() < until:
                parse.feed(reader.read())
                self.show(parse, wanted, began)
                reap_orphans(process.pid)
                time.sleep(0.1)
        finally:
            timed_out = process.poll() is None
            if timed_out:
                end(process)
            parse.feed(reader.read())
            reader.close()
        return None if timed_out else process.returncode

    def show(self, parse, wanted, began):
        failed = len(self.failed())
        self.display.progress(
            f"{self.name} {len(self.outcomes)}/{len(wanted)} {time.monotonic() - began:.0f} s" +
            (f"  {failed} failed" if failed else "") + f"  {parse.last}")

    def failed(self):
        return [name for name, outcome in self.outcomes.items() if outcome.kind == "failed"]

    def count(self, kind):
        return sum(outcome.kind == kind for outcome in self.outcomes.values())

    def report(self):
        for name in self.failed()[:NAMES_MAX]:
            outcome = self.outcomes[name]
            self.display.say(f"failed: {self.full(name)}: {outcome.why[:WHY_CHARS]}")
            for line in outcome.details[:DETAIL_LINES]:
                self.display.say(f"    {line}")
            if len(outcome.details) > DETAIL_LINES:
                self.display.say(f"    … {len(outcome.details) - DETAIL_LINES} more lines in "
                                 f"{BUILD}/check.log")
            self.display.say("    run it alone: make check "
                             f"TEST={shlex.quote(self.full(name))}")
        if len(self.failed()) > NAMES_MAX:
            self.display.say("also failed: " + ", ".join(self.failed()[NAMES_MAX:]))
        self.display.say(f"{self.name}: {self.count('passed')} passed, "
                         f"{self.count('failed')} failed, {self.count('skipped')} skipped "
                         f"({self.took_s:.0f} s)")


class Parser:
    """Turns the output of a suite into outcomes."""

    def __init__(self, outcomes, only):
        self.outcomes, self.only = outcomes, only
        self.rest = ""
        self.last = ""      # name of the last finished test
        self.details = None  # lines of the last failure

    def feed(self, text):
        *lines, self.rest = (self.rest + text).split("\n")
        for line in lines:
            self.take(line)

    def take(self, line):
        match = LINE.match(line)
        if not match:
            if self.details is not None and not SUM.match(line) and \
                    not line.startswith("note: "):
                self.details.append(line)
            return
        kind, name, why = match.group(1), match.group(2), match.group(3) or ""
        self.details = [] if kind == "failed" else None
        self.last = name
        if self.only and name != self.only:
            return
        known = self.outcomes.get(name)
        # Several tests can share a name: a pass does not replace the failure of another.
        if not known or known.kind != "failed":
            self.outcomes[name] = Outcome(kind, why, () if self.details is None
                                          else self.details)


def end(process):
    """End the process group of a suite, first with SIGTERM, so that it can clean up."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(GRACE_S)
            return
        except subprocess.TimeoutExpired:
            pass
        except ProcessLookupError:
            process.wait()
            return


def check_machine(machine, log, display):
    """Run the last suite, which checks that the state of the machine is unchanged."""
    suite = Suite("machine", log, display)
    for name, wrong in machine.compare():
        suite.outcomes[name] = Outcome("failed", "; ".join(wrong)) if wrong else \
            Outcome("passed")
        suite.write(f"{suite.outcomes[name].kind}: machine/{name}: {'; '.join(wrong)}")
    suite.report()
    return suite


def run_suites(names, text, long, log, display):
    suites = []
    for name in names:
        suite = Suite(name, log, display, long)
        suites.append(suite)
        if not suite.command:
            suite.outcomes["run"] = Outcome("failed", f"there is no suite {name}")
            suite.report()
            continue
        if text and not suite.select(text):
            suites.pop()
            continue
        suite.write(f"\n==== {name}")
        suite.run()
        suite.report()
    return suites


def sum_up(suites, text, display):
    flaky = {suite.full(name): why for suite in suites for name, why in suite.flaky.items()}
    failed = sum(suite.count("failed") for suite in suites)
    skipped = sum(suite.count("skipped") for suite in suites)
    passed = sum(suite.count("passed") for suite in suites)
    if text and passed + failed + skipped == 0:
        display.say(f"failed: check: no test name contains {text!r}")
        failed = 1
    for suite in suites:
        if suite.took_s > suite.limit_s / 2:
            display.say(f"note: {suite.name} took more than half of its limit, "
                        f"{suite.limit_s} s")
    if len(flaky) > FLAKY_MAX:
        display.say(f"failed: check: {len(flaky)} flaky tests, at most {FLAKY_MAX} are accepted")
        failed += 1
    if skipped:
        display.say(f"note: grep ^skipped: {BUILD}/check.log lists skipped tests with reasons")
    for name, why in flaky.items():
        display.say(f"flaky: {name}: {why[:WHY_CHARS]}")
    display.say(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed else 1


def main(arguments):
    long = arguments[:1] == ["--long"]
    text = os.environ.get("TEST", "")
    display = Display()
    settle_environment()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    os.chdir(ROOT)
    with open(f"{BUILD}/check.log", "w", errors="replace") as log, Machine(ROOT) as machine:
        suites = run_suites(arguments[long:], text, long, log, display)
        if suites:
            suites.append(check_machine(machine, log, display))
        return sum_up(suites, text, display)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Stopped:
        sys.exit(130)
