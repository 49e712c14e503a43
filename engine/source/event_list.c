#include "engine/source/event_list.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/words.h"
#include "engine/source/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_BYTES_MAX 128
#define AVAILABLE_BYTES_MAX (8u << 20) /* of tracefs's list; 2,300 tracepoints take 60 KiB */
#define SHOWN_BYTES 160

void event_list_release(struct event_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->names[i]);
	free(list->names);
	*list = (struct event_list)EVENT_LIST_INIT;
}

bool event_list_has(const struct event_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->names[i], name))
			return true;
	return false;
}

static void add(struct event_list *list, const char *name)
{
	list->names = mem_grow(list->names, &list->cap, list->count + 1, sizeof(*list->names));
	list->names[list->count++] = mem_strdup(name);
}

/* -- Words of a list ------------------------------------------------------------------- */

/* Copy the next word between commas, without surrounding blanks. False at the end of the text. */
static bool next_word(const char **text, char *word, size_t word_bytes)
{
	const char *end = *text + strcspn(*text, ",");
	const char *from = *text, *to = end;
	size_t len;

	if (!**text)
		return false;
	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
		to--;
	len = (size_t)(to - from);
	snprintf(word, word_bytes, "%.*s", (int)(len < word_bytes ? len : word_bytes - 1), from);
	*text = *end ? end + 1 : end;
	return true;
}

static bool is_name_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c && strchr("_-.@*?[]!^", c));
}

static bool is_pattern(const char *word)
{
	return strpbrk(word, "*?[") != NULL;
}

/* Check one word, which later becomes part of a path. */
static int check_word(const char *word, struct err *err)
{
	const char *colon = strchr(word, ':');
	char shown[SHOWN_BYTES];
	bool bad = !colon || colon == word || !colon[1] || *word == '.' || colon[1] == '.';

	escape_name(shown, sizeof(shown), word);
	if (!*word)
		return err_set(err, -EINVAL,
			       "empty tracepoint between two commas; write SYSTEM:NAME,... as in "
			       "sched:sched_process_exec");
	if (strlen(word) > NAME_BYTES_MAX)
		return err_set(err, -EINVAL, "'%s' is too long for a tracepoint", shown);
	for (const char *at = word; *at; at++)
		bad = bad || (!is_name_byte(*at) && at != colon);
	if (bad)
		return err_set(err, -EINVAL,
			       "'%s' is not a tracepoint; write SYSTEM:NAME, as in "
			       "sched:sched_process_exec, or sched:* for a whole system",
			       shown);
	return 0;
}

int event_list_check(const char *text, struct err *err)
{
	char word[NAME_BYTES_MAX + 2];
	size_t len = strlen(text);
	int ret = 0;

	if (len && text[len - 1] == ',')
		return check_word("", err);
	while (!ret && next_word(&text, word, sizeof(word)))
		ret = check_word(word, err);
	return ret;
}

/* -- Available tracepoints ------------------------------------------------------------------ */

static int read_available(const char *tracefs, char **text, struct err *err)
{
	char path[PATH_MAX];
	size_t len = 0, cap = 0;
	char *buffer = NULL;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "%s/available_events", tracefs);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno, "cannot list the tracepoints: %s: %s", path,
			       strerror(errno));
	for (;;) {
		buffer = mem_grow(buffer, &cap, len + 65536, 1);
		got = read(fd, buffer + len, cap - len - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0 || len > AVAILABLE_BYTES_MAX)
			break;
		len += (size_t)got;
	}
	close(fd);
	buffer[len] = '\0';
	*text = buffer;
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int event_list_read(struct event_list *list, const char *tracefs, struct err *err)
{
	char *text, *at, *line;
	int ret = read_available(tracefs, &text, err);

	if (ret)
		return ret;
	at = text;
	while ((line = strsep(&at, "\n")))
		if (*line && !check_word(line, NULL) && !is_pattern(line))
			add(list, line);
	free(text);
	if (list->count)
		qsort(list->names, list->count, sizeof(*list->names), compare_names);
	return 0;
}

/* -- Expansion of a list -------------------------------------------------------------------- */

struct expansion {
	struct event_list *list;
	struct event_list available; /* read on demand */
	bool has_available;
	const char *tracefs;
	struct err *err;
};

static int need_available(struct expansion *expansion)
{
	int ret;

	if (expansion->has_available)
		return 0;
	ret = event_list_read(&expansion->available, expansion->tracefs, expansion->err);
	expansion->has_available = !ret;
	return ret;
}

static int take(struct expansion *expansion, const char *name, const char *asked)
{
	if (event_list_has(expansion->list, name))
		return 0;
	if (expansion->list->count == EVENT_LIST_MAX)
		return err_set(expansion->err, -E2BIG,
			       "%s: more than %d tracepoints at the same time; name fewer", asked,
			       EVENT_LIST_MAX);
	add(expansion->list, name);
	return 0;
}

/* Match system and name separately, as perf does, so that * does not match the colon. */
static bool matches(const char *pattern, const char *name)
{
	const char *pattern_colon = strchr(pattern, ':'), *colon = strchr(name, ':');
	char system[NAME_BYTES_MAX + 2], wanted[NAME_BYTES_MAX + 2];

	snprintf(system, sizeof(system), "%.*s", (int)(colon - name), name);
	snprintf(wanted, sizeof(wanted), "%.*s", (int)(pattern_colon - pattern), pattern);
	return !fnmatch(wanted, system, 0) && !fnmatch(pattern_colon + 1, colon + 1, 0);
}

static int take_pattern(struct expansion *expansion, const char *pattern)
{
	size_t found = 0;
	int ret = need_available(expansion);

	for (size_t i = 0; !ret && i < expansion->available.count; i++) {
		if (!matches(pattern, expansion->available.names[i]))
			continue;
		found++;
		ret = take(expansion, expansion->available.names[i], pattern);
	}
	if (!ret && !found)
		return err_set(expansion->err, -ENOENT,
			       "no tracepoint of this kernel matches "
			       "'%s'; %s/available_events lists them",
			       pattern, expansion->tracefs);
	return ret;
}

static const char *nearest_of(struct expansion *expansion, const char *name)
{
	struct words_nearest nearest = words_nearest_to(name, strlen(name));

	if (need_available(expansion))
		return NULL;
	for (size_t i = 0; i < expansion->available.count; i++)
		words_nearest_offer(&nearest, expansion->available.names[i]);
	return nearest.found;
}

static int refuse_unknown(struct expansion *expansion, const char *name)
{
	const char *nearest = nearest_of(expansion, name);

	if (nearest)
		return err_set(expansion->err, -ENOENT,
			       "this kernel has no tracepoint %s; did "
			       "you mean %s?",
			       name, nearest);
	if (!strncmp(name, "probe", 5))
		return err_set(expansion->err, -ENOENT,
			       "there is no tracepoint %s; perf probe creates probe events, and "
			       "perf probe -l lists them",
			       name);
	return err_set(expansion->err, -ENOENT,
		       "this kernel has no tracepoint %s; "
		       "%s/available_events lists them",
		       name, expansion->tracefs);
}

static int take_name(struct expansion *expansion, const char *name)
{
	const char *colon = strchr(name, ':');
	char system[NAME_BYTES_MAX + 2], path[PATH_MAX];
	char *text;
	int ret;

	snprintf(system, sizeof(system), "%.*s", (int)(colon - name), name);
	snprintf(path, sizeof(path), "%s/events/%s/%s/id", expansion->tracefs, system, colon + 1);
	if (access(path, F_OK) && errno == ENOENT)
		return refuse_unknown(expansion, name);
	ret = tracefs_read(expansion->tracefs, system, colon + 1, "id", &text, NULL,
			   expansion->err);
	if (ret)
		return ret;
	free(text);
	return take(expansion, name, name);
}

int event_list_expand(struct event_list *list, const char *text, const char *tracefs,
		      struct err *err)
{
	struct expansion expansion = {
		.list = list, .available = EVENT_LIST_INIT, .tracefs = tracefs, .err = err
	};
	char word[NAME_BYTES_MAX + 2];
	int ret = event_list_check(text, err);

	*list = (struct event_list)EVENT_LIST_INIT;
	while (!ret && next_word(&text, word, sizeof(word)))
		ret = is_pattern(word) ? take_pattern(&expansion, word)
				       : take_name(&expansion, word);
	event_list_release(&expansion.available);
	if (ret)
		event_list_release(list);
	return ret;
}
