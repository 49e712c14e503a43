"""The classes of -e hold the same system calls as strace's, for all calls that strace knows."""

import re

from harness import STXTOP, folder, long, need, need_tracing, program, run

CLASSES = ("file", "desc", "process", "network", "net", "signal", "ipc", "memory", "creds",
           "clock", "pure", "stat", "lstat", "fstat", "%stat", "statfs", "fstatfs", "%statfs")


def marked(path):
    """Return the names of the calls that the seccomp filter of every_call rejected."""
    return set(re.findall(r"(\w+)\(.*ENOSYS", path.read_text()))


def of_strace(expression):
    path = folder() / "strace.txt"
    result = run("strace", "-e", "signal=none", "-e", f"trace={expression}", "-o", path,
                 program("every_call"))
    assert result.status == 0, result.err
    return {name for name in marked(path) if not name.startswith("syscall_")}


def of_stxtop(expression):
    path = folder() / "stxtop.txt"
    result = run(STXTOP, "-b", "-e", expression, "-w", path, "--", program("every_call"))
    assert result.status == 0, result.err
    return marked(path)


@long
def test_classes_are_those_of_strace():
    need_tracing()
    need("strace")
    known = of_strace("all")
    assert len(known) > 300, len(known)
    for name in CLASSES:
        theirs, mine = of_strace(f"%{name}"), of_stxtop(f"%{name}") & known
        assert theirs, name
        assert mine == theirs, (f"%{name}", sorted(mine - theirs), sorted(theirs - mine))


@long
def test_sets_are_those_of_strace():
    need_tracing()
    need("strace")
    known = of_strace("all")
    for expression in ("!%desc", "!read,write", "/^epoll_", "/sync", "openat,/^pid",
                       "!/^[a-s]", "%stat,%clock"):
        theirs, mine = of_strace(expression), of_stxtop(expression) & known
        assert mine == theirs, (expression, sorted(mine - theirs), sorted(theirs - mine))
