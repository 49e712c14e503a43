"""Both sources report the same calls of one workload, which they watch at the same time."""

import collections
import json
import subprocess

from harness import STXTOP, folder, has_bpf, long, need, need_tracing, of_type, program, run, skip
from harness import start, wait_until, watch_json

# Numbers above all pids: a kill(2) with such a pid is a mark in the stream of calls.
FIRST_MARK = 5_000_000

WORK = [
    "ls / > /dev/null",
    "sleep 0.02",
    "cat /nonexistent/file",
    "(exit 3)",
    "echo text | cat > /dev/null",
    "sh -c 'kill -9 $$'",
    "timeout 0.05 sleep 5",
    "exec 3< /etc/passwd; read first <&3; exec 3<&-",
]


def need_bpf():
    need_tracing()
    if not has_bpf():
        skip("BPF programs may not be loaded here")


class Shell:
    """A shell that runs lines from its standard input; some are marks."""

    def __init__(self):
        self.process = start("sh", "-c", 'while read -r line; do eval "$line"; done',
                             stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        self.mark = FIRST_MARK

    def do(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def make_mark(self):
        self.mark += 1
        self.do(f"kill -0 {self.mark}")
        return self.mark


def watch_with(source, pid, *options):
    path = folder() / f"{source}.json"
    watcher = start(STXTOP, "--source", source, "--json", "-w", path, *options, "-p", pid,
                    stderr=subprocess.DEVNULL)
    return watcher, path


def calls_of(path):
    with open(path) as lines:
        return of_type([json.loads(l) for l in lines if l.endswith("\n")], "call")


def is_mark(call, mark=None):
    if call["name"] != "kill":
        return False
    at = int(call["args"][0]["value"], 0)
    return at == mark if mark else at >= FIRST_MARK


def values_of(call):
    """Return the arguments; for rt_sigreturn none, as only BPF programs read the signal frame."""
    return [] if call["name"] == "rt_sigreturn" else [arg["value"] for arg in call["args"]]


def between(calls, pid, first, last):
    """Return the calls of each thread between the marks, in order."""
    begin = next(c["ts"] for c in calls if is_mark(c, first))
    end = next(c["ts"] for c in calls if is_mark(c, last))
    threads = collections.defaultdict(list)
    for call in sorted(calls, key=lambda c: c["ts"]):
        if begin < call["ts"] < end:
            threads[call["tid"]].append(
                (call["name"], values_of(call), call["ret"], call["state"]))
    assert pid in threads
    return threads


def test_sources_report_the_same_calls():
    same_calls()


@long
def test_sources_report_the_same_calls_with_a_filter():
    """With -e, each source uses only the tracepoints of these syscalls, also for children."""
    same_calls("-e", "kill,execve,openat,read,wait4,nanosleep,clock_nanosleep")


def same_calls(*options):
    need_bpf()
    shell = Shell()
    pid = shell.process.pid
    watchers = [watch_with(source, pid, *options) for source in ("bpf", "perf")]

    def both_see_marks():
        shell.make_mark()
        return all(path.exists() and any(map(is_mark, calls_of(path))) for _, path in watchers)

    wait_until(both_see_marks, what="marks seen by both")
    first = shell.make_mark()
    for line in WORK * 3:
        shell.do(line)
    last = shell.make_mark()
    wait_until(lambda: all(any(is_mark(c, last) for c in calls_of(path)) for _, path in watchers),
               what="the last mark seen by both", limit=30)
    shell.process.stdin.close()
    shell.process.wait(30)
    for watcher, _ in watchers:
        assert watcher.wait(30) == 0
    bpf, perf = (between(calls_of(path), pid, first, last) for _, path in watchers)
    assert bpf.keys() == perf.keys(), bpf.keys() ^ perf.keys()
    assert len(bpf) > len(WORK)
    for tid in bpf:
        assert bpf[tid] == perf[tid], (tid, [pair for pair in zip(bpf[tid], perf[tid])
                                             if pair[0] != pair[1]][:3])


def reads(summary, least):
    """Return the rows of read with at least `least` calls. Ignore the comm, which may be lost."""
    return [call for process in summary["processes"] for call in process["syscalls"]
            if call["name"] == "read" and call["calls"] >= least]


@long
def test_totals_are_exact_when_rings_are_full():
    need_bpf()
    count = 200_000
    work = f"for i in 1 2; do dd if=/dev/zero of=/dev/null bs=1 count={count} status=none & " \
           "done; wait"
    objects, _ = watch_json("--source", "bpf", "-m", "64k", "-S", "--", "sh", "-c", work)
    summary = objects[-1]
    streamed = sum(c["name"] == "read" for c in of_type(objects, "call"))
    missing = sum(gap["count"] for gap in of_type(objects, "lost") if gap.get("counted"))
    assert summary["exact"], summary["lost"]
    # dd also reads files at its start: count these reads in a run that copies nothing.
    alone = watch_json("--source", "bpf", "--", "dd", "if=/dev/null", "of=/dev/null",
                       "status=none")[0][-1]
    more = reads(alone, 1)[0]["calls"] - 1
    counts = [(call["calls"], call["errors"]) for call in reads(summary, count)]
    assert counts == [(count + more, 0)] * 2, counts
    assert missing > 0 and streamed < 2 * count, (missing, streamed)
    for call in reads(summary, count):
        assert 0 < call["min"] <= call["p50"] <= call["p95"] <= call["p99"] <= call["max"], call
        assert call["min"] <= call["total"] / call["calls"] <= call["max"], call


@long
def test_totals_are_exact_with_filters_on_the_result():
    """The kernel tests terms about the result before it counts a call."""
    need_bpf()
    count = 100_000
    work = f"i=0; while [ $i -lt {count} ]; do cd /nowhere; i=$((i+1)); done 2>&-"
    for options in (["-Z"], ["-d", "0.000001"], ["-F", "failed && dur > 1ns"]):
        path = folder() / "out.json"
        result = run(STXTOP, "--json", "-s", "--source", "bpf", "-g", "off", "-m", "8k", *options,
                     "-w", path, "--", "sh", "-c", work, limit=100)
        summary = json.loads(path.read_text().splitlines()[-1])
        failed = [call["errors"] for process in summary["processes"]
                  for call in process["syscalls"] if call["name"] == "chdir"]
        assert summary["exact"], (options, summary["lost"], result.err)
        assert failed == [count], (options, failed)


@long
def test_totals_are_exact_for_more_processes_than_cpus():
    """The kernel has totals per process and syscall, but the rings have room for only few calls."""
    need_bpf()
    for processes, threads, rounds, pause_us in ((1000, 1, 20, 1000), (100, 10, 20, 0)):
        path = folder() / "out.json"
        crowd = [program("crowd"), processes, threads, rounds, pause_us]
        result = run(STXTOP, "--json", "-s", "--source", "bpf", "-g", "off", "-m", "64k",
                     "-w", path, "--", "sh", "-c", "echo | " + " ".join(map(str, crowd)), limit=100)
        assert result.status == 0, result.err
        summary = json.loads(path.read_text().splitlines()[-1])
        assert summary["exact"], summary["lost"]
        each = threads * rounds
        wanted = {"getppid": 4 * each, "write": each + threads}
        of_crowd = {name: [call["calls"] for process in summary["processes"]
                           for call in process["syscalls"]
                           if call["name"] == name and call["calls"] >= each]
                    for name in wanted}
        for name, calls in wanted.items():
            assert of_crowd[name] == [calls] * processes, (name, of_crowd[name][:9])


@long
def test_a_call_that_never_sleeps_is_in_flight():
    need_bpf()
    for source in ("bpf", "perf"):
        objects, _ = watch_json("--source", source, "--for", "0.4", "--", "dd", "if=/dev/urandom",
                                "of=/dev/null", "bs=1G", "count=1", "status=none", status=None)
        going_on = [c for c in of_type(objects, "call") if c["state"] == "in_flight"]
        assert [(c["name"], c["comm"], c["args"][2]["value"]) for c in going_on] == \
               [("read", "dd", "0x40000000")], (source, going_on)
        assert going_on[0]["age"] > 100e6, (source, going_on)


def test_bpf_error_is_explained_and_perf_takes_over():
    need_bpf()
    without = [need("setpriv"), "--bounding-set=-bpf,-sys_admin",
               "--inh-caps=-bpf,-sys_admin", STXTOP]
    result = run(*without, "--source", "bpf", "-s", "--", "true")
    assert result.status == 1 and "CAP_BPF" in result.err, (result.status, result.err)
    path = folder() / "out.json"
    result = run(*without, "--json", "-s", "-w", path, "--", "true")
    assert result.status == 0, result.err
    assert json.loads(path.read_text().splitlines()[-1])["source"] == "perf"
    assert "CAP_BPF" in run(*without, "--access").out


def test_either_capability_alone_is_rejected_in_one_line():
    """CAP_BPF permits loading programs; those that read kernel memory need CAP_PERFMON too."""
    need_bpf()
    for left_out in ("bpf", "perfmon"):
        without = [need("setpriv"), f"--bounding-set=-{left_out},-sys_admin",
                   f"--inh-caps=-{left_out},-sys_admin", STXTOP]
        result = run(*without, "--source", "bpf", "-s", "--", "true")
        assert result.status == 1, (left_out, result.status)
        assert result.err.count("\n") == 1 and "CAP_BPF and CAP_PERFMON" in result.err, result.err
        # By default, perf events take over if allowed; otherwise one line names a remedy.
        result = run(*without, "-s", "-w", folder() / "out", "--", "true")
        assert (result.status == 0 and not result.err) or \
            (result.status == 1 and result.err.count("\n") == 1
             and "CAP_PERFMON" in result.err), (left_out, result.status, result.err)
