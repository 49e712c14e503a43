"""Finds the live tests, runs each, counts, and names what failed or was skipped."""

import concurrent.futures
import importlib
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import traceback

import harness


def cases(patterns):
    here = pathlib.Path(__file__).parent
    for path in sorted(here.glob("test_*.py")):
        module = importlib.import_module(path.stem)
        for name, function in list(vars(module).items()):
            full = f"{path.stem}.{name}"
            if name.startswith("test_") and callable(function):
                if not patterns or any(p in full for p in patterns):
                    yield full, function


# All is done by perf events too where BPF programs are the default, but for these: they name
# their source, are of what one source alone does, or of what neither has a part in.
BY_ONE_SOURCE = {"test_access", "test_capture", "test_classes", "test_decode", "test_granted",
                 "test_judge", "test_kernel_structs", "test_perf_recordings", "test_pointed",
                 "test_damage", "test_formats", "test_play", "test_recorded_names",
                 "test_recordings",
                 "test_sources", "test_summaries", "test_terminal", "test_together", "test_views",
                 "test_worker", "test_settings", "test_interface", "test_full_disk",
                 "test_replays"}


def cases_by_source(patterns):
    for name, function in cases(patterns):
        yield name, function, None
    if not harness.has_bpf():
        return
    for name, function in cases(patterns):
        if name.split(".")[0] not in BY_ONE_SOURCE:
            yield f"{name} (--source perf)", function, "perf"


# One that takes so long is stuck, and fails by name, so that the others are not stopped with it.
TEST_LIMIT_S = 4 * harness.LIMIT_S
# Of the reason that a failure is told with in its line; the whole of it is below.
WHY_CHARS = 200
# So many are named at the end of a whole run, for who wonders where the time went.
SLOWEST = 12
# These change settings of the machine, which others must not find changed, or load both of its
# CPUs.
ALONE = ("test_access", "test_containers", "test_drowning", "test_granted", "test_liar",
         "test_owners", "test_refusals", "test_sources")
# These take longest: the others find room beside them.
FIRST = ("test_judge", "test_decode", "test_stacks", "test_filter_truth")


def stuck(*unused):
    raise AssertionError(f"no end in {TEST_LIMIT_S} s")


def run_cases(patterns, source):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    signal.signal(signal.SIGALRM, stuck)
    signal.signal(signal.SIGTERM, lambda *unused: sys.exit(1))
    for name, function, harness.source in cases_by_source(patterns):
        if source and (harness.source or "auto") != source:
            continue
        began = time.monotonic()
        signal.alarm(TEST_LIMIT_S)
        try:
            function()
            counts["passed"] += 1
            print(f"passed: {name} ({time.monotonic() - began:.1f} s)")
        except harness.Skip as reason:
            counts["skipped"] += 1
            print(f"skipped: {name}: {reason}")
        except Exception as error:
            counts["failed"] += 1
            # The line of it where nothing was said.
            why = str(error) or traceback.extract_tb(error.__traceback__)[-1].line
            why = " ".join(why.split())[:WHY_CHARS]
            print(f"failed: {name}: {type(error).__name__}: {why}")
            traceback.print_exc(limit=-3, file=sys.stdout)
        except SystemExit:
            print(f"failed: {name}: it was to stop after {time.monotonic() - began:.1f} s")
            raise
        finally:
            signal.alarm(0)
            harness.clean_up()
        sys.stdout.flush()
    return counts


def modules():
    """(module, source) of all there is, the longest first."""
    found = []
    for path in sorted(pathlib.Path(__file__).parent.glob("test_*.py")):
        found.append((path.stem, "auto"))
        if harness.has_bpf() and path.stem not in BY_ONE_SOURCE:
            found.append((path.stem, "perf"))
    return sorted(found, key=lambda job: FIRST.index(job[0]) if job[0] in FIRST else len(FIRST))


class Whole:
    """All modules, each in a process of its own, two at a time but for those alone."""

    def __init__(self):
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}
        self.took = []
        self.lock = threading.Lock()
        self.stopped = False

    def stop(self, *unused):
        """The modules that run are told the same, and say what they were at."""
        self.stopped = True

    def run(self, job):
        module, source = job
        if self.stopped:
            return
        one = subprocess.run([sys.executable, "-B", __file__, "--module", module, source],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             errors="replace", check=False)
        lines = one.stdout.splitlines()
        last = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped",
                            lines[-1] if lines else "")
        with self.lock:
            for line in lines[:-1] if last else lines:
                passed = re.fullmatch(r"passed: (.*) \(([\d.]+) s\)", line)
                if passed:
                    self.took.append((float(passed[2]), passed[1]))
                else:
                    print(line)
            if last:
                for key, value in zip(self.counts, last.groups()):
                    self.counts[key] += int(value)
            else:
                self.counts["failed"] += 1
                print(f"failed: {module}: it ended with status {one.returncode}")
            sys.stdout.flush()

    def run_all(self):
        signal.signal(signal.SIGTERM, self.stop)
        jobs = modules()
        for job in jobs:
            if job[0] in ALONE:
                self.run(job)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for job in jobs:
                if job[0] not in ALONE:
                    pool.submit(self.run, job)
        for seconds, name in sorted(self.took, reverse=True)[:SLOWEST]:
            print(f"note: {seconds:.1f} s: {name}")
        return self.counts


def main(arguments):
    if arguments[:1] == ["--module"]:
        counts = run_cases([arguments[1] + "."], arguments[2])
    elif arguments:
        counts = run_cases(arguments, None)
    else:
        counts = Whole().run_all()
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
