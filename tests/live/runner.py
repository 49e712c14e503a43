"""Finds the live tests, runs each, counts, and names what failed or was skipped."""

import importlib
import pathlib
import sys
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


# What is done by perf events too where BPF programs are the default.
BY_BOTH_SOURCES = {"test_bad_input", "test_filter", "test_futex", "test_stuck", "test_truth",
                   "test_waits"}


def cases_by_source(patterns):
    for name, function in cases(patterns):
        yield name, function, None
    if not harness.has_bpf():
        return
    for name, function in cases(patterns):
        if name.split(".")[0] in BY_BOTH_SOURCES:
            yield f"{name} (--source perf)", function, "perf"


def main(patterns):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name, function, harness.source in cases_by_source(patterns):
        began = time.monotonic()
        try:
            function()
            counts["passed"] += 1
            if patterns:
                print(f"passed: {name} ({time.monotonic() - began:.1f} s)")
        except harness.Skip as reason:
            counts["skipped"] += 1
            print(f"skipped: {name}: {reason}")
        except Exception:
            counts["failed"] += 1
            print(f"failed: {name}")
            traceback.print_exc(limit=-3, file=sys.stdout)
        finally:
            harness.clean_up()
        sys.stdout.flush()
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
