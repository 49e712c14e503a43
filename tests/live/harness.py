"""What live tests share: starting programs with limits, and saying why a test cannot run.

A test is a function named test_* in a module test_*.py. It raises (assert) to
fail and calls skip() where this kernel or this user cannot do what it needs.
Every process started here is in a group of its own, which is ended with the test.
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
CHECKED_OBJECTS = 300 # of an output are looked at closely
# For what hangs; a machine may be slow, and busy with others. Nobody waits for the end of it.
LIMIT_S = 120 if not os.environ.get("SAN") else 240
WAIT_S = 60

# What tells stxtop of calls: the runner does many tests once for each source.
source = None

_started = []
_folders = []

# Nothing of what the user of this machine chose counts, nor is it changed: perf has its settings
# and the files that it keeps at home, too.
os.environ.pop("COLORFGBG", None)
HOME = pathlib.Path(tempfile.mkdtemp(prefix="stxtop-home-"))
CONFIG = HOME / ".config"
CONFIG.mkdir()
HOME.chmod(0o755)
CONFIG.chmod(0o755)
os.environ["HOME"] = str(HOME)
os.environ["XDG_CONFIG_HOME"] = str(CONFIG)
atexit.register(shutil.rmtree, HOME, ignore_errors=True)


# Modules that run at a time: each watches, so each is part of what the other one sees.
LANES = 1


def long(function):
    """Marks a test for the long run: it takes long, loads the machine, or needs it for itself."""
    function.long_by = (None, "perf")
    return function


def long_by_perf(function):
    """The same of the run with --source perf alone."""
    function.long_by = ("perf",)
    return function


def is_long(function, source):
    return source in getattr(function, "long_by", ())


def forget_settings():
    """What one test chose is not there in the next, and nobody is told what keys there are."""
    shutil.rmtree(CONFIG / "stxtop", ignore_errors=True)
    (CONFIG / "stxtop").mkdir(mode=0o755)
    (CONFIG / "stxtop" / "settings").write_text("hints = no\n")


forget_settings()


class Skip(Exception):
    """The test cannot run here; the text says why."""


def skip(reason):
    raise Skip(reason)


def program(name):
    """A test program built from tests/live/programs."""
    path = BUILD / "live" / name
    assert path.exists(), f"{path} is not built"
    return str(path)


def need(tool):
    if not shutil.which(tool):
        skip(f"{tool} is not installed")
    return tool


def need_mounts():
    """A namespace of its own for them, as there is none in a chroot."""
    if run(need("unshare"), "-m", "true").status:
        skip("no mount namespace can be made here")


def need_tracing():
    if os.geteuid() != 0:
        skip("needs root")
    if not os.path.exists("/sys/kernel/tracing/events/raw_syscalls/sys_enter/id"):
        skip("tracefs is not mounted")


@functools.cache
def has_bpf():
    """Asked once for all processes of a run."""
    if "HAS_BPF" not in os.environ:
        os.environ["HAS_BPF"] = "yes" if "yes  BPF" in stxtop("--access").out else "no"
    return os.environ["HAS_BPF"] == "yes"


def folder():
    path = tempfile.mkdtemp(prefix="stxtop-live-")
    _folders.append(path)
    return pathlib.Path(path)


def start(*argv, **options):
    """A process in a group of its own that ends with the test."""
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
    """Runs to the end; its output goes to files, so that no pipe can hold anybody up."""
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
    """Runs stxtop with --json to a file and returns its objects, which are as the contract has
    them, and the result. status None: the caller looks at it."""
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
    """Polls condition() until it is true; its value is returned."""
    deadline = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {limit} s")
        time.sleep(0.01)


def state_of(pid):
    """The letter of its state; "X" once it is gone."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def has_ended(pid):
    """Gone, or a zombie: when its parent waits for it is not its own business."""
    return state_of(pid) in "ZX"


def collector_of(process):
    """The folder in /proc of stxtop's collector thread, once it has the highest priority: then the
    source runs. None before."""
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
