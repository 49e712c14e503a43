"""Compares the names of all kinds of descriptors, when new and later, with strace -yy."""

import re
import shutil
import subprocess

import harness
from harness import STXTOP, folder, has_bpf, need, need_tracing, program, start, wait_until

# Allowed differences from strace by kind, with the reason. They do not count as equal names.
DIFFERENCES = {
    "opened, then deleted": "/proc was read after the file was deleted",
    "opened, then deleted, later": "strace reads /proc at each call",
    "deleted": "strace reads /proc at each call",
    "deleted, later": "strace reads /proc at each call",
    "packet": "strace has no name for these sockets",
    "packet, later": "strace has no name for these sockets",
    # The peer has no inode number yet when strace reads it; stxtop learns it later in the call.
    "unix stream, connected": "strace reads it before the peer accepts",
    "abstract, connected": "strace reads it before the peer accepts",
    "seqpacket, connected": "strace reads it before the peer accepts",
}


def plain(name):
    """Replace the parts of a name that differ between runs."""
    name = re.sub(r"/proc/\d+/", "/proc/PID/", name)
    name = re.sub(r"pid:\d+", "pid:N", name)
    name = re.sub(r"/#\d+", "/#N", name)
    name = re.sub(r"(127\.0\.0\.1|\[::1\]):\d+", r"\1:PORT", name)
    return re.sub(r"(?<=[\[>:])\d{3,}", "N", name)


def names_by(place, *tracer):
    """Return {kind: name} from a tracer that writes to the file in its last argument."""
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
    """True if our name only lacks parts that are not in /proc, the only source without BPF."""
    return mine in ("", re.sub(r":\[.*", ">", theirs), "<NETLINK:[ROUTE]>") and (
        "ROUTE" not in mine or theirs.startswith("<NETLINK:"))


def test_descriptor_kinds_have_the_names_of_strace():
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
          f"{len(less)} with less, {len(theirs) - len(same) - len(less)} different")
    wrong = [(kind, mine[kind], theirs[kind])
             for kind in theirs if kind not in same | less | DIFFERENCES.keys()]
    assert not wrong, wrong
    assert len(same) >= len(theirs) * (0.9 if exact else 0.15), sorted(less)
