"""The flight recorder saves the records before a trigger, complete and correct."""

import json
import os
import pathlib
import re
import resource
import signal
import subprocess

from harness import (STXTOP, end, folder, long, long_by_perf, need, need_tracing, run, start,
                     stxtop, wait_until)
from terminal import Terminal

BUSY = "while :; do cat /etc/hostname; sleep 0.02; done"
# The trigger is a call of sleep(1) under a comm of its own.
EXPRESSION = 'syscall == clock_nanosleep and dur > 250ms and comm == "{}"'
CALL = re.compile(r"\s(\d+) \[\d+\]\s+(\d+\.\d{9}):\s+raw_syscalls:sys_(enter|exit): NR (\d+)")


def sleeper(where, name):
    """Create a link to sleep(1) with this name, so that no other sleep is a trigger."""
    path = where / name
    if not path.exists():
        path.symlink_to("/bin/sleep")
    return path


class Recorder:
    """stxtop with a flight recorder whose trigger is the sleep with this name."""

    def __init__(self, where, *options, expression=None, name="nap", **started):
        self.where = where
        self.nap = sleeper(where, name)
        self.err = where / "err"
        expression = EXPRESSION.format(name) if expression is None else expression
        # Watch only this process and its descendants: the machine may be busy.
        target = () if "-p" in options else ("-p", os.getpid())
        self.process = start(STXTOP, "-s", *target, "--flight", expression, "--flight-file",
                             where / "f-%N.data", "-w", where / "sum", *options,
                             stderr=self.err.open("w"), cwd=where, **started)
        wait_until(self.running, limit=30, what="the collector thread")

    def running(self):
        """True once stxtop collects: the collector thread then has the highest priority."""
        assert self.process.poll() is None, self.err.read_text()
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                stat = (task / "stat").read_text()
            except OSError:
                continue
            if "(collector)" in stat and stat.rsplit(")", 1)[1].split()[16] == "-20":
                return True
        return False

    def said(self):
        return self.err.read_text()

    def files(self):
        return sorted(self.where.glob("f-*.data"), key=lambda path: path.stat().st_mtime_ns)

    def wait_saved(self, count=1):
        wait_until(lambda: self.said().count("Saved ") >= count, limit=40, what="the saved file")

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(40)


def objects(path, *options):
    result = stxtop("-i", path, "-S", "--json", *options)
    assert result.status == 0, result.err
    return [json.loads(line) for line in result.out.splitlines()], result.err


def calls_of(lines):
    return [line for line in lines if line["type"] == "call"]


def done_of(lines):
    """Return the finished calls with a known duration."""
    return [call for call in calls_of(lines) if call["state"] == "done" and
            call["dur"] is not None]


def nap(recorder, seconds, count=1):
    for _ in range(count):
        subprocess.run([str(recorder.nap), str(seconds)], check=True)


@long_by_perf
def test_trigger_saves_earlier_calls_and_rearms():
    need_tracing()
    recorder = Recorder(folder(), "--flight-span", "2s,200ms", "--flight-again", "100ms")
    nap(recorder, 0.4)
    recorder.wait_saved()
    nap(recorder, 0.4)
    recorder.wait_saved(2)
    assert recorder.stop() == 0
    assert len(recorder.files()) == 2, recorder.said()
    for path in recorder.files():
        lines, told = objects(path)
        assert "Saved by a flight recorder" in told and "nap" in told, told
        naps = [call for call in calls_of(lines) if call["comm"] == "nap"]
        assert any(call["name"] == "execve" for call in naps), "no execve before the trigger"
        hanging = [call for call in naps if call["name"] == "clock_nanosleep"]
        assert hanging, told
        assert path.stat().st_mode & 0o777 == 0o600


@long
def test_saved_file_equals_a_concurrent_recording():
    """In their common span, both have all calls with stacks and names, also of ended processes."""
    need_tracing()
    where = folder()
    busy = start("sh", "-c", BUSY, stdout=subprocess.DEVNULL)
    try:
        recorder = Recorder(where, "-p", str(busy.pid), "-o", where / "beside", "--flight-span",
                            "1s,0s", "--flight-again", "never",
                            expression='comm == "cat" and syscall == read and ret == 0 and '
                                       'began > 3s')
        assert recorder.process.wait(40) == 0
    finally:
        end(busy)
    saved, told = objects(recorder.files()[0])
    beside, _ = objects(where / "beside")

    def known(lines, first, last):
        return sorted((call["ts"], call["dur"], call["tid"], call["comm"], call["name"],
                       str(call["ret"]),
                       # Ignore waits that may have begun before the first record.
                       call["blocked"] if call["ts"] > first else None,
                       tuple(frame["ip"] for frame in call["stack"] or []),
                       tuple((arg["text"]) for arg in call["args"]
                             if arg["from"] in ("register", "kernel")))
                      for call in done_of(lines) if
                      first < call["ts"] + call["dur"] < last)

    done = done_of(saved)
    # Limit the span by ends of calls, as calls in flight at the start of the file began before it.
    first = min(call["ts"] + call["dur"] for call in done)
    last = max(call["ts"] + call["dur"] for call in done)
    assert last - first > 10**9 * 0.9, told
    ours, theirs = known(saved, first, last), known(beside, first, last)
    assert len(ours) > 300 and len(ours) == len(theirs), (len(ours), len(theirs))
    # A few stacks differ: unwinding in the background may finish too late for one output.
    other = sum(one[7] != two[7] for one, two in zip(ours, theirs))
    for one, two in zip(ours, theirs):
        assert one[:7] + one[8:] == two[:7] + two[8:], (one, two)
    assert other <= len(ours) / 50, other
    # Each cat ended long before the file was written, and its code has a name.
    frames = [frame for call in calls_of(saved) if call["comm"] == "cat"
              for frame in call["stack"] or [] if frame["kind"] == "user"]
    # A few stacks may be older than the first mapping records of their process.
    assert len(frames) < 10 or any(re.search("libc|ld-linux", frame["dso"])
                                   for frame in frames), frames


@long
def test_a_hanging_call_triggers_while_it_hangs():
    need_tracing()
    recorder = Recorder(folder(), "--flight-span", "2s,0s", "--flight-again", "0")
    hanging = start(recorder.nap, "1000")
    try:
        recorder.wait_saved()
        assert hanging.poll() is None
        assert "in flight for" in recorder.said(), recorder.said()
        # A hanging call triggers only once.
        nap(recorder, 0.4)
        recorder.wait_saved(2)
        assert f"/{hanging.pid} " not in recorder.said().splitlines()[1], recorder.said()
    finally:
        end(hanging)
    recorder.stop()


@long
def test_sigusr1_saves():
    need_tracing()
    recorder = Recorder(folder(), "--flight-span", "2s,100ms", expression="")
    nap(recorder, 0.01, 5)
    recorder.process.send_signal(signal.SIGUSR1)
    recorder.wait_saved()
    assert "before and" in recorder.said() and "the signal" in recorder.said()
    recorder.process.send_signal(signal.SIGUSR1)
    recorder.wait_saved(2)
    assert recorder.stop() == 0
    lines, told = objects(recorder.files()[0])
    assert "the signal" in told
    assert sum(call["name"] == "execve" for call in calls_of(lines)
               if call["comm"] in ("nap", "python3")) >= 4


@long
def test_perf_reads_a_saved_file():
    need("perf")
    need_tracing()
    recorder = Recorder(folder(), "--flight-span", "2s,100ms", "--flight-again", "never")
    nap(recorder, 0.4)
    assert recorder.process.wait(40) == 0
    path = recorder.files()[0]
    lines, _ = objects(path)
    enters = {(int(match[1]), match[2].replace(".", "")): int(match[4])
              for match in map(CALL.search, run("perf", "script", "-i", path, "--ns").out
                               .splitlines()) if match and match[3] == "enter"}
    done = done_of(lines)
    assert len(done) > 50
    for call in done:
        key = call["tid"], f"{call['ts'] // 10**9}{call['ts'] % 10**9:09}"
        assert enters.get(key) == call["nr"], call
    assert "nap" in run("perf", "trace", "-i", path).err + run("perf", "trace", "-i", path).out


def test_burst_of_triggers_makes_one_file_and_is_counted():
    need_tracing()
    recorder = Recorder(folder(), "--flight-span", "1s,0s", "--flight-again", "1h",
                        expression='comm == "nap" and syscall == execve')
    nap(recorder, 0, 20)
    recorder.wait_saved()
    recorder.process.send_signal(signal.SIGUSR1)
    recorder.wait_saved(2)
    assert recorder.stop() == 0
    assert len(recorder.files()) == 2
    other = re.search(r"; (\d+) other triggers", recorder.said().splitlines()[1])
    assert other and int(other[1]) >= 10, recorder.said()


def test_flight_keep_limits_files_and_overwrites_none():
    need_tracing()
    where = folder()
    (where / "f-2.data").write_text("somebody else's")
    recorder = Recorder(where, "--flight-span", "1s,0s", "--flight-keep", "2", expression="")
    for count in range(1, 5):
        recorder.process.send_signal(signal.SIGUSR1)
        recorder.wait_saved(count)
    assert recorder.stop() == 0
    assert sorted(path.name for path in recorder.files()) == ["f-2.data", "f-4.data", "f-5.data"]
    assert (where / "f-2.data").read_text() == "somebody else's"


def test_a_full_disk_is_reported_and_the_recorder_continues():
    need_tracing()
    where = folder()
    recorder = Recorder(where, "--flight-span", "2s,0s", "--flight-again", "0", expression="")
    # Simulate a full disk: the smallest recording is larger than this limit.
    resource.prlimit(recorder.process.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
    recorder.process.send_signal(signal.SIGUSR1)
    wait_until(lambda: recorder.said() or recorder.process.poll() is not None, limit=30,
               what="the error")
    assert "could not write" in recorder.said(), (recorder.said(), recorder.process.poll())
    assert not recorder.files(), "an incomplete file was left"
    resource.prlimit(recorder.process.pid, resource.RLIMIT_FSIZE,
                     (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    recorder.process.send_signal(signal.SIGUSR1)
    recorder.wait_saved()
    assert recorder.stop() == 1
    lines, _ = objects(recorder.files()[0])
    assert calls_of(lines)


def test_invalid_flight_options_are_rejected():
    for options, status, part in (
            (("--flight", "dur >"), 2, "--flight: "),
            (("--flight", "", "--flight-size", "1K"), 2, "1M"),
            (("--flight", "", "--flight-span", "2h"), 2, "an hour"),
            (("--flight", "", "--flight-file", "/"), 2, "name"),
            (("--flight", "", "-i", "x"), 2, "recording"),
            (("--flight-keep", "3"), 2, "--flight EXPR")):
        result = stxtop("-s", "--for", "0.1", *options)
        assert result.status == status and part in result.err, (options, result.err)


def test_a_file_in_a_missing_folder_is_refused():
    need_tracing()
    result = stxtop("-s", "--for", "0.1", "--flight", "", "--flight-file",
                    folder() / "none" / "x")
    assert result.status == 1 and "No such file" in result.err, result.err


def rss(pid):
    with open(f"/proc/{pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@long
def test_memory_is_constant_while_the_ring_wraps():
    need_tracing()
    where = folder()
    load = start("dd", "if=/dev/zero", "of=/dev/null", "bs=1", stderr=subprocess.DEVNULL)
    recorder = Recorder(where, "-p", str(load.pid), "--flight-size", "4M", "--flight-span",
                        "1h,0s", "--history", "4M", expression="dur > 1h")

    def written():
        with open(f"/proc/{load.pid}/io") as lines:
            return int(next(line.split()[1] for line in lines if line.startswith("syscw")))

    try:
        # 4 MiB hold about 20,000 calls: fill the ring once, then many times.
        begin = written()
        wait_until(lambda: written() > begin + 100000, limit=60, what="the first calls")
        before = rss(recorder.process.pid)
        begin = written()
        wait_until(lambda: written() > begin + 600000, limit=100, what="many more calls")
        after = rss(recorder.process.pid)
        recorder.process.send_signal(signal.SIGUSR1)
        recorder.wait_saved()
    finally:
        end(load)
    recorder.stop()
    assert after < before + 3000, (before, after)
    lines, _ = objects(recorder.files()[0], "-F", "pid == %d" % load.pid)
    assert len(calls_of(lines)) > 5000


@long
def test_panel_arms_and_saves():
    need_tracing()
    where = folder()
    terminal = Terminal(STXTOP, "--flight-file", str(where / "f-%N.data"), "-p", str(os.getpid()))
    try:
        terminal.wait("LIVE")
        terminal.keys("!")
        terminal.wait("Flight recorder")
        terminal.wait("manual or SIGUSR1")
        terminal.keys("Down", "Enter")
        terminal.wait("Save when:")
        terminal.keys("-l", "syscall == nonsense")
        terminal.keys("Enter")
        terminal.wait("nonsense")
        terminal.wait("Save when:")
        terminal.keys("C-u")
        terminal.keys("-l", "dur > 1h")
        terminal.keys("Enter")
        terminal.wait(r"Trigger +dur > 1h")
        terminal.keys("Up", "Enter")
        terminal.wait("FLIGHT [0-9.]+")
        terminal.keys("Escape")
        terminal.keys("!")
        terminal.wait("Save now")
        terminal.keys("End", "Enter")
        terminal.wait("Saved .*f-1.data")
        terminal.keys("!")
        terminal.wait("Copy the command for the last file")
        terminal.keys("Home", "Enter")
        terminal.keys("Escape")
        wait_until(lambda: "FLIGHT" not in terminal.screen(), what="the end of the flight recorder")
    finally:
        terminal.close()
    assert (where / "f-1.data").stat().st_mode & 0o777 == 0o600
    terminal = Terminal(STXTOP, "-i", str(where / "f-1.data"))
    try:
        terminal.wait("Saved by a flight recorder")
    finally:
        terminal.close()


@long
def test_saved_file_opens_at_the_trigger():
    need_tracing()
    recorder = Recorder(folder(), "--flight-span", "2s,500ms", "--flight-again", "never")
    nap(recorder, 0.4)
    assert recorder.process.wait(40) == 0
    terminal = Terminal(STXTOP, "-i", str(recorder.files()[0]))
    try:
        terminal.wait("Saved by a flight recorder")
        terminal.wait(r"Stack of nap/\d+ clock_nanosleep")
    finally:
        terminal.close()
