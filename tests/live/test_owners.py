"""Terms that the kernel tests, such as users and control groups, are exact at each call."""

import collections
import os
import subprocess

from harness import (STXTOP, end, folder, has_bpf, long, long_by_perf, need, need_tracing, of_type,
                     program, skip)
from harness import start, stxtop, wait_until, watch_json

NOBODY = 65534


class Groups:
    """Two nested control groups of the unified hierarchy, removed afterwards."""

    def __init__(self):
        with open("/proc/self/mounts") as mounts:
            found = [line.split()[1] for line in mounts if line.split()[2] == "cgroup2"]
        if not found:
            skip("no unified hierarchy of control groups is mounted")
        with open("/proc/self/cgroup") as lines:
            self.home = [line.strip()[3:] for line in lines if line.startswith("0::")][0]
        self.mount = found[0]
        self.name = f"stxtop-test-{os.getpid()}"
        self.path = f"{self.home.rstrip('/')}/{self.name}"
        self.outer = self.mount + self.path
        self.inner = self.outer + "/inner"

    def __enter__(self):
        self.make()
        return self

    def make(self):
        try:
            os.makedirs(self.inner, exist_ok=True)
        except OSError as error:
            skip(f"no control group can be created here: {error.strerror}")

    def __exit__(self, *unused):
        for path in (self.inner, self.outer):
            if os.path.exists(path):
                # Retry: the last process of the group can still be exiting.
                wait_until(lambda: self.is_removed(path), what="a removable cgroup")

    @staticmethod
    def is_removed(path):
        try:
            os.rmdir(path)
        except OSError:
            return False
        return True

    def procs(self):
        return (self.outer + "/cgroup.procs", self.inner + "/cgroup.procs",
                f"{self.mount}{self.home}/cgroup.procs")


def need_root_and_bpf():
    need_tracing()
    if os.geteuid():
        skip("only root may change its uid")
    if not has_bpf():
        skip("BPF programs may not be loaded here")


KNOWN = ("getppid", "getpgrp", "getsid", "getuid", "geteuid", "getgid", "nanosleep", "getegid",
         "getpid", "close")


def counted(objects):
    """Count the finished calls of each name in KNOWN; for close, only failed calls."""
    calls = [c for c in of_type(objects, "call") if c["state"] == "done"
             and c["comm"] == "owners" and c["name"] in KNOWN]
    return dict(collections.Counter(
        c["name"] for c in calls if c["name"] != "close" or c["errno"]))


ROOT = {"getppid": 11, "getsid": 33}
AS_NOBODY = {"getpgrp": 22, "close": 5}
OUTER = {"getuid": 44, "geteuid": 15}
REST = {"getgid": 16, "nanosleep": 3, "close": 7, "getegid": 17, "getpid": 18}


def both(*parts):
    total = collections.Counter()
    for part in parts:
        total.update(part)
    return dict(total)


def expressions(group):
    first = min(os.sched_getaffinity(0))
    everything = both(ROOT, AS_NOBODY, OUTER, REST)
    return (
        ("uid == 65534", AS_NOBODY),
        ("uid == nobody and failed", {"close": 5}),
        ("uid != 65534", both(ROOT, OUTER, REST)),
        ("not (uid > 0)", both(ROOT, OUTER, REST)),
        ("uid == 65534 or dur >= 25ms", both(AS_NOBODY, {"nanosleep": 3})),
        ("uid == 1", {}),
        (f"cgroup == '{group.path}'", OUTER),
        (f"cgroup == '{group.path}/inner'", {"geteuid": 15}),
        (f"cgroup == '{group.name}' and not geteuid", {"getuid": 44}),
        (f"cgroup != '{group.path}'", both(ROOT, AS_NOBODY, REST)),
        (f"cgroup == '{group.path}' or uid == 65534", both(OUTER, AS_NOBODY)),
        ("cgroup == '/no/such/group'", {}),
        ("dur >= 25ms and nanosleep", {"nanosleep": 3}),
        ("errno == EBADF", {"close": 12}),
        ("failed and uid == 0 and close", {"close": 7}),
        (f"cpu == {first} and getpid", {"getpid": 18}),
        ("pid > 1", everything),
        ("tid < 2", {}),
    )


@long
def test_pushed_down_filters_are_exact():
    need_root_and_bpf()
    with Groups() as group:
        for expression, expected in expressions(group):
            objects, _ = watch_json("--source", "bpf", "-F", expression, "--",
                                    program("owners"), *group.procs())
            found = counted(objects)
            assert found == expected, f"{expression}: {found}, not {expected}"
            assert objects[-1]["source"] == "bpf"


def test_recreated_cgroup_still_matches():
    need_root_and_bpf()
    with Groups() as group:
        path = folder() / "out.json"
        watcher = start(STXTOP, "--json", "-w", path, "--source", "bpf", "-F",
                        f"cgroup == '{group.path}'", "-e", "getuid", "-n", "88")
        wait_until(lambda: path.exists(), what="the output file")
        for _ in range(200):
            group.make()
            subprocess.run([program("owners"), *group.procs()], check=True)
            group.__exit__()
            if watcher.poll() is not None:
                break
        assert watcher.poll() == 0, "stxtop did not end after the expected calls"


# Use one long process: one that ends before /proc is read is shown with its parent's owner.
BUSY = ("dd", "if=/dev/zero", "of=/dev/null", "bs=1")


def name_of(process):
    with open(f"/proc/{process.pid}/comm") as file:
        return file.read().strip()


@long_by_perf
def test_perf_source_filters_by_user():
    need_root_and_bpf()
    need("setpriv")
    nobody = start("setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups",
                   *BUSY, stderr=subprocess.DEVNULL)
    wait_until(lambda: name_of(nobody) == "dd", what="the start of dd")
    try:
        for user, seen in (("nobody", True), ("daemon", False)):
            path = folder() / "summary.json"
            result = stxtop("--source", "perf", "-s", "--json", "-w", path, "--for", "1",
                            "-u", user)
            assert result.status == 0, result.err
            assert ('"comm":"dd"' in path.read_text()) == seen, user
    finally:
        end(nobody)


@long
def test_perf_source_filters_by_cgroup():
    need_root_and_bpf()
    with Groups() as group:
        joined = start("sh", "-c", 'echo 0 >"$0" && exec "$@"', group.procs()[1], *BUSY,
                       stderr=subprocess.DEVNULL)
        wait_until(lambda: name_of(joined) == "dd", what="the start of dd")
        try:
            for word in (group.path, group.name, group.outer, "inner"):
                objects, _ = watch_json("--source", "perf", "-n", "20", "-G", word)
                assert {c["comm"] for c in of_type(objects, "call")} == {"dd"}, word
            result = stxtop("--source", "perf", "-s", "--for", "0.5", "-F",
                            f"cgroup != '{group.path}' and pid == {joined.pid}")
            assert "dd/" not in result.out
        finally:
            end(joined)


def test_unknown_owners_are_rejected():
    result = stxtop("-G", "no-such-group", "-s", "--for", "1")
    assert result.status == 2 and "there is no cgroup" in result.err, result.err
    result = stxtop("-u", "no such user", "-s", "--for", "1")
    assert result.status == 2 and "there is no user" in result.err, result.err
