"""Seeking in recordings: the same keys give the same screens, a span has the same calls as a filter
on its time, and the key R writes a seekable recording."""

import json
import re
import subprocess

from harness import (STXTOP, folder, long, need, need_tracing, program, run, start, stxtop,
                     wait_until)
from terminal import Terminal

CALLS = ("-e", "raw_syscalls:sys_enter", "-e", "raw_syscalls:sys_exit", "-e", "sched:sched_switch")
# Makes calls continuously for a second and a half.
SCRIPT = ("for i in 1 2 3 4 5 6 7 8 9 10 11 12; do "
          "cat /etc/hostname; ls /nonexistent; sleep 0.1; done")
VIEWS = "123456789"
STILL = 20 # number of equal captures after which a screen counts as stable


def by_perf():
    need_tracing()
    need("perf")
    path = folder() / "perf.data"
    run("perf", "record", "-q", "-m", "8M", *CALLS, "-g", "-o", path, "--", "sh", "-c", SCRIPT,
        limit=60)
    return path


def by_stxtop():
    need_tracing()
    path = folder() / "own.data"
    stxtop("-s", "-w", "/dev/null", "-o", path, "--", "sh", "-c", SCRIPT)
    return path


def span_of(terminal, from_, until):
    """Select a span by keys; return the screen with its times."""
    for percent, key in ((from_, "("), (until, ")")):
        terminal.keys("J")
        terminal.wait("Go to:")
        terminal.keys("-l", percent)
        terminal.keys("Enter")
        terminal.wait("stopped")
        terminal.keys(key)
    return terminal.wait(r"span [\d.]+s to [\d.]+s")


def still(terminal):
    """Return the screen once it is stable: totals and symbols arrive later."""
    seen = [(None, 0)]

    def same():
        screen = terminal.screen()
        count = seen[0][1] + 1 if screen == seen[0][0] else 0
        seen[0] = (screen, count)
        busy = "moving" in screen or "counting" in screen
        return count >= STILL and not busy and screen
    return wait_until(same, 30, "a stable screen")


def arrived(terminal, screen):
    """Wait until the terminal shows this screen."""
    try:
        wait_until(lambda: terminal.screen() == screen, 20)
    except AssertionError:
        raise AssertionError(f"expected:\n{screen}\nfound:\n{terminal.screen()}") from None
    return screen


def journey(path, screens_before=None):
    """
    Return the screens of a session in a recording: all views, in a span and at a time within it.
    Given the screens of an earlier session, wait for each of them.
    """
    before = iter(screens_before or ())
    terminal = Terminal(STXTOP, "-i", str(path), size=(120, 40))
    screens = []

    def seen():
        return arrived(terminal, next(before)) if screens_before else still(terminal)
    try:
        terminal.wait("at the end")
        span_of(terminal, "30%", "60%")
        terminal.wait("at the end")
        for view in VIEWS:
            terminal.keys(view)
            screens.append(seen())
        terminal.keys("J")
        terminal.keys("-l", "45%")
        terminal.keys("Enter")
        terminal.wait("stopped")
        for view in VIEWS:
            terminal.keys(view)
            screens.append(seen())
        # Play to the end of the span, faster than recorded.
        terminal.keys("C-Up", "C-Up")
        terminal.wait("Playing at")
        terminal.keys("Space")
        terminal.wait("at the end")
        terminal.keys("1")
        screens.append(seen())
        terminal.keys("q")
        assert terminal.status() == "0"
    finally:
        terminal.close()
    return screens


def same_each_time(path):
    once = journey(path)
    assert journey(path, once) == once
    # Playing to the end of the span gives the same counts as reading the span at once.
    assert calls_of(once[0]) == calls_of(once[-1]) > 0
    assert 0 < calls_of(once[9]) < calls_of(once[0])


def calls_of(screen):
    number, unit = re.search(r"([\d.]+)(k?) calls in", screen).groups()
    return float(number) * (1000 if unit else 1)


@long
def test_same_keys_give_same_screens_of_a_perf_recording():
    same_each_time(by_perf())


@long
def test_same_keys_give_same_screens_of_an_own_recording():
    same_each_time(by_stxtop())


@long
def test_a_span_has_the_calls_that_began_in_it():
    path = by_stxtop()
    *lines, summary = map(json.loads, stxtop("-i", path, "-S", "--json").out.splitlines())
    # A recording begins before its first call; on a busy machine long before.
    begins = [call["ts"] - summary["started"] for call in lines if call["type"] == "call"]
    terminal = Terminal(STXTOP, "-i", str(path), size=(160, 40))
    try:
        terminal.wait("at the end")
        whole = calls_of(still(terminal))
        text = span_of(terminal, "25%", "75%")
        terminal.wait("at the end")
        shown = calls_of(still(terminal))
        from_, until = (float(time) * 1e9 for time in
                        re.search(r"span ([\d.]+)s to ([\d.]+)s", text).groups())
        # The bar rounds times to milliseconds, the header numbers to three digits.
        least, most = (sum(from_ + ms * 1e6 <= begin < until - ms * 1e6 for begin in begins)
                       for ms in (1, -1))
        assert least * 0.99 - 20 <= shown <= most * 1.01 + 20, (shown, least, most)
        assert 0 < shown < whole
    finally:
        terminal.close()


@long
def test_seeking_in_a_pipe_is_rejected_with_the_reason():
    need_tracing()
    need("perf")
    terminal = Terminal("sh", "-c", f"perf record -q -o - {' '.join(CALLS)} -- ls / 2>/dev/null | "
                        f"{STXTOP} -i -", size=(120, 40))
    try:
        terminal.wait("ENDED")
        terminal.keys("C-Home")
        terminal.wait("pipe")
        terminal.keys("q")
    finally:
        terminal.close()


@long
def test_recording_of_key_r_is_seekable():
    need_tracing()
    victim = start(program("mix"), "1", "100", "100000000")
    path = folder() / "made.data"
    terminal = Terminal(STXTOP, "-p", str(victim.pid), size=(120, 40))
    try:
        terminal.wait("getppid|mix")
        terminal.keys("R")
        terminal.wait("Record to:")
        terminal.keys("C-u")
        terminal.keys("-l", str(path))
        terminal.keys("Enter")
        terminal.wait(r"REC [\d.]+[KM]?B?")
        wait_until(lambda: path.stat().st_size > 100_000, 30, "100 kB of the recording")
        terminal.keys("R")
        terminal.wait("Recorded to")
        terminal.keys("q")
        assert terminal.status() == "0"
    finally:
        terminal.close()
    assert path.stat().st_mode & 0o777 == 0o600
    terminal = Terminal(STXTOP, "-i", str(path), size=(120, 40))
    try:
        terminal.wait("at the end")
        whole = calls_of(still(terminal))
        terminal.keys("J")
        terminal.keys("-l", "50%")
        terminal.keys("Enter")
        terminal.wait("stopped")
        assert 0 < calls_of(still(terminal)) < whole
    finally:
        terminal.close()
    assert subprocess.run([STXTOP, "-i", str(path), "-s"], capture_output=True,
                          check=False).returncode == 0
