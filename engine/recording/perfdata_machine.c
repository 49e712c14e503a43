#include "engine/recording/perfdata_machine.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/str.h"
#include "engine/process/online_cpus.h"
#include "engine/source/tracefs.h"
#include "engine/source/tracepoint.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define TEXT_BYTES_MAX ((size_t)8 << 20)
#define NOTE_BUILD_ID 3 /* NT_GNU_BUILD_ID */

/* Ids that no kernel tracepoint has; used if the real ids are unreadable. */
enum { UNKNOWN_ENTER = 65001, UNKNOWN_EXIT, UNKNOWN_WAKING };

/* -- Reading ------------------------------------------------------------------------- */

static void read_text(struct str *text, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char chunk[16384];
	ssize_t got;

	if (fd < 0)
		return;
	do {
		got = read(fd, chunk, sizeof(chunk));
		if (got > 0)
			str_addn(text, chunk, (size_t)got);
	} while ((got > 0 && text->len < TEXT_BYTES_MAX) || (got < 0 && errno == EINTR));
	close(fd);
}

static char *text_below(const char *folder, const char *name)
{
	struct str text = STR_INIT;
	char path[PATH_MAX];

	if (folder[0] && (size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) < sizeof(path))
		read_text(&text, path);
	return str_steal(&text);
}

/* Find _text and _etext. The file has about 200,000 lines, so do not store it whole. */
static void find_text(struct perfdata_machine *machine)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[512], name[8], type;
	uint64_t address;

	if (!file)
		return;
	while (!machine->kernel_end && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNx64 " %c %7s", &address, &type, name) != 3)
			continue;
		if (!strcmp(name, "_text"))
			machine->kernel_text = address;
		else if (!strcmp(name, "_etext"))
			machine->kernel_end = address;
	}
	fclose(file);
}

/* Read the first processor of /proc/cpuinfo; perf's cpuid consists of these numbers. */
static void find_cpu(struct perfdata_machine *machine)
{
	char line[256], vendor[32] = "";
	unsigned family = 0, model = 0, stepping = 0;
	FILE *file = fopen("/proc/cpuinfo", "re");

	if (!file)
		return;
	while (fgets(line, sizeof(line), file) && line[0] != '\n') {
		sscanf(line, "vendor_id : %31s", vendor);
		sscanf(line, "cpu family : %u", &family);
		sscanf(line, "model : %u", &model);
		sscanf(line, "stepping : %u", &stepping);
		sscanf(line, "model name : %127[^\n]", machine->cpu_desc);
	}
	fclose(file);
	if (vendor[0])
		snprintf(machine->cpuid, sizeof(machine->cpuid), "%s,%u,%u,%u", vendor, family,
			 model, stepping);
}

static void find_kernel_id(struct perfdata_machine *machine)
{
	struct str notes = STR_INIT;
	size_t at = 0;

	read_text(&notes, "/sys/kernel/notes");
	while (notes.len - at >= 12) {
		uint32_t head[3]; /* bytes of the name, bytes of the contents, type */
		size_t name, contents;

		memcpy(head, notes.data + at, sizeof(head));
		name = ((size_t)head[0] + 3) & ~(size_t)3;
		contents = ((size_t)head[1] + 3) & ~(size_t)3;
		at += sizeof(head);
		if (name > notes.len - at || contents > notes.len - at - name)
			break;
		if (head[2] == NOTE_BUILD_ID && head[0] == 4 &&
		    !memcmp(notes.data + at, "GNU", 4) && head[1] <= sizeof(machine->kernel_id)) {
			memcpy(machine->kernel_id, notes.data + at + name, head[1]);
			machine->kernel_id_bytes = head[1];
			break;
		}
		at += name + contents;
	}
	str_release(&notes);
}

/* -- Tracepoints of calls, whose samples stxtop writes -------------------------------- */

static const char common_fields[] =
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

static const char enter_fields[] =
	"\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\n"
	"print fmt: \"NR %ld (%lx, %lx, %lx, %lx, %lx, %lx)\", REC->id, REC->args[0], "
	"REC->args[1], REC->args[2], REC->args[3], REC->args[4], REC->args[5]\n";

static const char exit_fields[] = "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\n"
				  "print fmt: \"NR %ld = %ld\", REC->id, REC->ret\n";

static const char waking_fields[] =
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, REC->prio, "
	"REC->target_cpu\n";

/* Substitute for header_page of tracefs. perf requires it and reads the size of a long from it. */
static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";
static const char header_event[] = "# compressed entry header\n";

static char *or_else(char *take_text, const char *otherwise)
{
	if (take_text[0])
		return take_text;
	free(take_text);
	return mem_strdup(otherwise);
}

static void make_format(struct perfdata_machine_format *format, const char *system,
			const char *name, uint64_t id, const char *fields)
{
	struct str text = STR_INIT;

	str_addf(&text, "name: %s\nID: %" PRIu64 "\n%s%s", name, id, common_fields, fields);
	format->system = mem_strdup(system);
	format->id = id;
	format->len = text.len;
	format->text = str_steal(&text);
}

static uint64_t read_id(const char *tracefs, const char *system, const char *name,
			uint64_t otherwise)
{
	uint64_t id = otherwise;
	char *text;

	if (!tracefs[0] || tracefs_read(tracefs, system, name, "id", &text, NULL, NULL))
		return otherwise;
	if (sscanf(text, "%" SCNu64, &id) != 1)
		id = otherwise;
	free(text);
	return id;
}

/* Use the kernel's format if it is readable: wakings are stored with the kernel's raw bytes. */
static void read_waking(struct perfdata_machine *machine, const char *tracefs)
{
	struct perfdata_machine_format *format = &machine->waking;
	uint64_t id = read_id(tracefs, "sched", "sched_waking", 0);

	if (id && !tracefs_read(tracefs, "sched", "sched_waking", "format", &format->text,
				&format->len, NULL)) {
		format->system = mem_strdup("sched");
		format->id = id;
		return;
	}
	make_format(format, "sched", "sched_waking", UNKNOWN_WAKING, waking_fields);
}

void perfdata_machine_read(struct perfdata_machine *machine)
{
	char tracefs[PATH_MAX], events[PATH_MAX + 8];
	struct timespec wall;
	struct utsname name;

	memset(machine, 0, sizeof(*machine));
	if (!uname(&name)) {
		snprintf(machine->hostname, sizeof(machine->hostname), "%s", name.nodename);
		snprintf(machine->release, sizeof(machine->release), "%s", name.release);
		snprintf(machine->arch, sizeof(machine->arch), "%s", name.machine);
	}
	machine->cpus = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	machine->cpus_max = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
	machine->page_bytes = (uint32_t)sysconf(_SC_PAGESIZE);
	clock_gettime(CLOCK_REALTIME, &wall);
	machine->clock_ns = clock_now_ns();
	machine->wall_ns = (uint64_t)wall.tv_sec * NS_PER_S + (uint64_t)wall.tv_nsec;
	if (tracefs_find(tracefs, sizeof(tracefs), NULL))
		tracefs[0] = '\0';
	snprintf(events, sizeof(events), tracefs[0] ? "%s/events" : "%s", tracefs);
	machine->header_page = or_else(text_below(events, "header_page"), header_page);
	machine->header_event = or_else(text_below(events, "header_event"), header_event);
	machine->printk = text_below(tracefs, "printk_formats");
	make_format(&machine->enter, "raw_syscalls", "sys_enter",
		    read_id(tracefs, "raw_syscalls", "sys_enter", UNKNOWN_ENTER), enter_fields);
	make_format(&machine->exit, "raw_syscalls", "sys_exit",
		    read_id(tracefs, "raw_syscalls", "sys_exit", UNKNOWN_EXIT), exit_fields);
	read_waking(machine, tracefs);
	find_cpu(machine);
	find_text(machine);
	find_kernel_id(machine);
	machine->modules = text_below("/proc", "modules");
}

/*
 * text: copy the tracepoint's format from the recording. Otherwise use its id with `fields`, as
 * stxtop writes these samples itself.
 */
static void format_from(struct perfdata_machine_format *format,
			const struct perfdata_header *header, const char *system, const char *name,
			bool text, uint64_t otherwise, const char *fields)
{
	for (size_t i = 0; i < perfdata_header_format_count(header); i++) {
		const struct perfdata_file_format *from = perfdata_header_format(header, i);
		struct tracepoint *tracepoint;
		bool same;

		if (strcmp(from->system, system) != 0 ||
		    tracepoint_parse(&tracepoint, system, from->text, from->len, NULL))
			continue;
		same = !strcmp(tracepoint_name(tracepoint), name);
		if (same)
			otherwise = tracepoint_id(tracepoint);
		tracepoint_free(tracepoint);
		if (!same || !text)
			continue;
		format->system = mem_strdup(system);
		format->text = mem_alloc(from->len + 1);
		memcpy(format->text, from->text, from->len);
		format->text[from->len] = '\0';
		format->len = from->len;
		format->id = otherwise;
		return;
	}
	make_format(format, system, name, otherwise, fields);
}

void perfdata_machine_from_header(struct perfdata_machine *machine, struct perfdata_header *header)
{
	const uint8_t *id;
	uint32_t bytes;

	memset(machine, 0, sizeof(*machine));
	snprintf(machine->hostname, sizeof(machine->hostname), "%s",
		 perfdata_header_hostname(header));
	snprintf(machine->release, sizeof(machine->release), "%s", perfdata_header_release(header));
	snprintf(machine->arch, sizeof(machine->arch), "x86_64");
	snprintf(machine->cpu_desc, sizeof(machine->cpu_desc), "%s",
		 perfdata_header_cpu_desc(header));
	snprintf(machine->cpuid, sizeof(machine->cpuid), "%s", perfdata_header_cpuid(header));
	machine->cpus = machine->cpus_max = perfdata_header_cpus(header);
	perfdata_header_clocks(header, &machine->clock_ns, &machine->wall_ns);
	machine->page_bytes = 4096;
	machine->header_page = mem_strdup(header_page);
	machine->header_event = mem_strdup(header_event);
	machine->printk = mem_strdup("");
	machine->modules = mem_strdup("");
	format_from(&machine->enter, header, "raw_syscalls", "sys_enter", false, UNKNOWN_ENTER,
		    enter_fields);
	format_from(&machine->exit, header, "raw_syscalls", "sys_exit", false, UNKNOWN_EXIT,
		    exit_fields);
	format_from(&machine->waking, header, "sched", "sched_waking", true, UNKNOWN_WAKING,
		    waking_fields);
	id = perfdata_build_ids_find(perfdata_header_build_ids(header), PERFDATA_BUILD_IDS_KERNEL,
				     &bytes);
	if (id) {
		memcpy(machine->kernel_id, id, bytes);
		machine->kernel_id_bytes = bytes;
	}
}

static void release_format(struct perfdata_machine_format *format)
{
	free(format->system);
	free(format->text);
}

void perfdata_machine_release(struct perfdata_machine *machine)
{
	release_format(&machine->enter);
	release_format(&machine->exit);
	release_format(&machine->waking);
	free(machine->header_page);
	free(machine->header_event);
	free(machine->printk);
	free(machine->modules);
	memset(machine, 0, sizeof(*machine));
}
