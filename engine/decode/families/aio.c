/* The older asynchronous input and output, and io_uring. */
#include "engine/decode/shapes.h"

#include "engine/decode/constants/tables.h"

#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <sys/uio.h>

static void print_iocb(struct printer *p, const struct iocb *iocb)
{
	PUT(p, "{aio_data=");
	str_addx(p->out, iocb->aio_data);
	PUT(p, ", ");
	if (iocb->aio_key)
		str_addf(p->out, "aio_key=%u, ", iocb->aio_key);
	if (iocb->aio_rw_flags) {
		PUT(p, "aio_rw_flags=");
		show_flags(p, (uint32_t)iocb->aio_rw_flags, &rwf_flags);
		PUT(p, ", ");
	}
	PUT(p, "aio_lio_opcode=");
	if (constants_name(&aio_commands, iocb->aio_lio_opcode)) {
		print_enum(p, iocb->aio_lio_opcode, &aio_commands);
	} else {
		str_addu(p->out, iocb->aio_lio_opcode);
		print_comment(p, aio_commands.unknown);
	}
	if (iocb->aio_reqprio)
		str_addf(p->out, ", aio_reqprio=%d", iocb->aio_reqprio);
	PUT(p, ", aio_fildes=");
	show_fd(p, iocb->aio_fildes, NULL);
	switch (iocb->aio_lio_opcode) {
	case IOCB_CMD_PWRITE:
		PUT(p, ", aio_buf=");
		print_buffer(p, iocb->aio_buf, iocb->aio_nbytes);
		break;
	case IOCB_CMD_PREAD:
		PUT(p, ", aio_buf=");
		show_address(p, iocb->aio_buf, NULL);
		break;
	case IOCB_CMD_PREADV:
	case IOCB_CMD_PWRITEV:
		PUT(p, ", aio_buf=");
		print_vector(p, iocb->aio_buf, iocb->aio_nbytes,
			     iocb->aio_lio_opcode == IOCB_CMD_PWRITEV ? VECTOR_TEXT :
									VECTOR_ADDRESSES,
			     UINT64_MAX);
		break;
	case IOCB_CMD_POLL:
		PUT(p, ", aio_buf=");
		show_flags(p, (uint32_t)iocb->aio_buf, &poll_events);
		break;
	default:
		break;
	}
	if (iocb->aio_lio_opcode == IOCB_CMD_PREAD || iocb->aio_lio_opcode == IOCB_CMD_PWRITE ||
	    iocb->aio_lio_opcode == IOCB_CMD_PREADV || iocb->aio_lio_opcode == IOCB_CMD_PWRITEV) {
		/* Of a vector it is how many there are, which it shows itself. */
		if (iocb->aio_lio_opcode == IOCB_CMD_PREAD ||
		    iocb->aio_lio_opcode == IOCB_CMD_PWRITE)
			str_addf(p->out, ", aio_nbytes=%llu", (unsigned long long)iocb->aio_nbytes);
		str_addf(p->out, ", aio_offset=%lld", (long long)iocb->aio_offset);
	}
	if (iocb->aio_flags & IOCB_FLAG_RESFD) {
		PUT(p, ", aio_flags=IOCB_FLAG_RESFD, aio_resfd=");
		show_fd(p, iocb->aio_resfd, NULL);
	}
	PUT(p, "}");
}

static void element_iocb_pointer(struct printer *p, const void *element, const void *data)
{
	uint64_t address = *(const uint64_t *)element;
	struct iocb iocb;

	(void)data;
	if (printer_read(p, address, &iocb, sizeof(iocb)))
		print_iocb(p, &iocb);
	else
		show_pointer(p, address, NULL);
}

static void show_iocbs(struct printer *p, uint64_t value, const void *data)
{
	int64_t count = (int64_t)p->call->args[1];

	(void)data;
	if (count < 0)
		show_pointer(p, value, NULL);
	else
		print_array(p, value, (uint64_t)count, 8, element_iocb_pointer, NULL);
}

static void show_iocb(struct printer *p, uint64_t value, const void *data)
{
	element_iocb_pointer(p, &value, data);
}

LAYOUT(io_event_layout, struct io_event,
	MEMBER(struct io_event, data, show_hex_long),
	MEMBER(struct io_event, obj, show_pointer),
	MEMBER(struct io_event, res, show_long),
	MEMBER(struct io_event, res2, show_long));

static void show_events(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_array(p, value, (uint64_t)p->call->ret, sizeof(struct io_event), element_struct,
		    &io_event_layout);
}

static const struct pointee context_pointee = { 8, show_pointer, NULL };

static void show_aio_sigset(struct printer *p, uint64_t value, const void *data)
{
	uint64_t pair[2], bits;

	(void)data;
	if (!printer_read(p, value, pair, sizeof(pair))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{sigmask=");
	if (pair[1] == 8 && printer_read(p, pair[0], &bits, 8))
		print_sigset(p, bits);
	else
		show_pointer(p, pair[0], NULL);
	PUT(p, ", sigsetsize=");
	str_addu(p->out, pair[1]);
	PUT(p, "}");
}

static void print_sq_offsets(struct printer *p, const struct io_sqring_offsets *sq)
{
	str_addf(p->out,
		 ", sq_off={head=%u, tail=%u, ring_mask=%u, ring_entries=%u, flags=%u, "
		 "dropped=%u, array=%u}",
		 sq->head, sq->tail, sq->ring_mask, sq->ring_entries, sq->flags, sq->dropped,
		 sq->array);
}

static void print_cq_offsets(struct printer *p, const struct io_cqring_offsets *cq)
{
	str_addf(p->out,
		 ", cq_off={head=%u, tail=%u, ring_mask=%u, ring_entries=%u, overflow=%u, "
		 "cqes=%u, flags=%u}",
		 cq->head, cq->tail, cq->ring_mask, cq->ring_entries, cq->overflow, cq->cqes,
		 cq->flags);
}

static void show_uring_params(struct printer *p, uint64_t value, const void *data)
{
	struct io_uring_params before, after;

	(void)data;
	if (!printer_read(p, value, &before, sizeof(before))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{flags=");
	show_flags(p, before.flags, &uring_setup_flags);
	str_addf(p->out, ", sq_thread_cpu=%u, sq_thread_idle=%u", before.sq_thread_cpu,
		 before.sq_thread_idle);
	if (before.flags & IORING_SETUP_ATTACH_WQ) {
		PUT(p, ", wq_fd=");
		show_fd(p, before.wq_fd, NULL);
	}
	p->when = BYTES_AT_EXIT;
	if (printer_succeeded(p) && printer_read(p, value, &after, sizeof(after))) {
		str_addf(p->out, ", sq_entries=%u, cq_entries=%u, features=", after.sq_entries,
			 after.cq_entries);
		show_flags(p, after.features, &uring_features);
		print_sq_offsets(p, &after.sq_off);
		print_cq_offsets(p, &after.cq_off);
	}
	PUT(p, "}");
}

static void show_uring_enter_arg(struct printer *p, uint64_t value, const void *data)
{
	uint64_t bits;

	(void)data;
	if (!(p->call->args[3] & IORING_ENTER_EXT_ARG) && p->call->args[5] == 8 &&
	    printer_read(p, value, &bits, sizeof(bits)))
		print_sigset(p, bits);
	else
		show_pointer(p, value, NULL);
}

static void element_operation(struct printer *p, const void *element, const void *data)
{
	const struct io_uring_probe_op *operation = element;

	(void)data;
	PUT(p, "{op=");
	print_enum(p, operation->op, &uring_operations);
	PUT(p, ", flags=");
	show_flags(p, operation->flags, &uring_operation_flags);
	PUT(p, "}");
}

/* Room for the answer, which has to be zeros before. */
static void show_uring_probe(struct printer *p, uint64_t value, uint32_t count)
{
	struct io_uring_probe probe;

	p->when = BYTES_AT_EXIT;
	if (!printer_succeeded(p) || !printer_read(p, value, &probe, sizeof(probe))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{last_op=");
	print_enum(p, probe.last_op, &uring_operations);
	str_addf(p->out, ", ops_len=%u, ops=", probe.ops_len);
	print_array(p, value + sizeof(probe), count < probe.ops_len ? count : probe.ops_len,
		    sizeof(struct io_uring_probe_op), element_operation, NULL);
	PUT(p, "}");
}

static void show_uring_update(struct printer *p, uint64_t value, uint32_t count)
{
	struct io_uring_files_update update;

	if (!printer_read(p, value, &update, sizeof(update))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out, "{offset=%u, fds=", update.offset);
	print_array(p, update.fds, count, 4, element_int, NULL);
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
		break;
	}
	PUT(p, "}");
}

static void show_uring_register_arg(struct printer *p, uint64_t value, const void *data)
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
	default:
		show_pointer(p, value, NULL);
		break;
	}
}

static const struct call_form aio_forms[] = {
	{ .name = "io_setup", .classes = MEMORY,
	  .prototype = "unsigned nr_events, aio_context_t * ctxp",
	  .args = { [1] = FILLS(context_pointee) } },
	{ .name = "io_destroy", .classes = MEMORY,
	  .prototype = "aio_context_t ctx" },
	{ .name = "io_submit",
	  .prototype = "aio_context_t ctx_id, long nr, struct iocb * * iocbpp",
	  .args = { [2] = SHOW(show_iocbs) } },
	{ .name = "io_cancel",
	  .prototype = "aio_context_t ctx_id, struct iocb * iocb, struct io_event * result",
	  .args = { [1] = SHOW(show_iocb), [2] = OUT(io_event_layout) } },
	{ .name = "io_getevents",
	  .prototype = "aio_context_t ctx_id, long min_nr, long nr, struct io_event * events, "
		       "struct __kernel_timespec * timeout",
	  .args = { [3] = SHOW_OUT(show_events), [4] = IN(timespec_layout) } },
	{ .name = "io_pgetevents",
	  .prototype = "aio_context_t ctx_id, long min_nr, long nr, struct io_event * events, "
		       "struct __kernel_timespec * timeout, const struct __aio_sigset * usig",
	  .args = { [3] = SHOW_OUT(show_events), [4] = IN(timespec_layout),
		    [5] = SHOW(show_aio_sigset) } },
	{ .name = "io_uring_setup", .classes = DESC,
	  .prototype = "u32 entries, struct io_uring_params * params",
	  .args = { [1] = SHOW(show_uring_params) },
	  .result = result_fd },
	{ .name = "io_uring_enter", .classes = DESC | SIGNAL,
	  .prototype = "unsigned int fd, u32 to_submit, u32 min_complete, u32 flags, "
		       "const void * argp, size_t argsz",
	  .args = { [3] = FLAGS(uring_enter_flags), [4] = SHOW(show_uring_enter_arg) } },
	{ .name = "io_uring_register", .classes = DESC | MEMORY,
	  .prototype = "unsigned int fd, unsigned int opcode, void * arg, unsigned int nr_args",
	  .args = { [1] = ENUM(uring_registers), [2] = SHOW(show_uring_register_arg) } },
};

CALL_FAMILY(aio);
