"""Pointer arguments copied by BPF programs: complete, exact, and omitted if unreadable."""

import json
import os
import sys

from harness import STXTOP, folder, has_bpf, long, need_tracing, of_type, program, run, skip

# Makes system calls by number, so that the C library does not change the pointers.
PROGRAM = """
import ctypes, mmap
call = ctypes.CDLL(None, use_errno=True).syscall
call.restype = ctypes.c_long
def access(address):
    call(21, ctypes.c_void_p(address), 0)
"""


def need_bpf():
    need_tracing()
    if not has_bpf():
        skip("BPF programs may not be loaded here")


def calls_of(command, *options):
    path = folder() / "out.json"
    result = run(STXTOP, "--json", "-w", path, *options, "--", *command)
    assert result.status == 0, result.err
    return of_type([json.loads(line) for line in path.read_text().splitlines()], "call")


def watched(body, *options):
    return calls_of([sys.executable, "-c", PROGRAM + body], *options)


def argument(call, index):
    return call["args"][index]["text"], call["args"][index]["from"]


def test_paths_are_whole():
    need_bpf()
    lengths = [2, 200, 223, 224, 239, 240, 241, 255, 256, 257, 1000, 4094, 4095]
    calls = watched("""
for n in %r + [4096]:
    path = ctypes.create_string_buffer(b"//" + b"x" * (n - 2))
    access(ctypes.addressof(path))
""" % lengths, "-e", "access")
    texts = [argument(c, 0) for c in calls if argument(c, 0)[0].startswith('"//')]
    assert texts[:-1] == [(f'"//{"x" * (n - 2)}"', "kernel") for n in lengths], [
        (len(text), origin) for text, origin in texts]
    # A path longer than PATH_MAX is cut and marked with an ellipsis.
    assert texts[-1][0] == f'"//{"x" * 4093}"...', texts[-1][0][4000:]


def test_unreadable_paths_are_pointers():
    need_bpf()
    calls = watched("""
access(8)
pages = mmap.mmap(-1, 8192)
at = ctypes.addressof(ctypes.c_char.from_buffer(pages))
pages[:4096] = b"y" * 4096
ctypes.CDLL(None).mprotect(ctypes.c_void_p(at + 4096), 4096, 0)
access(at + 4000)
""", "-e", "access")
    texts = [argument(c, 0) for c in calls]
    assert texts[-2][0] == "0x8", texts[-2:]
    # A string that reaches unreadable memory before its NUL is not a path.
    assert texts[-1][0].startswith("0x") and "y" not in texts[-1][0], texts[-1]


def test_buffers_are_exact():
    need_bpf()
    calls = watched("""
import os, socket
r, w = os.pipe()
os.write(w, b"z" * 100)
os.read(r, 100)
os.write(w, b"q" * 10)
os.read(r, 100)
s = socket.socket()
s.connect_ex(("127.0.0.1", 1))
""", "-e", "read,write,connect", "--string-size", "50")
    texts = [(c["name"], *argument(c, 1)) for c in calls]
    for name, count in ("write", 100), ("read", 100), ("write", 10), ("read", 10):
        letter = "z" if count == 100 else "q"
        text = f'"{letter * min(count, 50)}"' + ("..." if count > 50 else "")
        assert (name, text, "kernel") in texts, (name, count, texts[-8:])
    assert [t for t in texts if t[0] == "connect"] == [
        ("connect", '{sa_family=AF_INET, sin_port=htons(1), sin_addr=inet_addr("127.0.0.1")}',
         "kernel")], texts[-1]


def of_pointers(*names):
    """Return the calls of programs/pointers.c, by name."""
    path = folder() / "named"
    path.write_text("/not/touched/yet\0")
    calls = calls_of([program("pointers"), path], "-e", ",".join(names))
    return [c for c in calls if c["pid"] == calls[-1]["pid"]]


def test_bad_path_pointers_stay_pointers():
    need_bpf()
    calls = of_pointers("unlink")
    texts = [argument(c, 0) for c in calls]
    assert len(texts) == 8, texts
    for i, call in enumerate(calls[:4]):
        # Pointers: 8, an unmapped page, an unreadable page, a string that reaches an unmapped page.
        assert texts[i] == (call["args"][0]["value"], "register"), texts[i]
    assert texts[4] == ('"eeeee"', "kernel"), texts[4]
    assert texts[5] == ('"%s"...' % ("x" * 4095), "kernel"), texts[5][0][-20:]
    assert texts[6] == ('"x/%s"' % ("x" * 4093), "kernel"), texts[6][0][-20:]
    # The page is not in memory at the enter. The call loads it, so the path is copied at the exit.
    assert texts[7] in [('"/not/touched/yet"', "late"), ('"/not/touched/yet"', "kernel")], texts[7]


def test_absurd_vectors_are_bounded():
    need_bpf()
    calls = of_pointers("writev", "readv")
    assert len(calls) == 11, len(calls)
    for call in calls[:10]:
        text, origin = argument(call, 1)
        assert origin == "kernel", call
        assert text.startswith("[{iov_base=") and text.endswith(", ...]"), text
        assert text.count("iov_len=") == 32, text
        assert ('"text"' in text) == (call["name"] == "writev"), text
    text, origin = argument(calls[10], 1)
    assert text.count('iov_base="text"') == 2 and "... /* 0x" in text, text


def test_messages_with_absurd_lengths_are_bounded():
    need_bpf()
    calls = {c["name"]: argument(c, 1) for c in of_pointers("sendmsg", "recvmsg", "sendmmsg",
                                                            "recvmmsg")}
    text, origin = calls["sendmsg"]
    assert origin == "kernel" and 'sun_path="/tmp/name"' in text, text
    assert 'iov_base="text", iov_len=4' in text, text
    assert len(text) < 20000, len(text)
    assert calls["recvmsg"] == ("{msg_namelen=-1}", "kernel"), calls["recvmsg"]
    # The record has as many messages as fit, each with its claimed number of vectors.
    assert 'iov_base="text", iov_len=4' in calls["sendmmsg"][0], calls["sendmmsg"]
    assert len(calls["sendmmsg"][0]) < 65536, len(calls["sendmmsg"][0])
    assert calls["recvmmsg"][0].startswith("0x"), calls["recvmmsg"]


def test_circular_argument_vectors_are_bounded():
    need_bpf()
    calls = [c for c in of_pointers("execve") if c["args"][0]["text"] == '"/nonexistent"']
    assert len(calls) == 3, calls
    text, origin = argument(calls[0], 1)
    assert (text.count('"again"'), origin) == (32, "kernel") and text.endswith(", ...]"), text
    assert argument(calls[0], 2)[0].endswith(" /* 512 vars, unterminated */"), calls[0]
    assert argument(calls[1], 1)[0].count('"') == 2, calls[1]
    assert argument(calls[1], 2)[0].endswith(" /* 0 vars */"), calls[1]
    assert argument(calls[2], 1)[0] == '["again", ...]', calls[2]


@long
def test_path_changed_during_the_call_is_that_of_the_enter():
    need_bpf()
    for options, origin in ((), "kernel"), (("-d", "0.001"), "late"):
        fifo = folder() / "one"
        os.mkfifo(fifo)
        calls = calls_of([program("changed_path"), fifo, folder() / "two"], "-e", "openat",
                         *options)
        # Expect the path from before the change: the thread had already left its CPU by then.
        found = [argument(c, 1) for c in calls if c["tid"] != c["pid"]]
        assert found == [(f'"{fifo}"', origin)], (options, found)


def test_enters_of_dropped_calls_copy_nothing():
    need_bpf()
    body = """
import os
path = ctypes.create_string_buffer(b"/none")
for i in range(3):
    access(ctypes.addressof(path))
os.access("/", 0)
"""
    texts = [argument(c, 0) for c in watched(body, "-e", "access", "-Z")]
    # A failed call is not dropped, so its path is copied at the exit.
    assert texts.count(('"/none"', "late")) == 3, texts
    assert ('"/"', "late") not in texts and ('"/"', "kernel") not in texts, texts
