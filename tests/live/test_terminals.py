"""Terminals of all kinds: with few capabilities, with wrong sizes, and unread ones."""

import base64
import os
import random
import re
import signal
import subprocess
import termios
import time
import unicodedata

from harness import (STXTOP, folder, has_ended, long, need, need_tracing, program, run, start,
                     wait_until)
from terminal import Pty, Terminal, set_size


def busy():
    return start(program("mix"), "1", "0", "100000000")


def has_term(name):
    return run("infocmp", name, stdout=subprocess.DEVNULL).status == 0


def quits(terminal):
    terminal.keys("q")
    wait_until(terminal.dead, what="the exit of stxtop")
    assert terminal.status() == "0"


@long
def test_each_kind_shows_the_rows():
    """tmux shows no escape sequence as text; in the locale C, the screen has only ASCII."""
    need_tracing()
    process = busy()
    kinds = ("tmux-256color", "screen", "xterm", "linux", "vt100", "ansi")
    for kind in filter(has_term, kinds):
        for locale in ("C.UTF-8", "C") if kind in ("xterm", "vt100") else ("C.UTF-8",):
            terminal = Terminal(STXTOP, "-p", process.pid, size=(100, 30),
                                environment=(f"TERM={kind}", f"LC_ALL={locale}"))
            try:
                terminal.wait(rf"{process.pid}\s+mix")
                terminal.wait(r"getppid\(")
                screen = terminal.screen()
                assert not re.search(r"\[[0-9;?]+[A-Za-z]|\x1b", screen), (kind, screen)
                assert screen.splitlines()[29].startswith("F1Help"), (kind, screen)
                if locale == "C":
                    assert screen.isascii(), (kind, [c for c in screen if ord(c) > 127][:5])
                quits(terminal)
            finally:
                terminal.close()


def test_unusable_terminals_are_refused():
    need_tracing()
    for environment, said in ((("TERM=dumb",), r'"dumb" \(TERM\) cannot move the cursor'),
                              (("-u", "TERM"), "TERM is not set")):
        terminal = Terminal(STXTOP, environment=environment)
        try:
            wait_until(terminal.dead, what="the exit of stxtop")
            assert re.search(said, terminal.said()), terminal.said()
            assert terminal.status() == "1"
        finally:
            terminal.close()


def test_rows_are_shown_within_gnu_screen():
    need_tracing()
    need("screen")
    process = busy()
    conf = folder() / "screenrc"
    conf.write_text("startup_message off\n")
    terminal = Terminal("screen", "-U", "-c", conf, STXTOP, "-p", process.pid, size=(100, 30),
                        environment=(f"SCREENDIR={folder()}", "LC_ALL=C.UTF-8"))
    try:
        terminal.wait(rf"{process.pid}\s+mix")
        terminal.wait(r"getppid\(")
        terminal.keys("q")
        wait_until(terminal.dead, what="the exit of stxtop")
    finally:
        terminal.close()


def resident_kib(pid):
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))


@long
def test_unread_terminal_does_not_stop_collection():
    """Collection continues, memory stays bounded, later output is complete, SIGTERM ends it."""
    need_tracing()
    process = start("cat", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    noise = busy()
    terminal = Pty(STXTOP, "-p", f"{process.pid},{noise.pid}", size=(300, 90))
    terminal.wait("LIVE")
    terminal.type("3")
    terminal.wait("Syscalls")
    terminal.reading.clear()
    time.sleep(3)
    before = resident_kib(terminal.process.pid)
    for _ in range(777):
        process.stdin.write(b"x\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"x\n"
    time.sleep(3)
    # Allow for the history, which can grow up to its bound (64 MiB).
    assert resident_kib(terminal.process.pid) < before + 100 * 1024
    terminal.reading.set()
    terminal.wait(r"write\s+777\s")
    terminal.reading.clear()
    time.sleep(2)
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.process.wait(10) == 0
    assert terminal.restored()


@long
def test_crash_restores_an_unread_terminal():
    need_tracing()
    noise = busy()
    for number in (signal.SIGSEGV, signal.SIGABRT):
        terminal = Pty(STXTOP, "-p", noise.pid, size=(300, 90))
        terminal.wait("LIVE")
        assert not terminal.restored()
        terminal.reading.clear()
        time.sleep(2)
        terminal.process.send_signal(number)
        assert terminal.process.wait(20) == -number
        assert terminal.restored()


# Signals of signal(7) that end a process and that the interface does not handle otherwise.
ENDING = [number for number in signal.valid_signals() if number not in (
    signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGPIPE,
    signal.SIGXFSZ, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU,
    signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH)]
# Sequences that leave the alternate screen and the modes of mouse, paste and keys, and show the
# cursor.
UNDONE = (b"\x1b[?1049l", b"\x1b[?1000l", b"\x1b[?1002l", b"\x1b[?1006l", b"\x1b[?2004l",
          b"\x1b[?1l\x1b>", b"\x1b[?25h")


def is_undone(terminal, since):
    return terminal.restored() and all(undone in terminal.output[since:] for undone in UNDONE)


@long
def test_each_signal_that_ends_a_program_restores_the_terminal():
    """After SIGKILL, the guard restores it. Try the first two and the last real-time signal."""
    some = {signal.SIGRTMIN + 1, *range(1, signal.SIGRTMIN + 1), signal.SIGRTMAX}
    for number in sorted(some.intersection(ENDING)):
        terminal = Pty(STXTOP, "--demo")
        terminal.wait("ENDED")
        assert not terminal.restored()
        since = len(terminal.output)
        terminal.process.send_signal(number)
        assert terminal.process.wait(20) == -number, number
        wait_until(lambda: is_undone(terminal, since), 20, f"the terminal after signal {number}")


def test_ignored_signals_stay_ignored():
    terminal = Pty("env", "--ignore-signal=USR2,ALRM", STXTOP, "--demo")
    terminal.wait("ENDED")
    for number in (signal.SIGUSR2, signal.SIGALRM, signal.SIGPIPE, signal.SIGXFSZ):
        terminal.process.send_signal(number)
    terminal.type("3")
    terminal.wait("System calls")
    terminal.type("q")
    assert terminal.process.wait(20) == 0
    assert terminal.restored()


def test_guard_keeps_terminal_modes_set_by_the_shell():
    """At the end of stxtop, the shell can set its modes before the guard acts: they must stay."""
    terminal = Pty(STXTOP, "--demo")
    terminal.wait("ENDED")
    modes = termios.tcgetattr(terminal.slave)
    modes[3] |= termios.ISIG
    guard = next(int(pid) for pid in open(
        f"/proc/{terminal.process.pid}/task/{terminal.process.pid}/children").read().split()
        if open(f"/proc/{pid}/comm").read() == "tty-guard\n")
    # PR_SET_PDEATHSIG continues the guard when stxtop ends: it acts after these modes are set.
    os.kill(guard, signal.SIGSTOP)
    since = len(terminal.output)
    termios.tcsetattr(terminal.slave, termios.TCSANOW, modes)
    terminal.process.kill()
    terminal.process.wait(20)
    wait_until(lambda: b"\x1b[?1049l" in terminal.output[since:], 20, "the output of the guard")
    wait_until(lambda: has_ended(guard), what="the end of the guard")
    assert termios.tcgetattr(terminal.slave) == modes


def highest_place(frame):
    places = [(int(r), int(c)) for r, c in re.findall(rb"\x1b\[(\d+);(\d+)H", frame)]
    return max(p[0] for p in places), max(p[1] for p in places)


@long
def test_last_of_many_resizes_is_drawn():
    """A thousand sizes in about a second while calls arrive: the last size is drawn."""
    need_tracing()
    process = start(program("mix"), "4", "0", "100000000")
    terminal = Pty(STXTOP, "-p", process.pid)
    terminal.wait("LIVE")
    sizes = random.Random(7)
    for number in range(1000):
        set_size(terminal.master, sizes.choice((1, 5, 20, 80, 200, 500)), sizes.randint(1, 200))
        time.sleep(0.001)
    set_size(terminal.master, 90, 25)
    assert terminal.process.poll() is None
    terminal.wait("LIVE")
    rows, cols = highest_place(terminal.frame())
    # The highest row that a cursor position names can be below 25: line feeds reach the last rows.
    assert 22 <= rows <= 25 and cols <= 90, (rows, cols)
    terminal.type("q")
    assert terminal.process.wait(10) == 0
    assert terminal.restored()


@long
def test_absurd_window_sizes_are_bounded():
    need_tracing()
    process = busy()
    # If the terminal has size 0, the environment gives the size, else terminfo.
    for environment, size in (({"LINES": "12", "COLUMNS": "50"}, (12, 50)),
                              ({"LINES": "-3", "COLUMNS": "junk"}, (24, 80)),
                              ({"LINES": "99999999", "COLUMNS": "99999999999"}, (500, 1000))):
        terminal = Pty(STXTOP, "-p", process.pid, size=(0, 0), environment=environment)
        # Wait for F1: a narrow screen has no LIVE. Request no redraw: a high screen takes long.
        wait_until(lambda: b"F1" in terminal.output, what="a frame")
        rows, cols = highest_place(terminal.frame())
        assert size[0] // 2 < rows <= size[0] and cols <= size[1], (environment, rows, cols)
        terminal.type("q")
        assert terminal.process.wait(10) == 0
    terminal = Pty(STXTOP, "-p", process.pid)
    terminal.wait("LIVE")
    set_size(terminal.master, 65535, 65535)
    rows, cols = highest_place(terminal.frame())
    assert rows <= 500 and cols <= 1000, (rows, cols)
    assert resident_kib(terminal.process.pid) < 400 * 1024
    terminal.type("q")
    assert terminal.process.wait(10) == 0


@long
def test_garbage_input_is_not_a_command():
    """Random bytes, cut sequences, unsolicited reports: stxtop survives, and Ctrl-L still works."""
    need_tracing()
    process = busy()
    terminal = Pty(STXTOP, "-p", process.pid)
    terminal.wait("LIVE")
    noise = random.Random(5)
    for _ in range(200):
        terminal.type(noise.choice((
            bytes(noise.randrange(128, 256) for _ in range(40)),
            b"\x1b[<0;60000;60000M", b"\x1b[<32;0;0M", b"\x1b[M\xff\xff\xff",
            b"\x1b[1;2;3;4;5;6;7;8R", b"\x1b]11;rgb:1/2/3\x07", b"\x1bP>|q q q\x1b\\",
            b"\xe2\x82", b"\x1b[200~q\rq\x03\x1b[201~")))
    assert "LIVE" in terminal.text()
    assert terminal.process.poll() is None
    terminal.type("q")
    assert terminal.process.wait(10) == 0


@long
def test_paste_is_text_in_prompts_and_ignored_elsewhere():
    need_tracing()
    process = busy()
    terminal = Terminal(STXTOP, "-p", process.pid)
    try:
        terminal.wait("LIVE")
        terminal.tmux("set-buffer", "q\nq\ny\n3")
        terminal.tmux("paste-buffer", "-p")
        terminal.keys("\\")
        terminal.wait("Filter:")
        terminal.tmux("set-buffer", "pid ==\n1 and\tcomm == x")
        terminal.tmux("paste-buffer", "-p")
        terminal.wait(r"Filter: pid == 1 and comm == x")
        much = folder() / "much"
        much.write_text("y" * 100000)
        terminal.tmux("load-buffer", much)
        terminal.tmux("paste-buffer", "-p")
        terminal.wait("too long")
        terminal.keys("Escape")
        wait_until(lambda: "Filter:" not in terminal.screen(), 10, "the prompt is closed")
        assert "1 Overview" in terminal.screen() or "Processes" in terminal.screen()
        quits(terminal)
    finally:
        terminal.close()


@long
def test_copy_reaches_the_terminal():
    need_tracing()
    process = busy()
    terminal = Pty(STXTOP, "-p", process.pid, "--view", "syscalls")
    terminal.wait("getppid")
    terminal.type("\x1b[B")
    start_at = len(terminal.output)
    terminal.type("y")
    found = wait_until(lambda: re.search(rb"\x1b\]52;c;([A-Za-z0-9+/=]+)\x07",
                                         bytes(terminal.output[start_at:])), 10, "OSC 52")
    assert b"\t" in base64.b64decode(found.group(1)), found.group(1)
    terminal.type("q")
    assert terminal.process.wait(10) == 0
    within = Terminal(STXTOP, "-p", process.pid, "--view", "syscalls")
    try:
        within.wait("getppid")
        within.tmux("set-option", "-g", "set-clipboard", "on")
        within.keys("Down", "y")
        within.wait("via tmux")
        assert "\t" in wait_until(lambda: within.tmux("show-buffer").out, 10, "tmux's buffer")
    finally:
        within.close()


@long
def test_suspension_restores_the_terminal():
    """Suspends by key and by signals; meanwhile the modes that stxtop set are off."""
    need_tracing()
    process = busy()
    terminal = Terminal("bash", "--norc", "-i")

    def modes():
        return terminal.format("#{alternate_on}#{mouse_any_flag}#{cursor_flag}")

    try:
        terminal.wait(r"[#$]")
        shell = terminal.pid()
        terminal.keys(f"{STXTOP} -p {process.pid}", "Enter")
        terminal.wait("LIVE")
        children = f"/proc/{shell}/task/{shell}/children"
        pid = int(wait_until(lambda: open(children).read().split(), what="a child")[0])
        wait_until(lambda: modes() == "110", what="modes of stxtop")
        for stop in (lambda: terminal.keys("C-z"), lambda: os.kill(pid, signal.SIGTSTP)):
            stop()
            wait_until(lambda: modes() == "001", what="modes of the shell")
            terminal.wait("Stopped")
            terminal.tmux("resize-window", "-x", "100", "-y", "28")
            terminal.keys("clear", "Enter")
            terminal.keys("fg", "Enter")
            wait_until(lambda: modes() == "110", what="modes of stxtop again")
            terminal.wait("LIVE")
            wait_until(lambda: terminal.screen().splitlines()[27:28] and
                       terminal.screen().splitlines()[27].startswith("F1Help"),
                       what="a frame of 28 rows")
            terminal.tmux("resize-window", "-x", "120", "-y", "40")
        # SIGSTOP prevents cleanup; when continued, stxtop redraws everything.
        os.kill(pid, signal.SIGSTOP)
        terminal.wait("Stopped")
        terminal.keys("fg", "Enter")
        wait_until(lambda: modes() == "110", what="modes of stxtop after SIGSTOP")
        wait_until(lambda: terminal.screen().splitlines()[39].startswith("F1Help"), what="a frame")
        terminal.keys("q")
        wait_until(lambda: modes() == "001", what="modes of the shell at the end")
    finally:
        terminal.close()


@long
def test_mouse_reports_open_and_close_help():
    need_tracing()
    process = busy()

    def press(terminal, col, row):
        report = f"\x1b[<0;{col};{row}M\x1b[<0;{col};{row}m"
        terminal.keys("-H", *(f"{ord(c):x}" for c in report))

    for option in ((), ("--no-mouse",)):
        terminal = Terminal(STXTOP, "-p", process.pid, *option)
        try:
            terminal.wait("LIVE")
            wait_until(lambda: terminal.format("#{mouse_any_flag}") == ("0" if option else "1"),
                       10, "mouse mode")
            press(terminal, 2, 40)
            if option:
                terminal.keys("3")
                terminal.wait("3 Syscalls")
                assert "Esc closes" not in terminal.screen()
            else:
                terminal.wait("Esc closes")
                press(terminal, 10, 2)
                wait_until(lambda: "Esc closes" not in terminal.screen(), 10, "help is closed")
            quits(terminal)
        finally:
            terminal.close()


NAMES = ("plain", "日本語", "e\u0301e\u0301x", "\U0001f468\u200d\U0001f469", "\u202eabc",
         "z\u200bz", "a\x1b[31mb", "\U00012031x", "क्षि", "\ufffex", "a\tb", "\u2e3bx")
NAMER = """import ctypes, os, sys, time
for name in sys.argv[1:]:
    child = os.fork()
    if child:
        print(child, flush=True)
    else:
        ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)
        while True:
            os.getppid()
            time.sleep(0.02)
time.sleep(1000)
"""


def columns_before(text, mark):
    """Return the column of the first mark, with the widths that terminals use."""
    before = text[:text.index(mark)]
    return sum(0 if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf")
               else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in before)


def test_names_of_all_widths_keep_columns_straight():
    """If tmux and stxtop differ in the width of a name, the border moves in its row."""
    need_tracing()
    namer = start("python3", "-c", NAMER, *NAMES, stdout=subprocess.PIPE, text=True)
    pids = ",".join(namer.stdout.readline().strip() for _ in NAMES)
    terminal = Terminal(STXTOP, "-p", pids, size=(120, 40), environment=("LC_ALL=C.UTF-8",))
    try:
        terminal.wait(r"plain(?s:.)*日本語|日本語(?s:.)*plain")
        terminal.wait(r"getppid")
        terminal.keys("Space")
        terminal.wait("PAUSED")
        terminal.keys("C-l")
        rows = [line for line in terminal.screen().splitlines()[2:15] if "│" in line]
        assert len(rows) > len(NAMES) // 2, terminal.screen()
        places = {columns_before(line, "│") for line in rows}
        assert len(places) == 1, (places, terminal.screen())
        said = terminal.tmux("capture-pane", "-p", "-e").out
        for raw in ("\u202e", "\u200b", "\u200d", "a\x1b[31mb"):
            assert raw not in said, ascii(raw)
        quits(terminal)
    finally:
        terminal.close()


def damaged_entries():
    """Compile an entry and yield damaged copies: cut off, with a wrong header, with wrong bytes."""
    place = folder()
    (place / "source").write_text(run(need("infocmp"), "-x", "xterm-256color").out)
    assert run(need("tic"), "-x", "-o", place, place / "source").status == 0
    entry = next(place.glob("*/xterm-256color")).read_bytes()
    chance = random.Random(11) # curses 6.4 crashes on three of these entries
    for number in range(8):
        changed = bytearray(entry[:chance.randrange(14, len(entry))] if number % 4 == 0 else entry)
        for _ in range((0, 1, 20, 20)[number % 4]):
            changed[chance.randrange(12 if number % 4 == 1 else len(entry))] = chance.randrange(256)
        target = place / str(number) / "x" / "xterm-damaged"
        target.parent.mkdir(parents=True)
        target.write_bytes(changed)
        yield target.parent.parent


@long
def test_damaged_terminfo_ends_in_a_sentence_or_works():
    """Curses crashes on some of these entries; stxtop must report that."""
    refused = 0
    for place in damaged_entries():
        terminal = Pty(STXTOP, "--demo", environment={"TERM": "xterm-damaged",
                                                      "TERMINFO": str(place)})

        def ended(terminal=terminal):
            if len(terminal.output) > 500 and terminal.process.poll() is None:
                terminal.type("q")
                time.sleep(0.1)
            return terminal.process.poll() is not None

        wait_until(ended, what="the end, by itself or by q")
        status = terminal.process.returncode
        assert status in (0, 1), (place, status, bytes(terminal.output[-300:]))
        refused += status
        if status:
            wait_until(lambda t=terminal: re.search(rb'"xterm-damaged" \(TERM\)', t.output), 10,
                       "the sentence")
    assert 0 < refused < 8, refused
