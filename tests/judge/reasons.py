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


ADDRESS = re.compile(r"ADDRESS|0x[0-9a-f]+")
NAME = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+")


def is_bare(text):
    return bool(ADDRESS.fullmatch(text))


def has_newer_names(their, our):
    """Ours has all the names of theirs and more, where theirs has a number or no name."""
    theirs, ours = set(NAME.findall(their)), set(NAME.findall(our))
    theirs = {name for name in theirs if not name.endswith("_")}
    return theirs < ours and re.search(r"\?\?\?|\b0x", their) is not None


def kind_of(their, our):
    if is_bare(our) and is_bare(their):
        return "another address"
    if is_bare(our):
        return "not known what it points to"
    if is_bare(their):
        return "more than strace's"
    if len(ADDRESS.findall(our)) > len(ADDRESS.findall(their)):
        return "not known what a part of it points to"
    data = [re.sub(STRING, "", text) for text in (their, our)]
    if data[0] == data[1]:
        return "other data in a string"
    if has_newer_names(their, our):
        return "newer names"
    if len(our) < len(their) and re.search(r'"\.\.\.', our) and \
            re.search(STRING, their):
        return "not known as far as strace shows it"
    if their.startswith(our.rstrip("}")):
        return "less than strace's"
    return "another text"


def of_lines(their, our):
    """[(call, place, kind)] of two lines in which the facts of a run are words already."""
    if not their or not our:
        return [((their or our).partition("(")[0], "the call", "made in one run only")]
    name, theirs, result = split(their)
    _, ours, our_result = split(our)
    if len(theirs) != len(ours):
        return [(name, "arguments", "another number of them")]
    found = [(name, f"argument {i}", kind_of(a, b))
             for i, (a, b) in enumerate(zip(theirs, ours)) if a != b]
    if result != our_result:
        found.append((name, "result", kind_of(result, our_result)))
    return found or [(name, "line", "another text")]


# Two lines in which the facts of a run are words, and the same as they were written; one of
# them is empty where only the other run made the call.
Pair = collections.namedtuple("Pair", "their our their_raw our_raw")

# What stays, and why. Pattern of the call, pattern of "place: kind", reason.
KNOWN = [
    (r"[gs]etsockopt", r"argument [23]", "strace 6.1 has times, names and newer options as bytes"),
    (r"sysfs|rseq", r"arg", "strace 6.1 has its registers only"),
    (r"io_uring_enter", r"argument 4: more than", "strace 6.1 leaves what says how long it waits"),
    (r"bpf", r"argument 1: more than", "strace 6.1 leaves what this command is given"),
    (r"(sem|msg)get", r"argument [12]: more than",
     "strace 6.1 puts a mode behind flags without a name with nothing between"),
    (r"msgrcv", r"argument 1",
     "strace 6.1 shows all the room there was, here it is what was received"),
    (r"ioctl", r"argument 2: more than", "strace 6.1 leaves what this request points to"),
    (r"send\w+|recv\w+", r"argument 1: (another text|not known as far)",
     "netlink messages are known as such where descriptors are: with -y"),
    (r"kill|tgkill|tkill", r"result", "a thread that this killed: strace did not see it return"),
    (r"pause|\w*suspend|\w*nanosleep|read|wait4|poll|select|futex", r"result: less than",
     "broken off by a kill: for us, what was to be restarted has no result"),
    (r"getdents(64)?", r"argument 1", "of a long list the first 12 KiB are copied"),
    (r".*", r"newer names", "names that are newer than strace 6.1"),
    (r".*", r"other data", "random, or a time, in each run"),
    (r"futex|poll|p?select6?|epoll_\w+|wait4|rt_sigreturn|restart_syscall|sched_yield",
     r"the call|futex|argument|result", "threads and processes that met at another moment"),
    (r".*", r"not known what it points to",
     "not copied, or in a page that no access had brought in yet"),
    (r".*", r"not known what a part of it points to", "not copied"),
    (r".*", r"not known as far", "longer than what is copied of it"),
]
UNEXPLAINED = "not explained"
EACH_RUN = "another one in each run: two runs of strace differ there, too"


class Reasons:
    """What is known of differences, given those between two runs of strace."""

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
        """Lines with a difference of which nobody knows why."""
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
        yield ("..." if skipped and line else "") + line[skipped:skipped + width] or "-"
