"""Runs commands without privilege, as the user nobody, with permissions lent by the test."""

import json
import os
import shutil
import subprocess

from harness import STXTOP, folder, need, run, skip

TRACING = "/sys/kernel/tracing"
PARANOID = "/proc/sys/kernel/perf_event_paranoid"
KPTR_RESTRICT = "/proc/sys/kernel/kptr_restrict"
NOBODY = 65534
AS_NOBODY = ("setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups")


class Granted:
    """Sets kernel.perf_event_paranoid, opens tracefs to the user nobody, and restores both.

    A separate process restores them at the end of its standard input, also if the test is killed.
    Until then it holds a lock, so that tests of other checkouts neither change the settings
    concurrently nor save lent settings as the original ones.
    """

    KEEPER = """trap '' HUP INT TERM
exec 9<"$1" && flock -w 300 9 || exit 1
paranoid=$(cat "$1") kptr=$(cat "$2") how=$(stat -c gid=%g,mode=%a "$3")
echo ready
exec >/dev/null
cat
echo "$paranoid" >"$1"
echo "$kptr" >"$2"
mount -o "remount,$how" "$3"
"""

    def __init__(self, paranoid, tracefs=True):
        self.level, self.has_tracefs = paranoid, tracefs

    def __enter__(self):
        self.keeper = subprocess.Popen(
            ["sh", "-c", self.KEEPER, "keeper", PARANOID, KPTR_RESTRICT, TRACING],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True)
        try:
            if self.keeper.stdout.read(6) != b"ready\n":
                skip("other tests have held the lock on the kernel settings for five minutes")
            self.set(self.level, self.has_tracefs)
        except BaseException:
            self.__exit__()
            raise
        return self

    def set(self, paranoid, tracefs=True, kptr_restrict=0):
        for path, value in ((PARANOID, paranoid), (KPTR_RESTRICT, kptr_restrict)):
            with open(path, "w") as file:
                file.write(str(value))
        how = f"gid={NOBODY},mode=750" if tracefs else "gid=0,mode=700"
        if subprocess.run(["mount", "-o", f"remount,{how}", TRACING],
                          stderr=subprocess.DEVNULL, check=False).returncode:
            skip("tracefs cannot be given to another group")

    def __exit__(self, *unused):
        self.keeper.stdin.close()
        self.keeper.stdout.close()
        self.keeper.wait()


def watch_json_as_nobody(paranoid, program, *arguments):
    """Run stxtop and its program as the user nobody; return the objects and the result."""
    need("setpriv")
    place = folder()
    place.chmod(0o777)
    # Use copies: an ordinary user may have no access to the build, as in a private home directory.
    copies = [shutil.copy(path, place) for path in (STXTOP, program)]
    with Granted(paranoid):
        result = run(*AS_NOBODY, copies[0], "--json", "-w", place / "out.json", "--", copies[1],
                     *arguments)
    assert result.status == 0, result.err
    with open(place / "out.json") as lines:
        return [json.loads(line) for line in lines], result
