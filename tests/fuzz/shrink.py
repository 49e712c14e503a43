#!/usr/bin/env python3
"""Make a fuzzing seed from a recording: `shrink.py FROM TO [RECORDS]`.

Drops data that every file has: formats of ftrace's own events, printk formats, and features that
stxtop does not read. Copies the first RECORDS records unchanged, by default all. Layouts are those
of linux/tools/perf/Documentation/perf.data-file-format.txt.
"""

import struct
import sys

HEADER = struct.Struct("<8sQQ QQ QQ QQ 4Q")
PIPE_HEADER_BYTES = 16
RECORD = struct.Struct("<IHH")
ATTR, TRACING, BUILD_ID, FEATURE, AUXTRACE = 64, 66, 67, 80, 71
# TRACING_DATA, BUILD_ID, HOSTNAME, OSRELEASE, NRCPUS, SAMPLE_TIME, COMPRESSED; extensions.
FEATURES = (0, 1, 2, 3, 4, 7, 21, 27, *range(240, 256))


def text_at(data, at):
    end = data.index(b"\0", at)
    return data[at:end + 1], end + 1


def shrink_tracing(data):
    """Return the TRACING_DATA section with only the formats of recorded events."""
    at = 10
    version, at = text_at(data, at)
    fixed, at = data[at:at + 6], at + 6
    for _ in range(2):
        _, at = text_at(data, at)
        at += 8 + struct.unpack_from("<Q", data, at)[0]
    ftrace, at = struct.unpack_from("<I", data, at)[0], at + 4
    for _ in range(ftrace):
        at += 8 + struct.unpack_from("<Q", data, at)[0]
    begin = at
    systems, at = struct.unpack_from("<I", data, at)[0], at + 4
    for _ in range(systems):
        _, at = text_at(data, at)
        events, at = struct.unpack_from("<I", data, at)[0], at + 4
        for _ in range(events):
            at += 8 + struct.unpack_from("<Q", data, at)[0]
    page = b"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
    return (data[:10] + version + fixed +
            b"header_page\0" + struct.pack("<Q", len(page)) + page +
            b"header_event\0" + struct.pack("<Q", 2) + b"#\n" +
            struct.pack("<I", 0) + data[begin:at] + struct.pack("<IIQ", 0, 0, 0))


def records(data, at, end):
    while at + RECORD.size <= end:
        size = RECORD.unpack_from(data, at)[2]
        yield data[at:at + size]
        at += size


def shrink_pipe(data, most):
    out = [data[:PIPE_HEADER_BYTES]]
    at, kept = PIPE_HEADER_BYTES, 0
    while at + RECORD.size <= len(data):
        kind, _, size = RECORD.unpack_from(data, at)
        record = data[at:at + size]
        at += size
        if kind == TRACING:
            bytes_behind = struct.unpack_from("<I", record, 8)[0]
            behind = shrink_tracing(data[at:at + bytes_behind])
            behind += bytes(-len(behind) % 8)
            out.append(record[:8] + struct.pack("<I", len(behind)) + record[12:] + behind)
            at += bytes_behind
        elif kind == FEATURE and struct.unpack_from("<Q", record, 8)[0] not in FEATURES:
            continue
        elif kind >= ATTR or kept < most:
            kept += kind < ATTR
            out.append(record)
    return b"".join(out)


def shrink_file(data, most):
    fields = list(HEADER.unpack_from(data))
    attr_size, attrs, records_at, features = fields[2], fields[3:5], fields[5:7], fields[9:]
    sections, at = {}, sum(records_at)
    for bit in range(256):
        if features[bit // 64] >> bit % 64 & 1:
            offset, size = struct.unpack_from("<QQ", data, at)
            at += 16
            if bit in FEATURES:
                sections[bit] = data[offset:offset + size]
    sections[1] = shrink_tracing(sections[1])
    kept = b"".join(list(records(data, records_at[0], sum(records_at)))[:most])
    count = attrs[1] // attr_size
    ids, events = b"", b""
    ids_at = HEADER.size + count * attr_size
    for i in range(count):
        event = data[attrs[0] + i * attr_size:attrs[0] + (i + 1) * attr_size]
        offset, size = struct.unpack("<QQ", event[-16:])
        events += event[:-16] + struct.pack("<QQ", ids_at + len(ids), size)
        ids += data[offset:offset + size]
    fields[3:5] = HEADER.size, len(events)
    fields[5:7] = HEADER.size + len(events) + len(ids), len(kept)
    fields[9:] = [sum(1 << bit % 64 for bit in sections if bit // 64 == word)
                  for word in range(4)]
    table_at = sum(fields[5:7])
    table, bodies = b"", b""
    for bit in sorted(sections):
        body = sections[bit]
        table += struct.pack("<QQ", table_at + 16 * len(sections) + len(bodies), len(body))
        bodies += body + bytes(-len(body) % 8)
    return HEADER.pack(*fields) + events + ids + kept + table + bodies


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    most = int(sys.argv[3]) if len(sys.argv) > 3 else sys.maxsize
    shrink = shrink_pipe if struct.unpack_from("<Q", data, 8)[0] == 16 else shrink_file
    with open(sys.argv[2], "wb") as file:
        file.write(shrink(data, most))


main()
