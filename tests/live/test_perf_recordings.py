"""Recordings of perf with many options: calls and stacks equal those of perf itself."""

import concurrent.futures
import json
import os
import re
import sys

import perf_script
from harness import ROOT, STXTOP, folder, long, need, need_tracing, program, run, skip

sys.path.insert(0, str(ROOT / "tests" / "judge"))
import perf_calls  # noqa: E402

UNISTD = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"
# Tracepoints with another name than their system call.
RENAMED = {"newstat": "stat", "newfstat": "fstat", "newlstat": "lstat", "newuname": "uname",
           "sendfile64": "sendfile", "umount": "umount2"}
CALLS = ("-e", "raw_syscalls:sys_enter", "-e", "raw_syscalls:sys_exit")
SWITCHES = ("-e", "sched:sched_switch")
FIELDS = ("-F", "trace:comm,pid,tid,cpu,time,event,trace",
          "-F", "sw:comm,pid,tid,cpu,time,event", "-F", "hw:comm,pid,tid,cpu,time,event")


def singles(*names):
    return ("-e", ",".join(f"syscalls:sys_{half}_{name}" for name in names
                           for half in ("enter", "exit")))


# Rings hold all records, except in tests of losses: the lost records differ between runs.
RECORD = ("record", "-q", "-m", "8M")
KINDS = {
    "trace": ("trace", "record", "-m", "8M"),
    "trace_stacks": ("trace", "record", "-m", "8M", "-g"),
    "plain": (*RECORD, *CALLS),
    "glob": (*RECORD, "-e", "raw_syscalls:*"),
    "switches": (*RECORD, *CALLS, *SWITCHES),
    "frames": (*RECORD, *CALLS, "-g"),
    "frames_switches": (*RECORD, *CALLS, *SWITCHES, "-g"),
    "frames_of_one": (*RECORD, "-e", "raw_syscalls:sys_enter/call-graph=fp/", "-e",
                      "raw_syscalls:sys_exit", *SWITCHES),
    "dwarf": (*RECORD, *CALLS, *SWITCHES, "--call-graph", "dwarf,4096"),
    "all_sched": (*RECORD, *CALLS, "-e", "sched:*", "-g"),
    "whole_machine": (*RECORD, *CALLS, *SWITCHES, "-a"),
    # With -z, perf writes no table of build-ids: --buildid-mmap identifies the kernel.
    "compressed": (*RECORD, *CALLS, *SWITCHES, "-g", "-z", "--buildid-mmap"),
    "every_one": (*RECORD, *CALLS, "-c", "1"),
    "every_third": (*RECORD, *CALLS, "-c", "3"),
    "frequency": (*RECORD, *CALLS, "-F", "99"),
    "times": (*RECORD, *CALLS, "-T"),
    "monotonic": (*RECORD, *CALLS, *SWITCHES, "-k", "mono"),
    "monotonic_raw": (*RECORD, *CALLS, "-k", "monotonic_raw"),
    "boottime": (*RECORD, *CALLS, "-k", "boottime"),
    "per_thread": (*RECORD, *CALLS, "--per-thread"),
    "without_children": (*RECORD, *CALLS, "-i"),
    "counts": (*RECORD, *CALLS, "-s"),
    "cpus": (*RECORD, *CALLS, "--sample-cpu"),
    "namespaces": (*RECORD, *CALLS, "--namespaces"),
    "cgroups": (*RECORD, *CALLS, "--all-cgroups"),
    "identifier": (*RECORD, *CALLS, "--sample-identifier"),
    "addresses": (*RECORD, *CALLS, "-d", "-P", "-W", "-R"),
    "registers": (*RECORD, *CALLS, "--intr-regs=ax"),
    "user_registers": (*RECORD, *CALLS, *SWITCHES, "-g", "--user-regs=ax,ip"),
    "build_ids": (*RECORD, *CALLS, "--buildid-mmap"),
    "all_build_ids": (*RECORD, *CALLS, "--buildid-all"),
    "switch_records": (*RECORD, *CALLS, "--switch-events"),
    "tail": (*RECORD, *CALLS, *SWITCHES, "--tail-synthesize"),
    "overwrite": (*RECORD, *CALLS, "--overwrite"),
    "group": (*RECORD, "-e", "{raw_syscalls:sys_enter,raw_syscalls:sys_exit}"),
    "unbuffered": (*RECORD, *CALLS, "--no-buffering"),
    "asynchronous": (*RECORD, *CALLS, *SWITCHES, "--aio"),
    "nothing_before": (*RECORD, *CALLS, "--synth=no"),
    "boundary": (*RECORD, *CALLS, "--timestamp-boundary"),
    "filtered": (*RECORD, *CALLS, "--filter", "id == 0"),
    "other_events": (*RECORD, *CALLS, "-e", "cycles", "-e", "cpu-clock"),
    "some": (*RECORD, *singles("openat", "read", "clock_nanosleep")),
    "some_stacks": (*RECORD, *singles("openat", "futex"), *SWITCHES, "-g"),
    "enters_alone": (*RECORD, *singles("openat"), "-e", "syscalls:sys_enter_close"),
    "both": (*RECORD, *CALLS, *singles("openat")),
}
# Kinds that perf does not support on some machines: it then reports an error.
MAY_FAIL = {"boottime", "asynchronous", "other_events", "cgroups", "compressed"}
# In DWARF stacks, perf omits frames of some enters in the loader. test_stacks compares DWARF stacks
# of waits.
STACKS = {"trace_stacks", "frames", "frames_switches", "frames_of_one", "all_sched", "compressed",
          "some_stacks"}
# perf trace knows only raw_syscalls and stops at an event that is not a tracepoint. It pairs an
# enter with the exit of another call if most events are missing, or if a thread migrates and
# perf trace processes the records of the new CPU first.
NOT_TRACED = {"some", "some_stacks", "enters_alone", "other_events", "frequency",
              "whole_machine"}


def numbers():
    if not os.path.exists(UNISTD):
        skip(f"{UNISTD} is missing")
    with open(UNISTD) as text:
        found = {name: int(nr) for name, nr in re.findall(r"#define __NR_(\w+) (\d+)",
                                                          text.read())}
    found.update({event: found[name] for event, name in RENAMED.items()})
    return found


def record(kind, path, *more):
    result = run("perf", *KINDS[kind], "-o", path, *more, program("endings"), "5")
    if path.exists() and path.stat().st_size:
        return
    if kind in MAY_FAIL:
        return
    raise AssertionError(f"perf {kind}: {result.err[:200]}")


def perf_events(path, names):
    text = run("perf", "script", "--ns", "-i", path, *FIELDS, "-G", "--show-task-events",
               "--show-lost-events").out
    found = perf_calls.events(text, names)
    # If the recording has raw_syscalls and single syscalls, only raw_syscalls count as calls.
    if any(event.raw for event in found):
        found = [event for event in found if event.raw or event.kind not in ("enter", "exit")]
    halves = {}
    for event in found:
        if event.kind in ("enter", "exit"):
            halves.setdefault(event.nr, set()).add(event.kind)
    is_raw = any(event.raw for event in found)
    # If only the enter or exit tracepoint of a call is recorded, it is an ordinary event.
    return [event for event in found if is_raw or event.kind not in ("enter", "exit") or
            len(halves[event.nr]) == 2 or event.nr == perf_calls.RT_SIGRETURN]


def check(kind, path, names):
    events = perf_events(path, names)
    theirs, torn = perf_calls.of_perf(events)
    result = run(STXTOP, "-i", path, "--json")
    assert result.status == 0, f"{kind}: {result.err}"
    ours = perf_calls.of_stxtop(result.out)
    # With a sampling frequency, the number of calls depends on the run time: require only one.
    assert len(theirs) > (20 if kind != "frequency" else 0), f"{kind}: {len(theirs)} calls"
    wrong = perf_calls.compare(theirs, ours)
    if kind not in NOT_TRACED:
        traced = perf_calls.ended_in(run("perf", "trace", "-T", "-i", path).err)
        assert traced, f"{kind}: perf trace shows nothing"
        wrong += perf_calls.compare_traced(traced, ours, torn, set(names.values()))
    assert not wrong, f"{kind}: {len(wrong)} of {len(theirs)} calls differ: {wrong[0]}"
    if kind in STACKS:
        calls = perf_script.compare(path, inlined=False, frame_pointers=True)
        assert len(calls) > 20, f"{kind}: {len(calls)} calls have stacks"


def check_kinds(kinds):
    need("perf")
    need_tracing()
    names, where = numbers(), folder()

    def one(kind):
        path = where / kind
        record(kind, path)
        if not path.exists() or not path.stat().st_size:
            print(f"note: perf does not record {kind} here")
            return
        check(kind, path, names)
        path.unlink()

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for _ in pool.map(one, kinds):
            pass


@long
def test_kinds_with_stacks_equal_perf():
    check_kinds([kind for kind in KINDS if kind in STACKS])


@long
def test_kinds_without_stacks_equal_perf():
    check_kinds([kind for kind in KINDS if kind not in STACKS])


def check_but_for_losses(path, names):
    """Check all calls. Only calls with losses during them may have an unknown duration."""
    events = perf_events(path, names)
    lost = [event.ns for event in events if event.kind == "lost"]
    theirs, _ = perf_calls.of_perf(events)
    ours = {(c.tid, c.ts): c for c in perf_calls.of_stxtop(run(STXTOP, "-i", path, "--json").out)}
    done = [call for call in theirs if call.state == "done"]
    for call in done:
        mine = ours.get((call.tid, call.ts))
        # stxtop shows an invalid number, as of a call that a tracer cancelled, as 0xffff.
        nr = call.nr if 0 <= call.nr < 0xffff else 0xffff
        assert mine and mine.ret == call.ret and mine.nr == nr, (call, mine)
        assert mine.dur == call.dur or (mine.dur is None and any(
            call.ts <= ns <= call.ts + call.dur for ns in lost)), (call, mine)
    return len(done), len(lost)


def lost_as_perf_says(path):
    """Return the number of lost records: by LOST records, or perf's final count if that is more."""
    text = run("perf", "script", "-D", "-i", path).out
    way = sum(map(int, re.findall(r"PERF_RECORD_LOST: id:\d+: lost:(\d+)", text)))
    end = sum(map(int, re.findall(r"PERF_RECORD_LOST_SAMPLES: id:\d+: lost samples :(\d+)", text)))
    return max(way, end)


@long
def test_injected_recording_equals_perf():
    need("perf")
    need_tracing()
    names, where = numbers(), folder()
    record("frames", where / "plain")
    result = run("perf", "inject", "-b", "-i", where / "plain", "-o", where / "injected")
    assert result.status == 0, result.err
    check("frames", where / "injected", names)


@long
def test_switched_output_files_equal_perf():
    need("perf")
    need_tracing()
    names, where = numbers(), folder()
    # perf begins a new file only after it has read a ring. It reads small rings more often.
    run("perf", *KINDS["switches"], "-m", "128K", "--switch-output=1M", "-o", where / "part",
        program("endings"), "2000")
    parts = sorted(where.glob("part.*"))
    if len(parts) < 2:
        skip("perf record wrote only one file")
    assert sum(check_but_for_losses(part, names)[0] for part in parts) > 1000


@long
def test_lossy_recording_counts_losses_as_perf():
    need("perf")
    need_tracing()
    names, path = numbers(), folder() / "lossy"
    run("perf", "record", "-q", "-m", "1", *CALLS, *SWITCHES, "-g", "-o", path,
        program("endings"), "300")
    done, lost = check_but_for_losses(path, names)
    assert done > 1000, done
    if not lost:
        skip("perf lost nothing")
    summary = json.loads(run(STXTOP, "-i", path, "--json", "-s").out.splitlines()[-1])
    assert summary["lost"] == lost_as_perf_says(path) and not summary["exact"], summary["lost"]
