"""Recordings that cannot grow: the part written so far is readable, an error is reported and the
display continues. Also files that are not recordings, that change during a read, or that grow."""

import json
import os
import shutil
import signal
import subprocess

from harness import (STXTOP, end, folder, long, need_mounts, need_tracing, program, run, skip,
                     start, stxtop, wait_until)
from test_bad_input import RECORDING, as_nobody, refused

SPACE = 600  # KiB


def calls_of(path):
    result = stxtop("-i", path, "-s", "--json")
    assert result.status == 0, result.err
    return json.loads(result.out.splitlines()[-1])["calls"]


def on_a_small_disk(*options):
    """Record on a small tmpfs; return the calls shown, the calls recorded, and the messages."""
    need_mounts()
    need_tracing()
    place = folder()
    script = (f"mount -t tmpfs -o size={SPACE}k none {place} || exit 99; "
              f"{STXTOP} -s --json -w /dev/stdout -o {place}/data {' '.join(options)} -- "
              f"{program('mix')} 2 20 20000 2>{place}.err; echo $? >{place}.status; "
              f"{STXTOP} -s --json -i {place}/data >{place}.again 2>{place}.why; echo $? >>"
              f"{place}.status")
    result = run("unshare", "-m", "sh", "-c", script)
    if result.status == 99:
        skip("no tmpfs can be mounted in a separate namespace")
    files = {}
    for name in ("err", "status", "again", "why"):
        with open(f"{place}.{name}") as file:
            files[name] = file.read()
        os.unlink(f"{place}.{name}")
    live = json.loads(result.out.splitlines()[-1])
    return live["calls"], json.loads(files["again"].splitlines()[-1])["calls"], files


def check_small_disk(*options):
    live, recorded, files = on_a_small_disk(*options)
    assert files["status"].split() == ["1", "0"], files
    assert "No space left on device; earlier records are in the file" in files["err"]
    # The display continued, and the recording has the calls that fit.
    assert live > 20000 and 500 < recorded < live, (live, recorded)


@long
def test_recording_on_a_full_disk_opens():
    check_small_disk()


@long
def test_compressed_recording_on_a_full_disk_opens():
    check_small_disk("-z", "1")


def test_file_size_limit_is_reported():
    """The shell sets RLIMIT_FSIZE. Beyond it the kernel sends SIGXFSZ, by default fatal."""
    need_tracing()
    place = folder()
    result = run("bash", "-c", f"ulimit -f {SPACE}; {STXTOP} -s -w /dev/null -o {place}/data -- "
                 f"{program('mix')} 2 20 8000")
    assert result.status == 1 and "File too large" in result.err, (result.status, result.err)
    assert calls_of(place / "data") > 500


def test_output_equal_to_input_is_rejected():
    place = folder()
    copy = place / "data"
    shutil.copy(RECORDING, copy)
    refused(stxtop("-s", "-i", copy, "-o", copy), 1, "name another file")
    os.symlink(copy, place / "link")
    refused(stxtop("-s", "-i", copy, "-o", place / "link"), 1, "name another file")
    assert copy.read_bytes() == RECORDING.read_bytes()


def test_unsuitable_output_paths_are_rejected():
    place = folder()
    os.mkfifo(place / "fifo")
    need_tracing()
    for path, word in ((place / "fifo", "FIFO"), (place, "directory"), ("/dev/full", "regular"),
                       (place / "none" / "data", "No such file")):
        refused(stxtop("-s", "-o", path, "--", "true"), 1, word)


def test_unreadable_recording_is_rejected():
    """A file that the user may not read is rejected, not opened with another user's rights."""
    need_tracing()
    place = folder()
    secret = place / "data"
    shutil.copy(RECORDING, secret)
    secret.chmod(0o600)
    place.chmod(0o755)
    refused(as_nobody("-s", "-i", secret), 1, "Permission denied")


def test_growing_recording_can_be_read():
    """At any time, a reader can open the part written so far."""
    need_tracing()
    path = folder() / "data"
    busy = start(program("mix"), "1", "0", "100000000")
    writer = start(STXTOP, "-s", "-w", "/dev/null", "-o", path, "-p", busy.pid)
    wait_until(lambda: path.exists() and path.stat().st_size > 2 << 20, 30, "a recording")
    seen = [calls_of(path) for _ in range(3)]
    writer.send_signal(signal.SIGINT)
    assert writer.wait(30) == 0
    end(busy)
    assert 0 < seen[0] <= seen[1] <= seen[2] <= calls_of(path), seen


@long
def test_recording_cut_during_the_read_is_reported():
    """stxtop reads the recording only as fast as this test reads its lines."""
    place = folder()
    path = place / "data"
    need_tracing()
    assert stxtop("-s", "-w", "/dev/null", "-o", path, "--", program("mix"), "2", "20",
                  "20000").status == 0
    reader = start(STXTOP, "-b", "-i", path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert reader.stdout.read(10)
    os.truncate(path, path.stat().st_size // 2 + 3)
    lines, said = reader.communicate(timeout=60)
    assert reader.returncode in (0, 1), reader.returncode
    # Read-ahead may have read the whole file before it was cut.
    assert reader.returncode == 0 or b"byte" in said, said
    assert lines
