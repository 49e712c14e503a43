#include "engine/filter/filter_pattern.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8

#include <errno.h>
#include <pcre2.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MAX 100
/*
 * Maximum number of steps. A step is one callout of the library (pcre2callout(3)) per item of the
 * pattern: about 20 ns, more if an item scans a long text. The match limits of the library are not
 * enough: they restart at each possible start of a match.
 */
#define STEPS_MAX 20000
#define STEP_NS 25
#define TIME_MAX_NS (2 * NS_PER_MS)
#define STEPS_PER_LOOK 32 /* number of steps between reads of the clock */
#define HEAP_KIB_MAX 1024
/* A subject adds its steps minus STEPS_PAID to the debt. At a debt of CREDIT, skip subjects. */
#define STEPS_PAID 128
#define CREDIT (64 * STEPS_MAX)
/* Number of threads that can match at once without allocation (collector, interface). */
#define SCRATCH_COUNT 4

enum pattern_kind {
	PATTERN_PART,
	PATTERN_BEGIN,
	PATTERN_END,
	PATTERN_WHOLE,
	PATTERN_REGEX,
};

/* Memory that the library writes to while it matches. */
struct scratch {
	atomic_flag taken;
	pcre2_match_data *data;
	pcre2_match_context *context; /* limits of this match; passes the scratch to its callouts */
	uint32_t steps;
	uint64_t begin_ns; /* first read of the clock */
};

struct filter_pattern {
	enum pattern_kind kind;
	size_t len;
	char *literal;
	pcre2_code *code;
	struct scratch scratch[SCRATCH_COUNT];
	_Atomic int64_t debt;
	_Atomic uint64_t gave_up;
};

/* Return the literal text that the pattern matches, owned by the caller; NULL: not literal. */
static char *literal_of(const char *text, enum pattern_kind *kind)
{
	static const char special[] = ".[]()*+?{}|^$\\";
	bool at_begin = text[0] == '^', at_end = false;
	char *literal = mem_alloc(strlen(text) + 1);
	size_t len = 0;

	for (const char *c = text + at_begin; *c; c++) {
		if (*c == '$' && !c[1]) {
			at_end = true;
		} else if (*c == '\\' && c[1] && strchr(special, c[1])) {
			literal[len++] = *++c;
		} else if (strchr(special, *c)) {
			free(literal);
			return NULL;
		} else {
			literal[len++] = *c;
		}
	}
	literal[len] = '\0';
	*kind = at_begin ? (at_end ? PATTERN_WHOLE : PATTERN_BEGIN)
			 : (at_end ? PATTERN_END : PATTERN_PART);
	return literal;
}

/* True for valid UTF-8 with a non-ASCII character. */
static bool is_about_characters(const char *text, size_t len)
{
	bool other = false;

	for (size_t at = 0, bytes; at < len; at += bytes) {
		uint32_t point;
		bytes = utf8_decode(text + at, len - at, &point);
		if (!bytes)
			return false;
		other = other || bytes > 1;
	}
	return other;
}

/* -- Bounds of one match --------------------------------------------------------------------- */

static int count_step(pcre2_callout_block *block, void *ctx)
{
	struct scratch *scratch = ctx;

	(void)block;
	if (++scratch->steps % STEPS_PER_LOOK)
		return 0;
	if (scratch->steps == STEPS_PER_LOOK)
		scratch->begin_ns = clock_now_ns();
	else if (scratch->steps >= STEPS_MAX || clock_now_ns() - scratch->begin_ns > TIME_MAX_NS)
		return PCRE2_ERROR_CALLOUT;
	return 0;
}

/* Return the cost in steps; slow steps count as several. */
static int64_t cost_of(const struct scratch *scratch)
{
	uint64_t by_time;

	if (scratch->steps < STEPS_PER_LOOK)
		return scratch->steps;
	by_time = (clock_now_ns() - scratch->begin_ns) / STEP_NS;
	return (int64_t)(by_time > scratch->steps ? by_time : scratch->steps);
}

static bool scratch_init(struct scratch *scratch)
{
	atomic_flag_clear(&scratch->taken);
	scratch->data = pcre2_match_data_create(1, NULL);
	scratch->context = pcre2_match_context_create(NULL);
	if (!scratch->data || !scratch->context)
		return false;
	pcre2_set_callout(scratch->context, count_step, scratch);
	pcre2_set_heap_limit(scratch->context, HEAP_KIB_MAX);
	return true;
}

static void scratch_release(struct scratch *scratch)
{
	pcre2_match_data_free(scratch->data);
	pcre2_match_context_free(scratch->context);
}

/* -- Patterns ------------------------------------------------------------------------------ */

static int compile(struct filter_pattern *pattern, const char *text, size_t len, struct err *err)
{
	uint32_t options = PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C |
			   PCRE2_AUTO_CALLOUT;
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	PCRE2_SIZE where = 0;
	int error = PCRE2_ERROR_NOMEMORY;

	options |= is_about_characters(text, len) ? PCRE2_UTF | PCRE2_MATCH_INVALID_UTF
						  : PCRE2_NEVER_UTF;
	if (context) {
		pcre2_set_parens_nest_limit(context, GROUPS_MAX);
		pattern->code = pcre2_compile((PCRE2_SPTR)text, len, options, &error, &where,
					      context);
	}
	pcre2_compile_context_free(context);
	if (!pattern->code) {
		PCRE2_UCHAR why[160] = "";
		pcre2_get_error_message(error, why, sizeof(why));
		return err_set(err, -EINVAL, "invalid regular expression: %s, after byte %zu",
			       (const char *)why, where);
	}
	for (size_t i = 0; i < SCRATCH_COUNT; i++)
		if (!scratch_init(&pattern->scratch[i]))
			return err_set(err, -ENOMEM, "no memory for the pattern");
	return 0;
}

struct filter_pattern *filter_pattern_new(const char *text, struct err *err)
{
	size_t len = strlen(text);
	struct filter_pattern *pattern;

	if (len > FILTER_PATTERN_BYTES) {
		err_set(err, -EINVAL, "a pattern has at most %d bytes", FILTER_PATTERN_BYTES);
		return NULL;
	}
	pattern = mem_zalloc(1, sizeof(*pattern));
	pattern->literal = literal_of(text, &pattern->kind);
	if (pattern->literal) {
		pattern->len = strlen(pattern->literal);
		return pattern;
	}
	pattern->kind = PATTERN_REGEX;
	if (compile(pattern, text, len, err) < 0) {
		filter_pattern_free(pattern);
		return NULL;
	}
	return pattern;
}

void filter_pattern_free(struct filter_pattern *pattern)
{
	if (!pattern)
		return;
	for (size_t i = 0; i < SCRATCH_COUNT; i++)
		scratch_release(&pattern->scratch[i]);
	pcre2_code_free(pattern->code);
	free(pattern->literal);
	free(pattern);
}

static int match_with(const struct filter_pattern *pattern, const char *subject, size_t len,
		      struct scratch *scratch, int64_t *cost)
{
	int answer;

	scratch->steps = 0;
	answer = pcre2_match(pattern->code, (PCRE2_SPTR)subject, len, 0, 0, scratch->data,
			     scratch->context);
	*cost = cost_of(scratch);
	return answer;
}

/* Use the first free scratch; if all are in use, a temporary one. */
static int match_regex(struct filter_pattern *pattern, const char *subject, size_t len,
		       int64_t *cost)
{
	int answer = PCRE2_ERROR_NOMEMORY;
	struct scratch more;

	for (size_t i = 0; i < SCRATCH_COUNT; i++) {
		struct scratch *scratch = &pattern->scratch[i];

		if (atomic_flag_test_and_set_explicit(&scratch->taken, memory_order_acquire))
			continue;
		answer = match_with(pattern, subject, len, scratch, cost);
		atomic_flag_clear_explicit(&scratch->taken, memory_order_release);
		return answer;
	}
	if (scratch_init(&more))
		answer = match_with(pattern, subject, len, &more, cost);
	scratch_release(&more);
	return answer;
}

static enum pattern_answer ask_regex(struct filter_pattern *pattern, const char *subject,
				     size_t len)
{
	int64_t debt = atomic_load_explicit(&pattern->debt, memory_order_relaxed), cost = 0;
	int answer = PCRE2_ERROR_CALLOUT;

	if (debt < CREDIT)
		answer = match_regex(pattern, subject, len, &cost);
	if (debt || cost > STEPS_PAID) {
		debt += cost - STEPS_PAID;
		/* If two threads store at the same time, one update is lost, which is harmless. */
		atomic_store_explicit(&pattern->debt, debt > 0 ? debt : 0, memory_order_relaxed);
	}
	if (answer >= 0)
		return PATTERN_YES;
	if (answer == PCRE2_ERROR_NOMATCH)
		return PATTERN_NO;
	atomic_fetch_add_explicit(&pattern->gave_up, 1, memory_order_relaxed);
	return PATTERN_GAVE_UP;
}

enum pattern_answer filter_pattern_match(const struct filter_pattern *pattern, const char *subject,
					 size_t len)
{
	switch (pattern->kind) {
	case PATTERN_PART:
		return !pattern->len || memmem(subject, len, pattern->literal, pattern->len)
			       ? PATTERN_YES
			       : PATTERN_NO;
	case PATTERN_BEGIN:
		return len >= pattern->len && !memcmp(subject, pattern->literal, pattern->len)
			       ? PATTERN_YES
			       : PATTERN_NO;
	case PATTERN_END:
		return len >= pattern->len && !memcmp(subject + len - pattern->len,
						      pattern->literal, pattern->len)
			       ? PATTERN_YES
			       : PATTERN_NO;
	case PATTERN_WHOLE:
		return len == pattern->len && !memcmp(subject, pattern->literal, len) ? PATTERN_YES
										      : PATTERN_NO;
	case PATTERN_REGEX:
		break;
	}
	/* Only scratch and counters change. The caller treats the pattern as const. */
	return ask_regex((struct filter_pattern *)(uintptr_t)pattern, subject, len);
}

uint64_t filter_pattern_gave_up(const struct filter_pattern *pattern)
{
	return atomic_load_explicit(&pattern->gave_up, memory_order_relaxed);
}
