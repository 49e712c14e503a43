"""Futexes: waiters, wakers, times and deadlocks."""

import os
import re
import subprocess

from harness import (long, long_by_perf, need, need_tracing, of_type, program, run, skip, start,
                     stxtop, wait_until, watch_json)


def waits_on(objects, *addresses):
    """Return the calls of FUTEX_WAIT and FUTEX_WAIT_BITSET at the addresses."""
    return [c for c in of_type(objects, "call") if c["name"] == "futex" and
            c["args"][0]["value"] in addresses and
            int(c["args"][1]["value"], 16) & 0x7f in (0, 9)]


def blocked_cycle(name, threads, *arguments):
    """Start a program whose threads all block; return it and [(comm, tid, uaddr, owner)]."""
    process = start(program(name), *arguments, stdout=subprocess.PIPE, text=True)
    said = [process.stdout.readline().split() for _ in range(threads)]
    cycle = {(comm, int(tid), int(uaddr, 16), int(owner)) for comm, tid, uaddr, owner in said}

    def stuck():
        for _, tid, uaddr, _ in cycle:
            with open(f"/proc/{tid}/syscall") as file:
                fields = file.read().split()
            if fields[0] != "202" or int(fields[1], 16) != uaddr:
                return False
        return True

    wait_until(stuck, what="all threads blocked")
    return process, cycle


def cycle_of(deadlock):
    return {(t["comm"], t["tid"], int(t["uaddr"], 16), t["owner"]) for t in deadlock["threads"]}


def check_cycle(name, threads, *arguments, processes=False):
    need_tracing()
    process, cycle = blocked_cycle(name, threads, *arguments)
    pids = [tid for _, tid, _, _ in cycle] if processes else [process.pid]
    objects, _ = watch_json("-s", "-p", ",".join(map(str, pids)), "--for", "0.4")
    deadlocks = of_type(objects, "deadlock")
    assert [cycle_of(d) for d in deadlocks] == [cycle], (deadlocks, cycle)
    # Each thread is followed by the owner of its lock.
    order = deadlocks[0]["threads"]
    assert all(t["owner"] == order[(i + 1) % threads]["tid"] for i, t in enumerate(order)), order
    waiters = {int(f["uaddr"], 16): f["waiters"] for f in objects[-1]["futexes"]}
    assert all(waiters[uaddr] == 1 for _, _, uaddr, _ in cycle), waiters


def test_existing_abba_deadlock_is_found():
    check_cycle("abba", 2)


def test_existing_deadlock_of_three_is_found():
    check_cycle("three_cycle", 3)


def test_existing_deadlock_of_processes_is_found():
    check_cycle("abba_processes", 2, processes=True)


@long
def test_deadlocks_by_joins_and_other_locks_are_found():
    for kind in ("join", "rwlock", "robust", "timed"):
        check_cycle("cycles", 2, kind)


@long
def test_waits_without_an_owner_are_not_a_deadlock():
    need_tracing()
    process = start(program("cycles"), "none", stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "all wait\n"
    def stuck():
        return len([t for t in os.listdir(f"/proc/{process.pid}/task")
                    if open(f"/proc/{process.pid}/task/{t}/syscall").read(3) == "202"]) == 8
    wait_until(stuck, what="all threads blocked")
    objects, _ = watch_json("-s", "-p", process.pid, "--for", "1.5")
    assert not of_type(objects, "deadlock"), of_type(objects, "deadlock")
    assert sum(f["waiters"] for f in objects[-1]["futexes"]) == 8, objects[-1]["futexes"]


def test_a_summary_in_text_has_futexes_and_deadlocks():
    need_tracing()
    process, cycle = blocked_cycle("abba", 2)
    lines = stxtop("-s", "-p", process.pid, "--for", "0.4").out.splitlines()
    table = lines[lines.index("futexes by total wait time") + 3:]
    rows = [line.split() for line in table[:table.index("")]]
    found = {(row[0], int(row[1], 16), row[5], row[6]) for row in rows}
    locks = sorted(uaddr for _, _, uaddr, _ in cycle)
    who = f"abba/{process.pid}"
    # Both locks are in one array: the name of the second has its offset from the first.
    for uaddr, name in zip(locks, ("locks", f"locks+{locks[1] - locks[0]:#x}")):
        assert (who, uaddr, "1", name) in found, (found, locks)
    assert lines[-1].startswith("deadlock: cycle-"), lines[-1]


def test_deadlock_in_another_pid_namespace_is_found():
    """The lock words hold tids of that namespace, which belong to other threads here."""
    need_tracing()
    need("unshare")
    if run("unshare", "-p", "-f", "true").status:
        skip("no pid namespace can be created here")
    outer = start("unshare", "-p", "-f", "--kill-child", program("abba"),
                  stdout=subprocess.PIPE, text=True)
    said = [outer.stdout.readline().split() for _ in range(2)]
    assert {int(tid) for _, tid, _, _ in said} == {2, 3}, said
    with open(f"/proc/{outer.pid}/task/{outer.pid}/children") as file:
        pid = int(file.read())
    tids = wait_until(lambda: [t for t in os.listdir(f"/proc/{pid}/task")
                               if open(f"/proc/{pid}/task/{t}/comm").read().startswith("cycle-")
                               and open(f"/proc/{pid}/task/{t}/syscall").read(3) == "202"][1:] and
                      set(os.listdir(f"/proc/{pid}/task")) - {str(pid)}, what="both blocked")
    objects, _ = watch_json("-s", "-p", pid, "--for", "0.4")
    deadlocks = of_type(objects, "deadlock")
    assert len(deadlocks) == 1, deadlocks
    assert {t["tid"] for t in deadlocks[0]["threads"]} == {int(t) for t in tids}
    assert {t["owner"] for t in deadlocks[0]["threads"]} == {int(t) for t in tids}


@long_by_perf
def test_a_deadlock_is_reported_while_watching():
    need_tracing()
    objects, _ = watch_json("--", "timeout", "4", program("abba"), status=124)
    deadlocks = of_type(objects, "deadlock")
    assert len(deadlocks) == 1, deadlocks
    assert {t["comm"] for t in deadlocks[0]["threads"]} == {"cycle-0", "cycle-1"}
    # The deadlock is reported while the threads are stuck: before the program and its calls end.
    ends = [o for o in objects if o["type"] == "call" and o["comm"] == "cycle-0"][-1]
    assert objects.index(deadlocks[0]) < objects.index(ends)


def test_a_deadlock_is_a_line_of_text():
    need_tracing()
    process, cycle = blocked_cycle("abba", 2)
    result = stxtop("-S", "-p", process.pid, "--for", "0.4")
    lines = [line for line in result.out.splitlines() if line.startswith("deadlock: ")]
    assert len(lines) == 1, result.out
    found = re.findall(r"(\S+)/(\d+) waits for (0x[0-9a-f]+) held by (\S+)/(\d+)", lines[0])
    assert {(c, int(t), int(u, 16), int(o)) for c, t, u, _, o in found} == cycle, lines


@long
def test_contended_lock_is_not_a_deadlock():
    need_tracing()
    objects, _ = watch_json("-s", "--", program("contention"), "2.5")
    assert not of_type(objects, "deadlock")
    # A lock that is held for longer than the interval of detection is not a deadlock.
    objects, _ = watch_json("-s", "--", program("lock_holder"), "2", "900",
                            stdout=open("/dev/null", "w"))
    assert not of_type(objects, "deadlock")


def test_totals_of_a_lock_equal_its_waits():
    need_tracing()
    # Retry: the program measures more than its calls; on a busy machine, much more.
    for attempt in range(3):
        objects, result = watch_json("--", program("lock_holder"), "5", "20")
        uaddr, holder, waiter, waited = result.out.split()
        futexes = [f for f in objects[-1]["futexes"] if f["uaddr"] == uaddr]
        assert len(futexes) == 1, objects[-1]["futexes"]
        futex = futexes[0]
        calls = waits_on(objects, uaddr)
        assert {c["tid"] for c in calls} == {int(waiter)}
        assert futex["waits"] == len(calls) and futex["waits"] >= 5, futex
        assert futex["total"] == sum(c["dur"] for c in calls)
        assert futex["max"] == max(c["dur"] for c in calls)
        assert futex["waiters"] == 0
        assert [(w["tid"], w["comm"]) for w in futex["wakers"]] == [(int(holder), "holder")]
        assert futex["wakers"][0]["count"] == len([c for c in calls if c["errno"] is None])
        for call in calls:
            if call["errno"] is None:
                assert call["waker"]["tid"] == int(holder), call
                assert call["waker"]["comm"] == "holder", call
        if abs(futex["total"] - int(waited)) < 1e6:
            return
    raise AssertionError((futex["total"], int(waited)))


def test_a_waker_is_inferred_without_wakeups():
    need_tracing()
    objects, result = watch_json("-g", "off", "--", program("lock_holder"), "3", "20")
    uaddr, holder, waiter, _ = result.out.split()
    waits = [c for c in waits_on(objects, uaddr) if c["errno"] is None]
    assert len(waits) >= 3 and {c["tid"] for c in waits} == {int(waiter)}
    for call in waits:
        waker = call["waker"]
        assert waker["tid"] == int(holder) and waker["comm"] == "holder", call
        assert waker["inferred"] is True and waker["stack"] == [], call


@long_by_perf
def test_shared_memory_is_one_futex():
    need_tracing()
    # stxtop must look up the shared memory before both processes end: a busy machine needs longer.
    for rounds in (10, 50, 250):
        objects, result = watch_json("--", program("shared_futex"), rounds)
        if len([f for f in objects[-1]["futexes"] if f["uaddr"] in result.out.split()]) == 1:
            break
    parent, at_parent, child, at_child = result.out.split()
    assert at_parent != at_child
    futexes = [f for f in objects[-1]["futexes"]
               if (f["pid"], f["uaddr"]) in ((int(parent), at_parent), (int(child), at_child))]
    assert len(futexes) == 1, objects[-1]["futexes"]
    waits = waits_on(objects, at_parent, at_child)
    assert {c["pid"] for c in waits} == {int(parent), int(child)}
    assert futexes[0]["waits"] == len(waits)
    assert futexes[0]["total"] == sum(c["dur"] for c in waits)
    assert {w["tid"] for w in futexes[0]["wakers"]} == {int(parent), int(child)}, futexes
    # Ignore the first waits: they can end before their memory is looked up.
    late = [c for c in waits if c["errno"] is None][4:]
    assert late
    for call in late:
        other = int(child) if call["pid"] == int(parent) else int(parent)
        assert call["waker"]["tid"] == call["waker"]["pid"] == other, call


def test_requeued_waiters_are_woken_at_the_new_address():
    need_tracing()
    objects, result = watch_json("--", program("requeue"))
    first, second, waker = result.out.split()
    futexes = {f["uaddr"]: f for f in objects[-1]["futexes"]}
    assert futexes[first]["waits"] == 3, futexes
    assert [(w["tid"], w["count"]) for w in futexes[first]["wakers"]] == [(int(waker), 1)]
    assert futexes[second]["waits"] == 0, futexes
    assert [(w["tid"], w["count"]) for w in futexes[second]["wakers"]] == [(int(waker), 2)]
    waits = waits_on(objects, first)
    assert {c["waker"]["tid"] for c in waits} == {int(waker)}
    # One waiter continues after the requeue, the other two after the wake.
    wakes = [c["ts"] for c in of_type(objects, "call") if c["tid"] == int(waker) and
             c["name"] == "futex" and c["args"][0]["value"] == second]
    assert sorted(c["ts"] + c["dur"] > wakes[0] for c in waits) == [False, True, True], wakes


def test_same_address_in_two_processes_is_two_futexes():
    need_tracing()
    objects, result = watch_json("-s", "--", program("same_address"))
    uaddr, slow, quick = result.out.split()
    futexes = {f["pid"]: f for f in objects[-1]["futexes"] if f["uaddr"] == uaddr}
    assert set(futexes) == {int(slow), int(quick)}, futexes
    assert futexes[int(slow)]["waits"] == futexes[int(quick)]["waits"] == 3
    assert futexes[int(slow)]["total"] >= 90e6
    assert 30e6 <= futexes[int(quick)]["total"] < 90e6, futexes
    assert not futexes[int(slow)]["wakers"] and not futexes[int(quick)]["wakers"]


UNKNOWN_ADDRESS = {"waitv"} # the addresses are in memory, like the target of requeue2
CANNOT_BE_INFERRED = {"waitv", "requeue2"}


def check_operations(objects, result, inferred):
    futexes = {f["uaddr"]: f for f in objects[-1]["futexes"]}
    rounds = [line.split() for line in result.out.splitlines()]
    assert len(rounds) >= 9, rounds
    for name, one, where, waiter, waker in rounds:
        if inferred and name in CANNOT_BE_INFERRED:
            continue
        calls = [c for c in of_type(objects, "call") if c["tid"] == int(waiter) and
                 c["name"].startswith("futex") and c["dur"] and c["dur"] > 10e6]
        assert len(calls) == 1, (name, calls)
        by = calls[0]["waker"]
        assert by and (by["kind"], by["tid"]) == ("thread", int(waker)), (name, by)
        assert by.get("inferred", False) is inferred, (name, by)
        first = "0x0" if name in UNKNOWN_ADDRESS else one
        at = first if name == "requeue2" or first == "0x0" else where
        assert futexes[first]["waits"] >= 1 and futexes[first]["total"] > 10e6, name
        assert int(waker) in [w["tid"] for w in futexes[at]["wakers"]], (name, futexes[at])
        if at != first:
            assert int(waker) not in [w["tid"] for w in futexes[first]["wakers"]], name
        assert futexes[first]["name"].startswith("words" if first != "0x0" else "several"), name


def test_every_operation_has_its_waker():
    need_tracing()
    check_operations(*watch_json("--", program("futex_ops")), inferred=False)


def test_every_operation_has_its_waker_inferred():
    need_tracing()
    check_operations(*watch_json("-g", "off", "--", program("futex_ops")), inferred=True)
