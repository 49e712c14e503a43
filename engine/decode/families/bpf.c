/* bpf(2). The attributes are a union: the command determines which members are valid. */
#include "engine/decode/shapes.h"

#include "engine/decode/families/bpf_nested.h"
#include "engine/decode/tables.h"

#include <linux/bpf.h>
#include <string.h>

struct attr {
	struct printer *p;
	const union bpf_attr *attr;
	uint32_t size;
};

/* Print "..." for the bytes after the last shown member, unless they are all zeros. */
static void end_attr(const struct attr *a, size_t shown)
{
	const uint8_t *bytes = (const uint8_t *)a->attr;

	for (size_t i = shown; i < a->size && i < sizeof(*a->attr); i++) {
		if (bytes[i]) {
			PUT(a->p, ", ...");
			break;
		}
	}
	PUT(a->p, "}");
}

static void print_map_create(const struct attr *a)
{
	struct printer *p = a->p;

	PUT(p, "{map_type=");
	print_enum(p, a->attr->map_type, &bpf_map_types);
	str_addf(p->out, ", key_size=%u, value_size=%u, max_entries=%u", a->attr->key_size,
		 a->attr->value_size, a->attr->max_entries);
	if (a->size <= offsetof(union bpf_attr, map_flags)) {
		PUT(p, "}");
		return;
	}
	PUT(p, ", map_flags=");
	show_flags(p, a->attr->map_flags, &bpf_map_flags);
	if (a->size <= offsetof(union bpf_attr, inner_map_fd)) {
		PUT(p, "}");
		return;
	}
	PUT(p, ", inner_map_fd=");
	show_fd(p, a->attr->inner_map_fd, NULL);
	if (a->attr->map_flags & BPF_F_NUMA_NODE)
		str_addf(p->out, ", numa_node=%u", a->attr->numa_node);
	if (a->size <= offsetof(union bpf_attr, map_name)) {
		PUT(p, "}");
		return;
	}
	PUT(p, ", map_name=");
	print_char_array(p, a->attr->map_name, sizeof(a->attr->map_name));
	if (a->size > offsetof(union bpf_attr, map_ifindex)) {
		PUT(p, ", map_ifindex=");
		print_interface(p, a->attr->map_ifindex);
	}
	if (a->size > offsetof(union bpf_attr, btf_fd)) {
		PUT(p, ", btf_fd=");
		show_fd(p, a->attr->btf_fd, NULL);
		str_addf(p->out, ", btf_key_type_id=%u, btf_value_type_id=%u",
			 a->attr->btf_key_type_id, a->attr->btf_value_type_id);
	}
	if (a->size > offsetof(union bpf_attr, btf_vmlinux_value_type_id))
		str_addf(p->out, ", btf_vmlinux_value_type_id=%u",
			 a->attr->btf_vmlinux_value_type_id);
	if (a->size > offsetof(union bpf_attr, map_extra))
		str_addf(p->out, ", map_extra=%llu", (unsigned long long)a->attr->map_extra);
	end_attr(a, offsetof(union bpf_attr, map_extra) + 8);
}

static void print_map_element(const struct attr *a, uint32_t command)
{
	struct printer *p = a->p;

	PUT(p, "{map_fd=");
	show_fd(p, a->attr->map_fd, NULL);
	PUT(p, ", key=");
	show_pointer(p, a->attr->key, NULL);
	if (command == BPF_MAP_DELETE_ELEM) {
		end_attr(a, offsetof(union bpf_attr, value));
		return;
	}
	str_add(p->out, command == BPF_MAP_GET_NEXT_KEY ? ", next_key=" : ", value=");
	show_pointer(p, a->attr->value, NULL);
	if (command == BPF_MAP_UPDATE_ELEM) {
		PUT(p, ", flags=");
		print_enum(p, a->attr->flags, &bpf_update_flags);
		end_attr(a, offsetof(union bpf_attr, flags) + 8);
	} else if (command != BPF_MAP_GET_NEXT_KEY && a->size > offsetof(union bpf_attr, flags)) {
		PUT(p, ", flags=");
		show_flags_long(p, a->attr->flags, &bpf_lookup_flags);
		end_attr(a, offsetof(union bpf_attr, flags) + 8);
	} else {
		end_attr(a, offsetof(union bpf_attr, flags));
	}
}

static void print_program_load(const struct attr *a)
{
	struct printer *p = a->p;
	uint32_t version = a->attr->kern_version;

	PUT(p, "{prog_type=");
	print_enum(p, a->attr->prog_type, &bpf_program_types);
	str_addf(p->out, ", insn_cnt=%u, insns=", a->attr->insn_cnt);
	show_pointer(p, a->attr->insns, NULL);
	PUT(p, ", license=");
	show_string(p, a->attr->license, NULL);
	if (a->size > offsetof(union bpf_attr, log_level)) {
		str_addf(p->out, ", log_level=%u, log_size=%u, log_buf=", a->attr->log_level,
			 a->attr->log_size);
		if (a->attr->log_buf && !a->attr->log_size)
			PUT(p, "\"\"");
		else
			show_string(p, a->attr->log_buf, NULL);
	}
	if (a->size > offsetof(union bpf_attr, kern_version))
		str_addf(p->out, ", kern_version=KERNEL_VERSION(%u, %u, %u)", version >> 16,
			 version >> 8 & 0xff, version & 0xff);
	if (a->size > offsetof(union bpf_attr, prog_flags)) {
		PUT(p, ", prog_flags=");
		show_flags(p, a->attr->prog_flags, &bpf_program_flags);
	}
	if (a->size > offsetof(union bpf_attr, prog_name)) {
		PUT(p, ", prog_name=");
		print_char_array(p, a->attr->prog_name, sizeof(a->attr->prog_name));
		PUT(p, ", prog_ifindex=");
		print_interface(p, a->attr->prog_ifindex);
	}
	if (a->size > offsetof(union bpf_attr, expected_attach_type)) {
		PUT(p, ", expected_attach_type=");
		print_enum(p, a->attr->expected_attach_type, &bpf_attach_types);
	}
	if (a->size > offsetof(union bpf_attr, prog_btf_fd)) {
		PUT(p, ", prog_btf_fd=");
		show_fd(p, a->attr->prog_btf_fd, NULL);
		str_addf(p->out,
			 ", func_info_rec_size=%u, func_info=", a->attr->func_info_rec_size);
		show_pointer(p, a->attr->func_info, NULL);
		str_addf(p->out, ", func_info_cnt=%u, line_info_rec_size=%u, line_info=",
			 a->attr->func_info_cnt, a->attr->line_info_rec_size);
		show_pointer(p, a->attr->line_info, NULL);
		str_addf(p->out, ", line_info_cnt=%u", a->attr->line_info_cnt);
	}
	if (a->size > offsetof(union bpf_attr, attach_btf_id)) {
		str_addf(p->out, ", attach_btf_id=%u, attach_prog_fd=", a->attr->attach_btf_id);
		show_fd(p, a->attr->attach_prog_fd, NULL);
	}
	if (a->size > offsetof(union bpf_attr, fd_array)) {
		PUT(p, ", fd_array=");
		show_pointer(p, a->attr->fd_array, NULL);
	}
	end_attr(a, offsetof(union bpf_attr, fd_array) + 8);
}

static void print_object(const struct attr *a)
{
	struct printer *p = a->p;

	PUT(p, "{pathname=");
	show_path(p, a->attr->pathname, NULL);
	PUT(p, ", bpf_fd=");
	show_fd(p, a->attr->bpf_fd, NULL);
	if (a->size > offsetof(union bpf_attr, file_flags)) {
		PUT(p, ", file_flags=");
		show_flags(p, a->attr->file_flags, &bpf_file_flags);
	}
	end_attr(a, offsetof(union bpf_attr, file_flags) + 4);
}

static void print_attach(const struct attr *a, bool attach)
{
	struct printer *p = a->p;

	PUT(p, "{target_fd=");
	show_fd(p, a->attr->target_fd, NULL);
	if (attach) {
		PUT(p, ", attach_bpf_fd=");
		show_fd(p, a->attr->attach_bpf_fd, NULL);
	}
	PUT(p, ", attach_type=");
	print_enum(p, a->attr->attach_type, &bpf_attach_types);
	if (!attach) {
		end_attr(a, offsetof(union bpf_attr, attach_flags));
		return;
	}
	PUT(p, ", attach_flags=");
	show_flags(p, a->attr->attach_flags, &bpf_attach_flags);
	if (a->size > offsetof(union bpf_attr, replace_bpf_fd)) {
		PUT(p, ", replace_bpf_fd=");
		show_fd(p, a->attr->replace_bpf_fd, NULL);
	}
	end_attr(a, offsetof(union bpf_attr, replace_bpf_fd) + 4);
}

static void print_by_id(const struct attr *a, const char *name)
{
	struct printer *p = a->p;

	str_addf(p->out, "{%s=%u, next_id=%u", name, a->attr->start_id, a->attr->next_id);
	if (a->size > offsetof(union bpf_attr, open_flags)) {
		PUT(p, ", open_flags=");
		show_flags(p, a->attr->open_flags, &bpf_file_flags);
	}
	end_attr(a, offsetof(union bpf_attr, open_flags) + 4);
}

static void print_info(const struct attr *a)
{
	struct printer *p = a->p;

	PUT(p, "{info={bpf_fd=");
	show_fd(p, a->attr->info.bpf_fd, NULL);
	str_addf(p->out, ", info_len=%u, info=", a->attr->info.info_len);
	show_pointer(p, a->attr->info.info, NULL);
	PUT(p, "}");
	end_attr(a, 16);
}

static void print_raw_tracepoint(const struct attr *a)
{
	struct printer *p = a->p;

	PUT(p, "{raw_tracepoint={name=");
	show_string(p, a->attr->raw_tracepoint.name, NULL);
	PUT(p, ", prog_fd=");
	show_fd(p, a->attr->raw_tracepoint.prog_fd, NULL);
	PUT(p, "}");
	end_attr(a, 12);
}

static void print_btf_load(const struct attr *a)
{
	struct printer *p = a->p;

	PUT(p, "{btf=");
	print_buffer(p, a->attr->btf, a->attr->btf_size);
	PUT(p, ", btf_log_buf=");
	show_pointer(p, a->attr->btf_log_buf, NULL);
	str_addf(p->out, ", btf_size=%u, btf_log_size=%u, btf_log_level=%u", a->attr->btf_size,
		 a->attr->btf_log_size, a->attr->btf_log_level);
	end_attr(a, offsetof(union bpf_attr, btf_log_level) + 4);
}

static void print_probes(const struct attr *a)
{
	struct printer *p = a->p;

	PUT(p, ", kprobe_multi={flags=");
	show_flags(p, a->attr->link_create.kprobe_multi.flags, &bpf_probe_flags);
	str_addf(p->out, ", cnt=%u, syms=", a->attr->link_create.kprobe_multi.cnt);
	show_pointer(p, a->attr->link_create.kprobe_multi.syms, NULL);
	PUT(p, ", addrs=");
	show_pointer(p, a->attr->link_create.kprobe_multi.addrs, NULL);
	PUT(p, ", cookies=");
	show_pointer(p, a->attr->link_create.kprobe_multi.cookies, NULL);
	PUT(p, "}}");
}

static void print_link_create(const struct attr *a)
{
	struct printer *p = a->p;

	PUT(p, "{link_create={prog_fd=");
	show_fd(p, a->attr->link_create.prog_fd, NULL);
	PUT(p, ", target_fd=");
	show_fd(p, a->attr->link_create.target_fd, NULL);
	PUT(p, ", attach_type=");
	print_enum(p, a->attr->link_create.attach_type, &bpf_attach_types);
	PUT(p, ", flags=");
	show_hex(p, a->attr->link_create.flags, NULL);
	switch (a->size > 16 ? a->attr->link_create.attach_type : 0) {
	case BPF_TRACE_ITER:
		PUT(p, ", iter_info=");
		show_pointer(p, a->attr->link_create.iter_info, NULL);
		str_addf(p->out, ", iter_info_len=%u}", a->attr->link_create.iter_info_len);
		end_attr(a, 28);
		break;
	case BPF_PERF_EVENT:
		PUT(p, ", perf_event={bpf_cookie=");
		str_addx(p->out, a->attr->link_create.perf_event.bpf_cookie);
		PUT(p, "}}");
		end_attr(a, 24);
		break;
	case BPF_TRACE_KPROBE_MULTI:
		print_probes(a);
		end_attr(a, 48);
		break;
	default:
		PUT(p, "}");
		end_attr(a, 16);
		break;
	}
}

static void show_attr(struct printer *p, uint64_t value, const void *data)
{
	uint32_t command = (uint32_t)p->call->args[0];
	uint64_t size = (uint32_t)p->call->args[2];
	union bpf_attr attr;
	struct attr a = { p, &attr, (uint32_t)size };
	size_t shown;

	(void)data;
	memset(&attr, 0, sizeof(attr));
	if (!size || size > 4096 ||
	    !printer_read(p, value, &attr, size < sizeof(attr) ? size : sizeof(attr))) {
		show_pointer(p, value, NULL);
		return;
	}
	switch (command) {
	case BPF_MAP_CREATE:
		print_map_create(&a);
		break;
	case BPF_MAP_LOOKUP_ELEM:
	case BPF_MAP_UPDATE_ELEM:
	case BPF_MAP_DELETE_ELEM:
	case BPF_MAP_GET_NEXT_KEY:
	case BPF_MAP_LOOKUP_AND_DELETE_ELEM:
		print_map_element(&a, command);
		break;
	case BPF_PROG_LOAD:
		print_program_load(&a);
		break;
	case BPF_OBJ_PIN:
	case BPF_OBJ_GET:
		print_object(&a);
		break;
	case BPF_PROG_ATTACH:
	case BPF_PROG_DETACH:
		print_attach(&a, command == BPF_PROG_ATTACH);
		break;
	case BPF_PROG_GET_NEXT_ID:
	case BPF_MAP_GET_NEXT_ID:
	case BPF_BTF_GET_NEXT_ID:
	case BPF_LINK_GET_NEXT_ID:
		print_by_id(&a, "start_id");
		break;
	case BPF_PROG_GET_FD_BY_ID:
		print_by_id(&a, "prog_id");
		break;
	case BPF_MAP_GET_FD_BY_ID:
		print_by_id(&a, "map_id");
		break;
	case BPF_BTF_GET_FD_BY_ID:
		str_addf(p->out, "{btf_id=%u", attr.btf_id);
		end_attr(&a, 4);
		break;
	case BPF_LINK_GET_FD_BY_ID:
		str_addf(p->out, "{link_id=%u", attr.link_id);
		end_attr(&a, 4);
		break;
	case BPF_OBJ_GET_INFO_BY_FD:
		print_info(&a);
		break;
	case BPF_RAW_TRACEPOINT_OPEN:
		print_raw_tracepoint(&a);
		break;
	case BPF_BTF_LOAD:
		print_btf_load(&a);
		break;
	case BPF_LINK_CREATE:
		print_link_create(&a);
		break;
	case BPF_MAP_FREEZE:
		PUT(p, "{map_fd=");
		show_fd(p, attr.map_fd, NULL);
		end_attr(&a, 4);
		break;
	default:
		shown = print_bpf_nested(p, command, &attr, a.size);
		if (shown)
			end_attr(&a, shown);
		else
			show_pointer(p, value, NULL);
		break;
	}
}

static void bpf_result(struct printer *p)
{
	str_addd(p->out, p->call->ret);
}

static const struct call_form bpf_forms[] = {
	{ .name = "bpf",
	  .classes = DESC,
	  .prototype = "int cmd, union bpf_attr * uattr, unsigned int size",
	  .args = { [0] = ENUM(bpf_commands), [1] = SHOW(show_attr) },
	  .result = bpf_result },
};

CALL_FAMILY(bpf);
