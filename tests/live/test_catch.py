"""Catches act when a call matches, and leave no process stopped."""

import json
import os
import re
import signal
import subprocess
import sys

from harness import (LIMIT_S, STXTOP, end, folder, long, need_tracing, program, run, start, stxtop,
                     wait_until)
from terminal import Terminal

STOP = "stop: close"


def state(pid):
    with open(f"/proc/{pid}/stat") as line:
        return line.read().rpartition(")")[2].split()[0]


def wait_stopped(pid):
    wait_until(lambda: state(pid) == "T", 20, f"process {pid} stopped")


def wait_going(pid):
    wait_until(lambda: state(pid) != "T", 20, f"process {pid} continued")


def busy():
    """Start a thread that repeats openat, read, close, getppid and a failing newfstatat."""
    return start(program("mix"), "1", "0", "100000000")


def batch(pid, *arguments):
    """Start stxtop and wait until it has stopped the process."""
    said = open(folder() / "said", "w+")
    watcher = start(STXTOP, "-s", "-p", pid, "--catch", STOP, *arguments, stderr=said,
                    stdout=said)
    wait_stopped(pid)
    wait_until(lambda: f"Stopped process {pid}" in open(said.name).read(), 10, "the message")
    return watcher


def check_end_by(number):
    need_tracing()
    victim = busy()
    watcher = batch(victim.pid)
    assert watcher.poll() is None
    os.kill(watcher.pid, number)
    wait_going(victim.pid)
    watcher.wait(20)
    assert state(victim.pid) != "T"


def test_process_continues_after_sigterm():
    check_end_by(signal.SIGTERM)


def test_process_continues_after_sigint():
    check_end_by(signal.SIGINT)


def test_process_continues_after_sighup():
    check_end_by(signal.SIGHUP)


def test_process_continues_after_sigquit():
    check_end_by(signal.SIGQUIT)


def test_process_continues_after_sigkill():
    check_end_by(signal.SIGKILL)


def test_process_continues_after_the_job_is_killed():
    need_tracing()
    victim = busy()
    watcher = batch(victim.pid)
    os.killpg(watcher.pid, signal.SIGKILL)
    wait_going(victim.pid)


def processes_of(pid):
    """Return the pids of the process and of all its descendants."""
    found = [pid]
    for parent in found:
        with open(f"/proc/{parent}/task/{parent}/children") as children:
            found += [int(child) for child in children.read().split()]
    return found


def test_process_continues_after_all_of_stxtop_is_killed():
    """The test first stops all processes of stxtop, so that none reacts to the end of another."""
    need_tracing()
    victim = busy()
    watcher = batch(victim.pid)
    own = [pid for pid in processes_of(watcher.pid) if pid != victim.pid]
    names = [open(f"/proc/{pid}/comm").read().strip() for pid in own]
    assert "cont-guard" in names, names
    for pid in own:
        os.kill(pid, signal.SIGSTOP)
    for pid in own[1:] + own[:1]:
        os.kill(pid, signal.SIGKILL)
    wait_going(victim.pid)


def test_guard_has_its_own_name_and_session():
    need_tracing()
    victim = busy()
    watcher = batch(victim.pid)
    guard = next(pid for pid in processes_of(watcher.pid)
                 if open(f"/proc/{pid}/comm").read() == "cont-guard\n")
    assert b"stxtop" not in open(f"/proc/{guard}/cmdline", "rb").read()
    assert os.getsid(guard) == guard
    for file in ("cgroup", "oom_score_adj"):
        assert open(f"/proc/{guard}/{file}").read() == open(f"/proc/{watcher.pid}/{file}").read()
    end(watcher)
    wait_going(victim.pid)


@long
def test_process_continues_at_the_end_of_a_run():
    need_tracing()
    victim = busy()
    watcher = batch(victim.pid, "--for", "3")
    assert watcher.wait(30) == 0
    assert state(victim.pid) != "T"


def test_catch_stops_exactly_one_process():
    need_tracing()
    first, second = busy(), busy()
    watcher = start(STXTOP, "-s", "-p", f"{first.pid},{second.pid}", "--catch", STOP,
                    stderr=open(folder() / "said", "w"), stdout=subprocess.DEVNULL)
    wait_until(lambda: "T" in (state(first.pid), state(second.pid)), 20, "one process stopped")
    stopped = first if state(first.pid) == "T" else second
    other = second if stopped is first else first
    # Wait until the other process has used the CPU time of thousands of calls.
    before = open(f"/proc/{other.pid}/stat").read().split()[14]
    wait_until(lambda: int(open(f"/proc/{other.pid}/stat").read().split()[14]) >
               int(before) + 20, 20, "CPU time of the other process")
    assert state(other.pid) != "T"
    os.kill(watcher.pid, signal.SIGTERM)
    wait_going(stopped.pid)


def test_parent_of_stxtop_is_never_stopped():
    need_tracing()
    said = folder() / "said"
    watcher = start(STXTOP, "-s", "-p", os.getpid(), "--catch", f"stop: pid == {os.getpid()}",
                    stderr=open(said, "w"), stdout=subprocess.DEVNULL)
    # wait_until() makes calls; if this process were stopped, the test would hang.
    wait_until(lambda: "one of its ancestors" in open(said).read(), 20, "the refusal")
    assert state(os.getpid()) != "T"
    end(watcher)


@long
def test_catch_record_writes_the_call_and_all_later_ones():
    need_tracing()
    path = folder() / "caught.jsonl"
    victim = busy()
    result = stxtop("-s", "-p", victim.pid, "--for", "0.4", "--catch",
                    f"record {path}: read and ret == 1")
    assert result.status == 0, result.err
    assert f"Writing to {path}" in result.err
    lines = [json.loads(line) for line in open(path)]
    assert all(c["type"] in ("call", "lost") for c in lines), lines
    calls = [c for c in lines if c["type"] == "call" and c["state"] == "done"]
    assert len(calls) > 1000, len(calls)
    assert calls[0]["name"] == "read"
    # On a busy machine, calls can be lost. The line with their number comes after the gap: it is
    # written when stxtop reads the counts of the BPF programs.
    lost = sum(c["count"] for c in lines if c["type"] == "lost")
    order = ["read", "close", "getppid", "newfstatat", "openat"]
    missing = 0
    for before, call in zip(calls, calls[1:]):
        assert call["tid"] == calls[0]["tid"]
        missing += (order.index(call["name"]) - order.index(before["name"]) - 1) % len(order)
    assert missing <= lost, f"{missing} are missing, {lost} were reported lost"


# Reads slowly, so that the test can read the growing recording. The descriptor stays open.
READS = """
import os, time
zero = os.open("/dev/zero", os.O_RDONLY)
while True:
    os.read(zero, 1)
    time.sleep(0.0005)
"""


@long
def test_catch_record_can_write_perf_data():
    need_tracing()
    path = folder() / "caught.data"
    victim = start(sys.executable, "-c", READS)
    said = folder() / "said"
    watcher = start(STXTOP, "-s", "-p", victim.pid, "--catch",
                    f"record {path}: read and ret == 1", stderr=open(said, "w"),
                    stdout=subprocess.DEVNULL)

    def done():
        if not path.exists():
            return []
        lines = stxtop("-i", path, "-b", "--json", "-y").out.splitlines()
        return [line for line in map(json.loads, lines)
                if line["type"] == "call" and line["state"] == "done"]

    # Descriptors have names, although no option requests them.
    wait_until(lambda: (lambda calls: len(calls) > 1000 and any(
        "</dev/zero" in arg["text"] for call in calls for arg in call["args"]))(done()),
               what="1000 calls and a name")
    watcher.send_signal(signal.SIGINT)
    assert watcher.wait(LIMIT_S) == 0, said.read_text()
    caught = re.search(r"Writing to \S+ from here on: \S*/(\d+) read", said.read_text())
    assert caught, said.read_text()
    assert f"Writing to {path}" in caught[0], caught[0]
    # The recording begins with the call that was caught.
    first = done()[0]
    assert first["name"] == "read" and first["ret"] == 1, first
    assert first["tid"] == int(caught[1]), first


def test_catch_record_does_not_overwrite_a_file():
    need_tracing()
    path = folder() / "mine"
    path.write_text("mine\n")
    result = stxtop("-s", "--for", "1", "-p", os.getpid(), "--catch", f"record {path}: close")
    assert result.status == 1
    assert "the file exists" in result.err
    assert path.read_text() == "mine\n"


@long
def test_each_caught_call_is_written_in_batch():
    need_tracing()
    victim = busy()
    result = stxtop("-s", "-p", victim.pid, "--for", "1", "--catch", "bell: close",
                    "--catch", "bell: getppid")
    assert result.status == 0
    assert f"stxtop: Caught mix/" in result.err
    assert " close\n" in result.err and " getppid\n" in result.err


@long
def test_interface_stops_resumes_and_rearms():
    need_tracing()
    victim = busy()
    terminal = Terminal(STXTOP, "-p", str(victim.pid))
    try:
        terminal.wait("LIVE")
        terminal.keys("*")
        terminal.wait("Catch:")
        terminal.keys("-l", STOP)
        terminal.wait(r"of [0-9,]+ (calls|…)")
        terminal.keys("Enter")
        terminal.wait(f"STOPPED {victim.pid}")
        wait_stopped(victim.pid)
        terminal.keys(".")
        terminal.wait("continued")
        wait_going(victim.pid)
        assert "STOPPED" not in terminal.screen()
        terminal.keys("*")
        terminal.wait("caught 1")
        terminal.keys("Space")
        wait_stopped(victim.pid)
        terminal.keys("Escape")
        # Wait for the effect of Escape: Escape and a letter right after it are another key.
        wait_until(lambda: "add a catch" not in terminal.screen(), 10, "the list closed")
        terminal.wait(f"STOPPED {victim.pid}")
        terminal.keys("q")
        wait_going(victim.pid)
        assert terminal.status() == "0"
    finally:
        terminal.close()
    assert state(victim.pid) != "T"


@long
def test_process_continues_after_the_terminal_is_closed():
    need_tracing()
    victim = busy()
    terminal = Terminal(STXTOP, "-p", str(victim.pid), "--catch", STOP)
    try:
        wait_stopped(victim.pid)
    finally:
        terminal.close()
    wait_going(victim.pid)


def test_process_continues_after_a_crash_of_the_interface():
    need_tracing()
    victim = busy()
    terminal = Terminal(STXTOP, "-p", str(victim.pid), "--catch", STOP)
    try:
        wait_stopped(victim.pid)
        terminal.wait("STOPPED")
        os.kill(terminal.pid(), signal.SIGSEGV)
        wait_going(victim.pid)
    finally:
        terminal.close()


def test_the_display_freezes_at_the_call():
    need_tracing()
    victim = busy()
    terminal = Terminal(STXTOP, "-p", str(victim.pid), "--catch", "freeze: getppid")
    try:
        terminal.wait("PAUSED")
        terminal.wait("Display paused at mix/")
        # The selected row is the call that matched: show its detail.
        terminal.keys("d")
        terminal.wait("getppid")
    finally:
        terminal.close()
