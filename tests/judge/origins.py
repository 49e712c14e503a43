"""Classifies arguments whose data strace shows: exact, late, unread or wrong in stxtop."""

import collections
import json

import compare
import reasons


class Line(str):
    """A call as one line, with its arguments."""
    args = ()  # (text, origin) of each argument


def json_threads(path):
    """Return {thread: [Line]} of an output of stxtop --json, the lines in order of enter."""
    threads = collections.OrderedDict()
    with open(path, encoding="utf-8") as file:
        for item in map(json.loads, file):
            if item["type"] != "call":
                continue
            args = [(arg["text"], arg["from"]) for arg in item["args"]]
            texts = ", ".join(text for text, _ in args)
            line = Line(f"{item['name']}({texts}) = {item['ret_text']}")
            line.args = args
            threads.setdefault(str(item["tid"]), []).append((item["ts"], line))
    return {tid: [line for _, line in sorted(lines, key=lambda pair: pair[0])]
            for tid, lines in threads.items()}


class Origins(compare.Comparison):
    """Counts arguments instead of lines, by kind: exact, late, unread or wrong."""

    def __init__(self):
        super().__init__()
        self.counts = collections.Counter()

    def pair(self, their, our):
        _, theirs, _ = reasons.split(their[0])
        if len(theirs) != len(our[0].args):
            return
        for text, (ours, origin) in zip(theirs, our[0].args):
            if text.startswith(('"', "[", "{")):
                self.counts[self.kind(compare.normal(text), compare.normal(ours), origin)] += 1

    @staticmethod
    def kind(theirs, ours, origin):
        if reasons.is_bare(ours):
            return "unread"
        if ours != theirs and origin == "late":
            return "late, changed by then"
        if ours != theirs:
            return reasons.kind_of(theirs, ours)
        return "late" if origin == "late" else "exact"

    def __str__(self):
        total = sum(self.counts.values()) or 1
        return ", ".join(f"{count} {kind} ({100 * count / total:.1f} %)"
                         for kind, count in self.counts.most_common())


def of_program(program, options, origins):
    compare.run(program, origins, ["--json", *options], json_threads)
