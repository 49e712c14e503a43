"""Tables of the checks: what the project allows."""

# Names allowed at the top of the tree, in addition to those that begin with a dot.
TOP_LEVEL = {
    "Makefile", "LICENSE",
    "README.md", "ARCHITECTURE.md", "THREADS.md", "GLOSSARY.md", "CONTRIBUTING.md", "CHANGELOG.md",
    "SECURITY.md",
    "tui", "engine", "widgets", "keymaps", "tests", "screenshots", "man",
}

# Folder -> folders and single headers that its files may include, in addition to the folder itself.
# A row names only rows above it and "generated", the headers that the Makefile writes. The worker
# parses hostile files, so it includes no code that opens or requests a file. Only tui/ includes
# engine/engine.h; single headers in the rows of tui/ declare types that engine.h uses.
INCLUDES = {
    "engine/base": [],
    "engine/helper": ["engine/base"],
    "engine/record": ["engine/base"],
    "engine/fds": ["engine/base", "engine/helper", "engine/record"],
    "engine/process": ["engine/base", "engine/helper", "engine/record"],
    "engine/stack/worker": ["engine/base", "engine/helper/data_offset.h",
                            "engine/helper/descriptor.h", "engine/helper/sandbox.h",
                            "engine/helper/worker_wire.h"],
    "engine/tasks": ["engine/base", "engine/record"],
    "engine/decode": ["engine/base", "engine/record", "engine/fds"],
    "engine/model": ["engine/base", "engine/record", "engine/fds", "engine/tasks"],
    "engine/source": ["engine/base", "engine/record", "engine/process"],
    "engine/stack": ["engine/base", "engine/helper", "engine/record", "engine/process",
                     "engine/stack/worker"],
    "engine/decode/constants": ["engine/decode"],
    "engine/decode/families": ["engine/decode"],
    "engine/decode/ioctl": ["engine/record", "engine/decode"],
    "engine/export": ["engine/base", "engine/record", "engine/decode", "engine/stack"],
    "engine/filter": ["engine/base", "engine/record", "engine/process", "engine/decode",
                      "engine/model"],
    "engine/late": ["engine/base", "engine/helper", "engine/record", "engine/process",
                    "engine/decode", "engine/model", "engine/stack"],
    "engine/source/perf": ["engine/base", "engine/helper", "engine/record", "engine/process",
                           "engine/source"],
    "engine/recording": ["engine/base", "engine/record", "engine/process", "engine/source",
                         "engine/source/perf"],
    "engine/source/bpf": ["engine/base", "engine/record", "engine/process", "engine/source",
                          "engine/source/perf", "generated"],
    "engine/recording/read": ["engine/base", "engine/record", "engine/source", "engine/source/perf",
                              "engine/recording"],
    "engine/source/live": ["engine/base", "engine/record", "engine/process", "engine/source",
                           "engine/source/perf", "engine/source/bpf"],
    "engine/recorder": ["engine/base", "engine/record", "engine/process", "engine/model",
                        "engine/source", "engine/stack", "engine/filter", "engine/late",
                        "engine/source/perf", "engine/recording", "engine/recording/read"],
    "engine/collector": ["engine/base", "engine/record", "engine/fds", "engine/model",
                         "engine/source", "engine/stack", "engine/filter", "engine/recorder"],
    "engine": ["engine/base", "engine/helper", "engine/record", "engine/fds", "engine/process",
               "engine/tasks", "engine/decode", "engine/model", "engine/source", "engine/stack",
               "engine/filter", "engine/late", "engine/recording", "engine/recording/read",
               "engine/source/live", "engine/recorder", "engine/collector", "generated"],
    "widgets/canvas": ["engine/base"],
    "widgets/terminal": ["engine/base", "widgets/canvas"],
    "widgets": ["engine/base", "widgets/canvas", "widgets/terminal"],
    "tui/config": ["engine/base", "engine/export", "engine/filter/target_filters.h",
                   "engine/recorder/flight.h", "engine/recorder/flight_file.h", "engine",
                   "widgets/canvas", "widgets/terminal", "generated"],
    "tui/session": ["engine/base", "engine/record/call.h", "engine/process/command.h",
                    "engine/process/target.h", "engine/export", "engine/filter/filter.h",
                    "engine/filter/target_filters.h", "engine/collector/play.h", "engine",
                    "widgets/canvas", "widgets", "tui/config"],
    "tui/calls": ["engine/base", "engine/decode/call_bytes.h", "engine/export", "engine", "widgets",
                  "tui/session"],
    "tui/view": ["engine/base", "engine/export", "engine", "widgets/terminal", "widgets",
                 "tui/config", "tui/session", "tui/calls"],
    "tui/compare": ["engine/base", "engine/export", "engine", "widgets/canvas", "widgets",
                    "tui/session", "tui/view"],
    "tui/panes": ["engine/base", "engine/source/live/access.h", "engine", "widgets/canvas",
                  "widgets", "tui/session", "tui/calls", "tui/view"],
    "tui/dialogs": ["engine/base", "engine/process/command.h", "engine/filter/filter.h", "engine",
                    "widgets/canvas", "widgets/terminal", "widgets", "tui/config", "tui/session",
                    "tui/view", "tui/compare"],
    "tui/report": ["engine/base", "engine/process/command.h", "engine/export",
                   "engine/source/live/access.h", "engine", "widgets", "tui/config", "tui/session",
                   "tui/calls", "tui/compare"],
    "tui/shell": ["engine/base", "engine/process/self_usage.h", "engine", "widgets/canvas",
                  "widgets/terminal", "widgets", "tui/config", "tui/session", "tui/calls",
                  "tui/view", "tui/compare", "tui/panes", "tui/dialogs", "tui/report"],
    "tui/app": ["engine/base", "engine/process/command.h", "widgets/terminal", "tui/config",
                "tui/session", "tui/dialogs", "tui/shell"],
    "tui": ["engine/base", "engine/process/command.h", "engine/source/live/access.h", "engine",
            "tui/config", "tui/dialogs", "tui/report", "tui/app"],
}

# Headers of libraries: pattern of the header -> patterns of the files that may use it.
HOMES = {
    r"(traceevent/)?(event-parse|trace-seq|kbuffer)\.h": [r"engine/source/tracepoint\.c"],
    r"libunwind.*\.h": [r"engine/stack/worker/unwind_\w+\.[ch]"],
    r"(elfutils/.*|libelf|gelf|dwarf|libiberty/.*|demangle|zlib)\.h":
        [r"engine/stack/worker/(symbol|unwind)_\w+\.[ch]"],
    r"pcre2\.h": [r"engine/filter/filter_pattern\.c"],
    r"zstd\.h": [r"engine/recording/perfdata_(?:de)?compress\.c",
                 r"tests/fuzz/recording_damage\.c"],
    r"bpf/.*\.h": [r"engine/source/bpf/[\w.]+", r"engine/decode/btf\w*\.c"],
    r"(ncurses\w*/)?(n?curses|term|panel)\.h": [r"widgets/terminal/screen\w*\.[ch]"],
    r"vterm(_keycodes)?\.h": [r"tests/screens/\w+\.[ch]"],
    r"sqlite3\.h": [r"screenshots/workloads/\w+\.c"],
    r"check\.h": [r"tests/(unit|replay)/\w+\.[ch]"],
}

# Headers of the C library and the kernel, which any file may use.
SYSTEM_FOLDERS = ("linux/", "asm/", "sys/", "net/", "netinet/", "arpa/")
SYSTEM = set("""
assert ctype dirent dlfcn elf errno fcntl fnmatch fts getopt glob grp inttypes langinfo limits
link locale malloc math mntent netdb nl_types poll pthread pty pwd regex sched search
semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib
stdnoreturn string strings syscall termios threads time ucontext unistd utmp wchar wctype
sysexits byteswap endian getopt paths
""".split())

# Functions and streams that the engine must not use: it neither prints nor ends the program.
ENGINE_NEVER = r"\b(printf|vprintf|puts|putchar|perror|exit|quick_exit|abort|warnx?|errx?)\s*\("
ENGINE_STREAMS = r"\b(stdout|stderr)\b"
# mem.c ends a program that is out of memory; the other files end children that they forked.
ENGINE_MAY_EXIT = {"engine/base/mem.c", "engine/process/command.c", "engine/helper/fork_server.c",
                   "engine/base/guard_process.c"}

# Allowed variables that are neither constant nor local, and the reason for each.
GLOBALS = {
    ("engine/base/clock.c", "offset_ns"): "set at the start, constant once there are threads",
    ("engine/base/hash.c", "hash_secret"): "set at the start, constant once there are threads",
    ("engine/base/mem.c", "restore_terminal"): "function to call when out of memory",
    ("engine/base/str.c", "str_empty_data"): "the shared empty string, never written",
    ("tui/dialogs/signals.c", "restore_terminal"): "function that signal handlers call",
    ("tui/dialogs/signals.c", "crash_stack"): "alternate stack of handlers, for stack overflows",
    ("widgets/terminal/terminal_guard.c", "alone"):
        "terminal state that a signal handler restores",
    ("widgets/terminal/terminal_guard.c", "guard"):
        "points to that state, or to memory shared with the guard process",
    ("widgets/terminal/terminal_guard.c", "watcher"):
        "the process that restores the terminal of a killed stxtop",
}

# Words that say nothing to an engineer who knows perf, strace and htop: see GLOSSARY.md instead.
BANNED_WORDS = set("""
births crowd desk errand errands finder hush hushed keeper lanes narrowing nobody nursery patience
ration rations reaper somebody stranger strangers survey tell teller tells told twin twins undecided
whoever whom whomever wish wishes
""".split())
BANNED_BUT = {"NOBODY"}  # uid of the user nobody

# Phrases that are not allowed in comments, strings, manuals, documents and commit subjects. They
# hide the subject, or a standard term replaces them: "continues", "reports", "unknown", "timeout".
BANNED_PHRASES = [
    r"who", r"whom", r"whoever", r"whomever", r"nobody", r"somebody", r"someone", r"everybody",
    r"everyone", r"anybody", r"anyone", r"others", r"(?:go|goes|going|went|gone) on",
    r"tells?", r"told", r"telling", r"ask(?:s|ed|ing)? (?:for|of)", r"as at first", r"time-outs?",
    r"not known", r"lets? (?:\w+ )?through", r"(?:is|are|was|were|be|been|being) due",
    r"nothing else", r"nothing but", r"no more and no less", r"no other than", r"taken for",
    r"of what", r"finds? out", r"found out", r"finding out", r"wish(?:es|ed)?", r"it is for",
    r"that is all", r"all there is", r"what there is", r"what is left", r"mends?",
    r"(?<!there )(?<!here )(?:is|are|was|were) no (?!longer\b|more\b|less\b|such\b|\w+er\b)\w+",
    r"births?", r"errands?", r"strangers?", r"reaper", r"nursery", r"rations?",
]
# Lines in which such a phrase is allowed, as a name of the kernel or of a program.
BANNED_PHRASES_BUT = [
    r"\bint who\b",  # a parameter of getpriority(2) and getrusage(2)
    r"^(?:who|others)$",  # ids of columns, values in JSON
    r"\b(?:user|uid) nobody\b",
]
# Files that are not checked: texts by other authors, and the table above.
BANNED_PHRASES_NOT_IN = ("LICENSE", "tests/lint/rules.py")
# Commit subjects after this commit are checked, too.
SUBJECTS_SINCE = "c1d3f38362ed610410f3b8a126c52192d45dbfb4"
MAX_SUBJECT = 72
SAMPLE = 200  # number of comment sentences whose reading grade is printed

# Allowed exported functions that no other object uses, and the reason.
UNUSED_BUT = {"traceevent_" + name: "libtraceevent calls it, renamed by objcopy"
              for name in ("asprintf", "calloc", "malloc", "realloc", "strdup")}

UNFINISHED = r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b"

CLANG_FORMAT = 14  # version that defines the layout of code

MAX_COLUMNS = 100
MAX_LINES = 700
MAX_FILES = 45
MAX_README = 40
