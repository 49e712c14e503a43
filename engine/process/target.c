#include "engine/process/target.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/process/proc_stat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TASK_ID_MAX 0x3fffff /* PID_MAX_LIMIT of 64-bit kernels, less one */
#define STOPPED_MAX 64 /* processes checked per query; queries come several times a second */
#define ANCESTORS_MAX 64
#define CPU_MAX 8191 /* CONFIG_NR_CPUS is at most 8192 */

/* Limits of one kind of list, and the name of its items. */
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
	free(target->pid_starts);
	free(target->tid_starts);
	target_init(target);
}

static bool has_id(const uint32_t *ids, size_t count, uint32_t id, size_t *at)
{
	for (*at = 0; *at < count; (*at)++)
		if (ids[*at] == id)
			return true;
	return false;
}

static void add_id(uint32_t **ids, size_t *count, size_t *cap, uint32_t id)
{
	size_t at;

	if (has_id(*ids, *count, id, &at))
		return;
	*ids = mem_grow(*ids, cap, *count + 1, sizeof(**ids));
	(*ids)[(*count)++] = id;
}

/* Report an error with the list and the position of the error. */
static int list_error(const struct list_kind *kind, const char *list, const char *at,
		      const char *expected, struct err *err)
{
	struct str shown = STR_INIT;

	str_add_escaped(&shown, list, strnlen(list, 200), ESCAPE_PLAIN);
	err_set(err, -EINVAL, "bad list of %ss \"%s\": at character %zu, expected %s", kind->noun,
		shown.data, (size_t)(at - list) + 1, expected);
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

/* Parse "1,2" or, if ranges are allowed, "0-3,5". On an error, no item is added. */
static int parse_list(const struct list_kind *kind, const char *list, uint32_t **ids, size_t *count,
		      size_t *cap, struct err *err)
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
						 "a range with its lower end first", err);
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

/* ---- identity of the tasks -------------------------------------------------- */

static void *copy_of(const void *from, size_t count, size_t bytes)
{
	void *copy = mem_alloc((count + 1) * bytes);

	if (count)
		memcpy(copy, from, count * bytes);
	return copy;
}

void target_copy(struct target *copy, const struct target *target)
{
	*copy = *target;
	copy->pids = copy_of(target->pids, target->pid_count, sizeof(*copy->pids));
	copy->tids = copy_of(target->tids, target->tid_count, sizeof(*copy->tids));
	copy->cpus = copy_of(target->cpus, target->cpu_count, sizeof(*copy->cpus));
	copy->pid_cap = target->pid_count + 1;
	copy->tid_cap = target->tid_count + 1;
	copy->cpu_cap = target->cpu_count + 1;
	copy->pid_starts = copy_of(target->pid_starts, target->pid_starts_count,
				   sizeof(*copy->pid_starts));
	copy->tid_starts = copy_of(target->tid_starts, target->tid_starts_count,
				   sizeof(*copy->tid_starts));
}

bool target_has_pid(const struct target *target, uint32_t pid)
{
	size_t at;

	return has_id(target->pids, target->pid_count, pid, &at);
}

static bool remove_id(uint32_t *ids, size_t *count, uint64_t *starts, size_t *starts_count,
		      uint32_t id)
{
	size_t at;

	if (!has_id(ids, *count, id, &at))
		return false;
	memmove(ids + at, ids + at + 1, (--*count - at) * sizeof(*ids));
	if (at < *starts_count)
		memmove(starts + at, starts + at + 1, (--*starts_count - at) * sizeof(*starts));
	return true;
}

bool target_remove_pid(struct target *target, uint32_t pid)
{
	return remove_id(target->pids, &target->pid_count, target->pid_starts,
			 &target->pid_starts_count, pid);
}

bool target_remove_tid(struct target *target, uint32_t tid)
{
	return remove_id(target->tids, &target->tid_count, target->tid_starts,
			 &target->tid_starts_count, tid);
}

static bool read_stat(uint32_t id, struct proc_stat *stat)
{
	char path[32];

	/* Also works for a thread that is not a leader: /proc has it but does not list it. */
	snprintf(path, sizeof(path), "/proc/%u/stat", id);
	return proc_stat_read(stat, AT_FDCWD, path);
}

static void note_starts(const uint32_t *ids, size_t count, uint64_t **starts, size_t *starts_count)
{
	uint64_t *noted = mem_zalloc(count + 1, sizeof(*noted));
	struct proc_stat stat;

	for (size_t i = 0; i < count; i++) {
		if (i < *starts_count && (*starts)[i])
			noted[i] = (*starts)[i];
		else if (read_stat(ids[i], &stat))
			noted[i] = stat.started;
	}
	free(*starts);
	*starts = noted;
	*starts_count = count;
}

void target_note_starts(struct target *target)
{
	note_starts(target->pids, target->pid_count, &target->pid_starts,
		    &target->pid_starts_count);
	note_starts(target->tids, target->tid_count, &target->tid_starts,
		    &target->tid_starts_count);
}

/* True if alive. A zombie is dead, unless it is a leader whose other threads are alive. */
static bool lives(uint32_t id, uint64_t started, bool process)
{
	struct proc_stat stat;

	if (!read_stat(id, &stat) || (started && stat.started != started))
		return false;
	return (stat.state != 'Z' && stat.state != 'X') || (process && stat.threads > 1);
}

bool target_pid_lives(const struct target *target, size_t index)
{
	return lives(target->pids[index],
		     index < target->pid_starts_count ? target->pid_starts[index] : 0, true);
}

bool target_tid_lives(const struct target *target, size_t index)
{
	return lives(target->tids[index],
		     index < target->tid_starts_count ? target->tid_starts[index] : 0, false);
}

uint32_t target_ancestor(const struct target *target, uint32_t pid)
{
	struct proc_stat stat;

	for (int i = 0; i < ANCESTORS_MAX && pid && read_stat(pid, &stat); i++) {
		pid = stat.parent_pid;
		if (pid && (target_has_pid(target, pid) || pid == (uint32_t)target->command))
			return pid;
	}
	return 0;
}

/* ---- existence of the tasks ------------------------------------------------- */

/* Return the thread group of a task; 0: there is no such task. */
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
		return err_set(err, -ESRCH, "there is no process %u; `ps -e` lists all processes",
			       pid);
	return err_set(err, -ESRCH,
		       "%u is not a process but a thread of process %u; use -p %u for the whole "
		       "process or -t %u for the thread alone",
		       pid, group, group, pid);
}

static bool cpu_online(uint32_t cpu)
{
	char path[80];
	char state;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u", cpu);
	if (access(path, F_OK))
		return false;
	/* A CPU that cannot be taken offline, often CPU 0, has no such file. */
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

		stopped += read_stat(target->pids[i], &stat) && stat.state == 'T';
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
				       "there is no thread %u; `ps -eL` lists all threads",
				       target->tids[i]);
	for (size_t i = 0; i < target->cpu_count; i++)
		if (!cpu_online(target->cpus[i]))
			return err_set(err, -EINVAL,
				       "CPU %u is not online; /sys/devices/system/cpu/online lists "
				       "the online CPUs",
				       target->cpus[i]);
	return 0;
}
