"""Events of other tracepoints equal those of perf script, and are in order with the calls."""

import collections
import itertools
import json
import os
import re
import time

import harness
from harness import STXTOP, folder, long, need, need_tracing, of_type, program, run, skip, start
from harness import stxtop, wait_until, watch_json
from unprivileged import AS_NOBODY, Granted, NOBODY

TRACING = "/sys/kernel/tracing"
SAMPLE = re.compile(r"^\s*(\d+)\s+(\d+)\.(\d{9}):\s+([^:\s]+:[^:\s]+):\s*(.*?)\s*$")
BIRTH = "sched:sched_process_fork"
EXEC = "sched:sched_process_exec"
LIFE = [BIRTH, EXEC, "sched:sched_process_exit", "signal:signal_generate"]
# Runs shells and programs, sends signals, kills a process, sets a name that is escaped.
WORK = r"""
for i in 1 2 3; do /bin/true; done
sh -c 'kill -URG $$; kill -WINCH $$; exec sleep 0.01'
(sleep 30 & kill -9 $!; wait)
cp "$(command -v true)" "$0/a name\\	of" && "$0/a name\\	of"
ls / | cat >/dev/null
timeout 0.05 sleep 5
exit 3
"""

_numbers = itertools.count()


def events(objects, *names):
    return [o for o in of_type(objects, "event") if not names or o["name"] in names]


def perf_samples(path):
    """Return [(ns, tid, name, text)] as perf script prints them."""
    result = run("perf", "script", "-i", path, "--ns", "-F", "tid,time,event,trace")
    assert result.status == 0, result.err
    found = []
    for line in result.out.splitlines():
        sample = SAMPLE.match(line)
        if sample:
            found.append((int(sample[2]) * 10**9 + int(sample[3]), int(sample[1]), sample[4],
                          sample[5]))
    return found


def record_both(names, *argv, options=()):
    """Run a command in stxtop under perf. Return objects, samples (also of stxtop) and result."""
    need("perf")
    need_tracing()
    where = folder()
    data, out = where / "data", where / "out.json"
    watched = [word for name in names for word in ("-e", name)]
    result = run("perf", "record", "-q", "-k", "CLOCK_MONOTONIC", "-m", "4M", *watched, "-o", data,
                 "--", STXTOP, *options, "--json", "-w", out, "-E", ",".join(names), "--", *argv)
    if not out.exists() and run("perf", "record", "-q", *watched, "-o", data, "true").status:
        skip(f"perf record does not work here: {result.err[:80]}")
    assert out.exists(), result.err
    with open(out) as lines:
        return [json.loads(line) for line in lines], perf_samples(data), result


def family(samples, leader):
    """Return the thread and all its descendants."""
    members = {leader}
    for _, _, name, text in samples:
        if name != BIRTH:
            continue
        pids = [int(n) for n in re.findall(r"pid=(\d+)", text)]
        if pids[0] in members:
            members.add(pids[1])
    return members


def by_thread(rows):
    threads = collections.defaultdict(list)
    for _, tid, name, text in rows:
        threads[tid].append((name, text))
    return threads


def escaped(text):
    """Escape the text as stxtop does; perf prints raw bytes."""
    return text.replace("\\", "\\\\").replace("\t", "\\t")


def without_lost(objects):
    assert not of_type(objects, "lost")
    return objects


# -- The same as perf --------------------------------------------------------------------------

@long
def test_process_and_signal_events_equal_perf_script():
    objects, samples, result = record_both(LIFE, "sh", "-c", WORK, folder())
    assert result.status == 3, result.err
    mine = events(without_lost(objects))
    leader = mine[0]["tid"]
    assert mine[0]["name"] == EXEC
    # perf also records the setup of the command, which ends with the execve.
    begin = next(i for i, s in enumerate(samples) if s[1] == leader and s[2] == EXEC)
    wanted = [s for s in samples[begin:] if s[1] in family(samples, leader)]
    assert len(wanted) > 30
    theirs = by_thread((t, tid, name, escaped(text)) for t, tid, name, text in wanted)
    assert by_thread((e["ts"], e["tid"], e["name"], e["text"]) for e in mine) == theirs
    assert {e["name"] for e in mine} == set(LIFE)
    counts = collections.Counter(e["name"] for e in mine)
    summary = of_type(objects, "summary")[0]
    assert {e["name"]: e["count"] for e in summary["events"]} == counts
    assert summary["events_lost"] == 0 and summary["calls"] > 100


@long
def test_times_of_events_equal_perf():
    objects, samples, _ = record_both([EXEC], "sh", "-c", "/bin/true; /bin/true; :")
    mine = events(objects)
    theirs = [s for s in samples if s[1] in {e["tid"] for e in mine}]
    assert len(mine) == 3
    for own, other in zip(mine, theirs[-3:]):
        # Each tracer reads the clock for its own event; a hypervisor can pause between the two.
        assert abs(own["ts"] - other[0]) < 50_000_000, (own, other)
    assert sorted(e["ts"] for e in mine) == [e["ts"] for e in mine]


def test_an_exec_is_inside_its_execve():
    need_tracing()
    objects, _ = watch_json("-E", EXEC, "--", "sh", "-c", "for i in 1 2 3 4 5; do /bin/true; done")
    execs = events(objects)
    assert len(execs) == 6
    for event in execs:
        call = [o for o in of_type(objects, "call") if o["tid"] == event["tid"] and
                o["name"] == "execve" and o["ret"] == 0]
        assert len(call) == 1, call
        assert call[0]["ts"] < event["ts"] < call[0]["ts"] + call[0]["dur"]
        # The event is listed before the calls that end after it.
        assert objects.index(event) < objects.index(call[0])
        later = [o for o in objects if o.get("tid") == event["tid"] and o["type"] == "call" and
                 o["ts"] > event["ts"]]
        assert all(objects.index(event) < objects.index(o) for o in later)


# -- Probes ------------------------------------------------------------------------------------

class Probe:
    """A probe that is always removed at the end; its tracers must have ended before."""

    def __init__(self, file, definition):
        self.path = f"{TRACING}/{file}"
        self.group = f"stxtop{os.getpid()}_{next(_numbers)}"
        self.definition = definition

    def __enter__(self):
        if not os.path.exists(self.path):
            skip(f"this kernel has no {self.path}")
        try:
            self.write(self.definition.format(self.group))
        except OSError as error:
            skip(f"no probe can be created here: {error.strerror}")
        return self

    def write(self, line):
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(file, line.encode() + b"\n")
        finally:
            os.close(file)

    def remove(self):
        self.write(f"-:{self.group}/here")

    def removed(self):
        try:
            self.remove()
        except OSError as error:
            return error.errno == 2
        return True

    def __exit__(self, *unused):
        # Retry: the kernel releases the probe only shortly after the end of its tracer.
        wait_until(self.removed, what=f"{self.group} removed")


def uprobe(arguments=""):
    nm = run(need("nm"), program("probed")).out
    at = next(line.split()[0] for line in nm.splitlines() if line.endswith(" probed_here"))
    return Probe("uprobe_events", f"p:{{}}/here {program('probed')}:0x{at} {arguments}")


@long
def test_uprobe_equals_perf_script():
    need_tracing()
    with uprobe("number=%di:s64 text=+0(%si):string") as probe:
        name = f"{probe.group}:here"
        objects, samples, result = record_both([name], program("probed"), 1000)
        assert result.status == 0, result.err
        mine = [(e["tid"], e["name"], e["text"]) for e in events(without_lost(objects))]
        assert len(mine) == 1000
        assert mine == [(tid, n, escaped(text)) for _, tid, n, text in samples]
        assert 'number=0 text="even\\tand a tab"' in mine[0][2], mine[0]
        # Each event is between the calls before and after it.
        order = [o["type"] for o in objects if o.get("name") in ("getppid", name)]
        assert order == ["call", "event"] * 1000


def test_kprobe_equals_perf_script():
    need_tracing()
    openat = "p:{}/here do_sys_openat2 dfd=%di:s32 name=+0(%si):ustring"
    with Probe("kprobe_events", openat) as probe:
        name = f"{probe.group}:here"
        objects, samples, _ = record_both([name], "cat", "/etc/hostname")
        mine = events(without_lost(objects))
        tid = mine[0]["tid"]
        theirs = [escaped(text) for _, t, n, text in samples if t == tid and n == name]
        assert [e["text"] for e in mine] == theirs[-len(mine):]
        opened = [o for o in of_type(objects, "call") if o["name"] in ("open", "openat")]
        assert len(mine) == len(opened)


def test_a_probe_stays_while_it_is_watched():
    need_tracing()
    with uprobe() as probe:
        out = folder() / "out"
        watcher = start(STXTOP, "-b", "-w", out, "--no-syscalls", "-E", f"{probe.group}:*")

        def is_watched():
            run(program("probed"), 1)
            return out.exists() and probe.group in out.read_text()

        wait_until(is_watched, what="an event of the probe")
        try:
            probe.remove()
            raise AssertionError("the probe was removed while it was watched")
        except OSError as error:
            assert error.errno == 16, error
        watcher.terminate()
        assert watcher.wait(20) == 0


# -- Output ------------------------------------------------------------------------------------

def test_event_lines_have_the_documented_format():
    need_tracing()
    result = stxtop("-b", "-E", EXEC, "-w", "/dev/stdout", "--", "/bin/true")
    line = [l for l in result.out.splitlines() if EXEC in l]
    assert len(line) == 1
    assert re.fullmatch(r" *\d+\.\d{6} \(           \) true/(\d+) sched:sched_process_exec: "
                        r"filename=/bin/true pid=\1 old_pid=\1", line[0]), line


def test_no_syscalls_option_leaves_only_events():
    need_tracing()
    objects, _ = watch_json("--no-syscalls", "-E", "sched:sched_process_*", "--", "sh", "-c",
                            "/bin/true; :")
    assert {o["type"] for o in objects} == {"event", "summary"}
    assert of_type(objects, "summary")[0]["calls"] == 0
    names = {e["name"] for e in events(objects)}
    assert {BIRTH, EXEC, "sched:sched_process_exit"} <= names


def test_call_options_do_not_drop_events():
    need_tracing()
    objects, _ = watch_json("-e", "write", "-E", EXEC, "--", "sh", "-c",
                            "echo a >/dev/null; /bin/true; :")
    assert {o["name"] for o in of_type(objects, "call")} == {"write"}
    assert len(events(objects)) == 2
    objects, _ = watch_json("-Z", "-d", "1h", "-E", EXEC, "--", "sh", "-c", "/bin/true; :")
    assert not of_type(objects, "call") and len(events(objects)) == 2


@long
def test_filters_apply_to_calls_and_events():
    need_tracing()
    work = ("sh", "-c", "/bin/true; kill -URG $$; :")
    for expression, calls, wanted in (
            ("event ~ exec", False, {EXEC}),
            ("event == signal:signal_generate", False, {"signal:signal_generate"}),
            ("event != signal:signal_generate", False, {EXEC}),
            ("event ~ . && comm == true", False, {EXEC}),
            ("syscall == kill", True, set()),
            ("kill || event ~ signal", True, {"signal:signal_generate"}),
            ("uid == 0", True, {EXEC, "signal:signal_generate"}),
            ("uid != 0", False, set()),
            ("uid == 0 && event ~ exec", False, {EXEC}),
            ("not failed && dur >= 0", True, set())):
        objects, _ = watch_json("-F", expression, "-E", f"{EXEC},signal:signal_generate", "--",
                                *work)
        assert bool(of_type(objects, "call")) == calls, expression
        assert {e["name"] for e in events(objects)} == wanted, expression


def test_user_and_cpu_options_apply_to_events():
    need_tracing()
    need("setpriv")

    def executed(script):
        objects, _ = watch_json("-u", NOBODY, "-E", EXEC, "--", *AS_NOBODY, "sh", "-c", script)
        return [re.match(r"filename=\S*/(\w+) ", e["text"])[1] for e in events(objects)]

    if harness.source == "perf":
        # The new owner of a task is read from /proc a moment later; until then the old one applies.
        files = executed("for i in $(seq 100); do /bin/true; done")
        assert "true" in files and set(files) <= {"setpriv", "sh", "seq", "true"}, set(files)
    else:
        files = executed("/bin/true; :")
        assert files in (["sh", "true"], ["setpriv", "sh", "true"]), files
    objects, _ = watch_json("-C", "0", "-E", "sched:sched_switch", "--no-syscalls", "--for", "0.3")
    assert events(objects) and {e["cpu"] for e in events(objects)} == {0}


def test_count_limit_includes_events():
    need_tracing()
    objects, _ = watch_json("--no-syscalls", "-E", "syscalls:sys_enter_getppid", "-n", "5", "--",
                            program("probed"), 1000, status=None)
    assert len(events(objects)) == 5


@long
def test_events_of_a_recording_equal_perf_script():
    need("perf")
    need_tracing()
    data = folder() / "data"
    names = ["raw_syscalls:sys_enter", "raw_syscalls:sys_exit", *LIFE]
    run("perf", "record", "-q", "-k", "CLOCK_MONOTONIC", *[w for n in names for w in ("-e", n)],
        "-o", data, "--", "sh", "-c", WORK, folder())
    theirs = [(t, tid, n, escaped(text)) for t, tid, n, text in perf_samples(data) if n in LIFE]
    result = stxtop("--json", "-i", data)
    objects = result.json()
    assert [(e["ts"], e["tid"], e["name"], e["text"]) for e in events(objects)] == theirs
    assert of_type(objects, "call")
    # In a recording without calls, sched_switch is an event of its own; it feeds no waits.
    run("perf", "record", "-q", "-e", "sched:sched_switch", "-o", data, "--", "sleep", "0.01")
    theirs = [text for _, _, _, text in perf_samples(data)]
    mine = events(stxtop("--json", "-i", data).json())
    assert theirs and [e["text"] for e in mine] == [escaped(t) for t in theirs]


# -- Errors ------------------------------------------------------------------------------------

@long
def test_lost_events_are_counted():
    """Each event is either reported or counted as lost, whatever the load."""
    need_tracing()
    count = 200_000
    for ring in ("4k", "4M"):
        objects, _ = watch_json("--no-syscalls", "-m", ring, "-E", "syscalls:sys_enter_getppid",
                                "--", program("probed"), count)
        told = len(events(objects))
        lost = sum(o["count"] for o in of_type(objects, "lost"))
        assert all(o["events"] for o in of_type(objects, "lost"))
        summary = of_type(objects, "summary")[0]
        assert told + lost == count, (ring, told, lost)
        assert summary["events_lost"] == lost
        assert sum(e["count"] for e in summary["events"]) == told
        assert summary["lost"] == 0
        if ring == "4k":
            assert lost > 0, "a ring of one page lost no event"


@long
def test_invalid_tracepoints_are_reported():
    need_tracing()
    for listed, status, says in (
            ("sched:sched_process_exek", 1, "did you mean sched:sched_process_exec?"),
            ("sched:nothing_like_it_at_all", 1, "available_events lists them"),
            ("probe_libc:nothing", 1, "perf probe -l"),
            ("nosuch:*", 1, "no tracepoint of this kernel matches 'nosuch:*'"),
            ("*:*", 1, "more than 256 tracepoints at the same time"),
            ("sched_switch", 2, "write SYSTEM:NAME"),
            ("sched:sched_switch,,", 2, "empty tracepoint between two commas"),
            ("../../x:y", 2, "is not a tracepoint")):
        result = stxtop("-b", "-E", listed, "--for", "0.1")
        assert result.status == status, (listed, result.status, result.err)
        assert says in result.err and result.err.startswith("stxtop: "), (listed, result.err)
        assert not result.out


def test_missing_permission_is_reported_with_a_remedy():
    need_tracing()
    need("setpriv")
    copy = folder()
    copy.chmod(0o777)
    run("cp", STXTOP, copy)
    command = (*AS_NOBODY, copy / "stxtop", "-b", "-w", copy / "out", "-E", EXEC, "--", "true")
    with Granted(1) as granted:
        result = run(*command)
        assert result.status == 1
        assert EXEC in result.err and "kernel.perf_event_paranoid=-1" in result.err, result.err
        # Users may trace the syscall tracepoints of their own processes.
        result = run(*command[:-3], "syscalls:sys_enter_close", "--", "true")
        assert result.status == 0, result.err
        assert "syscalls:sys_enter_close: fd: 0x" in (copy / "out").read_text()
        granted.set(-1)
        result = run(*command)
        assert result.status == 0, result.err
        assert f"{EXEC}: filename=" in (copy / "out").read_text()
        granted.set(-1, tracefs=False)
        result = run(*command)
        assert result.status == 1 and "mount -o remount,gid=" in result.err, result.err
