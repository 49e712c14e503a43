"""Settings are restored at the next start: in a real terminal, with a separate home."""

import os
import re
import signal

from harness import ROOT, STXTOP, folder, run, skip, wait_until
from test_terminal import Terminal

RECORDING = ROOT / "tests" / "replay" / "contention.data"


class Home:
    """A separate configuration directory with a file of settings."""

    def __init__(self):
        self.path = folder()
        self.file = self.path / "stxtop" / "settings"
        self.environment = (f"XDG_CONFIG_HOME={self.path}",)
        self.write("hints = no\n")

    def open(self, *arguments):
        terminal = Terminal(STXTOP, "-i", RECORDING, *arguments, environment=self.environment)
        terminal.wait(r"exit_group")
        return terminal

    def write(self, text):
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_text(text)
        self.file.chmod(0o600)

    def lines(self):
        """Return the lines without comments."""
        return [line for line in self.file.read_text().splitlines() if not line.startswith("#")]


BY_TOTAL = r"System calls.* by time in calls"


def is_by_total(terminal):
    return re.search(BY_TOTAL, terminal.screen())


def leave(terminal):
    terminal.keys("q")
    wait_until(terminal.dead, what="the exit of stxtop")
    assert terminal.status() == "0"


def choose_light(terminal):
    terminal.keys("o")
    terminal.wait(r"Setup")
    terminal.keys("Down", "Enter")
    terminal.wait(r"light or dark, by the terminal")
    terminal.keys("Down", "Down", "Enter")
    terminal.wait(r"colours +light")
    terminal.keys("Escape")
    wait_until(lambda: "Setup" not in terminal.screen(), 10, "the list is closed")


def test_settings_are_restored():
    home = Home()
    terminal = home.open()
    try:
        choose_light(terminal)
        terminal.keys("3")
        terminal.wait(BY_TOTAL)
        terminal.keys(">")
        wait_until(lambda: not is_by_total(terminal), 10, "another order")
        leave(terminal)
    finally:
        terminal.close()
    assert home.file.stat().st_mode & 0o777 == 0o600
    assert [line.split(" = ")[0] for line in home.lines()] == [
        "hints", "theme", "sort.syscalls.syscalls"]
    before = home.file.read_bytes()
    terminal = home.open()
    try:
        # The column headers have the background of the saved theme.
        assert "48;5;29m" in terminal.coloured()
        terminal.keys("3")
        terminal.wait(r"System calls")
        wait_until(lambda: not is_by_total(terminal), 10, "the restored order")
        leave(terminal)
    finally:
        terminal.close()
    assert home.file.read_bytes() == before


def test_only_quitting_by_key_saves():
    for number in (signal.SIGKILL, signal.SIGTERM):
        home = Home()
        terminal = home.open()
        try:
            choose_light(terminal)
            os.kill(terminal.pid(), number)
            wait_until(terminal.dead, what="the exit of stxtop")
        finally:
            terminal.close()
        assert home.lines() == ["hints = no"], number


def test_a_broken_file_is_reported_and_kept():
    home = Home()
    text = b"# mine\ntheme light\nhints = no\n\xff"
    home.file.write_bytes(text)
    terminal = home.open()
    try:
        terminal.wait(r"settings:2: missing =")
        choose_light(terminal)
        leave(terminal)
        wait_until(lambda: "not saved" in terminal.said(), 10, "the error")
    finally:
        terminal.close()
    assert home.file.read_bytes() == text


def test_command_line_options_are_not_saved():
    home = Home()
    home.write("hints = no\ntheme = mono\n")
    terminal = home.open("--theme", "light", "--ascii", "--keymap", "vi")
    try:
        assert "48;5;29m" in terminal.coloured()
        leave(terminal)
    finally:
        terminal.close()
    assert home.lines() == ["hints = no", "theme = mono"]


def test_unwritable_settings_do_not_fail():
    home = Home()
    home.file.unlink()
    home.file.parent.rmdir()
    (home.path / "stxtop").write_text("")  # a file in place of the directory
    terminal = home.open()
    try:
        choose_light(terminal)
        leave(terminal)
        wait_until(lambda: "cannot" in terminal.said(), 10, "the error")
    finally:
        terminal.close()


def test_full_disk_leaves_the_old_settings():
    if os.geteuid() != 0:
        skip("needs root, to mount a small file system")
    home = Home()
    mounted = run("mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", home.file.parent)
    if mounted.status:
        skip("no file system can be mounted here")
    try:
        home.write("# before\nhints = no\n")  # fills the file system
        terminal = home.open()
        try:
            choose_light(terminal)
            leave(terminal)
            wait_until(lambda: "No space left" in terminal.said(), 10, "the error")
        finally:
            terminal.close()
        assert home.file.read_text() == "# before\nhints = no\n"
        assert os.listdir(home.file.parent) == ["settings"]
    finally:
        run("umount", "-l", home.file.parent)
