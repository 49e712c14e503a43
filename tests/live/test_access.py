"""--access reports exactly what works, for a user with each of several sets of permissions."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import closing

from harness import (STXTOP, folder, long, need, need_mounts, need_tracing, of_type, program, run,
                     skip, start, wait_until)
from terminal import Terminal
from unprivileged import AS_NOBODY, Granted

# Sets of capabilities to test: none, each alone, and useful combinations.
ALONE = ("", "cap_perfmon", "cap_bpf", "cap_syslog", "cap_sys_ptrace", "cap_dac_read_search")
TOGETHER = ("cap_bpf,cap_perfmon", "cap_perfmon,cap_syslog", "cap_perfmon,cap_sys_ptrace",
            "cap_dac_read_search,cap_perfmon", "cap_dac_read_search,cap_sys_ptrace",
            "cap_bpf,cap_perfmon,cap_sys_ptrace",
            "cap_dac_read_search,cap_sys_ptrace,cap_syslog,cap_perfmon,cap_bpf")


class Machine:
    """A copy of stxtop whose capabilities are changed; the user nobody runs it. Two programs to
    watch: `own` runs as the same user, `other` as root."""

    def __init__(self):
        need_tracing()
        for tool in ("setpriv", "setcap", "flock"):
            need(tool)
        if os.environ.get("SAN"):
            skip("sanitizers inspect their own process, which capabilities forbid")
        self.place = folder()
        if os.statvfs(self.place).f_flag & os.ST_NOSUID:
            skip(f"{tempfile.gettempdir()} is mounted nosuid")
        self.place.chmod(0o777)
        self.stxtop = shutil.copy(STXTOP, self.place)
        self.seconds = 0.3
        watched = shutil.copy(program("watched"), self.place)
        self.own = self.start(*AS_NOBODY, watched)
        self.other = self.start(watched)

    @staticmethod
    def start(*argv):
        return int(start(*argv, stdout=subprocess.PIPE).stdout.readline())

    def give(self, capabilities):
        if not capabilities:
            # setcap -r fails if there is nothing to remove.
            subprocess.run(["setcap", "-q", "-r", self.stxtop], stderr=subprocess.DEVNULL,
                           check=False)
        elif run("setcap", f"{capabilities}+ep", self.stxtop).status:
            skip(f"a file in {self.place.parent} cannot have capabilities")

    def access(self):
        result = run(*AS_NOBODY, self.stxtop, "--access", "--json")
        assert result.err == "", result.err
        access = json.loads(result.out)
        assert result.status == (0 if access["enough"] else 1)
        return {row["id"]: row for row in access["rows"]}, access

    def watch(self, *arguments):
        out = self.place / "out.json"
        out.unlink(missing_ok=True)
        result = run(*AS_NOBODY, self.stxtop, "--json", "-y", "-e", "write,futex", "-w", out,
                     "-F", 'comm ~ "^watched"', "--for", str(self.seconds), *arguments)
        if result.status:
            assert result.status == 1 and result.err.startswith("stxtop: "), result.err
            return None
        with open(out) as lines:
            return [json.loads(line) for line in lines]


    def runs_command(self):
        result = run(*AS_NOBODY, self.stxtop, "-s", "-w", "/dev/null", "--", "true")
        assert result.status == 0 or result.err.startswith("stxtop: "), result.err
        return result.err if result.status else None


def state_of(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0]


def frames(calls, kind):
    return [f for c in calls for f in c["stack"] if f["kind"] == kind]


def texts(calls):
    # A call in flight at the start has no arguments if /proc is not readable.
    return [c["args"][0]["text"] for c in calls if c["name"] == "write" and c["args"]]


def seen(machine):
    """Return {id of --access: True if it works}, as far as the output shows it."""
    works = {"all-calls": True}
    objects = machine.watch()
    if objects is None:
        works["all-calls"] = False
        objects = machine.watch("-p", machine.own)
    if objects is None:
        return {"own-calls": False, "all-calls": False}
    if not works["all-calls"]:
        # Perf events on a process need the same permission as its memory.
        works["memory"] = machine.watch("-p", machine.other) is not None
    calls = of_type(objects, "call")
    own = [c for c in calls if c["pid"] == machine.own]
    other = [c for c in calls if c["pid"] == machine.other]
    summary = of_type(objects, "summary")[0]
    # Waits from before the start come from /proc, not from events.
    waits = [c for c in own if c["name"] == "futex" and c["blocked"] and
             not c.get("seeded") and not c.get("stack_found")]
    works["own-calls"] = bool(own)
    works["bpf"] = summary["source"] == "bpf"
    works["kernel-stacks"] = bool(frames(waits, "kernel"))
    works["user-stacks"] = bool(frames(waits, "user"))
    works["wakers"] = any(c["waker"] and c["waker"]["kind"] == "thread" and
                          "inferred" not in c["waker"] for c in waits)
    if works["kernel-stacks"]:
        works["kernel-symbols"] = any(f["sym"] for f in frames(waits, "kernel"))
    if works["all-calls"]:
        works["all-calls"] = bool(other)
        works["files"] = any("/dev/null" in text for text in texts(other))
        # BPF programs copy the data written; without them memory is read during the call.
        if not works["bpf"]:
            works["memory"] = any(a["from"] == "late" and "text in a heap" in a["text"]
                                  for c in other if c["name"] == "write" for a in c["args"])
    return works


def check(machine, where):
    said, access = machine.access()
    assert access["enough"] == said["all-calls"]["works"]
    # On a busy machine the programs may make no calls in a short time: if a row that should work
    # does not, watch for longer. A row that works although it should not is an error at once.
    for machine.seconds in (0.15, 3):
        works = seen(machine)
        wrong = {name: value for name, value in works.items() if said[name]["works"] != value}
        if not wrong or any(wrong.values()):
            break
    refusal = machine.runs_command()
    assert (refusal is None) == works["own-calls"], (where, refusal)
    assert not wrong, (where, wrong, {n: (r["works"], r["why"]) for n, r in said.items()})
    for row in said.values():
        assert row["works"] == (row["why"] is None), (where, row)
    return works


@long
def test_suggested_commands_grant_the_permission():
    machine = Machine()
    need("sysctl")
    with Granted(2) as granted:
        def forbid(kptr_restrict):
            granted.set(2, False, kptr_restrict)
            machine.give("")
            return machine.access()

        for kptr_restrict in (0, 1, 2):
            said, access = forbid(kptr_restrict)
            for row in [*said.values(), {"id": None, **access}]:
                # Only a capability gives access to files and memory of other users, or to BPF.
                alone = row["id"] in ("memory", "files", "bpf")
                assert row["program"] and (row["setting"] is None) == alone, row
                for kind in ("program",) if alone else ("program", "setting"):
                    # Skip the other rows: they do not depend on kptr_restrict.
                    if kptr_restrict and row["id"] not in ("kernel-symbols", None):
                        continue
                    forbid(kptr_restrict)
                    result = run("sh", "-ec", row[kind])
                    assert result.status == 0, (row[kind], result.err)
                    after, all_after = machine.access()
                    if row["id"]:
                        assert after[row["id"]]["works"], (row, after)
                        continue
                    works = check(machine, row[kind])
                    assert works["all-calls"] and works["kernel-symbols"], (row, works)
                    if kind == "setting":
                        assert all_after["setting"] is None, all_after
                        # The command "program" permits the calls that the setting alone does not.
                        assert run("sh", "-ec", all_after["program"]).status == 0
                        after, _ = machine.access()
                    assert all(r["works"] for r in after.values()), (row, after)


@long
def test_access_report_matches_what_works():
    machine = Machine()
    with Granted(2) as granted:
        for capabilities in ALONE + TOGETHER:
            machine.give(capabilities)
            levels = (-1, 0, 1, 2) if capabilities in ALONE else (2,)
            for paranoid in levels:
                for tracefs in (True, False):
                    granted.set(paranoid, tracefs)
                    check(machine, (capabilities, paranoid, tracefs))


def test_zombies_prove_no_permission():
    """/proc shows the user's zombies as owned by root; they are not tasks of another user."""
    machine = Machine()
    with Granted(-1, tracefs=False):
        machine.give("cap_dac_read_search")
        ended = [start(*AS_NOBODY, "true") for _ in range(3)]
        for process in ended:
            wait_until(lambda pid=process.pid: state_of(pid) == "Z", what="a zombie")
        said, _ = machine.access()
        assert not said["files"]["works"] and not said["memory"]["works"], said


@long
def test_own_user_can_be_watched_without_system_wide_permission():
    machine = Machine()
    machine.give("")
    with Granted(2) as granted:
        for paranoid, works in ((2, False), (1, True), (0, True), (-1, True)):
            granted.set(paranoid)
            objects = machine.watch("-u", "nobody")
            assert (objects is not None) == works, paranoid
            if works:
                calls = of_type(objects, "call")
                assert {c["pid"] for c in calls} == {machine.own}, paranoid
                assert any(c["stack"] for c in calls)
            # Watching the tasks of other users needs the permission for the whole system.
            for users in ("root", "nobody,root"):
                assert (machine.watch("-u", users) is not None) == (paranoid < 0)


def test_capabilities_do_not_open_files_named_by_the_user():
    machine = Machine()
    secret = machine.place / "secret"
    secret.write_text("secret words\n")
    secret.chmod(0o600)
    machine.give("cap_dac_read_search,cap_sys_ptrace,cap_syslog,cap_perfmon,cap_bpf")
    result = run(*AS_NOBODY, machine.stxtop, "-b", "-i", secret)
    assert result.status == 1 and "Permission denied" in result.err, result.err
    with closing(Terminal(*AS_NOBODY, machine.stxtop, "--keymap", secret)) as terminal:
        assert terminal.status() == "1"
        assert "Permission denied" in terminal.said() and "words" not in terminal.said()
    # The command does not inherit the capabilities.
    result = run(*AS_NOBODY, machine.stxtop, "-s", "-w", "/dev/null", "--",
                 "grep", "-E", "^Cap(Prm|Eff|Inh|Amb)", "/proc/self/status")
    assert result.status == 0 and result.out.count("\t0000000000000000\n") == 4, result.out


def no_line_for_the_file(access, words):
    assert words in access["note"], access["note"]
    assert all(row["program"] is None for row in access["rows"]) and access["program"] is None


def test_useless_file_capabilities_are_not_suggested():
    machine = Machine()
    result = run(*AS_NOBODY, "setpriv", "--no-new-privs", machine.stxtop, "--access", "--json")
    no_line_for_the_file(json.loads(result.out), "no_new_privs")
    bounded = run(*AS_NOBODY, "--bounding-set", "-perfmon,-bpf", machine.stxtop, "--access",
                  "--json")
    access = json.loads(bounded.out)
    rows = {row["id"]: row for row in access["rows"]}
    assert "bounding set" in access["note"], access["note"]
    # execve fails for a file with a capability outside the bounding set: the commands omit it.
    assert rows["bpf"]["program"] is None and "cap_sys_ptrace" in rows["memory"]["program"]


def test_nosuid_mount_suggests_another_location():
    machine = Machine()
    need_mounts()
    # Use a private mount namespace: the script mounts a tmpfs on /usr/local/bin for a copy.
    script = """mount -t tmpfs -o nosuid,mode=755 none "$1" || exit 77
mount -t tmpfs none /usr/local/bin || exit 77
cp "$2" "$1/stxtop" && shift 2 && "$@"
"""
    there = machine.place / "nosuid"
    there.mkdir()
    result = run("unshare", "-m", "sh", "-c", script, "sh", there, STXTOP, *AS_NOBODY,
                 there / "stxtop", "--access", "--json")
    if result.status == 77:
        skip("no file system can be mounted in a separate namespace")
    access = json.loads(result.out)
    line = access["program"]
    assert "nosuid" in access["note"] and line.startswith("install -m 755 "), access
    follow = f"""{line} >&2 && exec "$@" """
    result = run("unshare", "-m", "sh", "-c", script, "sh", there, STXTOP, "sh", "-c", follow,
                 "sh", *AS_NOBODY, "/usr/local/bin/stxtop", "--access", "--json")
    access = json.loads(result.out)
    assert all(row["works"] for row in access["rows"]), access


WITHOUT_TRACEFS = """out=$1 && shift
for place in tracing debug/tracing debug; do umount -l "/sys/kernel/$place" 2>/dev/null; done
[ ! -e /sys/kernel/tracing/events ] || exit 77
"$@" >"$out"
line=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["setting"])' "$out")
sh -ec "$line" >&2 || exit 78
exec "$@"
"""


def test_suggested_command_mounts_tracefs():
    machine = Machine()
    need_mounts()
    out = machine.place / "before.json"
    with Granted(2, tracefs=False):
        result = run("unshare", "-m", "sh", "-c", WITHOUT_TRACEFS, "sh", out, *AS_NOBODY,
                     machine.stxtop, "--access", "--json")
    if result.status == 77:
        skip("tracefs cannot be unmounted in a separate namespace")
    before = {row["id"]: row for row in json.loads(out.read_text())["rows"]}
    assert before["tracefs"]["why"] == "tracefs is not mounted", before
    assert before["tracefs"]["setting"].startswith("mount -t tracefs "), before
    assert before["tracefs"]["program"] is None
    assert "mount" in before["wakers"]["program"] and "setcap" in before["wakers"]["program"]
    assert result.status == 0, result.err
    after = {row["id"]: row["works"] for row in json.loads(result.out)["rows"]}
    assert after["tracefs"] and after["all-calls"] and after["wakers"], after


FORBID = """
import ctypes, os, struct, sys
call, error = int(sys.argv[1]), int(sys.argv[2])
steps = struct.pack("HBBIHBBIHBBIHBBI", 0x20, 0, 0, 0, 0x15, 0, 1, call,
                    0x06, 0, 0, 0x50000 | error, 0x06, 0, 0, 0x7fff0000)
steps = ctypes.create_string_buffer(steps)
program = ctypes.create_string_buffer(struct.pack("HP", 4, ctypes.addressof(steps)))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program):
    sys.exit(77)
os.execv(sys.argv[3], sys.argv[3:])
"""
PERF_EVENT_OPEN = 298


def test_seccomp_filter_is_reported_as_the_reason():
    need_tracing()
    for error in (errno.EPERM, errno.ENOSYS):
        result = run(sys.executable, "-c", FORBID, PERF_EVENT_OPEN, error, STXTOP, "--access",
                     "--json")
        if result.status == 77:
            skip("no seccomp filter can be set")
        rows = {row["id"]: row for row in json.loads(result.out)["rows"]}
        assert "a seccomp filter" in rows["wakers"]["why"], rows["wakers"]
        # No kernel setting would allow it.
        assert rows["wakers"]["setting"] is None and rows["wakers"]["program"] is None


def test_user_namespace_is_reported_as_the_reason():
    machine = Machine()
    need("unshare")
    result = run(*AS_NOBODY, "unshare", "-U", "-r", machine.stxtop, "--access", "--json")
    if not result.out:
        skip("no user namespace can be created")
    access = json.loads(result.out)
    no_line_for_the_file(access, "user namespace")
    assert not access["enough"]


def test_interface_shows_missing_permissions():
    machine = Machine()
    with Granted(2, tracefs=False):
        with closing(Terminal(*AS_NOBODY, machine.stxtop)) as terminal:
            terminal.wait("REFUSED")
            terminal.wait("system calls of every process")
            terminal.keys("q")
            assert terminal.status() == "1"
            assert "stxtop: no permission" in terminal.said()
        # The terminal must be wide enough for the whole message, which ends in a path.
        size = (160 + len(str(machine.place)), 40)
        with closing(Terminal(*AS_NOBODY, machine.stxtop, "sleep", "100",
                              size=size)) as terminal:
            terminal.wait("no permission for the whole system")
            terminal.keys("/", "setcap", "Enter")
            terminal.wait("for stxtop")
            terminal.keys("y")
            line = re.search("Copied.*: (setcap .*)", terminal.wait("Copied"))[1].strip()
            assert run("sh", "-c", line).status == 0, line
            terminal.keys("r", "Enter")
            terminal.wait("LIVE")
            terminal.wait("sleep")
            terminal.keys("M")
            terminal.wait("the whole system can be watched")
            terminal.keys("q")
            terminal.wait("still running")
            terminal.keys("q")
