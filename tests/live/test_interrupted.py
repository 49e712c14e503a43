"""Calls that end or continue after a signal, with and without filters."""

from harness import long_by_perf, need_tracing, of_type, program, watch_json

# Results of the calls. During the last sleep, the program is stopped.
RESULTS = {
    "pause": ["ERESTARTNOHAND"] * 3,
    "clock_nanosleep": ["ERESTART_RESTARTBLOCK"] * 3 + [0],
    "read": ["ERESTARTSYS", 1],
}


def results(objects, tid, name):
    """Return calls and results. Omit reads of more than 1 byte, which the loader makes, too."""
    calls = [c for c in of_type(objects, "call") if c["tid"] == tid and c["name"] == name and
             (name != "read" or c["args"][2]["value"] == "0x1")]
    for call in calls:
        assert call["state"] == "done" and call["dur"] is not None, call
    return calls, [result_of(c) for c in calls]


def result_of(call):
    words = call["ret_text"].split()
    return next((w for w in words if w.startswith("ERESTART")), call["ret"])


def check(names, *arguments):
    objects, result = watch_json(*arguments, "--", program("interrupted"))
    tid = int(result.out.split()[0])
    for name in names:
        calls, found = results(objects, tid, name)
        assert found == RESULTS[name], (name, calls)
    if "clock_nanosleep" in names:
        # The sleep is one call, although a stop interrupted it: its duration is the whole time.
        whole = results(objects, tid, "clock_nanosleep")[0][-1]
        assert whole["dur"] >= 120e6, whole
    others = {c["name"] for c in of_type(objects, "call")} - set(names)
    assert not arguments or not others, others


def test_results_of_interrupted_calls_are_kept():
    need_tracing()
    check(RESULTS)


def test_results_are_kept_without_rt_sigreturn_in_the_filter():
    need_tracing()
    check(RESULTS, "-e", "pause,clock_nanosleep,read")


@long_by_perf
def test_results_are_kept_with_one_syscall_in_the_filter():
    need_tracing()
    for name in RESULTS:
        check([name], "-e", name)


def test_results_are_kept_without_stacks():
    need_tracing()
    check(RESULTS, "-g", "off", "-e", "pause,clock_nanosleep,read")
