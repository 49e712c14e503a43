#include "tui/config/options_private.h"

/* clang-format off */
const struct option_def options_table[] = {
	{ 'p', "pid", "PID,...", "watch these processes: all threads, children too" },
	{ 't', "tid", "TID,...", "watch these threads" },
	{ 'u', "uid", "USER,...", "only threads whose effective user is one of these" },
	{ 'G', "cgroup", "CGROUP,...", "only threads in these control groups, by path, by name "
	  "or by a container's id" },
	{ 'C', "cpu", "LIST", "watch these processors only, as in 0-3,6" },
	{ 'e', "expr", "SET", "only these system calls, in strace's notation: "
	  "open,close  !read  %file  /^epoll/" },
	{ 'E', "event", "TP,...", "other tracepoints too, as in sched:sched_process_exec or "
	  "probe_libc:*" },
	{ OPT_NO_SYSCALLS, "no-syscalls", NULL, "of -E alone: no system calls" },
	{ 'P', "trace-path", "PATH", "only calls that touch it, by name or through a descriptor; "
	  "may be given several times" },
	{ 'F', "filter", "EXPR", "only calls that match, as in 'comm ~ \"nginx\" and dur > 10ms'" },
	{ 'd', "min-duration", "MS", "only calls that took at least so many milliseconds" },
	{ 'Z', "failed-only", NULL, "only calls that failed" },
	{ OPT_CATCH, "catch", "ACTION: EXPR", "wait for a call that matches, then freeze, record "
	  "FILE, bell or stop (SIGSTOP); may be given several times" },
	{ 'g', "call-graph", "MODE", "stacks of what waits: auto, fp, dwarf[,BYTES] or off" },
	{ OPT_DEBUGINFOD, "debuginfod", NULL, "fetch debug files that are not here, from the "
	  "servers in DEBUGINFOD_URLS" },
	{ 'm', "mmap-size", "SIZE", "ring buffer per processor, as in 4M" },
	{ OPT_HISTORY, "history", "SIZE", "memory for past calls, 64M by default" },
	{ OPT_STRING_SIZE, "string-size", "N", "bytes shown of strings and buffers, 32 by "
	  "default" },
	{ OPT_HEX, "hex", NULL, "all bytes of strings and buffers as \\x61" },
	{ 'y', "decode-fds", NULL, "what descriptors are, as in 3</etc/hosts>; the interface does "
	  "it always" },
	{ OPT_SOURCE, "source", "NAME", "where calls come from: auto, bpf or perf" },
	{ 'o', "record", "FILE", "record all that is collected to FILE, for -i and for perf" },
	{ 'z', "compress", "LEVEL", "with -o: compress the recording, 1 (fast) to 22" },
	{ OPT_ROTATE, "rotate", "SIZE|TIME[,KEEP]", "with -o: begin another file when this one has "
	  "that size or age" },
	{ OPT_NO_NAMES, "no-names", NULL, "recordings do not get the names of functions on their "
	  "stacks" },
	{ OPT_FLIGHT, "flight", "EXPR", "keep the last seconds in memory, and save them when a "
	  "call matches, or at SIGUSR1" },
	{ OPT_FLIGHT_FILE, "flight-file", "PATTERN", "the flight recorder's files, as in "
	  "/var/tmp/f-%Y%m%d-%H%M%S.data" },
	{ OPT_FLIGHT_SPAN, "flight-span", "BEFORE[,AFTER]", "how much of what was before and comes "
	  "after is saved, 10s,1s by default" },
	{ OPT_FLIGHT_SIZE, "flight-size", "SIZE", "memory for what was before, 64M by default" },
	{ OPT_FLIGHT_AGAIN, "flight-again", "TIME", "how long no other call saves, 30s by default; "
	  "never: one file is enough" },
	{ OPT_FLIGHT_KEEP, "flight-keep", "N", "remove the oldest when there are more files, 10 by "
	  "default; all: keep them" },
	{ 'i', "input", "FILE", "explore a recording of -o, perf record or perf trace record" },
	{ OPT_FROM, "from", "TIME", "with -i: only calls that begin then or later, in seconds "
	  "since the recording began" },
	{ OPT_UNTIL, "until", "TIME", "with -i: read up to that time" },
	{ OPT_SPEED, "speed", "N", "with -i: N recorded seconds in one of ours, 0.01 to 1000" },
	{ OPT_SYMFS, "symfs", "DIR", "with -i: the root of the files of the machine that was "
	  "recorded" },
	{ OPT_DEBUG_DIR, "debug-dir", "DIR:...", "where debug files are, in place of "
	  "/usr/lib/debug" },
	{ OPT_BUILDID_DIR, "buildid-dir", "DIR", "with -i: where perf buildid-cache keeps files, "
	  "~/.debug by default" },
	{ OPT_KALLSYMS, "kallsyms", "FILE", "with -i: /proc/kallsyms of the machine that was "
	  "recorded" },
	{ OPT_VMLINUX, "vmlinux", "FILE", "with -i: the kernel of the machine that was recorded" },
	{ OPT_INFO, "info", NULL, "with -i: say where the recording is from and how it was made" },
	{ OPT_AGAINST, "against", "FILE", "what changed between the recording of -i and this one" },
	{ 'b', "batch", NULL, "no interface: a line for each call" },
	{ OPT_JSON, "json", NULL, "the same as JSON, an object a line, then the summary" },
	{ OPT_CSV, "csv", NULL, "the same as CSV, a line for each call; with -s the summary "
	  "as CSV" },
	{ 's', "summary", NULL, "no interface: the summary only" },
	{ 'S', "with-summary", NULL, "no interface: lines, then the summary" },
	{ OPT_SUMMARY_BY, "summary-by", "WHAT", "a table for each process, each thread, or one "
	  "in total" },
	{ OPT_SUMMARY_COLUMNS, "summary-columns", "LIST", "of the summary, as in "
	  "calls,errors,blocked,p99" },
	{ OPT_SUMMARY_SORT, "summary-sort", "COLUMN", "the order of its rows; -COLUMN turns it "
	  "round" },
	{ 'q', "quiet", NULL, "with -o: no line at the end about what was recorded" },
	{ 'w', "output", "FILE", "where lines and summary go" },
	{ OPT_FOLDED, "folded", "FILE", "no interface: blocked time by stack, for flame graphs" },
	{ OPT_CHROME_TRACE, "chrome-trace", "FILE", "no interface: calls and wake-ups for Perfetto "
	  "and chrome://tracing" },
	{ 'n', "max-calls", "N", "end after so many calls" },
	{ OPT_FOR, "for", "SECS", "end after so many seconds, as in 0.5 or 50ms" },
	{ OPT_ARG_NAMES, "arg-names", NULL, "arguments with their names" },
	{ OPT_ACCESS, "access", NULL, "say what you may watch here and what would grant more" },
	{ OPT_VIEW, "view", "NAME", "the view to begin with: overview, syscalls, calls, blocked, "
	  "futexes, files, stacks, latency, output" },
	{ OPT_THEME, "theme", "NAME|FILE", "colours: auto, dark, light, 16, mono, high-contrast, "
	  "or a file's" },
	{ OPT_KEYMAP, "keymap", "NAME|FILE", "keys from this file" },
	{ OPT_ACCESSIBLE, "accessible", NULL, "for screen readers and braille: the cursor on the "
	  "selected row, ASCII, nothing that moves by itself more than once a second" },
	{ OPT_ASCII, "ascii", NULL, "draw with ASCII characters only" },
	{ OPT_READ_ONLY, "read-only", NULL, "signal and stop no process" },
	{ OPT_NO_MOUSE, "no-mouse", NULL, "leave the mouse to the terminal" },
	{ OPT_NO_COLOR, "no-color", NULL, "no colours, as the variable NO_COLOR does" },
	{ OPT_COMMAND_OUTPUT, "command-output", "FILE",
	  "what COMMAND writes while the interface runs" },
	{ OPT_VERSION, "version", NULL, "the version" },
	{ OPT_HELP, "help", NULL, "this list" },
	{ OPT_DEMO, "demo", NULL, "explore a recording that comes with the program" },
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
		     "Watches system calls as they happen: of COMMAND and what it starts, of "
		     "processes\nnamed with -p, or of the whole system.\n\n");
	for (size_t i = 0; i < options_table_count; i++)
		add_help(out, &options_table[i]);
	str_add(out, "\nExit status: COMMAND's own if there is one; 0; 1 after a failure; 2 for a "
		     "command\nline that is wrong. stxtop(1) says more.\n");
}
