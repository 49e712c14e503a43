/* io_uring_register(2): files, buffers, rings, limits. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/io_uring.h>

#define PROBE_OPERATIONS 256 /* an operation is a byte */

static void element_operation(struct printer *p, const void *element, const void *data)
{
	const struct io_uring_probe_op *operation = element;

	(void)data;
	PUT(p, "{op=");
	print_enum(p, operation->op, &uring_operations);
	if (operation->resv)
		str_addf(p->out, ", resv=%#x", operation->resv);
	PUT(p, ", flags=");
	show_flags(p, operation->flags, &uring_operation_flags);
	if (operation->resv2)
		str_addf(p->out, ", resv2=%#x", operation->resv2);
	PUT(p, "}");
}

static bool read_probe(struct printer *p, uint64_t address, struct io_uring_probe *probe)
{
	return printer_read(p, address, probe, sizeof(*probe));
}

static void print_probe(struct printer *p, uint64_t address, const struct io_uring_probe *probe,
			uint32_t count)
{
	PUT(p, "{last_op=");
	print_enum(p, probe->last_op, &uring_operations);
	str_addf(p->out, ", ops_len=%u", probe->ops_len);
	if (probe->resv)
		str_addf(p->out, ", resv=%#x", probe->resv);
	print_spare(p, "resv2", probe->resv2, sizeof(probe->resv2), 4);
	PUT(p, ", ops=");
	print_array(p, address + sizeof(*probe), count, sizeof(struct io_uring_probe_op),
		    element_operation, NULL);
	PUT(p, "}");
}

/* True if the known bytes are zeros, as the kernel requires of this buffer. */
static bool is_cleared(struct printer *p, uint64_t address, uint32_t count)
{
	uint64_t bytes[2 + PROBE_OPERATIONS];
	size_t len;
	bool cut;

	len = printer_read_some(p, address, bytes, 16 + 8 * (size_t)count, false, &cut);
	for (size_t i = 0; i < len / 8; i++)
		if (bytes[i])
			return false;
	return true;
}

/*
 * Show the buffer as it was before the call, unless that is unknown or all zeros. Then show the
 * reply of the kernel.
 */
static void show_uring_probe(struct printer *p, uint64_t value, uint32_t count)
{
	struct io_uring_probe before, after;
	bool said = false;

	if (count > PROBE_OPERATIONS) {
		show_pointer(p, value, NULL);
		return;
	}
	if (read_probe(p, value, &before) && !is_cleared(p, value, count)) {
		print_probe(p, value, &before, count);
		said = true;
	}
	p->when = BYTES_AT_EXIT;
	if (printer_succeeded(p) && read_probe(p, value, &after)) {
		if (said)
			PUT(p, " => ");
		print_probe(p, value, &after, count < after.ops_len ? count : after.ops_len);
	} else if (!said) {
		show_pointer(p, value, NULL);
	}
}

/* IORING_REGISTER_FILES_SKIP, missing in older headers. */
#define FILES_SKIP (-2)

static void element_update(struct printer *p, const void *element, const void *data)
{
	int32_t fd = *(const int32_t *)element;

	(void)data;
	if (fd == FILES_SKIP)
		PUT(p, "IORING_REGISTER_FILES_SKIP");
	else
		show_fd(p, (uint32_t)fd, NULL);
}

static void element_fd(struct printer *p, const void *element, const void *data)
{
	show_fd(p, *(const uint32_t *)element, data);
}

static void show_uring_update(struct printer *p, uint64_t value, uint32_t count)
{
	struct io_uring_files_update update;

	if (!printer_read(p, value, &update, sizeof(update))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out, "{offset=%u", update.offset);
	if (update.resv)
		str_addf(p->out, ", resv=%#x", update.resv);
	PUT(p, ", fds=");
	print_array(p, update.fds, count, 4, element_update, NULL);
	PUT(p, "}");
}

/*
 * Print descriptors or buffers, and the tags that the kernel posts when it releases each of them.
 */
static void print_resources(struct printer *p, uint64_t list, uint64_t tags, uint32_t count)
{
	PUT(p, ", data=");
	switch ((uint32_t)p->call->args[1]) {
	case IORING_REGISTER_FILES2:
		print_array(p, list, count, 4, element_fd, NULL);
		break;
	case IORING_REGISTER_FILES_UPDATE2:
		print_array(p, list, count, 4, element_update, NULL);
		break;
	default:
		print_vector(p, list, count, VECTOR_ADDRESSES, UINT64_MAX);
		break;
	}
	PUT(p, ", tags=");
	print_array(p, tags, count, 8, element_hex, NULL);
}

static void show_uring_resources(struct printer *p, uint64_t value, uint32_t size)
{
	struct io_uring_rsrc_register resources;

	if (size < sizeof(resources) || !printer_read(p, value, &resources, sizeof(resources))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out, "{nr=%u, flags=", resources.nr);
	show_flags(p, resources.flags, &uring_resource_flags);
	if (resources.resv2)
		str_addf(p->out, ", resv2=%#llx", (unsigned long long)resources.resv2);
	print_resources(p, resources.data, resources.tags, resources.nr);
	if (size > sizeof(resources))
		print_struct_rest(p, value, sizeof(resources), size);
	PUT(p, "}");
}

static void show_uring_resources_update(struct printer *p, uint64_t value, uint32_t size)
{
	struct io_uring_rsrc_update2 update;

	if (size < sizeof(update) || !printer_read(p, value, &update, sizeof(update))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out, "{offset=%u", update.offset);
	if (update.resv)
		str_addf(p->out, ", resv=%#x", update.resv);
	print_resources(p, update.data, update.tags, update.nr);
	str_addf(p->out, ", nr=%u", update.nr);
	if (update.resv2)
		str_addf(p->out, ", resv2=%#x", update.resv2);
	if (size > sizeof(update))
		print_struct_rest(p, value, sizeof(update), size);
	PUT(p, "}");
}

static void print_worker_limits(struct printer *p, uint64_t address, uint32_t count)
{
	static const char *const kinds[] = { "IO_WQ_BOUND", "IO_WQ_UNBOUND" };
	uint32_t limit;

	if (!printer_read(p, address, &limit, sizeof(limit))) {
		show_pointer(p, address, NULL);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (i == printer_items(p)) {
			str_add(p->out, i ? ", ..." : "[...");
			break;
		}
		if (!printer_read(p, address + i * sizeof(limit), &limit, sizeof(limit)))
			break;
		str_add(p->out, i ? ", [" : "[[");
		if (i < sizeof(kinds) / sizeof(kinds[0]))
			str_add(p->out, kinds[i]);
		else
			str_addf(p->out, "%u /* IO_WQ_??? */", i);
		str_addf(p->out, "]=%u", limit);
	}
	PUT(p, "]");
}

/*
 * Show the limits of worker threads, bounded and unbounded. The kernel overwrites them with the
 * previous limits.
 */
static void show_worker_limits(struct printer *p, uint64_t value, uint32_t count)
{
	uint32_t limit;

	if (value && !count) {
		PUT(p, "[]");
		return;
	}
	print_worker_limits(p, value, count);
	if (p->call->state != CALL_DONE || !printer_read(p, value, &limit, sizeof(limit)))
		return;
	PUT(p, " => ");
	p->when = BYTES_AT_EXIT;
	if (printer_succeeded(p))
		print_worker_limits(p, value, count);
	else
		show_pointer(p, value, NULL);
}

static void element_ring(struct printer *p, const void *element, const void *data)
{
	const struct io_uring_rsrc_update *ring = element;

	(void)data;
	/* -1: the kernel uses the first free slot. */
	if (ring->offset == UINT32_MAX)
		PUT(p, "{offset=-1");
	else
		str_addf(p->out, "{offset=%u", ring->offset);
	if (ring->resv)
		str_addf(p->out, ", resv=%#x", ring->resv);
	PUT(p, ", data=");
	show_fd(p, (uint32_t)ring->data, NULL);
	PUT(p, "}");
}

static void element_left_ring(struct printer *p, const void *element, const void *data)
{
	const struct io_uring_rsrc_update *ring = element;

	(void)data;
	str_addf(p->out, "{offset=%u", ring->offset);
	if (ring->resv)
		str_addf(p->out, ", resv=%#x", ring->resv);
	if (ring->data)
		str_addf(p->out, ", data=%#llx", (unsigned long long)ring->data);
	PUT(p, "}");
}

/* struct io_uring_buf_reg. Old headers call flags padding; newer kernels put min_left in resv. */
struct buffer_ring {
	uint64_t ring_addr;
	uint32_t ring_entries;
	uint16_t bgid;
	uint16_t flags;
	uint64_t resv[3];
};

static void show_buffer_ring(struct printer *p, uint64_t value)
{
	struct buffer_ring ring;

	if (!printer_read(p, value, &ring, sizeof(ring))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{ring_addr=");
	show_pointer(p, ring.ring_addr, NULL);
	str_addf(p->out, ", ring_entries=%u, bgid=%u", ring.ring_entries, ring.bgid);
	if (ring.flags)
		str_addf(p->out, ", flags=%#x", ring.flags);
	print_spare(p, "resv", ring.resv, sizeof(ring.resv), 8);
	PUT(p, "}");
}

static void element_restriction(struct printer *p, const void *element, const void *data)
{
	const struct io_uring_restriction *restriction = element;

	(void)data;
	PUT(p, "{opcode=");
	print_enum(p, restriction->opcode, &uring_restrictions);
	switch (restriction->opcode) {
	case IORING_RESTRICTION_REGISTER_OP:
		PUT(p, ", register_op=");
		print_enum(p, restriction->register_op, &uring_registers);
		break;
	case IORING_RESTRICTION_SQE_OP:
		PUT(p, ", sqe_op=");
		print_enum(p, restriction->sqe_op, &uring_operations);
		break;
	case IORING_RESTRICTION_SQE_FLAGS_ALLOWED:
	case IORING_RESTRICTION_SQE_FLAGS_REQUIRED:
		PUT(p, ", sqe_flags=");
		show_flags(p, restriction->sqe_flags, &uring_entry_flags);
		break;
	default:
		PUT(p, " /* op: ");
		str_addx(p->out, restriction->register_op);
		PUT(p, " */");
		break;
	}
	if (restriction->resv)
		str_addf(p->out, ", resv=%#x", restriction->resv);
	print_spare(p, "resv2", restriction->resv2, sizeof(restriction->resv2), 4);
	PUT(p, "}");
}

void show_uring_register_arg(struct printer *p, uint64_t value, const void *data)
{
	uint32_t count = (uint32_t)p->call->args[3];

	(void)data;
	switch ((uint32_t)p->call->args[1]) {
	case IORING_REGISTER_BUFFERS:
		print_vector(p, value, count, VECTOR_ADDRESSES, UINT64_MAX);
		break;
	case IORING_REGISTER_FILES:
	case IORING_REGISTER_EVENTFD:
	case IORING_REGISTER_EVENTFD_ASYNC:
		print_array(p, value, count, 4, element_int, NULL);
		break;
	case IORING_REGISTER_FILES_UPDATE:
		show_uring_update(p, value, count);
		break;
	case IORING_REGISTER_PROBE:
		show_uring_probe(p, value, count);
		break;
	case IORING_REGISTER_RESTRICTIONS:
		print_array(p, value, count, sizeof(struct io_uring_restriction),
			    element_restriction, NULL);
		break;
	case IORING_REGISTER_FILES2:
	case IORING_REGISTER_BUFFERS2:
		show_uring_resources(p, value, count);
		break;
	case IORING_REGISTER_FILES_UPDATE2:
	case IORING_REGISTER_BUFFERS_UPDATE:
		show_uring_resources_update(p, value, count);
		break;
	case IORING_REGISTER_IOWQ_AFF:
		print_cpus(p, value, count);
		break;
	case IORING_REGISTER_IOWQ_MAX_WORKERS:
		show_worker_limits(p, value, count);
		break;
	case IORING_REGISTER_RING_FDS:
		print_array(p, value, count, sizeof(struct io_uring_rsrc_update), element_ring,
			    NULL);
		break;
	case IORING_UNREGISTER_RING_FDS:
		print_array(p, value, count, sizeof(struct io_uring_rsrc_update), element_left_ring,
			    NULL);
		break;
	case IORING_REGISTER_PBUF_RING:
	case IORING_UNREGISTER_PBUF_RING:
		show_buffer_ring(p, value);
		break;
	default:
		show_pointer(p, value, NULL);
		break;
	}
}
