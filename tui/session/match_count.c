#include "tui/session/match_count.h"

#include "engine/base/clock.h"

#include <stdio.h>
#include <string.h>

void match_count_init(struct match_count *count)
{
	memset(count, 0, sizeof(*count));
}

void match_count_release(struct match_count *count)
{
	filter_free(count->filter);
	match_count_init(count);
}

void match_count_begin(struct match_count *count, struct engine *engine, struct filter *filter)
{
	uint64_t first;

	match_count_release(count);
	count->filter = filter_ref(filter);
	engine_calls_range(engine, &first, &count->end);
	count->seq = count->end;
	count->all = count->end - first;
	count->running = true;
}

void match_count_step(struct match_count *count, struct engine *engine, uint64_t until_ns)
{
	do {
		if (!count->running)
			return;
		count->running = engine_calls_count(engine, &count->seq, count->filter,
						    &count->matched, &count->looked);
	} while (clock_now_ns() < until_ns);
}

/* Append "1,000,000": grouped digits are read at a glance, also while the number grows. */
static void add_grouped(struct str *out, uint64_t number)
{
	char digits[24];
	size_t len;

	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
	len = strlen(digits);
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			str_addc(out, ',');
		str_addc(out, digits[i]);
	}
}

void match_count_text(const struct match_count *count, struct str *out)
{
	/* The final number excludes gaps and calls evicted during the count. */
	uint64_t all = count->running ? count->all : count->looked;

	if (!count->filter)
		return;
	add_grouped(out, count->matched);
	str_add(out, " of ");
	add_grouped(out, all);
	str_add(out, count->running ? " …" : " calls");
}
