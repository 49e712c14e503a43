"""Compare the calls of stxtop with those of perf script and perf trace for one recording.

This module pairs enters and exits in the lines of perf script to calls, by the rules in stxtop(1)
and without code of stxtop.

Known deviations of perf:
- perf script names a thread without a COMM record ":TID"; stxtop uses the name of its process.
- `perf trace -i` rounds to microseconds and prints no result of calls that did not return. A call
  interrupted by a line of another thread has two lines, the second one "continued".
- perf trace shows an interrupted call (-ERESTART...) as failed and its restart as another call.
- perf trace gives the exit of rt_sigreturn the number of the interrupted call, pairs an exit with
  the last enter of its thread, and ignores that execve in a thread continues in the main thread.
- perf trace omits calls without a name.
"""

import collections
import json
import re

EXECVE, EXECVEAT, RT_SIGRETURN, RESTART, EXIT, EXIT_GROUP = 59, 322, 15, 219, 60, 231
RESTARTS = (-512, -513, -514, -516)
SETTLE_NS = 100 * 10**6

TRACED = re.compile(r"\s*([\d.]+) \(\s*([\d.]+) ms\): (.*?)/(\d+)\s+(?:\.\.\. \[continued\]: )?"
                    r"(\w+)\(.*\)\s+= (.*)$")

Call = collections.namedtuple("Call", "ts dur pid tid comm nr args ret state")
Event = collections.namedtuple("Event", "comm pid tid cpu ns kind nr values raw")

HEAD = re.compile(r"^\s*(?P<comm>.*?)\s+(?P<pid>-?\d+)/(?P<tid>-?\d+)\s+(?:\[(?P<cpu>\d+)\]\s+)?"
                  r"(?P<s>\d+)\.(?P<ns>\d{9}):\s+(?P<rest>.*)$")
RAW = re.compile(r"raw_syscalls:sys_(enter|exit): NR (-?\d+) (?:\((.*)\)|= (-?\d+))$")
SINGLE = re.compile(r"syscalls:sys_(enter|exit)_(\w+): (.*)$")
FORK = re.compile(r"\((\d+):(\d+)\):\((\d+):(\d+)\)")


def of_line(line, numbers):
    """Return a line of perf script as an Event; None if it is not an event line."""
    head = HEAD.match(line)
    if not head:
        return None
    kind, nr, values = None, None, ()
    rest = head["rest"]
    raw = RAW.match(rest)
    single = SINGLE.match(rest)
    if raw:
        kind, nr = raw[1], int(raw[2])
        values = (int(raw[4]),) if raw[4] else tuple(int(v, 16) for v in raw[3].split(", "))
    elif single and single[2] in numbers:
        kind, nr = single[1], numbers[single[2]]
        values = (signed(int(single[3], 16)),) if kind == "exit" else tuple(
            int(v, 16) for v in re.findall(r"\w+: (0x[0-9a-f]+)", single[3]))
    elif rest.startswith("PERF_RECORD_EXIT"):
        kind, values = "gone", tuple(map(int, FORK.search(rest).groups()))
    elif rest.startswith("PERF_RECORD_FORK"):
        kind, values = "fork", tuple(map(int, FORK.search(rest).groups()))
    elif rest.startswith("PERF_RECORD_COMM exec"):
        kind = "exec"
    elif rest.startswith("PERF_RECORD_COMM"):
        kind = "comm"
    elif rest.startswith("PERF_RECORD_LOST"):
        kind = "lost"
    else:
        kind = "other"
    return Event(head["comm"], int(head["pid"]), int(head["tid"]), head["cpu"],
                 int(head["s"]) * 10**9 + int(head["ns"]), kind, nr, values, bool(raw))


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def events(text, numbers=()):
    """Parse `perf script --ns -F comm,pid,tid,cpu,time,event,trace --show-task-events`."""
    found = []
    for line in text.splitlines():
        event = of_line(line, numbers)
        if event:
            found.append(event)
    return found


class Pairing:
    """Pairs Events to Calls by the rules in stxtop(1)."""

    def __init__(self):
        self.calls = []
        self.inside = {}   # tid: [enter event, held (ns, ret) or None, restarted]
        self.seen = set()  # threads with an exit: later exits are of calls entered in the recording
        self.last = {}     # tid: time of its last enter
        self.torn = set()  # (tid, us) of calls that perf trace shows differently

    def add(self, enter, ns, ret, state, comm=None, tid=None):
        self.calls.append(Call(enter.ns, None if ns is None else ns - enter.ns, enter.pid,
                               tid or enter.tid, comm or enter.comm, enter.nr, enter.values, ret,
                               state))

    def tear(self, tid, ns):
        self.torn.add((tid, ns // 1000))

    def leave(self, tid):
        """End the open call of a thread that has a new event."""
        enter, held, _ = self.inside.pop(tid, (None, None, None))
        if enter and held:
            self.add(enter, held[0], held[1], "done")
        elif enter:
            self.add(enter, None, None, "ended")

    def enter(self, event):
        tid = event.tid
        self.last[tid] = event.ns
        if tid in self.inside:
            old, held, _ = self.inside[tid]
            if held and (event.nr == RESTART or
                         (event.nr == old.nr and event.values == old.values)):
                self.inside[tid] = [old, None, event.nr == RESTART]
                self.tear(tid, event.ns)
                return
            self.leave(tid)
        if event.nr == RT_SIGRETURN: # has no arguments: its registers are the handler's
            event = event._replace(values=(0, *event.values[1:]))
        self.inside[tid] = [event, None, False]

    def adopt(self, event):
        """Move the execve of another thread to the main thread, where it continues."""
        tid = event.tid
        if tid != event.pid or (tid in self.inside and
                                self.inside[tid][0].nr in (EXECVE, EXECVEAT)):
            return
        for other, (enter, held, _) in list(self.inside.items()):
            if other != tid and enter.pid == event.pid and not held and enter.nr in (EXECVE,
                                                                                   EXECVEAT):
                if tid in self.inside:
                    enter_old, held_old, _ = self.inside.pop(tid)
                    self.add(enter_old, held_old and held_old[0], held_old and held_old[1],
                             "done" if held_old else "ended")
                self.inside[tid] = [enter._replace(tid=tid), None, False]
                for torn in ((tid, enter.ns), (other, enter.ns), (tid, self.last.get(tid, 0))):
                    self.tear(*torn)
                del self.inside[other]
                return

    def exit(self, event):
        tid, ret = event.tid, event.values[0]
        if event.nr in (EXECVE, EXECVEAT):
            self.adopt(event)
        enter, held, restarted = self.inside.get(tid, (None, None, False))
        known = tid in self.seen
        self.seen.add(tid)
        if enter is None or held:
            if held:
                self.leave(tid)
            if known:
                self.calls.append(Call(event.ns, None, event.pid, tid, event.comm, event.nr, None,
                                       ret, "orphan"))
            return
        if not (enter.nr == event.nr or enter.nr == RT_SIGRETURN or
                (restarted and event.nr == RESTART)):
            self.inside.pop(tid)
            self.add(enter, None, None, "orphan")
            self.calls.append(Call(event.ns, None, event.pid, tid, event.comm, event.nr, None,
                                   ret, "orphan"))
            return
        if ret in RESTARTS and enter.nr != RT_SIGRETURN:
            self.inside[tid] = [enter, (event.ns, ret), False]
            self.tear(tid, enter.ns)
            return
        self.inside.pop(tid)
        executed = event.nr in (EXECVE, EXECVEAT) and not ret
        self.add(enter, event.ns, ret, "done", event.comm if executed else None)

    def gone(self, event):
        tid = event.values[1]
        enter, held, _ = self.inside.pop(tid, (None, None, None))
        self.seen.discard(tid)
        if enter:
            self.add(enter, held[0] if held else event.ns, None, "ended")

    def settle(self, ns):
        for tid, (enter, held, _) in list(self.inside.items()):
            if held and ns - held[0] >= SETTLE_NS:
                self.inside.pop(tid)
                self.add(enter, held[0], held[1], "done")

    def feed(self, event):
        self.settle(event.ns)
        if event.kind == "enter":
            self.seen.add(event.tid)
            self.enter(event)
        elif event.kind == "exit":
            self.exit(event)
        elif event.kind == "gone":
            self.gone(event)
        elif event.kind == "fork":
            if event.values[1] in self.inside:
                self.leave(event.values[1])
        elif event.kind == "exec":
            self.adopt(event)
            self.seen.add(event.tid)
            enter = self.inside.get(event.tid)
            if enter and enter[0].nr not in (EXECVE, EXECVEAT):
                self.leave(event.tid)

    def end(self):
        for enter, held, _ in self.inside.values():
            self.add(enter, held and held[0], held and held[1],
                     "done" if held else "in_flight")
        self.inside.clear()


def of_perf(found):
    """Return the calls in order of their end, and Pairing.torn."""
    pairing = Pairing()
    for event in found:
        pairing.feed(event)
    pairing.end()
    return pairing.calls, pairing.torn


def of_stxtop(text):
    """Return the calls of stxtop --json."""
    found = []
    for line in text.splitlines():
        call = json.loads(line)
        if call["type"] != "call":
            continue
        state = call["state"]
        if state == "done" and call["ret"] is None:
            state = "ended"
        args = tuple(int(a["value"], 16) for a in call["args"])
        found.append(Call(call["ts"], call["dur"], call["pid"], call["tid"], call["comm"],
                          call["nr"], args, call["ret"], state))
    return found


def is_within(some, values):
    """True if `some` is a subsequence of `values`: stxtop omits registers that a call ignores."""
    rest = iter(values)
    return all(value in rest for value in some)


def differ(theirs, ours):
    """Return the names of the fields that differ; "": the calls are equal."""
    wrong = [name for name in ("ts", "dur", "pid", "tid", "comm", "nr", "ret", "state")
             if getattr(theirs, name) != getattr(ours, name)]
    if "comm" in wrong and theirs.comm == f":{theirs.tid}":
        wrong.remove("comm")
    if theirs.state == "ended" and "dur" in wrong:
        wrong.remove("dur") # such a call lasts until the end of its thread, if that is known
    if theirs.args is not None and not is_within(ours.args, theirs.args):
        wrong.append("args")
    return ", ".join(wrong)


def by_thread(calls):
    threads = collections.defaultdict(list)
    for call in calls:
        threads[call.tid].append(call)
    return threads


def compare(theirs, ours):
    """Compare the calls of each thread in order. Return a text per difference."""
    wrong = []
    theirs, ours = by_thread(theirs), by_thread(ours)
    for tid in sorted(theirs.keys() | ours.keys()):
        left, right = theirs[tid], ours[tid]
        for a, b in zip(left, right):
            what = differ(a, b)
            if what:
                wrong.append(f"{what}: perf {a}, stxtop {b}")
        for extra in left[len(right):]:
            wrong.append(f"only in perf: {extra}")
        for extra in right[len(left):]:
            wrong.append(f"only in stxtop: {extra}")
    return wrong


# -- perf trace --------------------------------------------------------------------------------

def ended_in(text):
    """Count the returned calls of `perf trace -T -i` by (tid, begin in us, duration in us)."""
    found = collections.Counter()
    for line in text.splitlines():
        match = TRACED.match(line)
        if match:
            found[int(match[4]), round(float(match[1]) * 1000), round(float(match[2]) * 1000)] += 1
    return found


def near(counts, tid, ts, dur):
    """Return the key of a line that can be this call, as times are rounded; None: no line."""
    for begin in (ts // 1000, ts // 1000 + 1, ts // 1000 - 1):
        for lasted in (dur // 1000, dur // 1000 + 1, dur // 1000 - 1):
            if counts[tid, begin, lasted]:
                return tid, begin, lasted
    return None


def compare_traced(traced, ours, torn, names):
    """Return a text per difference that the known deviations do not explain."""
    traced, wrong = traced.copy(), []
    torn = {(tid, us + step) for tid, us in torn for step in (-1, 0, 1)}
    for call in ours:
        if call.state != "done" or call.dur is None:
            continue
        key = near(traced, call.tid, call.ts, call.dur)
        if key:
            traced[key] -= 1
        elif (call.nr != RT_SIGRETURN and call.nr in names and
              (call.tid, call.ts // 1000) not in torn):
            wrong.append(f"only in stxtop: {call}")
    for (tid, begin, lasted), count in traced.items():
        if count and (tid, begin) not in torn:
            wrong.append(f"only in perf trace: {count} calls of thread {tid} at {begin} us for "
                         f"{lasted} us")
    return wrong
