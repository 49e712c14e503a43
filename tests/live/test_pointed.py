"""Pointer arguments in the interface: in rows, in searches and in the detail of a call."""

import os
import re
import sys

from harness import STXTOP, folder, long, need_tracing, start, wait_until
from test_capture import need_bpf
from terminal import Terminal

LOOP = "while :; do cat /etc/hostname > /dev/null; done"


def script(body):
    """Write Python code to a file, because the terminal's shell would interpret its quotes."""
    path = folder() / "body.py"
    path.write_text(body)
    return path


def is_in_open(pid):
    """True if the process waits in open or openat (x86-64); while running, it has no number."""
    return open(f"/proc/{pid}/syscall").read().split()[0] in ("2", "257")


def search(terminal, text):
    terminal.keys("/")
    terminal.wait(r"Search:")
    terminal.keys("-l", text)
    terminal.keys("Enter")


@long
def test_rows_and_their_detail_show_paths():
    need_bpf()
    loop = start("sh", "-c", LOOP)
    terminal = Terminal(STXTOP, "-p", loop.pid, "-F", "comm == cat", size=(120, 50))
    try:
        terminal.wait(r"LIVE")
        terminal.keys("Tab", "z")
        terminal.wait(r'openat\(AT_FDCWD[^,]*, "/etc/hostname", O_RDONLY\)')
        search(terminal, '"/etc/hostname", O_RDONLY')
        terminal.wait(r"not following")
        terminal.keys("d")
        screen = terminal.wait(r"memory: 14 bytes, copied when the call was entered")
        assert 'filename="/etc/hostname", flags=O_RDONLY)' in screen, screen
        assert re.search(r'filename +"/etc/hostname"\n', screen), screen
        assert "0000  2f 65 74 63 2f 68 6f 73  74 6e 61 6d 65 00        /etc/hostname." in screen
        # The detail page is searched in the same way as rows.
        search(terminal, "no such thing")
        terminal.wait(r"Not found: no such thing")
    finally:
        terminal.close()


def test_a_path_is_found_among_many_calls():
    need_bpf()
    body = """
import os, signal
for i in range(30000): os.getppid()
os.access("/needle/in/the/hay", 0)
for i in range(30000): os.getppid()
signal.pause()
"""
    terminal = Terminal(STXTOP, "--", sys.executable, script(body), size=(120, 40))
    try:
        terminal.wait(r"pause\(\)")
        terminal.keys("Tab", "z")
        search(terminal, "/needle/in")
        terminal.wait(r'f?access(at)?2?\((AT_FDCWD, )?"/needle/in/the/hay", F_OK\)')
        terminal.keys("d")
        terminal.wait(r"memory: 19 bytes, copied when the call was entered")
    finally:
        terminal.close()


def test_a_key_narrows_to_the_path_of_a_call():
    need_bpf()
    loop = start("sh", "-c", "while :; do cat /etc/hostname /etc/hosts > /dev/null; done")
    terminal = Terminal(STXTOP, "-p", loop.pid, "-F", "comm == cat", size=(120, 40))
    try:
        terminal.keys("Tab", "z")
        terminal.wait(r'"/etc/hostname"')
        search(terminal, '"/etc/hostname", O_RDONLY')
        terminal.wait(r"not following")
        terminal.keys("a")
        terminal.wait(r'Filter.* /etc/hostname')
        terminal.keys("F")
        # Only calls that use the file remain: it is opened by name and read by descriptor.
        screen = terminal.wait(r"read\(3</etc/hostname>")
        assert '/etc/hosts"' not in screen and "mprotect" not in screen, screen
    finally:
        terminal.close()


def test_evicted_call_stays_in_its_detail():
    need_bpf()
    loop = start("sh", "-c", LOOP)
    terminal = Terminal(STXTOP, "-p", loop.pid, "-F", "comm == cat", "--history", "256K",
                        size=(120, 50))
    try:
        terminal.keys("Tab", "z")
        terminal.wait(r'"/etc/hostname"')
        search(terminal, '"/etc/hostname", O_RDONLY')
        terminal.keys("d")
        terminal.wait(r"memory: 14 bytes")
        # Thousands of later calls per second evict the call.
        screen = terminal.wait(r"evicted from the history since", limit=60)
        assert "memory: 14 bytes, copied when the call was entered" in screen, screen
    finally:
        terminal.close()


def test_a_call_in_flight_is_followed_to_its_return():
    need_bpf()
    fifo = folder() / "fifo"
    os.mkfifo(fifo)
    body = f"import os; fd = os.open({str(fifo)!r}, os.O_RDWR); os.read(fd, 9000); os.read(fd, 1)"
    terminal = Terminal(STXTOP, "--", sys.executable, script(body), size=(160, 50))
    try:
        terminal.wait(r"← in flight")
        terminal.keys("5")
        terminal.wait(r"read\(\d+.*, 0x[0-9a-f]+, 9000\)")
        terminal.keys("d")
        screen = terminal.wait(r"state +in flight")
        assert "9000" in screen and "bytes" not in screen, screen
        fd = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        os.write(fd, b"y" * 4096)
        # The call returned more bytes than the page shows; the page has both numbers.
        screen = terminal.wait(r"33 of 4,096 bytes, copied when the call returned")
        assert re.search(r"state +returned", screen), screen
        assert re.search(r"result +4096", screen), screen
        assert "0010  79 79 79 79 79 79 79 79  79 79 79 79 79 79 79 79  yyyyyyyyyyyyyyyy" in screen
        # The detail of this call stayed open, although the next call is already in flight.
        terminal.keys("Escape")
        terminal.wait(r"In flight 1")
        wait_until(lambda: "Esc closes" not in terminal.screen(), 10, "the page is closed")
        os.close(fd)
    finally:
        terminal.close()


def test_late_reads_are_marked_in_rows_and_details():
    need_tracing()
    fifo = folder() / "fifo"
    os.mkfifo(fifo)
    waiter = start("cat", fifo)
    wait_until(lambda: is_in_open(waiter.pid), 10, "cat in open()")
    terminal = Terminal(STXTOP, "--source", "perf", "--no-color", "-p", waiter.pid,
                        size=(160, 40))
    try:
        terminal.keys("5")
        terminal.wait(rf'~"{fifo}", O_')
        terminal.keys("d")
        terminal.wait(rf"memory: {len(str(fifo)) + 1} bytes, read later: may have changed")
    finally:
        terminal.close()
