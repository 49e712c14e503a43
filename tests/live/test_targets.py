"""Targets that change while they are watched: exactly the named tasks are watched."""

import json
import os
import re
import signal

import harness
from harness import (STXTOP, end, folder, has_bpf, long, need_tracing, of_type, program, skip,
                     start, stxtop, wait_until, watch_json)
from test_containers import Inside
from test_owners import Groups
from terminal import Terminal


def source():
    """Return the source of this run: the runner repeats these tests for each source."""
    return harness.source or ("bpf" if has_bpf() else "perf")


def numbered():
    return start(program("numbered"))


class Watching:
    """The interface with the source of this run, on the targets in the arguments."""

    def __init__(self, *arguments):
        need_tracing()
        self.terminal = Terminal(STXTOP, "--source", source(), *arguments, size=(140, 40))

    def __enter__(self):
        self.terminal.wait("LIVE")
        return self.terminal

    def __exit__(self, *unused):
        self.terminal.close()


def add(terminal, text):
    terminal.keys("@")
    terminal.wait("Watched targets")
    terminal.keys("Enter")
    terminal.wait("Watch too:")
    terminal.keys("-l", text)
    terminal.keys("Enter")


def test_targets_can_be_added_and_removed():
    first, other = numbered(), numbered()
    with Watching("-p", first.pid) as terminal:
        terminal.wait(rf"{first.pid} numbered")
        add(terminal, f"+pid {other.pid}")
        terminal.wait(rf"pids {first.pid},{other.pid}")
        terminal.wait(rf"{other.pid} numbered")
        terminal.wait(rf"numbered/{other.pid} +lseek")
        terminal.keys("@")
        terminal.wait(rf"pid {other.pid}  numbered")
        terminal.keys("End")
        terminal.keys("Enter")
        terminal.wait(rf"pid {first.pid} ")
        terminal.wait("is no longer watched")
        end(other)
        # The removed target is no longer watched, so its exit is not reported.
        terminal.wait(rf"numbered/{first.pid} +lseek")
        assert "has exited" not in terminal.screen()


def test_removing_the_last_target_watches_the_whole_system():
    first, other = numbered(), numbered()
    with Watching("-p", first.pid, "-e", "lseek") as terminal:
        terminal.wait(rf"{first.pid} numbered")
        terminal.keys("Home")
        terminal.keys("&")
        terminal.wait("the whole system is")
        # Wait for a call: the row of the process may be below the screen.
        terminal.wait(rf"numbered/{other.pid} +lseek")
        terminal.keys("Home")
        terminal.keys("&")
        terminal.wait("The whole system is watched: p narrows to this process")


@long
def test_invalid_targets_are_reported():
    first = numbered()
    with Watching("-p", first.pid) as terminal:
        for text, said in (("pid 4194303", "there is no process 4194303"),
                           ("4194303", "there is no process 4194303"),
                           ("tid 0", "a tid between 1 and"),
                           ("user nobdy", 'no user "nobdy"; did you mean "nobody"'),
                           ("cgroup /no/such", 'there is no cgroup "/no/such"'),
                           ("planet mars", "expected pid, tid, user or cgroup"),
                           ("pid", "expected pid, tid, user or cgroup")):
            add(terminal, text)
            terminal.wait(re.escape(said))
            terminal.keys("Escape")
            wait_until(lambda: "Watch too:" not in terminal.screen(), 10, "the prompt is closed")
        terminal.wait(rf"pid {first.pid} ")


def test_users_are_a_term_of_the_filter():
    first = numbered()
    with Watching("-p", first.pid, "-u", "nobody") as terminal:
        add(terminal, "user root")
        terminal.wait(r"Filter uid in \{65534, 0\}")
        terminal.wait(rf"{first.pid} numbered")
        terminal.keys("@")
        terminal.wait(r"user 65534  nobody")
        terminal.wait(r"user 0  root")


@long
def test_an_exit_is_reported_and_other_targets_stay():
    first, other = numbered(), numbered()
    with Watching("-p", f"{first.pid},{other.pid}") as terminal:
        terminal.wait(rf"{other.pid} numbered")
        end(other)
        terminal.wait(rf"process {other.pid} has exited; 1 of 2 targets is left")
        terminal.wait(rf"numbered/{first.pid} +lseek")
        terminal.keys("@")
        terminal.wait(rf"pid {other.pid}  numbered +exited")
        terminal.keys("Escape")
        end(first)
        terminal.wait(r"\(exited\)")


def test_batch_ends_with_its_last_target():
    first, other = numbered(), numbered()
    path = folder() / "out.json"
    need_tracing()
    watcher = start(STXTOP, "--json", "-w", path, "-p", f"{first.pid},{other.pid}", "-e", "lseek")

    def calls_of(pid):
        return path.exists() and path.read_text().count(f'"pid":{pid},')

    wait_until(lambda: calls_of(other.pid), 20, "calls")
    end(other)
    before = calls_of(first.pid)
    wait_until(lambda: calls_of(first.pid) > before + 50, 20, "calls of the remaining target")
    assert watcher.poll() is None, "stxtop ended with the first of two targets"
    end(first)
    assert watcher.wait(20) == 0
    assert json.loads(path.read_text().splitlines()[-1])["type"] == "summary"


def test_removed_cgroup_is_reported():
    need_tracing()
    if os.geteuid():
        skip("only root may create control groups")
    with Groups() as group:
        place = Inside(group.outer, "nginx.service", program("numbered"))
        with Watching("-G", f"{group.path}/nginx.service") as terminal:
            terminal.wait(rf"{place.process.pid} numbered")
            place.__exit__()
            terminal.wait(r"nginx\.service\" was removed; it is watched again if recreated")


def started_as(pid, *argv):
    """Start a process with this pid; None if another process has it."""
    with open("/proc/sys/kernel/ns_last_pid", "w") as file:
        file.write(str(pid - 1))
    process = start(*argv)
    if process.pid == pid:
        return process
    end(process)
    return None


def test_reused_pid_is_another_process():
    need_tracing()
    if os.geteuid():
        skip("only root may set ns_last_pid")
    named, other = numbered(), numbered()
    path = folder() / "out.json"
    watcher = start(STXTOP, "--json", "-w", path, "-p", f"{named.pid},{other.pid}", "-e",
                    "lseek,getppid")
    wait_until(lambda: path.exists() and f'"pid":{named.pid},' in path.read_text(), 20, "calls")
    end(named)
    again = None
    for _ in range(200):
        again = started_as(named.pid, program("mix"), "1", "0", "20000")
        if again:
            break
    if not again:
        skip("other processes took the pid each time")
    assert again.wait(30) == 0
    before = path.read_text().count(f'"pid":{other.pid},')
    wait_until(lambda: path.read_text().count(f'"pid":{other.pid},') > before + 50, 20, "calls")
    watcher.send_signal(signal.SIGINT)
    assert watcher.wait(20) == 0
    objects = [json.loads(line) for line in path.read_text().splitlines()]
    names = {c["name"] for c in of_type(objects, "call") if c["pid"] == named.pid}
    assert names == {"lseek"}, names


@long
def test_ten_thousand_targets_are_watched():
    need_tracing()
    with open("/proc/sys/kernel/pid_max") as file:
        if int(file.read()) < 30000:
            skip("pid_max is below 30000")
    listed = folder() / "pids"
    with open(listed, "w") as out:
        crowd = start(program("crowd_of_processes"), "10000", stdout=out)
    wait_until(lambda: listed.read_text().endswith("\n") or crowd.poll() is not None, 60,
               "ten thousand processes")
    pids = listed.read_text().strip()
    if crowd.poll() is not None or pids.count(",") != 9999:
        skip("cannot create 10000 processes here")
    one = numbered()
    try:
        objects, _ = watch_json("-p", f"{pids},{one.pid}", "-e", "lseek,pause", "-n", "50")
        calls = of_type(objects, "call")
        assert {c["pid"] for c in calls} == {one.pid}, "calls of other processes"
        stranger = numbered()
        objects, _ = watch_json("-p", pids, "-e", "lseek,pause", "--for", "8")
        in_flight = {c["pid"] for c in of_type(objects, "call")}
        assert stranger.pid not in in_flight
        # /proc is read in portions, so that records are not delayed: after 8 s, expect only some.
        assert len(in_flight) > 100, len(in_flight)
    finally:
        end(crowd)


def test_missing_cpus_are_rejected():
    for cpus, said in (("99999", "a CPU between 0 and 8191"), ("0-99999", "a CPU between 0"),
                       ("5-3", "a range with its lower end"), ("0,,1", "a CPU between"),
                       ("x", "a CPU between")):
        result = stxtop("-s", "-C", cpus, "--", "true")
        assert result.status == 2 and said in result.err, (cpus, result.err)
    need_tracing()
    for cpu in sorted({8191, *offline()}):
        result = stxtop("-s", "-C", str(cpu), "--", "true")
        assert result.status == 1 and f"CPU {cpu} is not online" in result.err, result.err


def offline():
    with open("/sys/devices/system/cpu/offline") as file:
        return [int(n) for n in re.findall(r"\d+", file.read())][:1]
