"""The contract of --json: every object with its fields, types and values. Uses no stxtop code.

A shape is a dict of fields ('name?' is optional), a list with the shape of its members, a tuple of
alternative shapes, a set of words, a value, or a function that returns what is wrong.
"""

import json
import re

MAX = {"natural": 1 << 64, "thread": 1 << 22, "cpu": 1 << 16, "short": 1 << 32}
# Characters that move the cursor, or hide or reorder text.
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
                    "\ufff9-\ufffb\ud800-\udfff]")


def whole(kind):
    def wrong(value):
        if type(value) is not int or not 0 <= value < MAX[kind]:
            return f"is not a whole number of the kind {kind}"
        return None
    return wrong


def signed(value):
    return None if type(value) is int and -1 << 63 <= value < 1 << 63 else "is not a number"


def seconds(value):
    return None if type(value) is float and value >= 0 else "is not a number of seconds"


def text(value):
    if not isinstance(value, str):
        return "is not text"
    return "is not safe text" if UNSAFE.search(value) else None


def matching(pattern):
    def wrong(value):
        found = isinstance(value, str) and re.fullmatch(pattern, value)
        return None if found else f"is not like {pattern}"
    return wrong


TIME = COUNT = whole("natural")
TID = whole("thread")
HEX = matching("0x(0|[1-9a-f][0-9a-f]{0,15})")
# Names with an underscore are internal errors of the kernel, for calls that it will restart.
ERRNO = matching("E[A-Z0-9_]+|[1-9][0-9]*")
ERRNOS = {ERRNO: COUNT}
FLAG = (True, False)

CONTAINER = {"runtime": text, "id": (None, text), "pod": (None, text)}
OWNER = {"cgroup?": text, "container?": CONTAINER}
FRAME = {"ip": HEX, "sym": (None, text), "off": COUNT, "dso": text, "kind": {"kernel", "user"},
         "src": (None, matching(r".+:\d+")), "inlined": FLAG, "guessed?": True,
         "cut?": True}
ARG = {"name": text, "value": HEX, "text": text,
       "from": {"register", "kernel", "stack", "image", "late"}}
WAKER = {"kind": {"thread", "timer", "interrupt", "softirq"}, "name?": (None, text), "pid": TID,
         "tid": TID, "comm": text, "stack": [FRAME], "stack_earlier?": True, "inferred?": True}
TIMES = {"timed?": COUNT, **dict.fromkeys(("min", "max", "p50", "p95", "p99"), (None, TIME))}
SYSCALL = {"nr": whole("short"), "name": text, "calls": COUNT, "errors": COUNT, "total": TIME,
           **TIMES, "stddev": (None, TIME),
           "blocked?": TIME, "waits_unknown?": COUNT, "errnos": ERRNOS}
PROCESS = {"pid": TID, "comm": text, "calls": COUNT, "errors": COUNT, "timed?": COUNT,
           "total": TIME,
           "blocked?": TIME, "waits_unknown?": COUNT, "syscalls": [SYSCALL]}
FUTEX = {"pid": TID, "uaddr": HEX, "name": (None, text), "waits": COUNT, "total": TIME,
         "timed?": COUNT, "max": (None, TIME), "waiters": whole("short"),
         "wakers": [{"tid": TID, "comm": text, "count": COUNT}]}
SIDE = {"calls": COUNT, "errors": COUNT, "total": TIME, **TIMES, "histogram": [COUNT]}
FILE = {"file": text, "seconds": seconds, "calls": COUNT, "lost": COUNT}
ADVICE = {"setting": (None, text), "program": (None, text)}

OBJECTS = {
    "call": {"ts": TIME, "seeded?": True, "dur": (None, TIME), "age?": TIME, "pid": TID,
             "tid": TID, "comm": text, "ns_pid?": TID, **OWNER, "cpu": whole("cpu"),
             "nr": whole("short"), "name": text,
             "args": [ARG], "ret": (None, signed), "errno": (None, ERRNO), "ret_text": text,
             "state": {"done", "in_flight", "orphan"}, "blocked": (None, TIME),
             "runnable": (None, TIME), "stack": [FRAME], "stack_earlier?": True,
             "stack_found?": True, "stack_of?": {"running", "preempted"},
             "stack_after?": TIME,
             "waker": (None, WAKER)},
    "event": {"ts": TIME, "pid": TID, "tid": TID, "comm": text, **OWNER, "cpu": whole("cpu"),
              "name": text, "text": (None, text)},
    "lost": {"ts": TIME, "cpu": whole("cpu"), "count": COUNT, "counted?": True, "beside?": True,
             "events?": True},
    "deadlock": {"threads": [{"tid": TID, "comm": text, "uaddr": HEX, "owner": TID}]},
    "summary": {"source": {"bpf", "perf", "recording"}, "calls": COUNT, "lost": COUNT,
                "exact": FLAG, "waits_unknown?": COUNT, "started": TIME, "ended": TIME,
                "processes": [PROCESS],
                "threads?": [{"tid": TID, **PROCESS}], "syscalls?": [SYSCALL],
                "futexes": [FUTEX], "events?": [{"name": text, "count": COUNT}],
                "events_lost?": COUNT},
    "change": {"comm": (None, text), "nr": whole("short"), "name": text, "a": (None, SIDE),
               "b": (None, SIDE),
               "changes": [{"slower", "faster", "more calls", "fewer calls", "new", "gone",
                            "newly failing", "failing more often"}],
               "new_errnos": ERRNOS},
    "comparison": {"a": FILE, "b": FILE},
    "access": {"enough": FLAG, **ADVICE, "note": (None, text),
               "rows": [{"id": text, "works": FLAG, "what": text, "why": (None, text), **ADVICE}],
               "probes": [{"wanted": text, "probes": (None, text)}]},
}


# ---- shapes ----

def mistakes(value, shape, where):
    """Yield a sentence for each part of the value that does not match the shape."""
    if isinstance(shape, dict):
        yield from mistakes_of_object(value, shape, where)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{where} is not an array: {value!r:.80}"
            return
        for index, member in enumerate(value):
            yield from mistakes(member, shape[0], f"{where}[{index}]")
    elif isinstance(shape, tuple):
        found = [list(mistakes(value, one, where)) for one in shape]
        if all(found):
            yield found[-1][0]
    elif isinstance(shape, set):
        if value not in shape:
            yield f"{where} is none of {sorted(shape)}: {value!r:.80}"
    elif callable(shape):
        wrong = shape(value)
        if wrong:
            yield f"{where} {wrong}: {value!r:.80}"
    elif value is not shape:
        yield f"{where} is not {shape}: {value!r:.80}"


def mistakes_of_object(value, shape, where):
    if not isinstance(value, dict):
        yield f"{where} is not an object: {value!r:.80}"
        return
    names = {name.rstrip("?"): one for name, one in shape.items() if not callable(name)}
    for name in shape:
        if not callable(name) and not name.endswith("?") and name not in value:
            yield f"{where} has no {name}"
    for name, member in value.items():
        if name in names:
            yield from mistakes(member, names[name], f"{where}.{name}")
            continue
        for key, one in shape.items():
            if callable(key) and not key(name):
                yield from mistakes(member, one, f"{where}.{name}")
                break
        else:
            yield f"{where} has an unknown field {name}"


# ---- claims about several fields ----

# Prefixes of symbols in .sched.text, which /proc/PID/stack omits at the top.
SCHEDULER = ("__schedule", "schedule", "io_schedule", "preempt_schedule", "__cond_resched",
             "__wait_on_bit", "out_of_line_wait_on_bit", "bit_wait", "__wait_for_common",
             "wait_for_completion", "__mutex_lock", "mutex_lock", "__ww_mutex_lock",
             "ww_mutex_lock", "__down", "down", "rwsem_down_", "percpu_down_",
             "__percpu_down_", "rt_mutex_", "__rt_mutex_", "ldsem_down_", "do_nanosleep",
             "hrtimer_nanosleep_restart", "usleep_range_state", "yield")


def scheduler_frames(frames):
    """Return the leading scheduler frames, which trees and folded stacks omit."""
    way = []
    if not frames or not (frames[0]["sym"] or "").startswith("__schedule"):
        return way
    for frame in frames:
        if frame["kind"] != "kernel" or not (frame["sym"] or "").startswith(SCHEDULER):
            return way
        way.append(frame)
    return way


def claims_of_stack(frames):
    """Yield (True if it holds, claim) for each claim about the frames of a stack."""
    kinds = [frame["kind"] for frame in frames]
    yield kinds == sorted(kinds), "the kernel's frames come first"
    yield (not frames or not (frames[0]["sym"] or "").startswith("__traceiter_"),
           "frames of tracing are left out")
    yield not frames or not frames[-1]["inlined"], "an inlined frame has a frame after it"
    yield all(frame["off"] < 1 << 32 for frame in frames if frame["sym"]), "offsets are in symbols"


def claims_of_waits(call):
    """blocked + runnable + on CPU = duration, unless the waits are unknown."""
    blocked, runnable = call["blocked"], call["runnable"]
    took = call["dur"] if call["dur"] is not None else call.get("age")
    yield (blocked is None) == (runnable is None), "blocked is null exactly if runnable is"
    if blocked is None or took is None:
        return
    yield blocked + runnable <= took, "waits are within their call"
    sleeps = call["name"] in ("nanosleep", "clock_nanosleep") and call["ret"] == 0
    yield not sleeps or took < 1e6 or blocked > 0, "a sleeping call is blocked"
    yield call.get("stack_after", 0) <= took, "a stack is sampled during the call"
    yield call.get("stack_of") != "preempted" or runnable > 0, "a preempted call was runnable"


def claims_of_call(call):
    state, waker, ret = call["state"], call["waker"], call["ret"]
    yield (state == "in_flight") == ("age" in call), "a call in flight has an age"
    yield state != "in_flight" or call["dur"] is None, "a call in flight has no duration"
    yield state != "in_flight" or ret is None, "a call in flight has no result"
    yield (call["errno"] is not None) == (ret is not None and -4095 <= ret < 0), \
        "exactly failed calls have an errno"
    yield not call["errno"] or call["errno"] in call["ret_text"], "ret_text names the error"
    yield len(call["args"]) <= 6, "six arguments at most"
    yield from claims_of_waits(call)
    yield from claims_of_stack(call["stack"])
    if waker:
        thread = waker["kind"] == "thread"
        yield from claims_of_stack(waker["stack"])
        yield ("name" in waker) == (waker["kind"] in ("interrupt", "softirq")), \
            "exactly interrupts and softirqs have a name"
        yield thread == bool(waker["tid"]), "exactly waker threads have a tid"
        yield thread or not waker["comm"], "only waker threads have a comm"


def claims_of_syscalls(rows):
    for row in rows:
        order = [row[key] for key in ("min", "p50", "p95", "p99", "max")]
        timed = row.get("timed", row["calls"])
        yield timed < row["calls"] or "timed" not in row, "timed is less than the calls"
        yield (order == [None] * 5) == (timed == 0), "exactly durations of no call are unknown"
        if timed == 0:
            continue
        yield order == sorted(order), f"percentiles ascend: {order}"
        yield row["min"] <= row["total"] / timed <= row["max"], "the mean is between the bounds"
        yield row["calls"] >= row["errors"] >= sum(row["errnos"].values()), "errors <= calls"
        yield row["total"] >= row["max"], "the total is at least the maximum"
        yield row.get("blocked", 0) <= row["total"], "blocked is at most the total"
        yield row.get("waits_unknown", 0) <= row["calls"], "waits_unknown is at most the calls"


def claims_of_summary(summary):
    yield summary["exact"] == (summary["lost"] == 0), "exact means that nothing is lost"
    yield summary["calls"] == sum(p["calls"] for p in summary["processes"]), \
        "calls is the sum over all processes"
    yield summary["started"] <= summary["ended"], "started is before ended"
    for group in summary["processes"] + summary.get("threads", []):
        for key in ("calls", "errors", "total", "blocked", "waits_unknown"):
            if key in group:
                yield group[key] == sum(s[key] for s in group["syscalls"]), \
                    f"{key} is the sum over all syscalls"
        yield from claims_of_syscalls(group["syscalls"])
    for key in ("calls", "errors", "total"):
        for others in ("threads", "syscalls"):
            if others in summary:
                yield sum(o[key] for o in summary[others]) == \
                    sum(p[key] for p in summary["processes"]), f"{others} and processes: {key}"
    waited = [futex["total"] for futex in summary["futexes"]]
    yield waited == sorted(waited, reverse=True), "futexes are sorted by total, largest first"


def claims_of_deadlock(deadlock):
    threads = deadlock["threads"]
    yield len(threads) > 0, "a deadlock has threads"
    for one, other in zip(threads, threads[1:]):
        yield one["owner"] == other["tid"], "the next thread is the owner"


def claims_of_change(change):
    yield change["a"] is not None or change["b"] is not None, "a change has at least one side"
    yield ("new" in change["changes"]) <= (change["a"] is None or not change["a"]["calls"]), \
        "new means no calls in A"


CLAIMS = {"call": claims_of_call, "summary": claims_of_summary, "deadlock": claims_of_deadlock,
          "change": claims_of_change}


# ---- files ----

def no_twins(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), f"duplicate field names: {names}"
    return dict(pairs)


def no_such(word):
    raise AssertionError(f"{word} is not a JSON number")


def check_unknown_waits(objects):
    """If all calls have lines, waits_unknown is the number of calls whose waits are unknown."""
    for summary in (o for o in objects if o["type"] == "summary" and "waits_unknown" in o):
        calls = [o for o in objects if o["type"] == "call" and o["dur"] is not None]
        if any(o["type"] == "lost" for o in objects) or summary["calls"] != len(calls):
            continue
        unknown = sum(call["blocked"] is None for call in calls)
        assert summary["waits_unknown"] == unknown, (summary["waits_unknown"], unknown)


def read(data, last=None, most=None):
    """Return the objects of a complete output (bytes), each checked against the contract. last:
    expected type of the last object. most: check only the first `most` objects and the last."""
    assert not data or data.endswith(b"\n"), data[-80:]
    objects = []
    lines = data.split(b"\n")[:-1]
    for number, line in enumerate(lines, 1):
        if most and most < number < len(lines):
            objects.append(json.loads(line))
            continue
        value = json.loads(line.decode("utf-8", "strict"), object_pairs_hook=no_twins,
                           parse_constant=no_such)
        kind = value.pop("type", None)
        assert kind in OBJECTS, f"line {number}: the type {kind!r}"
        wrong = list(mistakes(value, OBJECTS[kind], kind))
        assert not wrong, f"line {number}: {'; '.join(wrong[:3])}"
        for holds, sentence in CLAIMS.get(kind, lambda value: ())(value):
            assert holds, f"line {number}, {kind}: {sentence}: {line[:900]!r}"
        objects.append({"type": kind, **value})
    check_unknown_waits(objects)
    assert not last or objects[-1]["type"] == last, objects[-1]["type"]
    return objects


def words_of(shape):
    """Yield the field names and words of a shape."""
    if isinstance(shape, dict):
        for name, one in shape.items():
            if not callable(name):
                yield name.rstrip("?")
            yield from words_of(one)
    elif isinstance(shape, (list, tuple)):
        for one in shape:
            yield from words_of(one)
    elif isinstance(shape, set):
        yield from shape
