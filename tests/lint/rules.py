"""What the house allows: the tables that the checks read."""

# Names that may stand at the top, besides those that begin with a dot.
TOP_LEVEL = {
    "Makefile", "README.md", "ARCHITECTURE.md", "THREADS.md", "LICENSE",
    "tui", "engine", "widgets", "keymaps", "tests", "screenshots", "man",
}

# Folder -> what its files may include besides the folder itself. A name ending
# in .h is that header alone; "engine/*.h" is the headers directly in engine/.
# kernel_filter.h is data (a set of syscalls and pids) that both the filter
# language and the sources speak; target.h is what a source is told to watch.
ARROWS = {
    "engine/base": [],
    "engine/model": ["engine/base"],
    "engine/filter": ["engine/base", "engine/model", "engine/decode", "engine/stack"],
    "engine/process": ["engine/base", "engine/stack/descriptor.h", "engine/stack/nursery.h"],
    "engine/stack": ["engine/base", "engine/model", "engine/process"],
    "engine/decode": ["engine/base", "engine/model", "engine/filter/kernel_filter.h"],
    "engine/source": ["engine/base", "engine/model", "engine/process", "engine/mapped_at.h",
                      "engine/filter/kernel_filter.h",
                      "engine/target.h", "generated"],
    "engine/recording": ["engine/base", "engine/model", "engine/source",
                         "engine/filter/kernel_filter.h", "generated"],
    "engine/export": ["engine/base", "engine/model", "engine/decode", "engine/stack",
                      "engine/filter"],
    "engine/recorder": ["engine/base", "engine/model", "engine/source", "engine/recording",
                        "engine/stack", "engine/filter", "engine/*.h"],
    "engine": ["engine/process", "engine/base", "engine/model", "engine/filter", "engine/stack",
               "engine/decode", "engine/source", "engine/recording", "engine/recorder",
               "engine/export", "generated"],
    "widgets": ["engine/base"],
    # And whatever engine/engine.h includes, directly or not. Call trees are built
    # when a view wants one, by the view.
    "tui": ["engine/base", "engine/export", "engine/*.h", "engine/stack/call_tree.h",
            "engine/recorder/flight_file.h",
            "widgets", "generated"],
}

# Headers of libraries: pattern of the header -> patterns of the files that may use it.
HOMES = {
    r"(traceevent/)?(event-parse|trace-seq|kbuffer)\.h": [r"engine/source/tracepoint\.c"],
    r"libunwind.*\.h": [r"engine/stack/unwind_\w+\.[ch]"],
    r"(elfutils/.*|libelf|gelf|dwarf|libiberty/.*|demangle|zlib)\.h":
        [r"engine/stack/(symbol|unwind)_\w+\.[ch]"],
    r"pcre2\.h": [r"engine/filter/filter_pattern\.c"],
    r"zstd\.h": [r"engine/recording/perf_(?:un)?pack\.c",
                 r"tests/fuzz/recording_damage\.c"],
    r"bpf/.*\.h": [r"engine/source/bpf_(?:load|refusal)\.c", r"engine/source/bpf/[\w.]+",
                  r"engine/decode/btf\w*\.c"],
    r"(ncurses\w*/)?(n?curses|term|panel)\.h": [r"widgets/(screen|canvas)\w*\.[ch]"],
    r"vterm(_keycodes)?\.h": [r"tests/screens/\w+\.[ch]"],
    r"sqlite3\.h": [r"screenshots/workloads/\w+\.c"],
    r"check\.h": [r"tests/(unit|replay)/\w+\.[ch]"],
}

# Headers of the C library and the kernel, which have no home.
SYSTEM_FOLDERS = ("linux/", "asm/", "sys/", "net/", "netinet/", "arpa/")
SYSTEM = set("""
assert ctype dirent dlfcn elf errno fcntl fnmatch fts getopt glob grp inttypes langinfo limits
link locale malloc math mntent netdb nl_types poll pthread pty pwd regex sched search
semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib
stdnoreturn string strings syscall termios threads time ucontext unistd utmp wchar wctype
sysexits byteswap endian getopt paths
""".split())

# What an engine never calls: it neither prints nor ends the program.
ENGINE_NEVER = r"\b(printf|vprintf|puts|putchar|perror|exit|quick_exit|abort|warnx?|errx?)\s*\("
ENGINE_STREAMS = r"\b(stdout|stderr)\b"
# mem ends a program that has no memory left; the others end children that they forked.
ENGINE_MAY_EXIT = {"engine/base/mem.c", "engine/command.c", "engine/stack/nursery.c",
                   "engine/base/guard_process.c"}

# Variables that are neither constant nor local, and why each must be.
GLOBALS = {
    ("engine/base/clock.c", "offset_ns"): "read at the start, constant once there are threads",
    ("engine/base/hash.c", "hash_secret"): "drawn at the start, constant once there are threads",
    ("engine/base/mem.c", "restore_terminal"): "what a program out of memory calls last",
    ("engine/base/str.c", "str_empty_data"): "the shared empty string, never written",
    ("tui/signals.c", "restore_terminal"): "what a signal handler calls",
    ("tui/signals.c", "crash_stack"): "where a handler runs when the stack overflowed",
    ("widgets/terminal_guard.c", "alone"): "what a signal handler restores the terminal from",
    ("widgets/terminal_guard.c", "guard"): "the same, or memory that a watching process shares",
    ("widgets/terminal_guard.c", "watcher"): "the process that restores it for a killed one",
}

UNFINISHED = r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b"

CLANG_FORMAT = 14  # the version that decides how code is laid out

MAX_COLUMNS = 100
MAX_LINES = 700
