#include "engine/target.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/source/proc_stat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TASK_ID_MAX 0x3fffff /* PID_MAX_LIMIT of 64-bit kernels, less one */
#define STOPPED_MAX 64	     /* looked at; asked for some times a second */
#define CPU_MAX 8191	     /* the largest CONFIG_NR_CPUS */

/* What one kind of list may hold and what its items are called. */
struct list_kind {
	const char *noun;
	unsigned long min, max;
	bool ranges;
};

void target_init(struct target *target)
{
	memset(target, 0, sizeof(*target));
}

void target_release(struct target *target)
{
	free(target->pids);
	free(target->tids);
	free(target->cpus);
	target_init(target);
}

static void add_id(uint32_t **ids, size_t *count, size_t *cap, uint32_t id)
{
	for (size_t i = 0; i < *count; i++)
		if ((*ids)[i] == id)
			return;
	*ids = mem_grow(*ids, cap, *count + 1, sizeof(**ids));
	(*ids)[(*count)++] = id;
}

/* The list and a column: what is wrong is said where it is wrong. */
static int list_error(const struct list_kind *kind, const char *list, const char *at,
		      const char *expected, struct err *err)
{
	struct str shown = STR_INIT;

	str_add_escaped(&shown, list, strnlen(list, 200), ESCAPE_PLAIN);
	err_set(err, -EINVAL, "bad list of %ss \"%s\": at character %zu, %s is expected",
		kind->noun, shown.data, (size_t)(at - list) + 1, expected);
	str_release(&shown);
	return -EINVAL;
}

static int parse_id(const struct list_kind *kind, const char *list, const char **at,
		    unsigned long *id, struct err *err)
{
	char expected[80];
	const char *begin = *at;
	unsigned long value = 0;

	while (**at >= '0' && **at <= '9' && value <= kind->max)
		value = value * 10 + (unsigned long)(*(*at)++ - '0');
	if (*at == begin || value < kind->min || value > kind->max) {
		snprintf(expected, sizeof(expected), "a %s between %lu and %lu", kind->noun,
			 kind->min, kind->max);
		return list_error(kind, list, begin, expected, err);
	}
	*id = value;
	return 0;
}

/* "1,2" or, where ranges are allowed, "0-3,5"; nothing is added unless all of it is right. */
static int parse_list(const struct list_kind *kind, const char *list, uint32_t **ids,
		      size_t *count, size_t *cap, struct err *err)
{
	uint32_t *found = NULL;
	size_t found_count = 0, found_cap = 0;
	const char *at = list;
	unsigned long first, last;
	int ret = 0;

	for (;;) {
		const char *begin = at;

		ret = parse_id(kind, list, &at, &first, err);
		if (ret)
			break;
		last = first;
		if (kind->ranges && *at == '-') {
			at++;
			ret = parse_id(kind, list, &at, &last, err);
			if (ret)
				break;
			if (last < first) {
				ret = list_error(kind, list, begin,
						 "a range that begins with its lower end", err);
				break;
			}
		}
		for (; first <= last; first++)
			add_id(&found, &found_count, &found_cap, (uint32_t)first);
		if (!*at)
			break;
		if (*at++ != ',') {
			ret = list_error(kind, list, at - 1, "a comma", err);
			break;
		}
	}
	for (size_t i = 0; !ret && i < found_count; i++)
		add_id(ids, count, cap, found[i]);
	free(found);
	return ret;
}

int target_add_pids(struct target *target, const char *list, struct err *err)
{
	static const struct list_kind kind = { "pid", 1, TASK_ID_MAX, false };

	return parse_list(&kind, list, &target->pids, &target->pid_count, &target->pid_cap, err);
}

int target_add_tids(struct target *target, const char *list, struct err *err)
{
	static const struct list_kind kind = { "tid", 1, TASK_ID_MAX, false };

	return parse_list(&kind, list, &target->tids, &target->tid_count, &target->tid_cap, err);
}

int target_add_cpus(struct target *target, const char *list, struct err *err)
{
	static const struct list_kind kind = { "CPU", 0, CPU_MAX, true };

	return parse_list(&kind, list, &target->cpus, &target->cpu_count, &target->cpu_cap, err);
}

/* The thread group of a task, or 0 if there is no such task. */
static uint32_t task_group(uint32_t tid)
{
	char path[64], line[128];
	unsigned long group = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%u/status", tid);
	status = fopen(path, "re");
	if (!status)
		return 0;
	while (!group && fgets(line, sizeof(line), status))
		if (!strncmp(line, "Tgid:", 5))
			group = strtoul(line + 5, NULL, 10);
	fclose(status);
	return (uint32_t)group;
}

static int check_pid(uint32_t pid, struct err *err)
{
	uint32_t group = task_group(pid);

	if (group == pid)
		return 0;
	if (!group)
		return err_set(err, -ESRCH, "there is no process %u; `ps -e` lists those there are",
			       pid);
	return err_set(err, -ESRCH,
		       "%u is not a process but a thread of process %u; use -p %u for the whole "
		       "process or -t %u for the thread alone", pid, group, group, pid);
}

static bool cpu_online(uint32_t cpu)
{
	char path[80];
	char state;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u", cpu);
	if (access(path, F_OK))
		return false;
	/* A CPU that cannot be taken offline, often number 0, has no such file. */
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	file = fopen(path, "re");
	if (!file)
		return true;
	state = (char)fgetc(file);
	fclose(file);
	return state == '1';
}

size_t target_stopped(const struct target *target)
{
	size_t stopped = 0;

	for (size_t i = 0; i < target->pid_count && i < STOPPED_MAX; i++) {
		struct proc_stat stat;
		char path[32];

		snprintf(path, sizeof(path), "/proc/%u/stat", target->pids[i]);
		stopped += proc_stat_read(&stat, AT_FDCWD, path) && stat.state == 'T';
	}
	return stopped;
}

int target_check(const struct target *target, struct err *err)
{
	int ret;

	for (size_t i = 0; i < target->pid_count; i++) {
		ret = check_pid(target->pids[i], err);
		if (ret)
			return ret;
	}
	for (size_t i = 0; i < target->tid_count; i++)
		if (!task_group(target->tids[i]))
			return err_set(err, -ESRCH,
				       "there is no thread %u; `ps -eL` lists those there are",
				       target->tids[i]);
	for (size_t i = 0; i < target->cpu_count; i++)
		if (!cpu_online(target->cpus[i]))
			return err_set(err, -EINVAL,
				       "CPU %u is not online; /sys/devices/system/cpu/online lists "
				       "those that are", target->cpus[i]);
	return 0;
}
