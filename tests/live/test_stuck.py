"""Threads blocked before the start: all are found with their stacks, and none is disturbed."""

import collections
import json
import os
import re
import shutil
import signal
import subprocess

from harness import (STXTOP, folder, has_bpf, long, long_by_perf, need, need_tracing, of_type,
                     program, run, skip, start, wait_until, watch_json)
from terminal import Terminal
from unprivileged import AS_NOBODY, Granted

VARIANTS = ("stuck_plain", "stuck_plain_bare", "stuck_fast", "stuck_fast_framed")
WAYS = ("mutex", "sleep", "read", "poll", "cond", "handler", "alloca", "large_frame", "callback")


# Skips frames without a call instruction: inlined functions and tail calls.
GDB = r"""
import gdb
for thread in gdb.selected_inferior().threads():
    thread.switch()
    frame, pcs = gdb.newest_frame(), []
    while frame is not None:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            pcs.append(hex(frame.pc()))
        frame = frame.older()
    print("stack", thread.ptid[1], *pcs)
"""


class Stuck:
    """A program whose threads are already blocked."""

    def __init__(self, path, before=()):
        self.process = start(*before, path, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             text=True)
        self.pid, self.ways = self.process.pid, {}
        for line in self.process.stdout:
            if line == "ready\n":
                break
            tid, way = line.split()
            self.ways[int(tid)] = way
        assert set(self.ways.values()) == set(WAYS), self.ways
        # The main thread waits only after it has printed "ready".
        wait_until(lambda: self.status("State")[self.pid] == ["S"], 10, "the main thread waits")

    def status(self, field):
        """Return {tid: values of a field in /proc/PID/task/TID/status}."""
        values = {}
        for tid in list(self.ways) + [self.pid]:
            with open(f"/proc/{self.pid}/task/{tid}/status") as file:
                values[tid] = [line.split()[1] for line in file if line.startswith(field)]
        return values


def in_flight(objects):
    return {c["tid"]: c for c in of_type(objects, "call") if c["state"] == "in_flight"}


def user(call):
    """Return the user frames without inlined ones."""
    return [f for f in call["stack"] if f["kind"] == "user" and not f["inlined"]]


def names(frames):
    return [f["sym"] for f in frames]


def see_all(pid, *how):
    """Return the calls in flight of a process."""
    objects, _ = watch_json("-p", str(pid), "--for", "0.3", *how)
    return list(in_flight(objects).values())


def see(stuck, *how):
    """Return the calls in flight of all threads, by tid."""
    calls = {c["tid"]: c for c in see_all(stuck.pid, *how)}
    assert set(calls) == set(stuck.ways) | {stuck.pid}, (calls.keys(), stuck.ways)
    return calls


@long_by_perf
def test_every_blocked_thread_has_its_whole_stack():
    need_tracing()
    for variant in VARIANTS:
        stuck = Stuck(program(variant))
        calls = see(stuck)
        for tid, way in stuck.ways.items():
            called = names(user(calls[tid]))
            expected = [f"by_{way}"] + ["go_down"] * 4 + ["thread_main"]
            at = called.index(expected[0]) if expected[0] in called else 0
            assert called[at:at + 6] == expected, (variant, way, called)
            if way == "handler":
                assert called[at - 1] != "on_signal" and "on_signal" in called[:at], called
            kernel = [f["sym"] for f in calls[tid]["stack"] if f["kind"] == "kernel"]
            assert len(kernel) > 2 and "do_syscall_64" in kernel, (way, kernel)


@long
def test_bpf_stacks_have_no_guessed_frames():
    """BPF programs read all registers of a waiting thread."""
    need_tracing()
    if not has_bpf():
        skip("BPF programs may not be loaded here")
    if tuple(int(n) for n in os.uname().release.split("-")[0].split(".")[:2]) < (6, 1):
        skip("before Linux 6.1 BPF iterators cannot select one thread")
    for variant in VARIANTS:
        stuck = Stuck(program(variant))
        for tid, call in see(stuck, "--source", "bpf").items():
            frames = user(call)
            assert not any(f.get("guessed") for f in frames), \
                (variant, stuck.ways.get(tid), frames)


@long
def test_guessed_frames_are_marked():
    need_tracing()
    guessed = {}
    for variant in VARIANTS:
        stuck = Stuck(program(variant))
        for tid, call in see(stuck, "--source", "perf").items():
            frames = user(call)
            flags = [f.get("guessed", False) for f in frames]
            # All frames after the first guessed one are guessed.
            assert flags == sorted(flags) and not flags[0], flags
            if tid in stuck.ways:
                guessed[variant, stuck.ways[tid]] = flags[-1]
    for way in WAYS:
        # Code without frame pointers uses one only with alloca(): only such stacks are guessed.
        assert guessed["stuck_fast", way] == (way == "alloca"), way
        assert guessed["stuck_plain_bare", way] == (way == "alloca"), way
    assert guessed["stuck_plain", "read"] and guessed["stuck_fast_framed", "read"]


def stacks_of_gdb(pid):
    script = folder() / "stacks.py"
    script.write_text(GDB)
    text = run("gdb", "-q", "-nx", "-batch", "-p", str(pid), "-ex", f"source {script}").out
    lines = [line.split() for line in text.splitlines() if line.startswith("stack ")]
    return {int(line[1]): [int(pc, 16) for pc in line[2:]] for line in lines}


@long
def test_stacks_equal_those_of_gdb():
    need_tracing()
    need("gdb")
    for variant in VARIANTS:
        stuck = Stuck(program(variant))
        calls = see(stuck)
        theirs = stacks_of_gdb(stuck.pid)
        for tid, way in stuck.ways.items():
            own = [int(f["ip"], 16) for f in user(calls[tid])]
            # stxtop adds 1 to the address of a frame that did not make a call.
            assert len(own) == len(theirs[tid]) and \
                all(a - b in (0, 1) for a, b in zip(own, theirs[tid])), \
                (variant, way, names(user(calls[tid])), [hex(pc) for pc in theirs[tid]])


@long
def test_no_process_is_disturbed():
    need_tracing()
    stuck = Stuck(program("stuck_plain"))
    before = [stuck.status(f) for f in ("voluntary", "nonvoluntary", "SigPnd", "ShdPnd")]
    path = folder() / "out.json"
    watcher = start(STXTOP, "--json", "-w", path, "-p", str(stuck.pid),
                    "--for", "1")
    tracers, states, looks = collections.Counter(), collections.Counter(), 0
    while watcher.poll() is None:
        tracers.update(v for values in stuck.status("TracerPid").values() for v in values)
        states.update(v for values in stuck.status("State").values() for v in values)
        looks += 1
    assert looks > 10 and set(tracers) == {"0"} and set(states) == {"S"}, (tracers, states)
    after = [stuck.status(f) for f in ("voluntary", "nonvoluntary", "SigPnd", "ShdPnd")]
    assert before == after


@long
def test_three_thousand_blocked_threads_have_stacks():
    need_tracing()
    process = start(program("many_stuck"), "3000", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    text=True)
    assert process.stdout.readline() == "ready\n"
    # 6 s suffice for the stacks of all threads, even on a busy machine.
    objects, _ = watch_json("-p", str(process.pid), "--for", "6")
    depths = collections.Counter()
    for tid, call in in_flight(objects).items():
        called = names(user(call))
        if tid != process.pid:
            assert call["name"] == "futex" and "thread_main" in called, called
            depths[called.count("go_down")] += 1
    assert depths == {depth: 375 for depth in range(1, 9)}, depths


def wait_at_end(terminal, pattern):
    """Press End until the selected last row matches. It is the youngest call of a thread that waits
    repeatedly. Between the waits, the thread has no row, and End selects another row."""
    def at_end():
        terminal.keys("End")
        return re.search(pattern, terminal.screen())
    wait_until(at_end, what=pattern)


@long
def test_a_process_in_focus_has_whole_stacks():
    need_tracing()
    terminal = Terminal(STXTOP, size=(150, 45))
    try:
        terminal.wait(r"LIVE")
        drill = start(program("drill"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        drill.stdout.readline()
        terminal.keys("\\")
        # The filter matches only this process, but names two pids.
        terminal.keys("-l", f"pid in {{{drill.pid}, 4194303}}")
        terminal.keys("Enter")
        # The only row is selected automatically.
        terminal.wait(rf"Processes 1 (.*\n){{1,3}} *{drill.pid} +drill ")
        assert "dwarf" not in terminal.screen().splitlines()[0]
        terminal.keys("Enter")
        terminal.wait(rf"&& pid == {drill.pid}")
        terminal.wait(r"^ stxtop.* dwarf ")
        terminal.keys("5")
        chain = r"\brest +drill\.c:\d+ .*\n" + r" *{0} +drill\.c:\d+ .*\n" * 3 + \
            r" *work +drill\.c:\d+ .*\n"
        wait_at_end(terminal, chain.format("work_at_first"))
        # After the signal, the thread waits in another function, which its stack must show.
        os.kill(drill.pid, signal.SIGUSR1)
        wait_at_end(terminal, chain.format("work_later"))
        terminal.keys("Home")
        terminal.wait(r"take_lock +drill\.c:\d+ .*\n *wants_lock +drill\.c|read +read\.c")
        terminal.keys("1")
        terminal.wait(r"Processes 1 ")
        terminal.keys("BSpace")
        wait_until(lambda: "dwarf" not in terminal.screen().splitlines()[0], 10,
                   "the end of user stack sampling")
    finally:
        terminal.close()


@long
def test_stopped_target_is_marked():
    need_tracing()
    drill = start(program("drill"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    drill.stdout.readline()
    terminal = Terminal(STXTOP, "-p", drill.pid)
    try:
        terminal.wait(rf"pid {drill.pid}  ")
        os.kill(drill.pid, signal.SIGSTOP)
        terminal.wait(rf"pid {drill.pid} \(stopped\)")
        os.kill(drill.pid, signal.SIGCONT)
        terminal.wait(rf"pid {drill.pid}  ")
    finally:
        terminal.close()
    os.kill(drill.pid, signal.SIGSTOP)
    wait_until(lambda: "T (stopped)" in open(f"/proc/{drill.pid}/status").read(), 10, "the stop")
    calls = see_all(drill.pid)
    assert {"futex", "read"} <= {c["name"] for c in calls}
    for call in calls:
        assert {"get_signal", "do_signal_stop"} & set(names(call["stack"])), names(call["stack"])


def test_a_zombie_has_ended():
    need_tracing()
    zombie = start("true")
    wait_until(lambda: "Z (zombie)" in open(f"/proc/{zombie.pid}/status").read(), 10, "a zombie")
    result = run(STXTOP, "-b", "-p", zombie.pid, "--for", "5")
    assert result.status == 1 and "it has exited" in result.err, (result.status, result.err)


def test_threads_in_another_pid_namespace_have_stacks():
    need_tracing()
    need("unshare")
    outer = start("unshare", "--pid", "--fork", "--mount-proc", program("stuck_plain"),
                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for line in outer.stdout:
        if line == "ready\n":
            break
    else:
        skip("no pid namespace can be created here")
    inner = int(open(f"/proc/{outer.pid}/task/{outer.pid}/children").read().split()[0])
    called = [names(user(c)) for c in see_all(inner) if c["tid"] != inner]
    assert len(called) == len(WAYS) and all("thread_main" in c for c in called), called


@long
def test_threads_that_end_during_a_scan_cause_no_error():
    need_tracing()
    drill = start(program("drill"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    churn = start("sh", "-c", "while :; do /bin/true & /bin/true & wait; done")
    drill.stdout.readline()
    looks, seconds = 0, 0.2
    while looks < 3:
        objects, result = watch_json("--for", seconds, "-e", "wait4,execve,clock_nanosleep")
        assert not result.err, result.err
        own = [c for c in in_flight(objects).values() if c["pid"] == drill.pid]
        # The stack of a call that has just begun may not have been read yet.
        assert all(names(user(c)) for c in own if c["age"] > 1_000_000), own
        looks += bool(own)
        # On a busy machine, the scan may not have reached the process: watch for longer.
        seconds = seconds if own else 2 * seconds
        assert seconds < 10
    assert churn.poll() is None


@long_by_perf
def test_kernel_threads_make_no_calls():
    need_tracing()
    objects, _ = watch_json("--for", "0.3", "-g", "off")
    with open("/proc/2/task/2/children") as file:
        kernel = {2, *map(int, file.read().split())}
    assert len(kernel) > 5
    assert not {c["pid"] for c in of_type(objects, "call")} & kernel


def test_unprivileged_user_gets_user_stacks():
    need_tracing()
    need("setpriv")
    place = folder()
    place.chmod(0o777)
    copies = [shutil.copy(path, place) for path in (STXTOP, program("stuck_plain"))]
    with Granted(1):
        stuck = Stuck(copies[1], before=AS_NOBODY)
        result = run(*AS_NOBODY, copies[0], "--json", "-w", place / "out.json", "-p", stuck.pid,
                     "--for", "0.3")
    assert result.status == 0, result.err
    with open(place / "out.json") as lines:
        calls = in_flight([json.loads(line) for line in lines])
    assert set(calls) == set(stuck.ways) | {stuck.pid}
    for tid in stuck.ways:
        assert {f["kind"] for f in calls[tid]["stack"]} == {"user"}
        assert names(user(calls[tid])).count("go_down") == 4, names(user(calls[tid]))
