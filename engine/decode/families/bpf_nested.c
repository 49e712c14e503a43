#include "engine/decode/families/bpf_nested.h"

#include "engine/decode/struct_layout.h"
#include "engine/decode/tables.h"

#include <linux/bpf.h>

#define ATTR_MEMBER(text, member, fn, thing) \
	{ \
		.name = (text), .offset = offsetof(union bpf_attr, member), \
		.bytes = sizeof(((union bpf_attr *)0)->member), .show = (fn), .data = (thing) \
	}
#define NESTED(id, ...) \
	static const struct field id##_fields[] = { __VA_ARGS__ }; \
	static const struct layout id = { sizeof(union bpf_attr), \
					  sizeof(id##_fields) / sizeof(id##_fields[0]), \
					  id##_fields, false }
#define END_OF(member) (offsetof(union bpf_attr, member) + sizeof(((union bpf_attr *)0)->member))

#define BATCH_BUFFERS \
	ATTR_MEMBER("keys", batch.keys, show_pointer, NULL), \
		ATTR_MEMBER("values", batch.values, show_pointer, NULL)
#define BATCH_REST \
	ATTR_MEMBER("count", batch.count, show_unsigned, NULL), \
		ATTR_MEMBER("map_fd", batch.map_fd, show_fd, NULL), \
		ATTR_MEMBER("elem_flags", batch.elem_flags, show_flags_long, &bpf_batch_flags), \
		ATTR_MEMBER("flags", batch.flags, show_hex_long, NULL)

NESTED(lookup_batch, ATTR_MEMBER("in_batch", batch.in_batch, show_pointer, NULL),
       ATTR_MEMBER("out_batch", batch.out_batch, show_pointer, NULL), BATCH_BUFFERS, BATCH_REST);
NESTED(update_batch, BATCH_BUFFERS, BATCH_REST);
NESTED(delete_batch, ATTR_MEMBER("keys", batch.keys, show_pointer, NULL), BATCH_REST);

#define TEST_FIRST \
	ATTR_MEMBER("prog_fd", test.prog_fd, show_fd, NULL), \
		ATTR_MEMBER("retval", test.retval, show_unsigned, NULL), \
		ATTR_MEMBER("data_size_in", test.data_size_in, show_unsigned, NULL), \
		ATTR_MEMBER("data_size_out", test.data_size_out, show_unsigned, NULL), \
		ATTR_MEMBER("data_in", test.data_in, show_pointer, NULL), \
		ATTR_MEMBER("data_out", test.data_out, show_pointer, NULL), \
		ATTR_MEMBER("repeat", test.repeat, show_unsigned, NULL), \
		ATTR_MEMBER("duration", test.duration, show_unsigned, NULL)
#define TEST_CONTEXT \
	ATTR_MEMBER("ctx_size_in", test.ctx_size_in, show_unsigned, NULL), \
		ATTR_MEMBER("ctx_size_out", test.ctx_size_out, show_unsigned, NULL), \
		ATTR_MEMBER("ctx_in", test.ctx_in, show_pointer, NULL), \
		ATTR_MEMBER("ctx_out", test.ctx_out, show_pointer, NULL)

/* Attributes of BPF_PROG_TEST_RUN as of Linux 5.1, 5.2 and 5.10. */
NESTED(test_run_first, TEST_FIRST);
NESTED(test_run_context, TEST_FIRST, TEST_CONTEXT);
NESTED(test_run, TEST_FIRST, TEST_CONTEXT,
       ATTR_MEMBER("flags", test.flags, show_flags, &bpf_test_flags),
       ATTR_MEMBER("cpu", test.cpu, show_unsigned, NULL),
       ATTR_MEMBER("batch_size", test.batch_size, show_unsigned, NULL));

/* clang-format off */
NESTED(query,
	ATTR_MEMBER("target_fd", query.target_fd, show_fd, NULL),
	ATTR_MEMBER("attach_type", query.attach_type, show_enum, &bpf_attach_types),
	ATTR_MEMBER("query_flags", query.query_flags, show_flags, &bpf_query_flags),
	ATTR_MEMBER("attach_flags", query.attach_flags, show_flags, &bpf_attach_flags),
	ATTR_MEMBER("prog_ids", query.prog_ids, show_pointer, NULL),
	ATTR_MEMBER("prog_cnt", query.prog_cnt, show_unsigned, NULL));
NESTED(task_fd_query,
	ATTR_MEMBER("pid", task_fd_query.pid, show_int, NULL),
	ATTR_MEMBER("fd", task_fd_query.fd, show_fd, NULL),
	ATTR_MEMBER("flags", task_fd_query.flags, show_unsigned, NULL),
	ATTR_MEMBER("buf_len", task_fd_query.buf_len, show_unsigned, NULL),
	ATTR_MEMBER("buf", task_fd_query.buf, show_pointer, NULL),
	ATTR_MEMBER("prog_id", task_fd_query.prog_id, show_unsigned, NULL),
	ATTR_MEMBER("fd_type", task_fd_query.fd_type, show_enum, &bpf_task_fd_types),
	ATTR_MEMBER("probe_offset", task_fd_query.probe_offset, show_hex_long, NULL),
	ATTR_MEMBER("probe_addr", task_fd_query.probe_addr, show_hex_long, NULL));
/* clang-format on */
NESTED(link_update, ATTR_MEMBER("link_fd", link_update.link_fd, show_fd, NULL),
       ATTR_MEMBER("new_prog_fd", link_update.new_prog_fd, show_fd, NULL),
       ATTR_MEMBER("flags", link_update.flags, show_flags, &bpf_attach_flags));
NESTED(link_detach, ATTR_MEMBER("link_fd", link_detach.link_fd, show_fd, NULL));
NESTED(enable_stats, ATTR_MEMBER("type", enable_stats.type, show_enum, &bpf_statistics));
NESTED(iter_create, ATTR_MEMBER("link_fd", iter_create.link_fd, show_fd, NULL),
       ATTR_MEMBER("flags", iter_create.flags, show_hex, NULL));
NESTED(prog_bind_map, ATTR_MEMBER("prog_fd", prog_bind_map.prog_fd, show_fd, NULL),
       ATTR_MEMBER("map_fd", prog_bind_map.map_fd, show_fd, NULL),
       ATTR_MEMBER("flags", prog_bind_map.flags, show_hex, NULL));

static const struct nested {
	uint32_t command;
	const char *name;
	const struct layout *layout;
	uint32_t end;
} commands[] = {
	{ BPF_MAP_LOOKUP_BATCH, "batch", &lookup_batch, END_OF(batch) },
	{ BPF_MAP_LOOKUP_AND_DELETE_BATCH, "batch", &lookup_batch, END_OF(batch) },
	{ BPF_MAP_UPDATE_BATCH, "batch", &update_batch, END_OF(batch) },
	{ BPF_MAP_DELETE_BATCH, "batch", &delete_batch, END_OF(batch) },
	{ BPF_PROG_QUERY, "query", &query, END_OF(query.prog_cnt) },
	{ BPF_TASK_FD_QUERY, "task_fd_query", &task_fd_query, END_OF(task_fd_query) },
	{ BPF_LINK_UPDATE, "link_update", &link_update, END_OF(link_update.flags) },
	{ BPF_LINK_DETACH, "link_detach", &link_detach, END_OF(link_detach) },
	{ BPF_ENABLE_STATS, "enable_stats", &enable_stats, END_OF(enable_stats) },
	{ BPF_ITER_CREATE, "iter_create", &iter_create, END_OF(iter_create) },
	{ BPF_PROG_BIND_MAP, "prog_bind_map", &prog_bind_map, END_OF(prog_bind_map) },
};

/* For a struct of an older size, show only the members that its kernel version had. */
static struct nested test_of(uint32_t size)
{
	struct nested test = { BPF_PROG_TEST_RUN, "test", &test_run_first, END_OF(test.duration) };

	if (size > offsetof(union bpf_attr, test.flags)) {
		test.layout = &test_run;
		test.end = END_OF(test.batch_size);
	} else if (size > offsetof(union bpf_attr, test.ctx_size_in)) {
		test.layout = &test_run_context;
		test.end = END_OF(test.ctx_out);
	}
	return test;
}

size_t print_bpf_nested(struct printer *p, uint32_t command, const union bpf_attr *attr,
			uint32_t size)
{
	struct nested nested = { 0 };

	if (command == BPF_PROG_TEST_RUN)
		nested = test_of(size);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (commands[i].command == command)
			nested = commands[i];
	if (!nested.layout)
		return 0;
	str_addf(p->out, "{%s=", nested.name);
	element_struct(p, attr, nested.layout);
	return nested.end;
}
