"""machine - detects processes, files, mounts and settings that a test run leaves behind.

Compares the state before the first suite with the state after the last one. Only state that these
tests use is compared, so other users of the machine cannot fail the run.
"""

import contextlib
import ctypes
import fcntl
import os
import pathlib
import re
import shutil
import signal
import time

PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>
SETTINGS = [f"/proc/sys/{name}" for name in (
    "kernel/core_pattern", "kernel/kptr_restrict", "kernel/perf_event_max_stack",
    "kernel/perf_event_mlock_kb", "kernel/perf_event_paranoid", "kernel/pid_max",
    "kernel/unprivileged_bpf_disabled", "kernel/yama/ptrace_scope")]
TRACEFS = pathlib.Path("/sys/kernel/tracing")
PROBES = ("kprobe_events", "uprobe_events")
CGROUP_OURS = "stxtop"  # part of the name of each cgroup that a test makes
CGROUP_DEPTH = 3
# Tests that change settings hold a lock on this file: tests/live/unprivileged.py.
LENT = "/proc/sys/kernel/perf_event_paranoid"
LENT_S = 60
GRACE_S = 5  # a killed child can take time to exit


def read(path):
    try:
        return pathlib.Path(path).read_text(errors="replace").strip()
    except OSError:
        return None


def children():
    """Return {pid: (name, state)} of children; a subreaper also has the orphans of the suites."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        stat = read(entry / "stat")
        after = stat.rpartition(") ")[2].split() if stat else None
        if after and int(after[1]) == os.getpid():
            name = stat[stat.index("(") + 1:stat.rindex(")")]
            found[int(entry.name)] = (name, after[0])
    return found


def reap_orphans(own):
    """Reap exited orphans of the suites, but not `own`, the child of this process."""
    while True:
        try:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if not ended or ended.si_pid == own:
                return
            os.waitpid(ended.si_pid, 0)
        except ChildProcessError:
            return


def mounts():
    return {line.split(" - ")[0].split()[4] for line in
            (read("/proc/self/mountinfo") or "").splitlines()}


def folders(path, depth):
    try:
        entries = [e for e in os.scandir(path) if e.is_dir(follow_symlinks=False)]
    except OSError:
        return
    for entry in entries:
        yield entry.path
        if depth > 1:
            yield from folders(entry.path, depth - 1)


def cgroups():
    return {path for path in folders("/sys/fs/cgroup", CGROUP_DEPTH)
            if CGROUP_OURS in os.path.basename(path)}


def names(path):
    try:
        return set(os.listdir(path))
    except OSError:
        return set()


def cores(root):
    return {f"{root}/{name}" for name in names(root) if re.match(r"core(\.\d+)?$", name)}


@contextlib.contextmanager
def settings_at_rest():
    """Wait while tests of another checkout have changed settings, at most for LENT_S."""
    until = time.monotonic() + LENT_S
    try:
        lent = open(LENT)
    except OSError:
        yield
        return
    with lent:
        while time.monotonic() < until:
            try:
                fcntl.flock(lent, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                time.sleep(0.1)
        yield


def note_of(before, after):
    """Return a sentence for each difference between two sets."""
    return [f"{name} is new" for name in sorted(after - before)] + \
        [f"{name} is gone" for name in sorted(before - after)]


class Machine:
    """A context in which the suites run, with TMPDIR set to a new folder."""

    def __init__(self, root):
        self.root = root
        self.folder = None
        self.before = None

    def __enter__(self):
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        # A short name, as paths of sockets and rows of a screen are limited.
        self.folder = pathlib.Path(f"/tmp/t{os.getpid()}")
        self.folder.mkdir()
        self.folder.chmod(0o1777)
        os.environ["TMPDIR"] = str(self.folder)
        with settings_at_rest():
            self.before = self.state()
        return self

    def __exit__(self, *unused):
        self.end_children()
        os.environ.pop("TMPDIR")
        shutil.rmtree(self.folder, ignore_errors=True)

    def state(self):
        return {
            "mounts": mounts(),
            "cgroups": cgroups(),
            "tracefs": {f"tracing instance {name}" for name in names(TRACEFS / "instances")} |
            {f"{file}: {line}" for file in PROBES
             for line in (read(TRACEFS / file) or "").splitlines()},
            "settings": {f"{path} = {read(path)}" for path in SETTINGS},
            "files": cores(self.root),
        }

    def end_children(self):
        """End processes that suites left running. Return {pid: name}."""
        left = {}
        until = time.monotonic() + GRACE_S
        while time.monotonic() < until:
            now = children()
            for pid, (_, state) in now.items():
                if state == "Z":
                    os.waitpid(pid, os.WNOHANG)
            left = {pid: name for pid, (name, state) in now.items() if state != "Z"}
            if not left:
                return {}
            time.sleep(0.1)
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except OSError:
                pass
        return left

    def compare(self):
        """Yield (test name, list of differences) for each kind of state."""
        left = self.end_children()
        yield "processes", [f"{name} ({pid}) still running" for pid, name in sorted(left.items())]
        with settings_at_rest():
            after = self.state()
        for kind, before in self.before.items():
            found = note_of(before, after[kind])
            if kind == "files":
                found += [f"{self.folder}/{name} is new" for name in names(self.folder)]
            yield kind, found
