"""A time namespace has its own CLOCK_MONOTONIC: shown times are those of the initial namespace."""

import json
import time

from harness import STXTOP, folder, need, need_tracing, of_type, run, skip

OFFSET_S = 100000


def moved(*argv, **options):
    return run("unshare", "-T", "--monotonic", OFFSET_S, *argv, **options)


def check(argv):
    path = folder() / "out.json"
    before = time.monotonic_ns()
    result = argv(path)
    after = time.monotonic_ns()
    assert result.status == 0, result.err
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    naps = [call for call in of_type(lines, "call") if call["name"] == "clock_nanosleep"]
    assert naps, lines
    for call in naps:
        assert before < call["ts"] < after, (before, call, after)
        assert 100_000_000 <= call["dur"] < after - before, call


def need_namespaces():
    need_tracing()
    need("unshare")
    if moved("true").status:
        skip("no time namespace can be created here")


def test_stxtop_in_a_time_namespace_shows_kernel_times():
    need_namespaces()
    check(lambda path: moved(STXTOP, "--json", "-w", path, "-e", "clock_nanosleep", "sleep", "0.1"))


def test_tasks_in_a_time_namespace_have_kernel_times():
    need_namespaces()
    check(lambda path: run(STXTOP, "--json", "-w", path, "-e", "clock_nanosleep", "unshare", "-T",
                           "--monotonic", OFFSET_S, "sleep", "0.1"))
