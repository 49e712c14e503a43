"""Recordings with one piece of damage each; the name of each describes its damage.

damaged(data) yields (name, bytes) of a perf.data file or of perf's pipe format. It damages every
part: the header, events, ids, tables, and records of each kind.
Layouts are those of linux/tools/perf/Documentation/perf.data-file-format.txt.
"""

import random
import struct

RECORD = struct.Struct("<IHH")
HEADER_BYTES = 104
PIPE_HEADER_BYTES = 16
TRACING = 66
NUMBERS = (0, 1, 0x7fffffff, 0xffffffff, 1 << 63, (1 << 64) - 1, (1 << 64) - 8)
SIZES = (0, 1, 7, 8, 16, 24, 0x7ff8, 0xfff8, 0xffff)
TYPES = (0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 14, 15, 16, 17, 18, 20, 64, 65, 66, 67, 68, 71, 80, 81,
         83, 0xffffffff)


def is_pipe(data):
    return struct.unpack_from("<Q", data, 8)[0] == PIPE_HEADER_BYTES


def put(data, at, form, value):
    """Return a copy of the bytes with another number at this offset."""
    mask = (1 << struct.calcsize(form) * 8) - 1
    return data[:at] + struct.pack(form, value & mask) + data[at + struct.calcsize(form):]


def layout(data):
    """Return the bounds of the records and [(name, begin, end)] of the other parts."""
    if is_pipe(data):
        return PIPE_HEADER_BYTES, len(data), []
    attr_size, attrs, attr_bytes, begin, size = struct.unpack_from("<16xQQQQQ", data)
    parts = [("events", attrs, attrs + attr_bytes)]
    for i in range(attr_bytes // attr_size):
        ids, count = struct.unpack_from("<QQ", data, attrs + (i + 1) * attr_size - 16)
        parts.append((f"ids{i}", ids, ids + count))
    bits = struct.unpack_from("<4Q", data, 72)
    count = sum(bin(word).count("1") for word in bits)
    end = begin + size
    parts.append(("tables", end, end + 16 * count))
    for i in range(count):
        at, length = struct.unpack_from("<QQ", data, end + 16 * i)
        parts.append((f"table{i}", at, at + length))
    return begin, end, parts


def records(data):
    """Yield (offset, type, size) of each record."""
    at, end, _ = layout(data)
    while at + RECORD.size <= end:
        kind, _, size = RECORD.unpack_from(data, at)
        yield at, kind, size
        at += size
        if kind == TRACING and is_pipe(data):
            at += struct.unpack_from("<I", data, at - size + 8)[0]


def with_records(data, chosen):
    """Return the file with its records replaced by `chosen`, each as bytes."""
    begin, end, _ = layout(data)
    body = b"".join(chosen)
    if is_pipe(data):
        return data[:begin] + body
    moved = begin + len(body) - end
    out = bytearray(data[:begin] + body + data[end:])
    struct.pack_into("<Q", out, 48, len(body))
    at = begin + len(body)
    for _, offset, _ in [p for p in layout(data)[2] if p[0].startswith("table") and
                         p[0] != "tables"]:
        struct.pack_into("<Q", out, at, offset + moved)
        at += 16
    return bytes(out)


def of_numbers(data, name, begin, end, step, numbers=NUMBERS):
    for at in range(begin, min(end, len(data)) - 7, step):
        for number in numbers:
            yield f"{name}+{at - begin}={number:#x}", put(data, at, "<Q", number)


def of_lengths(data, rng):
    """Yield the file cut at offsets in every part."""
    for cut in sorted({0, 1, 8, 15, 16, 17, 100, 103, 104, 105, len(data) - 1, len(data) - 9,
                       *(rng.randrange(len(data)) for _ in range(20))}):
        yield f"cut at {cut}", data[:cut]
    yield "with more behind it", data + bytes(4096)


def of_one_record(data, at, kind, size):
    for number in SIZES:
        yield f"record {kind}@{at} of {number} bytes", put(data, at + 6, "<H", number)
    for number in TYPES:
        yield f"record {kind}@{at} as type {number}", put(data, at, "<I", number)
    for number in (0, 0xffff):
        yield f"record {kind}@{at} with misc {number:#x}", put(data, at + 4, "<H", number)
    step = 8 if size < 256 else 8 * (size // 128)
    yield from of_numbers(data, f"record {kind}@{at}", at + 8, at + size, step)
    # Some counts and ids have 4 bytes: also change halves of 8-byte words.
    for half in range(at + 8, at + min(size, 160) - 3, 4):
        for number in (0, 0xffffffff):
            yield f"record {kind}@{at}+{half - at}={number:#x}", put(data, half, "<I", number)


def of_kinds(data, rng):
    """Take one record of each type and size; damage each word of it in turn."""
    seen = set()
    found = list(records(data))
    rng.shuffle(found)
    for at, kind, size in found:
        if (kind, size) in seen or len([k for k, _ in seen if k == kind]) > 3:
            continue
        seen.add((kind, size))
        yield from of_one_record(data, at, kind, size)


def of_order(data, rng):
    whole = [data[at:at + size] for at, _, size in records(data)]
    if is_pipe(data):  # the data after a TRACING record belongs to it
        return
    yield "backwards", with_records(data, whole[::-1])
    yield "twice", with_records(data, whole * 2)
    for i in range(6):
        rng.shuffle(whole)
        yield f"shuffled {i}", with_records(data, whole)
    yield "every second one", with_records(data, whole[::2])
    yield "nothing", with_records(data, [])
    yield "one a thousand times", with_records(data, whole[:1] * 1000)


def of_bytes(data, rng):
    """Yield copies with random bytes, and with ranges overwritten, removed or inserted."""
    for i in range(150):
        out = bytearray(data)
        for _ in range(1 + i % 12):
            out[rng.randrange(len(out))] = rng.randrange(256)
        yield f"noise {i}", bytes(out)
    for i in range(30):
        at, count = rng.randrange(len(data)), rng.randrange(1, 600)
        noise = rng.randbytes(count) if i % 2 else b"\xff" * count
        yield f"stretch {i}", data[:at] + noise[:len(data) - at] + data[at + count:]
        yield f"hole {i}", data[:at] + data[at + count:]
        yield f"patch {i}", data[:at] + data[at // 2:at // 2 + count] + data[at:]


def damaged(data, seed=1):
    rng = random.Random(seed)
    _, _, parts = layout(data)
    yield from of_lengths(data, rng)
    yield from of_numbers(data, "header", 0, PIPE_HEADER_BYTES if is_pipe(data) else HEADER_BYTES,
                          8, (*NUMBERS, len(data), len(data) - 1, 104, 16))
    for name, begin, end in parts:
        step = max(8, (end - begin) // 40 // 8 * 8)
        yield from of_numbers(data, name, begin, end, step)
        # Lengths in tables can be at any offset, not only at multiples of 8.
        for _ in range(20 if end - begin > 8 else 0):
            at = rng.randrange(begin, end - 4)
            yield f"{name}+{at - begin} 4 G", put(data, at, "<I", 0xffffffff)
    yield from of_kinds(data, rng)
    yield from of_order(data, rng)
    yield from of_bytes(data, rng)
