"""The interface in a real terminal (tmux), with the calls of this kernel."""

import os
import re
import signal
import subprocess
import time

from harness import (STXTOP, end, folder, has_bpf, has_ended, long, need, need_tracing, program,
                     start, wait_until)
from terminal import Terminal


def test_overview_filter_help_and_quit():
    need_tracing()
    busy = start(program("mix"), "2", "0", "100000000")
    terminal = Terminal(STXTOP)
    try:
        terminal.wait(r"LIVE")
        terminal.keys("\\")
        terminal.keys("-l", f"pid == {busy.pid}")
        terminal.keys("Enter")
        terminal.wait(rf"{busy.pid}\s+mix")
        terminal.wait(r"getppid")
        terminal.keys("\\")
        terminal.keys("-l", " && syscall == close")
        terminal.keys("Enter")
        terminal.wait(r"syscall == close")
        # The history still has the earlier calls: the filter must hide their rows.
        wait_until(lambda: "getppid" not in terminal.screen(), 10, "only close is shown")
        terminal.wait(r"close\(")
        terminal.keys("F1")
        terminal.wait(r"Processes that make calls")
        terminal.keys("/", "Search and", "Enter")
        terminal.wait(r"Search and filters")
        terminal.keys("Escape")
        terminal.wait(r"close\(")
        terminal.keys("q")
        wait_until(terminal.dead, what="the exit of stxtop")
        assert terminal.status() == "0"
    finally:
        terminal.close()


@long
def test_probes_follow_the_filter():
    need_tracing()
    busy = start(program("mix"), "2", "0", "100000000")
    for source in ("bpf", "perf") if has_bpf() else ("perf",):
        terminal = Terminal(STXTOP, "--source", source, "-p", busy.pid)
        try:
            terminal.wait(rf"{source}: all calls")
            terminal.keys("\\")
            terminal.keys("-l", "syscall in {getppid, close}")
            terminal.keys("Enter")
            terminal.wait(rf"{source}: 2 calls")
            terminal.keys("F1")
            terminal.wait(r"system calls as they happen")
            terminal.keys("End")
            terminal.wait(r"Active kernel probes")
            terminal.wait(r"at close, getppid only" if source == "bpf" else r"events of 2 calls")
            terminal.keys("Escape")
            wait_until(lambda: "Active kernel probes" not in terminal.screen(), 10, "the calls")
            terminal.keys("Escape")
            terminal.wait(rf"{source}: all calls")
            terminal.keys("q")
            wait_until(terminal.dead, what="the exit of stxtop")
        finally:
            terminal.close()


def test_filter_error_is_under_its_column():
    need_tracing()
    terminal = Terminal(STXTOP, "-p", os.getpid())
    try:
        terminal.wait(r"LIVE")
        terminal.keys("\\")
        terminal.keys("-l", "sycall == read")
        terminal.keys("Enter")
        screen = terminal.wait(r"did you mean.*syscall|syscall")
        assert "sycall" in screen
        terminal.keys("Escape")
        # Wait: a key right after Escape would be Alt with that key.
        wait_until(lambda: "Filter:" not in terminal.screen(), 10, "the prompt is closed")
        terminal.keys("q")
        wait_until(terminal.dead, what="the exit of stxtop")
    finally:
        terminal.close()


def test_command_with_its_descendants():
    need_tracing()
    terminal = Terminal(STXTOP, "--", program("mix"), "2", "20", "20")
    try:
        terminal.wait(r"getuid|getppid|wait4")
        # Wait for the end of the whole command: until then, q asks whether to continue it.
        terminal.wait(r"\(exited, status 0\)")
        terminal.keys("q")
        wait_until(terminal.dead, what="the exit of stxtop")
    finally:
        terminal.close()


@long
def test_any_window_size_works():
    need_tracing()
    busy = start(program("mix"), "1", "0", "100000000")
    terminal = Terminal(STXTOP, "-p", busy.pid)
    try:
        terminal.wait(r"LIVE")
        for cols, rows in ((20, 5), (5, 2), (1, 1), (400, 120), (80, 24)):
            terminal.tmux("resize-window", "-x", str(cols), "-y", str(rows))
            time.sleep(0.3)
            assert not terminal.dead(), (cols, rows)
        terminal.wait(r"mix")
        terminal.keys("q")
        wait_until(terminal.dead, what="the exit of stxtop")
        assert terminal.status() == "0"
    finally:
        terminal.close()


def test_suspend_and_resume():
    need_tracing()
    terminal = Terminal("sh", "-c", f"{STXTOP} -p {os.getpid()}; echo back")
    try:
        # Use a shell with job control, as only such a shell can continue a job.
        terminal.close()
        terminal = Terminal("bash", "--norc", "-i")
        terminal.wait(r"[#$]")
        terminal.keys(f"{STXTOP} -p {os.getpid()}", "Enter")
        terminal.wait(r"LIVE")
        terminal.keys("C-z")
        terminal.wait(r"Stopped")
        terminal.keys("fg", "Enter")
        terminal.wait(r"LIVE")
        terminal.keys("q")
        terminal.keys("echo 'still' here", "Enter")
        terminal.wait(r"still here")
    finally:
        terminal.close()


def test_hangup_ends_stxtop():
    need_tracing()
    terminal = Terminal(STXTOP, "-p", os.getpid())
    terminal.wait(r"LIVE")
    pid = terminal.pid()
    terminal.close()
    wait_until(lambda: has_ended(pid), what="the exit of stxtop")


def test_terminal_is_restored_after_a_crash():
    need_tracing()
    terminal = Terminal("bash", "--norc", "-i")
    try:
        terminal.wait(r"[#$]")
        for number in (signal.SIGSEGV, signal.SIGTERM, signal.SIGABRT):
            terminal.keys(f"{STXTOP} -p {os.getpid()}", "Enter")
            terminal.wait(r"LIVE")
            assert terminal.format("#{alternate_on}") == "1"
            shell = terminal.pid()
            child = wait_until(
                lambda: open(f"/proc/{shell}/task/{shell}/children").read().split(), 5, "child")
            os.kill(int(child[0]), number)
            wait_until(lambda: terminal.format("#{alternate_on}") == "0", 10, "normal screen")
            assert terminal.format("#{cursor_flag}") == "1"
            terminal.keys("clear", "Enter")
            terminal.keys("echo 'typed' text", "Enter")
            terminal.wait(r"typed text")
    finally:
        terminal.close()


def test_unknown_terminal_type_is_rejected():
    need_tracing()
    terminal = Terminal(STXTOP, environment=("TERM=no-such-terminal",))
    try:
        wait_until(terminal.dead, what="the exit of stxtop")
        assert "no-such-terminal" in terminal.said(), terminal.said()
        assert terminal.status() == "1"
    finally:
        terminal.close()


@long
def test_ascii_option_shows_only_ascii():
    need_tracing()
    busy = start(program("mix"), "1", "0", "100000000")
    terminal = Terminal(STXTOP, "--ascii", "-p", busy.pid, environment=("NO_COLOR=1",))
    try:
        terminal.wait(r"mix")
        time.sleep(0.5)
        screen = terminal.screen()
        assert all(ord(c) < 128 for c in screen), [c for c in screen if ord(c) > 127][:10]
        colored = terminal.tmux("capture-pane", "-p", "-e").out
        assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|4[0-7]|38;5|48;5)", colored)
        terminal.keys("q")
    finally:
        terminal.close()


def test_end_of_the_target_is_shown():
    need_tracing()
    sleeper = start("sleep", "1000")
    terminal = Terminal(STXTOP, "-p", sleeper.pid)
    try:
        terminal.wait(r"sleep")
        end(sleeper)
        terminal.wait(r"\(exited\)")
        terminal.keys("q")
        wait_until(terminal.dead, what="the exit of stxtop")
    finally:
        terminal.close()


def test_a_hostile_name_stays_text():
    need_tracing()
    need("python3")
    code = ("import ctypes, time\n"
            "ctypes.CDLL(None).prctl(15, b'e\\x1b]0;x\\x07l', 0, 0, 0)\n"
            "import os\n"
            "while True:\n os.getppid(); time.sleep(0.01)\n")
    hostile = start("python3", "-c", code)
    terminal = Terminal(STXTOP, "-p", hostile.pid)
    try:
        terminal.wait(r"e\\33\]0;x\\7l")
        terminal.keys("q")
    finally:
        terminal.close()


def refused_keymap(path, *words):
    terminal = Terminal(STXTOP, "--keymap", path)
    try:
        wait_until(terminal.dead, what="the exit of stxtop")
        assert terminal.status() in ("1", "2")
        for word in words:
            assert word in terminal.said(), terminal.said()
    finally:
        terminal.close()


def test_unknown_keymap():
    refused_keymap("/nonexistent.keys", "/nonexistent.keys")


def test_keymap_with_errors_names_file_and_line():
    """The lines without errors still apply."""
    path = folder() / "my.keys"
    path.write_text("# mine\nno-such-action j\nquit Hyper-X\nquit X\n")
    terminal = Terminal(STXTOP, "--demo", "--keymap", path)
    try:
        terminal.wait("recording")
        terminal.keys("X")
        assert terminal.status() == "0"
        for word in (f"{path}:2", "no-such-action", f"{path}:3", "Hyper-X"):
            assert word in terminal.said(), terminal.said()
    finally:
        terminal.close()


def test_late_reads_are_marked():
    """Late reads (perf events) have ~ and a colour; constants do not. The heap is not read."""
    need_tracing()
    process = start(program("pointed"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline(), "the program did not start"
    waiters = [start(program("pointed"), "once", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
               for _ in range(2)]
    for waiter in waiters:
        assert waiter.stdout.readline(), "the program did not start"
    pids = ",".join(str(p.pid) for p in [process, *waiters])
    terminal = Terminal(STXTOP, "--source", "perf", "-p", pids,
                        "--view", "blocked", size=(140, 40))

    def colours(text):
        return set(re.findall(rf'\(((?:\x1b\[[0-9;]*m)*){re.escape(text)}', terminal.coloured()))

    try:
        for waiter in waiters:
            terminal.wait(rf"{waiter.pid} .*poll\(~\[")
        # Only one of the two rows is selected, so the other has the colour of a late read.
        wait_until(lambda: any(colours("~[{fd=0")), 20, "a row with a late read")
        terminal.keys("4")
        terminal.wait(r"access\(")
        terminal.keys("Space", "Home")
        wait_until(lambda: colours('"/nowhere/constant"'), 20, "a constant")
        screen = terminal.screen()
        assert colours('"/nowhere/constant"') == {""}, screen
        assert "access(0x" in screen and "/nowhere/stack" not in screen, screen
    finally:
        terminal.close()


def test_a_damaged_screen_is_drawn_again():
    """Other programs write to the terminal: SIGWINCH without a new size, and Ctrl-L, redraw it."""
    need_tracing()
    terminal = Terminal(STXTOP, "-p", os.getpid())
    try:
        terminal.wait(r"LIVE")
        for redraw in (lambda: os.kill(terminal.pid(), signal.SIGWINCH),
                       lambda: terminal.keys("C-l")):
            with open(terminal.format("#{pane_tty}"), "w", encoding="ascii") as tty:
                tty.write("\x1b[1;1H*wall*")
            terminal.wait(r"\*wall\*")
            redraw()
            wait_until(lambda: "*wall*" not in terminal.screen(), what="a complete frame")
    finally:
        terminal.close()


def test_y_and_n_answer_a_question():
    need_tracing()
    sleeper = start("sleep", "1000")
    terminal = Terminal(STXTOP, "-p", sleeper.pid)
    try:
        terminal.wait(rf"{sleeper.pid} sleep")
        terminal.keys("Down")
        for answers in (["y", "n"], ["y"]):
            terminal.keys("F9")
            terminal.wait(r"Send signal to sleep")
            terminal.keys("Enter")
            terminal.wait(r"Send SIGTERM to sleep")
            terminal.keys(*answers, "Enter")
            wait_until(lambda: "Send SIGTERM to" not in terminal.screen(), what="the answer")
            assert answers == ["y"] or not has_ended(sleeper.pid)
        wait_until(lambda: has_ended(sleeper.pid), what="the end by SIGTERM")
    finally:
        terminal.close()


def test_descendants_of_the_command_outlive_stxtop():
    """A daemon that writes to the Output view must not die of SIGPIPE, however stxtop ends."""
    need_tracing()
    for by_key in (True, False):
        place = folder()
        daemon = (f"trap \"\" HUP; (while [ -d {place} -a ! -e {place}/stop ]; do echo tick; "
                  f"echo >> {place}/ticks; sleep 0.05; done; echo > {place}/ended) & "
                  f"echo started")
        terminal = Terminal(STXTOP, "--view", "output", "--", "sh", "-c", daemon)
        try:
            terminal.wait(r"(?s)command ended, descendants can still write.*started.*tick")
            if by_key:
                terminal.keys("q")
            else:
                os.kill(terminal.pid(), signal.SIGKILL)
            terminal.status()
            if by_key:
                assert "descendants of the command still run" in terminal.said(), terminal.said()
            size = (place / "ticks").stat().st_size
            wait_until(lambda: (place / "ticks").stat().st_size > size + 5, what="further ticks")
        finally:
            (place / "stop").touch()
            terminal.close()
            wait_until(lambda: (place / "ended").exists(), what="the end of the daemon")
