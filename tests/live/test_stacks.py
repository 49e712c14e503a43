"""Stacks and symbols compared with perf script, on one recording for each kind of program."""

import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import harness
import perf_script
from harness import (LIMIT_S, ROOT, STXTOP, folder, long, long_by_perf, need, need_tracing, run,
                     skip, start, wait_until, watch_json)

SOURCES = ROOT / "tests" / "live" / "programs" / "stacks"
AT_ONCE = 2
C_FLAGS = ["-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra"]


def build(source, *flags):
    """Compile a program of SOURCES for one test; flags come last."""
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
    # Prefer Debian's rustc: the one in PATH may be a launcher without a compiler.
    return "/usr/bin/rustc" if os.path.exists("/usr/bin/rustc") else need("rustc")


def together(*comparisons):
    """Run several comparisons at the same time: each mostly waits."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        begun = [(comparison, pool.submit(comparison)) for comparison in comparisons]
    for comparison, result in begun:
        try:
            result.result()
        except AssertionError as wrong:
            raise AssertionError(f"{comparison.__name__}: {wrong}") from wrong


def recorder(path):
    need("perf")
    need_tracing()
    # The rings hold all records: lost stacks could not be compared.
    return ["perf", "record", "-q", "-k", "CLOCK_MONOTONIC", "-m", "8M", "-o", path,
            "-e", "sched:sched_switch/call-graph=dwarf,stack-size=8192/",
            "-e", "raw_syscalls:sys_enter", "-e", "raw_syscalls:sys_exit"]


def record(*command):
    path = folder() / "perf.data"
    result = run(*recorder(path), *command)
    if not path.exists():
        skip(f"perf record does not work here: {result.err[:80]}")
    return path


def chains(calls, program):
    """Return the names of each call's frames in the program itself, innermost first."""
    return {tuple(f["sym"] for f in perf_script.user_frames(c) if f["dso"] == str(program))
            for c in calls}


INLINED = {"wait_a_little", "inner", "middle", "outer", "below", "compare", "at_the_end", "jumps",
           "main"}


def expect_inlined(calls, program):
    """Assert that every path through the source of inlined.c is found."""
    assert len(calls) > 100
    found = {tuple(n for n in chain if n in INLINED) for chain in chains(calls, program)}
    wanted = {("wait_a_little", "inner", "compare", "main"), ("jumps", "main")}
    wanted |= {("wait_a_little", "inner", "middle", "outer", *["below"] * n, "main")
               for n in range(1, 6)}
    assert wanted <= found, (wanted - found, found)


def check_inlined(*flags, perf_stops=False):
    program = build("inlined.c", *flags)
    expect_inlined(perf_script.compare(record(program), perf_stops), program)


def compare_inlined_functions():
    check_inlined()


def compare_position_dependent():
    check_inlined("-no-pie")


def compare_static():
    # perf 6.1 does not find the unwind tables of a static executable.
    check_inlined("-static", perf_stops=True)


def compare_static_and_position_independent():
    check_inlined("-static-pie")


def compare_one_segment_for_all():
    check_inlined("-Wl,-z,noseparate-code")


def compare_older_debug_information():
    check_inlined("-gdwarf-4")


def compare_compressed_debug_information():
    check_inlined("-gz")


def compare_frame_pointers_beside_descriptions():
    check_inlined("-fno-omit-frame-pointer")


def compare_without_index_of_descriptions():
    # perf 6.1 finds .eh_frame only through .eh_frame_hdr.
    check_inlined("-Wl,--no-eh-frame-hdr", perf_stops=True)


def compare_descriptions_among_debug_information():
    # perf 6.1 does not read .debug_frame here and invents callers: do not compare with it.
    program = build("inlined.c", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables")
    expect_inlined(perf_script.own_calls(record(program)), program)


def compare_stripped():
    program = build("inlined.c", "-s")
    calls = perf_script.compare(record(program))
    assert len(calls) > 150
    # Only dynamic symbols have names; frames without a name are not omitted.
    assert (None,) * 3 in chains(calls, program)
    # Calls other than poll may have been interrupted elsewhere.
    polls = chains([c for c in calls if c["name"] == "poll"], program)
    assert all(len(chain) > 2 for chain in polls), polls


def compare_debug_information_in_a_file_of_its_own():
    program = build("inlined.c")
    debug = f"{program}.debug"
    for command in (["objcopy", "--only-keep-debug", program, debug],
                    ["objcopy", "--strip-all", f"--add-gnu-debuglink={debug}", program]):
        subprocess.run(command, check=True)
    expect_inlined(perf_script.compare(record(program)), program)


@long
def test_stacks_of_c_programs_equal_perf():
    together(compare_inlined_functions, compare_position_dependent, compare_static,
             compare_static_and_position_independent, compare_one_segment_for_all,
             compare_older_debug_information, compare_compressed_debug_information,
             compare_frame_pointers_beside_descriptions, compare_without_index_of_descriptions,
             compare_descriptions_among_debug_information, compare_stripped,
             compare_debug_information_in_a_file_of_its_own)


def compare_exceptions_templates_and_lambdas():
    program = build("thrown.cxx")
    calls = perf_script.compare(record(program))
    found = chains(calls, program)
    names = {n for chain in found for n in chain if n}
    assert any(n.startswith("shop::shelf<std::__cxx11::basic_string<char") and ", 3>::take(" in n
               for n in names), names
    # Destructors wait while the exception unwinds the stack; the handler waits after that.
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
    # Drop functions wait while a panic unwinds the stack; the compiler chooses their names.
    for wanted in (r"traits::wait_a_little$", r"traits::shop::open\b",
                   r"<traits::Counter<\w+> as traits::Clerk>::serve$", r"\bdrop.*SlowToLeave|"
                   r"SlowToLeave.*\bdrop\b", r"traits::main$", r"traits::main::\{.*closure"):
        assert any(re.search(wanted, name) for name in names), (wanted, names)


def compare_rust():
    check_rust()


def compare_rust_with_newer_names():
    check_rust("-C", "symbol-mangling-version=v0")


def compare_rust_without_debug_information():
    program = build("traits.rs", "-C", "debuginfo=0")
    calls = perf_script.compare(record(program))
    assert any("traits::shop::open" in chain for chain in chains(calls, program))


@long
def test_stacks_of_rust_programs_equal_perf():
    together(compare_rust, compare_rust_with_newer_names, compare_rust_without_debug_information)


def compare_signals_stubs_and_every_instruction():
    program = build("stepped.c", "-Wl,-z,lazy")
    calls = perf_script.compare(record(program))
    expect_stepped(calls, program)


def expect_stepped(calls, program):
    found = chains(calls, program)
    # Signals interrupt `through` at each instruction, and its PLT stubs. All frames have callers.
    below = {c[c.index("wait_in_handler") + 1:] for c in found if "wait_in_handler" in c}
    assert ("through", "main", "_start") in below, below
    assert {c[0] for c in below} >= {"through", "getpgid@plt", "getppid@plt"}, below
    assert all(c[-2:] == ("main", "_start") for c in below), below
    # Some signals interrupted the vDSO, which the function calls to read the clock.
    assert any(f["dso"] == "[vdso]" and f["sym"] for c in calls
               for f in perf_script.user_frames(c))
    offsets = {f["off"] for call in calls for f in perf_script.user_frames(call)
               if f["sym"] == "through"}
    assert len(offsets) > 30, offsets


def compare_signals_on_a_stack_of_their_own():
    # The sample has only bytes of the signal stack: both tools end at the interrupted frame.
    program = build("stepped.c", "-Wl,-z,lazy")
    calls = perf_script.compare(record(program, "own"))
    assert any("getppid@plt" in chain for chain in chains(calls, program))


def compare_depths_callbacks_and_handlers():
    program_path = harness.program("deep_waits")
    calls = perf_script.compare(record(program_path))
    found = chains(calls, program_path)
    for depth in range(1, 8):
        assert ("ask", *["go_down"] * depth, "main", "_start") in found, (depth, found)
    assert ("ask", "by_waiting", "main", "_start") in found, found
    assert ("on_signal", "main", "_start") in found, found


def compare_generated_code():
    program = build("generated.c")
    path = record(program)
    try:
        # perf 6.1 does not unwind from code without a file.
        calls = perf_script.compare(path, perf_stops=True)
    finally:
        for pid in {m.pid for m in perf_script.mappings(path)}:
            pathlib.Path(f"/tmp/perf-{pid}.map").unlink(missing_ok=True)
    expect_generated(calls, program)


def is_guessed(call):
    """True if frames are guessed: of calls in flight at the start, /proc has only two registers."""
    return any(f.get("guessed") for f in call["stack"])


def expect_generated(calls, program):
    found = {tuple(f["sym"] for f in perf_script.user_frames(c)
                   if f["dso"] == str(program) or f["dso"] in perf_script.GENERATED)
             for c in calls if c["name"] == "poll" and not is_guessed(c)}
    assert found == {("wait_below", "made inner(int)", "made_outer", "main", "_start")}, found


@long
def test_stacks_of_exceptions_signals_and_jit_equal_perf():
    together(compare_exceptions_templates_and_lambdas, compare_signals_stubs_and_every_instruction,
             compare_signals_on_a_stack_of_their_own, compare_depths_callbacks_and_handlers,
             compare_generated_code)


# -- Changes of mappings ---------------------------------------------------------------------

def libraries_to_load():
    """Build two libraries with different code at the same offset; return [(file, function)]."""
    return [(build("library.c", "-shared", "-fPIC", f"-DWAIT={name}", f'-DROOM="{room}"'), name)
            for name, room in (("wait_early", 16), ("wait_late", 4000))]


def expect_loaded(calls, loaded, program):
    """Assert that frames in a library have the name of its function or none. Return the counts."""
    counts = collections.Counter()
    for file, function in loaded:
        names = [f["sym"] for c in calls for f in perf_script.user_frames(c)
                 if f["dso"] == str(file)]
        assert set(names) <= {function, None}, (file, names)
        counts[function] = names.count(function)
    assert all("main" in chain for chain in chains(calls, program) if "wait_in" in chain)
    return counts


@long
def test_unloaded_libraries_keep_their_symbols():
    loaded = libraries_to_load()
    program = build("changes.c")
    calls = perf_script.compare(record(program, "load", *sum(loaded * 2, ())))
    assert min(expect_loaded(calls, loaded, program).values()) >= 9


def test_unloaded_libraries_keep_their_symbols_live():
    need_tracing()
    loaded = libraries_to_load()
    program = build("changes.c")
    calls, _ = watch_json("-g", "dwarf", "--", program, "load", *sum(loaded * 2, ()))
    calls = [c for c in calls if c["type"] == "call"]
    # The process ends long before all symbols are read: on a busy machine, some are missing. If the
    # second library had replaced the first in the model, all symbols of the first would be missing.
    assert expect_loaded(calls, loaded, program)["wait_early"] >= 5


def programs_to_become():
    """Build one program twice, the second time with other names and addresses of functions."""
    return [build("inlined.c"),
            build("inlined.c", "-O1", "-Dmiddle=other_middle", "-Douter=other_outer")]


def expect_reused(calls, programs):
    first, second = ({n for chain in chains(calls, p) for n in chain} for p in programs)
    assert {"middle", "outer", "main"} <= first and "other_outer" not in first, first
    assert {"other_middle", "other_outer", "main"} <= second and "outer" not in second, second


@long
def test_reused_pid_has_its_own_mappings():
    programs = programs_to_become()
    program = build("changes.c")
    # perf 6.1 mixes up the mappings of the two programs: do not compare with it.
    calls = perf_script.own_calls(record(program, "reuse", *programs))
    by_program = [{c["pid"] for c in calls if any(f["dso"] == str(p) for f in c["stack"])}
                  for p in programs]
    if not any(by_program):
        skip("clone3() with a chosen pid does not work here")
    assert by_program[0] == by_program[1] and len(by_program[0]) == 1, by_program
    expect_reused(calls, programs)


def test_exec_replaces_the_mappings_live():
    need_tracing()
    program_path, other = build("changes.c"), build("inlined.c")
    calls, _ = watch_json("-g", "dwarf", "--", program_path, "exec", other)
    calls = [c for c in calls if c["type"] == "call" and perf_script.user_frames(c)]
    expect_inlined(calls, other)
    assert any("main" in chain for chain in chains(calls, program_path))


@long
def test_reused_pid_has_its_own_mappings_live():
    need_tracing()
    programs = programs_to_become()
    calls, result = watch_json("-g", "dwarf", "--", build("changes.c"), "reuse", *programs,
                               status=None)
    if result.status == 77:
        skip("clone3() with a chosen pid does not work here")
    assert result.status == 0, result.err
    expect_reused([c for c in calls if c["type"] == "call"], programs)


@long
def test_exec_replaces_the_mappings():
    program, other = build("changes.c"), build("inlined.c")
    # With some address layouts, perf 6.1 mixes up the mappings of the two programs.
    calls = perf_script.own_calls(record(program, "exec", other))
    expect_inlined(calls, other)
    assert any("main" in chain for chain in chains(calls, program))


# -- Live ------------------------------------------------------------------------------------

def live(program, *command, then=None, number=250):
    """
    Watch one running process with stxtop and perf record; return perf's file and stxtop's calls.
    The process keeps running, so that perf script can read its files. then(): called once the
    process runs, before the tracers start.
    """
    need_tracing()
    folder_path = folder()
    process = start(*(command or [program, "forever"]))
    wait_until(lambda: is_running(process.pid, os.path.basename(program)), what="the process")
    if then:
        then()
    control, answer = folder_path / "control", folder_path / "answer"
    for fifo in (control, answer):
        os.mkfifo(fifo)
    # -d: records of data mappings, which may hold unwind tables.
    perf = start(*recorder(folder_path / "perf.data"), "-d", "-p", process.pid,
                 f"--control=fifo:{control},{answer}")
    with open(control, "w") as to_perf, open(answer) as from_perf:
        to_perf.write("ping\n")
        to_perf.flush()
        assert from_perf.readline().startswith("ack")
        out = folder_path / "out.json"
        watcher = start(STXTOP, "--json", "-g", "dwarf", "-w", out, "-p", process.pid)
        wait_until(lambda: out.exists(), what="the first lines")
        with open(out) as lines:
            seen = []
            # Each line is read only once: lines are long, and this test should add little load.
            wait_until(lambda: seen.extend(line for line in lines if '"kind":"user"' in line and
                                           '"stack_earlier"' not in line) or len(seen) > number,
                       limit=LIMIT_S, what=f"{number} calls with stacks")
        for watching in (watcher, perf):
            watching.send_signal(signal.SIGINT)
            watching.wait(LIMIT_S)
    calls = [json.loads(line) for line in out.read_text().splitlines()]
    return folder_path / "perf.data", [c for c in calls if c["type"] == "call" and
                                       c["pid"] == process.pid and perf_script.user_frames(c)]


def is_running(pid, name):
    """True if the process runs this program; some kernels give a memfd program another comm."""
    try:
        return (pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == name[:15] or
                os.readlink(f"/proc/{pid}/exe") == f"/memfd:{name} (deleted)")
    except OSError:
        return False


@long_by_perf
def test_live_stacks_equal_perf():
    program = build("inlined.c")
    path, calls = live(program)
    assert len(perf_script.compare(path, live=calls)) > 50
    expect_inlined(calls, program)


@long
def test_program_in_a_mount_namespace_has_symbols():
    # The path exists only in the namespace. perf enters it, but addr2line does not.
    if run(need("unshare"), "-m", "true").status:
        skip("no mount namespace can be created here")
    built = build("inlined.c")
    room = folder()
    program = room / "inlined"
    path, calls = live(program, need("unshare"), "-m", "sh", "-c",
                       f"cp {built} /dev/shm/inlined.$$ && mount -t tmpfs none {room} &&"
                       f"mv /dev/shm/inlined.$$ {program} && exec {program} forever")
    assert not program.exists()
    assert len(perf_script.compare(path, live=calls, inlined=False)) > 50
    expect_inlined(calls, program)


@long
def test_program_in_a_chroot_has_symbols():
    """The program, its loader and its library have other paths outside the chroot."""
    built = build("inlined.c")
    room = folder()
    for file in [built, *libraries(built)]:
        below = room / str(file).lstrip("/")
        below.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, below)
    os.rename(f"{room}{built}", room / "inlined")
    _, calls = live(built, need("chroot"), room, "/inlined", "forever")
    expect_inlined(calls, room / "inlined")
    assert any(f["dso"].startswith(f"{room}/") and f["sym"] and "qsort" in f["sym"]
               for c in calls for f in perf_script.user_frames(c))


def libraries(program):
    text = run("ldd", program).out
    return re.findall(r"(/\S+) \(0x", text)


@long
def test_deleted_executable_has_symbols():
    program = build("inlined.c")
    # perf cannot read the deleted file.
    _, calls = live(program, then=program.unlink)
    expect_inlined(calls, f"{program} (deleted)")


@long
def test_replaced_executable_has_its_old_symbols():
    program, other = build("inlined.c"), build("stepped.c")

    def replace():
        program.unlink()
        shutil.copy(other, program)

    # perf reads the new file, which has other functions at the same addresses.
    _, calls = live(program, then=replace)
    expect_inlined(calls, f"{program} (deleted)")


FROM_MEMORY = """
import os, sys
fd = os.memfd_create(os.path.basename(sys.argv[1]))
with open(sys.argv[1], "rb") as file:
    os.write(fd, file.read())
os.execve(fd, [sys.argv[1], "forever"], os.environ)
"""


@long
def test_program_in_a_memfd_has_symbols():
    # perf treats code in a memfd as generated code.
    program = build("inlined.c")
    _, calls = live(program, sys.executable, "-c", FROM_MEMORY, program)
    expect_inlined(calls, f"/memfd:{program.name} (deleted)")


def check_generated(*arguments, shown="[anon]"):
    program = build("generated.c")
    pid = None
    try:
        _, calls = live(program, program, *arguments)
        pid = calls[0]["pid"]
    finally:
        if pid:
            pathlib.Path(f"/tmp/perf-{pid}.map").unlink(missing_ok=True)
    for call in calls:
        for frame in perf_script.user_frames(call):
            if frame["dso"] == shown:
                frame["dso"] = perf_script.GENERATED[0]
    expect_generated(calls, program)


@long
def test_generated_code_has_symbols_live():
    check_generated("forever")


@long
def test_generated_code_in_a_memfd_has_symbols():
    check_generated("in-memory", shown="/memfd:made (deleted)")


def holds_map(stxtop, pid):
    """True if stxtop has the perf map of the process open."""
    with contextlib.suppress(FileNotFoundError):
        for fd in os.listdir(f"/proc/{stxtop}/fd"):
            with contextlib.suppress(FileNotFoundError):
                if os.readlink(f"/proc/{stxtop}/fd/{fd}").endswith(f"/perf-{pid}.map"):
                    return True
    return False


@long
def test_recorded_generated_code_keeps_its_symbols():
    """The process and its perf map are gone before the recording ends."""
    need_tracing()
    program, data = build("generated.c"), folder() / "data"
    generated = start(program, "forever")
    perf_map = pathlib.Path(f"/tmp/perf-{generated.pid}.map")
    try:
        stxtop = start(STXTOP, "-s", "-w", "/dev/null", "-o", data, "-e", "poll", "-p",
                       generated.pid)
        wait_until(lambda: holds_map(stxtop.pid, generated.pid), LIMIT_S, "the perf map")
    finally:
        perf_map.unlink(missing_ok=True)
        generated.kill()
    assert stxtop.wait(LIMIT_S) == 0
    calls = [c for c in harness.of_type(watch_json("-i", data)[0], "call") if c["stack"]]
    names = {tuple(f["sym"] for f in c["stack"] if (f["sym"] or "").startswith("made")
                   or not f["dso"].startswith("/"))[-2:] for c in calls}
    assert calls and ("made inner(int)", "made_outer") in names, names


@long
def test_stacks_of_signals_and_the_vdso_equal_perf_live():
    program = build("stepped.c", "-Wl,-z,lazy")
    path, calls = live(program, number=600)
    expect_stepped(perf_script.compare(path, live=calls), program)


def check_left_leader(objects):
    """The waiting call has a named descriptor and a named stack; so has each busy read."""
    reads = [o for o in harness.of_type(objects, "call") if o["name"] == "read"]
    waiting = [o for o in reads if o["state"] == "in_flight" and any(
        frame["sym"] == "waits_without_leader" for frame in o["stack"])]
    assert len(waiting) == 1, reads
    busy = [o for o in reads if o["tid"] != waiting[0]["tid"]]
    assert busy, reads
    for o in waiting + busy[-1:]:
        number = o["args"][0]["text"].split("<")[0]
        target = os.readlink(f"/proc/{o['tid']}/fd/{number}")
        assert o["args"][0]["text"] == f"{number}<{target}>", (o["args"][0], target)


def test_a_process_is_read_without_its_first_thread():
    need_tracing()
    process = start(harness.program("left_leader"))
    wait_until(lambda: harness.state_of(process.pid) == "Z", what="exit of the first thread")
    path = folder() / "left.data"
    target = ["-y", "-g", "dwarf", "-p", process.pid, "--for", "0.5"]
    record = start(STXTOP, "-o", path, *target)
    check_left_leader(watch_json(*target)[0])
    assert record.wait(LIMIT_S) == 0
    check_left_leader(watch_json("-y", "-g", "dwarf", "-i", path)[0])
