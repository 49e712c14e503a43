"""Cost of stacks for threads that only wake each other and wait."""

import json
import os
import shutil
import statistics
import subprocess

from measure import BUILD, ROUNDS, STXTOP, run

HANDOVERS = 20_000
HANDOVERS_SLOW = 2_000  # for tools under which a round takes a millisecond


class Load:
    """A command that runs ROUNDS rounds and prints their time."""

    def __init__(self, title, argv, to_ns):
        self.title, self.argv, self.to_ns = title, argv, to_ns

    def command(self, rounds):
        return [word.replace("ROUNDS", str(rounds)) for word in self.argv]

    def ns_per_round(self, output, rounds):
        return self.to_ns(output) / rounds


def loads():
    cpus = sorted(os.sched_getaffinity(0))
    ping_pong = str(BUILD / "bench" / "ping_pong")
    # On one CPU, the threads never idle: CPU time equals elapsed time on an idle machine.
    yield Load("Two threads, one futex, one CPU", [ping_pong, "ROUNDS", str(cpus[-1])],
               lambda output: int(output.split()[1]))
    if len(cpus) > 1:
        yield Load("Two threads, one futex, a CPU each",
                   [ping_pong, "ROUNDS", str(cpus[0]), str(cpus[-1])],
                   lambda output: int(output.split()[0]))
    if shutil.which("perf"):
        yield Load("perf bench sched pipe, one CPU",
                   ["taskset", "-c", str(cpus[-1]), "perf", "bench", "-f", "simple", "sched",
                    "pipe", "-l", "ROUNDS"],
                   lambda output: float(output.split()[-1]) * 1e9)


def stxtop_row(source, mode, folder):
    path = f"{folder}/{source}-{mode}.json"

    def lost():
        with open(path) as lines:
            for line in lines:
                pass
        return str(json.loads(line)["lost"])
    return (lambda command: [STXTOP, "--json", "-s", "--source", source, "-g", mode, "-w", path,
                             "--", *command]), lost


def record_row(name, options, folder):
    path = f"{folder}/{name}.data"

    def lost():
        told = subprocess.run(["perf", "report", "-i", path, "--stats"], capture_output=True,
                              text=True).stdout
        counts = [line for line in told.splitlines() if "LOST" in line]
        os.unlink(path)
        return ", ".join(" ".join(line.split()) for line in counts) or "0"
    return (lambda command: ["perf", "record", "-q", "-N", "-o", path, *options, "--",
                             *command]), lost


def trace_row(folder):
    path = f"{folder}/trace.txt"

    def lost():
        with open(path, errors="replace") as lines:
            counts = [int(line.split("LOST ")[1].split()[0]) for line in lines
                      if "LOST " in line]
        os.unlink(path)
        return str(sum(counts))
    return (lambda command: ["perf", "trace", "-o", path, "--call-graph", "dwarf", "--",
                             *command]), lost


def rows(folder):
    """Yield name, tracing command line, function that returns the losses, True if slow."""
    for source in ("perf", "bpf"):
        for mode in ("off", "auto", "fp", "dwarf"):
            yield (f"stxtop --source {source} -g {mode}", *stxtop_row(source, mode, folder), False)
    switch = ["-e", "sched:sched_switch"]
    same = ["-e", "sched:sched_switch", "-e", "sched:sched_waking", "-e",
            "raw_syscalls:sys_enter", "-e", "raw_syscalls:sys_exit"]
    if shutil.which("perf"):
        yield ("perf record, switches, dwarf",
               *record_row("dwarf", switch + ["--call-graph", "dwarf"], folder), False)
        yield "perf record, switches, fp", *record_row("fp", switch + ["-g"], folder), False
        yield ("perf record, calls, switches, wakings, fp",
               *record_row("same", same + ["-g"], folder), False)
        yield "perf trace, dwarf", *trace_row(folder), True
    if shutil.which("strace"):
        yield ("strace -f -k", lambda command: ["strace", "-f", "-k", "-o", "/dev/null",
                                                *command], lambda: "-", True)


def part_switches(folder):
    for load in loads():
        print(f"\n{load.title}: time of a round, and of the whole command")
        untraced, whole = [], []
        times = {}
        table = list(rows(folder))
        for turn in range(ROUNDS):
            done = run(load.command(HANDOVERS))
            if not done:
                return
            untraced.append(load.ns_per_round(done[1], HANDOVERS))
            whole.append(done[0])
            for name, trace, lost, slow in table:
                if slow and turn:
                    continue
                count = HANDOVERS_SLOW if slow else HANDOVERS
                done = run(trace(load.command(count)))
                if not done:
                    continue
                seen = times.setdefault(name, {"round": [], "whole": [], "lost": "?"})
                seen["round"].append(load.ns_per_round(done[1], count))
                seen["whole"].append(done[0] / count * HANDOVERS)
                if turn == (0 if slow else ROUNDS - 1):
                    seen["lost"] = lost()
        base = min(untraced)
        print(f"  {'untraced':44} {base / 1e3:8.2f} us   1.00 x (median "
              f"{statistics.median(untraced) / base:5.2f})")
        for name, seen in times.items():
            print(f"  {name:44} {min(seen['round']) / 1e3:8.2f} us {min(seen['round']) / base:6.2f}"
                  f" x (median {statistics.median(seen['round']) / base:5.2f}) whole "
                  f"{min(seen['whole']) / min(whole):6.2f} x, lost {seen['lost']}")
