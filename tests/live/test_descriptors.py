"""Names of descriptors, compared call by call with strace -yy on the same program."""

import collections
import os
import re
import subprocess

import harness
from harness import (STXTOP, end, folder, has_bpf, long, need, need_tracing, program, run, start,
                     stxtop)

CALLS = ("open,openat,read,write,close,dup,dup2,dup3,fcntl,chdir,pipe,pipe2,epoll_ctl,"
         "epoll_create1,eventfd2,memfd_create,socketpair,recvmsg,sendmsg")
NAMED = re.compile(r'\b(\d+)<((?:->|-(?!>)|[^<>"-]|"[^"]*"|<[^>]*>)*)>')


def named(text):
    """Return [(fd, name)] without inode numbers, which differ between runs and may be missing."""
    text = re.sub(r'(?<!,)"(?:[^"\\]|\\.)*"(\.\.\.)?', '""', text.split("(", 1)[1])
    return [(int(m.group(1)), re.sub(r":\[\d+(->\d+)?\]", "", m.group(2)))
            for m in NAMED.finditer(text)]


def without_links(name):
    """Resolve links: without BPF programs, a file has the name from open() until /proc is read."""
    return os.path.realpath(name) if name.startswith("/") else name


def is_exact():
    return harness.source is None and has_bpf()


def by_process(lines, head):
    """Return the calls of each process, in the order in which the processes began."""
    calls = collections.OrderedDict()
    for line in lines:
        match = head.match(line)
        if match and re.match(r"[a-z0-9_]+\(", match.group(2)):
            calls.setdefault(match.group(1), []).append(match.group(2))
    return list(calls.values())


def whole(lines):
    """Join the lines of unfinished and resumed calls, at the place of the first."""
    begun = {}
    for i, line in enumerate(lines):
        pid, rest = line.split(None, 1)
        resumed = re.match(r"<\.\.\. \w+ resumed>(.*)", rest)
        if rest.endswith("<unfinished ...>"):
            begun[pid] = i
            lines[i] = line.removesuffix("<unfinished ...>").rstrip()
        elif resumed and pid in begun:
            lines[begun.pop(pid)] += resumed.group(1)
    return lines


def of_strace():
    path = folder() / "strace.txt"
    result = run("strace", "-f", "-yy", "-e", f"trace={CALLS}", "-o", path,
                 program("descriptors"))
    assert result.status == 0, result.err
    return by_process(whole(path.read_text().splitlines()), re.compile(r"(\d+) +(.*)"))


def of_stxtop():
    path = folder() / "stxtop.txt"
    result = run(STXTOP, "-b", "-y", "-e", CALLS, "-w", path, "--",
                 program("descriptors"))
    assert result.status == 0, result.err
    lines = sorted(path.read_text().splitlines(), key=lambda line: float(line.split()[0]))
    return by_process(lines, re.compile(r" *[\d.]+ \([^)]*\) [^/]*/(\d+) (.*)"))


@long
def test_names_are_those_of_strace():
    need_tracing()
    need("strace")
    # Only BPF programs know descriptors that are closed before /proc is read.
    exact = is_exact()
    mine, theirs = of_stxtop(), of_strace()
    assert len(mine) == len(theirs) == 2, (len(mine), len(theirs))
    known = total = 0
    wrong = []
    for my_calls, their_calls in zip(mine, theirs):
        # The tracers may begin with different calls of a process: compare the last ones.
        both = min(len(my_calls), len(their_calls))
        my_calls, their_calls = my_calls[-both:], their_calls[-both:]
        assert [c.split("(")[0] for c in my_calls] == [c.split("(")[0] for c in their_calls], (
            my_calls, their_calls)
        for my_call, their_call in zip(my_calls, their_calls):
            mine_named, their_named = named(my_call), named(their_call)
            if not exact:
                mine_named = [(fd, without_links(name)) for fd, name in mine_named]
                their_named = [(fd, without_links(name)) for fd, name in their_named]
            total += len(their_named)
            known += len(mine_named)
            # Names from late reads are marked (~) as uncertain: do not compare them.
            if "~" not in my_call and not set(mine_named) <= set(their_named):
                wrong.append((my_call, their_call))
    assert not wrong, wrong[:5]
    assert total > 100, total
    print(f"descriptors: {known} of {total} named")
    assert known == total or (not exact and known), (known, total)


def test_descriptors_from_before_the_start_are_named():
    """Descriptors opened before the start are named soon, and stay named."""
    need_tracing()
    place = folder()
    script = "exec 7</etc/passwd; while read -r line; do read -r other <&7; done"
    path = place / "before.txt"
    options = f"--source {harness.source}" if harness.source else ""
    result = run("bash", "-c", f"""
        mkfifo {place}/pipe
        bash -c '{script}' <{place}/pipe & pid=$!
        exec 5>{place}/pipe
        until readlink /proc/$pid/fd/7 | grep -q passwd; do :; done
        {STXTOP} {options} -b -y -e read -p $pid -n 20 --for 10 -w {path} & tracer=$!
        while kill -0 $tracer 2>/dev/null; do echo x >&5; sleep 0.01; done
        exec 5>&-
        wait $pid""")
    lines = path.read_text().splitlines()
    assert any("read(0</etc/passwd>" in line for line in lines), (lines[:5], result.err)
    assert any(f"read(0<{place}/pipe>" in line for line in lines), lines[:5]
    bare = sum("read(0," in line for line in lines)
    assert bare <= len(lines) / 2, lines


def test_path_option_selects_calls_that_use_the_path():
    need_tracing()
    if not is_exact():
        harness.skip("without BPF programs, paths come too late for a filter")
    path = folder() / "path.txt"
    result = run(STXTOP, "-b", "-y", "-P", "/etc/group", "-w", path, "--",
                 program("descriptors"))
    assert result.status == 0, result.err
    lines = path.read_text().splitlines()
    names = {re.sub(r".*?/\d+ (\w+)\(.*", r"\1", line) for line in lines}
    assert {"openat", "read", "close"} <= names, lines
    for line in lines:
        assert "/etc/group" in line, line


def found_by(*options):
    """Return the calls that the filter finds, by name, their number in the sums, and the text."""
    path = folder() / "found.txt"
    result = run(STXTOP, "-b", "-S", "-e", "open,openat,read,access,close", *options, "-w", path,
                 "--", program("constant_paths"), "4")
    assert result.status == 0, result.err
    text = path.read_text()
    lines = re.findall(r"^ *[\d.]+ \(.*?\) \S+/\d+ (\w+)\(", text, re.M)
    sums = re.search(r"^total: (\d+) calls", text, re.M)
    return collections.Counter(lines), int(sums.group(1)) if sums else 0, text


def test_paths_that_are_known_late_are_found():
    """A filter tests the path that the line shows, whenever it became known."""
    need_tracing()
    for options in (["-P", "/etc/hosts"], ["-F", 'path ~ "^/etc/host"'],
                    ["-F", 'path == /etc/hosts and not path == /etc/passwd']):
        names, count, text = found_by(*options)
        assert names["access"] == 4, text
        assert names["openat"] == 4, text
        # The first descriptor can be closed before a busy machine reads /proc.
        assert names["read"] >= 3 and names["close"] >= 3, text
        assert abs(count - sum(names.values())) <= 1, text
        assert all("/etc/hosts" in line for line in text.splitlines() if "(" in line and
                   re.search(r"/\d+ \w+\(", line)), text
    names, count, text = found_by("-F", "path != /etc/hosts and syscall == access")
    assert "hosts" not in text, text


def epoll_calls(expression):
    """Return [(fd, name)] of the epoll_ctl() targets that match the filter."""
    place, path = folder(), folder() / "epoll.txt"
    result = run(STXTOP, "-b", "-y", "-e", "epoll_ctl,open,openat,close", "-F", expression, "-w",
                 path, "--", program("descriptor_kinds"), place)
    assert result.status == 0, result.err
    return re.findall(r"epoll_ctl\(.*, EPOLL_CTL_ADD, (\d+)(?:<([^>]*)>)?", path.read_text())


@long
def test_descriptors_passed_to_epoll_are_referenced():
    need_tracing()
    targets = epoll_calls("syscall == epoll_ctl")
    assert len(targets) == 2, targets
    for number, _ in targets:
        assert [fd for fd, _ in epoll_calls(f"syscall == epoll_ctl && fd == {number}")] == [
            number], targets
    if is_exact():
        found = epoll_calls('syscall == epoll_ctl && path ~ "/fifo$"')
        assert [name.rsplit("/", 1)[1] for _, name in found] == ["fifo"], found


# Threads that wait on descriptors opened before the start; one file is deleted.
WAITS = """
import os, select, threading, time
pipe, _ = os.pipe()
poll = select.epoll()
poll.register(pipe)
gone = os.open("gone", os.O_RDWR | os.O_CREAT)
os.unlink("gone")
threading.Thread(target=lambda: os.read(pipe, 1), daemon=True).start()
threading.Thread(target=poll.poll, daemon=True).start()
print(pipe, poll.fileno(), gone, flush=True)
while True:
    os.pread(gone, 10, 0)
    time.sleep(0.05)
"""


@long
def test_waits_before_the_start_have_names_system_wide():
    need_tracing()
    place = folder()
    process = start("python3", "-c", WAITS, stdout=subprocess.PIPE, cwd=place)
    pipe, poll, gone = (int(word) for word in process.stdout.readline().split())
    wanted = [f"read({pipe}<pipe:[", f"epoll_wait({poll}<anon_inode:[eventpoll]>",
              f"pread64({gone}<{place}/gone>(deleted), "]
    for seconds in ("1", "3", "6"):
        out = stxtop("-b", "-yy", "-F", f"pid == {process.pid}", "--for", seconds).out
        missing = [words for words in wanted if words not in out]
        # A name that is not resolved in time is missing, never wrong.
        for number, what in ((pipe, "pipe:"), (poll, "anon_inode:"), (gone, f"{place}/gone>")):
            for name in re.findall(rf"(?:read|wait|read64)\({number}<([^,]*)", out):
                assert name.startswith(what), name
        if not missing:
            break
    end(process)
    assert not missing, (missing, out[-900:])


OWN_READ = re.compile(r" pread64\(\d+(?:<([^>]*)>)?, .*, 1, (\d+)\)")


def check_own(lines, files):
    """Each call shows the file of its offset or none. The last call with each offset shows it."""
    last = {}
    for line in lines:
        match = OWN_READ.search(line)
        if match:
            name, offset = match.groups()
            assert name in (None, files[offset]), (line, files)
            last[offset] = name
    assert last == files, (last, files)


def own_files(process):
    """Return the file of each offset, as own_descriptors prints them."""
    files = {}
    for line in iter(process.stdout.readline, "ready\n"):
        offset, path = line.split(None, 1)
        files[offset] = path.strip()
    assert len(files) == 8, files
    return files


def own_pid(process):
    """Return the pid of own_descriptors, which stxtop started."""
    for task in os.listdir(f"/proc/{process.pid}/task"):
        with open(f"/proc/{process.pid}/task/{task}/children") as children:
            for pid in children.read().split():
                with open(f"/proc/{pid}/comm") as comm:
                    if comm.read() == "own_descriptors\n":
                        return pid
    raise AssertionError("own_descriptors does not run")


def own_descriptors(*command):
    place = folder()
    (place / "inner").mkdir()
    return start(*command, program("own_descriptors"), place, "before", stdin=subprocess.PIPE,
                 stdout=subprocess.PIPE, text=True)


def read_recording(path):
    result = stxtop("-b", "-y", "-e", "pread64", "-i", path)
    assert result.status == 0, result.err
    return result.out.splitlines()


def test_threads_with_their_own_descriptors_are_named():
    need_tracing()
    place = folder()
    process = own_descriptors(STXTOP, "-o", place / "own.data", "-y", "--")
    files = own_files(process)
    watcher = start(STXTOP, "-b", "-y", "-e", "pread64", "-w", place / "late.txt", "-p",
                    own_pid(process), "--for", "0.6")
    recorder = start(STXTOP, "-o", place / "late.data", "-y", "-p",
                     own_pid(process), "--for", "0.6")
    process.stdin.write("\n")
    process.stdin.flush()
    assert watcher.wait(harness.LIMIT_S) == 0 and recorder.wait(harness.LIMIT_S) == 0
    process.stdin.close()
    assert process.wait(harness.LIMIT_S) == 0
    check_own((place / "late.txt").read_text().splitlines(), files)
    check_own(read_recording(place / "late.data"), files)
    check_own(read_recording(place / "own.data"), files)
