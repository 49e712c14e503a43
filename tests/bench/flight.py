"""Cost of an armed flight recorder that does not trigger, compared with collecting only."""

from measure import STXTOP, table

COUNT = 2000000
DD = ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", f"count={COUNT}", "status=none"]
NEVER = "syscall == futex and dur > 1h"


def watching(folder, source, *options):
    return [STXTOP, "--source", source, "-s", "-w", f"{folder}/sum", *options, "--", *DD]


def part_flight(folder):
    # The second row also collects stacks of waits and pointed-to bytes, as for a recording.
    rows = {}
    for source in ("bpf", "perf"):
        rows[f"{source}: -s"] = watching(folder, source)
        rows[f"{source}: -s, with stacks and bytes"] = watching(
            folder, source, "-g", "auto", "--catch", f"bell: path == '/' and {NEVER}")
        rows[f"{source}: -s --flight"] = watching(
            folder, source, "--flight", NEVER, "--flight-file", f"{folder}/f-%N.data")
        rows[f"{source}: -s -o FILE"] = watching(folder, source, "-o", f"{folder}/o.data")
    table(f"dd, {2 * COUNT} calls, the flight recorder armed", rows, DD)
