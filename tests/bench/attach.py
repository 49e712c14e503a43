"""Time until all threads of a hanging process are shown with complete stacks."""

import json
import subprocess
import time

from measure import BUILD, ROUNDS, STXTOP

THREADS = 3000


def look(options, seconds, pid, path):
    """Return the run time of stxtop, the number of complete stacks and the number of cut ones."""
    began = time.monotonic()
    subprocess.run([STXTOP, "--json", "-w", path, "--for", str(seconds), *options],
                   stdin=subprocess.DEVNULL, check=False)
    elapsed, whole, cut = time.monotonic() - began, 0, 0
    with open(path) as lines:
        for line in lines:
            call = json.loads(line)
            if call["type"] != "call" or call["pid"] != pid or call["state"] != "in_flight":
                continue
            reaches = any(frame["sym"] == "thread_main" for frame in call["stack"])
            whole, cut = whole + reaches, cut + (not reaches and call["tid"] != pid)
    return elapsed, whole, cut


def part_attach(folder):
    path = f"{folder}/attach.json"
    stuck = subprocess.Popen([str(BUILD / "live" / "many_stuck"), str(THREADS)],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    stuck.stdout.readline()
    print(f"\nAttach to a process with {THREADS} threads blocked in futexes")
    for name, options in (("by its pid", ["-p", str(stuck.pid)]), ("whole system", [])):
        for seconds in (0.1, 0.3, 1, 2):
            rounds = [look(options, seconds, stuck.pid, path) for _ in range(ROUNDS)]
            whole = min(r[1] for r in rounds)
            if whole == THREADS:
                break
        print(f"  {name:44} all with whole stacks after {seconds} s"
              if whole == THREADS else f"  {name:44} only {whole} after {seconds} s")
        print(f"  {'':44} {min(r[0] for r in rounds):.2f} s from start to end of stxtop")
    stuck.stdin.close()
    stuck.kill()
    stuck.wait()
