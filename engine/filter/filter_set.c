/*
 * filter_set - the set notation of strace, -e trace=SET (strace(1), "Filtering").
 *
 * Names, numbers, %classes and /patterns/ joined by commas. A leading `!` inverts the set; `?`
 * marks an element that is allowed to be unknown. The set becomes an ordinary filter.
 */
#include "engine/base/escape.h"
#include "engine/filter/filter_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BYTES (FILTER_PATTERN_BYTES + 64)

struct set_parser {
	const struct filter_names *names;
	struct filter_error *error;
	struct str list; /* "futex, %file" */
	struct str patterns; /* "syscall ~ \"^epoll\"" joined by || */
	bool everything;
	bool any; /* a nonempty element was parsed */
};

/*
 * Names of i386 and x32 from asm/unistd_32.h and asm/unistd_x32.h that x86-64 lacks. strace accepts
 * them, and scripts written for several machines use them. Sorted for bsearch().
 */
/* clang-format off */
static const char *const other_abis[] = {
	"_llseek", "_newselect", "bdflush", "break", "chown32", "clock_adjtime64",
	"clock_getres_time64", "clock_gettime64", "clock_nanosleep_time64", "clock_settime64",
	"fadvise64_64", "fchown32", "fcntl64", "fstat64", "fstatat64", "fstatfs64", "ftime",
	"ftruncate64", "futex_time64", "getegid32", "geteuid32", "getgid32", "getgroups32",
	"getresgid32", "getresuid32", "getuid32", "gtty", "idle", "io_pgetevents_time64", "ipc",
	"lchown32", "lock", "lstat64", "mmap2", "mpx", "mq_timedreceive_time64",
	"mq_timedsend_time64", "nice", "oldfstat", "oldlstat", "oldolduname", "oldstat",
	"olduname", "ppoll_time64", "prof", "profil", "pselect6_time64", "readdir",
	"recvmmsg_time64", "rt_sigtimedwait_time64", "sched_rr_get_interval_time64",
	"semtimedop_time64", "sendfile64", "setfsgid32", "setfsuid32", "setgid32", "setgroups32",
	"setregid32", "setresgid32", "setresuid32", "setreuid32", "setuid32", "sgetmask",
	"sigaction", "signal", "sigpending", "sigprocmask", "sigreturn", "sigsuspend",
	"socketcall", "ssetmask", "stat64", "statfs64", "stime", "stty", "timer_gettime64",
	"timer_settime64", "timerfd_gettime64", "timerfd_settime64", "truncate64", "ugetrlimit",
	"ulimit", "umount", "utimensat_time64", "vm86", "vm86old", "waitpid",
};
/* clang-format on */

static int compare_names(const void *name, const void *other)
{
	return strcmp(name, *(const char *const *)other);
}

static bool is_of_other_abi(const char *word)
{
	return bsearch(word, other_abis, sizeof(other_abis) / sizeof(other_abis[0]),
		       sizeof(other_abis[0]), compare_names);
}

/* As in strace, "file" stands for %file if no call has that name. */
static bool add_word(struct set_parser *parser, const char *word)
{
	struct filter_syscall_set ignored = { .rest = false };
	char class[WORD_BYTES + 1];

	if (!filter_syscall_word(parser->names, word, strlen(word), &ignored)) {
		snprintf(class, sizeof(class), "%%%s", word);
		if (!filter_syscall_word(parser->names, class, strlen(class), &ignored))
			return false;
		word = class;
	}
	if (parser->list.len)
		str_add(&parser->list, ", ");
	str_add(&parser->list, word);
	return true;
}

static int add_pattern(struct set_parser *parser, const char *word, size_t column)
{
	struct filter_syscall_set ignored = { .rest = false };
	struct str pattern = STR_INIT;
	struct filter_pattern *compiled;
	struct err err;
	bool fits = false;

	/* strace needs no closing slash; a slash at the end closes the pattern. */
	str_add(&pattern, word + 1);
	if (pattern.len > 1 && pattern.data[pattern.len - 1] == '/')
		str_cut(&pattern, pattern.len - 1);
	compiled = filter_pattern_new(pattern.data, &err);
	if (compiled && !filter_syscall_pattern(parser->names, compiled, &ignored, &err)) {
		fits = true;
		str_add(&parser->patterns, parser->patterns.len ? " || syscall ~ " : "syscall ~ ");
		filter_quote(&parser->patterns, pattern.data, pattern.len);
	}
	filter_pattern_free(compiled);
	str_release(&pattern);
	return fits ? 0 : filter_fail(parser->error, column, strlen(word), "%s", err.text);
}

/* Strip the ABI that strace writes after `@`. Only the native ABI has names here. */
static int take_abi(struct set_parser *parser, char *word, size_t column, size_t len)
{
	char *abi = strchr(word, '@');

	if (!abi)
		return 0;
	*abi = '\0';
	if (!strcmp(abi + 1, "64"))
		return 0;
	return filter_fail(parser->error, column, len,
			   "syscall names of other ABIs are not supported: write %s or %s@64", word,
			   word);
}

/* As in strace, empty elements are ignored. */
static int add_element(struct set_parser *parser, const char *text, size_t column, size_t len)
{
	struct filter_syscall_set ignored = { .rest = false };
	char word[WORD_BYTES];
	bool optional = len && text[0] == '?';
	struct err err;

	parser->any = parser->any || len;
	text += optional;
	len -= optional;
	if (!len)
		return 0;
	if (len >= sizeof(word))
		return filter_fail(parser->error, column, len, "too long for a syscall");
	memcpy(word, text, len);
	word[len] = '\0';
	if (take_abi(parser, word, column, len) < 0)
		return -EINVAL;
	if (word[0] == '/') {
		if (!word[1] || !strcmp(word, "//"))
			return filter_fail(parser->error, column, len,
					   "expected a pattern after the slash: /^epoll/");
		return add_pattern(parser, word, column);
	}
	if (!strcmp(word, "all")) {
		parser->everything = true;
		return 0;
	}
	if (add_word(parser, word) || is_of_other_abi(word) || optional)
		return 0;
	if (!filter_value_syscall(parser->names, word, &ignored, &err))
		return 0;
	return filter_fail(parser->error, column, len, "%s", err.text);
}

/*
 * Return the offset after the slash that closes the pattern at `at`; 0: unclosed, as strace allows.
 */
static size_t pattern_end(const char *set, size_t at)
{
	for (size_t end = at + 1; set[end]; end++) {
		if (set[end] != '/')
			continue;
		/* A slash after a comma opens the next pattern. */
		if (set[end - 1] == ',')
			return 0;
		if (!set[end + 1] || strchr(",@", set[end + 1]))
			return end + 1;
	}
	return 0;
}

/* Return the end of the element at `at`: commas inside /…/ belong to the pattern. */
static size_t element_end(const char *set, size_t at)
{
	size_t start = at + (set[at] == '?');
	size_t behind = set[start] == '/' ? pattern_end(set, start) : 0;

	if (!behind)
		behind = at;
	return behind + strcspn(set + behind, ",");
}

static void write_filter(struct str *out, const struct set_parser *parser, bool negated)
{
	bool both = parser->list.len && parser->patterns.len;

	if (parser->everything) {
		str_add(out, negated ? "syscall in {}" : "");
		return;
	}
	str_add(out, negated ? "!(" : "(");
	if (parser->list.len || !parser->patterns.len)
		str_addf(out, "syscall in {%s}", parser->list.data);
	str_addf(out, "%s%s)", both ? " || " : "", parser->patterns.data);
}

/* Reject qualifiers of strace's -e other than trace=, with the reason or an alternative. */
static int refuse_qualifier(const char *set, struct filter_error *error)
{
	static const struct {
		const char *names, *instead;
	} known[] = {
		{ " fault inject ", "stxtop never changes the traced program" },
		{ " s signal signals ",
		  "signals are not system calls; the calls about them are %signal" },
		{ " status ", "-Z matches failed calls, -F any result" },
		{ " r read reads w write writes ",
		  "--string-size sets how much of a buffer is shown" },
		{ " a abbrev v verbose x raw q quiet silent silence d decode-fd decode-fds "
		  "decode-pids k kvm n namespace ",
		  "only trace=SET is supported" },
	};
	size_t len = strcspn(set, "=,/");
	char name[32];

	if (set[len] != '=' || !len || len > sizeof(name) - 3)
		return 0;
	snprintf(name, sizeof(name), " %.*s ", (int)len, set);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strstr(known[i].names, name))
			return filter_fail(error, 0, len + 1,
					   "%.*s= is not a set of system calls: %s", (int)len, set,
					   known[i].instead);
	return 0;
}

int filter_parse_syscall_set(struct filter **filter, const char *set,
			     const struct filter_names *names, struct filter_error *error)
{
	struct set_parser parser = {
		.names = names, .error = error, .list = STR_INIT, .patterns = STR_INIT
	};
	struct str text = STR_INIT;
	size_t at = 0, at_first, end;
	bool negated;
	int failed = 0;

	if (strnlen(set, FILTER_TEXT_BYTES / 2) == FILTER_TEXT_BYTES / 2)
		return filter_fail(error, FILTER_TEXT_BYTES / 2, 1,
				   "a set of syscalls has at most %d bytes", FILTER_TEXT_BYTES / 2);
	/* Skip the prefix of strace, in its long or short form. */
	if (!strncmp(set, "trace=", 6))
		at = 6;
	else if (!strncmp(set, "t=", 2))
		at = 2;
	if (!at && refuse_qualifier(set, error) < 0)
		return -EINVAL;
	negated = set[at] == '!';
	at += negated;
	at_first = at;
	if (!strcmp(set + at, "none")) {
		parser.everything = true;
		negated = !negated;
	} else {
		for (;; at = end + 1) {
			end = element_end(set, at);
			failed = add_element(&parser, set + at, at, end - at);
			if (!failed && set[end] && set[end] != ',')
				failed = filter_fail(error, end, 1, "expected a comma");
			if (failed || !set[end])
				break;
		}
	}
	if (!failed && !parser.any && !parser.everything)
		failed = filter_fail(error, at_first, 1,
				     "expected a syscall, a %%class or a /pattern/");
	if (!failed) {
		write_filter(&text, &parser, negated);
		failed = filter_parse(filter, text.data, names, error);
	}
	str_release(&parser.list);
	str_release(&parser.patterns);
	str_release(&text);
	return failed;
}
