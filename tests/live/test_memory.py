"""Each failing allocation ends stxtop with a message, or does no harm.

Tries a sample of the allocations of a run, or all if STXTOP_ALL_ALLOCATIONS is set."""

import os
import pathlib

from harness import BUILD, STXTOP, folder, long, need_tracing, run, skip

TRIED = 40


def preload():
    if os.environ.get("SAN"):
        skip("sanitizers replace the allocator")
    archive = pathlib.Path("/usr/lib/x86_64-linux-gnu/libtraceevent.a")
    if not archive.exists():
        skip("libtraceevent is linked dynamically: no static library here")
    return str(BUILD / "live" / "fail_alloc.so")


def with_failure(library, number, *arguments):
    count = folder() / "count"
    environment = dict(os.environ, LD_PRELOAD=library, FAIL_ALLOC=str(number),
                       FAIL_ALLOC_COUNT=str(count))
    result = run(STXTOP, *arguments, env=environment)
    return result, count


def check(*arguments):
    library = preload()
    result, count = with_failure(library, 0, *arguments)
    assert result.status == 0, result
    total = int(count.read_text())
    assert total > 100, total
    step = 1 if os.environ.get("STXTOP_ALL_ALLOCATIONS") else total // TRIED
    said = 0
    for number in range(1 + os.getpid() % step, total + 1, step):
        result, _ = with_failure(library, number, *arguments)
        assert result.status in (0, 1), (number, result)
        if result.status:
            assert result.err.startswith("stxtop: "), (number, result.err)
            said += 1
    assert said


@long
def test_allocation_failures_with_a_recording_are_reported():
    check("--demo", "-b", "-s")


@long
def test_allocation_failures_of_a_live_run_are_reported():
    need_tracing()
    check("-b", "-w", folder() / "lines", "--", "true")
