"""-o - (a pipe) has the same contents as a file, both for perf and for stxtop."""

import json
import os
import pty
import signal
import subprocess

from harness import STXTOP, end, folder, long, need, need_tracing, program, run, start, stxtop

WORK = (program("mix"), "2", "5", "50")


def recorded():
    """Record to a file."""
    need_tracing()
    path = folder() / "a.data"
    result = stxtop("-s", "-w", "/dev/null", "-o", path, "--", *WORK)
    assert result.status == 0, result.err
    return path


def piped(path, *options):
    """Copy the recording to a pipe, saved in a file."""
    to = path.with_name("a.pipe")
    result = run("sh", "-c", f"{STXTOP} -i {path} {' '.join(options)} -o - | cat >{to}")
    assert result.status == 0 and not result.err, result.err
    return to


def same_shown(path, to):
    ours = stxtop("-i", path, "-b")
    with open(to, "rb") as file:
        theirs = stxtop("-i", "-", "-b", stdin=file)
    assert ours.status == theirs.status == 0, theirs.err
    assert ours.out == theirs.out
    # The saved output of a pipe is seekable.
    span = ("-s", "--json", "--from", "0.001")
    assert stxtop("-i", to, *span).out == stxtop("-i", path, *span).out


@long
def test_piped_recording_equals_the_file():
    path = recorded()
    same_shown(path, piped(path))
    same_shown(path, piped(path, "-z", "1"))


def samples(path):
    """Return the lines of perf script for calls; perf sorts them by time."""
    fields = "trace:comm,pid,tid,cpu,time,event,trace"
    with open(path, "rb") as file:
        result = run("perf", "script", "-i", "-" if path.suffix == ".pipe" else path, "-F", fields,
                     "-F", "hw:comm,pid,tid,cpu,time,event", "-F",
                     "sw:comm,pid,tid,cpu,time,event", stdin=file)
    assert result.status == 0, result.err
    return sorted(line for line in result.out.splitlines() if "raw_syscalls:" in line)


@long
def test_perf_reads_the_pipe_as_the_file():
    need("perf")
    path = recorded()
    lines = samples(path)
    assert len(lines) > 1000
    assert samples(piped(path, "-z", "1")) == lines
    assert samples(piped(path)) == lines
    with open(path.with_name("a.pipe"), "rb") as file:
        result = run("perf", "report", "-i", "-", "--stdio", "-s", "comm", stdin=file)
    assert "of event 'raw_syscalls:sys_enter'" in result.out and "mix" in result.out, result.err


def test_reader_of_the_pipe_sees_all_calls():
    """The output of the command is not in the pipe with the recording."""
    need_tracing()
    result = run("sh", "-c", f"{STXTOP} -o - -- sh -c 'echo said; exec {' '.join(WORK)}' | "
                 f"{STXTOP} -i - -s --json -F 'comm == \"mix\" and syscall == getppid'")
    assert result.status == 0 and result.err.strip() == "said", result.err
    assert json.loads(result.out.splitlines()[-1])["calls"] == 2 * 50


def test_summary_goes_to_standard_error():
    need_tracing()
    result = run("sh", "-c", f"{STXTOP} -s -o - -- true | {STXTOP} -i - -s --json")
    assert "execve" in result.err and json.loads(result.out.splitlines()[-1])["calls"] > 5


def test_closed_pipe_ends_the_recording():
    need_tracing()
    place = folder()
    result = run("bash", "-c", f"{STXTOP} -o - 2>{place}/err | head -c 3000 >/dev/null; "
                 "echo ${PIPESTATUS[0]}")
    with open(place / "err", encoding="utf-8") as file:
        said = file.read()
    assert result.out.strip() == "0" and not said, (result.out, said)


@long
def test_second_signal_ends_a_stalled_pipe():
    need_tracing()
    busy = start(program("mix"), "1", "0", "100000000")
    writer = start(STXTOP, "-o", "-", "-p", busy.pid, stdout=subprocess.PIPE,
                   stderr=subprocess.PIPE)
    assert writer.stdout.read(10)
    writer.send_signal(signal.SIGINT)
    said = writer.stderr.readline()
    assert b"waiting for the reader" in said, said
    writer.send_signal(signal.SIGINT)
    assert writer.wait(30) == 1
    assert b"canceled" in writer.stderr.read()
    end(busy)


def test_recording_to_a_terminal_is_rejected():
    ours, terminal = pty.openpty()
    result = subprocess.run([STXTOP, "-o", "-", "--", "true"], stdin=subprocess.DEVNULL,
                            stdout=terminal, stderr=subprocess.PIPE, check=False)
    os.close(ours)
    os.close(terminal)
    assert result.returncode == 1 and b"terminal" in result.stderr, result.stderr


def test_rotation_of_a_pipe_is_rejected():
    result = stxtop("-o", "-", "--rotate", "1M", "--", "true")
    assert result.status == 2 and "--rotate" in result.err, result.err
