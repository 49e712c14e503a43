"""Cost of copying paths, for the program that makes the calls."""

import os
import time

from measure import BUILD, ROUNDS, STXTOP, run
from screen import Screen

ROUNDS_OF_CALLS = 500_000
PROGRAM = str(BUILD / "bench" / "open_close")


def ns_in(path):
    with open(path) as file:
        return float(file.read())


def untraced(command, _):
    run(command)


def summary(command, _):
    run([STXTOP, "-b", "-s", "--source", "bpf", "-g", "off", "-w", "/dev/null", "--", *command])


def interface(command, path):
    """Run the command under the interface, for which BPF programs copy paths. Press no key."""
    screen = Screen(STXTOP, "--source", "bpf", "-g", "off", "--", *command)
    end = time.monotonic() + 30
    while not (os.path.exists(path) and os.path.getsize(path)) and time.monotonic() < end:
        screen.drain(0.05)
    screen.close()


def part_paths(folder):
    path = f"{folder}/ns"
    command = [PROGRAM, str(ROUNDS_OF_CALLS), path]
    rows = {"untraced": untraced, "stxtop, nothing copied (-s)": summary,
            "stxtop, paths copied (interface)": interface}
    times = {name: [] for name in rows}
    for _ in range(ROUNDS):
        for name, trace in rows.items():
            trace(command, path)
            times[name].append(ns_in(path))
            os.unlink(path)
    print("\nopenat of a path of 60 bytes and close: CPU time of both")
    base = min(times["untraced"])
    for name, all_times in times.items():
        print(f"  {name:44} {min(all_times):9.0f} ns {min(all_times) / base:6.2f} x")
    ratio = min(times["stxtop, paths copied (interface)"]) / \
        min(times["stxtop, nothing copied (-s)"])
    print(f"  {'copied over not copied':44} {'':12} {ratio:6.2f} x")
