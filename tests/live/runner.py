"""Runs the live tests and prints the result of each, in the line format of tests/check.py.

    runner.py [--long | --all] [--list] [NAME...]

A test is MODULE.FUNCTION, with the suffix @perf for a second run with --source perf. NAME selects
the test of that name, or else all tests whose name contains it. Tests marked @long run only with
--long or --all.
"""

import concurrent.futures
import importlib
import pathlib
import signal
import subprocess
import sys
import threading
import time
import traceback

import harness

HERE = pathlib.Path(__file__).parent
# The tests of these modules choose --source themselves, or do not depend on it.
ONE_SOURCE = {"test_access", "test_capture", "test_classes", "test_decode", "test_granted",
              "test_judge", "test_kernel_structs", "test_perf_recordings", "test_pointed",
              "test_damage", "test_formats", "test_play", "test_recorded_names",
              "test_recordings",
              "test_sources", "test_summaries", "test_terminal", "test_together", "test_tour",
              "test_views", "test_worker", "test_settings", "test_interface", "test_full_disk",
              "test_replays"}
# A test that takes longer counts as hanging: it fails, and its name is reported.
TEST_LIMIT_S = 4 * harness.LIMIT_S
WHY_CHARS = 200  # maximum length of the reason in a failure line; details follow the line
# Modules that change settings of the machine or load all its CPUs: they run alone.
ALONE = ("test_access", "test_containers", "test_drowning", "test_granted", "test_liar",
         "test_owners", "test_refusals", "test_sources")


class Test:
    def __init__(self, module, function, source):
        self.module, self.function, self.source = module, function, source
        self.name = f"{module}.{function.__name__}" + (f"@{source}" if source else "")
        self.long = harness.is_long(function, source)


def tests_of(module):
    """Return the tests of a module in file order, first those with the default source."""
    functions = [value for name, value in vars(importlib.import_module(module)).items()
                 if name.startswith("test_") and callable(value)]
    sources = [None] if module in ONE_SOURCE or not harness.has_bpf() else [None, "perf"]
    return [Test(module, function, source) for source in sources for function in functions]


def select(tests, half, names):
    """Return the tests of a half (long, short; all: both). If there are names, only those tests."""
    known = {test.name for test in tests}
    exact = set(names) & known
    parts = [name for name in names if name not in known]
    return [test for test in tests
            if (half == "all" or test.long == (half == "long")) and
            (not names or test.name in exact or any(part in test.name for part in parts))]


def hangs(*_unused):
    raise AssertionError(f"not finished after {TEST_LIMIT_S} s")


def run_test(test):
    """Run one test in this process and print its line. True if it passed or was skipped."""
    began = time.monotonic()
    harness.source = test.source
    signal.alarm(TEST_LIMIT_S)
    try:
        test.function()
        print(f"passed: {test.name} ({time.monotonic() - began:.1f} s)")
        return True
    except harness.Skip as reason:
        print(f"skipped: {test.name}: {reason}")
        return True
    except Exception as error:  # pylint: disable=broad-except
        # An assertion without a message is reported by its source line.
        why = str(error) or traceback.extract_tb(error.__traceback__)[-1].line
        why = " ".join(why.split())[:WHY_CHARS]
        print(f"failed: {test.name}: {type(error).__name__}: {why}")
        traceback.print_exc(limit=-3, file=sys.stdout)
        return False
    except SystemExit:
        print(f"failed: {test.name}: stopped after {time.monotonic() - began:.1f} s")
        raise
    finally:
        signal.alarm(0)
        harness.clean_up()
        sys.stdout.flush()


def run_here(tests):
    """Run the tests of one module, in the process that run_module() starts."""
    signal.signal(signal.SIGALRM, hangs)
    signal.signal(signal.SIGTERM, lambda *unused: sys.exit(1))
    return all([run_test(test) for test in tests])


class Run:
    """Starts a process per module and source and prints its lines as they come."""

    def __init__(self):
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}
        self.lock = threading.Lock()
        self.processes = set()
        self.stopped = False

    def stop(self, *_unused):
        """Terminate the running modules; each reports its current test as failed."""
        self.stopped = True
        for process in list(self.processes):
            process.terminate()

    def run_module(self, tests):
        if self.stopped:
            return
        with subprocess.Popen(
                [sys.executable, "-B", __file__, "--here", *(test.name for test in tests)],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                errors="replace") as process:
            self.processes.add(process)
            left = {test.name for test in tests}
            lines = []
            for line in process.stdout:
                # A result is followed by the lines of its details: print them together.
                if line.startswith(("passed: ", "failed: ", "skipped: ")):
                    left.discard(self.show(lines))
                    lines = []
                lines.append(line)
            left.discard(self.show(lines))
        self.processes.discard(process)
        if left and not self.stopped:
            self.show([f"failed: {name}: its process ended with status {process.returncode}\n"
                       for name in sorted(left)])

    def show(self, lines):
        """Print the lines; return the name of the test in the first one."""
        with self.lock:
            for line in lines:
                kind, colon, _ = line.partition(": ")
                if colon and kind in self.counts:
                    self.counts[kind] += 1
                sys.stdout.write(line)
            sys.stdout.flush()
        return lines[0].split()[1].rstrip(":") if lines and ": " in lines[0] else None

    def run(self, tests):
        signal.signal(signal.SIGTERM, self.stop)
        jobs = {}
        for test in tests:
            jobs.setdefault((test.module, test.source), []).append(test)
        for (module, _), job in jobs.items():
            if module in ALONE:
                self.run_module(job)
        with concurrent.futures.ThreadPoolExecutor(harness.LANES) as pool:
            for (module, _), job in jobs.items():
                if module not in ALONE:
                    pool.submit(self.run_module, job)
        return not self.counts["failed"]


def modules(names):
    """Return the modules of the named tests if all names are full names; otherwise all modules."""
    every = sorted(path.stem for path in HERE.glob("test_*.py"))
    named = {name.split(".")[0] for name in names}
    return [m for m in every if m in named] if names and named <= set(every) else every


def main(arguments):
    options = [a for a in arguments if a.startswith("--")]
    names = [a for a in arguments if not a.startswith("--")]
    here = "--here" in options
    half = "all" if here or "--all" in options else "long" if "--long" in options else "short"
    tests = select([test for module in modules(names) for test in tests_of(module)], half, names)
    if "--list" in options:
        print("\n".join(test.name for test in tests))
        return 0
    if here:
        return 0 if run_here(tests) else 1
    run = Run()
    passed = run.run(tests)
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**run.counts))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
