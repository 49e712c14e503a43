"""Each kind of descriptor, as it is new and later, beside what strace -yy calls it."""

import re
import shutil
import subprocess

import harness
from harness import STXTOP, folder, has_bpf, need, need_tracing, program, start, wait_until

# What is shown otherwise, and why. It counts as a difference.
DIFFERENCES = {
    "opened, then deleted": "/proc was asked after it was deleted",
    "opened, then deleted, later": "strace reads /proc at each call",
    "deleted": "strace reads /proc at each call",
    "deleted, later": "strace reads /proc at each call",
    "packet": "strace has no name for these sockets",
    "packet, later": "strace has no name for these sockets",
    # The other end has no number yet when strace asks; it is learned later of the same call.
    "unix stream, connected": "strace asks before the other end accepts",
    "abstract, connected": "strace asks before the other end accepts",
    "seqpacket, connected": "strace asks before the other end accepts",
}


def plain(name):
    """Without what differs from run to run."""
    name = re.sub(r"/proc/\d+/", "/proc/PID/", name)
    name = re.sub(r"pid:\d+", "pid:N", name)
    name = re.sub(r"/#\d+", "/#N", name)
    name = re.sub(r"(127\.0\.0\.1|\[::1\]):\d+", r"\1:PORT", name)
    return re.sub(r"(?<=[\[>:])\d{3,}", "N", name)


def names_by(place, *tracer):
    """{kind: what it is called}, by a tracer that writes to the file that it is given last."""
    out = folder() / "calls.txt"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    process = start(*tracer, out, program("descriptor_kinds"), place, stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE)
    kinds = []
    while line := process.stdout.readline().decode().strip():
        kinds.append(line)
    assert kinds, "the program ended early"

    def calls():
        return re.findall(r"fcntl\(\d+(.*), F_GETFD\)", out.read_text())

    wait_until(lambda: len(calls()) >= len(kinds), limit=30, what="the first calls")
    process.stdin.close()
    assert process.wait(60) == 0
    found = calls()
    assert len(found) == 2 * len(kinds), (len(found), len(kinds))
    return dict(zip(kinds + [f"{kind}, later" for kind in kinds], map(plain, found)))


def is_less(mine, theirs):
    """Without BPF programs only /proc knows: what it did not tell is left out, not made up."""
    return mine in ("", re.sub(r":\[.*", ">", theirs), "<NETLINK:[ROUTE]>") and (
        "ROUTE" not in mine or theirs.startswith("<NETLINK:"))


def test_kinds_are_called_as_strace_calls_them():
    need_tracing()
    need("strace")
    place = folder() / "kinds"
    theirs = names_by(place, "strace", "-yy", "-e", "trace=fcntl", "-o")
    mine = names_by(place, STXTOP, "-b", "-y", "-e", "fcntl", "-w")
    assert list(mine) == list(theirs), set(mine) ^ set(theirs)
    assert len(theirs) > 80, list(theirs)
    same = {kind for kind in theirs if mine[kind] == theirs[kind]}
    exact = has_bpf() and harness.source is None
    less = set() if exact else {kind for kind in theirs if is_less(mine[kind], theirs[kind])} - same
    print(f"descriptors: {len(same)} of {len(theirs)} kinds as strace -yy has them, "
          f"{len(less)} less, {len(theirs) - len(same) - len(less)} otherwise")
    wrong = [(kind, mine[kind], theirs[kind])
             for kind in theirs if kind not in same | less | DIFFERENCES.keys()]
    assert not wrong, wrong
    assert len(same) >= len(theirs) * (0.9 if exact else 0.15), sorted(less)
