#include "tui/report/recording_report.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/units.h"
#include "engine/export/json.h"
#include "tui/report/event_attributes.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#define NAME_COLS 14
#define PACKED_ZSTD 1 /* tools/perf/util/compress.h */

static const char *const reasons[FLIGHT_REASON_COUNT] = {
	[FLIGHT_CALL] = "a call",
	[FLIGHT_SIGNAL] = "a signal",
	[FLIGHT_KEY] = "a key press",
};

/* ---- text ---- */

/* Append the date in the local time zone. */
static void add_date(struct str *out, int64_t since_1970_s)
{
	time_t time = (time_t)since_1970_s;
	struct tm parts;
	char text[64];

	if (localtime_r(&time, &parts) && strftime(text, sizeof(text), "%F %T", &parts))
		str_add(out, text);
}

struct reporter {
	recording_fact_fn *fact;
	void *ctx;
	struct str value;
};

/* Report the value that was built, if it is not empty. */
static void report(struct reporter *reporter, const char *name)
{
	if (reporter->value.len)
		reporter->fact(reporter->ctx, name, reporter->value.data);
	str_clear(&reporter->value);
}

static void report_text(struct reporter *reporter, const char *name, const char *text)
{
	str_add_escaped(&reporter->value, text, strlen(text), ESCAPE_PLAIN);
	report(reporter, name);
}

static void report_file(struct reporter *reporter, const struct recording_info *about,
			const char *path)
{
	char bytes[UNITS_TEXT_BYTES];

	report_text(reporter, "file", path);
	if (about->bytes)
		str_addf(&reporter->value, "%s, %" PRIu64 " bytes",
			 units_format_bytes(bytes, about->bytes), about->bytes);
	report(reporter, "size");
	if (about->written_s)
		add_date(&reporter->value, about->written_s);
	report(reporter, "written");
}

static void report_machine(struct reporter *reporter, const struct recording_info *about)
{
	char bytes[UNITS_TEXT_BYTES];

	report_text(reporter, "host", about->host);
	report_text(reporter, "kernel", about->release);
	report_text(reporter, "architecture", about->arch);
	report_text(reporter, "processor", about->cpu);
	report_text(reporter, "cpuid", about->cpuid);
	if (about->cpus || about->cpus_max)
		str_addf(&reporter->value, "%u of %u", about->cpus, about->cpus_max);
	report(reporter, "processors");
	if (about->memory_kb)
		str_add(&reporter->value, units_format_bytes(bytes, about->memory_kb * 1024));
	report(reporter, "memory");
}

static void report_times(struct reporter *reporter, const struct recording_info *about)
{
	char time[UNITS_TEXT_BYTES];

	if (about->wall_ns)
		add_date(&reporter->value, (int64_t)(about->wall_ns / NS_PER_S));
	report(reporter, "began");
	if (about->first_ns)
		str_addf(&reporter->value, "%" PRIu64 ".%06" PRIu64 " s, recording clock",
			 (uint64_t)(about->first_ns / NS_PER_S),
			 (uint64_t)(about->first_ns % NS_PER_S / NS_PER_US));
	report(reporter, "first sample");
	if (about->first_ns && about->last_ns > about->first_ns)
		str_add(&reporter->value, units_format_ns(time, about->last_ns - about->first_ns));
	report(reporter, "duration");
}

static void report_making(struct reporter *reporter, const struct recording_info *about)
{
	if (about->version[0]) {
		str_add(&reporter->value, about->own ? "" : "perf ");
		str_add_escaped(&reporter->value, about->version, strlen(about->version),
				ESCAPE_PLAIN);
	}
	report(reporter, "recorded by");
	report_text(reporter, "command", about->cmdline);
	if (about->flight.reason != FLIGHT_NONE) {
		str_addf(&reporter->value, "by the flight recorder, on %s",
			 reasons[about->flight.reason]);
		if (about->flight.expression[0]) {
			str_add(&reporter->value, " matching ");
			str_add_escaped(&reporter->value, about->flight.expression,
					strlen(about->flight.expression), ESCAPE_PLAIN);
		}
	}
	report(reporter, "saved");
	if (about->pack_kind)
		str_addf(&reporter->value, "%s, level %u",
			 about->pack_kind == PACKED_ZSTD ? "zstd" : "unknown method",
			 about->pack_level);
	if (about->pack_kind && about->pack_ratio > 1)
		str_addf(&reporter->value, ", ratio %u", about->pack_ratio);
	report(reporter, "compressed");
	if (about->build_ids)
		str_addf(&reporter->value, "%zu", about->build_ids);
	report(reporter, "build-ids");
}

static void report_event(struct reporter *reporter, const struct recording_info_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	const char *type = event_attributes_type(attr), *clock = event_attributes_clock(attr);
	struct str *value = &reporter->value;

	str_add_escaped(value, event->name, strlen(event->name), ESCAPE_PLAIN);
	if (!event->name[0])
		str_add(value, "(no name)");
	str_addf(value, ": %s 0x%llx, ", type ? type : "dynamic PMU",
		 (unsigned long long)attr->config);
	str_addf(value, attr->freq ? "%llu Hz" : "period %llu",
		 (unsigned long long)attr->sample_period);
	str_addf(value, ", %zu id%s; ", event->ids, event->ids == 1 ? "" : "s");
	event_attributes_add_sample(value, attr, "|");
	str_add(value, "; ");
	event_attributes_add_flags(value, attr, " ");
	if (clock)
		str_addf(value, "; clock %s", clock);
	report(reporter, "event");
}

void recording_report_facts(const struct recording_info *about, const char *path,
			    recording_fact_fn *fact, void *ctx)
{
	struct reporter reporter = { .fact = fact, .ctx = ctx, .value = STR_INIT };

	report_file(&reporter, about, path);
	report_machine(&reporter, about);
	report_times(&reporter, about);
	report_making(&reporter, about);
	for (size_t i = 0; i < about->event_count; i++)
		report_event(&reporter, &about->events[i]);
	str_release(&reporter.value);
}

static void add_line(void *ctx, const char *name, const char *value)
{
	str_addf(ctx, "%-*s %s\n", NAME_COLS, name, value);
}

void recording_report_text(const struct recording_info *about, const char *path, struct str *out)
{
	recording_report_facts(about, path, add_line, out);
}

/* ---- JSON ---- */

static void add_text(struct str *out, const char *name, const char *raw)
{
	struct str escaped = STR_INIT;

	str_addf(out, ",\"%s\":", name);
	if (*raw) {
		str_add_escaped(&escaped, raw, strlen(raw), ESCAPE_PLAIN);
		json_add_string(out, escaped.data);
	} else {
		str_add(out, "null");
	}
	str_release(&escaped);
}

static void add_number(struct str *out, const char *name, uint64_t value)
{
	str_addf(out, ",\"%s\":", name);
	if (value)
		str_addf(out, "%" PRIu64, value);
	else
		str_add(out, "null");
}

static void add_flight(struct str *out, const struct flight_mark *mark)
{
	static const char *const names[FLIGHT_REASON_COUNT] = {
		[FLIGHT_CALL] = "call",
		[FLIGHT_SIGNAL] = "signal",
		[FLIGHT_KEY] = "key",
	};

	str_add(out, ",\"flight\":");
	if (mark->reason == FLIGHT_NONE) {
		str_add(out, "null");
		return;
	}
	str_addf(out, "{\"reason\":\"%s\"", names[mark->reason]);
	add_number(out, "ts", mark->time_ns);
	add_text(out, "expression", mark->expression);
	str_addc(out, '}');
}

static void add_names(struct str *out, const char *name,
		      void (*add)(struct str *out, const struct perf_event_attr *attr,
				  const char *separator),
		      const struct perf_event_attr *attr)
{
	size_t begin;

	str_addf(out, ",\"%s\":[\"", name);
	begin = out->len;
	add(out, attr, "\",\"");
	if (out->len == begin)
		str_cut(out, begin - 1); /* empty list: remove the quote */
	else
		str_addc(out, '"');
	str_addc(out, ']');
}

static void add_event(struct str *out, const struct recording_info_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	const char *clock = event_attributes_clock(attr);

	str_addf(out, "{\"type\":%u,\"config\":%llu", attr->type, (unsigned long long)attr->config);
	add_text(out, "name", event->name);
	str_addf(out, ",\"%s\":%llu,\"ids\":%zu", attr->freq ? "freq" : "period",
		 (unsigned long long)attr->sample_period, event->ids);
	add_names(out, "sample", event_attributes_add_sample, attr);
	add_names(out, "flags", event_attributes_add_flags, attr);
	add_text(out, "clock", clock ? clock : "");
	str_addc(out, '}');
}

void recording_report_json(const struct recording_info *about, const char *path, struct str *out)
{
	str_add(out, "{\"type\":\"recording\"");
	add_text(out, "file", path);
	add_number(out, "bytes", about->bytes);
	add_number(out, "written_s", (uint64_t)about->written_s);
	add_text(out, "host", about->host);
	add_text(out, "release", about->release);
	add_text(out, "arch", about->arch);
	add_text(out, "cpu", about->cpu);
	add_text(out, "cpuid", about->cpuid);
	add_number(out, "cpus", about->cpus);
	add_number(out, "cpus_max", about->cpus_max);
	add_number(out, "memory_kb", about->memory_kb);
	add_text(out, "version", about->version);
	str_addf(out, ",\"own\":%s", about->own ? "true" : "false");
	add_text(out, "cmdline", about->cmdline);
	add_number(out, "first_ts", about->first_ns);
	add_number(out, "last_ts", about->last_ns);
	add_number(out, "wall_ns", about->wall_ns);
	add_number(out, "zstd_level", about->pack_kind == PACKED_ZSTD ? about->pack_level : 0);
	str_addf(out, ",\"build_ids\":%zu", about->build_ids);
	add_flight(out, &about->flight);
	str_add(out, ",\"events\":[");
	for (size_t i = 0; i < about->event_count; i++) {
		str_add(out, i ? "," : "");
		add_event(out, &about->events[i]);
	}
	str_add(out, "]}\n");
}
