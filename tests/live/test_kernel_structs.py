"""Structs without a decoder, shown in the layout of the running kernel (BTF)."""

import re
import sys

from test_capture import argument, need_bpf, watched
from harness import skip

# Linux 6.17 added file_getattr(), file_setattr() and their struct.
BODY = """
attr = (ctypes.c_uint64 * 64)(*[0x0101010101010101] * 64)
path = ctypes.create_string_buffer(%r)
for size in 24, 8, 512, -1:
    call(468, -100, path, ctypes.byref(attr), ctypes.c_long(size), 0)
attr = (ctypes.c_uint64 * 64)(*[0x0101010101010101] * 64)
for size in 24, 8, 512, -1:
    call(469, -1, path, ctypes.byref(attr), ctypes.c_long(size), 0)
call(469, -1, path, 8, ctypes.c_long(24), 0)
"""


def test_struct_without_a_decoder_has_the_kernels_layout():
    need_bpf()
    calls = watched(BODY % sys.executable.encode(), "-e", "/file_.etattr/")
    gets = [argument(call, 2)[0] for call in calls if call["name"] == "file_getattr"]
    sets = [argument(call, 2)[0] for call in calls if call["name"] == "file_setattr"]
    if len(gets) != 4 or calls[0]["errno"] in ("ENOSYS", "EOPNOTSUPP", "ENOTTY"):
        skip("this kernel has no file_getattr()")
    # The sizes for file_getattr(): the whole struct, too small, larger than the struct, invalid.
    assert re.match(r"\{fa_xflags=\d+, fa_extsize=0, fa_nextents=\d+, ", gets[0]), gets
    assert gets[1].startswith("0x") and gets[3].startswith("0x"), gets
    assert gets[2].startswith("{fa_xflags="), gets
    # The text of file_setattr() is limited by the size argument and the known layout.
    word = int("01" * 8, 16)
    half = int("01" * 4, 16)
    whole = f"fa_extsize={half}, fa_nextents={half}, fa_projid={half}, fa_cowextsize={half}"
    assert sets[0] == f"{{fa_xflags={word:#x}, {whole}}}", sets[0]
    assert sets[1] == f"{{fa_xflags={word:#x}, ...}}", sets[1]
    assert all(text.startswith(f"{{fa_xflags={word:#x}, {whole}") and len(text) < 1000
               for text in sets[2:4]), sets
    assert sets[4] == "0x8", sets[4]
