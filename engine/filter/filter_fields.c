#include "engine/base/words.h"
#include "engine/filter/filter_tree.h"

#include <string.h>

/* In the order of enum filter_field_id, which is that of their names. */
const struct filter_field filter_fields[] = {
	{ "arg0", FILTER_NUMBER, "first argument, as the register holds it", false },
	{ "arg1", FILTER_NUMBER, "second argument", false },
	{ "arg2", FILTER_NUMBER, "third argument", false },
	{ "arg3", FILTER_NUMBER, "fourth argument", false },
	{ "arg4", FILTER_NUMBER, "fifth argument", false },
	{ "arg5", FILTER_NUMBER, "sixth argument", false },
	{ "blocked", FILTER_DURATION, "time off the CPU inside the call, waiting", false },
	{ "comm", FILTER_TEXT, "name of the thread", false },
	{ "cpu", FILTER_NUMBER, "CPU on which the call was entered", false },
	{ "dur", FILTER_DURATION, "duration; of a call in flight its age", false },
	{ "errno", FILTER_ERRNO, "error of the call, 0 if it succeeded", false },
	{ "failed", FILTER_BOOL, "the call returned an error", false },
	{ "in_flight", FILTER_BOOL, "the call has not returned yet", false },
	{ "on_cpu", FILTER_DURATION, "time on the CPU inside the call", false },
	{ "pid", FILTER_NUMBER, "process", true },
	{ "ret", FILTER_NUMBER, "value that the call returned", false },
	{ "runnable", FILTER_DURATION, "time inside the call spent waiting for a CPU", false },
	{ "syscall", FILTER_SYSCALL, "name, number or %class of the call", true },
	{ "tid", FILTER_NUMBER, "thread", true },
	{ "waker", FILTER_NUMBER, "thread that woke the caller, 0 if none is known", false },
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
