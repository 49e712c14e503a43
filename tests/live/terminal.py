"""Two terminals for stxtop: tmux, which returns the contents of the screen, and a bare
pseudo-terminal, which returns every byte and can be left unread."""

import fcntl
import os
import pty
import re
import select
import struct
import termios
import threading
import time

from harness import WAIT_S, folder, need, run, start, wait_until


class Terminal:
    """A separate tmux server with one window, in which the command `argv` runs."""

    def __init__(self, *argv, size=(120, 40), environment=()):
        need("tmux")
        own = folder()
        self.socket = str(own / "tmux")
        # Set options in a file: the program could end before a later command takes effect.
        (own / "conf").write_text("set -g remain-on-exit on\nset -g status off\n")
        # tmux may miss the exit status of a program that ends immediately; a shell does not.
        self.status_file = own / "status"
        command = " ".join(["env", *environment, *(f"'{a}'" for a in argv)])
        command += f"; echo $? > {self.status_file}"
        self.tmux("-f", own / "conf", "new-session", "-d", "-x", str(size[0]), "-y", str(size[1]),
                  command)

    def tmux(self, *arguments):
        return run("tmux", "-S", self.socket, *arguments)

    def screen(self):
        return self.tmux("capture-pane", "-p").out

    def coloured(self):
        """The screen with the escape sequences of its colours."""
        return self.tmux("capture-pane", "-e", "-p").out

    def said(self):
        """The whole output with scrollback, wrapped lines joined."""
        return self.tmux("capture-pane", "-p", "-J", "-S", "-").out

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def wait(self, text, limit=WAIT_S):
        try:
            return wait_until(lambda: (lambda s: s if re.search(text, s) else None)(self.screen()),
                              limit)
        except AssertionError:
            raise AssertionError(f"{text!r} not within {limit} s on the screen, which is\n"
                                 f"{self.screen()}") from None

    def format(self, text):
        return self.tmux("display-message", "-p", text).out.strip()

    def dead(self):
        return self.format("#{pane_dead}") == "1"

    def status(self):
        return wait_until(lambda: self.status_file.exists() and self.status_file.read_text(),
                          what="the exit status").strip()

    def pid(self):
        shell = int(self.format("#{pane_pid}"))
        children = f"/proc/{shell}/task/{shell}/children"
        return int(wait_until(lambda: open(children).read().split(), what="a child")[0])

    def close(self):
        self.tmux("kill-server")


def set_size(fd, cols, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


class Pty:
    """A program on a pseudo-terminal. A thread reads its output while `reading` is set."""

    def __init__(self, *argv, size=(100, 30), environment=None):
        self.master, slave = pty.openpty()
        set_size(self.master, *size)
        self.modes = termios.tcgetattr(slave)
        self.output = bytearray()
        self.reading = threading.Event()
        self.reading.set()
        env = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **(environment or {})}
        for name in ("TMUX", "STY", "NO_COLOR"):
            env.pop(name, None)
        self.process = start(*argv, stdin=slave, stdout=slave, stderr=slave, env=env,
                             preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.slave = slave
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            self.reading.wait()
            ready, _, _ = select.select([self.master], [], [], 0.1)
            try:
                if ready and self.reading.is_set():
                    self.output += os.read(self.master, 65536)
            except OSError:
                return

    def type(self, text):
        os.write(self.master, text.encode() if isinstance(text, str) else text)

    def frame(self):
        """Return the bytes of a full redraw and of a few updates after it."""
        start_at = len(self.output)
        self.type("\x0c")
        wait_until(lambda: b"\x1b[2J" in self.output[start_at:], what="a frame")
        start_at = self.output.rindex(b"\x1b[2J")
        size = -1
        until = time.monotonic() + 0.5
        while size != len(self.output) and time.monotonic() < until:
            size = len(self.output)
            time.sleep(0.1)
        return bytes(self.output[start_at:])

    def text(self):
        """Return a frame as text, without escape sequences."""
        return re.sub(rb"\x1b(\[[0-9;?]*[a-zA-Z@]|\(B|[=>78])", b" ",
                      self.frame()).decode(errors="replace")

    def wait(self, text, limit=WAIT_S):
        return wait_until(lambda: re.search(text, self.text()), limit, f"{text!r} on the screen")

    def restored(self):
        return termios.tcgetattr(self.slave) == self.modes
