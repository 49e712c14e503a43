"""Where processes are born without end: what is shown goes on, and what is kept has a bound."""

import re

from harness import STXTOP, end, need_tracing, start, wait_until
from terminal import Terminal

# No figure here is a time: the load is whatever the machine makes of it.
STORM = "while :; do for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true & done; wait; done"
ENDED = re.compile(r"true.*\(ended\) ([\d.]+k?) process")
SHOWN = re.compile(r"Processes (\d+) ")
# Those that end keep rows of their own up to 256; beside them are those that live.
ROWS_MAX = 256 + 2000


def folded(screen):
    """How many processes that ended the row of their name stands for; None: there is none."""
    found = ENDED.search(screen)
    if not found:
        return None
    number = found.group(1)
    return float(number.rstrip("k")) * (1000 if number.endswith("k") else 1)


def test_a_storm_of_processes_is_a_row():
    need_tracing()
    terminal = Terminal(STXTOP, "--view", "processes", "-F", "comm == true", size=(160, 40))
    terminal.wait("Processes")
    storms = [start("bash", "-c", STORM) for _ in range(2)]
    try:
        counts = set()

        def grows():
            number = folded(terminal.screen())
            if number:
                counts.add(number)
            return len(counts) >= 5 and max(counts) >= 500
        wait_until(grows, 90, "the row of what ended to count five times, up to 500 and more")
        rows = int(SHOWN.search(terminal.screen()).group(1))
        assert rows < ROWS_MAX, rows
    finally:
        for storm in storms:
            end(storm)
        terminal.keys("q")
