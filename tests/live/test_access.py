"""What --access says is what then works, for a user with every kind of permission."""

import json
import os
import shutil
import subprocess
import tempfile

from harness import STXTOP, folder, need, need_tracing, of_type, program, run, skip, start
from unprivileged import AS_NOBODY, Granted

# Nothing, each capability alone, and what belongs together.
ALONE = ("", "cap_perfmon", "cap_bpf", "cap_syslog", "cap_sys_ptrace", "cap_dac_read_search")
TOGETHER = ("cap_bpf,cap_perfmon", "cap_perfmon,cap_syslog", "cap_perfmon,cap_sys_ptrace",
            "cap_dac_read_search,cap_perfmon", "cap_dac_read_search,cap_sys_ptrace",
            "cap_bpf,cap_perfmon,cap_sys_ptrace",
            "cap_dac_read_search,cap_sys_ptrace,cap_syslog,cap_perfmon,cap_bpf")


class Machine:
    """A copy of stxtop whose capabilities are changed, and two programs to watch: one of
    nobody, who runs the copy, and one of root."""

    def __init__(self):
        need_tracing()
        for tool in ("setpriv", "setcap", "flock"):
            need(tool)
        if os.environ.get("SAN"):
            skip("sanitizers look at their program, which may not be looked at")
        self.place = folder()
        if os.statvfs(self.place).f_flag & os.ST_NOSUID:
            skip(f"{tempfile.gettempdir()} is mounted nosuid")
        self.place.chmod(0o777)
        self.stxtop = shutil.copy(STXTOP, self.place)
        watched = shutil.copy(program("watched"), self.place)
        self.own = self.start(*AS_NOBODY, watched)
        self.other = self.start(watched)

    @staticmethod
    def start(*argv):
        return int(start(*argv, stdout=subprocess.PIPE).stdout.readline())

    def give(self, capabilities):
        if not capabilities:
            # Without any there is nothing to remove, which is an error.
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
                     "-F", 'comm ~ "^watched"', "--for", "0.3", *arguments)
        if result.status:
            assert result.status == 1 and result.err.startswith("stxtop: "), result.err
            return None
        with open(out) as lines:
            return [json.loads(line) for line in lines]


    def runs_command(self):
        result = run(*AS_NOBODY, self.stxtop, "-s", "-w", "/dev/null", "--", "true")
        assert result.status == 0 or result.err.startswith("stxtop: "), result.err
        return result.status == 0


def frames(calls, kind):
    return [f for c in calls for f in c["stack"] if f["kind"] == kind]


def texts(calls):
    return [c["args"][0]["text"] for c in calls if c["name"] == "write"]


def seen(machine):
    """What works, of what can be told by what was seen: by the names of --access."""
    works = {"all-calls": True}
    objects = machine.watch()
    if objects is None:
        works["all-calls"] = False
        objects = machine.watch("-p", machine.own)
    if objects is None:
        return {"own-calls": False, "all-calls": False}
    calls = of_type(objects, "call")
    own = [c for c in calls if c["pid"] == machine.own]
    other = [c for c in calls if c["pid"] == machine.other]
    waits = [c for c in own if c["name"] == "futex" and c["blocked"]]
    works["own-calls"] = bool(own)
    works["bpf"] = of_type(objects, "summary")[0]["source"] == "bpf"
    works["kernel-stacks"] = bool(frames(waits, "kernel"))
    works["user-stacks"] = bool(frames(waits, "user"))
    works["wakers"] = any(c["waker"] and c["waker"]["kind"] == "thread" and
                          "inferred" not in c["waker"] for c in waits)
    if works["kernel-stacks"]:
        works["kernel-symbols"] = any(f["sym"] for f in frames(waits, "kernel"))
    if works["all-calls"]:
        works["all-calls"] = bool(other)
        works["files"] = any("/dev/null" in text for text in texts(other))
        # Programs copy what is written; without them it is read of the process.
        if not works["bpf"]:
            works["memory"] = any(a["from"] == "late" and "text in a heap" in a["text"]
                                  for c in other if c["name"] == "write" for a in c["args"])
    return works


def check(machine, where):
    said, access = machine.access()
    assert access["enough"] == said["all-calls"]["works"]
    works = seen(machine)
    assert machine.runs_command() == works["own-calls"], where
    wrong = {name: value for name, value in works.items() if said[name]["works"] != value}
    assert not wrong, (where, wrong, {n: (r["works"], r["why"]) for n, r in said.items()})
    for row in said.values():
        assert row["works"] == (row["why"] is None), (where, row)
    return works


def test_lines_grant_what_they_are_for():
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
                # Nothing but a capability opens what is others', or lets programs in.
                alone = row["id"] in ("memory", "files", "bpf")
                assert row["program"] and (row["setting"] is None) == alone, row
                for kind in ("program",) if alone else ("program", "setting"):
                    # The rest of them does not depend on it.
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
                        # The other one goes on top of it.
                        assert run("sh", "-ec", all_after["program"]).status == 0
                        after, _ = machine.access()
                    assert all(r["works"] for r in after.values()), (row, after)


def test_what_access_says_is_what_works():
    machine = Machine()
    with Granted(2) as granted:
        for capabilities in ALONE + TOGETHER:
            machine.give(capabilities)
            levels = (-1, 0, 1, 2) if capabilities in ALONE else (2,)
            for paranoid in levels:
                for tracefs in (True, False):
                    granted.set(paranoid, tracefs)
                    check(machine, (capabilities, paranoid, tracefs))
