"""What other programs read, by readers that share nothing with what wrote it, over recordings."""

import pathlib
import re

import json_contract
import trace_rules
from harness import ROOT, folder, stxtop

HERE = pathlib.Path(__file__).parents[1]
RECORDINGS = sorted((HERE / "replay").glob("*.data")) + \
    [HERE / "fuzz" / "seeds" / "recording" / name for name in
     ("all", "dwarf", "events", "fp", "own-dwarf", "own-perf", "pipe-packed")]
CONTENTION = HERE / "replay" / "contention.data"
SHOP = HERE / "replay" / "shop.data"
EVENTS = HERE / "replay" / "events.data"


def written(recording, *options, status=0):
    """The bytes that stxtop writes of a recording."""
    path = folder() / "out"
    result = stxtop("-i", recording, "-w", path, *options)
    assert result.status == status, (recording, options, result.err)
    return path.read_bytes()


# ---- JSON ----

def test_json_is_as_the_contract_has_it():
    for recording in RECORDINGS:
        json_contract.read(written(recording, "-S", "--json"), "summary")
    for options in (("--summary-by", "thread"), ("--summary-by", "total"), ("-g", "off"),
                    ("--from", "0.1", "--until", "0.2")):
        json_contract.read(written(CONTENTION, "-S", "--json", *options), "summary")


def test_a_comparison_is_as_the_contract_has_it():
    result = stxtop("-i", CONTENTION, "--against", SHOP, "--json")
    assert result.status == 0, result.err
    objects = json_contract.read(result.out.encode(), "comparison")
    assert len(objects) > 10 and objects[0]["type"] == "change"


def manual_words():
    """{type: what .Li has of it} of the manual's section JSON."""
    text = (ROOT / "man" / "stxtop.1").read_text()
    text = re.search(r"^\.Sh JSON\n(.*?)^\.Sh ", text, re.M | re.S)[1]
    found = {}
    for part in text.split('\n.It Li {"type":"')[1:]:
        kind, part = part.split('"', 1)
        words = found.setdefault(kind, set())
        for line in part.splitlines():
            for listed in re.findall(r"\bLi (.*?)(?= No | or |$)", line):
                if listed.startswith("{"):
                    words.update(re.findall(r'"(\w+)":', listed))
                else:
                    words.update(word.strip(" .;:") for word in listed.split(" ,"))
    return {kind: words - {"null", ""} for kind, words in found.items()}


def test_the_manual_has_every_field():
    manual = manual_words()
    manual["event"] |= json_contract.CONTAINER.keys() # "as of a call"
    assert manual.keys() == json_contract.OBJECTS.keys()
    for kind, shape in json_contract.OBJECTS.items():
        wanted = set(json_contract.words_of(shape)) - {"type"}
        assert manual[kind] == wanted, (kind, manual[kind] ^ wanted)


# ---- traces ----

def test_traces_are_what_viewers_take():
    arrows = 0
    for recording in RECORDINGS:
        path = folder() / "trace"
        data = written(recording, "--json", "--chrome-trace", path)
        events = trace_rules.read(path.read_bytes())
        calls = [o for o in json_contract.read(data, most=1) if o["type"] == "call"]
        assert sorted((c["tid"], c["ts"], c["name"]) for c in calls) == \
            sorted((s["tid"], s["ts"], s["name"]) for s in trace_rules.calls_of(events))
        arrows += len(trace_rules.of_phase(events, "f"))
    assert arrows > 50, arrows
