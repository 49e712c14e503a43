/* perf_event_open(2). */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/perf_event.h>
#include <string.h>

static void print_config(struct printer *p, const struct perf_event_attr *attr)
{
	PUT(p, ", config=");
	if (attr->type == PERF_TYPE_HARDWARE) {
		/* With several kinds of CPUs (hybrid), the upper half is the type of the PMU. */
		if (attr->config >> 32) {
			str_addx(p->out, attr->config >> 32);
			PUT(p, "<<32|");
		}
		print_enum(p, (uint32_t)attr->config, &perf_hardware_events);
	} else if (attr->type == PERF_TYPE_SOFTWARE) {
		print_enum(p, attr->config, &perf_software_events);
	} else if (attr->type == PERF_TYPE_TRACEPOINT) {
		str_addu(p->out, attr->config);
	} else {
		show_hex_long(p, attr->config, NULL);
	}
}

static const char *const precisions[] = {
	"arbitrary skid",
	"constant skid",
	"requested to have 0 skid",
	"must have 0 skid",
};

static void show_attr(struct printer *p, uint64_t value, const void *data)
{
	struct perf_event_attr attr;
	uint32_t head[2], size;

	(void)data;
	memset(&attr, 0, sizeof(attr));
	if (!printer_read(p, value, head, sizeof(head))) {
		show_pointer(p, value, NULL);
		return;
	}
	size = head[1] ? head[1] : PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 ||
	    !printer_read(p, value, &attr, size < sizeof(attr) ? size : sizeof(attr))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{type=");
	print_enum(p, attr.type, &perf_types);
	PUT(p, ", size=");
	if (head[1] == PERF_ATTR_SIZE_VER0)
		PUT(p, "PERF_ATTR_SIZE_VER0");
	else
		print_enum(p, attr.size, &perf_attr_sizes);
	print_config(p, &attr);
	if (attr.freq)
		str_addf(p->out, ", sample_freq=%llu", (unsigned long long)attr.sample_freq);
	else
		str_addf(p->out, ", sample_period=%llu", (unsigned long long)attr.sample_period);
	PUT(p, ", sample_type=");
	show_flags_long(p, attr.sample_type, &perf_sample_fields);
	PUT(p, ", read_format=");
	show_flags_long(p, attr.read_format, &perf_read_formats);
#define BIT(name) \
	do { \
		if (attr.name) \
			PUT(p, ", " #name "=1"); \
	} while (0)
	BIT(disabled);
	BIT(inherit);
	BIT(pinned);
	BIT(exclusive);
	BIT(exclude_user);
	BIT(exclude_kernel);
	BIT(exclude_hv);
	BIT(exclude_idle);
	BIT(mmap);
	BIT(comm);
	BIT(freq);
	BIT(inherit_stat);
	BIT(enable_on_exec);
	BIT(task);
	BIT(watermark);
#undef BIT
	PUT(p, ", precise_ip=");
	str_addu(p->out, attr.precise_ip);
	print_comment(p, precisions[attr.precise_ip]);
#define BIT(name) \
	do { \
		if (attr.name) \
			PUT(p, ", " #name "=1"); \
	} while (0)
	BIT(mmap_data);
	BIT(sample_id_all);
	BIT(exclude_host);
	BIT(exclude_guest);
	BIT(exclude_callchain_kernel);
	BIT(exclude_callchain_user);
	BIT(mmap2);
	BIT(comm_exec);
	BIT(use_clockid);
	BIT(context_switch);
	BIT(write_backward);
	BIT(namespaces);
	BIT(ksymbol);
	BIT(bpf_event);
	BIT(aux_output);
	BIT(cgroup);
	BIT(text_poke);
	BIT(build_id);
	BIT(inherit_thread);
	BIT(remove_on_exec);
	BIT(sigtrap);
#undef BIT
	PUT(p, ", ...}");
}

static const struct call_form perf_forms[] = {
	{ .name = "perf_event_open",
	  .classes = DESC,
	  .prototype = "struct perf_event_attr * attr_uptr, pid_t pid, int cpu, int group_fd, "
		       "unsigned long flags",
	  .args = { [0] = SHOW(show_attr), [4] = FLAGS_LONG(perf_open_flags) },
	  .result = result_fd },
};

CALL_FAMILY(perf);
