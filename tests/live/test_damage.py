"""Damaged recordings of each kind: the records before the damage are shown, and a message gives its
position. stxtop does not crash, and its memory and time stay below fixed bounds.

The recordings are the seeds of the fuzzers. DAMAGE=0/10, DAMAGE=1/10 and so on try all pieces of
damage, about fifty thousand; the default is a fixed sample of them.
"""

import concurrent.futures
import json
import os
import pathlib
import queue
import random
import resource
import signal
import threading

import bombs
import damage
from harness import STXTOP, folder, long

SEEDS = sorted((pathlib.Path(__file__).parents[1] / "fuzz" / "seeds" / "recording").iterdir())
TRIED = 30  # number of pieces of damage per recording
TOGETHER = 6
SANITIZED = bool(os.environ.get("SAN"))
RSS_MB_MAX = 3000 if SANITIZED else 700
SECONDS_MAX = 60
ADDRESS_SPACE = 4 << 30


def output_of(path):
    data = path.read_bytes()
    assert not any(byte < 32 and byte != 10 or byte == 127 for byte in data), data[:200]
    return data.decode()


def play(path, place, *options):
    """Return (status, output, errors) of a run with bounded memory and time."""
    out, err = place / "out", place / "err"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
               (os.POSIX_SPAWN_OPEN, 1, str(out), flags, 0o600),
               (os.POSIX_SPAWN_OPEN, 2, str(err), flags, 0o600)]
    pid = os.posix_spawn(str(STXTOP), ["stxtop", "-i", str(path), *options], os.environ,
                         file_actions=actions)
    killer = threading.Timer(SECONDS_MAX, os.kill, (pid, signal.SIGKILL))
    killer.start()
    _, status, used = os.wait4(pid, 0)
    killer.cancel()
    assert os.WIFEXITED(status), f"signal {os.WTERMSIG(status)}: {err.read_text()[-600:]}"
    assert used.ru_maxrss < RSS_MB_MAX << 10, f"{used.ru_maxrss >> 10} MiB"
    return os.WEXITSTATUS(status), output_of(out), output_of(err)


def judge(path, place):
    status, out, err = play(path, place, "-S", "--json")
    assert status in (0, 1), (status, err)
    for line in err.splitlines():
        assert line.startswith("stxtop: "), err
    assert len(err.splitlines()) <= 2 and (status == 0 or err), (status, err)
    objects = [json.loads(line) for line in out.splitlines()]
    # Either the recording was rejected, or the output is complete.
    assert (objects[-1]["type"] == "summary") if objects else status == 1, (status, err)


def try_one(path, name, changed, place):
    """Try one damaged recording; return a description of the failure, or None."""
    place.mkdir(exist_ok=True)
    (place / "broken").write_bytes(changed)
    try:
        judge(place / "broken", place)
    except (AssertionError, ValueError, KeyError) as error:
        return f"{path.name}: {name}: {type(error).__name__}: {error}"
    return None


def choose(cases):
    share, _, parts = os.environ.get("DAMAGE", "").partition("/")
    if parts:
        return cases[int(share)::int(parts)]
    return random.Random(2).sample(cases, TRIED // (4 if SANITIZED else 1))


def check(path):
    cases = choose(list(damage.damaged(path.read_bytes())))
    place = folder()
    failed = []
    free = queue.SimpleQueue()
    for i in range(TOGETHER):
        free.put(place / str(i))

    def attempt(case):
        mine = free.get()
        wrong = try_one(path, *case, mine)
        free.put(mine)
        if wrong:
            failed.append(wrong)

    with concurrent.futures.ThreadPoolExecutor(TOGETHER) as pool:
        list(pool.map(attempt, cases))
    assert not failed, f"{len(failed)} of {len(cases)}\n" + "\n".join(failed[:20])


def check_kind(prefix):
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, hard))
    try:
        chosen = [path for path in SEEDS if path.name.startswith(prefix)]
        assert chosen
        for path in chosen:
            check(path)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@long
def test_expanding_recordings_have_bounded_memory():
    """Memory is bounded by the tasks that can exist at one time, not by the number of records."""
    place = folder()
    share = 0.03 if SANITIZED else 0.15
    for name in bombs.BOMBS:
        (place / "bomb").write_bytes(bombs.bomb(name, share))
        status, _, err = play(place / "bomb", place, "-s", "-w", "/dev/null")
        assert status in (0, 1) and (not status or err), (name, status, err)


@long
def test_oversized_compressed_record_is_rejected():
    place = folder()
    (place / "bomb").write_bytes(bombs.flood())
    status, _, err = play(place / "bomb", place, "-s")
    assert status == 1 and "invalid compressed records" in err, (status, err)


@long
def test_damaged_perf_recordings_are_handled():
    check_kind("plain")


@long
def test_damaged_stacks_are_handled():
    check_kind("fp")


@long
def test_damaged_user_stacks_are_handled():
    check_kind("dwarf")


@long
def test_damaged_compressed_recordings_are_handled():
    check_kind("packed")


@long
def test_damaged_pipe_recordings_are_handled():
    check_kind("pipe")


@long
def test_damaged_event_recordings_are_handled():
    check_kind("events")
    check_kind("all")


@long
def test_damaged_single_call_recordings_are_handled():
    check_kind("calls")


def test_damaged_perf_trace_recordings_are_handled():
    check_kind("trace")


@long
def test_damaged_own_recordings_are_handled():
    check_kind("own")
