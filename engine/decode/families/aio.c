/* The aio calls: io_setup, io_submit, io_getevents. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/aio_abi.h>

/* Print the common members of an iocb; io_cancel() shows only these. */
static void print_iocb_head(struct printer *p, const struct iocb *iocb)
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
}

static void print_iocb_rest(struct printer *p, const struct iocb *iocb)
{
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
			     iocb->aio_lio_opcode == IOCB_CMD_PWRITEV ? VECTOR_TEXT
								      : VECTOR_ADDRESSES,
			     UINT64_MAX);
		break;
	case IOCB_CMD_POLL:
		PUT(p, ", aio_buf=");
		show_flags(p, (uint32_t)iocb->aio_buf, &poll_events);
		break;
	default:
		return;
	}
	if (iocb->aio_lio_opcode == IOCB_CMD_PREAD || iocb->aio_lio_opcode == IOCB_CMD_PWRITE ||
	    iocb->aio_lio_opcode == IOCB_CMD_PREADV || iocb->aio_lio_opcode == IOCB_CMD_PWRITEV) {
		/* For a vector, aio_nbytes is the number of elements, which are shown anyway. */
		if (iocb->aio_lio_opcode == IOCB_CMD_PREAD ||
		    iocb->aio_lio_opcode == IOCB_CMD_PWRITE)
			str_addf(p->out, ", aio_nbytes=%llu", (unsigned long long)iocb->aio_nbytes);
		str_addf(p->out, ", aio_offset=%lld", (long long)iocb->aio_offset);
	}
	if (iocb->aio_flags) {
		PUT(p, ", aio_flags=");
		show_flags(p, iocb->aio_flags, &aio_flags);
	}
	if (iocb->aio_flags & IOCB_FLAG_RESFD) {
		PUT(p, ", aio_resfd=");
		show_fd(p, iocb->aio_resfd, NULL);
	}
}

/* Read an iocb; print its address if the memory is unknown. */
static bool read_iocb(struct printer *p, uint64_t address, struct iocb *iocb)
{
	if (printer_read(p, address, iocb, sizeof(*iocb)))
		return true;
	show_pointer(p, address, NULL);
	return false;
}

static void element_iocb_pointer(struct printer *p, const void *element, const void *data)
{
	struct iocb iocb;

	(void)data;
	if (!read_iocb(p, *(const uint64_t *)element, &iocb))
		return;
	print_iocb_head(p, &iocb);
	print_iocb_rest(p, &iocb);
	PUT(p, "}");
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
	struct iocb iocb;

	(void)data;
	if (!read_iocb(p, value, &iocb))
		return;
	print_iocb_head(p, &iocb);
	PUT(p, "}");
}

LAYOUT(io_event_layout, struct io_event, MEMBER(struct io_event, data, show_hex_long),
       MEMBER(struct io_event, obj, show_pointer), MEMBER(struct io_event, res, show_long),
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

static const struct call_form aio_forms[] = {
	{ .name = "io_setup",
	  .classes = MEMORY,
	  .prototype = "unsigned nr_events, aio_context_t * ctxp",
	  .args = { [1] = FILLS(context_pointee) } },
	{ .name = "io_destroy", .classes = MEMORY, .prototype = "aio_context_t ctx" },
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
	  .args = { [3] = SHOW_OUT(show_events),
		    [4] = IN(timespec_layout),
		    [5] = SHOW(show_aio_sigset) } },
};

CALL_FAMILY(aio);
