"""Hung file systems under watched processes: the rest keeps working, and stxtop quits within one
second. Each test has a file system of its own, which ends with the test."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import time

from harness import (ROOT, STXTOP, end, folder, has_ended, long, need, need_tracing, program, run,
                     skip, start, wait_until)
from terminal import Terminal

# Longest time from the key to the exit of stxtop, which aims at half of this.
LEAVE_S = 1.0 if not os.environ.get("SAN") else 4.0


@contextlib.contextmanager
def mount(*files):
    """Mount a file system with copies of these files; yield its server and its path. The server
    always ends with the test; the kernel then fails all waiting requests."""
    where = folder()
    server = start(program("hung_mount"), where, *files, stdin=subprocess.PIPE,
                   stdout=subprocess.PIPE, text=True)
    try:
        said = server.stdout.readline()
        if said != "ready\n":
            skip(f"no FUSE file system can be mounted: {said.strip()}")
        yield server, where
    finally:
        server.kill()
        server.wait()
        run("umount", "-l", where)


def hang(server):
    os.kill(server.pid, signal.SIGUSR1)
    assert server.stdout.readline() == "hung\n"


def begin(*argv, **options):
    """Start a program and wait for its "ready"."""
    process = start(*argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)
    assert process.stdout.readline() == "ready\n", argv
    return process


@contextlib.contextmanager
def scene():
    """Yield a program that uses a hung mount in every way."""
    with mount(program("near_mount"), "/etc/services") as (server, where):
        process = begin(where / "near_mount", "neighbour", where / "services",
                        "descriptor", where / "services", "cwd", where / "folder")
        hang(server)
        try:
            yield process
        finally:
            process.kill()


def leave(terminal, *keys):
    """Return the time from the key to the exit of stxtop, in seconds."""
    began = time.monotonic()
    terminal.keys(*keys)
    wait_until(terminal.status_file.exists, 10, "the exit of stxtop")
    return time.monotonic() - began


def is_hung(pid):
    """True if a thread of the process is in uninterruptible sleep."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for tid in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{tid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "D":
                    return True
    return False


def is_made_to_hang(holder):
    """Send the signal. True if the process hangs in FUSE; if not, the signal was early: retry."""
    holder.send_signal(signal.SIGUSR1)
    with open(f"/proc/{holder.pid}/stack") as file:
        return "fuse" in file.read()


@long
def test_interface_starts_runs_and_quits():
    need_tracing()
    with scene() as near:
        sleeper = start("sh", "-c", "while sleep 0.05; do :; done")
        for how in ((), ("-p", near.pid)):
            terminal = Terminal(STXTOP, *how, size=(140, 40))
            try:
                terminal.wait(r"LIVE", 10)
                if how:
                    terminal.keys("5")
                    terminal.wait(r"read\(3", 20)
                    terminal.wait(r"its file system does not answer", 20)
                else:
                    terminal.wait(rf"\b{sleeper.pid}\b|sleep", 20)
                took = leave(terminal, "q")
                assert took < LEAVE_S, f"{how}: q took {took:.1f} s"
            finally:
                terminal.close()


@long
def test_signals_end_the_interface():
    need_tracing()
    with scene() as near:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            terminal = Terminal(STXTOP, "-p", near.pid, size=(140, 40))
            try:
                terminal.wait(r"LIVE", 10)
                time.sleep(0.5)
                pid = terminal.pid()
                began = time.monotonic()
                os.kill(pid, number)
                wait_until(terminal.status_file.exists, 10, f"the exit after signal {number}")
                took = time.monotonic() - began
                assert took < LEAVE_S, f"signal {number}: {took:.1f} s"
            finally:
                terminal.close()


@long
def test_batch_reports_other_processes_and_ends():
    need_tracing()
    with scene() as near:
        out = folder() / "out.json"
        began = time.monotonic()
        result = run(STXTOP, "--json", "-w", out, "-p", f"{near.pid}", "--for", "2", limit=12)
        took = time.monotonic() - began
        calls = [json.loads(line) for line in out.read_text().splitlines()]
        waits = [c for c in calls if c["type"] == "call" and c["state"] == "in_flight"]
        assert result.status == 0, result.err
        assert took < 2 + 2 * LEAVE_S, took
        # All threads are listed, with the data that could be read.
        assert {c["name"] for c in waits} >= {"read", "pause"}, waits


def own_processes(pid):
    """Return all descendants of the process."""
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        children = [int(child) for child in file.read().split()]
    return children + [own for child in children for own in own_processes(child)]


def left(pids):
    """Return {pid: comm} of the processes that still exist."""
    names = {}
    for pid in pids:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            with open(f"/proc/{pid}/comm") as file:
                names[pid] = file.read().strip()
    return names


def lasting(pids):
    """Return {pid: comm} of the processes that still run; their parent reaps zombies later."""
    return {pid: name for pid, name in left(pids).items() if not has_ended(pid)}


@long
def test_stopped_helpers_block_nothing():
    need_tracing()
    sleeper = start("sleep", "1000")
    for how in ((), ("-p", sleeper.pid)):
        terminal = Terminal(STXTOP, *how, size=(140, 40))
        try:
            terminal.wait(r"LIVE", 20)
            helpers = wait_until(lambda: (lambda p: p if len(p) > 4 else None)(
                own_processes(terminal.pid())), what="helpers")
            for pid in helpers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            took = leave(terminal, "q")
            assert took < LEAVE_S, f"{how}: q took {took:.1f} s"
            with contextlib.suppress(AssertionError):
                wait_until(lambda: not lasting(helpers), 10)
            assert not lasting(helpers), lasting(helpers)
        finally:
            terminal.close()


@long
def test_helpers_end_with_stxtop():
    need_tracing()
    sleeper = start("sleep", "1000")
    for stopped, killed in (((), ()), ((), ("cont-guard",)), ((), ("tty-guard",)),
                            (("cont-guard",), ()), (("tty-guard", "cont-guard"), ()),
                            (None, ())):
        terminal = Terminal(STXTOP, "-p", sleeper.pid, size=(140, 40))
        try:
            terminal.wait(r"LIVE", 20)
            helpers = wait_until(lambda: (lambda p: p if len(p) > 4 and {
                "cont-guard", "tty-guard"} <= set(left(p).values()) else None)(
                own_processes(terminal.pid())), what="helpers")
            for pid, name in left(helpers).items():
                if stopped is None or name in stopped:
                    os.kill(pid, signal.SIGSTOP)
                if name in killed:
                    os.kill(pid, signal.SIGKILL)
            os.kill(terminal.pid(), signal.SIGKILL)
            with contextlib.suppress(AssertionError):
                wait_until(lambda: not lasting(helpers), 10)
            assert not lasting(helpers), (stopped, killed, lasting(helpers))
        finally:
            for pid in lasting(helpers):
                os.kill(pid, signal.SIGKILL)
            terminal.close()


@long
def test_hung_epoll_lock_does_not_hide_other_descriptors():
    need_tracing()
    other = begin(program("near_mount"))
    with mount("/etc/services") as (server, where):
        holder = begin(program("near_mount"), "epoll", where / "services")
        hang(server)
        wait_until(lambda: is_made_to_hang(holder), what="the wait for a page")
        out = folder() / "out.json"
        result = run(STXTOP, "--json", "-y", "-w", out, "-p", f"{holder.pid},{other.pid}", "--for",
                     "4", limit=20)
        holder.kill()
    assert result.status == 0, result.err
    calls = [json.loads(line) for line in out.read_text().splitlines()]
    reads = [c["args"][0]["text"] for c in calls if c["type"] == "call" and c["name"] == "read" and
             c["pid"] == other.pid and c["state"] == "in_flight"]
    assert reads and all("<pipe:" in text for text in reads), reads


@long
def test_command_on_a_hung_mount_does_not_block_exit():
    need_tracing()
    with mount(program("near_mount")) as (server, where):
        stxtop = start(STXTOP, "--json", "-w", folder() / "out", where / "near_mount",
                       stdout=subprocess.PIPE, text=True)
        assert stxtop.stdout.readline() == "ready\n"
        hang(server)
        time.sleep(0.5)
        began = time.monotonic()
        stxtop.terminate()
        stxtop.wait(10)
        assert time.monotonic() - began < 2 * LEAVE_S
        end(stxtop)


# A program that waits in a function whose name only the debug file has.
HIDDEN_C = """
#include <unistd.h>
__attribute__((noinline)) static int hidden_wait(void) { return usleep(20000); }
int main(void)
{
	volatile int sum = write(1, "ready\\n", 6);

	for (;;)
		sum += hidden_wait();
}
"""


def build_stripped(where):
    """Compile a program to where/hidden and its debug information to where/hidden.debug."""
    (where / "hidden.c").write_text(HIDDEN_C)
    for command in (("gcc", "-g", "-O1", "-fno-omit-frame-pointer", "-o", "hidden", "hidden.c"),
                    ("objcopy", "--only-keep-debug", "hidden", "hidden.debug"),
                    ("objcopy", "--strip-all", "--add-gnu-debuglink=hidden.debug", "hidden")):
        result = run(need(command[0]), *command[1:], cwd=where)
        assert result.status == 0, result.err


def check_names(process, innermost, *options):
    """The stacks have the names of libc and the kernel. Return all frames."""
    began = time.monotonic()
    out = folder() / "out.json"
    result = run(STXTOP, "--json", "-g", "fp", "-w", out, "-p", process.pid, "-n", "8", *options,
                 limit=30)
    assert result.status == 0, result.err
    calls = [json.loads(line) for line in out.read_text().splitlines()]
    frames = [f for c in calls if c["type"] == "call" for f in c["stack"] or []]
    assert any((f["sym"] or "").endswith(innermost) and f["kind"] == "user" for f in frames)
    assert any(f["sym"] == "do_syscall_64" for f in frames), frames
    assert time.monotonic() - began < 20
    return frames


def check_interface(process, *options):
    """The interface shows why names are missing, and quits in time."""
    terminal = Terminal(STXTOP, "-g", "fp", "-p", process.pid, *options, "--view", "stacks",
                        size=(160, 40))
    try:
        terminal.wait(r"does not answer", 30)
        took = leave(terminal, "q")
        assert took < LEAVE_S, f"q took {took:.1f} s"
    finally:
        terminal.close()


@long
def test_hung_debug_files_hide_only_their_names():
    need_tracing()
    where = folder()
    build_stripped(where)
    # The folder of --debug-dir, then the place that .gnu_debuglink names.
    for beside in False, True:
        with mount(where / "hidden.debug") as (server, mounted):
            options = ("--debug-dir", mounted)
            if beside:
                options = ()
                (where / ".debug").mkdir()
                run("mount", "--bind", mounted, where / ".debug")
            process = begin(where / "hidden")
            try:
                hang(server)
                frames = check_names(process, "nanosleep", *options)
                assert not any(f["sym"] == "hidden_wait" for f in frames), frames
                check_interface(process, *options)
            finally:
                process.kill()
                if beside:
                    run("umount", "-l", where / ".debug")


@long
def test_hung_perf_map_hides_only_its_names():
    need_tracing()
    where = folder()
    result = run(need("gcc"), "-D_GNU_SOURCE", "-O2", "-g", "-fno-omit-frame-pointer", "-o",
                 where / "generated", ROOT / "tests/live/programs/stacks/generated.c")
    assert result.status == 0, result.err
    process = start(where / "generated", "forever")
    perf_map = pathlib.Path(f"/tmp/perf-{process.pid}.map")
    (where / "map").write_text("")
    try:
        wait_until(lambda: perf_map.exists() and perf_map.stat().st_size, what="the perf map")
        with mount(where / "map") as (server, mounted):
            run("mount", "--bind", mounted / "map", perf_map)
            try:
                hang(server)
                frames = check_names(process, "poll")
                symbols = {f["sym"] for f in frames}
                assert "main" in symbols and "made_outer" not in symbols, symbols
                check_interface(process)
            finally:
                process.kill()
                run("umount", "-l", perf_map)
    finally:
        process.kill()
        perf_map.unlink(missing_ok=True)
