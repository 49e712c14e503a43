#!/usr/bin/python3
"""Replace the build-ids, inodes and library paths of the machine in a recording.

    stxtop -b -w /dev/null -g fp -o shop.data \\
        -E sched:sched_process_exec,signal:signal_generate --for 1 -- /srv/shop/shop
    tests/replay/neutral.py shop.data

Otherwise screens would depend on the machine: they would show symbols where the files exist, and
messages about changed or missing files elsewhere. The file is changed in place. Its records must
not be compressed.
"""

import struct
import sys

MMAP2 = 10
HEADER_BUILD_ID = 67
HAS_BUILD_ID = 1 << 14
NO_FILE = b"\xee\xee\xee\xee"
LIBRARIES, NO_LIBRARIES = b"/x86_64-linux-gnu/", b"/no-machine-s-own/"


def neutralise(data):
    magic, _ = struct.unpack_from("<8sQ", data)
    if magic != b"PERFILE2":
        raise SystemExit("not a perf.data file of this byte order")
    at, size = struct.unpack_from("<QQ", data, 40)
    end, changed = at + size, 0
    while at + 8 <= end:
        kind, misc, bytes_here = struct.unpack_from("<IHH", data, at)
        if bytes_here < 8:
            raise SystemExit(f"a record without a size at {at}")
        if kind == MMAP2:
            # Header, pid, tid, addr, len, pgoff; then a build-id and its size, or device and inode.
            owner = at + 8 + 32
            if misc & HAS_BUILD_ID:
                data[owner + 4:owner + 8] = NO_FILE
            else:
                data[owner:owner + 24] = bytes(24)
            changed += 1
        elif kind == HEADER_BUILD_ID:
            data[at + 12:at + 16] = NO_FILE
            changed += 1
        if kind in (MMAP2, HEADER_BUILD_ID):
            record = bytes(data[at:at + bytes_here])
            data[at:at + bytes_here] = record.replace(LIBRARIES, NO_LIBRARIES)
        at += bytes_here
    return changed


def main():
    with open(sys.argv[1], "r+b") as file:
        data = bytearray(file.read())
        print(f"{neutralise(data)} mappings and build-ids")
        file.seek(0)
        file.write(data)


main()
