"""Finds why a line differs from that of strace: in which argument, and for which reason."""

import collections
import re

OPENING, CLOSING = "([{", ")]}"
STRING = r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?'


def split(line):
    """Return name, arguments and result of a line: ("read", ["3", '"a"', "1"], "1")."""
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


ADDRESS = re.compile(r"ADDRESS|0x[0-9a-f]+")
NAME = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+")


def is_bare(text):
    return bool(ADDRESS.fullmatch(text))


def has_newer_names(their, our):
    """True if our text has all their names and more, and theirs has a hex number or ???."""
    theirs, ours = set(NAME.findall(their)), set(NAME.findall(our))
    theirs = {name for name in theirs if not name.endswith("_")}
    return theirs < ours and re.search(r"\?\?\?|\b0x", their) is not None


def kind_of(their, our):
    if is_bare(our) and is_bare(their):
        return "different address"
    if is_bare(our):
        return "address instead of content"
    if is_bare(their):
        return "more than strace"
    if len(ADDRESS.findall(our)) > len(ADDRESS.findall(their)):
        return "address instead of part of the content"
    data = [re.sub(STRING, "", text) for text in (their, our)]
    if data[0] == data[1]:
        return "different data in a string"
    if has_newer_names(their, our):
        return "newer names"
    if len(our) < len(their) and re.search(r'"\.\.\.', our) and \
            re.search(STRING, their):
        return "shorter than in strace"
    if their.startswith(our.rstrip("}")):
        return "less than strace"
    return "different text"


def of_lines(their, our):
    """Return [(call, place, kind)] of the differences of two lines as in Pair.their and .our."""
    if not their or not our:
        return [((their or our).partition("(")[0], "the call", "made in one run only")]
    name, theirs, result = split(their)
    _, ours, our_result = split(our)
    if len(theirs) != len(ours):
        return [(name, "arguments", "different number")]
    found = [(name, f"argument {i}", kind_of(a, b))
             for i, (a, b) in enumerate(zip(theirs, ours)) if a != b]
    if result != our_result:
        found.append((name, "result", kind_of(result, our_result)))
    return found or [(name, "line", "different text")]


# Two lines with run-dependent values replaced, and the lines as written. A line is empty if only
# the other run made the call.
Pair = collections.namedtuple("Pair", "their our their_raw our_raw")

# Accepted differences: pattern of the call, pattern of "place: kind", reason.
KNOWN = [
    (r"[gs]etsockopt", r"argument [23]",
     "strace 6.1 prints times, names and newer options as bytes"),
    (r"sysfs|rseq", r"arg", "strace 6.1 prints only the registers"),
    (r"io_uring_enter", r"argument 4: more than", "strace 6.1 does not decode the timeout"),
    (r"bpf", r"argument 1: more than", "strace 6.1 does not decode the data of this command"),
    (r"(sem|msg)get", r"argument [12]: more than",
     "strace 6.1 prints a mode after unnamed flags without a separator"),
    (r"msgrcv", r"argument 1",
     "strace 6.1 prints the whole buffer, stxtop the received message"),
    (r"ioctl", r"argument 2: more than", "strace 6.1 does not decode the data of this request"),
    (r"send\w+|recv\w+", r"argument 1: (different text|shorter than)",
     "netlink messages are decoded only with descriptor names (-y)"),
    (r"kill|tgkill|tkill", r"result", "the calling thread is killed: strace sees no return"),
    (r"pause|\w*suspend|\w*nanosleep|read|wait4|poll|select|futex", r"result: less than",
     "interrupted by SIGKILL: in stxtop, a call to be restarted has no result"),
    (r"getdents(64)?", r"argument 1", "only the first 12 KiB of a long list are copied"),
    (r".*", r"newer names", "names that are newer than strace 6.1"),
    (r".*", r"different data", "random data or a time, different in each run"),
    (r"futex|poll|p?select6?|epoll_\w+|wait4|rt_sigreturn|restart_syscall|sched_yield",
     r"the call|futex|argument|result", "different interleaving of threads and processes"),
    (r".*", r"address instead of content", "not copied, or in a page that was not yet present"),
    (r".*", r"address instead of part", "not copied"),
    (r".*", r"shorter than", "longer than the bytes that are copied"),
]
UNEXPLAINED = "not explained"
EACH_RUN = "different in each run: two runs of strace differ there, too"


class Reasons:
    """Finds the reasons of differences. of_two_runs: [Pair] between two runs of strace."""

    def __init__(self, of_two_runs=()):
        self.each_run = {key for pair in of_two_runs for key in of_lines(pair.their, pair.our)}

    def of(self, call, place, kind):
        if (call, place, kind) in self.each_run:
            return EACH_RUN
        for name, pattern, why in KNOWN:
            if re.fullmatch(name, call) and re.search(pattern, f"{place}: {kind}"):
                return why
        return UNEXPLAINED

    def unexplained(self, pairs):
        """Return the lines with a difference that has no reason."""
        return [pair for pair in pairs
                if any(self.of(*key) == UNEXPLAINED for key in of_lines(pair.their, pair.our))]

    def table(self, pairs, samples):
        for (call, place, kind), list_ in count(pairs):
            yield f"{len(list_):4} {call} {place}: {kind} ({self.of(call, place, kind)})"
            for pair in list_[:samples]:
                theirs, ours = beginning_apart(pair)
                yield f"       strace: {call}: {theirs}"
                yield f"       ours:   {call}: {ours}"


def count(pairs):
    """Return [((call, place, kind), [pair])] of differing lines, the most frequent first."""
    found = collections.defaultdict(list)
    for pair in pairs:
        for key in of_lines(pair.their, pair.our):
            found[key].append(pair)
    return sorted(found.items(), key=lambda item: -len(item[1]))


def beginning_apart(pair, width=150):
    """Yield both lines, from shortly before the first difference."""
    same = next((i for i, (a, b) in enumerate(zip(pair.their_raw, pair.our_raw)) if a != b), 0)
    skipped = max(0, same - 60)
    for line in (pair.their_raw, pair.our_raw):
        yield ("..." if skipped and line else "") + line[skipped:skipped + width] or "-"
