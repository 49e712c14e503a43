"""Calls that seccomp or a tracer holds before sys_enter, so that no record shows their enter."""

import contextlib
import json
import signal
import subprocess
import time

import harness
from harness import (STXTOP, end, folder, need_tracing, of_type, program, skip, start, state_of,
                     stxtop, wait_until)
from terminal import Terminal

MKDIR, KILL = 83, 62


@contextlib.contextmanager
def holder():
    """Yield a program whose second thread waits for the start of its mkdir, and the thread's id."""
    process = start(program("unentered"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    tid = int(process.stdout.readline())
    if tid < 0:
        skip("no seccomp listener can be installed")
    try:
        yield process, tid
    finally:
        end(process)


def tell(process, letter):
    process.stdin.write(letter)
    process.stdin.flush()


def call_of(process, tid):
    """Return the number of the call that /proc shows for a thread."""
    with open(f"/proc/{process.pid}/task/{tid}/syscall") as file:
        return file.read().split()[0]


def hold(process, tid):
    tell(process, "g")
    wait_until(lambda: call_of(process, tid) == str(MKDIR), what="the thread is held")


def the_call(objects, tid):
    """Return the only mkdir among the objects."""
    calls = [c for c in of_type(objects, "call") if c["name"] == "mkdir"]
    assert len(calls) == 1 and calls[0]["tid"] == tid, calls
    return calls[0]


def see_held(answer, error):
    """Show a held call in the view of blocked calls, then let it continue. It is one call."""
    need_tracing()
    recording = folder() / "held.data"
    source = ("--source", harness.source) if harness.source else ()
    with holder() as (process, tid), contextlib.closing(
            Terminal(STXTOP, *source, "-p", process.pid, "-o", recording)) as terminal:
        terminal.wait("read")
        terminal.keys("5")
        terminal.wait(r"read\(")
        hold(process, tid)
        screen = terminal.wait(r"mkdir\(")
        assert "before start" not in next(l for l in screen.splitlines() if "mkdir(" in l), screen
        tell(process, answer)
        wait_until(lambda: "mkdir(" not in terminal.screen(), what="the end of the call")
        terminal.keys("q")
        assert terminal.status() == "0"
    call = the_call(stxtop("--json", "-i", recording).json(), tid)
    assert call["state"] == "done" and call["errno"] == error, call
    assert call["seeded"] and call["dur"] is None and call["blocked"] > 0, call
    assert call["args"][0]["text"] == '"/nowhere/held"', call


def test_a_held_call_that_continues_is_one_call():
    see_held("c", "ENOENT")


def test_a_held_call_that_is_refused_is_one_call():
    see_held("e", "EPERM")


def test_a_thread_that_stopped_itself_is_in_no_call():
    """/proc shows the kill() from which the shell has returned."""
    need_tracing()
    shell = start("sh", "-c", "read go; kill -STOP $$", stdin=subprocess.PIPE)
    watched = start(STXTOP, "--json", "-p", shell.pid, stdout=subprocess.PIPE, text=True)
    wait_until(lambda: harness.collector_of(watched), what="the start of stxtop")
    shell.stdin.write(b"\n")
    shell.stdin.flush()
    wait_until(lambda: state_of(shell.pid) == "T", what="the stop")
    with open(f"/proc/{shell.pid}/syscall") as file:
        assert file.read().split()[0] == str(KILL)
    # Longer than the time after which a sleeping thread is looked up.
    time.sleep(0.6)
    watched.send_signal(signal.SIGINT)
    calls = of_type(map(json.loads, watched.communicate()[0].splitlines()), "call")
    assert any(c["name"] == "kill" and c["state"] == "done" for c in calls), calls
    assert not [c for c in calls if c["state"] == "in_flight"], calls
