"""Where processes are born without end: what is shown goes on, and what is kept has a bound."""

import re

from harness import STXTOP, end, need_tracing, start, wait_until
from terminal import Terminal

# No figure here is a time: the load is whatever the machine makes of it.
STORM = "while :; do for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true & done; wait; done"
ENDED = re.compile(r"true.*\(ended\) ([\d.]+k?) process")
# Of a name, 16 that ended keep rows of their own; the table is as old as a take of its sums, and
# beside them are those that live: two shells have started ten each.
ROWS_MAX = 200


def folded(screen):
    """How many processes that ended the row of their name stands for; None: there is none."""
    found = ENDED.search(screen)
    if not found:
        return None
    number = found.group(1)
    return float(number.rstrip("k")) * (1000 if number.endswith("k") else 1)


def rows_of(screen):
    """The title counts processes; these are counted as they are drawn, in the table alone."""
    return [line for line in screen.split("System calls of")[0].splitlines() if " true " in line]


def one_row(screen):
    """All are known to have ended: of one name there is one group, and few rows beside it."""
    rows = rows_of(screen)
    return len(ENDED.findall(screen)) == 1 and len(rows) <= 17 and all(
        "(ended)" in row for row in rows)


def test_a_storm_of_processes_is_a_row():
    need_tracing()
    terminal = Terminal(STXTOP, "--view", "processes", "-F", "comm == true", size=(160, 400))
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
        rows = rows_of(terminal.screen())
        assert len(rows) < ROWS_MAX, len(rows)
        # Once nothing is born any more, all have ended, and one row of the name has most of them.
        for storm in storms:
            end(storm)
        wait_until(lambda: one_row(terminal.screen()), 90, "one row of all that ended")
    finally:
        for storm in storms:
            end(storm)
        terminal.keys("q")
