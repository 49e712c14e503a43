"""Shared by the live tests: starts programs with limits and reports why a test cannot run.

A test is a function named test_* in a module test_*.py. It fails with an exception (assert) and
calls skip() where this kernel or user lacks what it needs. Every process started here has its own
process group, which is killed at the end of the test.
"""

import atexit
import functools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import json_contract

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = (ROOT / os.environ.get("BUILD", "build")).resolve()
STXTOP = BUILD / "stxtop"
CHECKED_OBJECTS = 300 # number of objects per output that are checked against the contract
# Timeouts for hanging programs. A test that passes is faster, even on a slow or busy machine.
LIMIT_S = 120 if not os.environ.get("SAN") else 240
WAIT_S = 60

# Value of --source; the runner runs many tests once for each source. None: the default of stxtop.
source = None

_started = []
_folders = []

# A private HOME: tests neither use nor change settings of the user or of perf, nor perf's cache.
os.environ.pop("COLORFGBG", None)
HOME = pathlib.Path(tempfile.mkdtemp(prefix="stxtop-home-"))
CONFIG = HOME / ".config"
CONFIG.mkdir()
HOME.chmod(0o755)
CONFIG.chmod(0o755)
os.environ["HOME"] = str(HOME)
os.environ["XDG_CONFIG_HOME"] = str(CONFIG)
atexit.register(shutil.rmtree, HOME, ignore_errors=True)


# Number of modules that run at the same time. With two, each would trace processes of the other.
LANES = 1


def long(function):
    """Mark a test for check-long: it takes long, loads the machine, or must run alone on it."""
    function.long_by = (None, "perf")
    return function


def long_by_perf(function):
    """Mark a test for check-long only when it runs with --source perf."""
    function.long_by = ("perf",)
    return function


def is_long(function, source):
    return source in getattr(function, "long_by", ())


def forget_settings():
    """Reset the settings between tests; hints are off."""
    shutil.rmtree(CONFIG / "stxtop", ignore_errors=True)
    (CONFIG / "stxtop").mkdir(mode=0o755)
    (CONFIG / "stxtop" / "settings").write_text("hints = no\n")


forget_settings()


class Skip(Exception):
    """The test cannot run here; the text says why."""


def skip(reason):
    raise Skip(reason)


def program(name):
    """Return the path of a program built from tests/live/programs."""
    path = BUILD / "live" / name
    assert path.exists(), f"{path} is not built"
    return str(path)


def need(tool):
    if not shutil.which(tool):
        skip(f"{tool} is not installed")
    return tool


def need_mounts():
    """Skip where no mount namespace can be created, as in a chroot."""
    if run(need("unshare"), "-m", "true").status:
        skip("no mount namespace can be created here")


def need_tracing():
    if os.geteuid() != 0:
        skip("needs root")
    if not os.path.exists("/sys/kernel/tracing/events/raw_syscalls/sys_enter/id"):
        skip("tracefs is not mounted")


@functools.cache
def has_bpf():
    """True if BPF programs can run; probed once for all processes of a run."""
    if "HAS_BPF" not in os.environ:
        os.environ["HAS_BPF"] = "yes" if "yes  BPF" in stxtop("--access").out else "no"
    return os.environ["HAS_BPF"] == "yes"


def folder():
    path = tempfile.mkdtemp(prefix="stxtop-live-")
    _folders.append(path)
    return pathlib.Path(path)


def start(*argv, **options):
    """Start a process in its own process group, which is killed at the end of the test."""
    options.setdefault("stdin", subprocess.DEVNULL)
    if argv[0] == STXTOP and source:
        argv = (STXTOP, "--source", source, *argv[1:])
    process = subprocess.Popen([str(a) for a in argv], start_new_session=True, **options)
    _started.append(process)
    return process


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def json(self):
        return [json.loads(line) for line in self.out.splitlines()]


def run(*argv, limit=None, **options):
    """Run a program to its end. Its output goes to files: a full pipe would block it."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        options.setdefault("stdout", out)
        options.setdefault("stderr", err)
        process = start(*argv, **options)
        try:
            status = process.wait(limit or LIMIT_S)
        except subprocess.TimeoutExpired:
            end(process)
            raise AssertionError(f"{' '.join(map(str, argv))}: no end in {limit or LIMIT_S} s")
        out.seek(0)
        err.seek(0)
        return Result(status, out.read().decode(errors="replace"),
                      err.read().decode(errors="replace"))


def stxtop(*arguments, **options):
    return run(STXTOP, *arguments, **options)


def watch_json(*arguments, status=0, **options):
    """Run stxtop with --json to a file. Return its objects, checked against the contract, and the
    result. status None: the caller checks the exit status."""
    path = folder() / "out.json"
    result = stxtop("--json", "-w", path, *arguments, **options)
    assert status is None or result.status == status, f"exit status {result.status}: {result.err}"
    return json_contract.read(path.read_bytes(), most=CHECKED_OBJECTS), result


def of_type(objects, kind):
    return [o for o in objects if o["type"] == kind]


def end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        pass


def wait_until(condition, limit=WAIT_S, what="the condition"):
    """Poll condition() until it is true; return its value."""
    deadline = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {limit} s")
        time.sleep(0.01)


def state_of(pid):
    """Return the state letter from /proc/PID/stat; "X" once the process is gone."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def has_ended(pid):
    """True if the process is gone or a zombie: its parent may reap it later."""
    return state_of(pid) in "ZX"


def collector_of(process):
    """Return the /proc folder of stxtop's collector thread; None until the thread has raised its
    priority to nice -20. By then, the source runs."""
    assert process.poll() is None, f"stxtop ended with {process.returncode}"
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        try:
            name, rest = (task / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        if name == "collector" and rest.split()[16] == "-20":
            return task
    return None


def clean_up():
    while _started:
        end(_started.pop())
    forget_settings()
    while _folders:
        shutil.rmtree(_folders.pop(), ignore_errors=True)
