#include "engine/base/words.h"
#include "engine/filter/filter_tree.h"

#include <string.h>

/* In the order of enum filter_field_id, which is that of their names. */
const struct filter_field filter_fields[] = {
	{ "arg0", FILTER_NUMBER, "first argument, as the register holds it", FILTER_BY_NOTHING },
	{ "arg1", FILTER_NUMBER, "second argument", FILTER_BY_NOTHING },
	{ "arg2", FILTER_NUMBER, "third argument", FILTER_BY_NOTHING },
	{ "arg3", FILTER_NUMBER, "fourth argument", FILTER_BY_NOTHING },
	{ "arg4", FILTER_NUMBER, "fifth argument", FILTER_BY_NOTHING },
	{ "arg5", FILTER_NUMBER, "sixth argument", FILTER_BY_NOTHING },
	{ "began", FILTER_DURATION, "when it was entered, since the start", FILTER_BY_NOTHING },
	{ "blocked", FILTER_DURATION, "time off the CPU inside the call, waiting",
	  FILTER_BY_NOTHING },
	{ "cgroup", FILTER_TEXT, "control group of the thread, those below it included",
	  FILTER_BY_PROGRAMS },
	{ "comm", FILTER_TEXT, "name of the thread", FILTER_BY_NOTHING },
	{ "cpu", FILTER_NUMBER, "CPU on which the call was entered", FILTER_BY_NOTHING },
	{ "dur", FILTER_DURATION, "duration; of a call in flight its age", FILTER_BY_PROGRAMS },
	{ "ended", FILTER_DURATION, "when it returned, since the start", FILTER_BY_NOTHING },
	{ "errno", FILTER_ERRNO, "error of the call, 0 if it succeeded", FILTER_BY_PROGRAMS },
	{ "event", FILTER_TEXT, "name of another tracepoint, of rows that are no call",
	  FILTER_BY_EVENTS },
	{ "failed", FILTER_BOOL, "the call returned an error", FILTER_BY_PROGRAMS },
	{ "fd", FILTER_NUMBER, "a descriptor among the arguments, or that was returned",
	  FILTER_BY_NOTHING },
	{ "in_flight", FILTER_BOOL, "the call has not returned yet", FILTER_BY_NOTHING },
	{ "on_cpu", FILTER_DURATION, "time on the CPU inside the call", FILTER_BY_NOTHING },
	{ "path", FILTER_TEXT, "a path among the arguments, or of a descriptor",
	  FILTER_BY_NOTHING },
	{ "pid", FILTER_NUMBER, "process", FILTER_BY_EVENTS },
	{ "ret", FILTER_NUMBER, "value that the call returned", FILTER_BY_NOTHING },
	{ "runnable", FILTER_DURATION, "time inside the call spent waiting for a CPU",
	  FILTER_BY_NOTHING },
	{ "syscall", FILTER_SYSCALL, "name, number or %class of the call", FILTER_BY_EVENTS },
	{ "tid", FILTER_NUMBER, "thread", FILTER_BY_EVENTS },
	{ "uid", FILTER_USER, "effective user of the thread", FILTER_BY_PROGRAMS },
	{ "waker", FILTER_NUMBER, "thread that woke the caller, 0 if none is known",
	  FILTER_BY_NOTHING },
};

const size_t filter_field_count = sizeof(filter_fields) / sizeof(filter_fields[0]);

_Static_assert(sizeof(filter_fields) / sizeof(filter_fields[0]) == FIELD_TASK,
	       "a field for each id");

int filter_field_find(const char *name, size_t len)
{
	for (size_t i = 0; i < filter_field_count; i++)
		if (strlen(filter_fields[i].name) == len &&
		    !memcmp(filter_fields[i].name, name, len))
			return (int)i;
	return -1;
}

const char *filter_field_nearest(const char *name, size_t len)
{
	struct words_nearest nearest = words_nearest_to(name, len);

	for (size_t i = 0; i < filter_field_count; i++)
		words_nearest_offer(&nearest, filter_fields[i].name);
	return nearest.found;
}
