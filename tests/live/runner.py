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


# All is done by perf events too where BPF programs are the default, but for these: they name
# their source, are of what one source alone does, or of what neither has a part in.
BY_ONE_SOURCE = {"test_access", "test_capture", "test_classes", "test_decode", "test_granted",
                 "test_judge", "test_kernel_structs", "test_pointed", "test_recorded_names",
                 "test_sources", "test_terminal", "test_together", "test_views",
                 "test_worker"}


def cases_by_source(patterns):
    for name, function in cases(patterns):
        yield name, function, None
    if not harness.has_bpf():
        return
    for name, function in cases(patterns):
        if name.split(".")[0] not in BY_ONE_SOURCE:
            yield f"{name} (--source perf)", function, "perf"


# So many are named at the end of a whole run, for who wonders where the time went.
SLOWEST = 12


def main(patterns):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    took = []
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
        took.append((time.monotonic() - began, name))
        sys.stdout.flush()
    if not patterns:
        for seconds, name in sorted(took, reverse=True)[:SLOWEST]:
            print(f"note: {seconds:.1f} s: {name}")
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
