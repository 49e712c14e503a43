"""Stack workers that are killed, stopped or overloaded while the interface runs. Each case may cost
at most the symbols of one file."""

import json
import os
import re
import signal
import struct
import time

from harness import (STXTOP, folder, has_ended, long, need, need_tracing, run, start,
                     wait_until)
from terminal import Terminal

PHASES = 12
HELP = r"stxtop [0-9.]+ - system calls"

# Waits in another function after each SIGUSR1, so that new symbols are needed.
MAIN_C = """
#include <signal.h>
int wait_in_library(int ms);
static volatile int phase;
static void next_phase(int number) { (void)number; phase++; }
#define PHASE(n) __attribute__((noinline)) static int phase_##n(int ms) \\
	{ return wait_in_library(ms) + n + 1; }
%s
static int (*const phases[])(int) = { %s };
int main(void)
{
	volatile int sum = 0;

	signal(SIGUSR1, next_phase);
	for (;;)
		sum += phases[phase %% %d](10);
}
"""

LIBRARY_C = """
#include <time.h>
__attribute__((noinline)) int wait_in_library(int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&time, 0);
	return ms + 1;
}
"""

# Debug information with very many compilation units.
UNITS_S = """
	.section .debug_info,"",@progbits
	.incbin "info.bin"
	.section .debug_abbrev,"",@progbits
	.byte 1, 0x11, 0, 0x11, 1, 0x12, 6, 0, 0, 0
	.section .note.GNU-stack,"",@progbits
"""


def compile_c(where, *arguments):
    result = run(need("cc"), "-O2", "-Wall", *arguments, cwd=where)
    assert result.status == 0, result.err


def build(library_sources=("library.c",), library_flags=(), units=1000000):
    """Build a program that waits in its own library; return both."""
    where = folder()
    phases = range(PHASES)
    (where / "main.c").write_text(MAIN_C % (
        "\n".join(f"PHASE({i})" for i in phases), ", ".join(f"phase_{i}" for i in phases), PHASES))
    (where / "library.c").write_text(LIBRARY_C)
    (where / "units.s").write_text(UNITS_S)
    if "units.s" in library_sources:
        unit = struct.pack("<IHBBIBQI", 21, 5, 1, 8, 0, 1, 1, 0x100000)
        (where / "info.bin").write_bytes(unit * units)
    compile_c(where, "-shared", "-fPIC", *library_flags, "-o", "libwait.so", *library_sources)
    compile_c(where, "-g", "-o", "waits", "main.c", "-L.", "-lwait", f"-Wl,-rpath,{where}")
    return where / "waits", where / "libwait.so"


def grow_symbols(path, count):
    """Add functions to the symbol table, all at one address and with nearly equal names."""
    data = bytearray(path.read_bytes())
    at, = struct.unpack_from("<Q", data, 0x28)
    size, number = struct.unpack_from("<HH", data, 0x3a)
    headers = [list(struct.unpack_from("<IIQQQQIIQQ", data, at + i * size)) for i in range(number)]
    table = next(h for h in headers if h[1] == 2)
    names = headers[table[6]]
    text = bytes(data[names[4]:names[4] + names[5]])
    symbols = bytes(data[table[4]:table[4] + table[5]])
    base = len(text)
    text += b"".join(b"x" * 1000 + bytes([48 + i, 0]) for i in range(64))
    block = b"".join(struct.pack("<IBBHQQ", base + i * 7919 % 64 * 1002, 0x12, 0, 12, 0x100, 16)
                     for i in range(1024))
    names[4], names[5] = len(data), len(text)
    data += text
    data += bytes(-len(data) % 8)
    table[4], table[5] = len(data), len(symbols) + count * len(block)
    for i, header in enumerate(headers):
        struct.pack_into("<IIQQQQIIQQ", data, at + i * size, *header)
    with open(path, "wb") as file:
        file.write(data + symbols)
        for _ in range(count):
            file.write(block)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except FileNotFoundError:
        return []


def status_of(pid):
    try:
        with open(f"/proc/{pid}/status") as file:
            return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    except (FileNotFoundError, ProcessLookupError):
        return {}


def comm_of(pid):
    return status_of(pid).get("Name", "")


class Session:
    """The interface on a program that waits, with the tree of all waits expanded."""

    def __init__(self, program, *others):
        self.busy = start(program)
        self.phase = 0
        pids = ",".join(str(process.pid) for process in (self.busy, *map(start, others)))
        self.terminal = Terminal(STXTOP, "-p", pids, "--view", "stacks", size=(150, 60))
        self.terminal.wait(r"nanosleep")
        self.pid = self.terminal.pid()
        self.fork_server = next(c for c in children(self.pid) if comm_of(c) == "stxtop-fork")

    def workers(self):
        """Return the running workers; a zombie is not running."""
        found = [pid for pid in children(self.fork_server) if comm_of(pid) == "stxtop-worker"]
        return [pid for pid in found if status_of(pid).get("State", "Z")[0] != "Z"]

    def next_phase(self):
        """Make the program wait in another function; return its name."""
        self.phase += 1
        os.kill(self.busy.pid, signal.SIGUSR1)
        return f"phase_{self.phase}"

    def wait_unfolded(self, *texts, limit=30):
        """Wait until all texts are in the tree; expand the tree again as it grows."""
        def there():
            screen = self.terminal.screen()
            if all(re.search(text, screen) for text in texts):
                return screen
            self.terminal.keys("E")
            return None
        try:
            return wait_until(there, limit, f"{texts} on the screen")
        except AssertionError as late:
            raise AssertionError(f"{late}, which is\n{self.terminal.screen()}") from None

    def help_comes_and_goes(self):
        self.terminal.keys("F1")
        self.terminal.wait(HELP)
        self.terminal.keys("Escape")
        wait_until(lambda: not re.search(HELP, self.terminal.screen()), 15, "help to be closed")

    def files(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def check_processes(self):
        """Assert that there is no zombie, and that every worker is confined."""
        for pid in [self.fork_server] + children(self.fork_server) + children(self.pid):
            assert status_of(pid).get("State", "?")[0] != "Z", f"{pid} is a zombie"
        workers = self.workers()
        assert 0 < len(workers) <= 3, workers
        for pid in workers:
            status = status_of(pid)
            assert status["Name"] == "stxtop-worker", status["Name"]
            assert status["NoNewPrivs"] == "1"
            assert status["CapEff"] == status["CapPrm"] == "0" * 16
            if not os.environ.get("SAN"):
                assert status["Seccomp"] == "2"
            assert set(status["Uid"].split()) == {"65534"}, status["Uid"]

    def close(self):
        self.terminal.keys("q")
        wait_until(self.terminal.dead, what="the exit of stxtop")
        assert self.terminal.status() == "0"
        assert has_ended(self.fork_server)
        self.terminal.close()


@long
def test_killed_workers_are_started_again():
    need_tracing()
    session = Session(build()[0])
    try:
        session.wait_unfolded("phase_0", "wait_in_library", "main .*main.c:")
        open_files = []
        for _ in range(5):
            before = session.workers()
            for pid in before:
                os.kill(pid, signal.SIGKILL)
            name = session.next_phase()
            session.help_comes_and_goes()
            session.wait_unfolded(name, f"{name} .*main.c:")
            assert not set(before) & set(session.workers())
            session.check_processes()
            open_files.append(session.files())
        assert open_files[-1] <= open_files[1], open_files
        screen = session.terminal.screen()
        assert "crashed" not in screen and "too long" not in screen, screen
        session.close()
    finally:
        session.terminal.close()


def stop_workers(session):
    """Stop the workers and request symbols. True if keys worked before a worker was replaced."""
    stopped = session.workers()
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    name = session.next_phase()
    session.help_comes_and_goes()
    still = [pid for pid in stopped if status_of(pid).get("State", "Z")[0] == "T"]
    session.wait_unfolded(name, f"{name} .*main.c:")
    assert not any(status_of(pid).get("State", "Z")[0] == "T" for pid in stopped)
    session.check_processes()
    return len(still) > 0


@long
def test_stopped_workers_are_replaced():
    need_tracing()
    for attempt in range(4):
        session = Session(build()[0])
        try:
            session.wait_unfolded("phase_0", "wait_in_library", "main .*main.c:")
            answered = stop_workers(session)
            session.close()
        finally:
            session.terminal.close()
        if answered:
            return
        # Retry: on a busy machine, the workers can be replaced before help is shown.
    assert False, "keys were never answered before the replacement of a hung worker"


@long
def test_without_a_fork_server_the_rest_continues():
    need_tracing()
    session = Session(build()[0])
    try:
        session.wait_unfolded("phase_0", "wait_in_library", "main .*main.c:")
        workers = session.workers()
        os.kill(session.fork_server, signal.SIGKILL)
        wait_until(lambda: all(map(has_ended, workers)), what="the end of the workers")
        session.next_phase()
        session.help_comes_and_goes()
        # Symbols that were read before are still shown.
        session.wait_unfolded("phase_0 .*main.c:", "main .*main.c:")
        session.help_comes_and_goes()
        session.close()
    finally:
        session.terminal.close()


@long
def test_symbols_of_a_process_that_ends_are_still_read():
    """The files of the process are deleted too: files that were opened before can still be read."""
    need_tracing()
    program, library = build()
    session = Session(program)
    try:
        session.wait_unfolded("phase_0", "wait_in_library", "main .*main.c:")
        stopped = session.workers()
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        name = session.next_phase()
        session.terminal.wait("reading (waits|libwait.so)")
        for path in (program, library):
            path.unlink()
        session.busy.kill()
        session.busy.wait()
        for pid in stopped:
            try:
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                pass  # already replaced: no symbols are lost
        session.help_comes_and_goes()
        session.wait_unfolded(f"{name} .*main.c:", "phase_0 .*main.c:", "wait_in_library")
        session.check_processes()
        session.close()
    finally:
        session.terminal.close()


def check_bad_library(program, progress, *shown):
    session = Session(program)
    try:
        before = session.workers()
        session.terminal.wait(progress)
        session.help_comes_and_goes()
        session.wait_unfolded("phase_0 .*main.c:", "main .*main.c:", *shown)
        assert set(before) != set(session.workers())
        # Later symbols come from the new workers.
        name = session.next_phase()
        session.wait_unfolded(f"{name} .*main.c:", *shown)
        session.check_processes()
        session.close()
    finally:
        session.terminal.close()


@long
def test_slow_symbol_table_is_abandoned():
    need_tracing()
    program, library = build()
    grow_symbols(library, 4096)
    check_bad_library(program, "reading libwait.so",
                      "reading its symbols (took too long|crashed the worker) +libwait.so")


@long
def test_slow_source_lines_are_abandoned():
    need_tracing()
    program, _ = build(("library.c", "units.s"))
    check_bad_library(program, r"reading libwait.so \(lines\)",
                      "wait_in_library .*reading its source lines "
                      "(took too long|crashed the worker) +libwait.so")


# The unwind table puts the return address into a register with an impossible number.
LYING_C = """
#include <time.h>
void wait_below_a_lie(void)
{
	struct timespec time = { 0, 5000000 };

	nanosleep(&time, 0);
}
__asm__(".globl lying\\n.type lying, @function\\nlying:\\n.cfi_startproc\\n"
	"subq $8, %rsp\\n.cfi_def_cfa_offset 16\\n.cfi_escape 0x09, 0x10, 0xff, 0xff, 0x7f\\n"
	"call wait_below_a_lie\\naddq $8, %rsp\\nret\\n.cfi_endproc\\n.size lying, .-lying\\n");
void lying(void);
int main(void)
{
	for (;;)
		lying();
}
"""


@long
def test_unwind_tables_that_crash_a_worker_are_skipped():
    """The stacks of another process are still unwound, and the file is marked."""
    need_tracing()
    where = folder()
    (where / "lying.c").write_text(LYING_C)
    compile_c(where, "-fno-pie", "-no-pie", "-fomit-frame-pointer", "-o", "lies", "lying.c")
    session = Session(build()[0], where / "lies")
    try:
        session.help_comes_and_goes()
        marked = r"wait_below_a_lie  -- its unwind tables crashed.* lies\b"
        whole = "main .*main.c:"
        session.wait_unfolded("phase_0 .*main.c:", whole, marked)
        before = session.workers()
        assert len(before) == 3, before
        for _ in range(3):
            name = session.next_phase()
            session.wait_unfolded(f"{name} .*main.c:", whole, marked)
        # No worker has died since then: no worker reads the file any more.
        assert session.workers() == before
        session.check_processes()
        session.close()
    finally:
        session.terminal.close()


def check_huge_debug_file(flag):
    """Put a sparse debug file of 600 MB beside the stripped library; its symbols must be shown."""
    need_tracing()
    program, library = build(("library.c", "units.s"), ("-g", flag), 50000)
    debug = library.parent / ".debug" / "libwait.so.debug"
    debug.parent.mkdir()
    for command in (("objcopy", "--only-keep-debug", library, debug),
                    ("truncate", "-s", "600M", debug), ("strip", library),
                    ("objcopy", f"--add-gnu-debuglink={debug}", library)):
        need(command[0])
        result = run(*command)
        assert result.status == 0, result.err
    session = Session(program)
    try:
        session.help_comes_and_goes()
        session.wait_unfolded("phase_0 .*main.c:", "wait_in_library .*library.c:")
        assert "took too long" not in session.terminal.screen()
        session.close()
    finally:
        session.terminal.close()


@long
def test_a_huge_debug_file_delays_nothing():
    check_huge_debug_file("-Wl,--build-id")


@long
def test_huge_debug_file_is_matched_by_its_checksum():
    # The checksum needs the whole file, which is read in several requests.
    check_huge_debug_file("-Wl,--build-id=none")


@long
def test_own_workers_are_never_shown():
    """Even system-wide, no call of a worker is shown, even if it replaced a killed worker."""
    need_tracing()
    path = folder() / "calls"
    busy = start(build()[0])
    watcher = start(STXTOP, "--json", "-w", path, "--for", "3")
    fork_server = wait_until(lambda: [c for c in children(watcher.pid)
                                  if comm_of(c) == "stxtop-fork"], 10, "fork server")[0]
    wait_until(lambda: path.exists() and path.stat().st_size > 10000, 10, "lines")
    seen = set(children(fork_server))
    while watcher.poll() is None:
        for pid in children(fork_server):
            seen.add(pid)
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        os.kill(busy.pid, signal.SIGUSR1)
        time.sleep(0.05)
    assert len(seen) > 3, seen
    own = seen | {fork_server, watcher.pid}
    with open(path) as file:
        for line in file:
            call = json.loads(line)
            assert call.get("pid") not in own, line
