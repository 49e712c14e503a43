/* Mappings and the state of their pages. */
#include "engine/decode/shapes.h"

#include "engine/decode/syscalls.h"
#include "engine/decode/tables.h"

#include <linux/mempolicy.h>
#include <linux/mman.h>

#define TYPE_BITS (MAP_SHARED | MAP_PRIVATE | 0xcu)
#define MASK_BITS_MAX 32768 /* one page of bits: the limit of the kernel */
#define HUGE_BITS ((uint32_t)MAP_HUGE_MASK << MAP_HUGE_SHIFT)

static void show_mmap_flags(struct printer *p, uint64_t value, const void *data)
{
	uint32_t bits = (uint32_t)value, huge = bits & HUGE_BITS;

	(void)data;
	print_enum(p, bits & TYPE_BITS, &mmap_types);
	print_more_flags(p, bits & ~(TYPE_BITS | HUGE_BITS), &mmap_flags);
	if (huge) {
		PUT(p, "|");
		str_addu(p->out, huge >> MAP_HUGE_SHIFT);
		PUT(p, "<<MAP_HUGE_SHIFT");
	}
}

static void show_mmap_offset(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addx(p->out, value);
}

static unsigned mremap_count(const struct call *call)
{
	const uint64_t moves = MREMAP_MAYMOVE | MREMAP_FIXED;

	return (call->args[3] & moves) == moves ? 5 : 4;
}

/* Show the vector of mincore(): one byte per page, of which only the lowest bit counts. */
static void show_resident(struct printer *p, uint64_t value, const void *data)
{
	uint64_t pages = (p->call->args[1] + 4095) / 4096;
	uint8_t page;

	(void)data;
	if (!pages) {
		PUT(p, "[]");
		return;
	}
	if (!printer_read(p, value, &page, 1)) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "[");
	for (uint64_t i = 0; i < pages; i++) {
		if (i)
			PUT(p, ", ");
		if (i == printer_items(p)) {
			PUT(p, "...");
			break;
		}
		if (!printer_read(p, value + i, &page, 1)) {
			PUT(p, "...");
			break;
		}
		str_addu(p->out, page & 1);
	}
	PUT(p, "]");
}

static void show_policy(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_kind_and_flags(p, value, ~(uint64_t)MPOL_MODE_FLAGS, &mempolicy_modes,
			     &mempolicy_mode_flags);
}

static void show_policy_int(struct printer *p, uint64_t value, const void *data)
{
	show_policy(p, (uint32_t)value, data);
}

static const struct pointee policy_pointee = { 4, show_policy_int, NULL };

static void element_node_mask(struct printer *p, const void *element, const void *data)
{
	uint64_t word = *(const uint64_t *)element;

	(void)data;
	/* The field width includes the 0x, which %# omits for zero. */
	str_addf(p->out, "%#016llx", (unsigned long long)word);
}

/* Show a bit mask as words. The next argument is its number of bits plus one. */
static void show_node_mask(struct printer *p, uint64_t value, const void *data)
{
	uint64_t bits = p->call->args[data ? *(const uint8_t *)data : p->arg + 1];
	uint64_t words = bits > MASK_BITS_MAX ? MASK_BITS_MAX : (bits + 62) / 64;

	if (value && !bits)
		PUT(p, "[]");
	else if (!words || bits > MASK_BITS_MAX)
		show_pointer(p, value, NULL);
	else
		print_array(p, value, words, 8, element_node_mask, NULL);
}

static const uint8_t first_size = 1;

static void element_status(struct printer *p, const void *element, const void *data)
{
	int32_t status = *(const int32_t *)element;

	(void)data;
	if (status < 0 && status > -4096 && errno_name(-status)) {
		PUT(p, "-");
		str_add(p->out, errno_name(-status));
	} else {
		str_addd(p->out, status);
	}
}

static void element_pointer(struct printer *p, const void *element, const void *data)
{
	show_pointer(p, *(const uint64_t *)element, data);
}

static void show_pages(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_array(p, value, p->call->args[1], 8, element_pointer, NULL);
}

static void show_nodes(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_array(p, value, p->call->args[1], 4, element_int, NULL);
}

static void show_statuses(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_array(p, value, p->call->args[1], 4, element_status, NULL);
}

static unsigned membarrier_count(const struct call *call)
{
	return call->args[1] & 1 ? 3 : 2;
}

static void membarrier_result(struct printer *p)
{
	uint64_t ret = (uint64_t)p->call->ret;

	if ((uint32_t)p->call->args[0] || !ret) {
		str_addd(p->out, p->call->ret);
		return;
	}
	str_addx(p->out, ret);
	PUT(p, " (");
	show_flags_long(p, ret, &membarrier_commands);
	PUT(p, ")");
}

static void show_remaining_vector(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_vector(p, value, p->call->args[p->arg + 1], VECTOR_ADDRESSES, UINT64_MAX);
}

static void show_read_process(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if (printer_succeeded(p)) {
		p->when = BYTES_AT_EXIT;
		print_vector(p, value, p->call->args[2], VECTOR_TEXT, (uint64_t)p->call->ret);
	} else {
		print_vector(p, value, p->call->args[2], VECTOR_ADDRESSES, UINT64_MAX);
	}
}

static void show_written_process(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_vector(p, value, p->call->args[2], VECTOR_TEXT, UINT64_MAX);
}

/* clang-format off */
static const struct call_form memory_forms[] = {
	{ .name = "mmap", .classes = DESC | MEMORY,
	  .prototype = "unsigned long addr, unsigned long len, unsigned long prot, "
		       "unsigned long flags, unsigned long fd, unsigned long off",
	  .args = { [2] = FLAGS_LONG(mmap_protections), [3] = SHOW(show_mmap_flags),
		    [4] = SHOW(show_fd), [5] = SHOW(show_mmap_offset) },
	  .result = result_address },
	{ .name = "munmap", .classes = MEMORY,
	  .prototype = "unsigned long addr, size_t len" },
	{ .name = "mprotect", .classes = MEMORY,
	  .prototype = "unsigned long start, size_t len, unsigned long prot",
	  .args = { [2] = FLAGS_LONG(mmap_protections) } },
	{ .name = "pkey_mprotect", .classes = MEMORY,
	  .prototype = "unsigned long start, size_t len, unsigned long prot, int pkey",
	  .args = { [2] = FLAGS_LONG(mmap_protections), [3] = SHOW(show_int) } },
	{ .name = "mremap", .classes = MEMORY,
	  .prototype = "unsigned long addr, unsigned long old_len, unsigned long new_len, "
		       "unsigned long flags, unsigned long new_addr",
	  .args = { [3] = FLAGS_LONG(mremap_flags) },
	  .count = mremap_count, .result = result_address },
	{ .name = "brk", .classes = MEMORY,
	  .prototype = "unsigned long brk",
	  .result = result_address },
	{ .name = "msync", .classes = MEMORY,
	  .prototype = "unsigned long start, size_t len, int flags",
	  .args = { [2] = FLAGS(msync_flags) } },
	{ .name = "mincore", .classes = MEMORY,
	  .prototype = "unsigned long start, size_t len, unsigned char * vec",
	  .args = { [2] = SHOW_OUT(show_resident) } },
	{ .name = "madvise", .classes = MEMORY,
	  .prototype = "unsigned long start, size_t len_in, int behavior",
	  .args = { [2] = ENUM(madvises) } },
	{ .name = "process_madvise", .classes = DESC,
	  .prototype = "int pidfd, const struct iovec * vec, size_t vlen, int behavior, "
		       "unsigned int flags",
	  .args = { [1] = SHOW(show_remaining_vector), [3] = ENUM(madvises),
		    [4] = SHOW(show_hex) } },
	{ .name = "mlock", .classes = MEMORY,
	  .prototype = "unsigned long start, size_t len" },
	{ .name = "mlock2", .classes = MEMORY,
	  .prototype = "unsigned long start, size_t len, int flags",
	  .args = { [2] = FLAGS(mlock_flags) } },
	{ .name = "munlock", .classes = MEMORY,
	  .prototype = "unsigned long start, size_t len" },
	{ .name = "mlockall", .classes = MEMORY,
	  .prototype = "int flags",
	  .args = { [0] = FLAGS(mlockall_flags) } },
	{ .name = "munlockall", .classes = MEMORY,
	  .prototype = "" },
	{ .name = "mseal", .classes = MEMORY,
	  .prototype = "unsigned long start, size_t len, unsigned long flags" },
	{ .name = "remap_file_pages", .classes = MEMORY,
	  .prototype = "unsigned long start, unsigned long size, unsigned long prot, "
		       "unsigned long pgoff, unsigned long flags",
	  .args = { [2] = FLAGS_LONG(mmap_protections), [3] = SHOW(show_ulong),
		    [4] = SHOW(show_mmap_flags) } },
	{ .name = "mbind", .classes = MEMORY,
	  .prototype = "unsigned long start, unsigned long len, unsigned long mode, "
		       "const unsigned long * nmask, unsigned long maxnode, unsigned int flags",
	  .args = { [2] = SHOW(show_policy), [3] = SHOW(show_node_mask), [4] = SHOW(show_ulong),
		    [5] = FLAGS(mbind_flags) } },
	{ .name = "set_mempolicy", .classes = MEMORY,
	  .prototype = "int mode, const unsigned long * nmask, unsigned long maxnode",
	  .args = { [0] = SHOW(show_policy_int), [1] = SHOW(show_node_mask) } },
	{ .name = "get_mempolicy", .classes = MEMORY,
	  .prototype = "int * policy, unsigned long * nmask, unsigned long maxnode, "
		       "unsigned long addr, unsigned long flags",
	  .args = { [0] = OUT_WITH(show_pointee, &policy_pointee),
		    [1] = SHOW_OUT(show_node_mask), [4] = FLAGS_LONG(mempolicy_flags) } },
	{ .name = "set_mempolicy_home_node", .classes = MEMORY,
	  .prototype = "unsigned long start, unsigned long len, unsigned long home_node, "
		       "unsigned long flags" },
	{ .name = "migrate_pages", .classes = MEMORY,
	  .prototype = "pid_t pid, unsigned long maxnode, const unsigned long * old_nodes, "
		       "const unsigned long * new_nodes",
	  .args = { [2] = SHOW_WITH(show_node_mask, &first_size),
		    [3] = SHOW_WITH(show_node_mask, &first_size) } },
	{ .name = "move_pages", .classes = MEMORY,
	  .prototype = "pid_t pid, unsigned long nr_pages, const void * * pages, "
		       "const int * nodes, int * status, int flags",
	  .args = { [2] = SHOW(show_pages), [3] = SHOW(show_nodes),
		    [4] = SHOW_OUT(show_statuses), [5] = FLAGS(move_pages_flags) } },
	{ .name = "membarrier",
	  .prototype = "int cmd, unsigned int flags, int cpu_id",
	  .args = { [0] = ENUM(membarrier_commands), [1] = FLAGS(membarrier_flags) },
	  .count = membarrier_count, .result = membarrier_result },
	{ .name = "pkey_alloc",
	  .prototype = "unsigned long flags, unsigned long init_val",
	  .args = { [0] = SHOW(show_hex_long), [1] = FLAGS_LONG(pkey_rights) } },
	{ .name = "pkey_free",
	  .prototype = "int pkey" },
	{ .name = "userfaultfd", .classes = DESC,
	  .prototype = "int flags",
	  .args = { [0] = FLAGS(userfaultfd_flags) },
	  .result = result_fd },
	{ .name = "process_vm_readv",
	  .prototype = "pid_t pid, const struct iovec * lvec, unsigned long liovcnt, "
		       "const struct iovec * rvec, unsigned long riovcnt, unsigned long flags",
	  .args = { [5] = SHOW(show_ulong), [1] = SHOW(show_read_process),
		    [3] = SHOW(show_remaining_vector) } },
	{ .name = "process_vm_writev",
	  .prototype = "pid_t pid, const struct iovec * lvec, unsigned long liovcnt, "
		       "const struct iovec * rvec, unsigned long riovcnt, unsigned long flags",
	  .args = { [5] = SHOW(show_ulong), [1] = SHOW(show_written_process),
		    [3] = SHOW(show_remaining_vector) } },
	{ .name = "process_mrelease", .classes = DESC,
	  .prototype = "int pidfd, unsigned int flags" },
	{ .name = "map_shadow_stack", .classes = MEMORY,
	  .prototype = "unsigned long addr, unsigned long size, unsigned int flags",
	  .args = { [2] = FLAGS(map_shadow_stack_flags) },
	  .result = result_address },
	{ .name = "rseq",
	  .prototype = "struct rseq * rseq, u32 rseq_len, int flags, u32 sig",
	  .args = { [0] = SHOW(show_pointer), [1] = SHOW(show_hex), [2] = FLAGS(rseq_flags),
		    [3] = SHOW(show_hex) } },
};
/* clang-format on */

CALL_FAMILY(memory);
