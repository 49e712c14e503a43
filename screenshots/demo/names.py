#!/usr/bin/env python3
"""names.py <LINES >NAMES: the names that a recording's stacks have here, for where its files are
not: JSON Lines of `stxtop -i FILE --json` to the text that engine/stack/names_file.h describes."""

import json
import sys


def chains(frames):
    """The frames of each address, inlined ones before the one they are in."""
    chain = []
    for frame in frames:
        chain.append(frame)
        if not frame["inlined"]:
            yield chain
            chain = []


def fields(pid, frame):
    source, _, line = (frame["src"] or "").rpartition(":")
    return [str(pid), frame["ip"].removeprefix("0x"), frame["kind"], str(frame["off"]),
            line or "0", str(int(frame["inlined"])), frame["sym"] or "", frame["dso"], source]


def main():
    told = {}
    for line in sys.stdin:
        call = json.loads(line)
        if call["type"] != "call":
            continue
        stacks = [(call["pid"], call["stack"])]
        if call["waker"]:
            stacks.append((call["waker"]["pid"], call["waker"]["stack"]))
        for pid, frames in stacks:
            for chain in chains(frames):
                owner = 0 if chain[0]["kind"] == "kernel" else pid
                told.setdefault((owner, chain[0]["ip"]), [fields(owner, f) for f in chain])
    for key in sorted(told):
        for frame in told[key]:
            print("\t".join(frame))


main()
