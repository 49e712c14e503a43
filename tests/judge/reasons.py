"""Why a line of ours is not strace's: which argument differs, and whether for want of bytes."""

import collections
import re

OPENING, CLOSING = "([{", ")]}"
STRING = r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?'


def split(line):
    """Name, arguments and result of a line: ("read", ["3", '"a"', "1"], "1")."""
    name, _, rest = line.partition("(")
    parts, part, depth, i = [], "", 0, 0
    while i < len(rest):
        char = rest[i]
        if char == '"' or rest.startswith("/*", i):
            end = i + 1
            if char == '"':
                while end < len(rest) and rest[end] != '"':
                    end += 2 if rest[end] == "\\" else 1
            else:
                end = rest.find("*/", i) + 1 or len(rest)
            part += rest[i:end + 1]
            i = end + 1
            continue
        if char == ")" and not depth:
            break
        if char == "," and not depth:
            parts.append(part.strip())
            part = ""
        else:
            depth += (char in OPENING) - (char in CLOSING)
            part += char
        i += 1
    if part.strip() or parts:
        parts.append(part.strip())
    return name, parts, rest[i + 1:].partition("=")[2].strip()


def kind_of(their, our):
    if our == "ADDRESS":
        return "not known what it points to"
    if our.count("ADDRESS") > their.count("ADDRESS"):
        return "not known what a part of it points to"
    data = [re.sub(STRING, "", text) for text in (their, our)]
    if data[0] == data[1]:
        return "other data in a string"
    if len(our) < len(their) and re.search(r'"\.\.\.', our) and \
            re.search(STRING, their):
        return "not known as far as strace shows it"
    if their.startswith(our.rstrip("}")):
        return "not known what a part of it points to"
    return "another text"


def of_lines(their, our):
    """[(call, place, kind)] of two lines in which the facts of a run are words already."""
    name, theirs, result = split(their)
    _, ours, our_result = split(our)
    if len(theirs) != len(ours):
        return [(name, "arguments", "another number of them")]
    found = [(name, f"argument {i}", kind_of(a, b))
             for i, (a, b) in enumerate(zip(theirs, ours)) if a != b]
    if result != our_result:
        found.append((name, "result", kind_of(result, our_result)))
    return found or [(name, "line", "another text")]


# Two lines in which the facts of a run are words, and the same as they were written.
Pair = collections.namedtuple("Pair", "their our their_raw our_raw")

# What stays, and why. (call or None for any, pattern of "place: kind") -> reason.
KNOWN = [
    ("rt_sigreturn", r"arguments", "the mask lies in the signal's frame, where no argument points"),
    ("setsockopt", r"argument [23]", "strace 6.1 has times, names and newer options as bytes"),
    ("getsockopt", r"argument [23]", "strace 6.1 has times, names and newer options as bytes"),
    ("membarrier", r"result", "commands that are newer than strace 6.1"),
    (None, r"not known what it points to",
     "not copied, or in a page that no access had brought in yet"),
    (None, r"not known what a part of it points to", "not copied"),
    (None, r"not known as far", "longer than what is copied of it"),
    (None, r"other data", "random, or a time, in each run"),
]


def reason(call, place, kind):
    for name, pattern, why in KNOWN:
        if name in (None, call) and re.search(pattern, f"{place}: {kind}"):
            return why
    return "another one in each run, or not explained"


def count(pairs):
    """{(call, place, kind): [pair]} of lines that differ, the most frequent first."""
    found = collections.defaultdict(list)
    for pair in pairs:
        for key in of_lines(pair.their, pair.our):
            found[key].append(pair)
    return sorted(found.items(), key=lambda item: -len(item[1]))


def beginning_apart(pair, width=150):
    """Both lines from shortly before the first difference on."""
    same = next((i for i, (a, b) in enumerate(zip(pair.their_raw, pair.our_raw)) if a != b), 0)
    skipped = max(0, same - 60)
    for line in (pair.their_raw, pair.our_raw):
        yield ("..." if skipped else "") + line[skipped:skipped + width]


def table(pairs, samples):
    for (call, place, kind), list_ in count(pairs):
        yield f"{len(list_):4} {call} {place}: {kind} ({reason(call, place, kind)})"
        for pair in list_[:samples]:
            theirs, ours = beginning_apart(pair)
            yield f"       strace: {call}: {theirs}"
            yield f"       ours:   {call}: {ours}"
