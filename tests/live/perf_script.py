"""Compares the stacks of a recording with those of perf script.

Known differences, where perf is wrong or differs:
- If several frames have one address, perf marks as "(inlined)" each frame whose name differs from
  the symbol. A function whose debug information has another name is thus marked itself, and an
  inlined recursive call is not. Real frames are therefore read with --no-inline.
- perf gets names from addr2line(1). Lambdas and functions in unnamed namespaces have no linkage
  name in the debug information. If such a function is the innermost inlined one, addr2line gives
  it the name of the surrounding symbol.
- perf names a function with inlined calls as the debug information does ("sort"), stxtop as the
  symbol table does ("sort.part.0"). If the table has several names for an address, each is right.
- perf looks a caller up one byte before the return address and prints the address of that byte.
  It also does so for a frame that a signal interrupted and for the trampoline below a handler.
  Neither made a call, so stxtop looks up their addresses unchanged.
- With frame pointers, perf looks callers up at the return address itself. After a call that does
  not return, that address is in the next function.
- A signal handler returns to code whose last instruction enters rt_sigreturn. The address after
  that instruction is in no function, and neither perf nor stxtop unwinds from there.
- perf names generated code after the file with its symbols, stxtop after its memory mapping.
"""

import collections
import concurrent.futures
import functools
import json
import re
import subprocess

from harness import run, stxtop

Frame = collections.namedtuple("Frame", "offset sym dso")
Sample = collections.namedtuple("Sample", "time tid frames real kernel switch")
Mapping = collections.namedtuple("Mapping", "time pid start end offset path")

HEAD = re.compile(r"^\s*(\d+)\s+(\d+)\.(\d{9}):\s+(\S+):")
LINE = re.compile(r"^\s+([0-9a-f]+) (.*) \((.*)\)$")
FORK = re.compile(r"(\d+)\.(\d{9}): PERF_RECORD_FORK\((\d+):\d+\):\((\d+):\d+\)")
MMAP = re.compile(r"(\d+)\.(\d{9}): PERF_RECORD_MMAP2? +(-?\d+)/\d+: "
                  r"\[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ (0x[0-9a-f]+|0) [^\]]*\]: \S+ (.*)$")
CLONE = re.compile(r"( \[clone [^\]]*\])+$|(\.(part|isra|constprop|cold|lto_priv)(\.\d+)*)+$")
VERSION = re.compile(r"@@?[A-Z].*$")  # symbol version; "@plt" is not one
KERNEL = 1 << 63
GENERATED = ("//anon", "[anon]")
UNKNOWN = "[unknown]"


# -- perf -----------------------------------------------------------------------------------

def stacks(path, option):
    """
    Return [(time, tid, user frames, names of kernel frames, True for a switch)] of each switch
    and enter, innermost frame first; mangled names.
    """
    text = run("perf", "script", "-i", path, "--ns", option, "--no-demangle",
               "-F", "tid,time,event,ip,sym,dso").out
    found, frames, kernel = [], [], []
    for line in text.splitlines():
        head = HEAD.match(line)
        if head:
            frames, kernel = [], []
            switch = "sched_switch" in head[4]
            if switch or "sys_enter" in head[4]:
                found.append((int(head[2]) * 10**9 + int(head[3]), int(head[1]), frames, kernel,
                              switch))
            continue
        frame = LINE.match(line)
        if frame and int(frame[1], 16) < KERNEL:
            frames.append(Frame(int(frame[1], 16), frame[2], frame[3]))
        elif frame and not frames: # ignore kernel addresses after user frames: they are bogus
            kernel.append(frame[2])
    return found


def samples(path, inlined):
    """Return the samples, each with all frames and, separately, its real (not inlined) ones."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        plain = pool.submit(stacks, path, "--no-inline")
        with_inlined = pool.submit(stacks, path, "--inline") if inlined else plain
    plain, with_inlined = plain.result(), with_inlined.result()
    assert len(with_inlined) == len(plain)
    names = demangled({VERSION.sub("", f.sym) for s in with_inlined + plain for f in s[2]})

    def named(frames):
        return [f._replace(sym=names[VERSION.sub("", f.sym)]) for f in frames]

    return [Sample(a[0], a[1], named(a[2]), named(b[2]), a[3], a[4])
            for a, b in zip(with_inlined, plain)]


def demangled(names):
    names = sorted(names)
    # -i omits implementation details, such as the hashes of Rust.
    text = subprocess.run(["c++filt", "-i"], input="\n".join(names), text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    return dict(zip(names, text.split("\n")))


def mappings(path):
    """Return all mappings ever made, the latest first, with those inherited by a fork."""
    text = run("perf", "script", "-i", path, "--ns", "--show-mmap-events", "--show-task-events",
               "-F", "tid,time,event").out
    found = []
    for line in text.splitlines():
        fork = FORK.search(line)
        if fork and fork[3] != fork[4]:
            time, child, parent = int(fork[1]) * 10**9 + int(fork[2]), int(fork[3]), int(fork[4])
            found += [m._replace(time=time, pid=child) for m in found if m.pid == parent]
        match = MMAP.search(line)
        if match:
            start = int(match[4], 16)
            found.append(Mapping(int(match[1]) * 10**9 + int(match[2]), int(match[3]), start,
                                 start + int(match[5], 16), int(match[6], 16), match[7]))
    return found[::-1]


# -- stxtop ---------------------------------------------------------------------------------

def own_calls(path):
    """Return the calls of a recording that have a user stack."""
    calls = [json.loads(line) for line in stxtop("-i", path, "-b", "--json").out.splitlines()]
    return [c for c in calls if c["type"] == "call" and user_frames(c)]


def user_frames(call):
    """Return the user frames if they were sampled in this wait itself."""
    # Beyond the stack limit, the stack of an earlier wait is shown.
    if call["name"] == "rt_sigreturn" or call.get("stack_earlier"):
        return []
    return [f for f in call["stack"] or [] if f["kind"] == "user"]


# -- Names ----------------------------------------------------------------------------------

@functools.lru_cache(None)
def tables(path):
    """Return the names of a file's functions by address."""
    names = collections.defaultdict(set)
    build_id = subprocess.run(["readelf", "-n", path], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL, check=False).stdout
    build_id = re.search(r"Build ID: ([0-9a-f]+)", build_id)
    files = [path]
    if build_id:
        files.append(f"/usr/lib/debug/.build-id/{build_id[1][:2]}/{build_id[1][2:]}.debug")
    for file in files:
        for options in ([], ["-D"]):
            text = subprocess.run(["nm", *options, file], stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.DEVNULL, check=False).stdout
            for line in text.splitlines():
                fields = line.split(" ")
                if len(fields) == 3 and fields[0]:
                    names[int(fields[0], 16)].add(VERSION.sub("", fields[2]))
    plain = demangled(set().union(*names.values())) if names else {}
    return {address: {plain[n] for n in all_names} for address, all_names in names.items()}


@functools.lru_cache(None)
def aliases(path, name):
    """Return every name of this function in a file."""
    return frozenset().union(*[n for n in tables(path).values() if name in n])


def base(name):
    """Return the bare name of a function: no clone suffix, parameters, templates or scopes."""
    name = CLONE.sub("", name)
    depth, plain = 0, []
    for letter in name.replace("operator()", "operator call").replace("->", ""):
        depth += letter in "(<{["
        if not depth:
            plain.append(letter)
        depth -= letter in ")>}]"
    return "".join(plain).split("(")[0].strip().split("::")[-1].split(" ")[-1]


def same_name(perf, own, is_function):
    """True if the frame of perf and the frame of stxtop have the same name."""
    sym = own["sym"] or UNKNOWN
    if perf.sym == sym:
        return True
    if is_function:
        return perf.sym in aliases(own["dso"], sym) or (
            sym in aliases(own["dso"], sym) and base(perf.sym) == base(sym))
    return False


# -- comparison -----------------------------------------------------------------------------

def offset_of(maps, time, pid, ip):
    for mapping in maps:
        if mapping.pid == pid and mapping.start <= ip < mapping.end and mapping.time <= time:
            return ip - mapping.start + mapping.offset
    return ip


def same_dso(perf, own):
    return perf == own or (perf.startswith("/tmp/perf-") and own in GENERATED) or (
        perf == UNKNOWN and not own)


@functools.lru_cache(None)
def is_trampoline(path, offset):
    """True if the offset holds the signal return code: mov $15, %rax; syscall."""
    if not path.startswith("/"):
        return False
    with open(path, "rb") as file:
        file.seek(offset)
        return file.read(9) == bytes.fromhex("48c7c00f0000000f05")


def same_kernel(perf, own):
    """True if equal, except scheduler frames, which /proc omits in calls in flight at the start."""
    before = len(perf) - len(own)
    return perf == own or (0 < before < len(perf) and perf[before:] == own and
                           all("sched" in name for name in perf[:before]))


def difference(sample, kernel, frames, offsets):
    """Return the difference between a sample and the frames of stxtop as text; None: equal."""
    if not same_kernel(sample.kernel, kernel):
        return f"{sample.kernel} of perf, {kernel} of stxtop"
    real = [(f, o) for f, o in zip(frames, offsets) if not f["inlined"]]
    if len(real) != len(sample.real):
        return f"{len(sample.real)} real frames of perf, {len(real)} of stxtop"
    for perf, (own, offset) in zip(sample.real, real):
        if not same_dso(perf.dso, own["dso"]) or (perf.offset != offset and not (
                perf.offset == offset - 1 and is_trampoline(own["dso"], offset))):
            return f"{perf} is not {own['sym']} at {offset:#x} of {own['dso']}"
    if len(sample.frames) != len(frames):
        return f"{len(sample.frames)} frames of perf, {len(frames)} of stxtop"
    for i, (perf, own) in enumerate(zip(sample.frames, frames)):
        if same_name(perf, own, not own["inlined"]) or is_trampoline(own["dso"], offsets[i]):
            continue
        if i and perf.offset == offsets[i] and perf.sym in tables(own["dso"]).get(perf.offset, ()):
            continue
        innermost = own["inlined"] and (i == 0 or not frames[i - 1]["inlined"])
        around = next(f for f in frames[i:] if not f["inlined"])
        if innermost and perf.sym in aliases(around["dso"], around["sym"]):
            continue
        return f"{perf} is not {own['sym']} (inlined: {own['inlined']}) of {own['dso']}"
    return None


def without_strays(sample):
    """Drop the outermost frames that perf placed outside code after it lost track."""
    stray = ("[stack]", "[heap]", UNKNOWN)
    frames, real = sample.frames[:], sample.real[:]
    for some in (frames, real):
        while some and some[-1].dso in stray:
            some.pop()
    return sample._replace(frames=frames, real=real)


def innermost(sample, frames, offsets):
    """Return the innermost real frames, as many as perf has, and the frames inlined into them."""
    ends = [i + 1 for i, f in enumerate(frames) if not f["inlined"]]
    end = ends[min(len(sample.real), len(ends)) - 1]
    return frames[:end], offsets[:end]


def describe(frames):
    return "\n".join(f"    {f[0]:x} {f[1]} ({f[2]})" for f in frames)


def compare(path, perf_stops=False, live=None, inlined=True, frame_pointers=False):
    """
    Compare the stack of every call with those of perf's switches during the call; without a
    switch, with that of its enter. Fail at the first call that differs; return the calls.
    perf_stops: perf's frames need only be the innermost ones of stxtop. live: calls that stxtop
    saw while perf recorded; compare those within perf's recording. inlined False: compare only
    real frames. frame_pointers: perf used frame pointers alone.
    """
    by_tid, maps = collections.defaultdict(list), mappings(path)
    entered = collections.defaultdict(list)
    for sample in samples(path, inlined):
        by_tid[sample.tid].append(sample)
        if not sample.switch:
            entered[sample.time].append(sample)
    if live is None:
        calls = own_calls(path)
    else:
        first = {tid: s[0].time for tid, s in by_tid.items()}
        last = {tid: s[-1].time for tid, s in by_tid.items()}
        calls = [c for c in live if c["tid"] in first and c["dur"] is not None and
                 user_frames(c) and c["ts"] > first[c["tid"]] and
                 c["ts"] + c["dur"] < last[c["tid"]]]
    for call in calls:
        kernel = [f["sym"] for f in call["stack"] if f["kind"] == "kernel"]
        frames = [f for f in user_frames(call) if inlined or not f["inlined"]]
        before = 0 if frame_pointers else 1
        offsets = [offset_of(maps, call["ts"], call["pid"],
                             int(f["ip"], 16) - before * (f["ip"] != frames[0]["ip"]))
                   for f in frames]
        end = call["ts"] + (call["dur"] if call["dur"] is not None else 1 << 62)
        # After execve, the caller has the tid of the first thread; its enter has its earlier tid.
        tids = {call["tid"]} | {s.tid for s in entered[call["ts"]]}
        within = [s for tid in tids for s in by_tid[tid] if call["ts"] <= s.time <= end]
        # A call that did not wait has the stack of its enter.
        within = ([s for s in within if s.switch and (s.frames or s.kernel)] or
                  [s for s in entered[call["ts"]] if s.frames])
        if perf_stops:
            within = [without_strays(s) for s in within]
        reasons = [difference(s, kernel, *(innermost(s, frames, offsets) if perf_stops else
                                           (frames, offsets))) for s in within]
        if within and None in reasons:
            continue
        own = [(o, f["sym"], f["dso"] + (" inlined" if f["inlined"] else ""))
               for f, o in zip(frames, offsets)]
        raise AssertionError("{}: {}\n  perf:\n{}\n  stxtop:\n{}".format(
            call["name"], reasons[0] if reasons else "perf has neither switch nor enter",
            describe(within[0].frames) if within else "", describe(own)))
    return calls
