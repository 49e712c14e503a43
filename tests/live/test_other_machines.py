"""Recordings of other machines: names come only from the recording, perf's cache, a root of files
or a list of kernel symbols, and each equals perf script's."""

import collections
import json
import os
import re
import shutil
import struct
import subprocess

from harness import STXTOP, folder, long, need, need_tracing, run, skip, stxtop

WAITS_C = """
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static inline __attribute__((always_inline)) long in_line(int ms)
{
	struct timespec time = { 0, ms * 1000000L };

	return syscall(SYS_nanosleep, &time, 0);
}
__attribute__((noinline)) long wait_here(int ms) { return in_line(ms) + 1; }
__attribute__((noinline)) long outer(int ms) { return wait_here(ms) + 1; }
int main(void)
{
	volatile long sum = 0;

	for (int i = 0; i < 40; i++)
		sum += outer(2) + 1;
	return 0;
}
"""
HERE = ["in_line", "wait_here", "outer", "main"]


def compile_waits(where, *flags):
    (where / "waits.c").write_text(WAITS_C)
    result = run(need("cc"), "-g", "-fomit-frame-pointer", *flags, "-Wl,--build-id",
                 "-o", where / "waits", where / "waits.c")
    assert result.status == 0, result.err
    return where / "waits"


def objects(*arguments, **options):
    result = stxtop(*arguments, "--json", **options)
    assert result.status == 0, result.err
    return [json.loads(line) for line in result.out.splitlines()]


def stacks(calls):
    """Count the user and kernel stacks of the waits, as (name, source, inlined) of each frame."""
    user, kernel = collections.Counter(), collections.Counter()
    for call in calls:
        if call["type"] != "call" or "nanosleep" not in call["name"]:
            continue
        for kind, into in (("user", user), ("kernel", kernel)):
            into[tuple((frame["sym"], frame["src"], frame["inlined"]) for frame in call["stack"]
                       if frame["kind"] == kind)] += 1
    return user, kernel


def names(counter):
    """Return the names of the most frequent stack."""
    assert counter
    return [frame[0] for frame in counter.most_common(1)[0][0]]


def elsewhere(where, *arguments, bring=()):
    """Run stxtop in a chroot that has only stxtop, its libraries and the files in `bring`."""
    if os.geteuid():
        skip("only root may change the root")
    root = where / "root"
    shutil.rmtree(root, ignore_errors=True)
    (root / "opt/libs").mkdir(parents=True)
    (root / "lib64").mkdir()
    # Confining workers needs /proc, which shows the same kernel as outside.
    (root / "proc").mkdir()
    shutil.copy(STXTOP, root / "opt/stxtop")
    for line in run("ldd", STXTOP).out.splitlines():
        library = re.search(r"=> (/\S+)", line)
        if library:
            shutil.copy(library[1], root / "opt/libs")
    loader = "lib64/ld-linux-x86-64.so.2"
    shutil.copy("/" + loader, root / loader)
    for path in bring:
        if path.is_dir():
            shutil.copytree(path, root / "opt" / path.name, symlinks=True)
        else:
            shutil.copy(path, root / "opt")
    script = 'mount -t proc proc "$0/proc" && exec chroot "$0" /opt/stxtop "$@"'
    environment = {"LD_LIBRARY_PATH": "/opt/libs", "HOME": "/opt", "PATH": os.environ["PATH"]}
    result = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, str(root), *map(str, arguments)],
        capture_output=True, text=True, timeout=120, env=environment, check=False)
    if "unshare" in result.stderr or "mount:" in result.stderr:
        skip(f"no mount namespace can be created here: {result.stderr[:80]}")
    return result


def read_elsewhere(where, *arguments, bring=()):
    result = elsewhere(where, *arguments, "--json", bring=bring)
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def record_own(where, *arguments):
    need_tracing()
    waits = compile_waits(where, "-O1")
    result = stxtop("-o", where / "data", "-s", "-w", "/dev/null", *arguments, waits)
    assert result.status == 0, result.err
    return where / "data"


def record_perf(where, *arguments):
    need("perf")
    need_tracing()
    waits = compile_waits(where, "-O1")
    # Do not use the cache in HOME, into which perf copies each binary by default.
    result = run("perf", "--buildid-dir", where / "none", "record", "-q", "--buildid-all",
                 "-o", where / "data", "--call-graph", "dwarf", "-e", "raw_syscalls:sys_enter",
                 "-e", "raw_syscalls:sys_exit", "-e", "sched:sched_switch", *arguments, waits)
    if not (where / "data").exists():
        skip(f"perf record does not work here: {result.err[:80]}")
    return where / "data"


@long
def test_own_recording_embeds_its_symbols():
    where = folder()
    path = record_own(where)
    calls = objects("-i", path)
    user, kernel = stacks(calls)
    assert [name for name in names(user) if name in HERE] == HERE, names(user)
    assert any(frame[0] == "outer" and frame[1].endswith("waits.c:12")
               for stack in user for frame in stack), user
    os.unlink(where / "waits")
    there = read_elsewhere(where, "-i", "/opt/data", bring=[path])
    assert there == calls
    # A second read has the same result.
    assert read_elsewhere(where, "-i", "/opt/data", bring=[path]) == calls
    if any(name for name in names(kernel)):
        assert "hrtimer_nanosleep" in names(kernel)


def test_flight_recording_embeds_its_symbols():
    need_tracing()
    where = folder()
    waits = compile_waits(where, "-O1")
    result = stxtop("--flight", "syscall == exit_group", "--flight-file", where / "saved",
                    "--flight-span", "10s,100ms", "-s", "-w", "/dev/null", waits)
    assert result.status == 0, result.err
    saved = [path for path in where.iterdir() if path.name.startswith("saved")]
    assert len(saved) == 1, (saved, result.err)
    os.rename(saved[0], where / "data")
    user = stacks(objects("-i", where / "data"))[0]
    os.unlink(waits)
    there = stacks(read_elsewhere(where, "-i", "/opt/data", bring=[where / "data"]))[0]
    assert [name for name in names(there) if name in HERE] == HERE, names(there)
    assert there == user


@long
def test_copied_recording_keeps_its_symbols():
    where = folder()
    path = record_own(where)
    user = stacks(objects("-i", path))[0]
    os.unlink(where / "waits")
    again = stxtop("-i", path, "-o", where / "again", "-s", "-w", "/dev/null")
    assert again.status == 0, again.err
    there = read_elsewhere(where, "-i", "/opt/again", bring=[where / "again"])
    assert stacks(there)[0] == user


def test_no_names_option_embeds_no_symbols():
    where = folder()
    path = record_own(where, "--no-names")
    os.unlink(where / "waits")
    user, kernel = stacks(read_elsewhere(where, "-i", "/opt/data", bring=[path]))
    assert user and not any(frame[0] for stack in user for frame in stack), user
    assert not any(frame[0] for stack in kernel for frame in stack), kernel


@long
def test_perf_reads_the_build_ids_of_own_recordings():
    need("perf")
    where = folder()
    path = record_own(where)
    told = run("perf", "buildid-list", "-i", path)
    assert told.status == 0, told.err
    found = run("readelf", "-n", where / "waits")
    build_id = re.search(r"Build ID: (\w+)", found.out)[1]
    assert f"{build_id} {where / 'waits'}" in told.out.splitlines(), told.out
    assert "[kernel.kallsyms]" in told.out


@long
def test_file_with_another_build_id_is_ignored():
    where = folder()
    path = record_perf(where)
    user = stacks(objects("-i", path))[0]
    assert set(HERE) <= set(names(user)), user
    compile_waits(where, "-O2", "-DOTHER", "-falign-functions=64")
    user = stacks(objects("-i", path))[0]
    assert user and not set(HERE) & {frame[0] for stack in user for frame in stack}, user


def perf_names(path, *arguments):
    """Return the user stacks that perf script shows for the waits, without inlined frames."""
    result = run("perf", "script", "-i", path, "--no-inline", "-F", "event,ip,sym,comm,trace",
                 *arguments)
    found = collections.Counter()
    for block in result.out.split("\n\n"):
        lines = block.splitlines()
        if not lines or "sched_switch" not in lines[0] or "prev_state=S" not in lines[0]:
            continue
        found[tuple(line.split()[1].split("+")[0] for line in lines[1:] if line.strip())] += 1
    return found


def ours(calls):
    """Return the kernel and user stacks that stxtop shows for the waits, without inlined frames."""
    found = collections.Counter()
    for call in calls:
        if call["type"] == "call" and "nanosleep" in call["name"]:
            found[tuple(frame["sym"] or "[unknown]" for frame in call["stack"]
                        if not frame["inlined"])] += 1
    return found


def make_cache(where):
    cache = where / "cache"
    libc = re.search(r"=> (/\S*libc\.so\S*)", run("ldd", where / "waits").out)[1]
    for path in (where / "waits", os.path.realpath(libc)):
        result = run("perf", "--buildid-dir", cache, "buildid-cache", "-a", path)
        assert result.status == 0, result.err
    return cache


@long
def test_names_come_from_the_cache_of_perf():
    where = folder()
    path = record_perf(where)
    here = objects("-i", path)
    cache = make_cache(where)
    theirs = perf_names(path)
    os.rename(where / "waits", where / "away")
    there = read_elsewhere(where, "-i", "/opt/data", "--buildid-dir", "/opt/cache",
                           bring=[path, cache])
    assert stacks(there)[0] == stacks(here)[0]
    # Without an option, the cache is .debug in HOME, where archives of perf are unpacked, too.
    os.rename(cache, where / ".debug")
    assert stacks(read_elsewhere(where, "-i", "/opt/data", bring=[path, where / ".debug"]))[0] \
        == stacks(here)[0]
    wait = names(stacks(there)[0])
    assert [name for name in wait if name in HERE] == HERE, wait
    if theirs:
        chain = theirs.most_common(1)[0][0]
        assert [name for name in chain if name in HERE] == HERE[1:], chain


@long
def test_names_come_from_the_root_of_the_other_machine():
    where = folder()
    path = record_perf(where)
    here = stacks(objects("-i", path))[0]
    root = where / "files"
    libc = os.path.realpath(re.search(r"=> (/\S*libc\.so\S*)",
                                      run("ldd", where / "waits").out)[1])
    for file in (str(where / "waits"), libc):
        place = root / file.lstrip("/")
        place.parent.mkdir(parents=True)
        shutil.copy(file, place)
    os.rename(where / "waits", where / "away")
    there = stacks(read_elsewhere(where, "-i", "/opt/data", "--symfs", "/opt/files",
                                  bring=[path, root]))[0]
    assert [name for name in names(there) if name in HERE] == HERE, names(there)
    assert len(names(there)) == len(names(here))
    # Put another build of the program into the root.
    compile_waits(where, "-O2", "-falign-functions=64")
    shutil.copy(where / "waits", root / str(where / "waits").lstrip("/"))
    there = stacks(read_elsewhere(where, "-i", "/opt/data", "--symfs", "/opt/files",
                                  bring=[path, root]))[0]
    assert not set(HERE) & {frame[0] for stack in there for frame in stack}, there


def kernel_text():
    with open("/proc/kallsyms") as file:
        for line in file:
            address, _, name = line.split()[:3]
            if name == "_text" and int(address, 16):
                return file.name
    skip("kernel addresses are hidden here")


def copy_kallsyms(where, by=0):
    """Copy /proc/kallsyms; move the symbols of the kernel itself, not of modules, by `by`."""
    with open("/proc/kallsyms") as file, open(where / "kallsyms", "w") as out:
        for line in file:
            address, rest = line.split(" ", 1)
            moved = int(address, 16) if "[" in rest else int(address, 16) + by
            out.write(f"{moved & (1 << 64) - 1:016x} {rest}")
    return where / "kallsyms"


@long
def test_kallsyms_copy_names_a_relocated_kernel():
    where = folder()
    kernel_text()
    path = record_perf(where)
    here = stacks(objects("-i", path))[1]
    assert "hrtimer_nanosleep" in names(here)
    # Without --kallsyms, no file in the chroot has the kernel's build-id: frames have no names.
    nothing = stacks(read_elsewhere(where, "-i", "/opt/data", bring=[path]))[1]
    assert not any(frame[0] for stack in nothing for frame in stack), nothing
    for by in (0, 0x3600000):
        copy = copy_kallsyms(where, by)
        there = stacks(read_elsewhere(where, "-i", "/opt/data", "--kallsyms", "/opt/kallsyms",
                                      bring=[path, copy]))[1]
        assert there == here, by
    # Store the list in the cache, in the layout of perf buildid-cache and perf record.
    told = run("perf", "buildid-list", "-i", path)
    build_id = re.search(r"(\w+) \[kernel\.kallsyms\]", told.out)[1]
    place = where / ".debug/.build-id" / build_id[:2] / build_id[2:]
    place.mkdir(parents=True)
    shutil.copy(copy, place / "kallsyms")
    there = stacks(read_elsewhere(where, "-i", "/opt/data", bring=[path, where / ".debug"]))[1]
    assert there == here


def make_vmlinux(where, build_id, base):
    """Create a vmlinux that has only symbols, with another base address."""
    need("as")
    need("ld")
    begin = end = None
    symbols = {}
    with open("/proc/kallsyms") as file:
        for line in file:
            address, kind, name = line.split()[:3]
            if "[" in line or not re.fullmatch(r"\w+", name):
                continue
            if name == "_text":
                begin = int(address, 16)
            elif name == "_etext":
                end = int(address, 16)
            elif kind in "tT" and not name.startswith("__pfx_"):
                symbols.setdefault(name, int(address, 16))
    lines = ['.section .text,"ax"', ".globl _text", "_text:", f".skip {end - begin:#x}"]
    for name, address in symbols.items():
        if begin < address < end:
            lines += [f".globl {name}", f".type {name},@function",
                      f".set {name},_text+{address - begin:#x}"]
    (where / "k.s").write_text("\n".join(lines) + "\n")
    assert run("as", "-o", where / "k.o", where / "k.s").status == 0
    result = run("ld", "-o", where / "vmlinux", f"-Ttext={base:#x}", f"--build-id=0x{build_id}",
                 "-z", "max-page-size=4096", "-e", "_text", where / "k.o")
    assert result.status == 0, result.err
    return where / "vmlinux"


@long
def test_vmlinux_with_the_recorded_build_id_names_the_kernel():
    where = folder()
    kernel_text()
    path = record_perf(where)
    here = names(stacks(objects("-i", path))[1])
    told = run("perf", "buildid-list", "-i", path)
    build_id = re.search(r"(\w+) \[kernel\.kallsyms\]", told.out)[1]
    vmlinux = make_vmlinux(where, build_id, 0xffffffff90000000)
    there = names(stacks(objects("-i", path, "--vmlinux", vmlinux))[1])
    # Allow two differences: of several symbols with one address, any can be the name.
    assert sum(a == b for a, b in zip(here, there)) >= len(here) - 2 and len(here) == len(there)
    assert "hrtimer_nanosleep" in there
    other = build_id[:-1] + ("0" if build_id[-1] != "0" else "1")
    vmlinux = make_vmlinux(where, other, 0xffffffff90000000)
    there = stacks(objects("-i", path, "--vmlinux", vmlinux))[1]
    assert not any(frame[0] for stack in there for frame in stack), there


def refused(path, *words, **options):
    result = stxtop("-i", path, "-s", **options)
    assert result.status == 1, (result.status, result.out)
    assert len(result.err.splitlines()) == 1, result.err
    for word in words:
        assert word in result.err, (word, result.err)


@long
def test_recordings_of_unsupported_machines_are_rejected():
    where = folder()
    path = record_perf(where)
    data = path.read_bytes()
    changed = where / "changed"
    # Write the magic number in the other byte order. Files and pipes begin with it.
    changed.write_bytes(data[:8][::-1] + data[8:])
    refused(changed, "byte order", "open it on such a machine")
    with open(changed, "rb") as pipe:
        refused("-", "byte order", stdin=pipe)
    changed.write_bytes(b"PERFFILE" + data[8:])
    refused(changed, "before Linux")
    changed.write_bytes(data[:8] + struct.pack("<Q", 136) + data[16:])
    refused(changed, "136 bytes", "version of perf")
    # Replace the architecture in the header.
    arch = b"x86_64\0"
    at = data.index(struct.pack("<I", 64) + arch) + 4
    for other in (b"aarch64", b"i686", b"\033[2Jbad"):
        changed.write_bytes(data[:at] + other + b"\0" + data[at + len(other) + 1:])
        refused(changed, "system call numbers", "such a machine",
                other.decode() if b"\033" not in other else "\\33[2Jbad")
    # Set the size of a long in the event formats to 4 bytes.
    at = data.index(b"\027\010\104tracing") + 10
    at = data.index(b"\0", at) + 2
    assert data[at] == 8
    changed.write_bytes(data[:at] + b"\x04" + data[at + 1:])
    refused(changed, "32-bit machine")
    # Replace the architecture in the output to a pipe.
    with open(where / "pipe", "wb") as out:
        run("perf", "record", "-q", "-o", "-", "-e", "raw_syscalls:*", "true", stdout=out)
    piped = (where / "pipe").read_bytes()
    assert struct.pack("<I", 64) + arch in piped
    changed.write_bytes(piped.replace(struct.pack("<I", 64) + arch,
                                      struct.pack("<I", 64) + b"s390x\0\0"))
    with open(changed, "rb") as pipe:
        refused("-", "s390x", stdin=pipe)
