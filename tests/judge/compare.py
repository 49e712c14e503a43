#!/usr/bin/env python3
"""Run a program under strace and under the decoder's own tracer, and compare call by call.

    compare.py [-v] [--stxtop [--source NAME]] PROGRAM [ARG...]

With --stxtop, compare stxtop itself, which can read fewer bytes than the tracer. Prints the number
of equal lines, and the differences by argument. All runs are without address randomisation. Values
that differ between two runs of a program (pids, times, free memory, random bytes) are replaced by
words. strace runs twice: where its two runs differ, the program differs from run to run.
"""

import collections
import ctypes
import difflib
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import reasons

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
TRACER = os.path.join(BUILD, "judge")
STXTOP = os.path.join(BUILD, "stxtop")

# Pattern and replacement of values that depend on the run.
SAME = [
    # Setuid programs (mount) are mapped at a random address.
    (r"0x(?!55555[5-9]|7ffff)(?:5[56]|7[ef])[0-9a-f]{10}\b", "ADDRESS"),
    # The stack of the starting process depends on the tracer.
    (r"0x7ffff[0-9a-f]{7}( /\* \d+ vars)", r"ADDRESS\1"),
    (r"\b(tv_sec|tv_nsec|tv_usec|it_value|si_utime|si_stime|st_ino|si_pid|l_pid|uptime|"
     r"freeram|bufferram|sharedram|freeswap|procs|f_bfree|f_bavail|f_ffree|shm_[adc]time|"
     r"sem_[oc]time|shm_[cl]pid|msg_[src]time|msg_l[sr]pid|tms_\w+|ru_\w+|nl_pid|pid)=-?\d+",
     r"\1=N"),
    (r"loads=\[[^]]*\]", "loads=N"),
    (r"/\* 20\d\d-[^*]*\*/", "/* DATE */"),
    (r"\(20\d\d-[^)]*\)", "(DATE)"),
    # Some programs ignore TMPDIR.
    (r"(?:%s|/tmp)/\w*[-.]?\w{8,12}\b" % re.escape(tempfile.gettempdir()), "/tmp/RANDOM"),
    (r'((?:sed|/t|tmp_[a-z]+_|refs_|packs_))\w{6}(?=[".])', r"\1RANDOM"),
    (r"(port=htons\()[3-6]\d{4}\b", r"\1PORT"),
    (r"/proc/\d+", "/proc/PID"),
    (r'f_handle="[^"]*"', "f_handle=H"),
    # The index of git contains times and inode numbers.
    (r'"DIRC(?:[^"\\]|\\.)*"', '"DIRC"'),
    (r"f_fsid=\{val=\[[^]]*\]", "f_fsid={val=[N]"),
]
RESULT_IS_PID = re.compile(r"^(clone3?|v?fork|wait4|getpid|gettid|getppid|getpgrp|getpgid|setsid|"
                           r"getsid|set_tid_address|waitid|pidfd_open)\(")
ARGUMENT_IS_PID = re.compile(
    r"^((?:tg|t)?kill|wait4|waitid|getpgid|setpgid|getsid|pidfd_open|prlimit64|process_vm_readv|"
    r"sched_\w+|rt_(?:tg)?sigqueueinfo|migrate_pages|kcmp|capget|ptrace|move_pages)\((.*)$")
# The first argument can be a small pid, as in a PID namespace.
FIRST_PID = re.compile(r"^((?:tgkill|rt_tgsigqueueinfo|kcmp)\(\d\d+, |waitid\(P_P\w+, |\w+\()\d\d+")
IPC = re.compile(r"^((?:sem(?:op|timedop|ctl)|shm(?:at|ctl)|msg(?:snd|rcv|ctl))\()\d+")
ANY_VALUE = re.compile(r"^(getrandom|time|times|getcpu|clock_gettime|gettimeofday|rt_sigreturn)\(")


@functools.lru_cache(maxsize=1 << 18)
def normal(line):
    for pattern, word in SAME:
        line = re.sub(pattern, word, line)
    if RESULT_IS_PID.match(line):
        line = re.sub(r" = \d+$", " = PID", line)
        line = re.sub(r"(parent_tid=|pidfd=)\[\d+\]", r"\1[N]", line)
    # Ids of IPC objects increase from boot.
    if line.startswith(("semget(", "shmget(", "msgget(")):
        line = re.sub(r" = \d+$", " = IPC", line)
    line = IPC.sub(r"\1IPC", line)
    match = ARGUMENT_IS_PID.match(line)
    if match:
        name, first = match.group(1), FIRST_PID.match(line)
        rest = first.end() if first else len(name)
        line = name + re.sub(r"\d\d+", "PID", line[len(name):rest]) + \
            re.sub(r"\b\d{3,7}\b", "PID", line[rest:])
    if line.startswith(("add_key(", "keyctl(", "request_key(")):
        line = re.sub(r"\b\d{7,10}\b", "KEY", line)
    if ANY_VALUE.match(line):
        line = re.sub(r'"(\\x[0-9a-f]{2})+"', '"RANDOM"', line)
        line = re.sub(r" = \d+( \(DATE\))?$", " = N", line)
    return line


def batch_threads(path):
    """Return {thread: [line]} of an output of stxtop -b, the lines in order of enter."""
    threads = collections.OrderedDict()
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            match = re.match(r"^ *([\d.]+) \( *[\d.?]+ ms\) .*?/(\d+) (\w+\(.*)$",
                             line.rstrip("\n"))
            if match:
                text = re.sub(r" <(in flight|exit lost)>$", "", match.group(3))
                threads.setdefault(match.group(2), []).append((float(match.group(1)), text))
    return {tid: [text for _, text in sorted(lines, key=lambda item: item[0])]
            for tid, lines in threads.items()}


def tracer_threads(path, squeeze):
    """Return {thread: [line]}, threads in order of their first line. squeeze: True for strace."""
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
    return threads


def without_random(lines):
    """Yield pairs: a line, and the same line without the bytes read from /dev/[u]random."""
    sources = set()
    for line in lines:
        opened = re.match(r'openat\(AT_FDCWD, "/dev/u?random", .* = (\d+)$', line)
        used = re.match(r"(?:read|close)\((\d+)[,)]", line)
        if opened:
            sources.add(opened.group(1))
        elif used and used.group(1) in sources:
            if line.startswith("close"):
                sources.discard(used.group(1))
            yield line, re.sub(r'"(?:[^"\\]|\\.)*"', '"RANDOM"', line)
            continue
        yield line, line


def without_threads(threads):
    """Return for each thread its lines, each as written and with tids replaced by a word."""
    names = "|".join(sorted(tid for tid in threads if len(tid) > 2))
    pattern = re.compile(r"(?<![\w.])(?:%s)(?![\w.])" % names) if names else None
    return [[(line, pattern.sub("TASK", plain) if pattern else plain)
             for line, plain in without_random(lines)] for lines in threads.values()]


def name_of(line):
    return line.split("(", 1)[0]


def started_with(lines):
    """Yield the arguments of each execve, with the temporary folder replaced by a word."""
    for _, line in lines:
        given = re.match(r"execve\([^[]*(\[.*?\]), 0x", line)
        if given:
            yield re.sub(r"%s/judge-\w+" % re.escape(tempfile.gettempdir()), "RUN",
                         given.group(1))


def likeness(theirs, ours):
    """Score two threads by the share of equal lines. The order of lines can differ between runs."""
    common = collections.Counter(normal(line) for _, line in theirs) & \
        collections.Counter(normal(line) for _, line in ours)
    # Processes of one program often differ only in the arguments of execve: these weigh more.
    started = set(started_with(theirs)) & set(started_with(ours))
    return sum(common.values()) / (1 + max(len(theirs), len(ours))) + bool(started)


def paired_threads(theirs, ours):
    """Yield (their lines, our lines) of each of their threads and our most similar unused one."""
    left = list(ours)
    for lines in theirs:
        if not left:
            yield lines, []
            continue
        # Both runs have nearly the same order of threads: eight candidates are enough.
        nearest = max(left[:8], key=lambda other: likeness(lines, other))
        left.remove(nearest)
        yield lines, nearest


class Comparison:
    def __init__(self):
        self.lines = self.same = self.unpaired = 0  # `unpaired` lines are not in `lines`
        self.differing = []  # list of reasons.Pair

    def add(self, theirs, ours):
        """Pair equal lines, then lines with the same call name, in order. A line without a pair
        is a difference, too."""
        matcher = difflib.SequenceMatcher(None, [normal(line) for _, line in theirs],
                                          [normal(line) for _, line in ours], autojunk=False)
        for kind, a, a_end, b, b_end in matcher.get_opcodes():
            if kind == "equal":
                for their, our in zip(theirs[a:a_end], ours[b:b_end]):
                    self.pair(their, our)
            else:
                self.add_by_name(theirs[a:a_end], ours[b:b_end])

    def add_by_name(self, theirs, ours):
        matcher = difflib.SequenceMatcher(None, [name_of(line) for line, _ in theirs],
                                          [name_of(line) for line, _ in ours], autojunk=False)
        blocks = matcher.get_matching_blocks()
        for block in blocks:
            for i in range(block.size):
                self.pair(theirs[block.a + i], ours[block.b + i])
        self.alone(theirs, [index for block in blocks
                            for index in range(block.a, block.a + block.size)], True)
        self.alone(ours, [index for block in blocks
                          for index in range(block.b, block.b + block.size)], False)

    def alone(self, lines, paired, are_theirs):
        """Count the lines without a pair as differences."""
        for raw, line in (line for i, line in enumerate(lines) if i not in set(paired)):
            self.unpaired += 1
            texts = (normal(line), "", raw, "") if are_theirs else ("", normal(line), "", raw)
            self.differing.append(reasons.Pair(*texts))

    def pair(self, their, our):
        self.lines += 1
        # By chance, a number can equal a tid in one run: compare the lines as written, too.
        if any(normal(a) == normal(b) for a, b in zip(their, our)):
            self.same += 1
        else:
            self.differing.append(reasons.Pair(normal(their[1]), normal(our[1]), their[0],
                                               our[0]))

    def join(self, other):
        self.lines += other.lines
        self.same += other.same
        self.unpaired += other.unpaired
        self.differing += other.differing

    def percent(self):
        """Return the share of equal lines among all lines of both runs."""
        return 100.0 * self.same / max(1, self.lines + self.unpaired)

    def __str__(self):
        return "%d calls, %d equal (%.2f %%), %d made in one run only" % (
            self.lines, self.same, self.percent(), self.unpaired)


ADDR_NO_RANDOMIZE = 0x0040000


def without_randomisation():
    ctypes.CDLL(None).personality(ADDR_NO_RANDOMIZE)


def run_under(tool, program, work):
    """Run the program in its own folder and remove the folder."""
    environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", PYTHONHASHSEED="0",
                       PERL_HASH_SEED="0")
    os.mkdir(work)
    # Resolve the path here: the tools search PATH with different system calls.
    where = shutil.which(program[0]) or program[0]
    subprocess.run([*tool, where, *program[1:]], env=environment, cwd=work,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=300, check=False,
                   preexec_fn=without_randomisation)
    shutil.rmtree(work)


def undisturbed(run_once):
    """
    Repeat the run while other programs use all inotify instances of the user: without an instance,
    the numbers of all later descriptors differ.
    """
    for _ in range(6):
        threads = run_once()
        if not any("inotify_init" in line and "EMFILE" in line
                   for lines in threads for _, line in lines):
            break
        time.sleep(0.5)
    return threads


def strace_threads(program):
    return undisturbed(lambda: one_run_of_strace(program))


def one_run_of_strace(program):
    with tempfile.TemporaryDirectory(prefix="judge-") as folder:
        path = os.path.join(folder, "theirs")
        run_under(["strace", "-f", "-qq", "-e", "signal=none", "-o", path], program,
                  os.path.join(folder, "work"))
        return without_threads(tracer_threads(path, True))


@functools.lru_cache(maxsize=None)
def first_run_of_strace(*program):
    """Return the lines of one run, cached for several comparisons of the program."""
    return strace_threads(list(program))


def one_run_of_ours(program, stxtop, read):
    with tempfile.TemporaryDirectory(prefix="judge-") as folder:
        path = os.path.join(folder, "ours")
        run_under([TRACER, path] if stxtop is None else
                  [STXTOP, "--string-size", "32", "-w", path, *stxtop, "--"],
                  program, os.path.join(folder, "work"))
        return without_threads(read(path) if stxtop is not None else
                               tracer_threads(path, False))


def run(program, comparison, stxtop=None, read=batch_threads, itself=None):
    """
    Compare one program. stxtop: its options, or None for the tracer; read: parser of its output;
    itself: collects the differences between two runs of strace.
    """
    theirs = first_run_of_strace(*program)
    if itself is not None:
        for a, b in paired_threads(theirs, strace_threads(program)):
            itself.add(a, b)
    ours = undisturbed(lambda: one_run_of_ours(program, stxtop, read))
    for a, b in paired_threads(theirs, ours):
        comparison.add(a, b)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    verbose, options = False, None
    while arguments and arguments[0].startswith("-"):
        option = arguments.pop(0)
        if option == "-v":
            verbose = True
        elif option == "--stxtop":
            options = ["-b"]
        else:
            options = (options or ["-b"]) + [option, arguments.pop(0)]
    total = Comparison()
    other_runs = Comparison()
    run(arguments, total, options, itself=other_runs)
    print(total)
    print("two runs of strace:", other_runs)
    for line in reasons.Reasons(other_runs.differing).table(total.differing,
                                                            1000 if verbose else 1):
        print("  " + line)
