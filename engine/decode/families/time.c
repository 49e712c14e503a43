/* Clocks, timers and sleeping. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/time_types.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NSEC_MAX 999999999
#define UTIME_NOW_NS 0x3fffffff
#define UTIME_OMIT_NS 0x3ffffffe

LAYOUT(timespec_layout, struct __kernel_timespec,
       MEMBER(struct __kernel_timespec, tv_sec, show_long),
       MEMBER(struct __kernel_timespec, tv_nsec, show_ulong));

LAYOUT(timeval_layout, struct __kernel_old_timeval,
       MEMBER(struct __kernel_old_timeval, tv_sec, show_long),
       MEMBER(struct __kernel_old_timeval, tv_usec, show_ulong));

LAYOUT(itimerspec_layout, struct __kernel_itimerspec,
       MEMBER_INNER(struct __kernel_itimerspec, it_interval, timespec_layout),
       MEMBER_INNER(struct __kernel_itimerspec, it_value, timespec_layout));

LAYOUT(itimerval_layout, struct __kernel_old_itimerval,
       MEMBER_INNER(struct __kernel_old_itimerval, it_interval, timeval_layout),
       MEMBER_INNER(struct __kernel_old_itimerval, it_value, timeval_layout));

struct kernel_timezone {
	int32_t tz_minuteswest, tz_dsttime;
};
LAYOUT(timezone_layout, struct kernel_timezone,
       MEMBER(struct kernel_timezone, tz_minuteswest, show_int),
       MEMBER(struct kernel_timezone, tz_dsttime, show_int));

/* Print the date as a comment, 2023-11-14T22:13:20.5+0000, in the time zone of this machine. */
static void print_date(struct printer *p, int64_t seconds, uint64_t fraction, unsigned digits)
{
	time_t time = seconds;
	struct tm tm;
	long east;

	/* Not strftime(): it checks the time zone file on every call. */
	if (!seconds || fraction > NSEC_MAX || !localtime_r(&time, &tm))
		return;
	str_addf(p->out, " /* %ld-%02d-%02dT%02d:%02d:%02d", tm.tm_year + 1900L, tm.tm_mon + 1,
		 tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	if (fraction)
		str_addf(p->out, ".%0*llu", (int)digits, (unsigned long long)fraction);
	east = labs(tm.tm_gmtoff) / 60;
	str_addf(p->out, "%c%02ld%02ld */", tm.tm_gmtoff < 0 ? '-' : '+', east / 60, east % 60);
}

static void element_utimespec(struct printer *p, const void *element, const void *data)
{
	const struct __kernel_timespec *time = element;

	(void)data;
	if (time->tv_nsec == UTIME_NOW_NS) {
		PUT(p, "UTIME_NOW");
	} else if (time->tv_nsec == UTIME_OMIT_NS) {
		PUT(p, "UTIME_OMIT");
	} else {
		element_struct(p, element, &timespec_layout);
		print_date(p, time->tv_sec, (uint64_t)time->tv_nsec, 9);
	}
}

void show_two_timespecs(struct printer *p, uint64_t value, const void *data)
{
	struct __kernel_timespec times[2];

	(void)data;
	if (!printer_read(p, value, times, sizeof(times)))
		show_pointer(p, value, NULL);
	else
		print_array(p, value, 2, sizeof(times[0]), element_utimespec, NULL);
}

static void element_utimeval(struct printer *p, const void *element, const void *data)
{
	const struct __kernel_old_timeval *time = element;

	(void)data;
	element_struct(p, element, &timeval_layout);
	print_date(p, time->tv_sec, (uint64_t)time->tv_usec, 6);
}

void show_two_timevals(struct printer *p, uint64_t value, const void *data)
{
	struct __kernel_old_timeval times[2];

	(void)data;
	if (!printer_read(p, value, times, sizeof(times)))
		show_pointer(p, value, NULL);
	else
		print_array(p, value, 2, sizeof(times[0]), element_utimeval, NULL);
}

static void show_utimbuf(struct printer *p, uint64_t value, const void *data)
{
	int64_t times[2];

	(void)data;
	if (!printer_read(p, value, times, sizeof(times))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{actime=");
	str_addd(p->out, times[0]);
	print_date(p, times[0], 0, 0);
	PUT(p, ", modtime=");
	str_addd(p->out, times[1]);
	print_date(p, times[1], 0, 0);
	PUT(p, "}");
}

/* The kernel stores the remaining time only if a signal interrupted the sleep. */
static void show_remaining(struct printer *p, uint64_t value, const void *data)
{
	int64_t ret = p->call->ret;

	(void)data;
	if (p->call->state == CALL_DONE && (ret == -4 || ret == -516 || ret == -514)) {
		p->when = BYTES_AT_EXIT;
		show_struct(p, value, &timespec_layout);
	} else {
		show_pointer(p, value, NULL);
	}
}

/* After an absolute sleep, the kernel stores no remaining time. */
static void show_remaining_of_some(struct printer *p, uint64_t value, const void *data)
{
	if (p->call->args[1])
		show_pointer(p, value, NULL);
	else
		show_remaining(p, value, data);
}

void show_clock(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	show_enum(p, value, &clocks);
}

static void show_timex(struct printer *p, uint64_t value, const void *data)
{
	struct timex_kernel {
		uint32_t modes;
		int64_t offset, freq, maxerror, esterror;
		int32_t status;
		int64_t constant, precision, tolerance, time_sec, time_usec, tick, ppsfreq, jitter;
		int32_t shift;
		int64_t stabil, jitcnt, calcnt, errcnt, stbcnt;
		int32_t tai;
		int32_t reserved[11];
	} timex;

	(void)data;
	if (!printer_read(p, value, &timex, sizeof(timex))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{modes=");
	show_flags(p, timex.modes, &adjtimex_modes);
#define ADD(name) str_addf(p->out, ", " #name "=%lld", (long long)timex.name)
	ADD(offset);
	ADD(freq);
	ADD(maxerror);
	ADD(esterror);
	PUT(p, ", status=");
	show_flags(p, (uint32_t)timex.status, &adjtimex_statuses);
	ADD(constant);
	ADD(precision);
	ADD(tolerance);
	str_addf(p->out, ", time={tv_sec=%lld, tv_usec=%llu}", (long long)timex.time_sec,
		 (unsigned long long)timex.time_usec);
	ADD(tick);
	ADD(ppsfreq);
	ADD(jitter);
	ADD(shift);
	ADD(stabil);
	ADD(jitcnt);
	ADD(calcnt);
	ADD(errcnt);
	ADD(stbcnt);
	ADD(tai);
#undef ADD
	PUT(p, "}");
}

static void timex_result(struct printer *p)
{
	const char *name = constants_name(&adjtimex_states, (uint64_t)p->call->ret);

	str_addd(p->out, p->call->ret);
	if (name) {
		PUT(p, " (");
		str_add(p->out, name);
		PUT(p, ")");
	}
}

/* Print "(2023-11-14T22:13:20+0000)". */
static void print_result_date(struct printer *p)
{
	size_t before = p->out->len;

	print_date(p, p->call->ret, 0, 0);
	if (p->out->len < before + 6)
		return;
	/* Replace the comment marks by parentheses. */
	memmove(p->out->data + before + 2, p->out->data + before + 4, p->out->len - before - 4);
	str_cut(p->out, p->out->len - 5);
	p->out->data[before + 1] = '(';
	PUT(p, ")");
}

static void time_result(struct printer *p)
{
	str_addd(p->out, p->call->ret);
	print_result_date(p);
}

/* 100 ticks per second on every machine: USER_HZ of the kernel. */
void show_ticks(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addu(p->out, value);
	if (value)
		str_addf(p->out, " /* %llu.%02llu s */", (unsigned long long)value / 100,
			 (unsigned long long)value % 100);
}

struct kernel_tms {
	int64_t tms_utime, tms_stime, tms_cutime, tms_cstime;
};
LAYOUT(tms_layout, struct kernel_tms, MEMBER(struct kernel_tms, tms_utime, show_ticks),
       MEMBER(struct kernel_tms, tms_stime, show_ticks),
       MEMBER(struct kernel_tms, tms_cutime, show_ticks),
       MEMBER(struct kernel_tms, tms_cstime, show_ticks));

static void show_time_pointer(struct printer *p, uint64_t value, const void *data)
{
	int64_t time;

	(void)data;
	if (!printer_read(p, value, &time, sizeof(time))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "[");
	str_addd(p->out, time);
	print_date(p, time, 0, 0);
	PUT(p, "]");
}

/* clang-format off */
static const struct call_form time_forms[] = {
	{ .name = "nanosleep",
	  .prototype = "struct __kernel_timespec * rqtp, struct __kernel_timespec * rmtp",
	  .args = { [0] = IN(timespec_layout), [1] = SHOW(show_remaining) } },
	{ .name = "clock_nanosleep",
	  .prototype = "const clockid_t which_clock, int flags, "
		       "const struct __kernel_timespec * rqtp, struct __kernel_timespec * rmtp",
	  .args = { [0] = SHOW(show_clock), [1] = FLAGS(timer_flags), [2] = IN(timespec_layout),
		    [3] = SHOW(show_remaining_of_some) } },
	{ .name = "clock_gettime", .classes = CLOCK,
	  .prototype = "const clockid_t which_clock, struct __kernel_timespec * tp",
	  .args = { [0] = SHOW(show_clock), [1] = OUT(timespec_layout) } },
	{ .name = "clock_settime", .classes = CLOCK,
	  .prototype = "const clockid_t which_clock, const struct __kernel_timespec * tp",
	  .args = { [0] = SHOW(show_clock), [1] = IN(timespec_layout) } },
	{ .name = "clock_getres", .classes = CLOCK,
	  .prototype = "const clockid_t which_clock, struct __kernel_timespec * tp",
	  .args = { [0] = SHOW(show_clock), [1] = OUT(timespec_layout) } },
	{ .name = "clock_adjtime", .classes = CLOCK,
	  .prototype = "const clockid_t which_clock, struct __kernel_timex * utx",
	  .args = { [0] = SHOW(show_clock), [1] = SHOW_OUT(show_timex) },
	  .result = timex_result },
	{ .name = "adjtimex", .classes = CLOCK,
	  .prototype = "struct __kernel_timex * txc_p",
	  .args = { [0] = SHOW_OUT(show_timex) },
	  .result = timex_result },
	{ .name = "gettimeofday", .classes = CLOCK,
	  .prototype = "struct __kernel_old_timeval * tv, struct timezone * tz",
	  .args = { [0] = OUT(timeval_layout), [1] = OUT(timezone_layout) } },
	{ .name = "settimeofday", .classes = CLOCK,
	  .prototype = "struct __kernel_old_timeval * tv, struct timezone * tz",
	  .args = { [0] = IN(timeval_layout), [1] = IN(timezone_layout) } },
	{ .name = "time", .classes = CLOCK,
	  .prototype = "__kernel_old_time_t * tloc",
	  .args = { [0] = SHOW_OUT(show_time_pointer) },
	  .result = time_result },
	{ .name = "times",
	  .prototype = "struct tms * tbuf",
	  .args = { [0] = OUT(tms_layout) } },
	{ .name = "alarm",
	  .prototype = "unsigned int seconds" },
	{ .name = "getitimer",
	  .prototype = "int which, struct __kernel_old_itimerval * value",
	  .args = { [0] = ENUM(itimers), [1] = OUT(itimerval_layout) } },
	{ .name = "setitimer",
	  .prototype = "int which, struct __kernel_old_itimerval * value, "
		       "struct __kernel_old_itimerval * ovalue",
	  .args = { [0] = ENUM(itimers), [1] = IN(itimerval_layout),
		    [2] = OUT(itimerval_layout) } },
	{ .name = "timer_create",
	  .prototype = "const clockid_t which_clock, struct sigevent * timer_event_spec, "
		       "timer_t * created_timer_id",
	  .args = { [0] = SHOW(show_clock), [1] = SHOW(show_sigevent),
		    [2] = FILLS(int_pointee) } },
	{ .name = "timer_settime",
	  .prototype = "timer_t timer_id, int flags, "
		       "const struct __kernel_itimerspec * new_setting, "
		       "struct __kernel_itimerspec * old_setting",
	  .args = { [1] = FLAGS(timer_flags), [2] = IN(itimerspec_layout),
		    [3] = OUT(itimerspec_layout) } },
	{ .name = "timer_gettime",
	  .prototype = "timer_t timer_id, struct __kernel_itimerspec * setting",
	  .args = { [1] = OUT(itimerspec_layout) } },
	{ .name = "timer_getoverrun",
	  .prototype = "timer_t timer_id" },
	{ .name = "timer_delete",
	  .prototype = "timer_t timer_id" },
	{ .name = "timerfd_create", .classes = DESC,
	  .prototype = "int clockid, int flags",
	  .args = { [0] = SHOW(show_clock), [1] = FLAGS(timerfd_flags) },
	  .result = result_fd },
	{ .name = "timerfd_settime", .classes = DESC,
	  .prototype = "int ufd, int flags, const struct __kernel_itimerspec * utmr, "
		       "struct __kernel_itimerspec * otmr",
	  .args = { [1] = FLAGS(timerfd_flags), [2] = IN(itimerspec_layout),
		    [3] = OUT(itimerspec_layout) } },
	{ .name = "timerfd_gettime", .classes = DESC,
	  .prototype = "int ufd, struct __kernel_itimerspec * otmr",
	  .args = { [1] = OUT(itimerspec_layout) } },
	{ .name = "utime", .classes = FILE_,
	  .prototype = "char * filename, struct utimbuf * times",
	  .args = { [0] = SHOW(show_path), [1] = SHOW(show_utimbuf) } },
	{ .name = "utimes", .classes = FILE_,
	  .prototype = "char * filename, struct __kernel_old_timeval * utimes",
	  .args = { [0] = SHOW(show_path), [1] = SHOW(show_two_timevals) } },
	{ .name = "futimesat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, struct __kernel_old_timeval * utimes",
	  .args = { [0] = SHOW(show_dir_fd), [2] = SHOW(show_two_timevals) } },
	{ .name = "utimensat", .classes = DESC | FILE_,
	  .prototype = "int dfd, const char * filename, struct __kernel_timespec * utimes, "
		       "int flags",
	  .args = { [2] = SHOW(show_two_timespecs), [3] = FLAGS(at_flags) } },
};
/* clang-format on */

CALL_FAMILY(time);
