"""Small recordings that expand to very many records, each of another task, name or time.

bomb(NAME) makes one from a seed of the fuzzers, with compressed records.
"""

import ctypes
import pathlib
import struct

import damage

SEEDS = pathlib.Path(__file__).parents[1] / "fuzz" / "seeds" / "recording"
COMPRESSED = 81
SAMPLE, COMM, EXIT, FORK, MMAP2, LOST = 9, 3, 4, 7, 10, 2
PIECE = 4 << 20  # number of uncompressed bytes per zstd frame


def zstd():
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_compressBound.restype = library.ZSTD_compress.restype = ctypes.c_size_t
    library.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
    library.ZSTD_compress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p,
                                      ctypes.c_size_t, ctypes.c_int]
    return library


def pack(data, level=3):
    library = zstd()
    room = library.ZSTD_compressBound(len(data))
    out = ctypes.create_string_buffer(room)
    size = library.ZSTD_compress(out, room, data, len(data), level)
    assert size <= room
    return out.raw[:size]


def compressed(data):
    """Pack the data; yield it in COMPRESSED records, each as large as possible."""
    packed = pack(data)
    for at in range(0, len(packed), 65520):
        piece = packed[at:at + 65520]
        yield struct.pack("<IHH", COMPRESSED, 0, 8 + len(piece)) + piece


class Maker:
    """Creates records in the layout of a fuzzer seed that perf recorded."""

    def __init__(self, seed="plain"):
        self.data = (SEEDS / seed).read_bytes()
        samples = [self.data[at:at + size] for at, kind, size in damage.records(self.data)
                   if kind == SAMPLE]
        # Samples with IP, TID, TIME, ID, CPU, PERIOD, RAW. Events 0 and 1 are enters and exits.
        self.enter, self.exit = (
            next(s for s in samples if struct.unpack_from("<Q", s, 32)[0] in ids)
            for ids in (self.ids("ids0"), self.ids("ids1")))
        self.time = struct.unpack_from("<Q", self.enter, 24)[0]
        self.id = struct.unpack_from("<Q", self.enter, 32)[0]

    def ids(self, part):
        begin, end = next(p[1:] for p in damage.layout(self.data)[2] if p[0] == part)
        return struct.unpack_from(f"<{(end - begin) // 8}Q", self.data, begin)

    def call(self, pid, tid, nr, args=(), time=0, ret=0):
        self.time = time or self.time + 100
        enter = bytearray(self.enter)
        struct.pack_into("<IIQ", enter, 16, pid, tid, self.time)
        struct.pack_into("<q", enter, 68, nr)
        struct.pack_into(f"<{len(args)}Q", enter, 76, *args)
        self.time = (self.time + 50) % (1 << 64)
        leave = bytearray(self.exit)
        struct.pack_into("<IIQ", leave, 16, pid, tid, self.time)
        struct.pack_into("<qq", leave, 68, nr, ret)
        return bytes(enter), bytes(leave)

    def side(self, kind, body, pid=1, misc=0):
        self.time += 100
        body += bytes(-len(body) % 8)
        trailer = struct.pack("<IIQQII", pid, pid, self.time, self.id, 0, 0)
        return struct.pack("<IHH", kind, misc, 8 + len(body) + len(trailer)) + body + trailer

    def recording(self, records):
        """Return a compressed recording of the records from an iterator."""
        chosen, waiting, size = [], [], 0
        for record in records:
            waiting.append(record)
            size += len(record)
            if size > PIECE:
                chosen += compressed(b"".join(waiting))
                waiting, size = [], 0
        chosen += compressed(b"".join(waiting))
        return damage.with_records(self.data, chosen)


def tiny(maker, count):
    return (struct.pack("<IHH", SAMPLE, 0, 8) * 65536 for _ in range(count // 65536))


def strange(maker, count):
    return (struct.pack("<IHH", 0x70, 0, 8) * 65536 for _ in range(count // 65536))


def threads(maker, count):
    """Each thread is in a call that does not return."""
    return (maker.call(5 + i, 5 + i, 0)[0] for i in range(count))


def processes(maker, count):
    return (half for i in range(count) for half in maker.call(5 + i, 5 + i, i % 400))


def numbers(maker, count):
    """System call numbers that do not exist."""
    return (half for i in range(count) for half in maker.call(5, 5, i * 7919))


def errors(maker, count):
    return (half for i in range(count) for half in maker.call(5, 5, 0, ret=-(i % 4095) - 1))


def names(maker, count):
    return (maker.side(COMM, struct.pack("<II", 5 + i, 5 + i) + b"n%014d\0" % i)
            for i in range(count))


def renamed(maker, count):
    return (maker.side(COMM, struct.pack("<II", 5, 5) + b"n%014d\0" % i) for i in range(count))


def births(maker, count):
    return (maker.side(FORK, struct.pack("<IIIIQ", 5 + i, 4 + i, 5 + i, 4 + i, maker.time))
            for i in range(count))


def maps(maker, count):
    return (maker.side(MMAP2, struct.pack("<IIQQQIIQQII", 5, 5, i << 12, 4096, 0, 8, 1, i, 0, 5, 2)
                       + b"/usr/lib/lib%08d.so\0" % i) for i in range(count))


def spaces(maker, count):
    """One mapping in each process."""
    return (maker.side(MMAP2, struct.pack("<IIQQQIIQQII", 5 + i, 5 + i, 1 << 20, 4096, 0, 8, 1, i,
                                          0, 5, 2) + b"/usr/lib/lib%08d.so\0" % i)
            for i in range(count))


def futexes(maker, count):
    return (half for i in range(count)
            for half in maker.call(5, 5, 202, (4096 + 8 * i, 0, 2, 0)))


def years(maker, count):
    """Times that jump forwards and backwards."""
    start = maker.time
    return (half for i in range(count)
            for half in maker.call(5, 5, 0, time=start + (i * 0x9e3779b97f4a7c15 % (1 << 62))))


def never(maker, count):
    """Calls at times just below 2^64 ns, which no clock reaches."""
    return (half for i in range(count) for half in maker.call(5, 5, 0, time=(1 << 64) - 60 + i % 9))


def losses(maker, count):
    return (maker.side(LOST, struct.pack("<QQ", maker.id, 1 << 63)) for _ in range(count))


BOMBS = {"tiny": (tiny, 400), "strange": (strange, 1000), "threads": (threads, 10),
         "processes": (processes, 2), "numbers": (numbers, 10), "errors": (errors, 10),
         "names": (names, 10), "renamed": (renamed, 10), "births": (births, 10),
         "maps": (maps, 10), "spaces": (spaces, 10), "futexes": (futexes, 10),
         "years": (years, 10), "never": (never, 10), "losses": (losses, 10)}


def bomb(name, share=1.0):
    make, hundred_thousands = BOMBS[name]
    maker = Maker()
    return maker.recording(make(maker, int(hundred_thousands * 100000 * share)))


def flood():
    """Return a recording in which one record unpacks to more than any ring holds."""
    maker = Maker()
    record = struct.pack("<IHH", 0x70, 0, 0xfff8) + bytes(0xfff0)
    return damage.with_records(maker.data, list(compressed(record * 3000))[:1] * 9)
