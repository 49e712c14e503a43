#include "tui/report/event_attributes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const types[] = {
	[PERF_TYPE_HARDWARE] = "hardware",
	[PERF_TYPE_SOFTWARE] = "software",
	[PERF_TYPE_TRACEPOINT] = "tracepoint",
	[PERF_TYPE_HW_CACHE] = "cache",
	[PERF_TYPE_RAW] = "raw",
	[PERF_TYPE_BREAKPOINT] = "breakpoint",
};

static const char *const clocks[] = {
	[CLOCK_REALTIME] = "realtime",
	[CLOCK_MONOTONIC] = "monotonic",
	[CLOCK_MONOTONIC_RAW] = "monotonic_raw",
	[CLOCK_BOOTTIME] = "boottime",
	[CLOCK_TAI] = "tai",
};

/* Indexed by bit, as in enum perf_event_sample_format. */
/* clang-format off */
static const char *const samples[] = {
	"IP", "TID", "TIME", "ADDR", "READ", "CALLCHAIN", "ID", "CPU", "PERIOD", "STREAM_ID",
	"RAW", "BRANCH_STACK", "REGS_USER", "STACK_USER", "WEIGHT", "DATA_SRC", "IDENTIFIER",
	"TRANSACTION", "REGS_INTR", "PHYS_ADDR", "AUX", "CGROUP", "DATA_PAGE_SIZE",
	"CODE_PAGE_SIZE", "WEIGHT_STRUCT",
};

/* Indexed by bit of the flags after read_format in perf_event_attr; precise_ip has two bits. */
static const char *const flags[] = {
	"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel",
	"exclude_hv", "exclude_idle", "mmap", "comm", "freq", "inherit_stat", "enable_on_exec",
	"task", "watermark", "precise_ip", "precise_ip2", "mmap_data", "sample_id_all",
	"exclude_host", "exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user",
	"mmap2", "comm_exec", "use_clockid", "context_switch", "write_backward", "namespaces",
	"ksymbol", "bpf_event", "aux_output", "cgroup", "text_poke", "build_id", "inherit_thread",
	"remove_on_exec", "sigtrap",
};
/* clang-format on */

static const char *name_of(const char *const *names, size_t count, uint64_t number)
{
	return number < count ? names[number] : NULL;
}

static void add_bits(struct str *out, const char *const *names, size_t count, uint64_t bits,
		     const char *separator)
{
	bool any = false;

	for (size_t i = 0; i < 64; i++) {
		if (!(bits & 1ULL << i))
			continue;
		str_add(out, any ? separator : "");
		if (i < count)
			str_add(out, names[i]);
		else
			str_addf(out, "bit%zu", i);
		any = true;
	}
}

const char *event_attributes_type(const struct perf_event_attr *attr)
{
	return name_of(types, COUNT(types), attr->type);
}

const char *event_attributes_clock(const struct perf_event_attr *attr)
{
	return attr->use_clockid && attr->clockid >= 0
		       ? name_of(clocks, COUNT(clocks), (uint64_t)attr->clockid)
		       : NULL;
}

void event_attributes_add_sample(struct str *out, const struct perf_event_attr *attr,
				 const char *separator)
{
	add_bits(out, samples, COUNT(samples), attr->sample_type, separator);
}

void event_attributes_add_flags(struct str *out, const struct perf_event_attr *attr,
				const char *separator)
{
	uint64_t bits;

	memcpy(&bits,
	       (const char *)attr + offsetof(struct perf_event_attr, read_format) +
		       sizeof(attr->read_format),
	       sizeof(bits));
	add_bits(out, flags, COUNT(flags), bits, separator);
}
