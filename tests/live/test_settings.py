"""What a person chooses is there the next time: in a real terminal, in a home of its own."""

import os
import signal

from harness import ROOT, STXTOP, folder, wait_until
from test_terminal import Terminal

RECORDING = ROOT / "tests" / "replay" / "contention.data"


class Home:
    """A configuration of its own, and its file of settings."""

    def __init__(self):
        self.path = folder()
        self.file = self.path / "stxtop" / "settings"
        self.environment = (f"XDG_CONFIG_HOME={self.path}",)

    def open(self, *arguments):
        terminal = Terminal(STXTOP, "-i", RECORDING, *arguments, environment=self.environment)
        terminal.wait(r"exit_group")
        return terminal

    def write(self, text):
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_text(text)

    def lines(self):
        """But for remarks."""
        return [line for line in self.file.read_text().splitlines() if not line.startswith("#")]


def leave(terminal):
    terminal.keys("q")
    wait_until(terminal.dead, 10, "the end")
    assert terminal.status() == "0"


def choose_light(terminal):
    terminal.keys("o")
    terminal.wait(r"Setup")
    terminal.keys("Down", "Enter")
    terminal.wait(r"light or dark, if the terminal tells")
    terminal.keys("Down", "Down", "Enter")
    terminal.wait(r"colours +light")
    terminal.keys("Escape")
    wait_until(lambda: "Setup" not in terminal.screen(), 10, "the list is closed")


def test_what_was_chosen_is_there_again():
    home = Home()
    terminal = home.open()
    try:
        choose_light(terminal)
        terminal.keys("3")
        terminal.wait(r"by TOTAL")
        terminal.keys(">")
        wait_until(lambda: "by TOTAL" not in terminal.screen(), 10, "another order")
        leave(terminal)
    finally:
        terminal.close()
    assert home.file.stat().st_mode & 0o777 == 0o600
    assert [line.split(" = ")[0] for line in home.lines()] == ["theme", "sort.syscalls.syscalls"]
    before = home.file.read_bytes()
    terminal = home.open()
    try:
        # The colours of the titles of columns.
        assert "48;5;29m" in terminal.coloured()
        terminal.keys("3")
        terminal.wait(r"System calls")
        wait_until(lambda: "by TOTAL" not in terminal.screen(), 10, "the order of before")
        leave(terminal)
    finally:
        terminal.close()
    assert home.file.read_bytes() == before


def test_only_who_leaves_keeps():
    for number in (signal.SIGKILL, signal.SIGTERM):
        home = Home()
        terminal = home.open()
        try:
            choose_light(terminal)
            os.kill(terminal.pid(), number)
            wait_until(terminal.dead, 10, "the end")
        finally:
            terminal.close()
        assert not home.file.exists(), number


def test_a_broken_file_is_told_and_kept():
    home = Home()
    text = b"# mine\ntheme light\nmouse = no\n\xff"
    home.write("")
    home.file.write_bytes(text)
    terminal = home.open()
    try:
        terminal.wait(r"settings:2: there is no = on it")
        choose_light(terminal)
        leave(terminal)
        wait_until(lambda: "not saved" in terminal.said(), 10, "the reason")
    finally:
        terminal.close()
    assert home.file.read_bytes() == text


def test_the_command_line_is_not_kept():
    home = Home()
    home.write("theme = mono\n")
    terminal = home.open("--theme", "light", "--ascii", "--keymap", "vi")
    try:
        assert "48;5;29m" in terminal.coloured()
        leave(terminal)
    finally:
        terminal.close()
    assert home.lines() == ["theme = mono"]


def test_a_place_that_takes_no_file_is_no_failure():
    home = Home()
    (home.path / "stxtop").write_text("")  # where the directory should be
    terminal = home.open()
    try:
        choose_light(terminal)
        leave(terminal)
        wait_until(lambda: "cannot" in terminal.said(), 10, "the reason")
    finally:
        terminal.close()


def test_a_full_disk_leaves_what_was_there():
    home = Home()
    home.write("# before\n")
    whole = home.file.read_bytes()
    # No file may have a byte in it.
    script = home.path / "limited"
    script.write_text(f"#!/bin/sh\nulimit -f 0\nexec '{STXTOP}' \"$@\"\n")
    script.chmod(0o755)
    terminal = Terminal(script, "-i", RECORDING, environment=home.environment)
    try:
        terminal.wait(r"exit_group")
        choose_light(terminal)
        terminal.keys("q")
        wait_until(terminal.dead, 10, "the end")
    finally:
        terminal.close()
    assert home.file.read_bytes() == whole
    assert os.listdir(home.file.parent) == ["settings"]
