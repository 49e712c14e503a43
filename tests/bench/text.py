"""Lines of text per second, and the size of the program and of the decoder's tables."""

import os
import shutil
import subprocess

from measure import BUILD, ROUNDS, STXTOP, timed_alone

WORK = ["ls", "-lR", "/usr/share/doc", "/usr/lib"]
SILENT = ["sh", "-c", '"$@" > /dev/null', "sh", *WORK]


def calls_of(argv):
    """Return the number of lines of one run."""
    path = BUILD / "bench-lines.txt"
    subprocess.run([STXTOP, "-b", "-g", "off", "-w", str(path), "--", *argv], check=True,
                   stdout=subprocess.DEVNULL)
    with open(path, "rb") as lines:
        count = sum(1 for _ in lines)
    path.unlink()
    return count


def best(argv, rounds=ROUNDS):
    times = [timed_alone(argv) for _ in range(rounds)]
    return min((time for time in times if time), default=None)


def bytes_of(objects):
    """Return the size of code and data of some objects."""
    text = subprocess.run(["size", *map(str, objects)], capture_output=True, text=True,
                          check=True).stdout
    rows = [line.split() for line in text.splitlines()[1:]]
    return sum(int(row[0]) + int(row[1]) for row in rows)


def part_text(_):
    rows = [
        ("stxtop -b --source bpf", [STXTOP, "-b", "--source", "bpf", "-g", "off"]),
        ("stxtop -b --source perf", [STXTOP, "-b", "--source", "perf", "-g", "off"]),
        ("perf trace", ["perf", "trace", "-o", "/dev/null", "--"]),
        ("strace -f", ["strace", "-f", "-o", "/dev/null"]),
    ]
    calls, alone = calls_of(SILENT), best(SILENT)
    print(f"\nls -lR, {calls} lines; untraced {alone * 1e3:.0f} ms")
    for name, argv in rows:
        if not os.path.isabs(argv[0]) and not shutil.which(argv[0]):
            print(f"  ({argv[0]} is not installed)")
            continue
        options = ["-w", "/dev/null", "--"] if argv[0] == STXTOP else []
        took = best([*argv, *options, *SILENT], ROUNDS if argv[0] == STXTOP else 1)
        if took:
            print(f"  {name:34} {took * 1e3:8.0f} ms {calls / took / 1e3:8.0f} k lines a second")
    decode = BUILD / "obj" / "engine" / "decode"
    print(f"  {'the program':34} {os.path.getsize(STXTOP) / 2**20:8.1f} MiB with debug "
          f"information, {bytes_of([STXTOP]) / 2**20:.1f} MiB of code and data")
    print(f"  {'names of constants':34} "
          f"{bytes_of(sorted((decode / 'constants').glob('*.o'))) / 1024:8.0f} KiB")
    print(f"  {'formats of calls, and their code':34} "
          f"{bytes_of(sorted((decode / 'families').glob('*.o'))) / 1024:8.0f} KiB")
