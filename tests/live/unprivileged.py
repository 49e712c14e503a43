"""Running what may be run without privilege: nobody's user, and what the machine grants it."""

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
    """kernel.perf_event_paranoid and tracefs as nobody needs them; put back, whatever happens.

    A process of its own puts them back as soon as nobody holds the other end of its pipe: also
    when the test was killed. Until then it has a lock, so that tests of several checkouts do
    not change them under each other, nor take what another one lends for what was there.
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
                skip("for five minutes, other tests have lent settings of this machine")
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
    """What stxtop says of a program that it starts, both without privilege."""
    need("setpriv")
    place = folder()
    place.chmod(0o777)
    # The build may lie below somebody's home.
    copies = [shutil.copy(path, place) for path in (STXTOP, program)]
    with Granted(paranoid):
        result = run(*AS_NOBODY, copies[0], "--json", "-w", place / "out.json", "--", copies[1],
                     *arguments)
    assert result.status == 0, result.err
    with open(place / "out.json") as lines:
        return [json.loads(line) for line in lines], result
