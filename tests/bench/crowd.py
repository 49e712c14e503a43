"""Many calls at the same time: two dd on two CPUs, and 300 processes of 10 threads."""

import json
import statistics
import subprocess
import time

from measure import BUILD, ROUNDS, STXTOP
from screen import Screen

F1 = b"\x1bOP"
DD_READS = 1_000_000
DD = ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", f"count={DD_READS}", "status=none"]
PRESSES = 100

PROCESSES, THREADS, PAUSE_US = 300, 10, 500_000
ROUND_CALLS = 8  # number of calls in a round of crowd.c


def two_dd():
    return [subprocess.Popen(["taskset", "-c", str(cpu), *DD]) for cpu in (0, 1)]


def pair_totals(path):
    """Return (sorted read counts of both dd, including reads of ld.so; number of lost calls)."""
    watcher = subprocess.Popen([STXTOP, "--json", "-s", "--source", "bpf", "-w", path],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    time.sleep(1)
    for process in two_dd():
        process.wait()
    watcher.send_signal(2)
    watcher.wait()
    with open(path) as lines:
        for line in lines:
            pass
    summary = json.loads(line)
    reads = [call["calls"] for process in summary["processes"] for call in process["syscalls"]
             if process["comm"] == "dd" and call["name"] == "read"]
    return sorted(reads), summary["lost"]


def part_pair(folder):
    print("\nTwo dd at once on two CPUs, whole system")
    for _ in range(ROUNDS):
        reads, lost = pair_totals(f"{folder}/pair.json")
        beyond = ", ".join(f"{DD_READS} + {n - DD_READS}" for n in reads)
        print(f"  {'reads in the totals':44} {beyond}; lost {lost}")
    screen = Screen(STXTOP, "--source", "bpf")
    screen.until(b"COMM/TID")
    screen.drain(1)
    took, running = [], two_dd()
    while len(took) < PRESSES:
        if any(process.poll() is not None for process in running):
            for process in running:
                process.wait()
            running = two_dd()
        took.append(screen.press(F1, b"system calls as they happen"))
        screen.drain(0.02)
        took.append(screen.press(F1, b"COMM/TID"))
        screen.drain(0.02)
    screen.close()
    for process in running:
        process.kill()
        process.wait()
    took.sort()
    print(f"  {'from a key to its effect':44} median {statistics.median(took) * 1e3:.1f} ms, "
          f"p99 {took[int(len(took) * 0.99) - 1] * 1e3:.1f} ms, "
          f"longest {took[-1] * 1e3:.1f} ms")


def memory_mib(pid):
    """Return the Pss: memory shared with its workers counts once."""
    with open(f"/proc/{pid}/smaps_rollup") as lines:
        sizes = {line.split()[0]: line.split()[1] for line in lines if line.endswith("kB\n")}
    return int(sizes["Pss:"]) / 1024


def crowd_row(source, options):
    """Return the time until the interface shows the threads, its share of a CPU and its memory."""
    screen = Screen(STXTOP, "--source", source, *options)
    shown = screen.until(b"crowd")
    screen.drain(2)
    began, used = time.monotonic(), screen.cpu()
    screen.drain(3)
    share = (screen.cpu() - used) / (time.monotonic() - began)
    size = memory_mib(screen.pid)
    screen.close()
    return shown, share, size


def part_crowd(_):
    crowd = subprocess.Popen([str(BUILD / "live" / "crowd"), str(PROCESSES), str(THREADS), "0",
                              str(PAUSE_US)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             text=True)
    crowd.stdout.readline()
    crowd.stdin.write("\n")
    crowd.stdin.flush()
    print(f"\n{PROCESSES} processes of {THREADS} threads, each with {ROUND_CALLS} calls "
          f"{1_000_000 // PAUSE_US} times a second")
    for source in ("bpf", "perf"):
        for name, options in (("whole system", ()), ("whole system, -g off", ("-g", "off"))):
            rows = [crowd_row(source, options) for _ in range(min(ROUNDS, 2))]
            print(f"  {f'stxtop --source {source}, {name}':44} "
                  f"in sight after {min(r[0] for r in rows):.2f} s, "
                  f"{min(r[1] for r in rows) * 100:.0f} % of a CPU, "
                  f"{min(r[2] for r in rows):.0f} MiB")
    crowd.stdin.close()
    crowd.wait()
