"""Random filters: with their pushdown in the kernel, exactly the matching calls pass.

Two instances watch the same threads at the same time. One has no filter: this test filters its
calls. The other has the filter. Both must have the same matching calls.
"""

import collections
import json
import random
import re
import signal
import subprocess

import harness
from harness import (STXTOP, collector_of, folder, long, need_tracing, of_type, program, start,
                     wait_until)

ROUNDS = 30
FILTERS = 10
FILE_CALLS = {"openat", "newfstatat"}


TURNS = 10


def turns_of(task):
    """Return how often the thread has waited for records."""
    for line in (task / "status").read_text().splitlines():
        if line.startswith("voluntary_ctxt_switches"):
            return int(line.split()[1])
    return 0


def wait_until_it_watches(process):
    """Wait for some rounds of the collector, which then knows parents and names of tasks."""
    task = wait_until(lambda: collector_of(process), 30, "stxtop watches")
    begin = turns_of(task)
    wait_until(lambda: turns_of(task) >= begin + TURNS, 30, "some rounds of the collector")


class Work:
    """The watched program, which waits for go()."""

    def __init__(self):
        self.process = start(program("filtered"), folder(), str(ROUNDS), stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True)
        self.threads = {}
        for _ in range(4):
            name, pid, tid = self.process.stdout.readline().split()
            self.threads[name] = (int(pid), int(tid))
        self.pids = sorted({pid for pid, _ in self.threads.values()})

    def pid(self, name):
        return self.threads[name][0]

    def tid(self, name):
        return self.threads[name][1]

    def go(self):
        self.process.stdin.close()
        assert self.process.wait(harness.LIMIT_S) == 0


def argument(call, name):
    for arg in call["args"]:
        if arg["name"] == name:
            value = int(arg["value"], 16)
            return value
    return None


def number_of(call, name, bits=32):
    value = argument(call, name)
    if value is None:
        return None
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def text_of(call, name):
    return next((a["text"] for a in call["args"] if a["name"] == name), None)


def atoms(work, random_, texts):
    """Return pairs of a filter term and a function: True if the term matches a call of --json."""
    one, other = random_.sample(sorted(work.threads), 2)
    pid, tid, tid2 = work.pid(one), work.tid(one), work.tid(other)
    parent = work.pid("one")
    child = work.pid("three")
    number = random_.choice([3, 4, 5, 77])
    calls = random_.sample(["openat", "close", "write", "fcntl", "futex", "getppid", "mmap"], 2)
    result = [
        (f"pid == {pid}", lambda c: c["pid"] == pid),
        (f"pid != {pid}", lambda c: c["pid"] != pid),
        (f"pid in {{{parent}, {child}}}", lambda c: True),
        (f"tid == {tid}", lambda c: c["tid"] == tid),
        (f"tid != {tid}", lambda c: c["tid"] != tid),
        (f"tid in {{{tid}, {tid2}}}", lambda c: c["tid"] in (tid, tid2)),
        (f"{tid}", lambda c: tid in (c["pid"], c["tid"])),
        (f"syscall == {calls[0]}", lambda c: c["name"] == calls[0]),
        (f"syscall != {calls[0]}", lambda c: c["name"] != calls[0]),
        (f"syscall in {{{', '.join(calls)}}}", lambda c: c["name"] in calls),
        ("syscall ~ '^get'", lambda c: c["name"].startswith("get")),
        ("syscall in {getppid, getuid, %network}", lambda c: c["name"] in ("getppid", "getuid")),
        ("%file", lambda c: c["name"] in FILE_CALLS),
        ("failed", lambda c: c["errno"] is not None),
        ("errno == ENOENT", lambda c: c["errno"] == "ENOENT"),
        ("errno != EBADF", lambda c: c["errno"] != "EBADF"),
        ("errno in {EBADF, EAGAIN}", lambda c: c["errno"] in ("EBADF", "EAGAIN")),
        ("ret > 2", lambda c: c["ret"] > 2),
        ("ret == 0", lambda c: c["ret"] == 0),
        ("ret & 1", lambda c: c["ret"] & 1),
        (f"comm == {one}", lambda c: c["comm"] == one),
        ("comm ~ '^t(w|h)'", lambda c: c["comm"].startswith(("tw", "th"))),
        ("uid == root", lambda c: True),
        ("uid > 0", lambda c: False),
        ("cpu >= 0", lambda c: True),
        ("in_flight", lambda c: False),
        (f"ppid == {parent}", lambda c: c["pid"] == child),
        (f"descendant of {parent}", lambda c: c["pid"] == child),
        (f"arg0 == {number}", lambda c: bool(c["args"]) and
         int(c["args"][0]["value"], 16) == number),
        (f"args.fd == {number}", lambda c: number_of(c, "fd") == number),
        ("args.fd < 0", lambda c: (number_of(c, "fd") or 0) < 0),
        ("args.dfd == AT_FDCWD", lambda c: number_of(c, "dfd") == -100),
        ("args.flags & O_CREAT", lambda c: c["name"] == "openat" and
         argument(c, "flags") & 0o100 != 0),
        ("args.flags & O_ACCMODE == O_RDWR", lambda c: c["name"] == "openat" and
         argument(c, "flags") & 3 == 2),
        ("args.op == FUTEX_WAKE", lambda c: c["name"] == "futex" and
         argument(c, "op") & 127 == 1),
        ("args.op != FUTEX_WAKE", lambda c: c["name"] == "futex" and
         argument(c, "op") & 127 != 1),
        ("args.cmd == F_GETFD", lambda c: c["name"] == "fcntl" and argument(c, "cmd") == 1),
        ("args.count in {2..4}", lambda c: (argument(c, "count") or 0) in (2, 3, 4)),
    ]
    if texts:
        result += [
            ("args.filename ~ 'missing$'",
             lambda c: (text_of(c, "filename") or "").endswith('missing"')),
            ("args.filename !~ '^/dev/'", lambda c: text_of(c, "filename") is not None and
             not text_of(c, "filename").startswith('"/dev/')),
        ]
    return result


def negated(part):
    text, means = part
    return f"not ({text})", lambda c: not means(c)


def expression(random_, parts, depth):
    """Return a random expression of the terms in `parts`, and its function."""
    kind = random_.randrange(5) if depth else 0
    if kind <= 1:
        return random_.choice(parts)
    if kind == 2:
        return negated(expression(random_, parts, depth - 1))
    terms = [expression(random_, parts, depth - 1) for _ in range(random_.randrange(2, 4))]
    joint, together = ((" and ", all), (" or ", any))[kind == 4]
    return (joint.join(f"({text})" for text, _ in terms),
            lambda c: together(means(c) for _, means in terms))


PUSHED = re.compile(r"\(?(not )?\(?(pid|tid|syscall|uid|failed|errno|args\.|%|\d)")


def expression_to_push(random_, parts):
    """Return "A and (B)". The kernel can test A: one or two terms, perhaps negated. B is random."""
    pushed = [part for part in parts if PUSHED.match(part[0])]
    first = random_.choice(pushed)
    kind = random_.randrange(3)
    if kind == 1:
        first = negated(first)
    elif kind == 2:
        other = random_.choice(pushed)
        one = first
        first = (f"({one[0]} or {other[0]})", lambda c: one[1](c) or other[1](c))
    second = expression(random_, parts, 2)
    return (f"{first[0]} and ({second[0]})", lambda c: first[1](c) and second[1](c))


def watch(path, *arguments, source):
    command = [STXTOP, "--source", source, "--json", "-g", "off", "-w", path, *arguments]
    process = start(*command)
    return process


def calls_of(path, pids):
    with open(path) as lines:
        objects = [json.loads(line) for line in lines]
    assert objects[-1]["type"] == "summary" and objects[-1]["lost"] == 0, objects[-1]
    # Omit calls that were in flight at the start and calls that do not return.
    return [c for c in of_type(objects, "call") if c["pid"] in pids and
            c["state"] == "done" and c["name"] != "read" and c["ret"] is not None]


def key_of(call):
    return (call["tid"], call["name"], call["ret"],
            tuple(arg["value"] for arg in call["args"]))


def check(random_, source):
    work = Work()
    parts = atoms(work, random_, source == "bpf")
    if random_.randrange(3):
        text, means = expression_to_push(random_, parts)
    else:
        text, means = expression(random_, parts, 3)
    everything, filtered = folder() / "all.json", folder() / "filtered.json"
    pids = ",".join(map(str, work.pids))
    if random_.randrange(2):
        target = ["-p", pids, "-F", text]
    else:
        target = ["-F", f"pid in {{{pids}}} and ({text})"]
    processes = [watch(everything, "-p", pids, source=source),
                 watch(filtered, *target, source=source)]
    for process in processes:
        wait_until_it_watches(process)
    work.go()
    processes[0].wait(harness.LIMIT_S)
    processes[1].send_signal(signal.SIGINT)
    assert processes[1].wait(harness.LIMIT_S) == 0
    whole = calls_of(everything, work.pids)
    assert len(whole) > 4 * ROUNDS * 10, len(whole)
    wanted = collections.Counter(key_of(c) for c in whole if means(c))
    came = collections.Counter(key_of(c) for c in calls_of(filtered, work.pids))
    missing, added = wanted - came, came - wanted
    assert not missing and not added, (
        f"{target}: {sum(wanted.values())} calls match; {sum(missing.values())} are missing, "
        f"as {list(missing)[:3]}; {sum(added.values())} do not match, as {list(added)[:3]}")
    return sum(wanted.values()), len(whole)


@long
def test_pushdown_and_user_filter_equal_the_whole_filter():
    need_tracing()
    seed = random.randrange(1 << 30)
    random_ = random.Random(seed)
    shares = []
    try:
        for _ in range(FILTERS):
            shares.append(check(random_, harness.source or
                                ("bpf" if harness.has_bpf() else "perf")))
            harness.clean_up()
    except AssertionError as failure:
        raise AssertionError(f"seed {seed}: {failure}") from failure
    # At least one filter matches some calls, but not all.
    assert any(0 < matched < whole for matched, whole in shares), shares
