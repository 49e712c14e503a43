#include "engine/recorder/perfdata_sections.h"

#include "engine/recording/perfdata_ext.h"

#include <string.h>
#include <time.h>

#define TEXT_ALIGN 64 /* NAME_ALIGN of perf */
#define ATTR_BYTES PERF_ATTR_SIZE_VER5

static void add32(struct str *out, uint32_t value)
{
	str_addn(out, (const char *)&value, sizeof(value));
}

static void add64(struct str *out, uint64_t value)
{
	str_addn(out, (const char *)&value, sizeof(value));
}

void perfdata_sections_text(struct str *out, const char *text)
{
	size_t len = strlen(text) + 1;
	size_t padded = (len + TEXT_ALIGN - 1) / TEXT_ALIGN * TEXT_ALIGN;

	add32(out, (uint32_t)padded);
	str_addn(out, text, len);
	str_repeat(out, '\0', padded - len);
}

void perfdata_sections_cpus(struct str *out, const struct perfdata_machine *machine)
{
	add32(out, machine->cpus_max);
	add32(out, machine->cpus);
}

void perfdata_sections_cmdline(struct str *out, const char *const *argv)
{
	uint32_t count = 0;

	while (argv[count])
		count++;
	add32(out, count);
	for (uint32_t i = 0; i < count; i++)
		perfdata_sections_text(out, argv[i]);
}

void perfdata_sections_events(struct str *out, const struct perf_section_event *events,
			      size_t count)
{
	add32(out, (uint32_t)count);
	add32(out, ATTR_BYTES);
	for (size_t i = 0; i < count; i++) {
		str_addn(out, (const char *)&events[i].attr, ATTR_BYTES);
		add32(out, PERFDATA_EXT_VARIANTS);
		perfdata_sections_text(out, events[i].name);
		for (uint64_t j = 0; j < PERFDATA_EXT_VARIANTS; j++)
			add64(out, events[i].first_id + j);
	}
}

void perfdata_sections_clock(struct str *out, const struct perfdata_machine *machine, bool both)
{
	if (!both) {
		add64(out, 1); /* nanoseconds */
		return;
	}
	add32(out, 1); /* version */
	add32(out, CLOCK_MONOTONIC);
	add64(out, machine->wall_ns);
	add64(out, machine->clock_ns);
}

void perfdata_sections_compressed(struct str *out, int level, uint32_t bytes)
{
	add32(out, 1); /* version */
	add32(out, 1); /* zstd */
	add32(out, (uint32_t)level);
	add32(out, 1); /* ratio */
	add32(out, bytes);
}

static void add_file(struct str *out, const char *text, size_t len)
{
	add64(out, len);
	str_addn(out, text, len);
}

static bool same_system(const struct perfdata_machine_format *a,
			const struct perfdata_machine_format *b)
{
	return !strcmp(a->system, b->system);
}

static bool is_first_of_system(const struct perfdata_machine_format *const *formats, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (same_system(formats[i], formats[index]))
			return false;
	return true;
}

static void add_system(struct str *out, const struct perfdata_machine_format *const *formats,
		       size_t count, size_t first)
{
	uint32_t members = 0;

	for (size_t i = first; i < count; i++)
		members += same_system(formats[i], formats[first]);
	str_addn(out, formats[first]->system, strlen(formats[first]->system) + 1);
	add32(out, members);
	for (size_t i = first; i < count; i++)
		if (same_system(formats[i], formats[first]))
			add_file(out, formats[i]->text, formats[i]->len);
}

#define CALL_FORMATS 3

static bool is_known(const struct perfdata_machine_format *const *formats, size_t count,
		     uint64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (formats[i]->id == id)
			return true;
	return false;
}

static void add_formats(struct str *out, const struct perfdata_machine *machine,
			const struct perfdata_machine_format *others, size_t count)
{
	const struct perfdata_machine_format *formats[CALL_FORMATS + PERF_SECTION_FORMATS_MAX] = {
		&machine->enter,
		&machine->exit,
		&machine->waking,
	};
	size_t known = CALL_FORMATS;
	uint32_t systems = 0;

	for (size_t i = 0; i < count && i < PERF_SECTION_FORMATS_MAX; i++)
		if (!is_known(formats, known, others[i].id))
			formats[known++] = &others[i];
	for (size_t i = 0; i < known; i++)
		systems += is_first_of_system(formats, i);
	add32(out, systems);
	for (size_t i = 0; i < known; i++)
		if (is_first_of_system(formats, i))
			add_system(out, formats, known, i);
}

void perfdata_sections_tracing(struct str *out, const struct perfdata_machine *machine,
			       const struct perfdata_machine_format *others, size_t count)
{
	static const char magic[] = "\027\010\104tracing0.6";

	str_addn(out, magic, sizeof(magic));
	str_addc(out, 0); /* little-endian */
	str_addc(out, sizeof(long));
	add32(out, machine->page_bytes);
	str_addn(out, "header_page", sizeof("header_page"));
	add_file(out, machine->header_page, strlen(machine->header_page));
	str_addn(out, "header_event", sizeof("header_event"));
	add_file(out, machine->header_event, strlen(machine->header_event));
	add32(out, 0); /* number of formats of ftrace's own events */
	add_formats(out, machine, others, count);
	add32(out, 0); /* no kallsyms: perf reads them where it reads other symbols */
	add32(out, (uint32_t)strlen(machine->printk));
	str_add(out, machine->printk);
	add64(out, 0); /* size of the names of tasks: none */
}
