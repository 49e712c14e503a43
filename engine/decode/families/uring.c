/* io_uring: setup and waiting for completions. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/io_uring.h>

/* Print reserved members that are not zero, and the end of the struct. */
static void print_unused(struct printer *p, uint32_t resv1, uint64_t resv2)
{
	if (resv1)
		str_addf(p->out, ", resv1=%#x", resv1);
	if (resv2)
		str_addf(p->out, ", resv2=%#llx", (unsigned long long)resv2);
	PUT(p, "}");
}

static void print_sq_offsets(struct printer *p, const struct io_sqring_offsets *sq)
{
	str_addf(p->out,
		 ", sq_off={head=%u, tail=%u, ring_mask=%u, ring_entries=%u, flags=%u, "
		 "dropped=%u, array=%u",
		 sq->head, sq->tail, sq->ring_mask, sq->ring_entries, sq->flags, sq->dropped,
		 sq->array);
	print_unused(p, sq->resv1, sq->resv2);
}

static void print_cq_offsets(struct printer *p, const struct io_cqring_offsets *cq)
{
	str_addf(p->out,
		 ", cq_off={head=%u, tail=%u, ring_mask=%u, ring_entries=%u, overflow=%u, "
		 "cqes=%u, flags=%u",
		 cq->head, cq->tail, cq->ring_mask, cq->ring_entries, cq->overflow, cq->cqes,
		 cq->flags);
	print_unused(p, cq->resv1, cq->resv2);
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
	print_spare(p, "resv", before.resv, sizeof(before.resv), 4);
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

/* Print a signal set; if it is NULL, of another size or unreadable, print the pointer. */
static void show_sized_sigset(struct printer *p, uint64_t address, uint64_t size)
{
	uint64_t bits;

	if (size == sizeof(bits) && printer_read(p, address, &bits, sizeof(bits)))
		print_sigset(p, bits);
	else
		show_pointer(p, address, NULL);
}

/* struct io_uring_getevents_arg; min_wait_usec was padding until Linux 6.12. */
struct wait_arg {
	uint64_t sigmask;
	uint32_t sigmask_sz;
	uint32_t min_wait_usec;
	uint64_t ts;
};

static void show_uring_enter_arg(struct printer *p, uint64_t value, const void *data)
{
	struct wait_arg arg;

	(void)data;
	if (!(p->call->args[3] & IORING_ENTER_EXT_ARG) || p->call->args[5] != sizeof(arg)) {
		show_sized_sigset(p, value, p->call->args[5]);
		return;
	}
	if (!printer_read(p, value, &arg, sizeof(arg))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{sigmask=");
	show_sized_sigset(p, arg.sigmask, arg.sigmask_sz);
	str_addf(p->out, ", sigmask_sz=%u, min_wait_usec=%u, ts=", arg.sigmask_sz,
		 arg.min_wait_usec);
	show_struct(p, arg.ts, &timespec_layout);
	PUT(p, "}");
}

static const struct call_form uring_forms[] = {
	{ .name = "io_uring_setup",
	  .classes = DESC,
	  .prototype = "u32 entries, struct io_uring_params * params",
	  .args = { [1] = SHOW(show_uring_params) },
	  .result = result_fd },
	{ .name = "io_uring_enter",
	  .classes = DESC | SIGNAL,
	  .prototype = "unsigned int fd, u32 to_submit, u32 min_complete, u32 flags, "
		       "const void * argp, size_t argsz",
	  .args = { [3] = FLAGS(uring_enter_flags), [4] = SHOW(show_uring_enter_arg) } },
	{ .name = "io_uring_register",
	  .classes = DESC | MEMORY,
	  .prototype = "unsigned int fd, unsigned int opcode, void * arg, unsigned int nr_args",
	  .args = { [1] = ENUM(uring_registers), [2] = SHOW(show_uring_register_arg) } },
};

CALL_FAMILY(uring);
