"""What calls point to, copied in the kernel: whole, as it was, and nothing where it cannot be."""

import json
import sys

from harness import STXTOP, folder, has_bpf, need_tracing, of_type, run, skip

# Calls by number, so that nothing is made of the pointers on the way.
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


def watched(body, *options):
    path = folder() / "out.json"
    result = run(STXTOP, "--json", "-w", path, *options, "--", sys.executable, "-c",
                 PROGRAM + body)
    assert result.status == 0, result.err
    return of_type([json.loads(line) for line in path.read_text().splitlines()], "call")


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
    # One more than any path may have: what there is room for, and that there is more.
    assert texts[-1][0] == f'"//{"x" * 4093}"...', texts[-1][0][4000:]


def test_what_cannot_be_read_is_a_pointer():
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
    # Without an end before memory ends: not a path.
    assert texts[-1][0].startswith("0x") and "y" not in texts[-1][0], texts[-1]


def test_buffers_are_as_they_were():
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
