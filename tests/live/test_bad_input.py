"""Each error gives one clear message and the right exit status, and leaves nothing behind."""

import os
import pathlib
import shutil
import signal
import subprocess

import harness
from harness import (LIMIT_S, STXTOP, collector_of, end, folder, long, need, need_tracing, program,
                     run, skip, start, stxtop, wait_until)
from unprivileged import AS_NOBODY, Granted


RECORDING = pathlib.Path(__file__).parents[1] / "replay" / "contention.data"


def refused(result, status, *words):
    assert result.status == status, (result.status, result.err)
    lines = result.err.splitlines()
    assert lines and lines[0].startswith("stxtop: "), result.err
    for word in words:
        assert word in result.err, (word, result.err)
    assert result.out == "", result.out


def test_unknown_pid():
    need_tracing()
    refused(stxtop("-s", "-p", "4194303"), 1, "4194303")
    refused(stxtop("-s", "-t", "4194303"), 1, "4194303")


def test_pid_that_is_not_a_number():
    refused(stxtop("-s", "-p", "nginx"), 2, "nginx")
    refused(stxtop("-s", "-p", "1,,2"), 2)


def test_missing_command():
    refused(stxtop("-s", "--", "/nonexistent/program"), 1, "/nonexistent/program")
    refused(stxtop("-s", "--", "no-such-program-anywhere"), 1, "no-such-program-anywhere")


def test_command_that_is_not_executable():
    path = folder() / "plain"
    path.write_text("text")
    path.chmod(0o644)
    refused(stxtop("-s", "--", path), 1, "plain")


def test_unknown_syscall_names_the_nearest():
    refused(stxtop("-s", "-e", "opnat", "--", "true"), 2, "opnat", "openat")


def test_filter_that_does_not_parse():
    result = stxtop("-s", "-F", "pid == ", "--", "true")
    refused(result, 2)
    result = stxtop("-s", "-F", "sycall == read", "--", "true")
    refused(result, 2, "sycall", "syscall")


def test_unknown_option():
    refused(stxtop("--no-such-option"), 2)


def test_bad_numbers():
    for arguments in (["-n", "x"], ["--for", "soon"], ["-m", "lots"], ["-d", "-3"],
                      ["-C", "99999"]):
        result = stxtop("-s", *arguments, "--", "true")
        assert result.status in (1, 2), (arguments, result.status)
        assert result.err.startswith("stxtop: "), (arguments, result.err)


def test_closed_pipe():
    need_tracing()
    read, write = os.pipe()
    os.close(read)
    process = start(STXTOP, "-b", "-w", "/dev/stdout", "--for", "5", stdout=write)
    os.close(write)
    busy = start(program("mix"), "1", "0", "1000000")
    status = process.wait(20)
    end(busy)
    assert status in (0, 1), status


def test_full_disk():
    need_tracing()
    if not os.path.exists("/dev/full"):
        skip("no /dev/full")
    result = stxtop("-b", "-w", "/dev/full", "--", program("mix"), "2", "10", "500")
    assert result.status != 0
    assert "No space left" in result.err, result.err
    result = stxtop("-s", "-w", "/dev/full", "--", "true")
    assert result.status != 0 and "No space left" in result.err, result.err


def test_output_in_a_missing_folder():
    refused(stxtop("-s", "-w", "/nonexistent/file", "--", "true"), 1, "/nonexistent/file")


def test_not_a_terminal():
    need_tracing()
    refused(stxtop(), 1, "terminal")


def as_nobody(*arguments):
    """Run a copy in a public folder: the build may be below a private home directory."""
    need("setpriv")
    place = folder()
    place.chmod(0o755)
    copy = shutil.copy(STXTOP, place)
    return run(*AS_NOBODY, copy, *arguments)


def test_paranoid_too_high():
    need_tracing()
    with Granted(2, tracefs=False):
        result = as_nobody("-s", "--for", "1")
        refused(result, 1)
        assert "perf_event_paranoid" in result.err or "/tracing" in result.err, result.err


def test_pid_of_another_user():
    need_tracing()
    sleeper = start("sleep", "100")
    result = as_nobody("-s", "-p", sleeper.pid, "--for", "1")
    refused(result, 1)


def test_no_tracefs():
    need_tracing()
    need("unshare")
    script = "umount -l /sys/kernel/tracing; umount -l /sys/kernel/debug/tracing 2>/dev/null; " \
             "umount -l /sys/kernel/debug 2>/dev/null; "
    if run("unshare", "-m", "sh", "-c", script + "test ! -e /sys/kernel/tracing/events"
           ).status != 0:
        skip("tracefs cannot be unmounted in a separate namespace")
    result = run("unshare", "-m", "sh", "-c", script + f"exec {STXTOP} --source perf -s --for 1")
    refused(result, 1, "mount -t tracefs")
    if harness.source == "perf":
        return
    # BPF programs need no tracefs for calls.
    result = run("unshare", "-m", "sh", "-c", script + f"exec {STXTOP} -s -- true")
    assert result.status == 0 and "execve" in result.err, (result.status, result.err)


def test_target_that_exits():
    need_tracing()
    target = start("cat", stdin=subprocess.PIPE)
    watcher = start(STXTOP, "-s", "-p", target.pid)
    wait_until(lambda: collector_of(watcher), what="stxtop watches")
    target.stdin.close()
    assert watcher.wait(LIMIT_S) == 0


@long
def test_interrupt_ends_with_summary():
    need_tracing()
    for number in (signal.SIGINT, signal.SIGTERM):
        path = folder() / "out"
        busy = start(program("mix"), "1", "0", "100000000")
        process = start(STXTOP, "-S", "-w", path, "-p", busy.pid)
        wait_until(lambda: path.exists() and path.stat().st_size > 1000, what="lines")
        process.send_signal(number)
        assert process.wait(20) in (0, 128 + number)
        assert "getppid" in path.read_text().splitlines()[-20:].__str__()
        end(busy)


@long
def test_control_characters_never_reach_the_output():
    need_tracing()
    name = b"ev\x1b[31mil\n"
    code = ("import ctypes,os\n"
            f"ctypes.CDLL(None).prctl(15, {name!r}, 0, 0, 0)\n"
            "for i in range(50): os.getppid()\n")
    need("python3")
    for mode in (["-b"], ["--json"], ["-s"], ["-S"]):
        path = folder() / "out"
        result = stxtop(*mode, "-w", path, "--", "python3", "-c", code)
        assert result.status == 0, result.err
        data = path.read_bytes()
        assert b"\x1b" not in data and b"\\33[31mil" in data, mode


def test_file_names_are_escaped_in_messages():
    path = folder() / "ev\x1b[31mil\ndata"
    refused(stxtop("-s", "-i", path), 1, "\\33[31mil")
    refused(stxtop("-s", "-i", RECORDING, "-o", path / "x"), 1, "\\33[31mil")


def test_keymap_with_mistakes():
    path = folder() / "mine.keys"
    path.write_text("nonsense x\nquit Q\nquit \x1b[2J\n")
    result = stxtop("-s", "--keymap", str(path), "-i", str(RECORDING))
    assert result.status == 0, (result.status, result.err)
    assert result.err.splitlines() == [
        f'stxtop: {path}:1: unknown action "nonsense"',
        f'stxtop: {path}:3: unknown key "\\33[2J"'], result.err


def test_missing_keymap():
    refused(stxtop("-s", "--keymap", "/nonexistent/keys", "-i", str(RECORDING)), 1,
            "/nonexistent/keys", "default, vi, emacs")


@long
def test_closed_standard_output_is_an_error():
    """A closed standard output must not look like success."""
    for arguments in ("--version", "--help", "--access", "--access --json", "-s -i", "-b -i",
                      "--json -i", "-s --against", "--info -i"):
        if arguments.endswith("-i"):
            arguments += f" {RECORDING}"
        if arguments.endswith("--against"):
            arguments += f" {RECORDING} -i {RECORDING}"
        result = run("sh", "-c", f"{STXTOP} {arguments} >&-")
        assert result.status == 1, (arguments, result.status)
        assert result.err == "stxtop: cannot write to standard output: it is closed\n", result.err
    assert run("sh", "-c", f"{STXTOP} -i {RECORDING} >&-").status == 1
    # An error that cannot be printed is still a failure.
    assert run("sh", "-c", f"{STXTOP} --keymap /none -i {RECORDING} 2>&-").status == 1


def test_command_inherits_closed_streams():
    need_tracing()
    result = run("sh", "-c", f"{STXTOP} -s -w /dev/null sh -c 'echo text; test $? -ne 0' >&-")
    assert result.status == 0, result.err
