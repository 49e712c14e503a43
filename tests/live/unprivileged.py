"""Running what may be run without privilege: nobody's user, and what the machine grants it."""

import json
import os
import shutil
import subprocess

from harness import STXTOP, folder, need, run, skip

TRACING = "/sys/kernel/tracing"
PARANOID = "/proc/sys/kernel/perf_event_paranoid"
NOBODY = 65534


class Granted:
    """kernel.perf_event_paranoid and tracefs as nobody needs them; put back, whatever happens.

    A process of its own puts them back as soon as nobody holds the other end of its pipe: also
    when the test was killed.
    """

    KEEPER = """trap '' HUP INT TERM
cat
echo "$1" >"$2"
exec mount -o "remount,gid=$3,mode=$4" "$5"
"""

    def __init__(self, paranoid):
        self.paranoid = str(paranoid)

    def __enter__(self):
        stat = os.stat(TRACING)
        with open(PARANOID) as file:
            old = file.read().strip()
        self.keeper = subprocess.Popen(
            ["sh", "-c", self.KEEPER, "keeper", old, PARANOID, str(stat.st_gid),
             f"{stat.st_mode & 0o7777:o}", TRACING],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)
        try:
            with open(PARANOID, "w") as file:
                file.write(self.paranoid)
            if subprocess.run(["mount", "-o", f"remount,gid={NOBODY},mode=750", TRACING],
                              stderr=subprocess.DEVNULL, check=False).returncode:
                skip("tracefs cannot be given to another group")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *unused):
        self.keeper.stdin.close()
        self.keeper.wait()


def watch_json_as_nobody(paranoid, program, *arguments):
    """What stxtop says of a program that it starts, both without privilege."""
    need("setpriv")
    place = folder()
    place.chmod(0o777)
    # The build may lie below somebody's home.
    copies = [shutil.copy(path, place) for path in (STXTOP, program)]
    with Granted(paranoid):
        result = run("setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups",
                     copies[0], "--json", "-w", place / "out.json", "--", copies[1], *arguments)
    assert result.status == 0, result.err
    with open(place / "out.json") as lines:
        return [json.loads(line) for line in lines], result
