"""Filters: what they let through, and that switching them loses nothing."""

from harness import need_tracing, of_type, program, watch_json, stxtop, folder


def names(objects):
    return {c["name"] for c in of_type(objects, "call")}


def test_syscall_set():
    need_tracing()
    mix = (program("mix"), "2", "3", "50")
    objects, _ = watch_json("-e", "getppid,close", "--", *mix)
    assert names(objects) == {"getppid", "close"}
    objects, _ = watch_json("-e", "!getppid,close,read", "--", *mix)
    assert {"getppid", "close", "read"}.isdisjoint(names(objects))
    assert {"openat", "wait4"} <= names(objects)
    objects, _ = watch_json("-e", "%process", "--", *mix)
    assert "wait4" in names(objects) and "openat" not in names(objects)
    objects, _ = watch_json("-e", "/^getp", "--", *mix)
    assert "getppid" in names(objects)
    assert all(n.startswith("getp") for n in names(objects))


def test_counts_under_a_filter_are_exact():
    need_tracing()
    objects, _ = watch_json("-s", "-e", "getppid", "--", program("mix"), "8", "20", "500")
    assert objects[-1]["calls"] == 4000, objects[-1]["calls"]
    assert objects[-1]["lost"] == 0


def test_duration_and_failures():
    need_tracing()
    objects, _ = watch_json("-d", "15", "--", program("sleeps"))
    calls = of_type(objects, "call")
    done = [c for c in calls if c["state"] == "done"]
    assert {"nanosleep", "poll"} <= {c["name"] for c in done}
    assert all(c["dur"] >= 15e6 for c in done)
    objects, _ = watch_json("-Z", "--", program("mix"), "1", "0", "20")
    done = [c for c in of_type(objects, "call") if c["state"] == "done"]
    assert len([c for c in done if c["name"] == "newfstatat"]) >= 20
    assert all(c["errno"] for c in done)


def test_expression():
    need_tracing()
    objects, _ = watch_json("-F", "syscall == newfstatat && failed or getuid", "--",
                            program("mix"), "2", "7", "10")
    done = [c for c in of_type(objects, "call") if c["state"] == "done"]
    assert {c["name"] for c in done} == {"newfstatat", "getuid"}
    assert len([c for c in done if c["name"] == "getuid"]) == 7


def test_text_line_is_straces():
    need_tracing()
    path = folder() / "out"
    assert stxtop("-b", "-w", path, "-e", "close", "--", program("migrate"), "3").status == 0
    lines = path.read_text().splitlines()
    assert any("migrate/" in line and
               line.endswith("close(100000) = -1 EBADF (Bad file descriptor)")
               for line in lines), lines[:5]
