"""The interface in a terminal, for the parts that measure it."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time


class Screen:
    """A program in a pseudo-terminal; size: rows and columns."""

    def __init__(self, *argv, size=(40, 120)):
        self.began = time.monotonic()
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ["TERM"] = "xterm-256color"
            os.execv(argv[0], argv)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))

    def read(self, limit):
        ready, _, _ = select.select([self.fd], [], [], limit)
        try:
            return os.read(self.fd, 65536) if ready else b""
        except OSError:
            return b""

    def press(self, keys, text, limit=10):
        """Write the keys and return the seconds until the program writes the text."""
        began = time.monotonic()
        os.write(self.fd, keys)
        return self.began + self.until(text, limit) - began

    def ended(self):
        return os.waitpid(self.pid, os.WNOHANG)[0] == self.pid

    def until(self, text, limit=10):
        """Return the seconds from the start until the text, or one of several, was written."""
        texts = (text,) if isinstance(text, bytes) else text
        seen = b""
        end = time.monotonic() + limit
        while not any(one in seen for one in texts) and time.monotonic() < end:
            seen += self.read(0.01)
        return time.monotonic() - self.began

    def drain(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(max(0.0, end - time.monotonic()))

    def cpu(self):
        fields = open(f"/proc/{self.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        os.write(self.fd, b"q")
        self.drain(0.5)
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)
        os.close(self.fd)
