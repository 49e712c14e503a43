"""Compares the lines of stxtop and strace, call by call, for programs that run under both."""

import os
import re
import subprocess
import sys

import harness
from harness import long

sys.path.insert(0, str(harness.ROOT / "tests" / "judge"))
import compare  # noqa: E402
import corpus  # noqa: E402
import origins  # noqa: E402
import reasons  # noqa: E402


def need_both():
    if os.uname().machine != "x86_64":
        harness.skip("output is compared with strace only on x86-64")
    if os.environ.get("SAN"):
        harness.skip("sanitizers change the timing of the programs")
    harness.need_tracing()
    harness.need("strace")
    version = subprocess.run(["strace", "-V"], capture_output=True, text=True,
                             check=True).stdout
    if not re.match(r"strace -- version 6\.1\b", version):
        harness.skip("needs strace 6.1")
    compare.STXTOP = str(harness.STXTOP)


def own_programs():
    return [corpus.Program(harness.program(name)) for name in corpus.OWN]


def test_a_difference_counts_and_is_listed():
    """Tests the comparison itself, with every kind of difference between two runs."""
    theirs = [("read(3, \"a\", 1) = 1",) * 2, ("close(3) = 0",) * 2, ("sync() = 0",) * 2,
              ("open(\"f\", O_RDONLY) = 3",) * 2, ("getpid() = 77",) * 2]
    ours = [theirs[0], ("close(4) = 0",) * 2, theirs[3], ("getpid() = 78",) * 2,
            ("brk(NULL) = 0x5000",) * 2]
    one = compare.Comparison()
    one.add(theirs, ours)
    assert (one.lines, one.same, one.unpaired) == (4, 3, 2), str(one)
    assert one.percent() == 50, one.percent()
    assert len(one.differing) == 3, one.differing
    why = reasons.Reasons()
    assert len(why.unexplained(one.differing)) == 3
    assert sum("not explained" in line for line in why.table(one.differing, 1)) == 3
    why = reasons.Reasons([reasons.Pair("close(7) = 0", "close(8) = 0", "", "")])
    assert len(why.unexplained(one.differing)) == 2


def compared(options):
    total, of_two_runs = compare.Comparison(), compare.Comparison()
    programs = corpus.installed(
        lambda name: print(f"note: {name} is not installed and was not compared"))
    for program in programs + own_programs():
        one = compare.Comparison()
        compare.run(program, one, options, itself=of_two_runs)
        print(f"note: {os.path.basename(program.name)}: {one}")
        total.join(one)
    print(f"note: total: {total}")
    print(f"note: strace compared with itself: {of_two_runs}")
    return total, reasons.Reasons(of_two_runs.differing)


@long
def test_lines_read_as_strace_writes_them():
    need_both()
    if not harness.has_bpf():
        harness.skip("pointer arguments need BPF programs, which cannot run here")
    total, why = compared(["-b", "--source", "bpf"])
    for line in why.table(total.differing, 1):
        print("note:   " + line)
    unexplained = len(why.unexplained(total.differing))
    print(f"note: {unexplained} differences are not explained")
    assert total.lines > 20000, total.lines
    assert total.unpaired < total.lines / 100, total.unpaired
    assert total.percent() >= 99, total.percent()
    # Now and then, only one of two runs makes a call: such a difference has no explanation.
    assert unexplained < total.lines / 2000, unexplained


def arguments_from(source):
    found = origins.Origins()
    for program in corpus.installed(lambda name: None) + own_programs():
        one = origins.Origins()
        origins.of_program(program, ["--source", source], one)
        print(f"note: {os.path.basename(program.name)}: {one}")
        found.counts += one.counts
    total = sum(found.counts.values())
    print(f"note: --source {source}: of {total} pointer arguments: {found}")
    assert total > 3000, total
    return found.counts, total


@long
def test_bpf_programs_capture_pointer_arguments():
    need_both()
    if not harness.has_bpf():
        harness.skip("BPF programs cannot run here")
    counts, total = arguments_from("bpf")
    assert counts["exact"] > total * 0.97, counts
    assert counts["different text"] < total * 0.01, counts


@long
def test_pointer_arguments_are_not_invented_without_bpf():
    need_both()
    counts, total = arguments_from("perf")
    # How many arguments are read in time depends on how long processes live. A late read is
    # marked, as the memory may have changed.
    told = ("unread", "exact", "late", "late, changed by then")
    assert sum(counts[kind] for kind in told) > total * 0.99, counts
