"""Compares all fields of --json in a recording with those shown while it was made."""

import json
import re

from harness import stxtop

# Names of descriptors. Some are only in the recording: a name resolved after the line was written
# live, or a name that the late read for that line did not get.
NAMED = re.compile(r"<(?:->|[^<>]|<(?:->|[^<>])*>)*>(?:\(deleted\))?")


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


def both(where, *options, command=(), replay=()):
    """Record with these options; return the objects shown live and those of the recording."""
    live, path = where / "live.json", where / "a.data"
    result = stxtop("-S", "--json", "-y", "-w", live, "-o", path, *options,
                    *(["--", *command] if command else []))
    assert result.status in (0, 2), f"exit status {result.status}: {result.err}"
    again = stxtop("-i", path, "-S", "--json", "-y", *replay)
    assert again.status == 0, f"exit status {again.status}: {again.err}"
    return objects(live.read_text()), objects(again.out)


def leaves(value, path=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}")
    elif isinstance(value, list):
        yield path + "#", len(value)
        for inner in value:
            yield from leaves(inner, path + "[]")
    else:
        yield path, value


def is_more(path, live, again):
    """True if the recording has a value that was unknown live."""
    if path in (".args[].text", ".ret_text"):
        return NAMED.sub("", again) == NAMED.sub("", live) or live.startswith("0x")
    return path == ".args[].from" and live == "register"


def without_waits(summary):
    """Remove the waits if all are zero: a recording has none unless a thread waited."""
    rows = [summary, *summary["processes"]]
    rows += [syscall for process in summary["processes"] for syscall in process["syscalls"]]
    if not any(row.get("blocked") for row in rows):
        for row in rows:
            row.pop("blocked", None)
            row.pop("waits_unknown", None)


def without_heap(line):
    """Ignore addresses outside code: no record reports that the heap grew, only /proc shows it."""
    stacks = (line.get("stack") or [], (line.get("waker") or {}).get("stack") or [])
    for frame in (frame for stack in stacks for frame in stack):
        if frame["dso"] in ("", "[heap]") and frame["sym"] is None:
            frame.update(dso="", off=0)


def differences(live, again):
    """Return (path, live, recorded) for each field that differs."""
    found = []
    # The place of a deadlock line depends on when it was detected: sort it to the end.
    live, again = (sorted(lines, key=lambda line: line["type"] == "deadlock")
                   for lines in (live, again))
    if len(live) != len(again):
        return [("objects", len(live), len(again))]
    for one, other in zip(live, again):
        if one == other:
            continue
        if one["type"] == other["type"] == "summary":
            without_waits(one)
            without_waits(other)
        # Ignore the frames of execve: they are unwound while the program is being replaced.
        if one.get("name") == other.get("name") == "execve":
            one, other = dict(one, stack=[]), dict(other, stack=[])
        without_heap(one)
        without_heap(other)
        fields, others = list(leaves(one)), list(leaves(other))
        if [path for path, _ in fields] != [path for path, _ in others]:
            found.append((one["type"], one, other))
            continue
        found += [(one["type"] + path, value, now)
                  for (path, value), (_, now) in zip(fields, others)
                  if value != now and not is_more(path, value, now)]
    return [item for item in found if item[0] != "summary.source"]


def check(live, again):
    """Assert that the recording has everything that was shown live."""
    assert len(live) > 2, live
    different = differences(live, again)
    assert not different, (len(different), different[:3])
