#!/usr/bin/env python3
"""Runs a program under strace and under the decoder's own tracer, compares call by call.

    compare.py [-v] [--stxtop] PROGRAM [ARG...]

With --stxtop it is stxtop itself that is compared, which may know fewer bytes. Prints
how many of strace's lines are the same text, and the differences by call.
Both run without address randomisation; what still differs between two runs of a
program (pids, times, free memory, random bytes) is replaced by the same words.
"""

import collections
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
TRACER = os.path.join(BUILD, "judge")
STXTOP = os.path.join(BUILD, "stxtop")

# Pattern, what stands for it: facts of a run, not of a notation.
SAME = [
    (r"0x[0-9a-f]{6,16}\b", "ADDRESS"),
    (r"\b(tv_sec|tv_nsec|tv_usec|it_value|si_utime|si_stime|st_ino|si_pid|l_pid|uptime|"
     r"freeram|bufferram|sharedram|freeswap|procs|f_bfree|f_bavail|f_ffree|shm_[adc]time|"
     r"shm_[cl]pid|msg_[src]time|msg_l[sr]pid|tms_\w+|ru_\w+|nl_pid|pid)=-?\d+", r"\1=N"),
    (r"loads=\[[^]]*\]", "loads=N"),
    (r"/\* 20\d\d-[^*]*\*/", "/* DATE */"),
    (r"\(20\d\d-[^)]*\)", "(DATE)"),
    (r"/tmp/\w*[-.]?\w{8,12}\b", "/tmp/RANDOM"),
    (r"(port=htons\()[3-6]\d{4}\b", r"\1PORT"),
    (r"/proc/\d+", "/proc/PID"),
    (r'f_handle="[^"]*"', "f_handle=H"),
]
RESULT_IS_PID = re.compile(r"^(clone3?|v?fork|wait4|getpid|gettid|getppid|getpgrp|getpgid|setsid|"
                           r"getsid|set_tid_address|waitid|pidfd_open)\(")
ARGUMENT_IS_PID = re.compile(
    r"^((?:tg|t)?kill|wait4|waitid|getpgid|setpgid|getsid|pidfd_open|prlimit64|process_vm_readv|"
    r"sched_\w+|rt_(?:tg)?sigqueueinfo|migrate_pages|kcmp|capget|ptrace|move_pages)\((.*)$")
ANY_VALUE = re.compile(r"^(getrandom|time|times|getcpu|clock_gettime|gettimeofday|rt_sigreturn)\(")


def normal(line):
    for pattern, word in SAME:
        line = re.sub(pattern, word, line)
    if RESULT_IS_PID.match(line):
        line = re.sub(r" = \d+$", " = PID", line)
        line = re.sub(r"(parent_tid=|pidfd=)\[\d+\]", r"\1[N]", line)
    match = ARGUMENT_IS_PID.match(line)
    if match:
        line = match.group(1) + "(" + re.sub(r"\b\d{3,7}\b", "PID", match.group(2))
    if line.startswith(("add_key(", "keyctl(", "request_key(")):
        line = re.sub(r"\b\d{7,10}\b", "KEY", line)
    if ANY_VALUE.match(line):
        line = re.sub(r'"(\\x[0-9a-f]{2})+"', '"RANDOM"', line)
        line = re.sub(r" = \d+( \(DATE\))?$", " = N", line)
    return line


def batch_lines(path):
    """What stxtop -b writes, as the tracer would: calls of a thread in the order of their enter."""
    threads = collections.OrderedDict()
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            match = re.match(r"^ *([\d.]+) \( *[\d.?]+ ms\) .*?/(\d+) (\w+\(.*)$",
                             line.rstrip("\n"))
            if match:
                text = re.sub(r" <(in flight|exit lost)>$", "", match.group(3))
                threads.setdefault(match.group(2), []).append((float(match.group(1)), text))
    return [[text for _, text in sorted(lines, key=lambda item: item[0])]
            for lines in threads.values()]


def joined(path, squeeze):
    """Lines of each thread in order: {thread: [line]}, threads by their first appearance."""
    threads, begun = collections.OrderedDict(), {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            match = re.match(r"^(\d+) +(.*)$", line.rstrip("\n"))
            if not match:
                continue
            tid, text = match.groups()
            if text.startswith(("+++", "---")):
                continue
            if squeeze:
                if text.endswith(" <unfinished ...>"):
                    begun[tid] = text[:-len(" <unfinished ...>")]
                    continue
                resumed = re.match(r"^<\.\.\. \w+ resumed>(.*)$", text)
                if resumed:
                    text = begun.pop(tid, "") + resumed.group(1)
                text = re.sub(r"\) +(= )", r") \1", text)
            threads.setdefault(tid, []).append(text)
    for tid, text in begun.items():
        threads.setdefault(tid, []).append(text + ") = ?")
    return list(threads.values())


def name_of(line):
    return line.split("(", 1)[0]


class Comparison:
    def __init__(self):
        self.lines = self.same = self.unpaired = 0
        self.differences = collections.defaultdict(list)

    def add(self, theirs, ours):
        """Calls are paired by name in their order; what only one run made counts for nothing."""
        names = [[name_of(line) for line in lines] for lines in (theirs, ours)]
        if names[0] == names[1]:
            for their, our in zip(theirs, ours):
                self.pair(their, our)
            return
        matcher = difflib.SequenceMatcher(None, names[0], names[1], autojunk=False)
        paired = 0
        for block in matcher.get_matching_blocks():
            for i in range(block.size):
                paired += 1
                self.pair(theirs[block.a + i], ours[block.b + i])
        self.unpaired += len(theirs) - paired

    def pair(self, their, our):
        self.lines += 1
        a, b = normal(their), normal(our)
        if a == b:
            self.same += 1
        else:
            self.differences[name_of(their)].append((their, our))


def command_of(program):
    return ["setarch", "-R"] + program


def run(program, comparison, stxtop=False):
    with tempfile.TemporaryDirectory(prefix="judge-") as folder:
        environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC")
        paths = [os.path.join(folder, name) for name in ("theirs", "ours")]
        work = os.path.join(folder, "work")
        ours_tool = [STXTOP, "-b", "-w", paths[1], "--"] if stxtop else [TRACER, paths[1]]
        for tool in (["strace", "-f", "-qq", "-e", "signal=none", "-o", paths[0]], ours_tool):
            os.mkdir(work)
            subprocess.run(tool + command_of(program), env=environment, cwd=work,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=300, check=False)
            shutil.rmtree(work)
        theirs = joined(paths[0], True)
        ours = batch_lines(paths[1]) if stxtop else joined(paths[1], False)
        for a, b in zip(theirs, ours):
            comparison.add(a, b)
        return theirs, ours


def report(comparison, verbose):
    percent = 100.0 * comparison.same / comparison.lines if comparison.lines else 0
    print("%d calls, %d the same text (%.2f %%), %d made in one run only" %
          (comparison.lines, comparison.same, percent, comparison.unpaired))
    for name, pairs in sorted(comparison.differences.items(), key=lambda item: -len(item[1])):
        print("  %s: %d" % (name, len(pairs)))
        for their, our in pairs if verbose else pairs[:1]:
            print("    strace: %s\n    ours:   %s" % (their[:300], our[:300]))
    return percent


if __name__ == "__main__":
    arguments = sys.argv[1:]
    options = set()
    while arguments[:1] in (["-v"], ["--stxtop"]):
        options.add(arguments.pop(0))
    total = Comparison()
    run(arguments, total, "--stxtop" in options)
    report(total, "-v" in options)
