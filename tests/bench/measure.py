"""Shared by the parts of the benchmark: paths, timing of commands, tables."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = (ROOT / os.environ.get("BUILD", "build")).resolve()
STXTOP = str(BUILD / "stxtop")
CLOSING_S = 0.3
ROUNDS = int(os.environ.get("ROUNDS", "5"))


def run(argv):
    """Return the elapsed seconds and the standard output; None on failure."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=errors)
        elapsed = time.monotonic() - began
        if done.returncode:
            errors.seek(0)
            text = errors.read().decode(errors="replace").strip().splitlines()
            print(f"  ({argv[0]} exited with status {done.returncode}: {text[:1]})")
            return None
    return elapsed, done.stdout.decode(errors="replace")


def timed(argv):
    """Return the elapsed seconds; None on failure."""
    done = run(argv)
    return done and done[0]


def timed_alone(argv):
    """Wait before timing: the kernel removes the probes of the previous command with a delay."""
    time.sleep(CLOSING_S)
    return timed(argv)


def table(title, rows, base_argv, slow=()):
    """Time the command of each row in interleaved rounds; print ratios to the untraced time."""
    print(f"\n{title}")
    times = {name: [] for name in rows}
    base = []
    for turn in range(ROUNDS):
        base.append(timed_alone(base_argv))
        for name, argv in rows.items():
            if name in slow and turn:
                continue
            times[name].append(timed_alone(argv))
    untraced = min(t for t in base if t)
    print(f"  {'untraced':44} {untraced * 1e3:9.1f} ms   1.00 x")
    for name, all_times in times.items():
        good = [t for t in all_times if t]
        if good:
            print(f"  {name:44} {min(good) * 1e3:9.1f} ms {min(good) / untraced:6.2f} x")
        else:
            print(f"  {name:44} failed")


def with_rivals(rows, rivals):
    for tool, name, argv in rivals:
        if shutil.which(tool):
            rows[name] = argv
        else:
            print(f"  ({tool} is not installed)")
    return rows
