"""Endless creation of processes: the display keeps updating and memory stays bounded."""

import re

from harness import STXTOP, end, long, need_tracing, start, wait_until
from terminal import Terminal

# The tests expect no particular times: the load depends on the machine.
STORM = "while :; do for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true & done; wait; done"
ENDED = re.compile(r"true.*\(exited\) ([\d.]+k?) process")
# Maximum number of rows. Single rows are shown for 16 ended processes per comm, for the running
# processes, ten from each of two shells, and for those that ended after the last snapshot.
ROWS_MAX = 200


def folded(screen):
    """Return the number of processes folded into the row of their comm; None: no such row."""
    found = ENDED.search(screen)
    if not found:
        return None
    number = found.group(1)
    return float(number.rstrip("k")) * (1000 if number.endswith("k") else 1)


def rows_of(screen):
    """Return the rows that are drawn of the process table; its title counts all processes."""
    return [line for line in screen.split("System calls of")[0].splitlines() if " true " in line]


def one_row(screen):
    """True if all processes have ended: one row has most of them, at most 16 rows have one each."""
    rows = rows_of(screen)
    return len(ENDED.findall(screen)) == 1 and len(rows) <= 17 and all(
        "(exited)" in row for row in rows)


@long
def test_ended_processes_of_a_name_fold_into_one_row():
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
        wait_until(grows, 90, "five counts of ended processes, the largest at least 500")
        rows = rows_of(terminal.screen())
        assert len(rows) < ROWS_MAX, len(rows)
        # After the end of the storms, all processes have ended, and one row holds most of them.
        for storm in storms:
            end(storm)
        wait_until(lambda: one_row(terminal.screen()), 90, "one row of ended processes")
    finally:
        for storm in storms:
            end(storm)
        terminal.close()


# Rows of the page memory-use: "991K      991K       16M  stacks".
OWNER = re.compile(r"^ *([\d.]+[KMG]?) +([\d.]+[KMG]?) +([\d.]+[KMG]?|-)  (\w[^│]*?) *$", re.M)


def size(text):
    """Return bytes; a figure of three digits may be rounded up."""
    unit = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1], 1)
    return float(text.rstrip("KMG")) * unit


def owners(screen):
    return {name: (now, most, bound) for now, most, bound, name in OWNER.findall(screen)}


@long
def test_memory_with_a_bound_stays_below_it():
    """The bound is so low that the history fills immediately at any load."""
    need_tracing()
    terminal = Terminal(STXTOP, "--history", "4M", size=(140, 50))
    terminal.wait("LIVE")
    storms = [start("bash", "-c", STORM) for _ in range(2)]
    calls = start("dd", "if=/dev/zero", "of=/dev/null", "bs=1", "status=none")
    try:
        terminal.keys("M-u")

        def is_full():
            rows = owners(terminal.screen()).get("history: calls")
            return rows and size(rows[0]) > 0.9 * size(rows[2])
        wait_until(is_full, 90, "a full history")
        known = owners(terminal.screen())
        bounded = {name: sizes for name, sizes in known.items() if sizes[2] != "-"}
        assert len(known) > 10 and len(bounded) > 5, known
        for name, (now, most, bound) in bounded.items():
            assert size(now) <= 1.01 * size(bound), (name, now, bound)
            assert size(most) <= 1.01 * size(bound), (name, most, bound)
        history = [sizes for name, sizes in bounded.items() if name.startswith("history")]
        # The data of calls has its own minimum size: see history.h.
        assert sum(size(sizes[2]) for sizes in history) <= 12 << 20, history
    finally:
        for load in (*storms, calls):
            end(load)
        terminal.close()
