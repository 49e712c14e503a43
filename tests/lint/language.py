"""
The language of comments, strings, manuals, documents and commit subjects: banned phrases, and
the reading grade of a random sample of comment sentences.
"""

import ast
import hashlib
import io
import os
import random
import re
import tokenize

import rules
import tree as trees

_PHRASES = re.compile(r"\b(?:%s)\b" % "|".join(rules.BANNED_PHRASES), re.I)
_TOKEN = re.compile(r'(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*")|'
                    r"'(?:\\.|[^'\\\n])*'", re.S)
_HASH_COMMENT = re.compile(r"^[ \t]*#(?!!)(.*)$", re.M)


def _joined(comment):
    """Return the text of a C comment: one line for each paragraph, and for each row of a table."""
    body = re.sub(r"^/\*+|\*+/$|^//", "", comment)
    body = re.sub(r"^[ \t]*\*?[ \t]?", "", body, flags=re.M)
    body = re.sub(r"^(.*\S(?: {3,}|\t+)\S.*)$", r"\n\1\n", body, flags=re.M)
    return re.sub(r"(?<!\n)\n[ \t]*(?=[^\s-])", " ", body).strip()


def _python_comments(text):
    """Yield (line number, text) of comments and docstrings. Consecutive comments are one text."""
    number, parts = 0, []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT or token.string.startswith("#!"):
            continue
        if parts and token.start[0] != number + len(parts):
            yield number, " ".join(parts)
            parts = []
        if not parts:
            number = token.start[0]
        parts.append(token.string.lstrip("# "))
    if parts:
        yield number, " ".join(parts)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)):
            if ast.get_docstring(node):
                yield node.body[0].lineno, _joined(ast.get_docstring(node))


def comments(path, text):
    """Yield (line number, text) of each comment."""
    if path.endswith(trees.CODE):
        for match in _TOKEN.finditer(text):
            if match["comment"]:
                yield text.count("\n", 0, match.start()) + 1, _joined(match["comment"])
    elif path.endswith(".py") or trees.is_script(path, text, ["python3"]):
        yield from _python_comments(text)
    elif path.endswith((".sh", ".keys", "Makefile")) or text.startswith("#!"):
        for match in _HASH_COMMENT.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, match[1].strip()


def strings(path, text):
    """Yield (line number, text) of each string of the program; adjacent literals are one."""
    if not path.startswith(("engine/", "tui/", "widgets/")) or not path.endswith(trees.CODE):
        return
    start, end, parts = 0, None, []
    for match in _TOKEN.finditer(text):
        if not match["string"]:
            continue
        if end is not None and text[end:match.start()].strip() == "":
            parts.append(match["string"][1:-1])
        else:
            if parts:
                yield text.count("\n", 0, start) + 1, "".join(parts)
            start, parts = match.start(), [match["string"][1:-1]]
        end = match.end()
    if parts:
        yield text.count("\n", 0, start) + 1, "".join(parts)


def documents(path, text):
    """Yield (line number, line) of each line of a manual page or document."""
    if path.endswith(".md") or re.match(r"man/.*\.\d$", path):
        yield from enumerate(text.split("\n"), 1)


def subjects(path, text):
    """Yield (number, subject) of each commit."""
    if path == trees.SUBJECTS:
        yield from enumerate(text.split("\n"), 1)


def banned(tree, texts):
    """Yield a finding per banned phrase in the texts that `texts` yields for each file."""
    for path, text in tree.items():
        if trees.is_data(path) or path.startswith(rules.BANNED_PHRASES_NOT_IN):
            continue
        for number, line in texts(path, text):
            for match in _PHRASES.finditer(line):
                if not any(re.search(pattern, line) for pattern in rules.BANNED_PHRASES_BUT):
                    yield "%s:%d: \"%s\" in: %s" % (path, number, match[0], line[:80].strip())


def sentences(tree):
    """Yield (path, line number, sentence) of each comment sentence of at least four words."""
    for path, text in tree.items():
        if not path.startswith(("engine/", "tui/", "widgets/", "tests/")) or trees.is_data(path):
            continue
        for number, comment in comments(path, text):
            for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z(])|\n\n", comment):
                sentence = sentence.strip()
                if len(re.findall(r"[A-Za-z]{2,}", sentence)) >= 4:
                    yield path, number, sentence


def sample(tree, count, seed):
    """Return `count` random sentences; the same tree and seed give the same sentences."""
    found = sorted(sentences(tree))
    digest = hashlib.sha256(str(seed).encode()).digest()
    return sorted(random.Random(digest).sample(found, min(count, len(found))))


def _syllables(word):
    groups = re.findall(r"[aeiouy]+", word.lower())
    silent = word.lower().endswith("e") and len(groups) > 1
    return max(1, len(groups) - silent)


def grade(drawn):
    """Return the Flesch-Kincaid grade of sentences, without identifiers and numbers."""
    words = [word for _, _, text in drawn
             for word in re.findall(r"(?<![\w/.])[A-Za-z][a-z']*(?![\w/(])", text)]
    if not words:
        return 0.0
    return 0.39 * len(words) / len(drawn) + \
        11.8 * sum(map(_syllables, words)) / len(words) - 15.59


def remark(tree, seed):
    drawn = sample(tree, rules.SAMPLE, seed)
    longest = max((len(text.split()) for _, _, text in drawn), default=0)
    return "reading grade %.1f of %d comment sentences drawn at random, the longest of %d words" % \
        (grade(drawn), len(drawn), longest)


def print_sample(tree, seed):
    for path, number, text in sample(tree, rules.SAMPLE, seed):
        print("%s:%d: %s" % (os.path.normpath(path), number, text))
    print(remark(tree, seed))
