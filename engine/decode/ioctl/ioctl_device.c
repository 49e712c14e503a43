/* Requests of clocks, watchdogs and userfaultfd; file requests with larger structs. */
#include "engine/decode/ioctl_args.h"

#include "engine/decode/tables.h"
#include "engine/record/capture.h"

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/random.h>
#include <linux/rtc.h>
#include <linux/userfaultfd.h>
#include <linux/watchdog.h>
#include <string.h>

/* -- Files ------------------------------------------------------------------------------- */

static void show_fiemap(struct printer *p, uint64_t value, const void *data)
{
	struct fiemap map;

	(void)data;
	if (!printer_read_enter(p, value, &map, sizeof(map))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out,
		 "{fm_start=%llu, fm_length=%llu, fm_flags=", (unsigned long long)map.fm_start,
		 (unsigned long long)map.fm_length);
	show_flags(p, map.fm_flags, &fiemap_flags);
	str_addf(p->out, ", fm_extent_count=%u}", map.fm_extent_count);
	p->when = BYTES_AT_EXIT;
	if (!printer_succeeded(p) || !printer_read(p, value, &map, sizeof(map)))
		return;
	PUT(p, " => {fm_flags=");
	show_flags(p, map.fm_flags, &fiemap_flags);
	str_addf(p->out, ", fm_mapped_extents=%u, ...}", map.fm_mapped_extents);
}

LAYOUT(file_attributes_layout, struct fsxattr,
       MEMBER_FLAGS(struct fsxattr, fsx_xflags, file_xflags),
       MEMBER(struct fsxattr, fsx_extsize, show_unsigned),
       MEMBER(struct fsxattr, fsx_nextents, show_unsigned),
       MEMBER(struct fsxattr, fsx_projid, show_hex),
       MEMBER(struct fsxattr, fsx_cowextsize, show_unsigned));
LAYOUT(set_attributes_layout, struct fsxattr, MEMBER_FLAGS(struct fsxattr, fsx_xflags, file_xflags),
       MEMBER(struct fsxattr, fsx_extsize, show_unsigned),
       MEMBER(struct fsxattr, fsx_projid, show_hex),
       MEMBER(struct fsxattr, fsx_cowextsize, show_unsigned));

static void element_destination(struct printer *p, const void *element, const void *data)
{
	const struct file_dedupe_range_info *info = element;

	(void)data;
	PUT(p, "{dest_fd=");
	show_fd(p, (uint32_t)info->dest_fd, NULL);
	str_addf(p->out, ", dest_offset=%llu}", (unsigned long long)info->dest_offset);
}

static void show_dedupe(struct printer *p, uint64_t value, const void *data)
{
	struct file_dedupe_range range;

	(void)data;
	if (!printer_read_enter(p, value, &range, sizeof(range))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out, "{src_offset=%llu, src_length=%llu, dest_count=%u, info=",
		 (unsigned long long)range.src_offset, (unsigned long long)range.src_length,
		 range.dest_count);
	print_array(p, value + sizeof(range), range.dest_count,
		    sizeof(struct file_dedupe_range_info), element_destination, NULL);
	PUT(p, "}");
}

static void show_label(struct printer *p, uint64_t value, const void *data)
{
	char label[FSLABEL_MAX];

	(void)data;
	if (printer_read(p, value, label, sizeof(label)))
		print_char_array(p, label, sizeof(label));
	else
		show_pointer(p, value, NULL);
}

static void show_entropy(struct printer *p, uint64_t value, const void *data)
{
	struct rand_pool_info info;

	(void)data;
	if (!printer_read(p, value, &info, sizeof(info))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out, "{entropy_count=%d, buf_size=%d, buf=", info.entropy_count, info.buf_size);
	print_buffer(p, value + sizeof(info), info.buf_size < 0 ? 0 : (uint64_t)info.buf_size);
	PUT(p, "}");
}

/* -- Clocks and watchdogs ---------------------------------------------------------------- */

/* clang-format off */
SHORT_LAYOUT(clock_layout, struct rtc_time,
	MEMBER(struct rtc_time, tm_sec, show_int),
	MEMBER(struct rtc_time, tm_min, show_int),
	MEMBER(struct rtc_time, tm_hour, show_int),
	MEMBER(struct rtc_time, tm_mday, show_int),
	MEMBER(struct rtc_time, tm_mon, show_int),
	MEMBER(struct rtc_time, tm_year, show_int));
/* clang-format on */
LAYOUT(alarm_layout, struct rtc_wkalrm, MEMBER(struct rtc_wkalrm, enabled, show_unsigned),
       MEMBER(struct rtc_wkalrm, pending, show_unsigned),
       MEMBER_INNER(struct rtc_wkalrm, time, clock_layout));

struct pll_info {
	int32_t pll_ctrl, pll_value, pll_max, pll_min, pll_posmult, pll_negmult;
	int64_t pll_clock;
};
/* clang-format off */
LAYOUT(pll_layout, struct pll_info,
	MEMBER(struct pll_info, pll_ctrl, show_int),
	MEMBER(struct pll_info, pll_value, show_int),
	MEMBER(struct pll_info, pll_max, show_int),
	MEMBER(struct pll_info, pll_min, show_int),
	MEMBER(struct pll_info, pll_posmult, show_int),
	MEMBER(struct pll_info, pll_negmult, show_int),
	MEMBER(struct pll_info, pll_clock, show_long));
/* clang-format on */

static const struct pointee voltage_pointee = { 4, show_flags, &clock_voltage_flags };

/* -- userfaultfd ------------------------------------------------------------------------- */

LAYOUT(fault_range_layout, struct uffdio_range, MEMBER(struct uffdio_range, start, show_hex_long),
       MEMBER(struct uffdio_range, len, show_hex_long));

/*
 * The kernel stores `ioctls`, and the features after "=>". The bits of `ioctls` have no names;
 * their positions are request numbers.
 */
static void show_fault_api(struct printer *p, uint64_t value, const void *data)
{
	struct uffdio_api api;
	uint64_t asked;

	(void)data;
	if (!printer_read_enter(p, value, &api, sizeof(api))) {
		show_pointer(p, value, NULL);
		return;
	}
	asked = api.features;
	str_addf(p->out, "{api=%#llx, features=", (unsigned long long)api.api);
	show_flags_long(p, api.features, &userfault_features);
	p->when = BYTES_AT_EXIT;
	if (printer_succeeded(p) && printer_read(p, value, &api, sizeof(api))) {
		if (api.features != asked) {
			PUT(p, " => features=");
			show_flags_long(p, api.features, &userfault_features);
		}
		PUT(p, ", ioctls=");
		show_flags_long(p, api.ioctls, &userfault_requests);
	}
	PUT(p, "}");
}

/* A range, a mode, and the reply of the kernel, which stores it after them. */
struct fault_request {
	struct uffdio_range range;
	uint64_t mode, answer;
};

static void print_fault_range(struct printer *p, const struct fault_request *request,
			      const struct constants *modes)
{
	PUT(p, "{range=");
	element_struct(p, &request->range, &fault_range_layout);
	PUT(p, ", mode=");
	show_flags_long(p, request->mode, modes);
}

static void show_fault_register(struct printer *p, uint64_t value, const void *data)
{
	struct fault_request request;

	(void)data;
	if (!printer_read_enter(p, value, &request, sizeof(request))) {
		show_pointer(p, value, NULL);
		return;
	}
	print_fault_range(p, &request, &fault_register_modes);
	p->when = BYTES_AT_EXIT;
	if (printer_succeeded(p) && printer_read(p, value, &request, sizeof(request))) {
		PUT(p, ", ioctls=");
		show_flags_long(p, request.answer, &userfault_range_requests);
	}
	PUT(p, "}");
}

static void show_fault_zero(struct printer *p, uint64_t value, const void *data)
{
	struct fault_request request;

	(void)data;
	if (!printer_read_enter(p, value, &request, sizeof(request))) {
		show_pointer(p, value, NULL);
		return;
	}
	print_fault_range(p, &request, &fault_zero_modes);
	p->when = BYTES_AT_EXIT;
	if (printer_succeeded(p) && printer_read(p, value, &request, sizeof(request))) {
		PUT(p, ", zeropage=");
		str_addx(p->out, request.answer);
	}
	PUT(p, "}");
}

static void show_fault_copy(struct printer *p, uint64_t value, const void *data)
{
	struct uffdio_copy copy;

	(void)data;
	if (!printer_read_enter(p, value, &copy, sizeof(copy))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{dst=");
	str_addx(p->out, copy.dst);
	PUT(p, ", src=");
	str_addx(p->out, copy.src);
	PUT(p, ", len=");
	str_addx(p->out, copy.len);
	PUT(p, ", mode=");
	show_flags_long(p, copy.mode, &fault_copy_modes);
	p->when = BYTES_AT_EXIT;
	if (printer_succeeded(p) && printer_read(p, value, &copy, sizeof(copy))) {
		PUT(p, ", copy=");
		str_addx(p->out, (uint64_t)copy.copy);
	}
	PUT(p, "}");
}

static const struct ioctl_arg ioctl_device_args_list[] = {
	{ FS_IOC_FIEMAP, IOCTL_BOTH, show_fiemap, NULL, 0 },
	{ FS_IOC_FSGETXATTR, IOCTL_READS, show_struct, &file_attributes_layout, 0 },
	{ FS_IOC_FSSETXATTR, IOCTL_WRITES, show_struct, &set_attributes_layout, 0 },
	{ FS_IOC_GETFSLABEL, IOCTL_READS, show_label, NULL, FSLABEL_MAX },
	{ FS_IOC_SETFSLABEL, IOCTL_WRITES, show_label, NULL, FSLABEL_MAX },
	{ FIDEDUPERANGE, IOCTL_BOTH, show_dedupe, NULL,
	  sizeof(struct file_dedupe_range) +
		  CAPTURE_ITEMS * sizeof(struct file_dedupe_range_info) },
	{ RNDADDENTROPY, IOCTL_BOTH, show_entropy, NULL, 0 },
	{ RTC_RD_TIME, IOCTL_READS, show_struct, &clock_layout, 0 },
	{ RTC_SET_TIME, IOCTL_WRITES, show_struct, &clock_layout, 0 },
	{ RTC_ALM_READ, IOCTL_READS, show_struct, &clock_layout, 0 },
	{ RTC_ALM_SET, IOCTL_WRITES, show_struct, &clock_layout, 0 },
	{ RTC_WKALM_RD, IOCTL_READS, show_struct, &alarm_layout, 0 },
	{ RTC_WKALM_SET, IOCTL_WRITES, show_struct, &alarm_layout, 0 },
	{ RTC_IRQP_READ, IOCTL_READS, show_pointee, &ulong_pointee, 0 },
	{ RTC_EPOCH_READ, IOCTL_READS, show_pointee, &ulong_pointee, 0 },
	{ RTC_IRQP_SET, IOCTL_WRITES, show_ulong, NULL, 0 },
	{ RTC_EPOCH_SET, IOCTL_WRITES, show_ulong, NULL, 0 },
	{ RTC_AIE_ON, IOCTL_NOTHING, NULL, NULL, 0 },
	{ RTC_AIE_OFF, IOCTL_NOTHING, NULL, NULL, 0 },
	{ RTC_UIE_ON, IOCTL_NOTHING, NULL, NULL, 0 },
	{ RTC_UIE_OFF, IOCTL_NOTHING, NULL, NULL, 0 },
	{ RTC_PIE_ON, IOCTL_NOTHING, NULL, NULL, 0 },
	{ RTC_PIE_OFF, IOCTL_NOTHING, NULL, NULL, 0 },
	{ RTC_PLL_GET, IOCTL_READS, show_struct, &pll_layout, 0 },
	{ RTC_PLL_SET, IOCTL_WRITES, show_struct, &pll_layout, 0 },
	{ RTC_VL_READ, IOCTL_READS, show_pointee, &voltage_pointee, 0 },
	{ RTC_VL_CLR, IOCTL_NOTHING, NULL, NULL, 0 },
	{ RTC_WIE_ON, IOCTL_NOTHING, NULL, NULL, 0 },
	{ RTC_WIE_OFF, IOCTL_NOTHING, NULL, NULL, 0 },
	{ WDIOC_GETBOOTSTATUS, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ WDIOC_GETTEMP, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ WDIOC_GETTIMELEFT, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ WDIOC_GETPRETIMEOUT, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ WDIOC_SETPRETIMEOUT, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	{ WDIOC_KEEPALIVE, IOCTL_NOTHING, NULL, NULL, 0 },
	{ WDIOC_GETSTATUS, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ WDIOC_GETTIMEOUT, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ WDIOC_SETTIMEOUT, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	{ UFFDIO_API, IOCTL_BOTH, show_fault_api, NULL, 0 },
	{ UFFDIO_REGISTER, IOCTL_BOTH, show_fault_register, NULL, 0 },
	{ UFFDIO_ZEROPAGE, IOCTL_BOTH, show_fault_zero, NULL, 0 },
	{ UFFDIO_COPY, IOCTL_BOTH, show_fault_copy, NULL, 0 },
	{ UFFDIO_WAKE, IOCTL_WRITES, show_struct, &fault_range_layout, 0 },
	{ UFFDIO_UNREGISTER, IOCTL_WRITES, show_struct, &fault_range_layout, 0 },
};
IOCTL_ARGS(ioctl_device_args);
