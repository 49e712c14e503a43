"""Kernel settings that a test changes are restored even if the test is killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from harness import folder, need_tracing, wait_until
from unprivileged import PARANOID, TRACING

BORROWER = """
import signal, sys
from unprivileged import Granted
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it in the background
with Granted(sys.argv[1]):
    print("lent", flush=True)
    signal.pause()
"""


def state():
    stat = os.stat(TRACING)
    return Path(PARANOID).read_text().strip(), stat.st_gid, stat.st_mode


def test_killed_test_restores_the_settings():
    need_tracing()
    before = state()
    other = "0" if before[0] != "0" else "1"
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        # Set TMPDIR: a killed process leaves the home folder of its harness behind.
        borrower = subprocess.Popen([sys.executable, "-c", BORROWER, other], text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                    cwd=Path(__file__).parent,
                                    env=dict(os.environ, TMPDIR=str(folder())))
        with borrower:
            assert borrower.stdout.readline() == "lent\n"
            assert state()[0] == other and state()[1:] != before[1:]
            borrower.send_signal(number)
            borrower.wait(10)
        wait_until(lambda: state() == before, what=f"settings as before {number.name}")
