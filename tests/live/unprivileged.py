"""Running what may be run without privilege: nobody's user, and what the machine grants it."""

import json
import os
import shutil
import subprocess

from harness import STXTOP, Sysctl, folder, need, run, skip

TRACING = "/sys/kernel/tracing"
NOBODY = 65534


class Granted:
    """kernel.perf_event_paranoid and tracefs as nobody needs them; put back, whatever happens."""

    def __init__(self, paranoid):
        self.sysctl = Sysctl("kernel.perf_event_paranoid", paranoid)

    def __enter__(self):
        self.stat = os.stat(TRACING)
        self.sysctl.__enter__()
        if self._mount(NOBODY, 0o750):
            self.__exit__()
            skip("tracefs cannot be given to another group")

    def __exit__(self, *unused):
        self._mount(self.stat.st_gid, self.stat.st_mode & 0o7777)
        self.sysctl.__exit__()

    @staticmethod
    def _mount(gid, mode):
        return subprocess.run(["mount", "-o", f"remount,gid={gid},mode={mode:o}", TRACING],
                              stderr=subprocess.DEVNULL, check=False).returncode


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
