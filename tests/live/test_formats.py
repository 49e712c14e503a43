"""Output formats of recordings, checked with parsers that share no code with stxtop."""

import csv
import fcntl
import io
import json
import os
import pathlib
import re
import subprocess
import tempfile

import json_contract
import trace_rules
from harness import ROOT, STXTOP, folder, long, start, stxtop, wait_until
from terminal import Terminal

HERE = pathlib.Path(__file__).parents[1]
RECORDINGS = sorted((HERE / "replay").glob("*.data")) + \
    [HERE / "fuzz" / "seeds" / "recording" / name for name in
     ("all", "dwarf", "events", "fp", "own-dwarf", "own-perf", "pipe-packed")]
CONTENTION = HERE / "replay" / "contention.data"
SHOP = HERE / "replay" / "shop.data"
EVENTS = HERE / "replay" / "events.data"


def written(recording, *options, status=0):
    """Return the bytes that stxtop writes for a recording."""
    path = folder() / "out"
    result = stxtop("-i", recording, "-w", path, *options)
    assert result.status == status, (recording, options, result.err)
    return path.read_bytes()


# ---- JSON ----

@long
def test_json_matches_the_contract():
    for recording in RECORDINGS[::2]: # the tests below check all of them
        json_contract.read(written(recording, "-S", "--json"), "summary")
    for options in (("--summary-by", "thread"), ("--summary-by", "total"), ("-g", "off"),
                    ("--from", "0.1", "--until", "0.2")):
        json_contract.read(written(CONTENTION, "-S", "--json", *options), "summary")


def test_comparison_matches_the_contract():
    result = stxtop("-i", CONTENTION, "--against", SHOP, "--json")
    assert result.status == 0, result.err
    objects = json_contract.read(result.out.encode(), "comparison")
    assert len(objects) > 10 and objects[0]["type"] == "change"


def manual_words():
    """Return {type: fields and words in .Li} of the section JSON of the manual page."""
    text = (ROOT / "man" / "stxtop.1").read_text()
    text = re.search(r"^\.Sh JSON\n(.*?)^\.Sh ", text, re.M | re.S)[1]
    found = {}
    for part in text.split('\n.It Li {"type":"')[1:]:
        kind, part = part.split('"', 1)
        words = found.setdefault(kind, set())
        for line in part.splitlines():
            for listed in re.findall(r"\bLi (.*?)(?= No | or |$)", line):
                if listed.startswith("{"):
                    words.update(re.findall(r'"(\w+)":', listed))
                else:
                    words.update(word.strip(" .;:") for word in listed.split(" ,"))
    return {kind: words - {"null", ""} for kind, words in found.items()}


def test_the_manual_has_every_field():
    manual = manual_words()
    manual["event"] |= json_contract.CONTAINER.keys() # the manual says "as of a call"
    assert manual.keys() == json_contract.OBJECTS.keys()
    for kind, shape in json_contract.OBJECTS.items():
        wanted = set(json_contract.words_of(shape)) - {"type"}
        assert manual[kind] == wanted, (kind, manual[kind] ^ wanted)


# ---- traces ----

@long
def test_traces_follow_the_rules_of_viewers():
    arrows = 0
    for recording in RECORDINGS:
        path = folder() / "trace"
        data = written(recording, "--json", "--chrome-trace", path)
        events = trace_rules.read(path.read_bytes())
        calls = [o for o in json_contract.read(data, most=1) if o["type"] == "call"]
        assert sorted((c["tid"], c["ts"], c["name"]) for c in calls) == \
            sorted((s["tid"], s["ts"], s["name"]) for s in trace_rules.calls_of(events))
        arrows += len(trace_rules.of_phase(events, "f"))
    assert arrows > 50, arrows


# ---- folded stacks ----

def folded_of(calls):
    """Return {stack: ns} of the calls of --json, in the form of a flame graph."""
    found = {}
    for call in calls:
        if not call["blocked"]:
            continue
        frames = [call["comm"] or "?"]
        way = json_contract.scheduler_frames(call["stack"])
        for frame in reversed(call["stack"]):
            if frame not in way:
                frames.append((frame["sym"] or frame["ip"]) +
                              ("_[k]" if frame["kind"] == "kernel" else ""))
        stack = ";".join(frame.replace(";", ":") for frame in frames)
        found[stack] = found.get(stack, 0) + call["blocked"]
    return found


@long
def test_folded_stacks_equal_json():
    for recording in RECORDINGS:
        path = folder() / "folded"
        data = written(recording, "-S", "--json", "--folded", path)
        objects = json_contract.read(data)
        wanted = folded_of(o for o in objects if o["type"] == "call")
        lines = path.read_text().splitlines()
        assert lines == [f"{stack} {ns}" for stack, ns in sorted(wanted.items(), key=lambda one:
                         one[0].encode())], (recording, lines[:3])
        # Exclude calls in flight, as the totals do.
        finished = sum(o["blocked"] or 0 for o in objects if o["type"] == "call" and
                       o["state"] != "in_flight")
        assert finished == sum(p.get("blocked", 0) for p in objects[-1]["processes"]), recording


# ---- CSV ----

def unmarked(field):
    """Remove the apostrophe that prevents spreadsheets from reading a field as a formula."""
    return field[1:] if field.startswith("'") else field


def rows_of(data):
    """Return the rows of CSV (bytes). Fields are not formulas; only numbers begin with "-"."""
    text = data.decode("utf-8", "strict")
    assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", ""), text[-80:]
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    for row in rows:
        assert None not in row and None not in row.values(), row
        for field in row.values():
            assert not field or field[0] not in "=+@\t\r\n＝＋－＠", row
            assert not field.startswith("-") or re.fullmatch(r"-\d+(\.\d+)?", field), row
    return rows


CALL_FIELDS = {"ts_ns": "ts", "dur_ns": "dur", "blocked_ns": "blocked", "runnable_ns": "runnable",
               "pid": "pid", "tid": "tid", "comm": "comm", "cpu": "cpu", "name": "name",
               "ret": "ret", "errno": "errno", "state": "state"}


def test_csv_equals_json():
    for recording in RECORDINGS[:6]:
        rows = rows_of(written(recording, "--csv"))
        calls = json_contract.read(written(recording, "--json"), most=1)[:-1]
        calls = [c for c in calls if c["type"] == "call"]
        rows = [row for row in rows if row["state"] not in ("event", "lost")]
        assert len(rows) == len(calls), recording
        for row, call in zip(rows, calls):
            call["dur"] = call.get("age", call["dur"])
            wanted = ["" if call[key] is None else str(call[key]) for key in CALL_FIELDS.values()]
            assert [unmarked(row[key]) for key in CALL_FIELDS] == wanted, (row, call)
            waker = call["waker"] or {"kind": None}
            assert row["waker_tid"] == (str(waker["tid"]) if waker["kind"] == "thread" else "")


# ---- text ----

LINE = re.compile(r" *(\d+\.\d{6}) \( *(?:(\d+\.\d{3})|\?) ms\) (.*?)/(\d+) (\w+)\((.*) = (.*)")


def test_text_lines_can_be_parsed():
    """Task, syscall, time and duration can be read from the text alone."""
    for recording in RECORDINGS[:6]:
        objects = json_contract.read(written(recording, "--json"), most=1)
        calls = [o for o in objects if o["type"] == "call"]
        began = objects[-1].get("started")
        lines = [LINE.fullmatch(line) for line in
                 written(recording, "-b", "-g", "off").decode().splitlines()]
        taken = [line for line in lines if line]
        assert len(taken) == len(calls), (recording, len(taken), len(calls))
        for line, call in zip(taken, calls):
            took = call.get("age", call["dur"])
            assert (line[3], int(line[4]), line[5]) == (call["comm"], call["tid"], call["name"])
            assert line[2] is None if took is None else abs(float(line[2]) * 1e6 - took) <= 501
            assert round((call["ts"] - began) // 1000 / 1e6, 6) == float(line[1]), (line[0], call)
            assert line[7].split(" <")[0] == call["ret_text"] or call["state"] != "done", line[0]


# ---- spans ----

def test_span_has_exactly_its_calls():
    """Every format has exactly the calls that begin in the span; unfinished ones are in flight."""
    whole = [o for o in json_contract.read(written(SHOP, "--json"), most=1) if o["type"] == "call"]
    began = whole[0]["ts"]
    from_ms, until_ms = 100, 200
    options = ("--from", f"{from_ms}ms", "--until", f"{until_ms}ms")
    place = folder()
    part = [o for o in json_contract.read(written(
        SHOP, "--json", "--chrome-trace", place / "trace", "--folded", place / "folded", *options),
        most=1) if o["type"] == "call"]
    first = json_contract.read(written(SHOP, "--json"), most=1)[-1]["started"]
    begin, end = first + from_ms * 1000000, first + until_ms * 1000000

    def key(call):
        return call["tid"], call["ts"], call["name"]

    wanted = {key(c): c for c in whole if begin <= c["ts"] < end}
    assert began < begin and len(wanted) > 20, (began, begin, len(wanted))
    assert {key(c) for c in part if c["ts"] >= begin} == wanted.keys()
    for call in part:
        assert call["ts"] < end, call
        if call["ts"] >= begin and call["state"] == "done":
            assert wanted[key(call)]["dur"] == call["dur"], call
            assert call["ts"] + call["dur"] <= end, call
    slices = trace_rules.calls_of(trace_rules.read((place / "trace").read_bytes()))
    assert sorted((s["tid"], s["ts"], s["name"]) for s in slices) == sorted(map(key, part))
    assert dict(line.rsplit(" ", 1) for line in (place / "folded").read_text().splitlines()) == \
        {stack: str(ns) for stack, ns in folded_of(part).items()}
    rows = rows_of(written(SHOP, "--csv", *options))
    assert sorted((int(r["tid"]), int(r["ts_ns"]), r["name"]) for r in rows) == \
        sorted(map(key, part))
    summary = json_contract.read(written(SHOP, "-s", "--json", *options))[-1]
    assert summary["calls"] == sum(c["state"] != "in_flight" for c in part)


# ---- write errors ----

def test_write_errors_are_reported():
    """Any output to a full disk or a missing folder fails with status 1 and one message."""
    for options in (("-b",), ("--json",), ("--csv",), ("-s",), ("-s", "--json")):
        result = stxtop("-i", SHOP, "-w", "/dev/full", *options)
        assert result.status == 1, options
        assert result.err == "stxtop: cannot write /dev/full: No space left on device\n", result.err
    for options in (("--folded", "/dev/full"), ("--chrome-trace", "/dev/full"),
                    ("--folded", "/nowhere/f"), ("--chrome-trace", "/nowhere/t")):
        result = stxtop("-i", SHOP, "-s", "-w", "/dev/null", *options)
        assert result.status == 1 and f"cannot write {options[1]}: " in result.err, result.err
        assert result.err.count("\n") == 1, result.err


def test_slow_reader_gets_all_and_closed_pipe_ends_stxtop():
    for options in (("-b",), ("--json",), ("-S", "--json")):
        wanted = written(CONTENTION, *options)
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        writing = start(STXTOP, "-i", CONTENTION, *options, stdout=writer,
                        stderr=subprocess.DEVNULL)
        os.close(writer)
        taken = b""
        while piece := os.read(reader, 1000):
            taken += piece
        assert writing.wait(30) == 0 and taken == wanted, (len(taken), len(wanted))
        os.close(reader)
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        with tempfile.TemporaryFile() as said:
            writing = start(STXTOP, "-i", CONTENTION, *options, stdout=writer, stderr=said)
            os.close(writer)
            assert len(os.read(reader, 100)) > 0
            os.close(reader)
            # A pipe that its reader closes, as in `| head`, is not an error.
            assert writing.wait(30) == 0
            assert said.seek(0, 2) == 0


# ---- tables of the interface ----

def exported(terminal, down, path):
    """Write the focused pane with F7 in the menu's format `down` (from 0). Return the file."""
    def offers_all():
        """Open the menu; True if it has all formats. For a table without rows it has fewer."""
        terminal.keys("F7")
        if "for spreadsheets" in terminal.wait("Write to a file"):
            return True
        terminal.keys("Escape")
        wait_until(lambda: "Write to a file" not in terminal.screen())
        return False

    wait_until(offers_all, 20, "a table with rows")
    terminal.keys(*["Down"] * down, "Enter")
    terminal.wait("Write to: ")
    terminal.keys("C-u")
    terminal.keys("-l", str(path))
    terminal.keys("Enter")
    terminal.wait(f"Wrote .*{path.name}")
    return path.read_bytes()


def as_field(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.3f}"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


@long
def test_tables_are_the_same_in_json_and_csv():
    place = folder()
    terminal = Terminal(STXTOP, "-i", CONTENTION, "--no-mouse")
    try:
        terminal.wait("F10Quit")
        terminal.wait("clock_nanosleep|futex")
        for view in "3678":
            terminal.keys(view)
            wanted = [json.loads(line) for line in
                      exported(terminal, 1, place / f"{view}.jsonl").decode().splitlines()]
            rows = rows_of(exported(terminal, 2, place / f"{view}.csv"))
            assert len(rows) == len(wanted) > 0, (view, len(rows), len(wanted))
            for row, one in zip(rows, wanted):
                assert {key: unmarked(field) for key, field in row.items()} == \
                    {key: as_field(value) for key, value in one.items() if key != "type"}, view
    finally:
        terminal.close()
