"""Cost of a user stack after the first one of its process, compared with perf script."""

import os
import shutil
import subprocess

from measure import BUILD, ROUNDS, STXTOP, run

SIZES = (2_000, 10_000)  # numbers of rounds; the difference excludes the start and the first stack
FIELDS = "comm,tid,event,ip,sym,dso"


def record(path, rounds):
    """Record every call and switch of ping_pong, the switches with 8 KiB of user stack."""
    cpus = sorted(os.sched_getaffinity(0))
    events = ["raw_syscalls:sys_enter/call-graph=no/", "raw_syscalls:sys_exit/call-graph=no/",
              "sched:sched_switch"]
    subprocess.run(["perf", "record", "-q", "-N", "-m", "4096", "-o", path, "--call-graph", "dwarf",
                    *[word for event in events for word in ("-e", event)], "--",
                    str(BUILD / "bench" / "ping_pong"), str(rounds), str(cpus[0]), str(cpus[-1])],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def count_stacks(text):
    """Return the number of switches and of their frames."""
    stacks = frames = 0
    inside = False
    for line in text.splitlines():
        if line and not line[0].isspace():
            inside = "sched_switch" in line
            stacks += inside
        elif inside and line.strip():
            frames += 1
    return stacks, frames


def part_unwind(folder):
    if not shutil.which("perf"):
        print("  (perf is not installed)")
        return
    paths = [f"{folder}/unwind-{size}.data" for size in SIZES]
    for path, size in zip(paths, SIZES):
        record(path, size)
    tools = {
        "perf script": lambda path: ["perf", "script", "-i", path, "--no-inline", "-F", FIELDS],
        "stxtop --json": lambda path: [STXTOP, "-i", path, "--json", "-w", f"{folder}/unwind.json"],
    }
    counts = [count_stacks(run(tools["perf script"](path))[1]) for path in paths]
    stacks = counts[1][0] - counts[0][0]
    if stacks <= 0:
        print("  (perf record lost too much)")
        return
    print(f"\nRepeated stacks of a recording, {(counts[1][1] - counts[0][1]) / stacks:.1f} frames, "
          f"with symbols and calls")
    best = {}
    for _ in range(ROUNDS):
        for name, argv in tools.items():
            seconds = [run(argv(path))[0] for path in paths]
            best.setdefault(name, []).append((seconds[1] - seconds[0]) / stacks)
    rival = min(best["perf script"])
    for name, costs in best.items():
        cost = min(costs)
        print(f"  {name:44} {cost * 1e6:9.1f} us a stack, {1 / cost:8.0f} a second, "
              f"{rival / cost:5.1f} x as fast")
    for path in paths:
        os.unlink(path)
