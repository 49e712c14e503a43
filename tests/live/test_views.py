"""Views that need pointer arguments or a longer time: files, latency over time."""

import re

from harness import STXTOP, folder, has_bpf, long, need, need_tracing, skip, wait_until
from terminal import Terminal

COPIER = "while :; do dd if=/dev/zero of={} bs=4096 count=200 2>/dev/null; done"


def need_all():
    need_tracing()
    if not has_bpf():
        skip("pointer arguments need BPF programs, which cannot run here")


def row_of(terminal, name):
    """Wait for the row of a file and return its words."""
    return wait_until(lambda: next((line.split() for line in terminal.screen().splitlines()
                                    if line.startswith(name + " ")), None), 15, name)


def bytes_of(word):
    units = {"B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    return 0 if word == "-" else float(word[:-1]) * units[word[-1]]


@long
def test_files_have_the_bytes_that_went_through_them():
    need_all()
    target = folder() / "target"
    terminal = Terminal(STXTOP, "--view", "files", "--", "sh", "-c", COPIER.format(target))
    try:
        terminal.wait(r"Files \d+")
        wait_until(lambda: bytes_of(row_of(terminal, "/dev/zero")[5]) > 1 << 20, 15, "a megabyte")
        terminal.keys("Space")
        terminal.wait("PAUSED")
        # dd reads as much as it writes, except for some blocks in flight.
        source, copy = row_of(terminal, "/dev/zero"), row_of(terminal, str(target))
        assert bytes_of(source[5]) and source[6] == "-", source
        assert copy[5] == "-" and bytes_of(copy[6]), copy
        assert 0.5 < bytes_of(source[5]) / bytes_of(copy[6]) < 2, (source, copy)
        terminal.keys("Space")
        terminal.keys("/")
        terminal.keys("-l", "/dev/zero")
        terminal.keys("Enter")
        terminal.keys("Enter")
        terminal.wait(r'path == "/dev/zero"')
        terminal.wait(r"read\(0</dev/zero")
        assert "write(" not in terminal.screen().split("Filter", 1)[1].split("Calls", 1)[0]
        terminal.keys("q")
        terminal.wait("still running")
        terminal.keys("q")
        assert terminal.status() in ("0", "143"), terminal.status()
    finally:
        terminal.close()


@long
def test_a_rectangle_of_latencies_opens_its_calls():
    need_tracing()
    need("sh")
    terminal = Terminal(STXTOP, "--view", "latency", "--", "sh", "-c",
                        "while :; do sleep 0.02; done")
    try:
        terminal.wait(r"Latency, \d+ms per column, at most")
        # Wait for the second label of the time axis: then the heatmap has several columns.
        terminal.wait(r" 6\.00s", limit=40)
        terminal.keys("Left")
        terminal.wait(r"\d+\.\d\ds to \d+\.\d\ds")
        # Pause: columns become wider with time, but not while paused.
        terminal.keys("Space")
        width = int(re.search(r"Latency, (\d+)ms", terminal.wait("PAUSED"))[1])
        terminal.keys("m")
        for key in ("Left", "Left", *["Up"] * 12):
            terminal.keys(key)
        terminal.wait(r"s: [1-9]\S* calls")
        terminal.keys("Enter")
        screen = terminal.wait(r"ended >= \d+\.\d\ds && ended < \d+\.\d\ds && dur >= \d+ns")
        low, high = (float(x) for x in
                     re.search(r"ended >= ([\d.]+)s && ended < ([\d.]+)s", screen).groups())
        assert abs(high - low - 3 * width / 1000) < 0.001, (low, high, width)
        terminal.wait(r"Calls ")
        terminal.keys("q")
        terminal.wait("still running")
        terminal.keys("q")
        assert terminal.status() in ("0", "143"), terminal.status()
    finally:
        terminal.close()
