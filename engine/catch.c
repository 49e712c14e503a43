#include "engine/catch.h"

#include "engine/base/mem.h"
#include "engine/filter/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Maximum number of stored hits: CATCH_BELL can hit often. Further hits are only counted. */
#define HITS_MAX 64

static const struct {
	const char *name, *help;
	bool spent; /* disarmed after a hit */
} actions[CATCH_ACTION_COUNT] = {
	[CATCH_FREEZE] = { "freeze", "freeze the display", true },
	[CATCH_RECORD] = { "record", "write calls to a file from then on", true },
	[CATCH_BELL] = { "bell", "ring the bell", false },
	[CATCH_STOP] = { "stop", "stop the process with SIGSTOP", true },
};

const char *catch_action_name(enum catch_action action)
{
	return actions[action].name;
}

const char *catch_action_help(enum catch_action action)
{
	return actions[action].help;
}

/* -- A rule ------------------------------------------------------------------- */

/* Find the colon before the expression. A file name can contain colons, so ": " has precedence. */
static const char *find_colon(const char *text)
{
	const char *colon = strstr(text, ": ");

	return colon ? colon : strchr(text, ':');
}

size_t catch_rule_expression(const char *text)
{
	const char *colon = find_colon(text);

	return colon ? (size_t)(colon + 1 - text) : strlen(text);
}

static int fail(struct filter_error *error, size_t column, size_t length, const char *text)
{
	error->column = column;
	error->length = length;
	return err_set(&error->err, -EINVAL, "%s", text);
}

static int find_action(const char *word, size_t len)
{
	for (int i = 0; i < CATCH_ACTION_COUNT; i++)
		if (strlen(actions[i].name) == len && !memcmp(actions[i].name, word, len))
			return i;
	return -1;
}

static char *copy(const char *text, size_t len)
{
	char *out = mem_alloc(len + 1);

	memcpy(out, text, len);
	out[len] = '\0';
	return out;
}

int catch_rule_parse(struct catch_rule *rule, const char *text, const struct filter_names *names,
		     struct filter_error *error)
{
	const char *colon = find_colon(text), *word = text + strspn(text, " "), *file;
	size_t len = strcspn(word, " :"), file_len;
	size_t at = (size_t)(word - text);
	struct filter *filter;
	int action = find_action(word, len), rc;

	if (action < 0)
		return fail(error, at, len,
			    "expected one of freeze, record, bell, stop, as in freeze: dur > 1s");
	if (!colon)
		return fail(error, strlen(text), 0,
			    action == CATCH_RECORD
				    ? "expected a file name, a colon and an expression"
				    : "expected a colon and an expression");
	file = word + len + strspn(word + len, " ");
	file_len = file < colon ? (size_t)(colon - file) : 0;
	if (action == CATCH_RECORD && !file_len)
		return fail(error, (size_t)(colon - text), 1,
			    "expected a file name, as in record slow.jsonl: dur > 1s");
	if (action != CATCH_RECORD && file_len)
		return fail(error, (size_t)(file - text), file_len, "expected a colon");
	rc = filter_parse(&filter, colon + 1, names, error);
	if (rc) {
		error->column += (size_t)(colon + 1 - text);
		return rc;
	}
	if (filter_is_all(filter)) {
		filter_free(filter);
		return fail(error, strlen(text), 0, "expected an expression after the colon");
	}
	*rule = (struct catch_rule){
		.action = (enum catch_action)action,
		.file = file_len ? copy(file, file_len) : NULL,
		.filter = filter,
	};
	return 0;
}

void catch_rule_release(struct catch_rule *rule)
{
	filter_free(rule->filter);
	free(rule->file);
	*rule = (struct catch_rule){ .filter = NULL };
}

void catch_rule_text(const struct catch_rule *rule, struct str *out)
{
	str_add(out, actions[rule->action].name);
	if (rule->file)
		str_addf(out, " %s", rule->file);
	str_addf(out, ": %s", filter_text(rule->filter));
}

/* -- All catches --------------------------------------------------------------- */

struct armed_catch {
	struct match *match; /* NULL: no rule at this index */
	enum catch_action action;
	struct catch_state state;
};

struct catches {
	struct armed_catch items[CATCHES_MAX];
	struct catch_hit hits[HITS_MAX];
	size_t hit_count;
	int fd;
};

struct catches *catches_new(void)
{
	struct catches *catches;
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (fd < 0)
		return NULL;
	catches = mem_zalloc(1, sizeof(*catches));
	catches->fd = fd;
	return catches;
}

void catches_free(struct catches *catches)
{
	if (!catches)
		return;
	for (size_t i = 0; i < CATCHES_MAX; i++)
		match_free(catches->items[i].match);
	close(catches->fd);
	free(catches);
}

int catches_fd(const struct catches *catches)
{
	return catches->fd;
}

/* Drop the hits of the previous rule at this index. */
static void forget_hits(struct catches *catches, unsigned index)
{
	size_t kept = 0;

	for (size_t i = 0; i < catches->hit_count; i++)
		if (catches->hits[i].index != index)
			catches->hits[kept++] = catches->hits[i];
	catches->hit_count = kept;
}

void catches_set(struct catches *catches, unsigned index, const struct catch_rule *rule)
{
	struct armed_catch *item = &catches->items[index];

	match_free(item->match);
	forget_hits(catches, index);
	*item = (struct armed_catch){ .match = NULL };
	if (!rule)
		return;
	item->match = match_new(rule->filter);
	item->action = rule->action;
	item->state.armed = true;
}

void catches_arm(struct catches *catches, unsigned index, bool armed)
{
	catches->items[index].state.armed = armed && catches->items[index].match;
}

struct catch_state catches_state(const struct catches *catches, unsigned index)
{
	return catches->items[index].state;
}

size_t catches_take(struct catches *catches, struct catch_hit *hits, size_t max)
{
	size_t count = catches->hit_count < max ? catches->hit_count : max;
	eventfd_t reported;

	memcpy(hits, catches->hits, count * sizeof(*hits));
	catches->hit_count -= count;
	memmove(catches->hits, catches->hits + count, catches->hit_count * sizeof(*hits));
	if (!catches->hit_count)
		eventfd_read(catches->fd, &reported);
	return count;
}

static void note(struct catches *catches, unsigned index, const struct call *call, uint64_t seq)
{
	if (catches->hit_count == HITS_MAX)
		return;
	/* Only the first stored hit writes to the eventfd, because each write is a system call. */
	if (!catches->hit_count)
		eventfd_write(catches->fd, 1);
	catches->hits[catches->hit_count++] = (struct catch_hit){ index, seq, *call };
}

void catches_look(void *ctx, const struct call *call, uint64_t seq, const struct model *model)
{
	struct catches *catches = ctx;

	for (unsigned i = 0; i < CATCHES_MAX; i++) {
		struct armed_catch *item = &catches->items[i];

		if (!item->state.armed || match_call(item->match, call, model) != MODEL_YES)
			continue;
		item->state.count++;
		item->state.armed = !actions[item->action].spent;
		note(catches, i, call, seq);
	}
}
