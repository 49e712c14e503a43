#include "engine/recording_info.h"

#include "engine/base/mem.h"
#include "engine/recording/read/perfdata_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void take_text(char *out, size_t out_bytes, const char *text)
{
	snprintf(out, out_bytes, "%s", text);
}

static void take_events(struct recording_info *about, const struct perfdata_header *header)
{
	const struct perfdata_header_info *recorded = perfdata_header_recorded(header);

	about->event_count = perfdata_header_event_count(header);
	about->events = mem_zalloc(about->event_count + 1, sizeof(*about->events));
	for (size_t i = 0; i < about->event_count; i++) {
		const struct perfdata_file_event *event = perfdata_header_event(header, i);

		about->events[i] = (struct recording_info_event){
			.name = mem_strdup(i < recorded->event_count ? recorded->events[i] : ""),
			.attr = event->attr,
			.ids = event->id_count,
		};
	}
}

static void take_times(struct recording_info *about, struct perfdata_file *file)
{
	struct perfdata_header *header = perfdata_file_header(file);
	const struct perfdata_header_info *recorded = perfdata_header_recorded(header);
	uint64_t clock_ns, wall_ns;

	about->first_ns = recorded->first_ns ? recorded->first_ns : perfdata_file_first_ns(file);
	about->last_ns = perfdata_header_last_ns(header);
	if (about->first_ns && perfdata_header_clocks(header, &clock_ns, &wall_ns))
		about->wall_ns = wall_ns + about->first_ns - clock_ns;
}

static void take_machine(struct recording_info *about, struct perfdata_header *header)
{
	const struct perfdata_header_info *recorded = perfdata_header_recorded(header);

	take_text(about->host, sizeof(about->host), perfdata_header_hostname(header));
	take_text(about->release, sizeof(about->release), perfdata_header_release(header));
	take_text(about->arch, sizeof(about->arch), perfdata_header_arch(header));
	take_text(about->cpu, sizeof(about->cpu), perfdata_header_cpu_desc(header));
	take_text(about->cpuid, sizeof(about->cpuid), perfdata_header_cpuid(header));
	take_text(about->version, sizeof(about->version), recorded->version);
	about->cpus = recorded->cpus;
	about->cpus_max = recorded->cpus_max;
	about->memory_kb = recorded->memory_kb;
	about->cmdline = mem_strdup(recorded->cmdline.cap ? recorded->cmdline.data : "");
	about->pack_kind = recorded->pack_kind;
	about->pack_level = recorded->pack_level;
	about->pack_ratio = recorded->pack_ratio;
	about->build_ids = perfdata_build_ids_count(perfdata_header_build_ids(header));
}

int recording_info_read(struct recording_info *about, const char *path, int fd, struct err *err)
{
	const struct perfdata_file_options options = { .path = path, .fd = fd };
	const struct perfdata_file_own *own;
	struct perfdata_file *file;
	struct stat stat;
	int rc;

	memset(about, 0, sizeof(*about));
	rc = perfdata_file_open(&file, &options, err);
	if (rc)
		return rc;
	if (!fstat(perfdata_file_fd(file), &stat) && S_ISREG(stat.st_mode)) {
		about->bytes = (uint64_t)stat.st_size;
		about->written_s = stat.st_mtime;
	}
	own = perfdata_file_own(file);
	about->own = own;
	if (own)
		about->flight = own->flight;
	take_machine(about, perfdata_file_header(file));
	take_times(about, file);
	take_events(about, perfdata_file_header(file));
	perfdata_file_close(file);
	return 0;
}

void recording_info_release(struct recording_info *about)
{
	for (size_t i = 0; i < about->event_count; i++)
		free(about->events[i].name);
	free(about->events);
	free(about->cmdline);
	memset(about, 0, sizeof(*about));
}
