"""
The checks. Each takes a tree ({path: text}) and yields a sentence per finding. The decorator gets a
synthetic tree with an error: if the check does not find it, the check itself fails.
"""

import collections
import os
import re

import language
import rules
import tree as trees

CHECKS = []


def check(name, bad):
    def register(function):
        CHECKS.append((name, function, bad))
        return function
    return register


def _lines(text):
    return enumerate(text.split("\n"), 1)


def _folder(path):
    return os.path.dirname(path) or "generated"


@check("every name at the top is known", {"notes.txt": ""})
def top_level(tree):
    for name in sorted({path.split("/")[0] for path in tree}):
        if not name.startswith(".") and name not in rules.TOP_LEVEL:
            yield "%s: is not allowed at the top of the tree" % name


@check("includes follow the table of layers",
       {"engine/base/a.c": '#include "engine/model/call.h"\n'})
def layers(tree):
    for path, text in trees.code_files(tree, "engine/", "widgets/", "tui/"):
        own = _folder(path)
        allowed = rules.INCLUDES.get(own, []) + [own]
        for number, name, system in trees.includes(text):
            if not system and name not in allowed and _folder(name) not in allowed:
                yield "%s:%d: %s may not include %s" % (path, number, own, name)


@check("every folder has its row in the table of layers, and rows above it alone in its row",
       {"engine/new/a.c": ""})
def rows(tree):
    above = {"generated"}
    for folder, row in rules.INCLUDES.items():
        for name in row:
            if (_folder(name) if name.endswith(".h") else name) not in above:
                yield "tests/lint/rules.py: the row of %s has %s, which is not above" % \
                    (folder, name)
        above.add(folder)
    folders = {_folder(path) for path, _ in trees.code_files(tree, "engine/", "widgets/", "tui/")}
    for folder in sorted(folders - set(rules.INCLUDES)):
        yield "%s: has no row in tests/lint/rules.py" % folder


def _module(path):
    """Return the module of a path: header, source and private header are one module."""
    return re.sub(r"(_private)?\.\w+$", "", path)


@check("no modules include each other in a circle",
       {"tui/a.h": '#include "tui/b.h"\n', "tui/b.c": '#include "tui/a.h"\n', "tui/b.h": ""})
def circles(tree):
    """Repeatedly remove modules that include only removed ones; report the remaining modules."""
    needs = collections.defaultdict(set)
    for path, text in trees.code_files(tree, "engine/", "widgets/", "tui/"):
        needs[_module(path)] |= {_module(name) for _, name, system in trees.includes(text)
                                 if not system and "/" in name} - {_module(path)}
    while True:
        free = [module for module, others in needs.items() if not others & needs.keys()]
        if not free:
            break
        for module in free:
            del needs[module]
    used = set().union(*needs.values()) if needs else set()
    for module in sorted(needs.keys() & used):
        yield "%s: is in an include cycle, or between two, with %s" % \
            (module, ", ".join(sorted(needs[module] & needs.keys())))


@check("nothing is included twice", {"tui/a.c": "#include <errno.h>\n#include <errno.h>\n"})
def included_once(tree):
    for path, text in trees.code_files(tree):
        if path.startswith(("engine/source/bpf/", "tests/live/programs/")):
            continue  # these files include tables several times
        names = [name for _, name, _ in trees.includes(text)]
        for name, count in collections.Counter(names).items():
            if count > 1:
                yield "%s: includes %s %d times" % (path, name, count)


@check("identifiers have no banned words", {"tui/a.c": "int desk_open;\n"})
def banned_words(tree):
    for path, text in trees.code_files(tree):
        if path.startswith(("tests/live/programs/", "tests/judge/", "screenshots/")):
            continue
        code = re.sub(r"^\s*#\s*include.*", "", trees.stripped(text), flags=re.M)
        found = {}
        for number, line in _lines(code):
            for name in re.findall(r"[A-Za-z_]\w*", line):
                if name not in rules.BANNED_BUT and \
                        rules.BANNED_WORDS & set(name.lower().split("_")):
                    found.setdefault(name, number)
        for name, number in found.items():
            yield "%s:%d: %s" % (path, number, name)


@check("comments have no banned phrases", {"tui/a.c": "/* The model\n * goes on. */\n"})
def banned_in_comments(tree):
    yield from language.banned(tree, language.comments)


@check("strings have no banned phrases",
       {"tui/a.c": 'const char *text = "the model goes"\n\t\t\t" on";\n'})
def banned_in_strings(tree):
    yield from language.banned(tree, language.strings)


@check("manual pages and documents have no banned phrases", {"man/a.1": "The model goes on.\n"})
def banned_in_documents(tree):
    yield from language.banned(tree, language.documents)


@check("commit subjects name an area and a change in at most %d columns" % rules.MAX_SUBJECT,
       {trees.SUBJECTS: "The model goes on\n"})
def commit_subjects(tree):
    yield from language.banned(tree, language.subjects)
    for _, subject in language.subjects(trees.SUBJECTS, tree.get(trees.SUBJECTS, "")):
        if subject and not re.match(r"[\w./, -]+: \S", subject):
            yield "\"%s\" does not begin with an area and a colon" % subject
        if len(subject) > rules.MAX_SUBJECT:
            yield "\"%s\" has %d columns" % (subject, len(subject))


@check("every folder with code has a README of at most %d lines" % rules.MAX_README,
       {"tui/a.c": "", "widgets/a.c": "", "widgets/README.md": "\n" * 99})
def readmes(tree):
    for folder in sorted({_folder(path) for path, _ in trees.code_files(tree)}):
        parents = [folder, os.path.dirname(folder)]
        texts = [tree[f"{name}/README.md"] for name in parents if f"{name}/README.md" in tree]
        if not texts or (folder.split("/")[0] in ("engine", "tui", "widgets") and
                         f"{folder}/README.md" not in tree):
            yield "%s: has no README.md" % folder
    for path, text in tree.items():
        if path.endswith("/README.md") and text.count("\n") > rules.MAX_README:
            yield "%s: %d lines" % (path, text.count("\n"))


@check("no folder has more than %d files" % rules.MAX_FILES,
       {"engine/base/a%d.c" % number: "" for number in range(rules.MAX_FILES + 1)})
def folder_size(tree):
    counts = collections.Counter(
        _folder(path) for path, _ in trees.code_files(tree, "engine/", "widgets/", "tui/"))
    for folder, count in counts.items():
        if count > rules.MAX_FILES:
            yield "%s: %d files" % (folder, count)


@check("included files of ours exist", {"tui/a.c": '#include "tui/gone.h"\n'})
def included_exist(tree):
    for path, text in trees.code_files(tree):
        for number, name, system in trees.includes(text):
            if not system and "/" in name and name not in tree:
                yield "%s:%d: there is no %s" % (path, number, name)


@check("headers of libraries stay in their homes", {"tui/main.c": "#include <curses.h>\n"})
def homes(tree):
    for path, text in trees.code_files(tree):
        if path.startswith(("tests/live/programs/", "tests/bench/")):
            continue
        for number, name, system in trees.includes(text):
            if not system:
                continue
            for header, files in rules.HOMES.items():
                if re.fullmatch(header, name):
                    if not any(re.fullmatch(file, path) for file in files):
                        yield "%s:%d: <%s> belongs in %s" % (path, number, name, files[0])
                    break
            else:
                if not name.startswith(rules.SYSTEM_FOLDERS) and \
                        name.removesuffix(".h") not in rules.SYSTEM:
                    yield "%s:%d: <%s> is not a header of the C library and has no home in " \
                        "tests/lint/rules.py" % (path, number, name)


@check("the engine neither prints nor exits",
       {"engine/a.c": 'int f(void)\n{\n\treturn printf("x");\n}\n'})
def engine_silent(tree):
    for path, text in trees.code_files(tree, "engine/"):
        for number, line in _lines(trees.stripped(text)):
            for pattern in (rules.ENGINE_NEVER, rules.ENGINE_STREAMS):
                match = re.search(pattern, line)
                if match:
                    yield "%s:%d: %s in the engine" % (path, number, match.group(1))
            if re.search(r"\b_exit\s*\(", line) and path not in rules.ENGINE_MAY_EXIT:
                yield "%s:%d: _exit in the engine" % (path, number)


@check("nothing says that it is unfinished", {"engine/a.c": "/* FIX" "ME: later */\n"})
def finished(tree):
    for path, text in tree.items():
        if path == "LICENSE" or trees.is_data(path):
            continue
        for number, line in _lines(text):
            match = re.search(rules.UNFINISHED, line)
            if match:
                yield "%s:%d: says %s" % (path, number, match.group(1))


@check("lines are at most %d columns wide" % rules.MAX_COLUMNS,
       {"engine/a.c": "\t" * 12 + "return 1234;\n"})
def width(tree):
    for path, text in tree.items():
        if not path.endswith(trees.CODE + (".py", ".sh", ".keys", "Makefile", "run")):
            continue
        for number, line in _lines(text):
            if len(line.expandtabs(8)) > rules.MAX_COLUMNS:
                yield "%s:%d: %d columns" % (path, number, len(line.expandtabs(8)))


@check("lines end without blanks, files with one newline", {"a.c": "int a; \n"})
def blanks(tree):
    for path, text in tree.items():
        if path == "LICENSE" or trees.is_data(path):
            continue
        for number, line in _lines(text):
            if line != line.rstrip():
                yield "%s:%d: ends in blanks" % (path, number)
        if text and (not text.endswith("\n") or text.endswith("\n\n")):
            yield "%s: does not end in exactly one newline" % path


@check("C is indented with tabs", {"engine/a.c": "int f(void)\n{\n        return 1;\n}\n"})
def tabs(tree):
    for path, text in trees.code_files(tree):
        for number, line in _lines(text):
            if line.startswith("        "):
                yield "%s:%d: eight blanks instead of a tab" % (path, number)


@check("header guards are DIR_FILE_H", {"engine/base/a.h": "/* a */\n#ifndef A_H\n#endif\n"})
def guards(tree):
    for path, text in trees.code_files(tree):
        if not path.endswith(".h"):
            continue
        parts = path.removesuffix(".h").split("/")[-2:]
        guard = re.sub(r"\W", "_", "_".join(parts)).upper() + "_H"
        directives = re.findall(r"^#.*", trees.stripped(text), re.M)
        if directives[:2] != ["#ifndef " + guard, "#define " + guard] or \
                not directives[-1].startswith("#endif"):
            yield "%s: is not guarded by %s" % (path, guard)


@check("headers begin with what they are", {"engine/base/a.h": "#ifndef BASE_A_H\n"})
def contracts(tree):
    for path, text in trees.code_files(tree):
        if path.endswith(".h") and not text.startswith("/*"):
            yield "%s: does not begin with a comment on its purpose" % path


@check("a file includes its own header first",
       {"engine/base/a.c": '#include <stdio.h>\n#include "engine/base/a.h"\n',
        "engine/base/a.h": ""})
def own_header_first(tree):
    for path, text in trees.code_files(tree):
        own = re.sub(r"\.c$", ".h", path)
        first = next(trees.includes(text), None)
        if path.endswith(".c") and own in tree and (first is None or first[1] != own):
            yield "%s: does not include %s first" % (path, own)


@check("code uses no functions without bounds",
       {"tui/a.c": "void f(void)\n{\n\tstrcpy(a, b);\n}\n"})
def unbounded(tree):
    for path, text in trees.code_files(tree, "engine/", "widgets/", "tui/"):
        for number, line in _lines(trees.stripped(text)):
            match = re.search(r"\b(strcpy|strcat|v?sprintf|gets|strtok|alloca|atoi|atol|atoll)"
                              r"\s*\(", line)
            if match:
                yield "%s:%d: %s" % (path, number, match.group(1))


@check("mutexes of the engine inherit priority",
       {"engine/a.c": "void f(void)\n{\n\tpthread_mutex_init(&a, NULL);\n}\n"})
def inheriting(tree):
    for path, text in trees.code_files(tree, "engine/"):
        for number, line in _lines(trees.stripped(text)):
            if path != "engine/base/lock.c" and "pthread_mutex_init" in line:
                yield "%s:%d: use lock_init()" % (path, number)


@check("unit and replay tests define the suite that their name says",
       {"tests/unit/test_a.c": "Suite *suite_b(void)\n"})
def suites(tree):
    for path, text in tree.items():
        match = re.fullmatch(r"tests/(?:unit|replay)/test_(\w+)\.c", path)
        if match and not re.search(r"^Suite \*suite_%s\(void\)$" % match.group(1), text, re.M):
            yield "%s: does not define Suite *suite_%s(void)" % (path, match.group(1))


@check("no screen test sleeps instead of waiting for a condition",
       {"tests/screens/a.c": "void f(void)\n{\n\tsleep(1);\n}\n"})
def no_sleep(tree):
    for path, text in trees.code_files(tree, "tests/screens/"):
        for number, line in _lines(trees.stripped(text)):
            match = re.search(r"\b(u?sleep)\s*\(", line)
            if match:
                yield "%s:%d: %s" % (path, number, match.group(1))


@check("python scripts parse", {"tests/a.py": "def f(:\n"})
def python(tree):
    for path, text in tree.items():
        if path.endswith(".py") or trees.is_script(path, text, ["python3"]):
            try:
                compile(text, path, "exec", dont_inherit=True)
            except SyntaxError as error:
                yield "%s:%s: %s" % (path, error.lineno, error.msg)


@check("documents name files and targets that exist",
       {"README.md": "See `engine/gone.c`, `make nothing` and [this](that.png).\n"})
def documents(tree):
    targets = set(re.findall(r"^([a-z][a-z-]*):", tree.get("Makefile", ""), re.M))
    folders = "engine|widgets|tui|keymaps|tests|screenshots|man"
    for path, text in tree.items():
        if not path.endswith(".md"):
            continue
        here = os.path.dirname(path)
        for number, line in _lines(text):
            for name in re.findall(r"`((?:%s)/[\w./-]*)`" % folders, line):
                if "NAME" not in name and not any(other.startswith(name) for other in tree):
                    yield "%s:%d: there is no %s" % (path, number, name)
            for name in re.findall(r"`make ([a-z][a-z-]*)(?![\w/-])", line):
                if name not in targets:
                    yield "%s:%d: there is no target %s" % (path, number, name)
            for name in re.findall(r"\]\(([^):#]+)\)", line):
                if os.path.normpath(os.path.join(here, name)) not in tree:
                    yield "%s:%d: there is no %s" % (path, number, name)


@check("threads are described", {"engine/a.c": 'prctl(PR_SET_NAME, "name");'})
def threads(tree):
    """Compare the threads and processes that set a name with those in THREADS.md."""
    described = set(re.findall(r"^\|[^|]*`([a-z-]+)`", tree.get("THREADS.md", ""), re.M))
    named = {"stxtop"}
    for path, text in tree.items():
        if path.endswith(".c") and path.startswith(("engine/", "tui/")):
            named |= set(re.findall(r'pthread_setname_np\(pthread_self\(\), "([^"]+)"\)', text))
            named |= set(re.findall(r'PR_SET_NAME, "([^"]+)"', text))
        if path.endswith(".c"):
            named |= set(re.findall(r'guard_process_fork\("([^"]+)"', text))
    for name in sorted(named - described):
        yield "THREADS.md does not describe %s" % name
    for name in sorted(described - named):
        if "`%s`" % name in tree.get("THREADS.md", "").split("## Locks")[0]:
            yield "THREADS.md: there is no %s" % name


def long_files(tree):
    """Yield remarks, not failures: a file with a table is allowed to be long."""
    for path, text in trees.code_files(tree):
        count = text.count("\n")
        if count > rules.MAX_LINES:
            yield "%s: %d lines" % (path, count)


def executable(tree):
    for path, text in tree.items():
        if text.startswith("#!") and not os.access(path, os.X_OK):
            yield "%s: is a script but not executable" % path
