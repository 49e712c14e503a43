"""The rules of the Trace Event Format (Duca and Sinclair, 2016) as viewers apply them: mandatory
fields, nested slices per thread, and for each arrow one begin and one end, both in slices."""

import decimal
import json

# Fields of each allowed phase.
FIELDS = {
    "X": {"name", "cat", "ts", "dur", "pid", "tid", "args"},
    "M": {"name", "pid", "tid", "args"},
    "i": {"name", "cat", "ts", "pid", "tid", "s", "args"},
    "s": {"name", "cat", "ts", "pid", "tid", "id"},
    "f": {"name", "cat", "ts", "pid", "tid", "id", "bp"},
}
CALL = {"call": str, "result": str, "cpu": int}
WAITS = {"blocked_ns": int, "runnable_ns": int} # present if the waits are known


def ns(us):
    """Convert to ns exactly: the text must have three digits after the point."""
    assert isinstance(us, decimal.Decimal) and us.as_tuple().exponent == -3, us
    return int(us * 1000)


def read(data):
    """Return the events of a trace (bytes), with their times in ns."""
    events = json.loads(data.decode("utf-8", "strict"), parse_float=decimal.Decimal)
    for event in events:
        phase = event["ph"]
        assert set(event) == FIELDS[phase] | {"ph"}, event
        assert type(event["pid"]) is int and type(event["tid"]) is int, event
        assert isinstance(event["name"], str) and event["name"].isprintable(), event
        if phase == "M":
            assert event["name"] in ("process_name", "thread_name"), event
            assert list(event["args"]) == ["name"] and event["args"]["name"].isprintable(), event
            continue
        event["ts"] = ns(event["ts"])
        assert event["ts"] >= 0, event
        if phase == "X":
            event["dur"] = ns(event["dur"])
            if event["cat"] != "wake":
                more = {"in_flight": bool} if "in_flight" in event["args"] else {}
                more |= WAITS if "blocked_ns" in event["args"] else {}
                assert {k: type(v) for k, v in event["args"].items()} == {**CALL, **more}, event
        elif phase == "i":
            assert event["s"] in ("g", "t"), event
        elif phase == "f":
            assert event["bp"] == "e", event
    check_names(events)
    check_flows(events, check_nesting(events))
    return events


def of_phase(events, phase):
    return [event for event in events if event["ph"] == phase]


def calls_of(events):
    return [event for event in events if event["ph"] == "X" and event["cat"] != "wake"]


def check_names(events):
    """Assert that each track of calls and its process have a name before the first slice."""
    named = set()
    for event in events:
        if event["ph"] == "M":
            named.add((event["name"], event["tid" if event["name"] == "thread_name" else "pid"]))
        elif event["ph"] == "X" and event["cat"] != "wake":
            assert ("thread_name", event["tid"]) in named, event
            assert ("process_name", event["pid"]) in named, event


def check_nesting(events):
    """Assert that slices of a track are nested or disjoint; return {tid: [(begin, end)]}."""
    tracks = {}
    for event in of_phase(events, "X"):
        tracks.setdefault(event["tid"], []).append((event["ts"], event["ts"] + event["dur"]))
    for tid, slices in tracks.items():
        slices.sort(key=lambda one: (one[0], -one[1]))
        open_ = []
        for begin, end in slices:
            while open_ and open_[-1] <= begin:
                open_.pop()
            assert not open_ or end <= open_[-1], (tid, begin, end, open_)
            open_.append(end)
    return tracks


def check_flows(events, tracks):
    """Assert that each arrow begins once and ends once, later, both within a slice."""
    begins = {event["id"]: event for event in of_phase(events, "s")}
    ends = {event["id"]: event for event in of_phase(events, "f")}
    assert len(begins) == len(of_phase(events, "s")) and len(ends) == len(of_phase(events, "f"))
    assert begins.keys() == ends.keys()
    for number, flow in ends.items():
        assert begins[number]["ts"] <= flow["ts"], (begins[number], flow)
        assert (begins[number]["name"], begins[number]["cat"]) == (flow["name"], flow["cat"])
        for one in (begins[number], flow):
            assert any(begin <= one["ts"] < end or begin == one["ts"] == end
                       for begin, end in tracks[one["tid"]]), one
