"""A span of a recording has exactly the calls of that time."""

import json
import subprocess

from harness import STXTOP, folder, long, need, need_tracing, program, run, skip


def lines_of(path, *options):
    """Return the calls by (ts, tid, nr), and the summary."""
    result = subprocess.run([STXTOP, "--json", "-i", str(path), *options], capture_output=True,
                            text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    calls, summary = {}, None
    for line in result.stdout.splitlines():
        told = json.loads(line)
        if told["type"] == "call":
            calls[told["ts"], told["tid"], told["nr"]] = told
        elif told["type"] == "summary":
            summary = told
    return calls, summary


def check_span(path):
    """Check the middle third as the span: other load changes the length of the recording."""
    whole, summary = lines_of(path)
    first, length_s = summary["started"], (summary["ended"] - summary["started"]) / 1e9
    from_s, until_s = round(length_s / 3, 6), round(length_s / 3 * 2, 6)
    from_ns, until_ns = (first + round(s * 1e9) for s in (from_s, until_s))
    span, summary = lines_of(path, "--from", str(from_s), "--until", f"+{until_s}")
    assert summary["started"] == from_ns and summary["ended"] == until_ns, summary
    within = {key: call for key, call in whole.items() if from_ns <= call["ts"] < until_ns}
    assert len(within) > 100
    # A call that began before the span is shown only as in flight.
    assert all(call["state"] == "in_flight" for key, call in span.items() if key not in within)
    assert not within.keys() - span.keys()
    for key, call in within.items():
        if call["dur"] is not None and call["ts"] + call["dur"] >= until_ns:
            assert span[key]["state"] == "in_flight", (call, span[key])
        elif call["state"] != "in_flight":
            assert span[key] == call, (call, span[key])
    counted = sum(row["calls"] for process in summary["processes"] for row in process["syscalls"])
    assert counted == summary["calls"]


def workload():
    """More than a second of calls, forks and execs."""
    return ("sh", "-c", f"for i in 1 2 3 4 5 6; do {program('mix')} 2 5 60; ls / >/dev/null; "
            "sleep 0.15; done")


def recording(path, *options):
    need("perf")
    need_tracing()
    result = run("perf", "record", "-q", "-m", "8M", "-e", "raw_syscalls:*", "-e",
                 "sched:sched_switch", *options, "-o", path, *workload())
    if result.status:
        skip(f"perf cannot record here: {result.err.strip()[:200]}")
    return path


@long
def test_a_span_has_the_calls_of_its_time():
    at = folder()
    check_span(recording(f"{at}/perf.data", "-g"))


@long
def test_span_of_a_compressed_recording_has_its_calls():
    at = folder()
    check_span(recording(f"{at}/perf.data", "-z"))


@long
def test_span_of_an_own_recording_has_its_calls():
    need_tracing()
    at = folder()
    result = run(STXTOP, "-b", "-o", f"{at}/own.data", "-w", "/dev/null", "--", *workload())
    assert not result.status, result.err
    check_span(f"{at}/own.data")


@long
def test_a_span_is_the_same_each_time():
    at = folder()
    path = recording(f"{at}/perf.data")
    texts = {subprocess.run([STXTOP, "--json", "-i", path, "--from", "0.3", "--until", "0.7"],
                            capture_output=True, timeout=120, check=True).stdout
             for _ in range(5)}
    assert len(texts) == 1


@long
def test_adjacent_spans_have_each_call_once():
    """A call belongs to the span in which it began: none is counted twice."""
    at = folder()
    path = recording(f"{at}/perf.data")
    begun = set()
    for edge in (("--until", "0.4"), ("--from", "0.4", "--until", "0.9"), ("--from", "0.9")):
        calls, summary = lines_of(path, *edge)
        keys = {key for key, call in calls.items() if key[0] >= summary["started"]}
        assert not begun & keys
        begun |= keys
    assert begun == lines_of(path)[0].keys()


@long
def test_speed_scales_the_time_of_a_replay():
    at = folder()
    path = recording(f"{at}/perf.data")
    fast, slow = (run("sh", "-c", f"t=$(date +%s%N); {STXTOP} -s -i {path} {speed} "
                      "--until 0.5 >/dev/null; echo $(($(date +%s%N) - t))").out
                  for speed in ("", "--speed 0.25"))
    assert int(slow) >= 1_900_000_000, slow
    assert int(slow) > 2 * int(fast)
    assert lines_of(path, "--speed", "10", "--until", "0.5") == \
        lines_of(path, "--until", "0.5")


def test_invalid_spans_and_speeds_are_rejected():
    for options, sentence in ((("--from", "1"), "need a recording"),
                              (("-i", "x", "--from", "2", "--until", "1"), "not later"),
                              (("-i", "x", "--speed", "0"), "not a number from"),
                              (("-i", "x", "--speed", "fast"), "not a number from"),
                              (("-i", "x", "--from", "soon"), "not a duration"),
                              (("-i", "x", "--until", "0"), "give a later time"),
                              (("-i", "x", "--until=-3"), "before the start of the recording")):
        result = run(STXTOP, "-b", *options)
        assert result.status == 2 and sentence in result.err, (options, result)


@long
def test_span_after_the_end_is_rejected_with_the_duration():
    path = recording(f"{folder()}/perf.data")
    for form in ("-b", "-s", "-b --json"):
        result = run(STXTOP, *form.split(), "-i", path, "--from", "1000")
        assert result.status == 1, result
        assert "no records at 1000.000s or later: the recording is from 0s to " \
            in result.err, result.err
        seconds = float(result.err.split("from 0s to ")[1].split("s")[0])
        assert 0.1 < seconds < 1000, result.err
