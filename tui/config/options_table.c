#include "tui/config/options_private.h"

/* clang-format off */
const struct option_def options_table[] = {
	{ 'p', "pid", "PID,...", "watch these processes, their threads and children" },
	{ 't', "tid", "TID,...", "watch these threads" },
	{ 'u', "uid", "USER,...", "only threads whose effective user is one of these" },
	{ 'G', "cgroup", "CGROUP,...", "only threads in these cgroups, by path, name or "
	  "container ID" },
	{ 'C', "cpu", "LIST", "watch only these CPUs, as in 0-3,6" },
	{ 'e', "expr", "SET", "only these system calls, in strace's notation: "
	  "open,close  !read  %file  /^epoll/" },
	{ 'E', "event", "TP,...", "also watch tracepoints, as in sched:sched_process_exec or "
	  "probe_libc:*" },
	{ OPT_NO_SYSCALLS, "no-syscalls", NULL, "watch no system calls, only the tracepoints of "
	  "-E" },
	{ 'P', "trace-path", "PATH", "only calls that use PATH, by name or descriptor; "
	  "repeatable" },
	{ 'F', "filter", "EXPR", "only calls that match, as in 'comm ~ \"nginx\" and dur > 10ms'" },
	{ 'd', "min-duration", "MS", "only calls that took at least MS milliseconds" },
	{ 'Z', "failed-only", NULL, "only calls that failed" },
	{ OPT_CATCH, "catch", "ACTION: EXPR", "when a call matches: freeze, record FILE, bell "
	  "or stop (SIGSTOP); repeatable" },
	{ 'g', "call-graph", "MODE", "stacks of waits: auto, fp, dwarf[,BYTES] or off" },
	{ OPT_DEBUGINFOD, "debuginfod", NULL, "fetch missing debug files from the servers in "
	  "DEBUGINFOD_URLS" },
	{ 'm', "mmap-size", "SIZE", "ring buffer size per CPU, as in 4M" },
	{ OPT_HISTORY, "history", "SIZE", "memory for past calls (default 64M)" },
	{ OPT_STRING_SIZE, "string-size", "N", "show at most N bytes of strings and buffers "
	  "(default 32)" },
	{ OPT_HEX, "hex", NULL, "show all bytes of strings and buffers as \\x61" },
	{ 'y', "decode-fds", NULL, "show what descriptors refer to, as in 3</etc/hosts>; always "
	  "on in the interface" },
	{ OPT_SOURCE, "source", "NAME", "source of calls: auto, bpf or perf" },
	{ 'o', "record", "FILE", "record all collected data to FILE, for -i and perf" },
	{ 'z', "compress", "LEVEL", "with -o: compress the recording, 1 (fast) to 22" },
	{ OPT_ROTATE, "rotate", "SIZE|TIME[,KEEP]", "with -o: start a new file at this size or "
	  "age" },
	{ OPT_NO_NAMES, "no-names", NULL, "do not store the function names of stacks in "
	  "recordings" },
	{ OPT_FLIGHT, "flight", "EXPR", "keep the last seconds in memory; save them when a call "
	  "matches or on SIGUSR1" },
	{ OPT_FLIGHT_FILE, "flight-file", "PATTERN", "file names of the flight recorder, as in "
	  "/var/tmp/f-%Y%m%d-%H%M%S.data" },
	{ OPT_FLIGHT_SPAN, "flight-span", "BEFORE[,AFTER]", "time saved before and after the "
	  "trigger (default 10s,1s)" },
	{ OPT_FLIGHT_SIZE, "flight-size", "SIZE", "memory for the time before the trigger "
	  "(default 64M)" },
	{ OPT_FLIGHT_AGAIN, "flight-again", "TIME", "pause between saves (default 30s); never: "
	  "save one file only" },
	{ OPT_FLIGHT_KEEP, "flight-keep", "N", "keep N files, remove the oldest (default 10); "
	  "all: keep all" },
	{ 'i', "input", "FILE", "explore a recording made by -o, perf record or perf trace "
	  "record" },
	{ OPT_FROM, "from", "TIME", "with -i: only calls that begin at TIME or later, in "
	  "seconds from the start" },
	{ OPT_UNTIL, "until", "TIME", "with -i: read up to TIME" },
	{ OPT_SPEED, "speed", "N", "with -i: replay at N times real time, 0.01 to 1000" },
	{ OPT_SYMFS, "symfs", "DIR", "with -i: root directory of the files of the recorded "
	  "machine" },
	{ OPT_DEBUG_DIR, "debug-dir", "DIR:...", "directories of debug files, instead of "
	  "/usr/lib/debug" },
	{ OPT_BUILDID_DIR, "buildid-dir", "DIR", "with -i: cache of perf buildid-cache (default "
	  "~/.debug)" },
	{ OPT_KALLSYMS, "kallsyms", "FILE", "with -i: /proc/kallsyms of the recorded machine" },
	{ OPT_VMLINUX, "vmlinux", "FILE", "with -i: vmlinux of the recorded machine" },
	{ OPT_INFO, "info", NULL, "with -i: print where and how the recording was made" },
	{ OPT_AGAINST, "against", "FILE", "compare the recording of -i with this one" },
	{ 'b', "batch", NULL, "batch mode, no interface: a line per call" },
	{ OPT_JSON, "json", NULL, "batch mode: JSON Lines, then the summary object" },
	{ OPT_CSV, "csv", NULL, "batch mode: calls as CSV; with -s the summary as CSV" },
	{ 's', "summary", NULL, "batch mode: the summary only" },
	{ 'S', "with-summary", NULL, "batch mode: lines, then the summary" },
	{ OPT_SUMMARY_BY, "summary-by", "WHAT", "summary tables by process, thread or total" },
	{ OPT_SUMMARY_COLUMNS, "summary-columns", "LIST", "columns of the summary, as in "
	  "calls,errors,blocked,p99" },
	{ OPT_SUMMARY_SORT, "summary-sort", "COLUMN", "sort the summary by COLUMN; -COLUMN "
	  "inverts" },
	{ 'q', "quiet", NULL, "with -o: no final line about the recording" },
	{ 'w', "output", "FILE", "write lines and summary to FILE" },
	{ OPT_FOLDED, "folded", "FILE", "batch mode: blocked time by stack, for flame graphs" },
	{ OPT_CHROME_TRACE, "chrome-trace", "FILE", "batch mode: calls and wakeups for Perfetto "
	  "and chrome://tracing" },
	{ 'n', "max-calls", "N", "stop after N calls" },
	{ OPT_FOR, "for", "SECS", "stop after this time, as in 0.5 or 50ms" },
	{ OPT_ARG_NAMES, "arg-names", NULL, "show argument names" },
	{ OPT_ACCESS, "access", NULL, "report what you may watch, and the commands that grant "
	  "more" },
	{ OPT_VIEW, "view", "NAME", "initial view: overview, processes, syscalls, calls, "
	  "blocked, futexes, files, stacks, latency, compare, access, output" },
	{ OPT_THEME, "theme", "NAME|FILE", "colours: auto, dark, light, 16, mono, "
	  "high-contrast, or a file" },
	{ OPT_KEYMAP, "keymap", "NAME|FILE", "keymap: default, vi, emacs, or a file" },
	{ OPT_ACCESSIBLE, "accessible", NULL, "for screen readers and braille: cursor on the "
	  "selected row, ASCII, at most one automatic update per second" },
	{ OPT_ASCII, "ascii", NULL, "draw with ASCII characters only" },
	{ OPT_READ_ONLY, "read-only", NULL, "never signal or stop a process" },
	{ OPT_NO_MOUSE, "no-mouse", NULL, "leave the mouse to the terminal" },
	{ OPT_NO_COLOR, "no-color", NULL, "no colours, as with the variable NO_COLOR" },
	{ OPT_COMMAND_OUTPUT, "command-output", "FILE",
	  "write the output of COMMAND to FILE while the interface runs" },
	{ OPT_VERSION, "version", NULL, "print the version" },
	{ OPT_HELP, "help", NULL, "print this list" },
	{ OPT_DEMO, "demo", NULL, "explore the built-in demo recording" },
};
/* clang-format on */
_Static_assert(sizeof(options_table) / sizeof(options_table[0]) < OPTIONS_MAX, "see OPTIONS_MAX");
const size_t options_table_count = sizeof(options_table) / sizeof(options_table[0]);

/* -- Help ---------------------------------------------------------------------------- */

#define HELP_LEFT_COLS 30

static void add_help(struct str *out, const struct option_def *def)
{
	size_t begin = out->len;

	if (def->key < 256)
		str_addf(out, "  -%c, --%s", def->key, def->name);
	else
		str_addf(out, "      --%s", def->name);
	if (def->arg)
		str_addf(out, " %s", def->arg);
	if (out->len - begin > HELP_LEFT_COLS - 2) {
		str_addc(out, '\n');
		begin = out->len;
	}
	str_repeat(out, ' ', HELP_LEFT_COLS - (out->len - begin));
	str_addf(out, "%s\n", def->help);
}

void options_help(struct str *out)
{
	str_add(out, "Usage: stxtop [OPTION...] [--] [COMMAND [ARG...]]\n"
		     "Watch system calls as they happen: of COMMAND and its descendants, of the\n"
		     "processes given with -p, or of the whole system.\n\n");
	for (size_t i = 0; i < options_table_count; i++)
		add_help(out, &options_table[i]);
	str_add(out, "\nExit status: that of COMMAND, if given; else 0, 1 after a failure, 2 for "
		     "an invalid\ncommand line. See stxtop(1).\n");
}
