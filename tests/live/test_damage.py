"""Damaged recordings of each kind: what stands before the damage is shown, and a sentence says
where it is; never a crash, never more memory or time than the file is worth.

The recordings are real ones, the seeds of the fuzzers. All pieces of damage, some fifty thousand,
are tried by DAMAGE=0/10, DAMAGE=1/10 and so on; otherwise a choice of them, always the same.
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
TRIED = 30  # of each recording
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
    """(status, output, errors); what it took is bounded."""
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
    # It was refused, or what there is is whole.
    assert (objects[-1]["type"] == "summary") if objects else status == 1, (status, err)


def try_one(path, name, changed, place):
    """None, or what is wrong."""
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
def test_little_that_says_a_lot():
    """Memory is bounded by what may be there at once, not by what was written."""
    place = folder()
    share = 0.03 if SANITIZED else 0.15
    for name in bombs.BOMBS:
        (place / "bomb").write_bytes(bombs.bomb(name, share))
        status, _, err = play(place / "bomb", place, "-s", "-w", "/dev/null")
        assert status in (0, 1) and (not status or err), (name, status, err)


@long
def test_one_that_unpacks_to_too_much():
    place = folder()
    (place / "bomb").write_bytes(bombs.flood())
    status, _, err = play(place / "bomb", place, "-s")
    assert status == 1 and "does not unpack" in err, (status, err)


@long
def test_a_recording_of_perf():
    check_kind("plain")


@long
def test_one_with_stacks():
    check_kind("fp")


@long
def test_one_with_stacks_to_unwind():
    check_kind("dwarf")


@long
def test_one_that_is_compressed():
    check_kind("packed")


@long
def test_what_went_through_a_pipe():
    check_kind("pipe")


@long
def test_one_of_other_tracepoints():
    check_kind("events")
    check_kind("all")


@long
def test_one_of_single_calls():
    check_kind("calls")


def test_one_of_perf_trace():
    check_kind("trace")


@long
def test_one_of_ours():
    check_kind("own")
