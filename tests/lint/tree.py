"""The files to check as {path: text}: those of this repository or a synthetic tree."""

import os
import re
import subprocess

CODE = (".c", ".h", ".cxx")
SUBJECTS = ".git/subjects"  # key for the subjects of commits, one per line


def _git_files():
    result = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"],
        capture_output=True, check=True)
    return [name for name in result.stdout.decode().split("\0") if name]


def _walked_files():
    for folder, folders, names in os.walk("."):
        folders[:] = [d for d in folders if d != ".git" and not d.startswith("build")]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name))


def read():
    """Return {path: text} of all files that git tracks or does not ignore; binary files: ""."""
    try:
        names = _git_files()
    except (OSError, subprocess.CalledProcessError):
        names = list(_walked_files())
    tree = {}
    for name in sorted(names):
        try:
            with open(name, encoding="utf-8", newline="") as file:
                tree[name] = file.read()
        except UnicodeDecodeError:
            tree[name] = ""
        except (FileNotFoundError, IsADirectoryError):
            continue
    return tree


def subjects(since):
    """Return the subjects of commits after `since`, one per line; "" without a repository."""
    result = subprocess.run(
        ["git", "-c", "safe.directory=*", "log", "--no-merges", "--format=%s", since + ".."],
        capture_output=True, text=True, check=False)
    return result.stdout if result.returncode == 0 else ""


def commit():
    """Return the id of the current commit; "" without a repository."""
    result = subprocess.run(["git", "-c", "safe.directory=*", "rev-parse", "HEAD"],
                            capture_output=True, text=True, check=False)
    return result.stdout.strip()


def is_data(path):
    """True if the file was recorded, generated or drawn, not written by hand."""
    return bool(re.match(r"tests/(fuzz/seeds|screens/saved)/", path)) \
        or path.endswith((".svg", ".json", ".folded", ".screen"))


def code_files(tree, *folders):
    for path, text in tree.items():
        if path.endswith(CODE) and (not folders or path.startswith(folders)):
            yield path, text


_TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def stripped(text):
    """Return code with blanks for comments and literals; lines keep their numbers."""
    return _TOKEN.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def includes(text):
    """Yield (line number, name, is_system) of each #include."""
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match.group(2), match.group(1) == "<"


def is_script(path, text, shells):
    first = text.split("\n", 1)[0]
    return first.startswith("#!") and re.search(r"\b(%s)\b" % "|".join(shells), first)
