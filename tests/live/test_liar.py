"""Every value that stxtop shows of programs/liar.c is true. Each call there has unique data."""

import collections
import csv
import io
import json
import re
import subprocess

import harness
from harness import (LIMIT_S, STXTOP, end, folder, long, need_tracing, program, run, start,
                     wait_until)
from terminal import Terminal
from test_formats import exported

FIRST_FD, PLACES, REST = 1000000, 4096, 0x10000000
LOOKS = 24 # number of screens that are checked, each after a key

# Each call has its number in registers and data in memory. A line shows the data or, if it is
# unknown, the pointer; ~ marks a late read.
NAME = r'(?P<mark>~?)(?:"(?P<name>[^"]*)"|(?P<bare>0x[0-9a-f]+))'
# Names of arguments, which only the detail shows; they are removed before the comparison.
NAMES = re.compile(r"\b(?:dfd|filename|flags?|mode|fd|buf|count|pos|which_clock|rqtp|rmtp|"
                   r"statbuf)=")
SHAPES = [
    (0, re.compile(rf'openat\((?P<number>\d{{7,}}), {NAME}, O_RDONLY')),
    (1, re.compile(r'pwrite64\(\d+(?:<[^>]*>)?, (?P<mark>~?)(?:"(?P<name>[^"]*)"(?:\.\.\.)?'
                   r'|(?P<bare>0x[0-9a-f]+)), (?P<length>\d+), (?P<number>\d+)\)')),
    (2, re.compile(r'pread64\(\d+(?:<[^>]*>)?, (?P<mark>~?)(?:"(?P<name>[^"]*)"'
                   r'|(?P<bare>0x[0-9a-f]+)), 16, (?P<number>\d+)\)')),
    (3, re.compile(r'clock_nanosleep\(CLOCK_MONOTONIC, 0, (?P<mark>~?)'
                   r'(?:\{tv_sec=(?P<seconds>\d+), tv_nsec=(?P<name>\d+)\}|(?P<bare>0x[0-9a-f]+))'
                   r', 0x(?P<number>[0-9a-f]+)\)')),
    (4, re.compile(rf'newfstatat\((?P<number>\d{{7,}}), {NAME}, (?P<mark2>~?)'
                   r'(?:\{st_mode=(?P<mode>[^,]*), st_size=(?P<size>\d+)|(?P<bare2>0x[0-9a-f]+))')),
]


class Judge:
    """Compares shown values with the true ones; counts them and collects wrong ones."""

    def __init__(self, place):
        self.place, self.counts, self.wrong = str(place), collections.Counter(), []

    def expected(self, kind, number, match):
        """Return (shown, true) pairs of values from memory."""
        if kind == 0:
            return [(match["name"], f"{self.place}/name{number:08}")]
        if kind == 1:
            return [(match["name"].split("\\0")[0], f"payload {number:08}"),
                    (match["length"], str(20 + number % 1000))]
        if kind == 2:
            return [(match["name"], f"place {number // 16:09}\\0")]
        if kind == 3:
            return [(match["seconds"], "0"), (match["name"], str(1000 + number))]
        return [(match["name"], f"{self.place}/size{number % 64}")]

    def look(self, text, where):
        for kind, shape in SHAPES:
            for match in shape.finditer(text):
                self.look_at(kind, match, where)

    def look_at(self, kind, match, where):
        number = int(match["number"], 16) - REST if kind == 3 else int(match["number"])
        number -= FIRST_FD if kind in (0, 4) else 0
        self.counts[where] += 1
        pairs = []
        if match["bare"]:
            self.counts["bare pointers"] += 1
        else:
            pairs += self.expected(kind, number, match)
        if kind == 4 and match["size"]:
            pairs += [(match["size"], str(100000 + number % 64)),
                      (match["mode"].split("|")[0], "S_IFREG")]
        marked = match["mark"] or (kind == 4 and match["mark2"])
        self.counts["marked"] += bool(marked)
        for shown, true in pairs:
            if kind in (0, 1, 4) and shown.endswith("…"):
                true = true[:len(shown) - 1] + "…"
            if shown == true:
                self.counts["right"] += 1
            elif marked:
                self.counts["marked, and changed since"] += 1
            else:
                self.wrong.append((where, match[0], true))

    def look_at_time(self, call, truth, where):
        """Check a JSON object, and that its time is within the times of its call in `truth`."""
        args = [arg["text"] for arg in call["args"]]
        text = f"{call['name']}({', '.join(args)})"
        self.look(text, where)
        for kind, shape in SHAPES:
            match = shape.search(text)
            if not match:
                continue
            number = int(match["number"], 16) - REST if kind == 3 else int(match["number"])
            number -= FIRST_FD if kind in (0, 4) else 0
            # Several reads (kind 2) have the same number: the time of each is unknown.
            if kind != 2 and number < len(truth) and not call.get("seeded"):
                before, after = truth[number]
                if not before <= call["ts"] <= call["ts"] + (call["dur"] or 0) <= after:
                    self.wrong.append((where, text, (call["ts"], call["dur"], before, after)))
                self.counts["times"] += 1


class Storm:
    """The liar under load: endless calls, and programs that start and end."""

    def __init__(self, place):
        self.truth_path = place / "truth"
        self.liar = start(program("liar"), place, self.truth_path, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE)
        assert self.liar.stdout.readline(), "the program did not start"
        self.others = [start("dd", "if=/dev/zero", "of=/dev/null", "bs=1",
                             stderr=subprocess.DEVNULL) for _ in range(2)]
        self.others.append(start("sh", "-c", "while :; do /bin/true; done"))

    def truth(self):
        self.liar.stdin.close()
        assert self.liar.wait(LIMIT_S) == 0
        for other in self.others:
            end(other)
        with open(self.truth_path) as file:
            return [tuple(map(int, line.split())) for line in file]


def rows(text, storm):
    """Return only the rows of the liar: other tasks make the same system calls."""
    return "\n".join(line for line in text.splitlines() if f"liar/{storm.liar.pid}" in line)


def look_at_detail(judge, terminal):
    """Check the detail of the selected row; the row may have been evicted meanwhile."""
    terminal.keys("d")
    try:
        screen = terminal.wait(r"Arguments|nothing selected", limit=5)
    except AssertionError:
        return
    judge.look(NAMES.sub("", screen), "detail")
    judge.counts["not kept"] += "not kept" in screen
    terminal.keys("Escape")


def look_around(judge, storm):
    """Check the oldest and newest rows of the interface, their details and its exports."""
    source = ("--source", harness.source) if harness.source else ()
    terminal = Terminal(STXTOP, *source, "--history", "9M", "--view", "calls",
                        size=(200, 50))
    out = folder()
    try:
        terminal.wait("LIVE")
        terminal.wait(r"dd/\d+ ")
        # Filter only after calls of other tasks have filled the history.
        terminal.keys("F4")
        terminal.keys("-l", 'comm == "liar"')
        terminal.wait('comm == "liar"')
        terminal.keys("Enter")
        terminal.wait(rf"liar/{storm.liar.pid}.*\n.*liar/{storm.liar.pid}")
        for i in range(LOOKS):
            terminal.keys(("Home", "NPage", "Down", "Space", "Up", "PPage", "End", "Space")[i % 8])
            judge.look(rows(terminal.screen(), storm), "screen")
            if i % 4 == 2:
                look_at_detail(judge, terminal)
        terminal.keys("Escape")
        terminal.keys("4", "End")
        terminal.wait(rf"liar/{storm.liar.pid}")
        for down, form in enumerate(("text", "json", "csv")):
            data = exported(terminal, down, out / f"calls.{form}").decode(errors="replace")
            look_at_export(judge, storm, data, form)
    finally:
        terminal.close()


def look_at_export(judge, storm, data, form):
    if form == "json":
        for line in data.splitlines():
            call = json.loads(line)
            if call.get("type") == "call" and call["pid"] == storm.liar.pid:
                judge.look_at_time(call, [], "export json")
    elif form == "csv":
        for row in csv.reader(io.StringIO(data)):
            if str(storm.liar.pid) in row:
                judge.counts["rows of csv"] += 1
                judge.look(" ".join(row), "export csv")
    else:
        judge.look(rows(data, storm), "export text")


def look_at_lines(judge, truth, path, where):
    for line in path.read_text().splitlines():
        call = json.loads(line)
        if call["type"] == "call":
            judge.look_at_time(call, truth, where)


@long
def test_shown_values_are_true():
    need_tracing()
    place = folder()
    judge, storm = Judge(place), Storm(place)
    lines, recording, again = place / "lines.json", place / "recording", place / "again.json"
    text = place / "lines"
    watcher = start(STXTOP, "--json", "-w", lines, "-F", 'comm == "liar"', "--for", "8")
    writer = start(STXTOP, "-b", "-w", text, "-p", storm.liar.pid, "-o", recording, "--for", "8")
    look_around(judge, storm)
    for process in (watcher, writer):
        assert process.wait(LIMIT_S) == 0
    truth = storm.truth()
    result = run(STXTOP, "-i", recording, "--json", "-w", again)
    assert result.status == 0, result.err
    look_at_lines(judge, truth, lines, "json")
    look_at_lines(judge, truth, again, "recording")
    judge.look(rows(text.read_text(), storm), "lines")
    print(f"liar: {len(truth)} calls made; " +
          ", ".join(f"{count} {what}" for what, count in sorted(judge.counts.items())))
    assert not judge.wrong, (len(judge.wrong), judge.wrong[:5])
    wanted = ["screen", "detail", "json", "lines", "recording", "export text", "export json",
              "rows of csv"]
    # Without BPF programs, few values are known: a single export can have none.
    if harness.source != "perf":
        wanted.append("export csv")
    for where in wanted:
        assert judge.counts[where], (where, judge.counts)
