"""A recording gives the same output each time, independent of load, environment, terminal, locale
and form of the file."""

import os
import pathlib
import subprocess

from harness import STXTOP, end, folder, long, need, start

HERE = pathlib.Path(__file__).parents[1]
SEEDS = HERE / "fuzz" / "seeds" / "recording"
FILES = sorted(SEEDS.iterdir()) + sorted((HERE / "replay").glob("*.data"))
FORMS = (("-S", "--json"), ("-b",), ("-s", "-w", "/dev/stdout"), ("-s", "--csv"))
# Environments that must not change the output.
PLACES = ({}, {"TERM": "dumb"}, {"TZ": "Asia/Kolkata"}, {"LC_ALL": "C"}, {"HOME": "/nonexistent"},
          {"MALLOC_PERTURB_": "165"})


def play(path, form, prefix=(), stdin=None, **more):
    env = dict(os.environ, COLUMNS="120", LC_ALL="C.UTF-8")
    env.update(more)
    result = subprocess.run([*prefix, STXTOP, "-i", str(path), *form], env=env, stdin=stdin,
                            capture_output=True, timeout=120, check=False)
    assert result.returncode in (0, 1), (path, form, result.stderr[-300:])
    return result.stdout, result.stderr


def same(path, form, first, again, how):
    if first == again:
        return
    ours, theirs = first[0].splitlines(), again[0].splitlines()
    for number, (one, other) in enumerate(zip(ours, theirs)):
        assert one == other, f"{path.name} {form} {how}: line {number}:\n{one}\n{other}"
    raise AssertionError(f"{path.name} {form} {how}: {len(ours)} and {len(theirs)} lines, "
                         f"{first[1][-200:]} and {again[1][-200:]}")


@long
def test_output_is_the_same_in_every_environment():
    for path in FILES:
        for form in FORMS:
            first = play(path, form)
            for place in PLACES[FILES.index(path) % 2::2]:
                if form == ("-s", "-w", "/dev/stdout") and "LC_ALL" in place:
                    continue  # bars are drawn with the characters of the locale
                same(path, form, first, play(path, form, **place), place)


@long
def test_output_is_the_same_under_load():
    need("taskset")
    spinners = [start("sh", "-c", "while :; do :; done") for _ in range(2 * os.cpu_count())]
    for path in FILES:
        form = FORMS[0]
        first = play(path, form)
        same(path, form, first, play(path, form, ("taskset", "-c", "0")), "on one processor")
        same(path, form, first, play(path, form, ("nice", "-n", "19")), "nicely")
    for spinner in spinners:
        end(spinner)


@long
def test_output_is_the_same_at_any_speed():
    """A call has the names that were valid when it was made, however much later it is read."""
    for path in FILES:
        first = play(path, FORMS[0])
        same(path, FORMS[0], first, play(path, FORMS[0] + ("--speed", "1000")), "at a pace")


@long
def test_output_is_the_same_from_a_pipe():
    """Reads the saved output of `perf record -o -`: as a file, on standard input, and from cat."""
    for path in (SEEDS / "pipe", SEEDS / "pipe-packed"):
        for form in FORMS:
            first = play(path, form)
            with open(path, "rb") as file:
                same(path, form, first, play("-", form, stdin=file), "on standard input")
            with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as cat:
                same(path, form, first, play("-", form, stdin=cat.stdout), "out of cat")


@long
def test_folded_stacks_and_traces_are_the_same():
    """Compares output that is not on standard output: the files of folded stacks and traces."""
    place = folder()
    for path in FILES:
        for option in ("--folded", "--chrome-trace"):
            found = []
            for i in range(3):
                play(path, ("-s", option, place / str(i)))
                found.append((place / str(i)).read_bytes())
            assert found[0] == found[1] == found[2], (path.name, option)


@long
def test_compression_does_not_change_output():
    """The output for a recording of stxtop does not depend on its compression."""
    place = folder()
    for path in FILES:
        if path.name == "all":
            continue  # it has no calls, so the start time of a copy differs
        kept = []
        for name, options in (("plain", ()), ("packed", ("-z", "3"))):
            play(path, ("-s", "-w", "/dev/null", "-o", place / name, *options))
            if not (place / name).exists():
                break
            kept.append(play(place / name, FORMS[0]))
            (place / name).unlink()
        if len(kept) == 2:
            same(path, FORMS[0], kept[0], kept[1], "compressed")
