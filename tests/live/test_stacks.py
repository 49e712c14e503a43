"""User stacks and their names beside those of perf script, on one recording of each kind."""

import os
import re
import subprocess

import perf_script
from harness import ROOT, folder, need, need_tracing, run, skip

SOURCES = ROOT / "tests" / "live" / "programs" / "stacks"
C_FLAGS = ["-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra"]


def build(source, *flags):
    """A program of SOURCES, compiled for one test; flags come last."""
    path = folder() / source.split(".")[0]
    if source.endswith(".c"):
        command = [need("gcc"), *C_FLAGS, "-O2", "-g"]
    elif source.endswith(".cxx"):
        command = [need("g++"), "-Wall", "-Wextra", "-O2", "-g"]
    else:
        command = [rust(), "-O", "-g"]
    result = run(*command, "-o", path, SOURCES / source, *flags)
    assert result.status == 0, result.err
    return path


def rust():
    # Debian's first: the one in PATH may be a launcher that has no compiler.
    return "/usr/bin/rustc" if os.path.exists("/usr/bin/rustc") else need("rustc")


def record(*command, stack_bytes=8192):
    need("perf")
    need_tracing()
    path = folder() / "perf.data"
    # A ring that holds all of it: what is lost cannot be compared.
    result = run("perf", "record", "-q", "-k", "CLOCK_MONOTONIC", "-m", "8M", "-o", path,
                 "-e", f"sched:sched_switch/call-graph=dwarf,stack-size={stack_bytes}/",
                 "-e", "raw_syscalls:sys_enter", "-e", "raw_syscalls:sys_exit", *command)
    if not path.exists():
        skip(f"perf record does not work here: {result.err[:80]}")
    return path


def chains(calls, program):
    """The names of each call's frames in the program itself, innermost first."""
    return {tuple(f["sym"] for f in perf_script.user_frames(c) if f["dso"] == str(program))
            for c in calls}


INLINED = {"wait_a_little", "inner", "middle", "outer", "below", "compare", "at_the_end", "jumps",
           "main"}


def expect_inlined(calls, program):
    """Every way down through inlined.c, as its source has it."""
    assert len(calls) > 150
    found = {tuple(n for n in chain if n in INLINED) for chain in chains(calls, program)}
    wanted = {("wait_a_little", "inner", "compare", "main"), ("jumps", "main")}
    wanted |= {("wait_a_little", "inner", "middle", "outer", *["below"] * n, "main")
               for n in range(1, 6)}
    assert wanted <= found, (wanted - found, found)


def check_inlined(*flags, perf_stops=False):
    program = build("inlined.c", *flags)
    expect_inlined(perf_script.compare(record(program), perf_stops), program)


def test_inlined_functions():
    check_inlined()


def test_position_dependent():
    check_inlined("-no-pie")


def test_static():
    # Perf 6.1 does not find the descriptions in an executable that is linked statically.
    check_inlined("-static", perf_stops=True)


def test_static_and_position_independent():
    check_inlined("-static-pie")


def test_one_segment_for_all():
    check_inlined("-Wl,-z,noseparate-code")


def test_older_debug_information():
    check_inlined("-gdwarf-4")


def test_compressed_debug_information():
    check_inlined("-gz")


def test_frame_pointers_beside_descriptions():
    check_inlined("-fno-omit-frame-pointer")


def test_without_index_of_descriptions():
    # Perf 6.1 reads .eh_frame through .eh_frame_hdr alone.
    check_inlined("-Wl,--no-eh-frame-hdr", perf_stops=True)


def test_descriptions_among_debug_information():
    # Perf 6.1 does not look into .debug_frame of such a file, and makes up what called.
    program = build("inlined.c", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables")
    expect_inlined(perf_script.own_calls(record(program)), program)


def test_stripped():
    program = build("inlined.c", "-s")
    calls = perf_script.compare(record(program))
    assert len(calls) > 150
    # No name but of what another file may ask for; not one frame less for that.
    assert (None,) * 3 in chains(calls, program)
    assert all(len(c) > 2 for c in chains(calls, program))


def test_debug_information_in_a_file_of_its_own():
    program = build("inlined.c")
    debug = f"{program}.debug"
    for command in (["objcopy", "--only-keep-debug", program, debug],
                    ["objcopy", "--strip-all", f"--add-gnu-debuglink={debug}", program]):
        subprocess.run(command, check=True)
    expect_inlined(perf_script.compare(record(program)), program)


def test_exceptions_templates_and_lambdas():
    program = build("thrown.cxx")
    calls = perf_script.compare(record(program))
    found = chains(calls, program)
    names = {n for chain in found for n in chain if n}
    assert any(n.startswith("shop::shelf<std::__cxx11::basic_string<char") and ", 3>::take(" in n
               for n in names), names
    # The destructors wait while the exception is on its way; its handler waits once it is there.
    for function, below in (("shop::slow_to_leave::~slow_to_leave()", "shop::careless::serve(int)"),
                            ("shop::slow_to_leave::~slow_to_leave()", "shop::open("),
                            ("wait_a_little", "void shop::attempt<main::{lambda()#1}>")):
        assert any(a == function and b.startswith(below)
                   for chain in found for a, b in zip(chain, chain[1:])), (function, below, found)


def check_rust(*flags):
    program = build("traits.rs", *flags)
    calls = perf_script.compare(record(program))
    names = {n for chain in chains(calls, program) for n in chain if n}
    assert len(calls) > 50
    # What is dropped while a panic is on its way waits too; as what, the compiler decides.
    for wanted in (r"traits::wait_a_little$", r"traits::shop::open\b",
                   r"<traits::Counter<\w+> as traits::Clerk>::serve$", r"\bdrop.*SlowToLeave|"
                   r"SlowToLeave.*\bdrop\b", r"traits::main$", r"traits::main::\{.*closure"):
        assert any(re.search(wanted, name) for name in names), (wanted, names)


def test_rust():
    check_rust()


def test_rust_with_newer_names():
    check_rust("-C", "symbol-mangling-version=v0")


def test_rust_without_debug_information():
    program = build("traits.rs", "-C", "debuginfo=0")
    calls = perf_script.compare(record(program))
    assert any("traits::shop::open" in chain for chain in chains(calls, program))
