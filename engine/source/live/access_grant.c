#include "engine/source/live/access_grant.h"

#include "engine/base/str.h"

#include <errno.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BIT(capability) (1ULL << (capability))
#define NO_LEVEL INT_MAX /* the row works with any kernel.perf_event_paranoid */
#define TRACING ACCESS_TRACEFS_PLACE

/* What makes a row work: all of the settings, or the capabilities. Some rows have only one way. */
struct want {
	int paranoid; /* highest kernel.perf_event_paranoid */
	bool addresses; /* kernel.kptr_restrict must be 0 */
	bool tracefs;
	uint64_t capabilities;
};

static const struct want wants[ACCESS_COUNT] = {
	[ACCESS_TRACEFS] = { NO_LEVEL, false, true, 0 },
	[ACCESS_OWN_CALLS] = { 1, false, true, BIT(CAP_PERFMON) },
	[ACCESS_ALL_CALLS] = { -1, false, true, BIT(CAP_PERFMON) },
	[ACCESS_KERNEL_STACKS] = { 1, false, true, BIT(CAP_PERFMON) },
	[ACCESS_USER_STACKS] = { 1, false, true, BIT(CAP_PERFMON) },
	[ACCESS_WAKERS] = { -1, false, true, BIT(CAP_PERFMON) },
	[ACCESS_KERNEL_SYMBOLS] = { 1, true, false, BIT(CAP_SYSLOG) },
	[ACCESS_MEMORY] = { NO_LEVEL, false, false, BIT(CAP_SYS_PTRACE) },
	[ACCESS_FILES] = { NO_LEVEL, false, false, BIT(CAP_SYS_PTRACE) | BIT(CAP_DAC_READ_SEARCH) },
	[ACCESS_BPF] = { NO_LEVEL, false, false, BIT(CAP_BPF) | BIT(CAP_PERFMON) },
};

static const struct {
	int number;
	const char *name;
} capabilities[] = {
	{ CAP_DAC_READ_SEARCH, "cap_dac_read_search" },
	{ CAP_SYS_PTRACE, "cap_sys_ptrace" },
	{ CAP_SYS_ADMIN, "cap_sys_admin" }, /* before Linux 5.8, includes cap_perfmon and cap_bpf */
	{ CAP_SYSLOG, "cap_syslog" },
	{ CAP_PERFMON, "cap_perfmon" },
	{ CAP_BPF, "cap_bpf" },
};

#define CAPABILITY_COUNT (sizeof(capabilities) / sizeof(capabilities[0]))

/* ---- commands -------------------------------------------------------------------------- */

/* If this kernel lacks a capability, use CAP_SYS_ADMIN, which includes it on such a kernel. */
static uint64_t known(const struct access_place *place, uint64_t wanted)
{
	return wanted & ~place->capabilities_known
		       ? (wanted & place->capabilities_known) | BIT(CAP_SYS_ADMIN)
		       : wanted;
}

static void then(struct str *line)
{
	if (line->len)
		str_add(line, " && ");
}

static void add_mount(struct str *line, const struct access_place *place)
{
	then(line);
	/* The mount below debugfs does not help: only root may search that folder. */
	if (place->mounted)
		str_addf(line, "mount -o remount,gid=%u,mode=750 " TRACING, place->gid);
	else if (place->root)
		str_add(line, "mount -t tracefs tracefs " TRACING);
	else
		str_addf(line, "mount -t tracefs -o gid=%u,mode=750 tracefs " TRACING, place->gid);
}

/* Add the command that changes the machine so that these rows work, if there is one. */
static void add_setting(struct str *line, const struct access_place *place, unsigned int rows)
{
	bool tracefs = false, addresses = false, level_matters;
	int level = NO_LEVEL;

	for (int i = 0; i < ACCESS_COUNT; i++) {
		if (!(rows >> i & 1))
			continue;
		tracefs |= wants[i].tracefs;
		addresses |= wants[i].addresses;
		if (wants[i].paranoid < level)
			level = wants[i].paranoid;
	}
	level_matters = level != NO_LEVEL && place->paranoid > level;
	addresses = addresses && place->kptr_restrict;
	if (tracefs && place->tracefs)
		add_mount(line, place);
	if (place->root || (!level_matters && !addresses))
		return;
	then(line);
	str_add(line, "sysctl");
	if (level_matters)
		str_addf(line, " kernel.perf_event_paranoid=%d", level);
	if (addresses)
		str_add(line, " kernel.kptr_restrict=0");
}

/* Return the capabilities that the program file needs, including those that it has. */
static uint64_t wanted_capabilities(const struct access_place *place, unsigned int rows)
{
	uint64_t all = 0, wanted = 0;

	for (size_t i = 0; i < CAPABILITY_COUNT; i++)
		all |= BIT(capabilities[i].number);
	for (int i = 0; i < ACCESS_COUNT; i++) {
		if (!(rows >> i & 1))
			continue;
		wanted |= wants[i].capabilities;
		if (wants[i].tracefs && place->tracefs && place->tracefs != -ENOENT)
			wanted |= BIT(CAP_DAC_READ_SEARCH);
	}
	return known(place, wanted) | (place->rights.permitted & all);
}

static void add_names(struct str *line, uint64_t wanted)
{
	bool first = true;

	for (size_t i = 0; i < CAPABILITY_COUNT; i++) {
		if (!(wanted & BIT(capabilities[i].number)))
			continue;
		str_addf(line, "%s%s", first ? "" : ",", capabilities[i].name);
		first = false;
	}
}

/* Add the command that gives the program file the capabilities for these rows, if it helps. */
static void add_program(struct str *line, const struct access_place *place, unsigned int rows)
{
	uint64_t wanted = wanted_capabilities(place, rows);
	bool unmounted = false, addresses = false;

	/* exec fails with EPERM if a file has effective capabilities outside the bounding set. */
	if (!place->program[0] || !(wanted & ~place->rights.permitted) ||
	    (wanted & ~place->rights.bounding))
		return;
	for (int i = 0; i < ACCESS_COUNT; i++) {
		unmounted |= (rows >> i & 1) && wants[i].tracefs && place->tracefs == -ENOENT;
		addresses |= (rows >> i & 1) && wants[i].addresses;
	}
	if (unmounted)
		add_mount(line, place);
	if (addresses && place->kptr_restrict > 1) {
		then(line);
		str_add(line, "sysctl kernel.kptr_restrict=1");
	}
	if (place->copied[0]) {
		then(line);
		str_add(line, place->copied);
	}
	then(line);
	str_add(line, "setcap ");
	add_names(line, wanted);
	str_addf(line, "+ep %s", place->program);
}

/* Copy the line if it fits: a truncated command would be worse than none. */
static void take_line(char *out, size_t out_bytes, struct str *line)
{
	out[0] = '\0';
	if (line->len < out_bytes)
		memcpy(out, line->data, line->len + 1);
	str_release(line);
}

static void fill_lines(char *setting, size_t setting_bytes, char *program, size_t program_bytes,
		       const struct access_place *place, unsigned int rows)
{
	struct str line = STR_INIT;

	add_setting(&line, place, rows);
	take_line(setting, setting_bytes, &line);
	str_init(&line);
	add_program(&line, place, rows);
	take_line(program, program_bytes, &line);
}

/* ---- reasons --------------------------------------------------------------------------- */

static bool is_refusal(int code)
{
	return code == -EPERM || code == -EACCES;
}

static void say(struct access_row *row, const char *text)
{
	snprintf(row->why, sizeof(row->why), "%.*s", (int)sizeof(row->why) - 1, text);
}

static void say_more(struct access_row *row, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say_more(struct access_row *row, const char *format, ...)
{
	size_t used = strlen(row->why);
	va_list args;

	va_start(args, format);
	vsnprintf(row->why + used, sizeof(row->why) - used, format, args);
	va_end(args);
}

static void explain_tracefs(struct access_row *row, const struct access_place *place)
{
	if (place->tracefs == -ENOENT)
		say(row, "tracefs is not mounted");
	else if (place->rights.confidential)
		say(row, "the kernel is locked down (confidentiality) and hides event formats");
	else
		say(row, "no permission to read tracefs");
}

/* True if the row does not work because kernel.perf_event_paranoid is too high. */
static bool is_level(const struct access_place *place, const struct want *want)
{
	return want->paranoid != NO_LEVEL && place->paranoid > want->paranoid &&
	       !self_capabilities_has(&place->rights, CAP_PERFMON);
}

static void explain_event(struct access_row *row, const struct access_place *place, int code,
			  const struct err *err)
{
	const struct want *want = &wants[row->id];

	if (place->tracefs) {
		say(row, "needs the formats of kernel events");
		if (is_level(place, want))
			say_more(row, "; kernel.perf_event_paranoid is %d, must be at most %d",
				 place->paranoid, want->paranoid);
		return;
	}
	say(row, err->text);
	if (!is_refusal(code))
		return;
	if (is_level(place, want))
		say_more(row, "; kernel.perf_event_paranoid is %d, must be at most %d",
			 place->paranoid, want->paranoid);
	else
		say_more(row, ", though kernel.perf_event_paranoid allows it: a security module?");
}

void access_explain(struct access_row *row, const struct access_place *place, int code,
		    const struct err *err)
{
	bool lacks_tracefs;

	switch (row->id) {
	case ACCESS_TRACEFS:
		explain_tracefs(row, place);
		break;
	case ACCESS_KERNEL_SYMBOLS:
		say(row, err->text);
		if (code == -EPERM)
			say_more(row,
				 "; kernel.kptr_restrict is %d, kernel.perf_event_paranoid "
				 "is %d",
				 place->kptr_restrict, place->paranoid);
		break;
	case ACCESS_MEMORY:
	case ACCESS_FILES:
	case ACCESS_BPF:
		say(row, err->text);
		break;
	default:
		explain_event(row, place, code, err);
		break;
	}
	lacks_tracefs = wants[row->id].tracefs && place->tracefs;
	/* Commands are only for refusals: permissions do not help against other failures. */
	if (lacks_tracefs ? !place->rights.confidential : is_refusal(code))
		fill_lines(row->setting, sizeof(row->setting), row->program, sizeof(row->program),
			   place, 1u << row->id);
}

void access_explain_all(struct access *access, const struct access_place *place)
{
	unsigned int rows = 0;
	uint64_t beyond;

	for (int i = 0; i < ACCESS_COUNT; i++)
		if (access->rows[i].setting[0] || access->rows[i].program[0])
			rows |= 1u << i;
	if (rows)
		fill_lines(access->setting, sizeof(access->setting), access->program,
			   sizeof(access->program), place, rows);
	snprintf(access->note, sizeof(access->note), "%s", place->note);
	beyond = known(place, BIT(CAP_PERFMON)) & ~place->rights.bounding;
	if (!access->note[0] && beyond)
		snprintf(access->note, sizeof(access->note),
			 "%s cannot have all capabilities here (bounding set): run stxtop outside "
			 "the container",
			 place->root ? "root" : "stxtop");
}
