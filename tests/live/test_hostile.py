"""A program with misleading calls (programs/hostile.c): output is bounded, plain and true."""

import json
import re

import harness
from harness import STXTOP, folder, long_by_perf, of_type, program, run
from test_capture import need_bpf
from terminal import Terminal

NAMES = [r'"evil\33[2J\33]0;title\7\r\n\t\177"', r'"evil\303(\377\376\200"',
         r'"evil\302\2331m\342\200\256"', r'"evil\0011\0022"', r'''"evil\"\\'<>&"''']
CALLS = 110
TEXT_MAX = 4096  # longest text with the default --string-size, which does not limit paths


def output(*options):
    path = folder() / "out"
    result = run(STXTOP, *options, "-w", path, "--", program("hostile"))
    assert result.status == 0, result.err
    return path.read_bytes()


def check_plain(data):
    lines = data.decode("ascii").splitlines()
    assert len(lines) > CALLS, len(lines)
    for line in lines:
        assert re.fullmatch(r"[ -~]*", line), line
    return lines


def check_texts(texts):
    """Check calls in the form "name(arguments) = result"."""
    assert max(map(len, texts)) < TEXT_MAX, max(texts, key=len)
    if harness.source == "perf":
        return  # only late reads can have text, and some are missing
    names = [match.group(1) for match in
             (re.match(r'access\(("evil.*"), F_OK\) = -1 ENOENT', text) for text in texts) if match]
    assert names == NAMES, names
    for expected in (
            r'write(-1, "evil\33[2J\0\1\377", 11) = -1 EBADF (Bad file descriptor)',
            'write(-1, 0x8, 64) = -1 EBADF (Bad file descriptor)',
            'rt_sigaction(SIGUSR1, 0x8, 0x8, 8) = -1 EFAULT (Bad address)',
            r'bind(-1, {sa_family=AF_UNIX, sun_path="evil\33"}, -1) = -1 EBADF '
            '(Bad file descriptor)'):
        assert expected in texts, expected
    # Data that ends with the mapped memory is marked as cut; the size is that of the argument.
    assert any(re.match(r'write\(-1, "ee"\.\.\., 18446744073709551615\) ', t) for t in texts)
    assert any(re.match(r"poll\(\[\{fd=1701143909, .*\}, \.\.\. /\* 0x\w+ \*/\], 4294967295", t)
               for t in texts)
    assert any(re.match(r"readv\(-1, \[\{iov_base=0x(?:65)+, .*\.\.\. /\* 0x\w+ \*/\], 92233", t)
               for t in texts)
    # struct open_how: if it is too small, the pointer is shown; else, its members and later bytes.
    sizes = [t for t in texts if t.startswith('openat2(-1, "evil", ')]
    assert re.match(r'openat2\(-1, "evil", 0x\w+, 1\)', sizes[0]), sizes[0]
    assert 'openat2(-1, "evil", {flags=O_RDONLY, resolve=0}, 24) = -1 EBADF (Bad file ' \
           'descriptor)' in sizes, sizes
    assert any(re.search(r'/\* bytes 24\.\.511 \*/ "(\\x01)+"\.\.\.\}, 512\)', t)
               for t in sizes), sizes
    assert any(re.match(r"sched_setattr\(2147483647, \{size=3\} => \{size=\d+\}, 0\) = -1 E2BIG",
                        t) for t in texts)


@long_by_perf
def test_lines_of_a_hostile_program_are_plain():
    need_bpf()
    lines = check_plain(output("-b"))
    check_texts([re.sub(r"^.*? ms\) .*?/\d+ ", "", line) for line in lines])
    for options in (["--hex"], ["-y"], ["--arg-names"], ["--string-size", "4095"], ["-S"]):
        check_plain(output("-b", *options))


def test_objects_of_a_hostile_program_are_plain():
    need_bpf()
    lines = check_plain(output("--json"))
    calls = of_type([json.loads(line) for line in lines], "call")
    check_texts(["%s(%s) = %s" % (call["name"], ", ".join(arg["text"] for arg in call["args"]),
                                  call["ret_text"]) for call in calls])
    # The descriptor is closed during the read, but the data that was read is shown.
    if harness.source == "perf":
        return
    reads = [call for call in calls if call["name"] == "read" and call["ret"] == 1
             and call["tid"] != call["pid"]]
    assert [call["args"][1]["text"] for call in reads] == ['"x"'], reads


@long_by_perf
def test_a_hostile_program_is_text_in_the_interface():
    need_bpf()
    terminal = Terminal(STXTOP, "-F", "comm == hostile and syscall == access", "--",
                        program("hostile"), size=(120, 40))
    try:
        terminal.wait(r"LIVE|ENDED")
        terminal.keys("Tab", "z")
        screen = terminal.wait(r'0022", F_OK\)')
        for name in NAMES:
            assert f"access({name}, F_OK)" in screen, (name, screen)
        assert terminal.format("#{pane_title}") != "title"
        # The detail of the call that the search found has its name as text and as hex.
        terminal.keys("/")
        terminal.wait(r"Search:")
        terminal.keys("-l", "377")
        terminal.keys("Enter")
        terminal.wait(r"not following")
        terminal.keys("d")
        screen = terminal.wait(r"65 76 69 6c c3 28 ff fe +80")
        assert f"filename {NAMES[1]}" in re.sub(" +", " ", screen), screen
        assert "evil.(..." in screen, screen
    finally:
        terminal.close()
