#include "engine/process/proc_owner.h"

#include "engine/process/proc_stat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DELETED " (deleted)"

enum hierarchy { NO_HIERARCHY, ANY_ROOT, ANY_CONTROLLER, SYSTEMD, UNIFIED };

/* Rank a line such as "4:memory:/a"; the highest rank wins. */
static enum hierarchy rank(const char *line, const char *path)
{
	if (!strncmp(path, "/\n", 2) || !strcmp(path, "/"))
		return ANY_ROOT;
	if (!strncmp(line, "0::", 3))
		return UNIFIED;
	if (strstr(line, ":name=systemd:") && strstr(line, ":name=systemd:") < path)
		return SYSTEMD;
	return ANY_CONTROLLER;
}

static void proc_owner_parse_cgroup(struct proc_owner *owner, const char *text)
{
	enum hierarchy best = NO_HIERARCHY;
	const size_t deleted = strlen(DELETED);

	owner->cgroup[0] = '\0';
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *list = strchr(line, ':');
		const char *path = list ? strchr(list + 1, ':') : NULL;
		size_t len = path ? strcspn(path + 1, "\n") : 0;

		/* The kernel rejects line feeds in cgroup names, so each line is one entry. */
		if (!path || path > line + strcspn(line, "\n") || path[1] != '/' ||
		    len >= sizeof(owner->cgroup) || rank(line, path + 1) <= best)
			continue;
		best = rank(line, path + 1);
		if (len > deleted && !memcmp(path + 1 + len - deleted, DELETED, deleted))
			len -= deleted;
		memcpy(owner->cgroup, path + 1, len);
		owner->cgroup[len] = '\0';
	}
	owner->unified = best == UNIFIED;
}

/* Return the innermost pid of "NStgid:\t4242\t7", which lists one per namespace. 0: only one. */
static uint32_t innermost(const char *text)
{
	const char *line = strstr(text, "\nNStgid:");
	unsigned long number, found = 0;
	char *end;
	int count = 0;

	if (!line)
		return 0;
	for (line += strlen("\nNStgid:"); *line == '\t'; line = end, count++) {
		number = strtoul(line + 1, &end, 10);
		if (end == line + 1)
			break;
		found = number;
	}
	return count > 1 ? (uint32_t)found : 0;
}

bool proc_owner_parse_status(struct proc_owner *owner, const char *text)
{
	/*
	 * Read the uid here: the owner of /proc/PID is root for processes that are not dumpable.
	 * The kernel escapes the name in the first line, so no process can forge these lines.
	 */
	const char *line = strstr(text, "\nUid:");
	char *end;

	if (!line)
		return false;
	strtoul(line + strlen("\nUid:"), &end, 10); /* skip the real uid */
	owner->uid = (uint32_t)strtoul(end, NULL, 10);
	owner->ns_pid = innermost(text);
	return true;
}

bool proc_owner_read_cgroup(struct proc_owner *owner, int dir_fd, const char *thread)
{
	char path[64], text[16384];

	snprintf(path, sizeof(path), "%s/cgroup", thread);
	if (proc_read_at(dir_fd, path, text, sizeof(text)) <= 0)
		text[0] = '\0';
	proc_owner_parse_cgroup(owner, text);
	return owner->cgroup[0];
}

bool proc_owner_read(struct proc_owner *owner, int dir_fd, const char *thread)
{
	char path[64], text[16384];

	snprintf(path, sizeof(path), "%s/status", thread);
	if (proc_read_at(dir_fd, path, text, sizeof(text)) <= 0 ||
	    !proc_owner_parse_status(owner, text))
		return false;
	proc_owner_read_cgroup(owner, dir_fd, thread);
	return true;
}
