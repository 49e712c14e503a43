"""Control groups as container runtimes create them, and pid namespaces."""

import json
import os
import subprocess

import harness
from harness import (STXTOP, end, folder, has_bpf, long, need, need_tracing, of_type, program, run,
                     skip, start, stxtop, wait_until, watch_json)
from test_owners import Groups
from terminal import Terminal

ID = "3f4a1b2c5d6e7f8091a2b3c4d5e6f70812233445566778899aabbccddeeff001"
POD = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"

# Cgroups below the test's own, and their container in JSON.
NAMES = (
    (f"docker/{ID}", {"runtime": "docker", "id": ID, "pod": None}),
    (f"machine.slice/libpod-{ID}.scope/container",
     {"runtime": "podman", "id": ID, "pod": None}),
    (f"kubepods.slice/kubepods-burstable-pod{POD.replace('-', '_')}.slice/crio-{ID}.scope",
     {"runtime": "cri-o", "id": ID, "pod": POD}),
    (f"kubepods/besteffort/pod{POD}/cri-containerd-{ID}",
     {"runtime": "containerd", "id": ID, "pod": POD}),
    ("lxc.payload.web1", {"runtime": "lxc", "id": "web1", "pod": None}),
    ("nginx.service", None),
    ("lxc/\x1b]0;x\x07\"'", {"runtime": "lxc", "id": "\\33]0;x\\7\"'", "pod": None}),
)


def sources():
    """Return a tuple of this run's source: the runner repeats these tests for each source."""
    return (harness.source or ("bpf" if has_bpf() else "perf"),)


def need_root():
    need_tracing()
    if os.geteuid():
        skip("only root may create control groups and namespaces")


class Inside:
    """A program in a new control group below `place`; both are removed afterwards."""

    def __init__(self, place, name, *argv):
        self.made = []
        path = place
        try:
            for part in name.split("/"):
                path += "/" + part
                os.mkdir(path)
                self.made.append(path)
            self.path = path
            self.process = start("sh", "-c", 'echo 0 >"$0" && exec "$@"', path + "/cgroup.procs",
                                 *argv)
            wait_until(lambda: self.inside() or self.process.poll(), what="the cgroup")
        except OSError as error:
            self.__exit__()
            skip(f"no control group can be created here: {error.strerror}")

    def inside(self):
        with open(self.path + "/cgroup.procs") as procs, \
             open(f"/proc/{self.process.pid}/comm") as comm:
            return str(self.process.pid) in procs.read().split() and comm.read() != "sh\n"

    def __enter__(self):
        return self.process

    def __exit__(self, *unused):
        if hasattr(self, "process"):
            end(self.process)
        while self.made:
            path = self.made.pop()
            wait_until(lambda: Groups.is_removed(path), what="a removable cgroup")


def of_numbered(objects, pid):
    return [c for c in of_type(objects, "call") if c["pid"] == pid and c["name"] == "lseek"]


@long
def test_cgroup_path_identifies_the_container():
    need_root()
    with Groups() as group:
        for name, container in NAMES:
            with Inside(group.outer, name, program("numbered")) as process:
                for source in sources():
                    objects, _ = watch_json("--source", source, "-p", process.pid, "-e", "lseek",
                                            "-n", "200")
                    calls = of_numbered(objects, process.pid)
                    # Check the last call: without BPF, the first calls have no cgroup yet.
                    last = calls[-1]
                    assert last.get("container") == container, (source, name, last)
                    assert last["cgroup"].startswith(group.path), (source, last["cgroup"])
                    assert "ns_pid" not in last, last


def test_container_id_prefix_selects_a_container():
    need_root()
    with Groups() as group:
        with Inside(group.outer, f"docker/{ID}", program("numbered")) as process:
            for source in sources():
                objects, _ = watch_json("--source", source, "-G", ID[:12], "-e", "lseek", "-n",
                                        "50")
                assert {c["pid"] for c in of_type(objects, "call")} == {process.pid}, source


class Hierarchy:
    """A named hierarchy of version 1 without controllers, mounted for the test."""

    def __enter__(self):
        self.mount = str(folder())
        if run("mount", "-t", "cgroup", "-o", "none,name=stxtest", "stxtest", self.mount).status:
            skip("no hierarchy of version 1 can be mounted here")
        return self.mount

    def __exit__(self, *unused):
        run("umount", self.mount)


def test_container_in_cgroup_v1_is_identified():
    need_root()
    with Hierarchy() as mount:
        with Inside(mount, f"docker/{ID}", program("numbered")) as process:
            for source in sources():
                objects, _ = watch_json("--source", source, "-G", ID[:12], "-e", "lseek", "-n",
                                        "50")
                calls = of_type(objects, "call")
                assert {c["pid"] for c in calls} == {process.pid}, source
                assert calls[-1]["container"]["id"] == ID, calls[-1]
    with open("/proc/self/mounts") as mounts:
        assert mount not in mounts.read(), "the hierarchy is still mounted"


def check_moves(first, other):
    """Move a process through two cgroups; compare the cgroup of its calls, live and recorded."""
    moves = [f"{path}/cgroup.procs" for path in (first, other)]
    names = [path.rsplit("/", 1)[1] for path in (first, other)]
    for source in sources():
        recording = folder() / "perf.data"
        live, _ = watch_json("--source", source, "-e", "lseek", "-o", recording, "--",
                             program("moved"), *moves)
        recorded, _ = watch_json("-i", recording, "-e", "lseek")
        for objects in (live, recorded):
            found = [(int(c["args"][1]["value"], 0), c.get("cgroup", "").rsplit("/", 1)[1])
                     for c in of_type(objects, "call")]
            assert sorted(found) == sorted(
                pair for i, name in enumerate(names) for pair in
                [(i, name)] * 3 + [(100 + i, name)]), (source, found)
        filtered, _ = watch_json("--source", source, "-F", f"lseek and cgroup ~ {names[1]}$", "--",
                                 program("moved"), *moves)
        found = [int(c["args"][1]["value"], 0) for c in of_type(filtered, "call")]
        assert sorted(found) == [1, 1, 1, 101], (source, found)


@long
def test_calls_have_the_cgroup_at_their_time():
    need_root()
    with Groups() as group:
        check_moves(group.outer, group.inner)


def test_calls_have_the_cgroup_v1_at_their_time():
    need_root()
    with Hierarchy() as mount:
        made = [f"{mount}/before", f"{mount}/after"]
        for path in made:
            os.mkdir(path)
        try:
            check_moves(*made)
        finally:
            for path in made:
                wait_until(lambda: Groups.is_removed(path), what="a removable cgroup")


def unshared(*argv):
    """Start a program in a pid namespace; return the outer process and the program's pid here."""
    unshare = [need("unshare"), "--pid", "--fork", "--kill-child", "--mount-proc"]
    if run(*unshare, "true").status:
        skip("no pid namespace can be created here")
    outer = start(*unshare, *argv)
    children = f"/proc/{outer.pid}/task/{outer.pid}/children"
    return outer, int(wait_until(lambda: open(children).read().split(), what="a child")[0])


def test_process_in_a_pid_namespace_has_both_pids():
    need_root()
    outer, shell = unshared("sh", "-c", f"{program('numbered')} & wait")
    children = f"/proc/{shell}/task/{shell}/children"
    inner = int(wait_until(lambda: open(children).read().split(), what="the program")[0])
    for source in sources():
        objects, _ = watch_json("--source", source, "-p", inner, "-e", "lseek", "-n", "200")
        last = of_numbered(objects, inner)[-1]
        assert last["ns_pid"] == 2, (source, last)
        assert last["pid"] == last["tid"] == inner, (source, last)
    end(outer)


def test_pids_inside_a_namespace_are_those_of_the_namespace():
    """stxtop in a container: -p 2 is the process that `ps` in the container shows as 2."""
    need_root()
    path = folder() / "out.json"
    script = (f"{program('numbered')} & "
              f"{STXTOP} --json -w {path} -p 2 -e lseek -n 50; kill $!")
    result = run(need("unshare"), "--pid", "--fork", "--mount-proc", "sh", "-c", script)
    if result.status and not path.exists():
        skip(f"no pid namespace can be created here: {result.err}")
    objects = [harness.json.loads(line) for line in path.read_text().splitlines()]
    calls = of_type(objects, "call")
    assert len(calls) == 50 and {c["pid"] for c in calls} == {2}, calls[:1]
    assert not any("ns_pid" in c for c in calls), calls[0]
    assert objects[-1]["source"] == "perf"
    result = run(need("unshare"), "--pid", "--fork", "--mount-proc", STXTOP, "-s", "-p", "77")
    assert result.status == 1 and "there is no process 77" in result.err, result.err


def test_table_shows_containers_and_both_pids():
    need_root()
    unshare = [need("unshare"), "--pid", "--fork", "--kill-child", "--mount-proc"]
    with Groups() as group:
        with Inside(group.outer, f"docker/{ID}", *unshare, program("numbered")) as outer:
            children = f"/proc/{outer.pid}/task/{outer.pid}/children"
            inner = int(wait_until(lambda: open(children).read().split(), what="a child")[0])
            for source in sources():
                terminal = Terminal(STXTOP, "--source", source, "-p", inner, size=(150, 40))
                try:
                    terminal.wait(rf"{inner} \(1\) +numbered +{ID[:12]}")
                    terminal.keys("Down")
                    terminal.keys("d")
                    terminal.wait(rf"process +{inner} is pid 1 in")
                    terminal.wait(rf"container +docker {ID}")
                    terminal.keys("Escape")
                    wait_until(lambda: "is pid 1 in" not in terminal.screen(), 10, "the table")
                    terminal.keys("q")
                    wait_until(terminal.dead, what="the exit of stxtop")
                finally:
                    terminal.close()


@long
def test_calls_outside_the_pid_namespace_are_omitted():
    """In the namespace, all tasks outside have pid 0, so their calls cannot be paired."""
    need_root()
    outside = start(program("mix"), "1", "0", "100000000")
    script = f"{program('mix')} 1 0 100000000 & exec {STXTOP} --json --for 1"
    result = run("unshare", "-p", "-f", "--mount-proc", "--kill-child", "sh", "-c", script)
    assert result.status == 0, result.err
    calls = of_type(map(json.loads, result.out.splitlines()), "call")
    end(outside)
    inside = {call["pid"] for call in calls if call["comm"] == "mix"}
    assert len(inside) == 1 and 0 not in inside, inside
    assert not [call for call in calls if not call["pid"] or not call["tid"]], calls[:3]
