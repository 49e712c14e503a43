"""Compares decoded calls with those of strace, and constants with the kernel headers."""

import os
import re
import subprocess
import sys

import harness
from harness import long

sys.path.insert(0, str(harness.ROOT / "tests" / "judge"))
import compare  # noqa: E402
import corpus  # noqa: E402
import reasons  # noqa: E402

def need_judge():
    if os.uname().machine != "x86_64":
        harness.skip("the tracer of this test knows only the registers of x86-64")
    if os.environ.get("SAN"):
        harness.skip("leak checking cannot run under a tracer")
    harness.need("strace")
    version = subprocess.run(["strace", "-V"], capture_output=True, text=True,
                             check=True).stdout
    if not re.match(r"strace -- version 6\.1\b", version):
        harness.skip("needs strace 6.1")
    if harness.run("strace", "-qq", "-o", "/dev/null", "true").status:
        harness.skip("strace may not trace here")
    compare.TRACER = str(harness.BUILD / "judge")


def compared(programs):
    total = compare.Comparison()
    for program in programs:
        compare.run(program, total)
    return total


def table(total):
    print(f"note: {total}")
    for line in list(reasons.Reasons().table(total.differing, 1))[:36]:
        print("note:   " + line)
    return total.percent()


@long
def test_programs_read_as_strace_shows_them():
    need_judge()
    total = compared(corpus.installed(
        lambda name: print(f"note: {name} is not installed and was not compared")))
    percent = table(total)
    assert total.lines > 3000, total.lines
    assert percent >= 99, percent


def test_arguments_of_every_family_read_as_strace_shows_them():
    need_judge()
    if os.geteuid() != 0:
        harness.skip("needs root: some calls are only for root")
    total = compared([[harness.program("args_families")]])
    percent = table(total)
    assert total.lines > 200, total.lines
    assert percent >= 98, percent


def test_rare_arguments_read_as_strace_shows_them():
    need_judge()
    percent = table(compared([[harness.program("args_values")]]))
    # The remaining names are newer than strace 6.1 or belong to rare devices.
    assert percent >= 97.5, percent


@long
def test_every_bit_of_every_argument_reads_as_strace_shows_it():
    need_judge()
    if os.geteuid() != 0:
        harness.skip("needs root, to create namespaces")
    percent = table(compared([[harness.program("args_sweep")]]))
    # Arguments with all bits set include every flag newer than strace 6.1.
    assert percent >= 93, percent


def test_requests_read_as_strace_shows_them():
    need_judge()
    percent = table(compared([[harness.program("args_requests")]]))
    # strace 6.1 prints the arguments of the remaining requests as addresses.
    assert percent >= 96, percent


@long
def test_addresses_options_and_control_messages_read_as_strace_shows_them():
    need_judge()
    total = compared([[harness.program("args_sockets")]])
    assert total.lines > 10000, total.lines
    assert table(total) >= 98.5, total


def test_commands_read_as_strace_shows_them():
    need_judge()
    percent = table(compared([[harness.program("args_kernel")]]))
    # The remaining commands and members are newer than strace 6.1 or belong to other architectures.
    assert percent >= 94, percent


class Seen(compare.Comparison):
    """Counts, per call name, the pairs of lines that were compared and those that were equal."""

    def __init__(self):
        super().__init__()
        self.calls = {}

    def pair(self, their, our):
        before = self.same
        super().pair(their, our)
        counts = self.calls.setdefault(compare.name_of(their[1]), [0, 0])
        counts[0] += 1
        counts[1] += self.same - before


@long
def test_nearly_every_call_reads_as_in_strace_live():
    need_judge()
    if os.geteuid() != 0:
        harness.skip("needs root, to create namespaces")
    if not harness.has_bpf():
        harness.skip("pointer arguments need BPF programs, which cannot run here")
    compare.STXTOP = str(harness.STXTOP)
    seen = Seen()
    for name in ("args_alone", "args_families", "args_rare", "args_sweep", "judged_work",
                 "judged_net"):
        compare.run([harness.program(name)], seen, ["-b", "--source", "bpf"])
    numbers = (harness.ROOT / "engine" / "decode" / "numbers_x86_64.c").read_text()
    names = re.findall(r'^\t\[\d+\] = "(\w+)"', numbers, re.M)
    same = {name for name, (_, equal) in seen.calls.items() if equal}
    never = [name for name in names if name not in seen.calls]
    print("note: of %d calls %d were compared, %d were the same at least once; never the same: %s; "
          "never compared: %s" % (len(names), len(seen.calls), len(same),
                                  " ".join(sorted(set(seen.calls) - same)), " ".join(never)))
    assert len(same) > len(names) * 0.9, len(same)


def tables_of(path):
    """Yield (name, header, [(name, value)]) of each CONSTANTS() in a file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for match in re.finditer(r'CONSTANTS\((\w+), (?:"([^"]+)"|NULL), [^\n]*\n(.*?)\);', text,
                             re.S):
        rows = re.findall(r'\{ "([\w< ]+)", (0[xX][0-9a-fA-F]+|\d+) \}', match.group(3))
        yield match.group(1), match.group(2), [(name, int(value, 0)) for name, value in rows]


def ioctls_of(path):
    tables = {}
    with open(path, encoding="utf-8") as file:
        for code, name, header in re.findall(r'\{ (0x\w+), "(\w+)", "([^"]+)" \}', file.read()):
            tables.setdefault(header, []).append((name, int(code, 16)))
    return tables


FIRST = "".join("#include <%s>\n" % name for name in (
    "stdio.h", "stdint.h", "stddef.h", "stdbool.h", "sys/time.h", "sys/types.h",
    "linux/types.h", "sys/socket.h", "linux/ioctl.h"))


def values_in(header, names, first=""):
    """Return {name: value} of the names that the header defines; None if it does not compile."""
    names = list(names)
    includes = first + "#include <stdio.h>\n" + "".join(
        "#include <%s>\n" % name for name in header.split(","))
    program = harness.folder() / "values"
    while names:
        lines = ['printf("%%s %%llu\\n", "%s", (unsigned long long)(%s));' % (name, name)
                 for name in names]
        source = includes + "int main(void) {\n#line 1 \"names\"\n" + "\n".join(lines) + "\n}\n"
        result = subprocess.run(["gcc", "-D_GNU_SOURCE", "-w", "-fmax-errors=0", "-x", "c", "-",
                                 "-o", str(program)], input=source, capture_output=True,
                                text=True, check=False, env=dict(os.environ, LC_ALL="C"))
        if result.returncode == 0:
            output = subprocess.run([str(program)], capture_output=True, text=True,
                                    check=True).stdout
            return {name: int(value) for name, value in
                    (line.rsplit(" ", 1) for line in output.splitlines())}
        bad = {int(number) - 1 for number in re.findall(r"^names:(\d+):", result.stderr, re.M)}
        if not bad:
            return None
        names = [name for i, name in enumerate(names) if i not in bad]
    return {}


INCLUDES = ("/usr/include", "/usr/include/x86_64-linux-gnu")


def check_values(header, rows, first, unknown, compared_names):
    values = values_in(header, [name for name, _ in rows], first)
    if values is None:
        # Accept only missing headers. If an installed one fails, the table lacks one that it needs.
        missing = [name for name in header.split(",")
                   if not any(os.path.exists(os.path.join(folder, name)) for folder in INCLUDES)]
        assert missing, f"<{header}> does not compile alone"
        unknown.extend(missing)
        return
    for name, value in rows:
        if name not in values:
            unknown.append(name)
            continue
        compared_names.append(name)
        # The tables store negative values as unsigned 32-bit numbers, like arguments of calls.
        assert values[name] == value or values[name] & 0xffffffff == value, \
            f"{name} is {values[name]:#x} in <{header}>, {value:#x} in the table"


DECODE = harness.ROOT / "engine" / "decode"


def ioctl_tables():
    return sorted(DECODE.glob("ioctl/ioctl_*_codes.c"))


def constant_tables():
    return sorted(DECODE.glob("constants/*.c")) + ioctl_tables()


@long
def test_constants_are_those_of_the_headers():
    harness.need("gcc")
    unknown, names, by_header, alone = [], [], {}, []
    for path in constant_tables():
        for table_name, header, rows in tables_of(path):
            assert rows, f"{path.name}: {table_name} is empty"
            if header:
                by_header.setdefault(header, []).extend(rows)
            else:
                alone += [name for name, _ in rows]
    for header, rows in sorted(by_header.items()):
        check_values(header, rows, "", unknown, names)
    for path in ioctl_tables():
        for header, rows in sorted(ioctls_of(path).items()):
            check_values(header, rows, FIRST, unknown, names)
    print("note: %d names compared; in no userspace header: %s; not in the installed "
          "headers: %s" % (len(names), " ".join(alone), " ".join(unknown)))
    assert len(names) > 3500, len(names)
    assert len(alone) < 250, len(alone)
    # The unknown constants are newer than the headers of Debian 12.
    assert len(unknown) < 260, len(unknown)


SEARCHED = re.compile(
    r"\bENUM(?:_LONG|_DECIMAL)?\((\w+)\)|\bMEMBER_ENUM\([^)]*, (\w+)\)|"
    r"\b(?:print_enum|show_enum\w*|constants_name|result_with_name|print_kind_and_flags)"
    r"(?:\(|, )[^;{}]*?&(\w+)")


def test_binary_searched_tables_ascend():
    searched = set()
    for path in [*DECODE.glob("families/*.c"), *DECODE.glob("ioctl/*.c")]:
        for groups in SEARCHED.findall(path.read_text(encoding="utf-8")):
            searched.update(name for name in groups if name)
    checked = 0
    for path in constant_tables():
        for name, _, rows in tables_of(path):
            values = [value for _, value in rows]
            assert len(set(row for row, _ in rows)) == len(rows), f"{name} has a name twice"
            if name in searched and len(rows) > 16:
                checked += 1
                assert values == sorted(set(values)), f"{name} does not ascend"
    assert checked > 15, checked
    codes = 0
    for path in ioctl_tables():
        order = [int(code, 16) for code in re.findall(r"\{ (0x\w+), \"", path.read_text())]
        assert order == sorted(order), f"{path.name} does not ascend"
        codes += len(order)
    assert codes > 1800, codes
