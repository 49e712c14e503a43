"""Waits: blocked and runnable time, stacks and wakers."""

import os
import subprocess
import time

from harness import (ROOT, folder, long, long_by_perf, need_tracing, of_type, program, skip, start,
                     watch_json)
from unprivileged import watch_json_as_nobody

FUTEX_WAIT = 0


def symbols(frames):
    return [frame["sym"] for frame in frames]


def futex_waits(objects):
    return [c for c in of_type(objects, "call") if c["name"] == "futex" and
            c["state"] == "done" and int(c["args"][1]["value"], 16) & 0x7f == FUTEX_WAIT]


def test_the_holder_wakes_the_waiter():
    need_tracing()
    whole = 0
    # With very many wakeups, some stacks are not sampled, or their symbols come late.
    for _ in range(3):
        objects, result = watch_json("--", program("lock_holder"), "10", "20")
        uaddr, holder, waiter, _ = result.out.split()
        waits = [c for c in futex_waits(objects)
                 if c["args"][0]["value"] == uaddr and c["errno"] is None]
        assert len(waits) >= 10 and {c["tid"] for c in waits} == {int(waiter)}
        for call in waits:
            waker = call["waker"]
            assert (waker["kind"], waker["tid"]) == ("thread", int(holder)), waker
            assert waker["comm"] == "holder" and "inferred" not in waker, waker
            names = symbols(waker["stack"])
            late = [f for f in waker["stack"] + call["stack"] if f["sym"] is None and
                    (f["kind"] == "kernel" or f["dso"].endswith("/lock_holder"))]
            if not names or not call["stack"] or late:
                continue
            whole += 1
            # The frames of libc between these two may have no symbols.
            assert "futex_wake" in names and "holder" in names, names
            assert {"__schedule", "schedule"} & set(symbols(call["stack"])), call
        if whole:
            return
    skip("no complete stacks on this busy machine")


def test_times_add_up():
    need_tracing()
    objects, _ = watch_json("--", program("contention"), "0.5")
    waits = [c for c in of_type(objects, "call") if c["dur"] is not None and c["blocked"]]
    assert len(waits) > 20
    for call in waits:
        assert call["blocked"] + call["runnable"] <= call["dur"], call
    # In the remaining time, the thread enters the kernel and returns from it.
    on_cpu = sorted(c["dur"] - c["blocked"] - c["runnable"] for c in waits)
    assert on_cpu[len(on_cpu) // 2] < 1e6, on_cpu


def test_lock_held_for_20_ms_blocks_for_20_ms():
    need_tracing()
    objects, result = watch_json("--", program("lock_holder"), "20", "20")
    uaddr, holder, _, _ = result.out.split()
    waits = [c for c in futex_waits(objects)
             if c["args"][0]["value"] == uaddr and c["errno"] is None]
    assert len(waits) >= 10
    # Ignore short waits: on a busy machine, the waiter may come late.
    whole = [w for w in waits if w["blocked"] >= 19e6]
    assert len(whole) >= 3, [w["blocked"] for w in waits]
    # Blocked time ends when the holder releases the lock.
    wakes = [c["ts"] for c in of_type(objects, "call") if c["tid"] == int(holder) and
             c["name"] == "futex" and c["args"][0]["value"] == uaddr and c["ret"] == 1]
    errors = sorted(min(abs(freed - wait["ts"] - wait["blocked"]) for freed in wakes)
                    for wait in waits)
    assert errors[len(errors) // 2] <= 1e6, errors


def test_a_sleep_ends_by_its_timer():
    need_tracing()
    objects, _ = watch_json("--", program("sleeps"))
    sleeps = [c for c in of_type(objects, "call")
              if c["name"] in ("nanosleep", "poll", "select") and c["state"] == "done"]
    assert len(sleeps) == 15
    for call in sleeps:
        assert call["waker"]["kind"] == "timer" and call["waker"]["tid"] == 0, call


def test_wakers_from_outside_have_names():
    need_tracing()
    fifo = folder() / "fifo"
    os.mkfifo(fifo)
    writer = start("sh", "-c", f"while sleep 0.02; do echo x; done > {fifo}")
    objects, _ = watch_json("--", "timeout", "0.5", "cat", fifo, status=124,
                            stdout=open("/dev/null", "w"))
    reads = [c for c in of_type(objects, "call") if c["comm"] == "cat" and c["name"] == "read" and
             c["args"][0]["value"] != "0x0" and c["blocked"] > 1e7 and (c["ret"] or 0) > 0]
    assert len(reads) > 5
    for call in reads:
        waker = call["waker"]
        assert (waker["tid"], waker["comm"]) == (writer.pid, "sh"), waker
    # With very many wakeups, some stacks are not sampled.
    stacks = [c["waker"]["stack"] for c in reads if c["waker"]["stack"]]
    for stack in stacks:
        assert "pipe_write" in " ".join(s or "" for s in symbols(stack)), stack
    assert stacks


@long
def test_a_thread_blocked_before_the_start_has_a_stack():
    need_tracing()
    process = start(program("abba"), stdout=subprocess.PIPE)
    for _ in range(2):
        process.stdout.readline()
    time.sleep(0.2)
    objects, _ = watch_json("-p", process.pid, "--for", "0.5")
    calls = [c for c in of_type(objects, "call") if c["comm"].startswith("cycle-")]
    assert len(calls) == 2, calls
    for call in calls:
        assert call["state"] == "in_flight" and call["blocked"] > 0
        names = symbols(call["stack"])
        assert "__x64_sys_futex" in names, names
        assert "pthread_mutex_lock" in " ".join(n or "" for n in names), names


# A write of 300 MB that first waits for the file lock of a write of 20 MB.
BIG_WRITE = """
import os, threading, time
big, small = b"x" * (300 << 20), b"y" * (20 << 20)
fd = os.memfd_create("big")
first = threading.Thread(target=lambda: os.pwrite(fd, small, 0))
first.start()
time.sleep(0.002)
os.write(fd, big)
first.join()
"""


@long
def test_running_thread_has_a_stack_from_the_cpu():
    need_tracing()
    objects, _ = watch_json("-e", "write", "--", "python3", "-c", BIG_WRITE)
    call, = [c for c in of_type(objects, "call") if c["ret"] == 300 << 20]
    if call["blocked"] is None:
        skip("records were lost")
    ran = call["dur"] - call["blocked"] - call["runnable"]
    if ran < 20e6 or ran <= call["blocked"]:
        skip("the write waited longer than it ran")
    assert call.get("stack_of") == "running", call
    assert 0 < call["stack_after"] <= call["dur"]
    assert "vfs_write" in symbols(call["stack"]), symbols(call["stack"])
    assert not {"schedule", "__schedule"} & set(symbols(call["stack"])), symbols(call["stack"])


def test_without_stacks_there_are_no_wakers():
    need_tracing()
    objects, _ = watch_json("-g", "off", "--", program("sleeps"))
    calls = of_type(objects, "call")
    assert all(c["blocked"] is None and c["runnable"] is None and c["stack"] == []
               for c in calls)


def check_preempted(objects, tid):
    """Check that the thread's reads were preempted, not blocked; its futex call must block."""
    calls = [c for c in of_type(objects, "call") if c["tid"] == int(tid)]
    reads = [c for c in calls if c["name"] == "read" and c["args"][2]["value"] == hex(64 << 20)]
    lost = [c for c in reads if c["blocked"] is not None and c["runnable"] + c["blocked"] > 0]
    if len(lost) < 5:
        return False # the busy thread ran on another CPU
    # Reads may block on a page now and then.
    assert sum(c["blocked"] for c in lost) < sum(c["runnable"] for c in lost) / 5, lost
    wait = [c for c in calls if c["name"] == "futex" and c["errno"] == "ETIMEDOUT"]
    assert len(wait) == 1 and wait[0]["blocked"] > 90e6, wait
    return True


@long
def test_a_preempted_thread_is_not_blocked():
    need_tracing()
    for _ in range(3):
        objects, result = watch_json("--", program("preempted"))
        if check_preempted(objects, result.out):
            return
    raise AssertionError("the thread was never preempted")


@long
def test_a_preempted_thread_is_not_blocked_unprivileged():
    need_tracing()
    for paranoid in (0, 1):
        for _ in range(3):
            objects, result = watch_json_as_nobody(paranoid, program("preempted"))
            if check_preempted(objects, result.out):
                break
        else:
            raise AssertionError("the thread was never preempted")


@long_by_perf
def test_without_privilege_wakers_are_inferred():
    need_tracing()
    objects, result = watch_json_as_nobody(1, program("lock_holder"), "5", "20")
    uaddr, holder, waiter, _ = result.out.split()
    waits = [c for c in futex_waits(objects)
             if c["args"][0]["value"] == uaddr and c["tid"] == int(waiter) and c["errno"] is None]
    assert len(waits) >= 5, waits
    for call in waits:
        waker = call["waker"]
        assert (waker["kind"], waker["tid"], waker["comm"]) == ("thread", int(holder), "holder")
        assert waker["inferred"] is True and waker["stack"] == [], waker
        assert call["blocked"] > 0 and call["stack"], call
    times_out = [c for c in of_type(objects, "call") if c["comm"] == "holder" and
                 c["name"] == "clock_nanosleep"]
    assert len(times_out) == 5
    assert {c["waker"]["kind"] for c in times_out} == {"timer"}, times_out


# A neighbour keeps the CPU busy: on an idle CPU, a kernel may omit events of interrupts.
ALARM = """
import os, signal
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
neighbour = os.fork()
while not neighbour: pass
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
for _ in range(10): signal.sigwait([signal.SIGALRM])
os.kill(neighbour, signal.SIGKILL)
"""

DATAGRAM = """
import socket, threading, time
one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
one.bind(("127.0.0.1", 0))
def receive():
    for _ in range(10): one.recv(9)
thread = threading.Thread(target=receive)
thread.start()
for _ in range(10):
    time.sleep(0.02)
    one.sendto(b"x", one.getsockname())
thread.join()
"""


def handlers(objects, call):
    wakers = [c["waker"] for c in of_type(objects, "call")
              if c["name"] == call and c["blocked"] > 5e6 and c["ret"] and c["ret"] > 0]
    # Take the median: some waits have no stack, or a call of the neighbour sends the signal.
    kinds = sorted((w["kind"], w["name"], w["tid"]) for w in wakers if w and w.get("name"))
    assert len(kinds) >= 3, wakers
    return kinds[len(kinds) // 2]


@long_by_perf
def test_interrupts_have_names():
    need_tracing()
    objects, _ = watch_json("--", "python3", "-c", ALARM)
    kind, name, tid = handlers(objects, "rt_sigtimedwait")
    assert (kind, tid) == ("interrupt", 0) and "timer" in name, (kind, name)


def test_softirqs_have_names():
    need_tracing()
    objects, _ = watch_json("--", "python3", "-c", DATAGRAM)
    assert handlers(objects, "recvfrom") == ("softirq", "net_rx_action", 0)


def line_of(source, *texts):
    """Return FILE:LINE of the last text; the search for each begins at the previous one."""
    lines = (ROOT / "tests" / "live" / "programs" / source).read_text().splitlines()
    at = 0
    for text in texts:
        at = next(i for i in range(at, len(lines)) if text in lines[i])
    return f"{source}:{at + 1}"


def named_lines(calls, function):
    """Return the source lines of user frames of this function, the innermost one per stack."""
    frames = [[f for f in stack if f["sym"] == function and f["kind"] == "user"]
              for stack in calls]
    return {found[0]["src"] for found in frames if found}


def test_both_stacks_name_the_lines():
    need_tracing()
    wants = line_of("lock_holder.c", "static void *waiter", "began_ns = now_ns",
                    "pthread_mutex_lock(&lock)")
    frees = line_of("lock_holder.c", "static void *holder", "pthread_mutex_unlock(&lock)")
    # Retry: on a busy machine, symbols may be resolved too late, or the waiter may not block.
    for _ in range(3):
        objects, result = watch_json("--", program("lock_holder"), "20", "20")
        uaddr, _, waiter, _ = result.out.split()
        waits = [c for c in futex_waits(objects) if c["args"][0]["value"] == uaddr and
                 c["errno"] is None and c["tid"] == int(waiter)]
        assert len(waits) >= 10
        waiting = named_lines([c["stack"] for c in waits], "waiter") - {None}
        waking = named_lines([c["waker"]["stack"] for c in waits if c["waker"]],
                             "holder") - {None}
        if waiting and waking:
            break
    assert len(waiting) == 1 and waiting.pop().endswith(wants), (waiting, wants)
    assert len(waking) == 1 and waking.pop().endswith(frees), (waking, frees)
